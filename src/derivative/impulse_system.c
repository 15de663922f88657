#include "derivative/impulse_system.h"

#include <string.h>

#include "math/functions.h"
#include "math/vec2.h"

/* Relative to all speeds: below this a contact sticks. */
static const double NO_SLIP_SPEED = 1e-10;

/* Relative to the largest impulse: below this it is open. */
static const double NO_IMPULSE = 1e-13;

/* Relative to its row: less is no pivot. The solver takes rows for redundant at 1e-10, too. */
static const double NO_PIVOT = 1e-10;

/* Velocity per impulse that counts as none, relative: squares of rounding (S is quadratic). */
static const double NO_CURVATURE = 1e-9;

/* By how much a share may miss the condition that it was chosen by, relative. */
static const double NO_SLOPE = 1e-8;

/* Part of a unit vector that counts as none. */
static const double UNSHARED = 1e-8;

size_t crm_impulse_system_workspace(int contact_count) {
    size_t n = (size_t)contact_count, m = 3 * n;
    /* A, S and kept with their orders; C; neutral; vectors */
    return 3 * m * m + 2 * m * m + 2 * m * m + 7 * m + 3 * m + m * m + 2 * m + 2 * m + 4 * m + n;
}

static double *take(double **at, size_t count) {
    double *here = *at;
    *at += count;
    return here;
}

static RankFactor take_factor(double **at, size_t m, double *scratch, int left) {
    RankFactor factor = {.LU = take(at, m * m),
                         .right = take(at, m * m),
                         .rows = take(at, m),
                         .cells = take(at, m),
                         .scratch = scratch};
    factor.left = left ? take(at, m * m) : NULL;
    return factor;
}

double *crm_impulse_system_lay_out(const CaromProblem *problem, double *workspace,
                                   ImpulseSystem *system) {
    size_t n = (size_t)problem->contact_count, m = 3 * n;
    double *at = workspace, *scratch = take(&at, m);
    *system = (ImpulseSystem){.problem = problem, .each = problem->planar ? 2 : 3, .kinked = -1};
    system->rows = system->each * problem->contact_count;
    system->A = take_factor(&at, m, scratch, 1);
    system->S = take_factor(&at, m, scratch, 0);
    system->kept = take_factor(&at, m, scratch, 0);
    system->I = take(&at, m);
    system->y = take(&at, m);
    system->C = take(&at, 3 * m);
    system->neutral = take(&at, m * m);
    system->multiplier = take(&at, m);
    system->share = take(&at, m);
    system->scratch = take(&at, 4 * m);
    system->modes = take(&at, n);
    return at;
}

double crm_impulse_tangential(const ImpulseSystem *system, const double *x, int contact,
                              double t[2]) {
    const double *at = x + system->each * contact;
    t[0] = at[0];
    t[1] = system->each == 3 ? at[1] : 0;
    return hypot(t[0], t[1]);
}

int crm_impulse_slip(const ImpulseSystem *system, int contact, double s[2], double across[2],
                     double *speed) {
    double t[2];
    *speed = crm_impulse_tangential(system, system->y, contact, t);
    if (system->modes[contact] != ACTIVE_SLIP || !(*speed > 0)) {
        return 0;
    }
    for (int k = 0; k < 2; k++) {
        s[k] = t[k] / *speed;
    }
    across[0] = -s[1];
    across[1] = s[0];
    return 1;
}

static void find_active_modes(ImpulseSystem *system) {
    int n = system->problem->contact_count, each = system->each, m = system->rows;
    for (int i = 0; i < m; i++) {
        double speed = fmax(fabs(system->y[i]), fabs(system->problem->velocity[i]));
        system->speed = fmax(system->speed, speed);
        system->push = fmax(system->push, fabs(system->I[i]));
        system->unit = fmax(system->unit, system->problem->inverse_inertia[i * (m + 1)]);
    }
    for (int i = 0; i < n; i++) {
        double t[2], r = crm_impulse_tangential(system, system->y, i, t);
        int open = system->I[each * i + each - 1] <= NO_IMPULSE * system->push;
        system->modes[i] = open                                 ? ACTIVE_OPEN
                           : r <= NO_SLIP_SPEED * system->speed ? ACTIVE_STICK
                                                                : ACTIVE_SLIP;
        if (!open && system->problem->contacts[i].mu == 0) {
            system->modes[i] = ACTIVE_SLIP;
        }
    }
}

