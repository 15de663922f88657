#include "fuzz_several.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void several_complete(Several *input) {
    int rows = 3 * input->count;
    for (int i = 0; i < rows; i++) {
        input->v[i] = input->u[i];
        for (int j = 0; j < rows; j++) {
            input->W[i * rows + j] = 0;
            for (int k = 0; k < input->freedoms; k++) {
                input->W[i * rows + j] += input->A[k * rows + i] * input->A[k * rows + j];
            }
        }
        for (int k = 0; k < input->freedoms; k++) {
            input->v[i] += input->A[k * rows + i] * input->q[k];
        }
    }
}

Several several_take(Bytes *bytes, const char *target) {
    Several input = {.target = target};
    int choice = (int)fabs(take_small(bytes) * 8192);
    if (!(choice & 512)) { /* zeros: degenerate problems */
        bytes_extend(bytes);
    }
    input.count = 2 + choice % (SEVERAL_MOST - 1);
    input.law = choice & 64 ? CAROM_LAW_MONO_STIFFNESS : CAROM_LAW_ENERGETIC;
    int rows = 3 * input.count, possible = choice & 1024;
    input.freedoms = choice & 128 ? rows : 6;
    for (int i = 0; i < input.freedoms * rows; i++) {
        input.A[i] = take_small(bytes);
    }
    for (int i = 0; i < (possible ? input.freedoms : rows); i++) {
        *(possible ? &input.q[i] : &input.u[i]) = take_small(bytes);
    }
    for (int i = 0; i < input.count; i++) {
        input.contacts[i] = (CaromContact){.mu = fabs(take_small(bytes)) / 2,
                                           .e = choice & 256 ? 0 : fabs(take_small(bytes)) / 4,
                                           .stiffness = exp2(take_small(bytes)),
                                           .stiffness_ratio = exp2(take_small(bytes))};
    }
    several_complete(&input);
    return input;
}

CaromProblem several_problem(const Several *input) {
    return (CaromProblem){.model = CAROM_MODEL_COMPLIANT,
                          .law = input->law,
                          .contact_count = input->count,
                          .inverse_inertia = input->W,
                          .velocity = input->v,
                          .contacts = input->contacts};
}

static void print_numbers(const char *name, const double *x, int count) {
    fprintf(stderr, "%s[", name);
    for (int i = 0; i < count; i++) {
        fprintf(stderr, i > 0 ? ", %.17g" : "%.17g", x[i]);
    }
    fprintf(stderr, "]");
}

void several_require(int condition, const char *what, const Several *input) {
    int rows = 3 * input->count;
    if (condition) {
        return;
    }
    fprintf(stderr, "%s: %s\n{\"carom\": 1, \"model\": \"compliant\", \"restitution\": \"%s\",\n",
            input->target, what,
            input->law == CAROM_LAW_ENERGETIC ? "energetic" : "mono_stiffness");
    print_numbers(" \"contact_velocity\": ", input->v, rows);
    for (int i = 0; i < rows; i++) {
        print_numbers(i > 0 ? ",\n  " : ",\n \"inverse_inertia\": [", &input->W[i * rows], rows);
    }
    for (int i = 0; i < input->count; i++) {
        const CaromContact *contact = &input->contacts[i];
        fprintf(stderr,
                "%s{\"mu\": %.17g, \"e\": %.17g, \"stiffness\": %.17g, \"stiffness_ratio\": %.17g}",
                i > 0 ? ",\n  " : "],\n \"contacts\": [", contact->mu, contact->e,
                contact->stiffness, contact->stiffness_ratio);
    }
    fprintf(stderr, "]}\n");
    abort();
}
