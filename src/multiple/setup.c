/* From the caller's problem to the network's own units, in one block of memory. */
#include <math.h>
#include <string.h>

#include "contact/check.h"
#include "multiple/network.h"
#include "multiple/product.h"

/* A pivot this small, relative to its diagonal, is rounding. */
static const double PIVOT_SINGULAR = 1e-9;

/* Speed at which a contact that has had its turn counts as touching. */
static const double TOUCH = 1e-12;

static size_t rounded(size_t bytes) {
    return (bytes + 15) / 16 * 16;
}

/* Hand out the block piece by piece; with block NULL only count. */
static size_t lay_out(Network *network, char *block, int count, int rows) {
    size_t n = (size_t)count, m = n * (size_t)rows, stride = m + m % 2, plain = n + n % 2, at = 0;
    struct {
        void **target;
        size_t bytes;
    } parts[] = {
        {(void **)&network->W, m * m * sizeof(double)},
        {(void **)&network->held, m * m * sizeof(double)},
        {(void **)&network->v, m * sizeof(double)},
        {(void **)&network->I, m * sizeof(double)},
        {(void **)&network->v_before, m * sizeof(double)},
        {(void **)&network->I_then, m * sizeof(double)},
        {(void **)&network->wide, stride * stride * sizeof(double)},
        {(void **)&network->band, stride * sizeof(int)},
        {(void **)&network->drivers, m * sizeof(int)},
        {(void **)&network->column_in, stride * sizeof(double)},
        {(void **)&network->column_out, stride * sizeof(double)},
        {(void **)&network->terms_v, stride * (TERMS + 1) * sizeof(double)},
        {(void **)&network->terms_f, stride * TERMS * sizeof(double)},
        {(void **)&network->paced_v, stride * TERMS * sizeof(double)},
        {(void **)&network->paced_f, stride * TERMS * sizeof(double)},
        {(void **)&network->rate, (plain + 2) * sizeof(double)},
        {(void **)&network->beside, 3 * plain * sizeof(double)},
        {(void **)&network->bound_speed, plain * sizeof(double)},
        {(void **)&network->bound_force, plain * sizeof(double)},
        {(void **)&network->bound_sign, plain * sizeof(double)},
        {(void **)&network->links, n * sizeof(Link)},
        {(void **)&network->used, m * sizeof(int)},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (block) {
            *parts[i].target = block + at;
        }
        at += rounded(parts[i].bytes);
    }
    return at;
}

size_t crm_network_bytes(int count) {
    Network none;
    return lay_out(&none, NULL, count, 3);
}

/* Rows that matter: the normal ones, and those along the surface where there is friction. */
static int setup_matters(const Network *network, int row) {
    return row % network->rows == network->rows - 1 || network->links[row / network->rows].rough;
}

/* Take a row out of what is left of the matrix. */
static void eliminate(double *L, int m, const int *left, int row) {
    double pivot = L[row * m + row];
    for (int i = 0; i < m; i++) {
        double a = left[i] ? L[row * m + i] / pivot : 0;
        if (a == 0) {
            continue;
        }
        for (int j = 0; j < m; j++) {
            L[i * m + j] -= a * L[row * m + j];
        }
    }
}

/* Is W positive semidefinite? Cholesky, the largest pivot first, in memory that is not needed yet.
 */
static int setup_is_semidefinite(Network *network) {
    int m = network->size, *left = network->used;
    double *L = network->held;
    memcpy(L, network->W, (size_t)m * (size_t)m * sizeof *L);
    for (int i = 0; i < m; i++) {
        left[i] = setup_matters(network, i);
        for (int j = 0; j < m && left[i] && L[i * m + i] == 0; j++) {
            if (L[i * m + j] != 0 && setup_matters(network, j)) {
                return 0;
            }
        }
        left[i] &= L[i * m + i] > 0;
    }
    for (;;) {
        int best = -1;
        double largest = PIVOT_SINGULAR;
        for (int i = 0; i < m; i++) {
            double size = left[i] ? L[i * m + i] / network->W[i * m + i] : 0;
            if (size < -PIVOT_SINGULAR) {
                return 0;
            }
            if (size > largest) {
                largest = size;
                best = i;
            }
        }
        if (best < 0) {
            return 1;
        }
        left[best] = 0;
        eliminate(L, m, left, best);
    }
}

