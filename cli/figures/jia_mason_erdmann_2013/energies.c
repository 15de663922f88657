/* Fig. 8 and Table 1 of [JME]: velocities and stored energies of the collision of Fig. 1. */
#include "figures/jia_mason_erdmann_2013/energies.h"

#include "base/words.h"
#include "figures/jia_mason_erdmann_2013/two_balls.h"
#include "figures/sheet_picture.h"

/* ---- figure 8 ---- */

/* Rows v1, v2, E1, E2 of the pieces of a state, with a gap where energy is lost. Samples have the
 * energy after the loss, so the end of compression is written twice, before and after it. */
static void write_state(const JmeCourse *course, int state, FILE *script) {
    int event = 0;
    bool inside = false;
    fprintf(script, "$s%d << END\n", state);
    for (int i = 0; i < JME_SAMPLES; i++) {
        const JmeMoment *now = &course->samples[i];
        for (; event < course->event_count && course->at[event].I[0] <= now->I[0] &&
               course->at[event].I[1] <= now->I[1];
             event++) {
            const CaromEvent *what = &course->events[event];
            const JmeMoment *at = &course->at[event];
            double E[2] = {at->E[0], at->E[1]};
            if (inside) { /* up to the event, before the loss */
                E[what->contact] = what->stored;
                fprintf(script, "%.9g %.9g %.9g %.9g\n", at->v[0], at->v[1], E[0], E[1]);
                if (what->kind == CAROM_EVENT_COMPRESSION_END || at->state != state) {
                    fputc('\n', script);
                }
            }
            inside = at->state == state;
            if (inside) {
                fprintf(script, "%.9g %.9g %.9g %.9g\n", at->v[0], at->v[1], at->E[0], at->E[1]);
            }
        }
        if (inside) {
            fprintf(script, "%.9g %.9g %.9g %.9g\n", now->v[0], now->v[1], now->E[0], now->E[1]);
        }
    }
    fputs("NaN NaN NaN NaN\nEND\n", script);
}

/* Letters at the events; A, C and F also have one after the loss. */
static void write_letters(const JmeCourse *course, const int found[JME_LETTERS], bool energies,
                          FILE *script) {
    static const char *const at_velocity[JME_LETTERS] = {
        "-1.7,-0.9", "0.8,0", "0.8,0", "0.8,-0.3", "-0.5,0.9", "0.5,0.6", "0.8,0"};
    static const char *const before[JME_LETTERS] = {"0.7,0.3",   "0.8,0.2",  "0.8,0.2",  "0.8,-0.3",
                                                    "-0.6,-0.9", "0.3,-0.9", "-1.4,-0.9"};
    static const char *const after[JME_LETTERS] = {"-1.8,0.6", "",         "0.8,0.6", "",
                                                   "",         "-0.2,0.8", ""};
    fputs("unset label\n", script);
    for (int i = 0; i < JME_LETTERS; i++) {
        const CaromEvent *event = &course->events[found[i]];
        const JmeMoment *at = &course->at[found[i]];
        double E[2] = {at->E[0], at->E[1]};
        E[event->contact] = event->stored;
        const double *where = energies ? E : at->v;
        fprintf(script,
                "set label '%s' at %.9g,%.9g point pt 7 ps 0.9*point lc rgb '#000000' offset %s "
                "front\n",
                jme_letters[i].letter, where[0], where[1], energies ? before[i] : at_velocity[i]);
        if (energies && event->kind == CAROM_EVENT_COMPRESSION_END) {
            fprintf(script,
                    "set label '%s''' at %.9g,%.9g point pt 6 ps 0.9*point lc rgb '#000000' offset "
                    "%s front\nset arrow from %.9g,%.9g to %.9g,%.9g nohead lt 8 dt (3,3)\n",
                    jme_letters[i].letter, at->E[0], at->E[1], after[i], E[0], E[1], at->E[0],
                    at->E[1]);
        }
    }
}

