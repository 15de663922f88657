/* Speed: sums over the orders, of four rows at a time; compiled for processors with AVX2 as well.
 */
#include "multiple/terms.h"

#include "math/wide.h"

/* The next four rows after these. The last four may have been among those before: their sums are
 * the same again. */
INLINE size_t next_rows(size_t row, size_t stride) {
    return row + 8 <= stride ? row + 4 : row + 4 < stride ? stride - 4 : stride;
}

/* Even and odd terms apart, because two short sums do not wait for each other. ORDER is even. */
INLINE void end_rows(const Given *given, const Piece *piece, double x, double *v, double *F,
                     double *gain) {
    size_t stride = (size_t)given->stride;
    double y = piece->scale[1] * x, z = y * y;
    for (size_t row = 0; row < stride; row = next_rows(row, stride)) {
        const double *a = &piece->terms_v[ORDER * stride + row];
        const double *b = &piece->terms_f[ORDER * stride + row];
        const double *c = &piece->terms_push[ORDER * stride + row];
        Four v_even = four_load(a), v_odd = four_zero(), F_even = four_load(b), F_odd = v_odd;
        Four I_even = four_scale(four_load(c), RECIPROCAL[ORDER + 1]), I_odd = v_odd;
        for (int g = ORDER - 2; g >= 0; g -= 2) {
            v_odd = four_plus(four_scale(v_odd, z), four_load(a - stride));
            F_odd = four_plus(four_scale(F_odd, z), four_load(b - stride));
            I_odd = four_plus(four_scale(I_odd, z),
                              four_scale(four_load(c - stride), RECIPROCAL[g + 2]));
            a -= 2 * stride;
            b -= 2 * stride;
            c -= 2 * stride;
            v_even = four_plus(four_scale(v_even, z), four_load(a));
            F_even = four_plus(four_scale(F_even, z), four_load(b));
            I_even = four_plus(four_scale(I_even, z), four_scale(four_load(c), RECIPROCAL[g + 1]));
        }
        four_store(&v[row], four_plus(four_scale(v_odd, y), v_even));
        four_store(&F[row], four_plus(four_scale(F_odd, y), F_even));
        four_store(&gain[row], four_scale(four_plus(four_scale(I_odd, y), I_even), x));
    }
}

WIDE void end_wide(const Given *given, const Piece *piece, double x, double *v, double *F,
                   double *gain) {
    end_rows(given, piece, x, v, F, gain);
}

NARROW void end_narrow(const Given *given, const Piece *piece, double x, double *v, double *F,
                       double *gain) {
    end_rows(given, piece, x, v, F, gain);
}

/* At the end of a piece with an even clock all sums are known already. */
static void end_known(const Given *given, const Piece *piece, double *v, double *F, double *gain) {
    for (int row = 0; row < given->stride; row++) {
        v[row] = piece->terms_v[row] + piece->speeds.sum[row];
        F[row] = piece->terms_f[row] + piece->forces.sum[row];
        gain[row] = piece->terms_f[row] + piece->forces.area[row];
    }
}

void crm_terms_end(const Given *given, const Piece *piece, double x, double *v, double *F,
                   double *gain) {
    if (x == 1 && !piece->closing) {
        end_known(given, piece, v, F, gain);
    } else if (given->stride < 4) {
        terms_integral(given, piece, piece->terms_push, x, gain);
        terms_at(given, piece, piece->terms_v, x, v);
        terms_at(given, piece, piece->terms_f, x, F);
    } else {
        (has_wide() ? end_wide : end_narrow)(given, piece, x, v, F, gain);
    }
}

INLINE void range_rows(const Given *given, const Piece *piece, const double *terms,
                       const Ranges *ranges, int with_area) {
    size_t stride = (size_t)given->stride;
    for (size_t row = 0; row < stride; row = next_rows(row, stride)) {
        Four sum = four_zero(), size = sum, area = sum;
        for (int g = 1; g < TERMS; g++) {
            Four part = four_scale(four_load(&terms[(size_t)g * stride + row]), piece->scale[g]);
            sum = four_plus(sum, part);
            size = four_plus(size, four_magnitude(part));
            if (with_area) {
                area = four_plus(area, four_scale(part, RECIPROCAL[g + 1]));
            }
        }
        four_store(&ranges->sum[row], sum);
        four_store(&ranges->size[row], size);
        if (with_area) {
            four_store(&ranges->area[row], area);
        }
    }
}

