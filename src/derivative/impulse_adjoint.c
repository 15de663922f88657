#include "derivative/impulse_adjoint.h"

#include <string.h>

#include <carom/derivative.h>

#include "derivative/packed.h"
#include "math/functions.h"
#include "math/vec2.h"

/* Weights along changes of the share that no rule decides; less is rounding. Relative. */
static const double UNDECIDED = 1e-9;

/* Velocity per impulse, and slip, that count as none, relative. */
static const double UNHELD = 1e-9;

/* z, the part of w that only changes the share, is taken from w. 0: that share is not decided by
 * x. */
static int split_share(ImpulseSlope *slope) {
    const ImpulseSystem *system = &slope->system;
    int m = system->rows;
    double size = 0, part = 0;
    for (int i = 0; i < m; i++) {
        slope->z[i] = slope->w[i];
        size = fmax(size, fabs(slope->w[i]));
    }
    crm_rank_project(m, system->neutral_count, system->neutral, slope->w);
    for (int i = 0; i < m; i++) {
        slope->z[i] -= slope->w[i];
        part = fmax(part, fabs(slope->z[i]));
    }
    if (part <= UNDECIDED * size || !system->least) {
        memset(slope->z, 0, (size_t)m * sizeof *slope->z);
        return part <= UNDECIDED * size;
    }
    return 1;
}

/* What z weighs depends on y, mu and, with x, on W. */
static void weigh_share(ImpulseSlope *slope) {
    const ImpulseSystem *system = &slope->system;
    crm_impulse_respond(system, system->share, slope->p);
    for (int i = 0; i < system->problem->contact_count; i++) {
        double s[2], across[2], r, p[2];
        int at = system->each * i, n = at + system->each - 1;
        if (!crm_impulse_slip(system, i, s, across, &r)) {
            continue;
        }
        double mu = system->problem->contacts[i].mu;
        crm_impulse_tangential(system, slope->p, i, p);
        for (int k = 0; k < system->each - 1; k++) {
            slope->wy[at + k] -= mu * slope->z[n] * dot2(across, p) * across[k] / r;
        }
        slope->by_mu[i] -= slope->z[n] * (dot2(s, p) + mu * system->I[n]);
    }
}

/* rest = w - H a, with W a and the bend by y on the way. */
static void adjoint_rest(ImpulseSlope *slope, double *rest) {
    const ImpulseSystem *system = &slope->system;
    crm_impulse_respond(system, slope->a, slope->Wa);
    crm_impulse_bend(system, slope->a, slope->Wa, slope->by_I, slope->by_y);
    crm_impulse_respond(system, slope->by_y, rest);
    for (int j = 0; j < system->rows; j++) {
        rest[j] = slope->w[j] - slope->Wa[j] - slope->by_I[j] - rest[j];
    }
}

/* The adjoints a and b of the weights w. release: of the multipliers as well, A a = that; or
 * NULL. */
static void find_adjoints(ImpulseSlope *slope, const double *release) {
    const ImpulseSystem *system = &slope->system;
    int m = system->rows, k = system->S.m;
    size_t bytes = (size_t)m * sizeof(double);
    const double *Z = system->A.right;
    double *part = slope->by_I;
    memset(slope->a, 0, bytes);
    memset(slope->Wa, 0, bytes);
    memset(slope->by_y, 0, bytes);
    memcpy(slope->b, slope->w, bytes);
    if (release) {
        memcpy(slope->a, release, bytes);
        adjoint_rest(slope, slope->b);
    }
    if (system->S.rank > 0) {
        for (int i = 0; i < k; i++) {
            part[i] = 0;
            for (int j = 0; j < m; j++) {
                part[i] += Z[i * m + j] * slope->b[j] / system->unit;
            }
        }
        crm_rank_solve_symmetric(&system->S, part);
        for (int i = 0; i < k; i++) {
            for (int j = 0; j < m; j++) {
                slope->a[j] += part[i] * Z[i * m + j];
            }
        }
        adjoint_rest(slope, slope->b);
    }
    crm_rank_solve_transposed(&system->A, slope->b);
}

/* sum of C^T x at row i. */
static double weighted_row(const ImpulseSystem *system, const double *x, int i) {
    int block = system->each * (i / system->each), column = i - block;
    double sum = 0;
    for (int k = 0; k < system->each; k++) {
        sum += system->C[(block + k) * system->each + column] * x[block + k];
    }
    return sum;
}

/* By W and v, from g = dL/d(dW I + dv-). */
static void write_motion(const ImpulseSlope *slope, const double *g, const double *c,
                         double *gradient) {
    const ImpulseSystem *system = &slope->system;
    int m = system->rows, v = packed_count(m);
    const double *I = system->I, *a = slope->a, *z = slope->z, *x = system->share;
    for (int i = 0; i < m; i++) {
        for (int j = i; j < m; j++) {
            double sum = g[i] * I[j] - a[i] * c[j] + z[i] * x[j];
            if (i != j) {
                sum += g[j] * I[i] - a[j] * c[i] + z[j] * x[i];
            }
            gradient[packed_index(m, i, j)] = sum;
        }
        gradient[v + i] = g[i];
    }
}