/* C, and F_I in A. */
static void set_mode_blocks(ImpulseSystem *system) {
    int m = system->rows, each = system->each, last = each - 1;
    double *A = system->A.LU, unit = system->unit;
    memset(A, 0, (size_t)m * (size_t)m * sizeof *A);
    memset(system->C, 0, (size_t)m * (size_t)each * sizeof *system->C);
    for (int i = 0; i < system->problem->contact_count; i++) {
        int at = each * i, n = at + last;
        double *C = system->C + at * each, s[2] = {0, 0}, across[2], r;
        if (system->modes[i] == ACTIVE_OPEN) {
            for (int k = at; k <= n; k++) {
                A[k * m + k] = unit;
            }
            continue;
        }
        C[last * each + last] = 1;
        int slips = crm_impulse_slip(system, i, s, across, &r);
        double mu = system->problem->contacts[i].mu * unit;
        for (int k = 0; k < last; k++) {
            if (system->modes[i] == ACTIVE_STICK) {
                C[k * each + k] = 1;
                continue;
            }
            A[(at + k) * m + at + k] = unit;
            A[(at + k) * m + n] = mu * s[k];
            for (int l = 0; l < last && slips; l++) {
                C[k * each + l] = mu * system->I[n] * across[k] * across[l] / r;
            }
        }
    }
}

/* A = F_I + C W. */
static void set_implicit_system(ImpulseSystem *system) {
    int m = system->rows, each = system->each;
    const double *W = system->problem->inverse_inertia;
    set_mode_blocks(system);
    for (int i = 0; i < m; i++) {
        int block = each * (i / each);
        for (int k = 0; k < each; k++) {
            double c = system->C[i * each + k];
            for (int j = 0; j < m && c != 0; j++) {
                system->A.LU[i * m + j] += c * W[(block + k) * m + j];
            }
        }
    }
    system->A.m = m;
    crm_rank_factor(&system->A, NO_PIVOT, 0);
}

void crm_impulse_bend(const ImpulseSystem *system, const double *z, const double *v, double *by_I,
                      double *by_y) {
    int each = system->each, last = each - 1;
    memset(by_I, 0, (size_t)system->rows * sizeof *by_I);
    memset(by_y, 0, (size_t)system->rows * sizeof *by_y);
    for (int i = 0; i < system->problem->contact_count; i++) {
        double s[2], x[2], r, l[2], t[2];
        if (last < 2 || !crm_impulse_slip(system, i, s, x, &r)) {
            continue;
        }
        int at = each * i, n = at + last;
        double mu = system->problem->contacts[i].mu * system->unit, I = system->I[n];
        crm_impulse_tangential(system, system->multiplier, i, l);
        crm_impulse_tangential(system, v, i, t);
        double l_s = dot2(l, s), l_x = dot2(l, x), v_s = dot2(t, s), v_x = dot2(t, x);
        by_I[n] = mu * l_x * v_x / r;
        double along_x = mu * (l_x * z[n] / r - I * (l_s * v_x + l_x * v_s) / (r * r));
        double along_s = -mu * I * l_x * v_x / (r * r);
        for (int k = 0; k < 2; k++) {
            by_y[at + k] = along_x * x[k] + along_s * s[k];
        }
    }
}

void crm_impulse_respond(const ImpulseSystem *system, const double *z, double *v) {
    int m = system->rows;
    for (int i = 0; i < m; i++) {
        v[i] = 0;
        for (int j = 0; j < m; j++) {
            v[i] += system->problem->inverse_inertia[i * m + j] * z[j];
        }
    }
}

