/* A least-squares problem as its triangle. */
#include "descent/triangle.h"

#include <string.h>

#include <cminpack.h>

void crm_triangle_begin(Triangle *triangle, int n) {
    triangle->n = n;
    triangle->filled = 0;
    memset(triangle->R, 0, sizeof triangle->R);
}

/* R <- the R of a QR factorisation of R and the block, one above the other. */
static void fold(Triangle *triangle) {
    int width = triangle->n + 1, rows = width + triangle->filled;
    double a[(TRIANGLE_BLOCK + TRIANGLE_MAX + 1) * (TRIANGLE_MAX + 1)]; /* by columns */
    double diagonal[TRIANGLE_MAX + 1], norms[TRIANGLE_MAX + 1], scratch[TRIANGLE_MAX + 1];
    int order[TRIANGLE_MAX + 1];
    if (triangle->filled == 0) {
        return;
    }
    for (int j = 0; j < width; j++) {
        for (int i = 0; i < width; i++) {
            a[j * rows + i] = triangle->R[i * width + j];
        }
        for (int i = 0; i < triangle->filled; i++) {
            a[j * rows + width + i] = triangle->block[i * width + j];
        }
    }
    qrfac(rows, width, a, rows, 0, order, width, diagonal, norms, scratch);
    for (int i = 0; i < width; i++) {
        for (int j = 0; j < width; j++) {
            triangle->R[i * width + j] = i == j ? diagonal[j] : i < j ? a[j * rows + i] : 0;
        }
    }
    triangle->filled = 0;
}

void crm_triangle_add(Triangle *triangle, const double *slopes, double residual) {
    int n = triangle->n;
    double *row = triangle->block + triangle->filled * (n + 1);
    memcpy(row, slopes, (size_t)n * sizeof *row);
    row[n] = residual;
    if (++triangle->filled == TRIANGLE_BLOCK) {
        fold(triangle);
    }
}

void crm_triangle_end(Triangle *triangle) {
    fold(triangle);
}

void crm_triangle_merge(Triangle *triangle, const double *R) {
    int width = triangle->n + 1;
    for (int i = 0; i < width; i++) {
        crm_triangle_add(triangle, R + i * width, R[i * width + triangle->n]);
    }
}

double crm_triangle_value(const Triangle *triangle, const double *x) {
    int width = triangle->n + 1;
    double sum = 0;
    for (int i = 0; i < width; i++) {
        double part = triangle->R[i * width + triangle->n];
        for (int j = i; j < triangle->n; j++) {
            part += triangle->R[i * width + j] * x[j];
        }
        sum += part * part;
    }
    return sum;
}

/* Column a times column b of R. */
static double product(const Triangle *triangle, int a, int b) {
    int width = triangle->n + 1;
    double sum = 0;
    for (int i = 0; i <= (a < b ? a : b); i++) {
        sum += triangle->R[i * width + a] * triangle->R[i * width + b];
    }
    return sum;
}

void crm_triangle_gradient(const Triangle *triangle, double *gradient) {
    for (int j = 0; j < triangle->n; j++) {
        gradient[j] = product(triangle, j, triangle->n);
    }
}

void crm_triangle_gram(const Triangle *triangle, double *gram) {
    for (int i = 0; i < triangle->n; i++) {
        for (int j = 0; j < triangle->n; j++) {
            gram[i * triangle->n + j] = product(triangle, i, j);
        }
    }
}