WIDE void range_wide(const Given *given, const Piece *piece, const double *terms,
                     const Ranges *ranges) {
    if (ranges->area) {
        range_rows(given, piece, terms, ranges, 1);
    } else {
        range_rows(given, piece, terms, ranges, 0);
    }
}

NARROW void range_narrow(const Given *given, const Piece *piece, const double *terms,
                         const Ranges *ranges) {
    if (ranges->area) {
        range_rows(given, piece, terms, ranges, 1);
    } else {
        range_rows(given, piece, terms, ranges, 0);
    }
}

/* The same for two rows. */
static void range_two(const Piece *piece, const double *terms, const Ranges *ranges) {
    Pair sum = pair_make(0, 0), size = sum, area = sum;
    for (int g = 1; g < TERMS; g++) {
        Pair part = pair_times(pair_load(&terms[2 * g]), both(piece->scale[g]));
        sum = pair_plus(sum, part);
        size = pair_plus(size, magnitude(part));
        area = pair_join(part, both(RECIPROCAL[g + 1]), area);
    }
    *(Pair *)ranges->sum = sum;
    *(Pair *)ranges->size = size;
    if (ranges->area) {
        *(Pair *)ranges->area = area;
    }
}

void crm_terms_ranges(const Given *given, const Piece *piece, const double *terms,
                      const Ranges *ranges) {
    if (given->stride < 4) {
        range_two(piece, terms, ranges);
    } else {
        (has_wide() ? range_wide : range_narrow)(given, piece, terms, ranges);
    }
}

/* Two of Gauss's points at once; in a plane there is one direction. */
INLINE double sum_work(const Given *given, const Piece *piece, int row, double x) {
    size_t stride = (size_t)given->stride;
    double sum = 0, reach = piece->scale[1] * x, second = given->rows > 2;
    const double *f = &piece->terms_push[ORDER * stride + (size_t)row];
    const double *V = &piece->terms_v[ORDER * stride + (size_t)row];
    Four force[3], speed[3], y[3];
    for (int i = 0; i < 3; i++) {
        double one = reach * GAUSS_NODE[2 * i], two = reach * GAUSS_NODE[2 * i + 1];
        y[i] = four_make(one, one, two, two);
        force[i] = four_zero();
        speed[i] = four_zero();
    }
    for (int g = ORDER; g >= 0; g--, f -= stride, V -= stride) {
        Four fg = four_make(f[0], f[1], f[0], f[1]), Vg = four_make(V[0], V[1], V[0], V[1]);
        for (int i = 0; i < 3; i++) {
            force[i] = four_plus(four_times(force[i], y[i]), fg);
            speed[i] = four_plus(four_times(speed[i], y[i]), Vg);
        }
    }
    for (int i = 0; i < 3; i++) {
        Four power = four_times(force[i], speed[i]);
        sum -= GAUSS_WEIGHT[2 * i] * (FOUR_LANE(power, 0) + second * FOUR_LANE(power, 1));
        sum -= GAUSS_WEIGHT[2 * i + 1] * (FOUR_LANE(power, 2) + second * FOUR_LANE(power, 3));
    }
    return piece->step * x * sum;
}

WIDE double work_wide(const Given *given, const Piece *piece, int row, double x) {
    return sum_work(given, piece, row, x);
}

NARROW double work_narrow(const Given *given, const Piece *piece, int row, double x) {
    return sum_work(given, piece, row, x);
}

double crm_terms_work(const Given *given, const Piece *piece, int row, double x) {
    return (has_wide() ? work_wide : work_narrow)(given, piece, row, x);
}

double crm_terms_own_reach(const Network *network, double h, int bounced) {
    const Given *given = &network->given;
    const Piece *piece = &network->piece;
    double fastest = 0;
    for (int i = 0; i < given->count; i++) {
        double speed = network->state.v[normal_row(given, i)], k = network->state.links[i].k;
        if (is_sprung(piece->links[i].phase) && (bounced || k == given->materials[i].k)) {
            fastest = fmax(fastest, terms_own_rate(given, i, k, speed));
        }
    }
    return fastest > 0 ? fmin(h, OWN_LONGEST / (sqrt(fastest) * piece->unit)) : h;
}
