/* From the caller's problem to the network's own units, in one block of memory. */
#include "multiple/network.h"

#include <string.h>

#include "contact/block.h"
#include "contact/check.h"
#include "math/functions.h"
#include "multiple/held.h"
#include "multiple/product.h"
#include "multiple/row.h"

/* A pivot this small, relative to its diagonal, is rounding. */
static const double PIVOT_SINGULAR = 1e-9;

/* Speed at which a contact of a stiffer level counts as touching. */
static const double TOUCH = 1e-12;

static double *take_numbers(Block *block, size_t count) {
    return block_take(block, count, sizeof(double));
}

static void lay_out_piece(Piece *piece, Block *block, size_t n, size_t stride) {
    size_t plain = n + n % 2;
    piece->links = block_take(block, n, sizeof *piece->links);
    piece->terms_v = take_numbers(block, stride * (TERMS + 1));
    piece->terms_f = take_numbers(block, stride * TERMS);
    piece->paced_v = take_numbers(block, stride * TERMS);
    piece->paced_f = take_numbers(block, stride * TERMS);
    piece->columns.list = block_take(block, stride, sizeof(int));
    piece->list = block_take(block, n, sizeof(int));
    piece->sprung = block_take(block, n, sizeof *piece->sprung);
    piece->columns.W = block_take(block, stride, sizeof *piece->columns.W);
    piece->rate = take_numbers(block, plain + 2);
    piece->bound_speed = take_numbers(block, plain);
    piece->bound_force = take_numbers(block, plain);
    piece->bound_sign = take_numbers(block, plain);
    piece->speeds = (Ranges){take_numbers(block, stride), take_numbers(block, stride), NULL};
    piece->forces = (Ranges){take_numbers(block, stride), take_numbers(block, stride),
                             take_numbers(block, stride)};
    piece->column_in = take_numbers(block, stride);
    piece->column_out = take_numbers(block, stride);
    piece->I_then = take_numbers(block, stride);
}

/* Hand out the block; returns its size. */
static size_t lay_out(Network *network, char *start, int count, int rows) {
    Block block = {start, 0};
    size_t n = (size_t)count, m = n * (size_t)rows, stride = m + m % 2;
    Given *given = &network->given;
    given->W = take_numbers(&block, m * stride);
    given->v_before = take_numbers(&block, m);
    given->wide = take_numbers(&block, stride * stride);
    given->band = block_take(&block, stride, sizeof(int));
    given->block_start = block_take(&block, n + 1, sizeof(int));
    given->block_link = block_take(&block, n * n / FEWER_BLOCKS, sizeof(int));
    given->materials = block_take(&block, n, sizeof *given->materials);
    given->column_first = block_take(&block, 3 * n, sizeof(int));
    given->column_end = block_take(&block, 3 * n, sizeof(int));
    network->state.v = take_numbers(&block, stride);
    network->state.I = take_numbers(&block, m);
    network->state.links = block_take(&block, n, sizeof *network->state.links);
    lay_out_piece(&network->piece, &block, n, stride);
    network->held = block_take(&block, 1, crm_held_bytes(count));
    if (rows == 1) {
        /* less than what fewer rows save */
        network->row = block_take(&block, 1, crm_row_bytes(count));
    }
    return block.used;
}

size_t crm_network_bytes(int count) {
    Network none;
    return lay_out(&none, NULL, count, 3);
}

/* Rows that matter: the normal ones, and the tangential ones where there is friction. */
static int setup_matters(const Given *given, int row) {
    return row % given->rows == given->rows - 1 || given->materials[row / given->rows].rough;
}

/* Take a row out of the rest of the matrix. */
static void eliminate(double *L, int m, const int *left, int row) {
    double pivot = L[row * m + row];
    for (int i = 0; i < m; i++) {
        double a = left[i] ? L[row * m + i] / pivot : 0;
        for (int j = 0; j < m && a != 0; j++) {
            L[i * m + j] -= a * L[row * m + j];
        }
    }
}