int crm_stiffness_level(double stiffness) {
    return stiffness < 0 ? LEVEL_SOFT : stiffness < INFINITY ? LEVEL_FINITE : LEVEL_RIGID;
}

static void set_link(Link *link, const CaromContact *contact) {
    memset(link, 0, offsetof(Link, series_s));
    link->mu = contact->mu;
    link->e = contact->e;
    link->rough = contact->mu > 0;
    double stiffness = contact_stiffness(contact);
    link->level = crm_stiffness_level(stiffness);
    link->k = link->level == LEVEL_FINITE ? stiffness : 1;
    link->kt = link->k / contact_stiffness_ratio(contact);
}

/* Largest speed of a row that matters, largest normal W. */
static void find_units(Network *network, const double *W, const double *v) {
    double speed = 0, w = 0;
    int size = network->count * network->caller_rows;
    for (int i = 0; i < network->size; i++) {
        int row = caller_row(network, i);
        if (setup_matters(network, i) && fabs(v[row]) > speed) {
            speed = fabs(v[row]);
        }
        if (i % network->rows == network->rows - 1 && W[row * size + row] > w) {
            w = W[row * size + row];
        }
    }
    network->unit_velocity = speed;
    network->unit_impulse = speed / w;
}

static void scale(Network *network, const double *W, const double *v) {
    int m = network->size, size = network->count * network->caller_rows;
    double speed = network->unit_velocity, w = speed / network->unit_impulse;
    for (int i = 0; i < m; i++) {
        int row = caller_row(network, i);
        network->v[i] = network->v_before[i] = v[row] / speed;
        network->I[i] = 0;
        for (int j = 0; j < m; j++) {
            int column = caller_row(network, j);
            /* exactly symmetric, so that symmetric problems have symmetric answers */
            network->W[i * m + j] = (W[row * size + column] + W[column * size + row]) / (2 * w);
        }
    }
}

static int any_rough(const CaromProblem *problem) {
    int rough = 0;
    for (int i = 0; i < problem->contact_count; i++) {
        rough |= problem->contacts[i].mu > 0;
    }
    return rough;
}

int crm_network_begin(Network *network, const CaromProblem *problem, void *workspace,
                      const char **message) {
    int n = problem->contact_count, all = problem->planar ? 2 : 3;
    /* without friction nothing along the surface has a part in it */
    int rows = any_rough(problem) ? all : 1;
    *network = (Network){.count = n,
                         .rows = rows,
                         .caller_rows = all,
                         .size = n * rows,
                         .stride = n * rows + n * rows % 2,
                         .problem = problem,
                         .mono = problem->law == CAROM_LAW_MONO_STIFFNESS};
    lay_out(network, workspace, n, rows);
    /* rows that are not needed are summed with the others, to no end */
    memset(network->terms_v, 0, (size_t)network->stride * (TERMS + 1) * sizeof(double));
    for (int g = 0; g < TERMS; g++) {
        network->scale[g] = 1;
    }
    for (int i = 0; i < n; i++) {
        set_link(&network->links[i], &problem->contacts[i]);
        network->links[i].row = i * rows;
    }
    find_units(network, problem->inverse_inertia, problem->velocity);
    scale(network, problem->inverse_inertia, problem->velocity);
    if (!setup_is_semidefinite(network)) {
        *message = "inverse_inertia is not positive semidefinite";
        return 0;
    }
    crm_use_matrix(network, network->W);
    crm_plain_begin(network);
    return 1;
}

int crm_network_begin_level(Network *network, int level) {
    int any = 0;
    double fastest = 0;
    for (Link *link = network->links; link < network->links + network->count; link++) {
        int row = normal_row(network, link);
        if (link->level == level) {
            double rate = link->k * normal_W(network, link);
            fastest = rate > fastest ? rate : fastest;
            link->phase = network->v[row] > 0 ? OPEN : TOUCHING;
            any = 1;
        } else if (link->level < level) {
            link->phase = ABSENT;
        } else {
            /* stiffer: it has separated, or only rounding says so */
            link->rigid = 1;
            link->phase = network->v[row] > TOUCH ? OPEN : TOUCHING;
            network->v[row] = link->phase == OPEN ? network->v[row] : 0;
        }
    }
    for (Link *link = network->links; link < network->links + network->count; link++) {
        if (link->level == level) {
            set_stiffness(network, link, link->k / fastest);
            link->kt /= fastest;
            link->k_first = link->k;
        }
    }
    return any;
}
