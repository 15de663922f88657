#include "follow/integrator.h"

#include <stdlib.h>
#include <string.h>

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

/* Steps between two samples or events. */
enum { STEPS_MAX = 100000 };

struct Integrator {
    SUNContext context;
    void *cvode;
    N_Vector state;
    SUNNonlinearSolver solver;
    size_t size;
    IntegratorRates *rates;
    IntegratorRoots *roots;
    void *data;
};

static int call_rates(realtype t, N_Vector y, N_Vector rates, void *data) {
    (void)t;
    Integrator *self = data;
    return self->rates(self->data, N_VGetArrayPointer(y), N_VGetArrayPointer(rates)) ? 0 : 1;
}

static int call_roots(realtype t, N_Vector y, realtype *roots, void *data) {
    (void)t;
    Integrator *self = data;
    return self->roots(self->data, N_VGetArrayPointer(y), roots) ? 0 : 1;
}

/* Messages are the caller's; CVODE's own would go to standard error. */
static void ignore_message(int code, const char *module, const char *function, char *text,
                           void *data) {
    (void)code;
    (void)module;
    (void)function;
    (void)text;
    (void)data;
}

static bool prepare(Integrator *self, double tolerance, const int *directions) {
    int copy[INTEGRATOR_ROOTS];
    memcpy(copy, directions, sizeof copy);
    if (SUNContext_Create(NULL, &self->context) != 0) {
        return false;
    }
    self->state = N_VNew_Serial((sunindextype)self->size, self->context);
    self->cvode = CVodeCreate(CV_ADAMS, self->context);
    if (!self->state || !self->cvode) {
        return false;
    }
    self->solver = SUNNonlinSol_FixedPoint(self->state, 0, self->context);
    memset(N_VGetArrayPointer(self->state), 0, self->size * sizeof(double));
    return self->solver && CVodeInit(self->cvode, call_rates, 0, self->state) == CV_SUCCESS &&
           CVodeSetErrHandlerFn(self->cvode, ignore_message, NULL) == CV_SUCCESS &&
           CVodeSStolerances(self->cvode, tolerance, 1e-2 * tolerance) == CV_SUCCESS &&
           CVodeSetNonlinearSolver(self->cvode, self->solver) == CV_SUCCESS &&
           CVodeSetUserData(self->cvode, self) == CV_SUCCESS &&
           CVodeRootInit(self->cvode, INTEGRATOR_ROOTS, call_roots) == CV_SUCCESS &&
           CVodeSetRootDirection(self->cvode, copy) == CV_SUCCESS &&
           CVodeSetNoInactiveRootWarn(self->cvode) == CV_SUCCESS &&
           CVodeSetMaxNumSteps(self->cvode, STEPS_MAX) == CV_SUCCESS;
}

Integrator *crm_integrator_new(int size, double tolerance, IntegratorRates *rates,
                               IntegratorRoots *roots, const int directions[INTEGRATOR_ROOTS],
                               void *data) {
    Integrator *self = calloc(1, sizeof *self);
    if (!self) {
        return NULL;
    }
    *self = (Integrator){.size = (size_t)size, .rates = rates, .roots = roots, .data = data};
    if (!prepare(self, tolerance, directions)) {
        crm_integrator_free(self);
        return NULL;
    }
    return self;
}

bool crm_integrator_restart(Integrator *self, double time, const double *y) {
    memcpy(N_VGetArrayPointer(self->state), y, self->size * sizeof *y);
    return CVodeReInit(self->cvode, time, self->state) == CV_SUCCESS;
}

IntegratorStop crm_integrator_advance(Integrator *self, double target, double *time, double *y,
                                      int found[INTEGRATOR_ROOTS]) {
    int flag = CVode(self->cvode, target, self->state, time, CV_NORMAL);
    if (flag < 0) {
        return STOP_FAILED;
    }
    memcpy(y, N_VGetArrayPointer(self->state), self->size * sizeof *y);
    if (flag != CV_ROOT_RETURN) {
        return STOP_TARGET;
    }
    return CVodeGetRootInfo(self->cvode, found) == CV_SUCCESS ? STOP_ROOT : STOP_FAILED;
}

void crm_integrator_free(Integrator *self) {
    if (self) {
        CVodeFree(&self->cvode);
        SUNNonlinSolFree(self->solver);
        N_VDestroy(self->state);
        SUNContext_Free(&self->context);
        free(self);
    }
}