/* Is W positive semidefinite? Cholesky, the largest pivot first, in memory that is not needed yet.
 */
static int setup_is_semidefinite(const Given *given, double *L, int *left) {
    int m = given->size;
    for (int i = 0; i < m; i++) {
        memcpy(&L[i * m], row_of_W(given, i), (size_t)m * sizeof *L);
    }
    for (int i = 0; i < m; i++) {
        left[i] = setup_matters(given, i);
        for (int j = 0; j < m && left[i] && L[i * m + i] == 0; j++) {
            if (L[i * m + j] != 0 && setup_matters(given, j)) {
                return 0;
            }
        }
        left[i] &= L[i * m + i] > 0;
    }
    for (;;) {
        int best = -1;
        double largest = PIVOT_SINGULAR;
        for (int i = 0; i < m; i++) {
            double size = left[i] ? L[i * m + i] / row_of_W(given, i)[i] : 0;
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

static void set_material(Material *material, const CaromContact *contact, int row) {
    double stiffness = contact_stiffness(contact);
    int level = crm_stiffness_level(stiffness);
    *material = (Material){.row = row,
                           .level = level,
                           .rough = contact->mu > 0,
                           .mu = contact->mu,
                           .e = contact->e,
                           .k = level == LEVEL_FINITE ? stiffness : 1};
    material->kt = material->k / contact_stiffness_ratio(contact);
}

/* Largest speed of a row that matters, largest normal W. */
static void find_units(Given *given, const double *W, const double *v) {
    double speed = 0, w = 0;
    int size = given->count * given->caller_rows;
    for (int i = 0; i < given->size; i++) {
        int row = caller_row(given, i);
        if (setup_matters(given, i) && fabs(v[row]) > speed) {
            speed = fabs(v[row]);
        }
        if (i % given->rows == given->rows - 1 && W[row * size + row] > w) {
            w = W[row * size + row];
        }
    }
    given->unit_velocity = speed;
    given->unit_impulse = speed / w;
}

static void scale_given(Given *given, const double *W, const double *v) {
    int m = given->size, size = given->count * given->caller_rows;
    double speed = given->unit_velocity, w = speed / given->unit_impulse;
    for (int i = 0; i < m; i++) {
        int row = caller_row(given, i);
        double *to = &given->W[(size_t)i * (size_t)given->stride];
        given->v_before[i] = v[row] / speed;
        to[given->stride - 1] = 0;
        for (int j = 0; j < m; j++) {
            int column = caller_row(given, j);
            /* exactly symmetric, so that symmetric problems have symmetric answers */
            to[j] = (W[row * size + column] + W[column * size + row]) / (2 * w);
        }
    }
}

/* Contacts at rest touch, however velocities were rounded: one that approached in earnest, if only
 * by as much, would have an impact of its own before the load comes, and a stiffer spring after it.
 * Where all approach as slowly as that, it is the impact. */
static void rest_touching(Given *given) {
    int approaches = 0;
    for (int i = 0; i < given->count; i++) {
        approaches |= given->v_before[normal_row(given, i)] < -ROUNDED;
    }
    for (int i = 0; i < given->count && approaches; i++) {
        double *vn = &given->v_before[normal_row(given, i)];
        *vn = fabs(*vn) <= ROUNDED ? 0 : *vn;
    }
}

static void find_columns(Given *given, const double *W) {
    int size = given->count * given->caller_rows;
    for (int i = 0; i < size; i++) {
        int first = given->size, end = 0;
        for (int j = 0; j < given->size; j++) {
            if (W[i * size + caller_row(given, j)] != 0) {
                first = j < first ? j : first;
                end = j + 1;
            }
        }
        given->column_first[i] = first;
        given->column_end[i] = end;
    }
}

/* The fastest link of each level has k W_nn = 1. */
static void scale_stiffness(Given *given) {
    double fastest[LEVEL_RIGID + 1] = {0};
    for (int i = 0; i < given->count; i++) {
        Material *material = &given->materials[i];
        int n = normal_row(given, i);
        material->w = row_of_W(given, n)[n];
        fastest[material->level] = fmax(fastest[material->level], material->k * material->w);
    }
    for (int i = 0; i < given->count; i++) {
        Material *material = &given->materials[i];
        material->k /= fastest[material->level];
        material->kt /= fastest[material->level];
        for (int row = material->row; row < normal_row(given, i) && material->rough; row++) {
            double w = row_of_W(given, row)[row];
            w = w > 0 ? w : tangential_mobility(given, i);
            material->weight[row - material->row] = sqrt(w / material->kt);
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

static void begin_state(NetworkState *state, const Given *given) {
    memset(state->links, 0, (size_t)given->count * sizeof *state->links);
    memset(state->v, 0, (size_t)given->stride * sizeof *state->v);
    memcpy(state->v, given->v_before, (size_t)given->size * sizeof *state->v);
    memset(state->I, 0, (size_t)given->size * sizeof *state->I);
}

int crm_network_begin(Network *network, const CaromProblem *problem, void *workspace,
                      const char **message) {
    int n = problem->contact_count, all = problem->planar ? 2 : 3;
    /* without friction the tangential rows have no part in it */
    int rows = any_rough(problem) ? all : 1;
    *network = (Network){.given = {.problem = problem,
                                   .count = n,
                                   .rows = rows,
                                   .caller_rows = all,
                                   .size = n * rows,
                                   .stride = n * rows + n * rows % 2,
                                   .mono = problem->law == CAROM_LAW_MONO_STIFFNESS},
                         .next_look = JAM_FIRST,
                         .jump = {INFINITY, -1, ""}};
    Given *given = &network->given;
    lay_out(network, workspace, n, rows);
    for (int i = 0; i < n; i++) {
        set_material(&given->materials[i], &problem->contacts[i], i * rows);
    }
    find_units(given, problem->inverse_inertia, problem->velocity);
    scale_given(given, problem->inverse_inertia, problem->velocity);
    rest_touching(given);
    find_columns(given, problem->inverse_inertia);
    scale_stiffness(given);
    if (!setup_is_semidefinite(given, given->wide, given->band)) {
        *message = "inverse_inertia is not positive semidefinite";
        return 0;
    }
    crm_product_begin(given);
    given->is_row = rows == 1 && n >= SHORTEST_ROW && crm_row_find(given, network->row);
    begin_state(&network->state, given);
    crm_held_begin(network->held, n);
    Piece *piece = &network->piece;
    memset(piece->terms_v, 0, (size_t)given->stride * (TERMS + 1) * sizeof(double));
    memset(piece->terms_f, 0, (size_t)given->stride * TERMS * sizeof(double));
    memset(piece->links, 0, (size_t)n * sizeof *piece->links);
    for (int g = 0; g < TERMS; g++) {
        piece->scale[g] = 1;
    }
    return 1;
}

int crm_network_begin_level(Network *network, int level) {
    const Given *given = &network->given;
    int any = 0;
    for (int i = 0; i < given->count; i++) {
        const Material *material = &given->materials[i];
        Link *link = &network->state.links[i];
        double *vn = &network->state.v[normal_row(given, i)];
        if (material->level == level) {
            set_stiffness(link, material, material->k);
            link->phase = *vn > 0 ? OPEN : TOUCHING;
            any = 1;
        } else if (material->level < level) {
            link->phase = ABSENT;
        } else {
            /* stiffer: it has separated, or touches up to rounding */
            link->rigid = 1;
            link->phase = *vn > TOUCH ? OPEN : HELD;
            *vn = link->phase == OPEN ? *vn : 0;
        }
    }
    return any;
}