/* By e, and the target by v-; by mu. */
static void write_by_coefficients(const ImpulseSlope *slope, double *gradient) {
    const ImpulseSystem *system = &slope->system;
    const CaromProblem *problem = system->problem;
    CaromInputs inputs = carom_inputs(problem->contact_count, problem->planar);
    for (int i = 0; i < problem->contact_count; i++) {
        int at = system->each * i, n = at + system->each - 1;
        double s[2], across[2], r, b[2], l[2], v[2], before = problem->velocity[n];
        double *coefficient = gradient + inputs.contact + CAROM_COEFFICIENT_COUNT * i;
        if (system->modes[i] != ACTIVE_OPEN && before < 0) {
            coefficient[CAROM_COEFFICIENT_E] = -before * slope->b[n];
            gradient[inputs.v + n] -= problem->contacts[i].e * slope->b[n];
        }
        coefficient[CAROM_COEFFICIENT_MU] = slope->by_mu[i];
        if (crm_impulse_slip(system, i, s, across, &r)) {
            crm_impulse_tangential(system, slope->b, i, b);
            crm_impulse_tangential(system, system->multiplier, i, l);
            crm_impulse_tangential(system, slope->Wa, i, v);
            double second =
                slope->a[n] * dot2(l, s) + dot2(v, across) * system->I[n] * dot2(l, across) / r;
            coefficient[CAROM_COEFFICIENT_MU] -=
                system->unit * (dot2(b, s) * system->I[n] + second);
        }
    }
}

static int adjoint_spoil(int count, double *gradient) {
    for (int j = 0; j < count; j++) {
        gradient[j] = NAN;
    }
    return 0;
}

/* From the adjoints to the gradient. */
static void adjoint_gradient(ImpulseSlope *slope, double *gradient) {
    const ImpulseSystem *system = &slope->system;
    double *g = slope->wy, *c = slope->by_I;
    for (int i = 0; i < system->rows; i++) {
        g[i] -= slope->a[i] + slope->by_y[i] + weighted_row(system, slope->b, i);
        c[i] = weighted_row(system, system->multiplier, i);
    }
    write_motion(slope, g, c, gradient);
    write_by_coefficients(slope, gradient);
}

/* The weights; gradient is cleared. */
static CaromInputs adjoint_begin(ImpulseSlope *slope, const double *weight_I,
                                 const double *weight_y, double *gradient) {
    const CaromProblem *problem = slope->system.problem;
    CaromInputs inputs = carom_inputs(problem->contact_count, problem->planar);
    size_t m = (size_t)slope->system.rows;
    for (size_t i = 0; i < m; i++) {
        slope->w[i] = weight_I ? weight_I[i] : 0;
        slope->wy[i] = weight_y ? weight_y[i] : 0;
    }
    memset(slope->by_mu, 0, m * sizeof *slope->by_mu);
    memset(gradient, 0, (size_t)inputs.count * sizeof *gradient);
    return inputs;
}

int crm_impulse_gradient(ImpulseSlope *slope, const double *weight_I, const double *weight_y,
                         double *gradient) {
    const ImpulseSystem *system = &slope->system;
    CaromInputs inputs = adjoint_begin(slope, weight_I, weight_y, gradient);
    int m = system->rows;
    if (!split_share(slope)) {
        return adjoint_spoil(inputs.count, gradient);
    }
    if (system->neutral_count > 0) {
        weigh_share(slope);
    }
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++) {
            slope->w[i] += system->problem->inverse_inertia[j * m + i] * slope->wy[j];
        }
    }
    find_adjoints(slope, NULL);
    adjoint_gradient(slope, gradient);
    return 1;
}

/* ---- release ---- */

/* n for a unit load along row k of a contact. 0: its equations, or its own velocity, would not
 * stay. */
static int release_row(ImpulseSlope *slope, int contact, int k, double *n) {
    const ImpulseSystem *system = &slope->system;
    int m = system->rows, at = system->each * contact;
    memset(n, 0, (size_t)m * sizeof *n);
    n[at + k] = system->unit;
    if (!crm_rank_solve(&system->A, n)) {
        return 0;
    }
    crm_impulse_respond(system, n, slope->Wa);
    double size = 0;
    for (int i = 0; i < m; i++) {
        size = fmax(size, fabs(n[i]));
    }
    return fabs(slope->Wa[at + system->each - 1]) <= UNHELD * system->unit * size;
}

/* g of a contact that sticks, of which the rows of phi are known. */
static void stick_along(double mu, const double rows[2], double g[3]) {
    double size = norm2(rows);
    for (int k = 0; k < 2; k++) {
        g[k] = size > 0 ? -mu * rows[k] / size : 0;
    }
}