/* S, and N. */
static void set_curvature(ImpulseSystem *system) {
    int m = system->rows, k = m - system->A.rank;
    const double *Z = system->A.right;
    double *V = system->neutral; /* W Z, for now */
    double *by_I = system->scratch, *by_y = by_I + m;
    for (int a = 0; a < k; a++) {
        crm_impulse_respond(system, Z + a * m, V + a * m);
        crm_impulse_bend(system, Z + a * m, V + a * m, by_I, by_y);
        for (int b = 0; b <= a; b++) {
            double sum = 0;
            for (int i = 0; i < m; i++) {
                sum += Z[b * m + i] * (V[a * m + i] + by_I[i]) + V[b * m + i] * by_y[i];
            }
            system->S.LU[a * k + b] = system->S.LU[b * k + a] = sum / system->unit;
        }
    }
    system->S.m = k;
    crm_rank_factor(&system->S, NO_CURVATURE, 1);
    system->neutral_count = k - system->S.rank;
    for (int a = 0; a < system->neutral_count; a++) {
        double *z = system->neutral + a * m;
        memset(z, 0, (size_t)m * sizeof *z);
        for (int b = 0; b < k; b++) {
            for (int i = 0; i < m; i++) {
                z[i] += system->S.right[a * k + b] * Z[b * m + i];
            }
        }
    }
}

/* Projection of a vector, stride numbers apart, onto what the modes leave to impulses (P), or onto
 * the rows whose velocity they keep. */
typedef enum Onto { ONTO_IMPULSES, ONTO_KEPT } Onto;

static void project_onto(const ImpulseSystem *system, Onto onto, int stride, double *x) {
    int each = system->each, last = each - 1;
    for (int i = 0; i < system->problem->contact_count; i++) {
        double *at = x + each * i * stride, *n = at + last * stride, s[2] = {0, 0}, across[2], r;
        if (system->modes[i] == ACTIVE_STICK) {
            continue;
        }
        double mu = system->problem->contacts[i].mu;
        if (onto == ONTO_KEPT || !crm_impulse_slip(system, i, s, across, &r)) {
            mu = 0;
        }
        double along = *n;
        for (int k = 0; k < last; k++) {
            along -= mu * s[k] * at[k * stride];
        }
        *n = system->modes[i] == ACTIVE_OPEN ? 0 : along / (1 + mu * mu);
        for (int k = 0; k < last; k++) {
            at[k * stride] = -mu * s[k] * *n;
        }
    }
}

/* P W P in kept, factored. */
static void factor_projected(ImpulseSystem *system, Onto onto) {
    int m = system->rows;
    double *G = system->kept.LU;
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++) {
            G[i * m + j] = system->problem->inverse_inertia[i * m + j] / system->unit;
        }
        project_onto(system, onto, 1, G + i * m);
    }
    for (int j = 0; j < m; j++) {
        project_onto(system, onto, m, G + j);
    }
    system->kept.m = m;
    crm_rank_factor(&system->kept, NO_PIVOT, 1e-3);
}

/* x of I = P W x, and whether it is that: not where a cone limits the share. */
static void explain_share(ImpulseSystem *system) {
    int m = system->rows;
    double *x = system->share, *p = system->scratch, miss = 0;
    memcpy(x, system->I, (size_t)m * sizeof *x);
    crm_rank_solve_symmetric(&system->kept, x);
    for (int i = 0; i < m; i++) {
        x[i] /= system->unit;
    }
    crm_impulse_respond(system, x, p);
    project_onto(system, ONTO_IMPULSES, 1, p);
    for (int i = 0; i < m; i++) {
        miss = fmax(miss, fabs(p[i] - system->I[i]));
    }
    system->least = miss <= NO_SLOPE * system->push;
}

const char *const crm_impulse_unison =
    "contacts that slip in one direction share the load in many ways: the outcome has a kink where "
    "their directions begin to differ";

