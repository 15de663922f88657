#include "rigid/slip_series.h"

#include "math/series.h"

void slip_series_begin(SlipSeries *w, const double gamma[2], double r) {
    w->s[0][0] = gamma[0] / r;
    w->s[1][0] = gamma[1] / r;
    w->r[0] = r;
}

void slip_series_extend(const Slip *slip, SlipSeries *w, int n) {
    const double *b = slip->b;
    double step = w->time / (n + 1);
    w->rate[0][n] = -b[0] * w->s[0][n] - b[1] * w->s[1][n] + (n == 0 ? slip->d[0] : 0);
    w->rate[1][n] = -b[1] * w->s[0][n] - b[2] * w->s[1][n] + (n == 0 ? slip->d[1] : 0);
    w->f[n] = series_product(w->s[0], w->rate[0], n) + series_product(w->s[1], w->rate[1], n);
    w->g[n] = series_product(w->s[0], w->rate[1], n) - series_product(w->s[1], w->rate[0], n);
    if (n == 0 && w->fading) {
        w->f[0] = 0;
    }
    w->s[0][n + 1] = -step * series_product(w->g, w->s[1], n);
    w->s[1][n + 1] = step * series_product(w->g, w->s[0], n);
    w->r[n + 1] = step * series_product(w->f, w->r, n);
}

void slip_series_direction(const SlipSeries *w, int count, Curve *curve) {
    for (int n = 0; n < curve->terms; n++) {
        curve->direction[0][n] = n < count ? w->s[0][n] : 0;
        curve->direction[1][n] = n < count ? w->s[1][n] : 0;
    }
}
