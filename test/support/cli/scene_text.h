/* Scenes as text, whole or with one part replaced, for tests of the program. */
#ifndef CAROM_TEST_CLI_SCENE_TEXT_H
#define CAROM_TEST_CLI_SCENE_TEXT_H

#define MECHANICS "\"inverse_inertia\":[[3,0.5,0.2],[0.5,4,-0.3],[0.2,-0.3,2]]"
#define SPEED "\"contact_velocity\":[0.7,-0.4,-1.5]"
/* the same as numbers */
#define MECHANICS_W                                                                                \
    { 3, 0.5, 0.2, 0.5, 4, -0.3, 0.2, -0.3, 2 }
#define SPEED_V                                                                                    \
    { 0.7, -0.4, -1.5 }
#define SURFACE "\"contacts\":[{\"mu\":0.3,\"e\":0.6}]"
#define GOOD "{\"carom\":1,\"model\":\"rigid\"," MECHANICS "," SPEED "," SURFACE "}"

#define BALL "{\"name\":\"ball\",\"mass\":2,\"inertia\":[1,1,1],\"position\":[0,0,1]"
#define FLOOR "{\"name\":\"floor\",\"mass\":\"infinite\"}"
#define PLACE "\"mu\":0.3,\"e\":0.6,\"point\":[0,0,0],\"normal\":[0,0,1]"

/* A scene in contact space with one part replaced. */
#define SCENE(mechanics, speed, surface)                                                           \
    "{\"carom\":1,\"model\":\"rigid\"," mechanics "," speed "," surface "}"
#define CONTACT(fields) SCENE(MECHANICS, SPEED, "\"contacts\":[{" fields "}]")
#define BODIES(bodies, contact)                                                                    \
    "{\"carom\":1,\"model\":\"rigid\",\"bodies\":[" bodies "],\"contacts\":[{" contact "}]}"

#endif
