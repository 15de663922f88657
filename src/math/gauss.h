/* Gauss-Legendre nodes and weights on [-1, 1]: the positive nodes, from the largest down; each has
 * a mirror image of the same weight. */
#ifndef CAROM_MATH_GAUSS_H
#define CAROM_MATH_GAUSS_H

enum { GAUSS_MOST = 20 };

typedef struct Gauss {
    int count; /* of nodes, a multiple of four */
    double node[GAUSS_MOST / 2], weight[GAUSS_MOST / 2];
} Gauss;

static const Gauss GAUSS_8 = {8,
                              {0.96028985649753623168, 0.79666647741362673959,
                               0.52553240991632898582, 0.18343464249564980494},
                              {0.10122853629037625915, 0.22238103445337447054,
                               0.31370664587788728734, 0.36268378337836198297}};

static const Gauss GAUSS_12 = {
    12,
    {0.98156063424671925069, 0.90411725637047485668, 0.76990267419430468704, 0.5873179542866174473,
     0.36783149899818019375, 0.12523340851146891547},
    {0.047175336386511827195, 0.10693932599531843096, 0.16007832854334622633,
     0.20316742672306592175, 0.23349253653835480876, 0.249147045813402785}};

static const Gauss GAUSS_16 = {
    16,
    {0.98940093499164993259, 0.94457502307323257607, 0.86563120238783174388, 0.75540440835500303389,
     0.61787624440264374844, 0.45801677765722738634, 0.28160355077925891323,
     0.09501250983763744018},
    {0.02715245941175409485, 0.06225352393864789286, 0.09515851168249278480, 0.12462897125553387205,
     0.14959598881657673208, 0.16915651939500253818, 0.18260341504492358886,
     0.18945061045506849628}};

static const Gauss GAUSS_20 = {
    20,
    {0.99312859918509492479, 0.96397192727791379127, 0.91223442825132590587, 0.83911697182221882339,
     0.74633190646015079261, 0.63605368072651502545, 0.510867001950827098, 0.37370608871541956067,
     0.22778585114164507808, 0.076526521133497333755},
    {0.017614007139152118312, 0.040601429800386941331, 0.06267204833410906357,
     0.083276741576704748725, 0.10193011981724043504, 0.11819453196151841731, 0.1316886384491766269,
     0.14209610931838205133, 0.14917298647260374679, 0.1527533871307258507}};

/* Weights of integrals over (0, 1) of z^(q-1) times a polynomial of degree below rule->count,
 * q > 0: upper[i] belongs to z = (1 + node[i])/2, lower[i] to (1 - node[i])/2. With the shifted
 * Legendre polynomials P_k the moments are m_0 = 1/q, m_k = m_(k-1) (q - k)/(q + k), and
 *
 *   weight_i = (w_i/2) sum_k (2 k + 1) P_k(z_i) m_k. */
static inline void gauss_power(const Gauss *rule, double q, double *upper, double *lower) {
    int half = rule->count / 2;
    double before[GAUSS_MOST / 2], now[GAUSS_MOST / 2], even[GAUSS_MOST / 2], odd[GAUSS_MOST / 2];
    double moment = 1 / q;
    for (int i = 0; i < half; i++) {
        before[i] = 0;
        now[i] = 1;
        even[i] = moment;
        odd[i] = 0;
    }
    for (int k = 1; k < rule->count; k++) {
        double a = (2 * k - 1.0) / k, b = (k - 1.0) / k;
        moment *= (q - k) / (q + k);
        double by = (2 * k + 1) * moment, *sum = k % 2 ? odd : even;
        for (int i = 0; i < half; i++) {
            double next = a * rule->node[i] * now[i] - b * before[i];
            before[i] = now[i];
            now[i] = next;
            sum[i] += by * next;
        }
    }
    for (int i = 0; i < half; i++) {
        upper[i] = rule->weight[i] / 2 * (even[i] + odd[i]);
        lower[i] = rule->weight[i] / 2 * (even[i] - odd[i]);
    }
}

#endif
