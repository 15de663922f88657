/* Scenes of several contacts that are refused, and that the message names the field. */

#include "support/check.h"
#include "support/cli/program.h"
#include "support/cli/stack_text.h"

#define GOOD "\"mu\":0,\"e\":1"
#define SPACE(W, v, contacts)                                                                      \
    "{\"carom\":1,\"model\":\"compliant\",\"inverse_inertia\":[" W "],\"contact_velocity\":[" v    \
    "],\"contacts\":[" contacts "]}"
#define ROWS_4 "[1,0,0,0,0,0],[0,1,0,0,0,0],[0,0,2,0,0,-1],[0,0,0,1,0,0]"
#define TWO "{" GOOD "},{" GOOD "}"

static const Refusal refusals[] = {
    {STACK("", GOOD, "\"mu\":0,\"e\":1.5"), "contacts[1].e: must be a number in [0, 1], got 1.5"},
    {STACK("", GOOD, "\"mu\":-1,\"e\":1"), "contacts[1].mu: must be a number >= 0, got -1"},
    {STACK("", GOOD, "\"mu\":0"), "contacts[1].e: missing, must be a number in [0, 1]"},
    {STACK("", GOOD, GOOD ",\"stifness\":2"),
     "contacts[1].stifness: unknown field; did you mean \"stiffness\"?"},
    {STACK("", GOOD, GOOD ",\"stiffness\":-1"),
     "contacts[1].stiffness: must be a number >= 0 or \"infinite\", got -1"},
    {STACK("", GOOD, GOOD ",\"stiffness\":\"stiff\""),
     "contacts[1].stiffness: must be a number >= 0 or \"infinite\", got \"stiff\""},
    {STACK("", GOOD, GOOD ",\"stiffness\":1e999"), "contacts[1].stiffness: must be a finite"},
    {STACK("", GOOD, GOOD ",\"stiffness_ratio\":0"),
     "contacts[1].stiffness_ratio: must be a number > 0, got 0"},
    {STACK("", "\"mu\":0.5,\"e\":1", GOOD ",\"stiffness\":\"infinite\""),
     "contacts[1].stiffness: 0 and \"infinite\" are limits for contacts without friction, but "
     "contacts[0].mu is 0.5"},
    {STACK("", GOOD ",\"stiffness\":0", "\"mu\":0.5,\"e\":1"),
     "contacts[0].stiffness: 0 and \"infinite\" are limits for contacts without friction, but "
     "contacts[1].mu is 0.5"},
    {STACK("", GOOD, "\"mu\":0.2,\"mu_static\":0.3,\"e\":1"),
     "contacts[1].mu_static: must be the same as mu: the compliant model has one coefficient, got "
     "0.3"},
    {STACK("\"restitution\":\"newton\",", GOOD, GOOD),
     "restitution: the compliant model takes the energetic law only"},
    {STACK("\"restitution\":\"tri_stiffness\",", GOOD, GOOD),
     "restitution: must be \"energetic\" or \"poisson\" or \"newton\" or \"mono_stiffness\" or "
     "\"plastic_deformation\" or \"bi_stiffness\", got \"tri_stiffness\""},
    {"{\"carom\":1,\"model\":\"rigid\",\"restitution\":\"energetic\"," STACK_BODIES
     ",\"contacts\":[{" GOOD "," STACK_PLACE_0 "},{" GOOD "," STACK_PLACE_1 "}]}",
     "restitution: several rigid contacts take newton's law only"},
    {"{\"carom\":1,\"model\":\"rigid\",\"restitution\":\"mono_stiffness\",\"inverse_inertia\":"
     "[[1,0,0],[0,1,0],[0,0,1]],\"contact_velocity\":[0,0,-1],\"contacts\":[{" GOOD "}]}",
     "restitution: mono_stiffness belongs to the compliant model"},
    {"{\"carom\":1,\"model\":\"compliant\",\"inverse_inertia\":[[1,0,0],[0,1,0],[0,0,1]],"
     "\"contact_velocity\":[0,0,-1],\"contacts\":[{" GOOD ",\"stiffness\":\"infinite\"}]}",
     "contacts[0].stiffness: must be a number > 0, got \"infinite\""},
    /* sizes, symmetry and definiteness of shared data */
    {SPACE("[1,0,0],[0,1,0],[0,0,1]", "0,0,-1,0,0,0", TWO),
     "inverse_inertia: must have 6 rows, got 3"},
    {SPACE(ROWS_4 ",[0,0,0,0,1],[0,0,-1,0,0,2]", "0,0,-1,0,0,0", TWO),
     "inverse_inertia[4]: must have 6 numbers, got 5"},
    {SPACE(ROWS_4 ",[0,0,0,0,1,0],[0,0,-1,0,0,2]", "0,0,-1", TWO),
     "contact_velocity: must have 6 numbers, got 3"},
    {SPACE(ROWS_4 ",[0,0,0,0,1,0],[0,0,-0.9,0,0,2]", "0,0,-1,0,0,0", TWO),
     "inverse_inertia: must be symmetric: [2][5] is -1, [5][2] is -0.9"},
    {SPACE("[1,0,0,0,0,0],[0,1,0,0,0,0],[0,0,2,0,0,-3],[0,0,0,1,0,0],[0,0,0,0,1,0],"
           "[0,0,-3,0,0,2]",
           "0,0,-1,0,0,0", TWO),
     "inverse_inertia is not positive"},
    {SPACE(ROWS_4 ",[0,0,0,0,-1,0],[0,0,-1,0,0,2]", "0,0,-1,0,0,0", TWO), "inverse_inertia"},
    {SPACE(ROWS_4 ",[0,0,0,0,1,0],[0,0,-1,0,0,2]", "0,0,-1,0,0,0",
           "{" GOOD "},{" GOOD ",\"point\":[0,0,0]}"),
     "contacts[1].point: only in a scene with \"bodies\""},
    {STACK("", GOOD, GOOD ",\"jacobian\":[]"),
     "contacts[1].jacobian: only in a scene with \"system\""},
    {SYSTEM("[0,0],[0,0],[1,-1]", "[0,0],[0,1]"),
     "contacts[1].jacobian: must have 3 rows as that of contacts[0], got 2"},
    {SYSTEM("[0,0],[1,-1]", "[0,0],[0,1,0]"),
     "contacts[1].jacobian[1]: must have 2 numbers, got 3"},
    {"{\"carom\":1,\"model\":\"compliant\"," STACK_BODIES ",\"contacts\":[{" GOOD "," STACK_PLACE_0
     "},{" GOOD ",\"bodies\":[\"lower\",\"floor\"],\"point\":[0,0,0],"
     "\"normal\":[0,0,1]}]}",
     "contacts[1].bodies[1]: there is no body with the name \"floor\""},
};

static void test_refusals(void **state) {
    (void)state;
    check_refusals(refusals, sizeof refusals / sizeof *refusals);
    /* no contact approaches, though one parts and one rests */
    check_refused(
        "solve",
        work_text("away.json", SPACE(ROWS_4 ",[0,0,0,0,1,0],[0,0,-1,0,0,2]", "0,0,1,0,0,0", TWO)),
        1, "not_approaching: contact_velocity: no contact is approaching");
    check_error(program_run(STACK("", "\"mu\":0,\"e\":0.9", "\"mu\":0,\"e\":0"), "solve",
                            "--method=euler", "-", NULL),
                2, "e: method euler takes no 0 with several contacts");
    check_error(program_run(PLASTIC, "solve", "--method=vs", "-", NULL), 2,
                "method: ni, fs and vs belong to the rigid model");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, work_setup, work_teardown);
}
