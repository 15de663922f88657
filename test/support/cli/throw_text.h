/* Scenes to simulate, as text: a ball that is dropped on a plane, or with one part replaced. */
#ifndef CAROM_TEST_CLI_THROW_TEXT_H
#define CAROM_TEST_CLI_THROW_TEXT_H

#define DROP(shape, motion)                                                                        \
    "\"bodies\":[{\"mass\":2,\"inertia\":[1,1,1],\"position\":[0,0,3]," motion "," shape "}]"
#define BALL "\"shape\":{\"ball\":1}"
#define STILL "\"velocity\":[0,0,0]"
#define PLANE "\"plane\":{\"point\":[0,0,0],\"normal\":[0,0,1]}"
#define GRAVITY "\"gravity\":[0,0,-10]"
#define SURFACE "\"contacts\":[{\"mu\":0.3,\"e\":0.6}]"
#define SCENE(bodies, plane, gravity, surface, rest)                                               \
    "{\"carom\":1,\"model\":\"rigid\"," bodies "," plane "," gravity "," surface rest "}"
#define GOOD SCENE(DROP(BALL, STILL), PLANE, GRAVITY, SURFACE, "")

#endif