int crm_impulse_slips_along(ImpulseSystem *system, const double *z) {
    double s[2], across[2], r;
    for (int i = 0; i < system->problem->contact_count; i++) {
        if (system->problem->contacts[i].mu > 0 && crm_impulse_slip(system, i, s, across, &r) &&
            fabs(z[system->each * (i + 1) - 1]) > UNSHARED) {
            system->alike |= system->each == 2;
            system->kinked = system->each == 3 ? i : system->kinked;
            return system->each == 3;
        }
    }
    return 0;
}

static int slips_in_unison(ImpulseSystem *system) {
    int found = 0;
    for (int a = 0; a < system->neutral_count && !found; a++) {
        found = crm_impulse_slips_along(system, system->neutral + a * system->rows);
    }
    return found;
}

void crm_impulse_explain(ImpulseSystem *system) {
    factor_projected(system, ONTO_IMPULSES);
    explain_share(system);
    system->least &= !system->continuum;
    factor_projected(system, ONTO_KEPT);
}

/* Do redundant equations agree when the motion changes? */
static int targets_agree(ImpulseSystem *system) {
    int m = system->rows, each = system->each;
    const CaromProblem *problem = system->problem;
    double *q = system->scratch, *Wq = q + m;
    int last = 0; /* contact with a part in q */
    for (int a = 0; a < m - system->A.rank; a++) {
        memset(q, 0, (size_t)m * sizeof *q);
        for (int i = 0; i < problem->contact_count; i++) {
            int n = each * i + each - 1;
            if (system->modes[i] != ACTIVE_OPEN && problem->velocity[n] < 0) {
                q[n] = problem->contacts[i].e * system->A.left[a * m + n];
                system->rigid |= problem->contacts[i].e > 0;
                last = fabs(q[n]) > UNSHARED ? i : last;
            }
        }
        crm_impulse_respond(system, q, Wq);
        for (int i = 0; i < m; i++) {
            if (fabs(Wq[i]) > UNSHARED * system->unit) {
                system->kinked = last;
                return 0;
            }
        }
    }
    return 1;
}

const char *crm_impulse_system_set(ImpulseSystem *system, int continuum) {
    int m = system->rows;
    system->continuum = continuum;
    find_active_modes(system);
    set_implicit_system(system);
    for (int i = 0; i < m; i++) {
        system->multiplier[i] = -system->y[i];
    }
    if (system->A.rank == m) {
        memset(system->share, 0, (size_t)m * sizeof *system->share);
        crm_rank_solve_transposed(&system->A, system->multiplier);
        return NULL;
    }
    if (crm_rank_null_part(&system->A, system->y) > NO_SLOPE * system->speed) {
        return "contacts share the load in many ways, and cones limit the share of least energy: "
               "its derivative is not known";
    }
    crm_rank_solve_transposed(&system->A, system->multiplier);
    set_curvature(system);
    if (slips_in_unison(system)) {
        return crm_impulse_unison;
    }
    if (!targets_agree(system)) {
        return "contacts that share the load in many ways leave with different speeds: the outcome "
               "has a kink";
    }
    crm_impulse_explain(system);
    return NULL;
}

int crm_impulse_depends(ImpulseSystem *system, int contact) {
    int m = system->rows, n = system->each * (contact + 1) - 1;
    if (system->A.rank == m && system->kept.m != m) { /* not needed so far */
        factor_projected(system, ONTO_KEPT);
    }
    const double *row = system->problem->inverse_inertia + n * m;
    double *c = system->scratch, rest = row[n];
    for (int i = 0; i < m; i++) {
        c[i] = row[i] / system->unit;
    }
    project_onto(system, ONTO_KEPT, 1, c);
    crm_rank_solve_symmetric(&system->kept, c);
    for (int i = 0; i < m; i++) {
        rest -= row[i] * c[i];
    }
    return rest <= NO_CURVATURE * row[n];
}
