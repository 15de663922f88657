/* From dL/d(W, v) to dL/d(u, M, J) of a mechanism, in reverse: W = J M^-1 J^T, v = J u,
 * u+ = u + M^-1 J^T I. */
#include <carom/chain.h>

#include "derivative/packed.h"

void carom_system_weigh(int n, int m, const double *R, const double *weights,
                        double *impulse_weight) {
    for (int i = 0; i < m && R && weights && impulse_weight; i++) {
        impulse_weight[i] = 0;
        for (int j = 0; j < n; j++) {
            impulse_weight[i] += R[i * n + j] * weights[j];
        }
    }
}

/* Half of dL/dW_pq beside the diagonal. */
static double half_entry(const double *gradient, int m, int p, int q) {
    double g = gradient[packed_index(m, p, q)];
    return p == q ? g : g / 2;
}

void carom_system_gradient(int n, int m, const double *J, const double *R, const double *u,
                           const double *impulse, const double *weights, const double *response,
                           const double *gradient, double *by_u, double *by_M, double *by_J) {
    if (!J || !R || !u || !impulse || !weights || !response || !gradient) {
        return;
    }
    const double *by_v = gradient + packed_count(m);
    for (int j = 0; by_u && j < n; j++) {
        by_u[j] = weights[j];
        for (int i = 0; i < m; i++) {
            by_u[j] += J[i * n + j] * by_v[i];
        }
    }
    for (int i = 0; by_J && i < m; i++) {
        for (int j = 0; j < n; j++) {
            double sum = by_v[i] * u[j] + impulse[i] * response[j];
            for (int k = 0; k < m; k++) {
                sum += 2 * half_entry(gradient, m, i, k) * R[k * n + j];
            }
            by_J[i * n + j] = sum;
        }
    }
    for (int a = 0; by_M && a < n; a++) {
        for (int b = 0; b < n; b++) {
            double sum = 0;
            for (int i = 0; i < m; i++) {
                sum -= impulse[i] * (R[i * n + a] * response[b] + R[i * n + b] * response[a]) / 2;
                for (int k = 0; k < m; k++) {
                    sum -= half_entry(gradient, m, i, k) * R[i * n + a] * R[k * n + b];
                }
            }
            by_M[a * n + b] = sum;
        }
    }
}
