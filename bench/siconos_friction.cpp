/* See siconos.h. Siconos orders a contact's rows n, t1, t2. */
#include "siconos.h"

#include <vector>

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>

struct SiconosFriction {
    int size;
    std::vector<double> q, mu, reaction, velocity;
    FrictionContactProblem *problem;
    SolverOptions *options;
};

/* Row of carom for a row of Siconos. */
static int row_of(int i) {
    return i / 3 * 3 + (i + 2) % 3;
}

SiconosFriction *siconos_friction_create(int contacts, const double *W, const double *q,
                                         const double *mu, double tolerance) {
    auto friction = new SiconosFriction;
    int size = friction->size = 3 * contacts;
    friction->q.resize(size);
    friction->mu.assign(mu, mu + contacts);
    friction->reaction.resize(size);
    friction->velocity.resize(size);
    NumericsMatrix *M = NM_create(NM_DENSE, size, size);
    for (int i = 0; i < size; i++) {
        friction->q[i] = q[row_of(i)];
        for (int j = 0; j < size; j++) {
            NM_entry(M, i, j, W[row_of(i) * size + row_of(j)]);
        }
    }
    friction->problem = frictionContactProblem_new_with_data(3, contacts, M, friction->q.data(),
                                                             friction->mu.data());
    friction->options = solver_options_create(SICONOS_FRICTION_3D_NSGS);
    friction->options->dparam[SICONOS_DPARAM_TOL] = tolerance;
    friction->options->iparam[SICONOS_IPARAM_MAX_ITER] = 100000;
    return friction;
}

void siconos_friction_destroy(SiconosFriction *friction) {
    if (friction) {
        solver_options_delete(friction->options);
        NM_clear(friction->problem->M);
        free(friction->problem->M);
        free(friction->problem); /* q and mu are the vectors' own */
        delete friction;
    }
}

int siconos_friction_solve(SiconosFriction *friction, double *impulse) {
    friction->reaction.assign(friction->size, 0);
    friction->velocity.assign(friction->size, 0);
    int info = fc3d_driver(friction->problem, friction->reaction.data(), friction->velocity.data(),
                           friction->options);
    for (int i = 0; i < friction->size; i++) {
        impulse[row_of(i)] = friction->reaction[i];
    }
    return info == 0 ? 0 : -1;
}
