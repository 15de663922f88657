/* A ball falls on a ball that rests on a table: sections 3 to 7 and 9.1 of [JME].
 *
 * Contact 0 is between the balls, contact 1 on the table. With m1 = 1, v0 = -1 and the impulses I1,
 * I2: v1 = -1 + I1, v2 = (I2 - I1)/m2. States: S1 both contacts act, S2 only that on the table, S3
 * only that of the balls, S4 none. */
#ifndef CAROM_CLI_FIGURES_JIA_MASON_ERDMANN_2013_TWO_BALLS_H
#define CAROM_CLI_FIGURES_JIA_MASON_ERDMANN_2013_TWO_BALLS_H

#include <carom/carom.h>

#include "base/words.h"
#include "figures/sheet.h"

#define JME_EULER                                                                                  \
    FIGURE_STEPS                                                                                   \
    "Error of the paper's scheme, reproduced: with steps of 1e-5, and restitution that ends "      \
    "where "                                                                                       \
    "an energy of 1e-4 is left, it gives the printed number."

enum { JME_SAMPLES = 2401, JME_EVENTS = 512 };

typedef struct JmeFall {
    double m2, e[2];
    double ratio; /* k2/k1 */
} JmeFall;

/* I1, I2, v1, v2, E1, E2 at a moment. */
typedef struct JmeMoment {
    double I[2], v[2], E[2];
    int state; /* 1 to 4, from here on */
} JmeMoment;

/* The process: samples, and the state just after each event. */
typedef struct JmeCourse {
    JmeFall fall;
    JmeMoment samples[JME_SAMPLES];
    CaromEvent events[JME_EVENTS];
    JmeMoment at[JME_EVENTS]; /* E after the loss; events[].stored has it before */
    int event_count;
    int states[JME_EVENTS]; /* the events with which the states begin; the last is the end */
    int state_count;
} JmeCourse;

/* The mass of the lower ball in most figures, 2/sqrt(3), and the fall of Figs. 1 and 8 and Table 1.
 */
#define JME_HEAVY 1.1547005383792515
extern const JmeFall jme_lossy;

/* W and v- of the two normals, contact 0 first. False: the figure has failed. */
bool jme_normals(FigureSheet *sheet, const JmeFall *fall, double W[4], double v[2]);

/* False: not solved, or too many events; the figure has failed. */
bool jme_fall(FigureSheet *sheet, const JmeFall *fall, JmeCourse *course);

/* The same by the paper's scheme, with the step and the threshold that give its Table 1; no
 * samples.
 */
extern const CaromOptions jme_scheme;
bool jme_fall_by_scheme(FigureSheet *sheet, const JmeFall *fall, JmeCourse *course);

/* The states in order, "S1 S2 S1 S3 S4". */
Words jme_states(const JmeCourse *course);

/* Kinetic and stored energy. */
double jme_energy(const JmeCourse *course, const JmeMoment *moment);

/* An event with a letter in the picture. */
typedef struct JmeLetter {
    const char *letter;
    CaromEventKind kind;
    int contact;
} JmeLetter;

/* The letters of jme_lossy. */
enum { JME_LETTERS = 7 };
extern const JmeLetter jme_letters[JME_LETTERS];

/* Find the events of the letters, in order; other events may lie between them. False: not found;
 * the figure has failed. */
bool jme_find_letters(FigureSheet *sheet, const JmeCourse *course, const JmeLetter letters[],
                      int count, int found[]);

#endif
