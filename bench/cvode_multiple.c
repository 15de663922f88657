/* See cvode_multiple.h. Units inside: the largest W_nn, |v_n-| and k are 1. */
#include "cvode_multiple.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cvode_setup.h"

enum { MOST_EVENTS = 3000 };

/* force below which a contact counts as not yet loaded */
static const double NOISE = 1e-8;

typedef enum Phase { OPEN, COMPRESSION, RESTITUTION } Phase;

/* y is I, then N, n each; the roots are v, then N. */
struct CvodeMultiple {
    CvodeSetup ode;
    int n;
    double *W;           /* the nonzero entries, by rows ... */
    int *column, *first; /* ... their columns, and the start of each row (n + 1) */
    double *v, *k, *e;
    Phase *phase;
    int *fired;
};

static double velocity(const CvodeMultiple *c, const double *I, int i) {
    double v = c->v[i];
    for (int j = c->first[i]; j < c->first[i + 1]; j++) {
        v += c->W[j] * I[c->column[j]];
    }
    return v;
}

static int rates(realtype t, N_Vector state, N_Vector rate, void *data) {
    const CvodeMultiple *c = data;
    const double *I = N_VGetArrayPointer(state), *N = I + c->n;
    double *out = N_VGetArrayPointer(rate);
    (void)t;
    for (int i = 0; i < c->n; i++) {
        out[i] = N[i];
        out[c->n + i] = c->phase[i] == OPEN ? 0 : -c->k[i] * velocity(c, I, i);
    }
    return 0;
}

static int roots(realtype t, N_Vector state, realtype *out, void *data) {
    const CvodeMultiple *c = data;
    const double *I = N_VGetArrayPointer(state), *N = I + c->n;
    (void)t;
    for (int i = 0; i < c->n; i++) {
        /* no root where the event would change nothing */
        int watched = c->phase[i] == OPEN || c->e[i] < 1;
        out[i] = watched ? velocity(c, I, i) : 1;
        out[c->n + i] = c->phase[i] == OPEN ? 1 : N[i];
    }
    return 0;
}

static int allocate(CvodeMultiple *c, int n) {
    size_t size = (size_t)n;
    c->n = n;
    c->W = calloc(size * size, sizeof *c->W);
    c->column = calloc(size * size, sizeof *c->column);
    c->first = calloc(size + 1, sizeof *c->first);
    c->v = calloc(3 * size, sizeof *c->v);
    c->phase = calloc(size, sizeof *c->phase);
    c->fired = calloc(2 * size, sizeof *c->fired);
    if (!c->W || !c->column || !c->first || !c->v || !c->phase || !c->fired) {
        return -1;
    }
    c->k = c->v + n;
    c->e = c->k + n;
    return 0;
}

CvodeMultiple *cvode_multiple_create(int contact_count, double tolerance) {
    CvodeMultiple *c = calloc(1, sizeof *c);
    int n = contact_count;
    if (c != NULL && (allocate(c, n) != 0 ||
                      cvode_setup_create(&c->ode, 2 * n, rates, 2 * n, roots, tolerance, c) != 0)) {
        cvode_multiple_destroy(c);
        c = NULL;
    }
    return c;
}

void cvode_multiple_destroy(CvodeMultiple *contacts) {
    if (contacts != NULL) {
        cvode_setup_destroy(&contacts->ode);
        free(contacts->W);
        free(contacts->column);
        free(contacts->first);
        free(contacts->v);
        free(contacts->phase);
        free(contacts->fired);
        free(contacts);
    }
}

/* The event at contact i. */
static void handle(CvodeMultiple *c, int i, double *N) {
    Phase before = c->phase[i];
    if (c->fired[c->n + i] < 0 && (before == RESTITUTION || c->e[i] == 1)) {
        c->phase[i] = OPEN;
        *N = 0;
    } else if (c->fired[i] < 0) {
        c->phase[i] = COMPRESSION;
    } else if (c->fired[i] > 0 && before == COMPRESSION && *N > NOISE) {
        c->phase[i] = RESTITUTION;
        c->k[i] /= c->e[i] * c->e[i];
    }
}

static int is_over(const CvodeMultiple *c) {
    int over = 1;
    for (int i = 0; i < c->n; i++) {
        over = over && c->phase[i] == OPEN;
    }
    return over;
}

static int run(CvodeMultiple *c) {
    double *y = N_VGetArrayPointer(c->ode.y), t = 0;
    memset(y, 0, 2 * (size_t)c->n * sizeof *y);
    cvode_setup_begin(&c->ode);
    for (int events = 0; events < MOST_EVENTS; events++) {
        if (cvode_setup_next_root(&c->ode, &t) != 0) {
            return -1;
        }
        CVodeGetRootInfo(c->ode.cvode, c->fired);
        for (int i = 0; i < c->n; i++) {
            handle(c, i, &y[c->n + i]);
        }
        if (is_over(c)) {
            return 0;
        }
        CVodeReInit(c->ode.cvode, t, c->ode.y);
    }
    return -1;
}

/* The normal rows of the problem, in the internal units; returns the unit of impulse. */
static double load(CvodeMultiple *c, const CaromProblem *problem) {
    int rows = problem->planar ? 2 : 3, n = c->n, size = rows * n, entry = 0;
    const double *W = problem->inverse_inertia + (rows - 1) * (size + 1);
    const double *v = problem->velocity + rows - 1;
    double w = 0, speed = 0, stiffness = 0;
    for (int i = 0; i < n; i++) {
        w = fmax(w, W[rows * i * (size + 1)]);
        speed = fmax(speed, fabs(v[rows * i]));
        stiffness = fmax(stiffness, problem->contacts[i].stiffness);
    }
    for (int i = 0; i < n; i++) {
        c->first[i] = entry;
        for (int j = 0; j < n; j++) {
            double value = W[rows * (i * size + j)];
            if (value != 0) {
                c->W[entry] = value / w;
                c->column[entry++] = j;
            }
        }
        c->v[i] = v[rows * i] / speed;
        c->k[i] = problem->contacts[i].stiffness / stiffness;
        c->e[i] = problem->contacts[i].e;
        c->phase[i] = c->v[i] > 0 ? OPEN : COMPRESSION;
    }
    c->first[n] = entry;
    return speed / w;
}

int cvode_multiple_solve(CvodeMultiple *contacts, const CaromProblem *problem, double *impulse) {
    int rows = problem->planar ? 2 : 3, n = contacts->n;
    double unit = load(contacts, problem);
    int status = run(contacts);
    const double *I = N_VGetArrayPointer(contacts->ode.y);
    memset(impulse, 0, (size_t)(rows * n) * sizeof *impulse);
    for (int i = 0; i < n; i++) {
        impulse[rows * i + rows - 1] = unit * I[i];
    }
    return status;
}