static void draw_pair(const char *title, const char *labels, int columns, FILE *script) {
    fprintf(script,
            "set title '%s' enhanced\n%s\nplot $s1 using %d:%d with lines lt 1 lw 2.6 title 'S_1: "
            "both contacts act', $s2 using %d:%d with lines lt 2 lw 2.6 dt (7,3) title 'S_2: only "
            "the table''s', $s3 using %d:%d with lines lt 3 lw 2.6 title 'S_3: only the balls'''\n",
            title, labels, columns, columns + 1, columns, columns + 1, columns, columns + 1);
}

static void list_losses(FigureSheet *sheet, const JmeCourse *course, const int found[JME_LETTERS]) {
    static const char *const printed[JME_LETTERS] = {"0.19", NULL, "0.51", NULL, NULL, NULL, NULL};
    figure_group(sheet, "Part of the energy lost where compression ends");
    for (int i = 0; i < JME_LETTERS; i++) {
        const CaromEvent *event = &course->events[found[i]];
        if (event->kind == CAROM_EVENT_COMPRESSION_END) {
            figure_value(sheet, jme_letters[i].letter, printed[i],
                         1 - course->at[found[i]].E[event->contact] / event->stored, NULL, NULL);
        }
    }
    const JmeMoment *end = &course->at[course->event_count - 1];
    figure_group(sheet, "After the collision");
    figure_value(sheet, "v1", "0.61377", end->v[0], JME_EULER, NULL);
    figure_value(sheet, "v2", "0.20947", end->v[1], JME_EULER, NULL);
}

bool jme_figure_8(FigureSheet *sheet) {
    JmeCourse course;
    int found[JME_LETTERS];
    FILE *script = jme_fall(sheet, &jme_lossy, &course) &&
                           jme_find_letters(sheet, &course, jme_letters, JME_LETTERS, found)
                       ? figure_picture_begin(
                             sheet, "", "Velocities and stored energies, with loss", 1000, 520)
                       : NULL;
    if (!script) {
        return false;
    }
    for (int state = 1; state <= 3; state++) {
        write_state(&course, state, script);
    }
    fputs(
        "set multiplot layout 1,2 title picture_title margins 0.07,0.98,0.12,0.8 spacing 0.09,0.1\n"
        "set key at screen 0.52,0.93 center top Left reverse samplen 4 maxrows 1\n"
        "set xzeroaxis lt 8\nset yzeroaxis lt 8\n",
        script);
    write_letters(&course, found, false, script);
    draw_pair("(a) velocities",
              "set xlabel 'v_1'\nset ylabel 'v_2' offset 1\nset xrange [-1.1:0.8]\nset yrange "
              "[-0.7:0.7]",
              1, script);
    write_letters(&course, found, true, script);
    fputs("unset key\n", script);
    draw_pair("(b) stored energies",
              "set xlabel 'E_1'\nset ylabel 'E_2' offset 1\nset xrange [-0.02:0.36]\nset yrange "
              "[-0.04:0.5]",
              3, script);
    fputs("unset multiplot\n", script);
    if (!figure_picture_end(sheet,
                            "Two curves: the velocities of the balls against each other, and "
                            "the energies that the contacts store, which fall at three places "
                            "where compression ends.")) {
        return false;
    }
    list_losses(sheet, &course, found);
    return true;
}

/* ---- table 1 ---- */

enum { ROWS = 5, COLUMNS = 7 };

/* As printed; right: a dot for each value that is right to its last digit. */
static const char *const states[ROWS] = {"S1", "S2", "S1", "S3", "S4"};
static const char *const intervals[ROWS] = {"[O, B)", "[B, C)", "[C, E)", "[E, G)", "G"};
static const char *const phases[ROWS] = {"C1-R1", "C2", "R2", "C1-R1", ""};
static const char *const right[ROWS] = {".......", "----.--", "----..-", "-----.-", "----..-"};
static const char *const printed_values[ROWS][COLUMNS] = {
    {"0", "0", "-1", "0", "0", "0", "0.5"},
    {"1.13807", "0.76239", "0.13807", "-0.32535", "0", "0.37671", "0.44736"},
    {"1.13807", "1.29750", "0.13807", "0.13807", "0", "0.20353", "0.22407"},
    {"1.27281", "1.85565", "0.27281", "0.50475", "0.03966", "0", "0.22397"},
    {"1.61377", "1.85565", "0.61377", "0.20947", "0", "0", "0.21369"}};

