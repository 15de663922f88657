#include "cvode_setup.h"

#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

static int create(CvodeSetup *setup, int size, CVRhsFn rates) {
    if (SUNContext_Create(NULL, &setup->context) != 0) {
        return -1;
    }
    setup->y = N_VNew_Serial(size, setup->context);
    setup->cvode = CVodeCreate(CV_ADAMS, setup->context);
    if (setup->y == NULL || setup->cvode == NULL) {
        return -1;
    }
    N_VConst(0, setup->y);
    setup->solver = SUNNonlinSol_FixedPoint(setup->y, 0, setup->context);
    return setup->solver != NULL && CVodeInit(setup->cvode, rates, 0, setup->y) == CV_SUCCESS ? 0
                                                                                              : -1;
}

int cvode_setup_create(CvodeSetup *setup, int size, CVRhsFn rates, int root_count, CVRootFn roots,
                       double tolerance, void *data) {
    *setup = (CvodeSetup){0};
    if (create(setup, size, rates) != 0) {
        cvode_setup_destroy(setup);
        return -1;
    }
    CVodeSStolerances(setup->cvode, tolerance, tolerance);
    CVodeSetNonlinearSolver(setup->cvode, setup->solver);
    CVodeSetUserData(setup->cvode, data);
    CVodeRootInit(setup->cvode, root_count, roots);
    CVodeSetNoInactiveRootWarn(setup->cvode);
    CVodeSetMaxNumSteps(setup->cvode, 100000);
    CVodeSetErrFile(setup->cvode, NULL);
    return 0;
}

void cvode_setup_begin(CvodeSetup *setup) {
    setup->span = 1;
    CVodeReInit(setup->cvode, 0, setup->y);
}

int cvode_setup_next_root(CvodeSetup *setup, double *t) {
    int flag;
    while ((flag = CVode(setup->cvode, *t + setup->span, setup->y, t, CV_NORMAL)) == CV_SUCCESS) {
        setup->span *= 2;
    }
    return flag == CV_ROOT_RETURN ? 0 : -1;
}

void cvode_setup_destroy(CvodeSetup *setup) {
    CVodeFree(&setup->cvode);
    SUNNonlinSolFree(setup->solver);
    N_VDestroy(setup->y);
    SUNContext_Free(&setup->context);
    *setup = (CvodeSetup){0};
}