/* Add g_k times the unit load along the tangential rows k to n. */
static int release_along(ImpulseSlope *slope, int contact, const double g[3], double *n) {
    const ImpulseSystem *system = &slope->system;
    double *one = slope->by_y;
    for (int k = 0; k < system->each - 1; k++) {
        if (g[k] != 0 && !release_row(slope, contact, k, one)) {
            return 0;
        }
        for (int i = 0; i < system->rows && g[k] != 0; i++) {
            n[i] += g[k] * one[i];
        }
    }
    return 1;
}

/* Does the velocity stay along n? */
static int stays_along(ImpulseSlope *slope, const double *n) {
    const ImpulseSystem *system = &slope->system;
    double curvature = 0, size = 0;
    crm_impulse_respond(system, n, slope->Wa);
    for (int i = 0; i < system->rows; i++) {
        curvature += n[i] * slope->Wa[i];
        size += n[i] * n[i];
    }
    return curvature <= UNHELD * system->unit * size;
}

/* The tangential rows of phi of a contact that sticks: phi = ... + rows.g_t. */
static int release_rows(ImpulseSlope *slope, const ImpulseRelease *release, double rows[2]) {
    const ImpulseSystem *system = &slope->system;
    int at = system->each * release->contact;
    double *one = slope->by_y;
    for (int k = 0; k < system->each - 1; k++) {
        if (!release_row(slope, release->contact, k, one)) {
            return 0;
        }
        rows[k] = release->norm ? 0 : -system->unit * system->multiplier[at + k];
        for (int i = 0; i < system->rows && release->norm; i++) {
            rows[k] += system->I[i] * one[i];
        }
    }
    return 1;
}

int crm_impulse_release(ImpulseSlope *slope, int contact, ImpulseRelease *release) {
    const ImpulseSystem *system = &slope->system;
    int each = system->each, last = each - 1, at = each * contact;
    double mu = system->problem->contacts[contact].mu, *n = slope->release, *g = release->g, t[2],
           rows[2] = {0, 0}, r = crm_impulse_tangential(system, system->y, contact, t);
    int slips = r > UNHELD * system->speed;
    *release = (ImpulseRelease){.contact = contact};
    for (int k = 0; k < 2 && slips; k++) {
        g[k] = -mu * t[k] / r;
    }
    if (!release_row(slope, contact, last, n) || !release_along(slope, contact, g, n)) {
        return 0;
    }
    release->norm = stays_along(slope, n);
    if (!slips && mu > 0) {
        if (!release_rows(slope, release, rows)) {
            return 0;
        }
        stick_along(mu, rows, g);
        release_along(slope, contact, g, n);
    }
    g[last] = 1;
    if (release->norm && system->A.rank == system->rows) {
        crm_impulse_explain(&slope->system);
    }
    for (int i = 0; i < system->rows && release->norm; i++) {
        release->phi += system->I[i] * n[i];
    }
    for (int k = 0; k < each && !release->norm; k++) {
        release->phi -= system->unit * g[k] * system->multiplier[at + k];
    }
    return 1;
}

/* The weights of y and mu at the contact itself, where g turns: those of phi, of which x_t are the
 * tangential rows. */
static void weigh_turn(ImpulseSlope *slope, const ImpulseRelease *release, const double x[2]) {
    const ImpulseSystem *system = &slope->system;
    int i = release->contact, at = system->each * i;
    double t[2], r = crm_impulse_tangential(system, system->y, i, t), mu = norm2(release->g);
    if (!(mu > 0)) {
        return;
    }
    /* phi has x_t.g_t, g_t = mu (g_t/|g_t|) */
    slope->by_mu[i] += dot2(x, release->g) / system->problem->contacts[i].mu;
    for (int k = 0; k < system->each - 1 && r > UNHELD * system->speed; k++) {
        const double across[2] = {-t[1] / r, t[0] / r};
        slope->wy[at + k] -= mu * dot2(across, x) * across[k] / r;
    }
}

int crm_impulse_release_gradient(ImpulseSlope *slope, const ImpulseRelease *release,
                                 double *gradient) {
    const ImpulseSystem *system = &slope->system;
    const double *n = slope->release;
    int m = system->rows;
    CaromInputs inputs = adjoint_begin(slope, release->norm ? n : NULL, NULL, gradient);
    double x[2];
    if (!split_share(slope) || (release->norm && !system->least)) {
        return adjoint_spoil(inputs.count, gradient);
    }
    if (release->norm) {
        for (int i = 0; i < m; i++) {
            slope->z[i] -= n[i];
        }
        weigh_share(slope);
        crm_impulse_tangential(system, slope->p, release->contact, x);
        x[0] = -x[0];
        x[1] = -x[1];
    } else {
        crm_impulse_tangential(system, system->multiplier, release->contact, x);
        x[0] *= -system->unit;
        x[1] *= -system->unit;
    }
    weigh_turn(slope, release, x);
    for (int i = 0; i < m; i++) {
        slope->weights[i] = -n[i];
        for (int j = 0; j < m; j++) {
            slope->w[i] += system->problem->inverse_inertia[j * m + i] * slope->wy[j];
        }
    }
    find_adjoints(slope, release->norm ? NULL : slope->weights);
    adjoint_gradient(slope, gradient);
    return 1;
}