/* The phases that end between two states: "C1-R1", compression and restitution of the first
 * contact. */
static Words phases_of(const JmeCourse *course, int row) {
    int from = course->states[row];
    int to = row + 1 < course->state_count ? course->states[row + 1] : from;
    Words words = {""};
    for (int i = from + 1; i <= to; i++) {
        CaromEventKind kind = course->events[i].kind;
        if (kind == CAROM_EVENT_COMPRESSION_END || kind == CAROM_EVENT_RESTITUTION_END) {
            words_add(&words, "%s%c%d", words.text[0] ? "-" : "",
                      kind == CAROM_EVENT_COMPRESSION_END ? 'C' : 'R',
                      course->events[i].contact + 1);
        }
    }
    return words;
}

/* "[B, D)": the letters of the events with which a state begins and ends. */
static Words interval_of(const JmeCourse *course, const int found[JME_LETTERS], int row) {
    const char *name[2] = {"O", ""};
    for (int i = 0; i < JME_LETTERS; i++) {
        for (int k = 0; k < 2 && row + k < course->state_count; k++) {
            name[k] = found[i] == course->states[row + k] ? jme_letters[i].letter : name[k];
        }
    }
    return row + 1 < course->state_count ? words_of("[%s, %s)", name[0], name[1])
                                         : words_of("%s", name[0]);
}

/* The numbers of a row; exact: those that are not right have the error of the paper's scheme. */
static void list_numbers(FigureSheet *sheet, const JmeCourse *course, int row, bool exact) {
    static const char *const names[COLUMNS] = {"I1", "I2", "v1", "v2", "E1", "E2", "total energy"};
    const JmeMoment *at = &course->at[course->states[row]];
    const double values[COLUMNS] = {
        at->I[0], at->I[1], at->v[0], at->v[1], at->E[0], at->E[1], jme_energy(course, at)};
    for (int k = 0; k < COLUMNS; k++) {
        figure_value(sheet, names[k], printed_values[row][k], values[k],
                     !exact || right[row][k] == '.' ? NULL : JME_EULER, NULL);
    }
}

static void list_row(FigureSheet *sheet, const JmeCourse *course, const int found[JME_LETTERS],
                     int row) {
    const JmeMoment *at = &course->at[course->states[row]];
    figure_group(sheet, words_of("State %d of %d", row + 1, ROWS).text);
    figure_words(sheet, "state", states[row], words_of("S%d", at->state).text, NULL, NULL);
    figure_words(sheet, "interval", intervals[row], interval_of(course, found, row).text,
                 row == 1 || row == 2
                     ? "C is where compression on the table ends; the state ends at D, as the "
                       "text of the paper says."
                     : NULL,
                 NULL);
    list_numbers(sheet, course, row, true);
    if (row + 1 < ROWS) {
        figure_words(sheet, "phases that end", phases[row], phases_of(course, row).text, NULL,
                     NULL);
    }
}

bool jme_table_1(FigureSheet *sheet) {
    JmeCourse course, scheme;
    int found[JME_LETTERS];
    if (!jme_fall(sheet, &jme_lossy, &course) || !jme_fall_by_scheme(sheet, &jme_lossy, &scheme) ||
        !jme_find_letters(sheet, &course, jme_letters, JME_LETTERS, found)) {
        return false;
    }
    if (course.state_count != ROWS || scheme.state_count != ROWS) {
        return figure_fail(sheet, "the balls: %d and %d states", course.state_count,
                           scheme.state_count);
    }
    for (int row = 0; row < ROWS; row++) {
        list_row(sheet, &course, found, row);
    }
    for (int row = 0; row < ROWS; row++) {
        figure_group(sheet, words_of("State %d of %d, by the paper's scheme", row + 1, ROWS).text);
        list_numbers(sheet, &scheme, row, false);
    }
    return true;
}
