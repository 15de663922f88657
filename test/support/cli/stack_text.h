/* Scenes of two contacts as text, for tests of the program. */
#ifndef CAROM_TEST_CLI_STACK_TEXT_H
#define CAROM_TEST_CLI_STACK_TEXT_H

/* Two balls on a table, the upper one falling: masses 1 and 2/sqrt(3). */
#define MASS_2 "1.1547005383792515"
#define STACK_BODIES                                                                               \
    "\"bodies\":[{\"name\":\"upper\",\"mass\":1,\"inertia\":[0.4,0.4,0.4],\"position\":[0,0,3],"   \
    "\"velocity\":[0,0,-1]},{\"name\":\"lower\",\"mass\":" MASS_2 ",\"inertia\":[0.4,0.4,0.4],"    \
    "\"position\":[0,0,1]},{\"name\":\"table\",\"mass\":\"infinite\"}]"
#define STACK_PLACE_0 "\"bodies\":[\"upper\",\"lower\"],\"point\":[0,0,2],\"normal\":[0,0,1]"
#define STACK_PLACE_1 "\"bodies\":[\"lower\",\"table\"],\"point\":[0,0,0],\"normal\":[0,0,1]"
#define STACK(more, first, second)                                                                 \
    "{\"carom\":1,\"model\":\"compliant\"," more STACK_BODIES ",\"contacts\":[{" first             \
    "," STACK_PLACE_0 "},{" second "," STACK_PLACE_1 "}]}"
#define PLASTIC STACK("", "\"mu\":0,\"e\":0.9", "\"mu\":0,\"e\":0.7")
#define ELASTIC STACK("", "\"mu\":0,\"e\":1", "\"mu\":0,\"e\":1")

/* The same as a mechanism, without friction, e = 0.9 and 0.7. */
#define SYSTEM(first, second)                                                                      \
    "{\"carom\":1,\"model\":\"compliant\",\"system\":{\"mass_matrix\":[[1,0],[0," MASS_2 "]],"     \
    "\"velocity\":[-1,0]},\"contacts\":[{\"mu\":0,\"e\":0.9,\"jacobian\":[" first "]},"            \
    "{\"mu\":0,\"e\":0.7,\"jacobian\":[" second "]}]}"

/* Friction at every contact of a ball that is struck down onto a table. */
#define SHOT(first, second)                                                                        \
    "{\"carom\":1,\"name\":\"Shot\",\"model\":\"compliant\",\"bodies\":["                          \
    "{\"name\":\"cue\",\"mass\":0.5,\"inertia\":[0.01,0.01,0.001],\"position\":[-0.6,0,1.6],"      \
    "\"velocity\":[1.5,0,-1.5]},{\"name\":\"ball\",\"mass\":0.17,\"inertia\":[0.068,0.068,0.068]," \
    "\"position\":[0,0,1]},{\"name\":\"table\",\"mass\":\"infinite\"}],\"contacts\":["             \
    "{\"bodies\":[\"cue\",\"ball\"],\"point\":[-0.7,0.1,1.7],\"normal\":[-1,0.1,1]," first "},"    \
    "{\"bodies\":[\"ball\",\"table\"],\"point\":[0,0,0],\"normal\":[0,0,1]," second "}]}"

#endif
