/* Figures and tables of the papers, computed again: the values of a figure.
 *
 * A figure computes with the library what the paper shows, draws it (sheet_picture.h), and lists
 * the numbers that the paper prints beside the computed ones. A printed number agrees with the
 * computed one if they differ by at most one unit of its last digit: half a unit for a rounded
 * number, one for a number that was cut off. */
#ifndef CAROM_CLI_FIGURES_SHEET_H
#define CAROM_CLI_FIGURES_SHEET_H

#include <stdbool.h>
#include <stdio.h>

typedef struct FigureSheet FigureSheet;

/* Compute and draw a figure. False: it failed, and figure_fail() was called. */
typedef bool FigureMake(FigureSheet *sheet);

/* One figure or table. */
typedef struct Figure {
    const char *id;      /* of files and anchors: "jw-4a", "jme-table1" */
    const char *label;   /* as in the paper: "Fig. 4(a)" */
    const char *title;   /* in a few words */
    const char *caption; /* in a few sentences */
    FigureMake *make;
    int variant; /* for a function that makes several figures */
} Figure;

typedef struct FigurePaper {
    const char *name; /* "JW", "JME", "J" or "M" */
    const char *authors, *title, *place;
    const Figure *figures; /* in the order of the paper, ended by one without an id */
} FigurePaper;

typedef enum FigureVerdict {
    FIGURE_AGREES,
    FIGURE_ERRATUM,     /* differs for a known reason */
    FIGURE_DIFFERS,     /* differs for an unknown reason */
    FIGURE_NO_ERRATUM,  /* has an erratum, but agrees */
    FIGURE_NOT_PRINTED, /* nothing to compare with */
    FIGURE_MEASURED     /* depends on the machine */
} FigureVerdict;

/* Texts are owned; NULL: none. */
typedef struct FigureValue {
    char *group, *name, *printed, *erratum, *note;
    char *words;     /* computed; NULL: a number */
    double computed; /* otherwise */
    FigureVerdict verdict;
} FigureValue;

typedef struct FigurePicture {
    char *file; /* in the directory of the gallery: SVG */
    char *title, *description;
    int width, height;
} FigurePicture;

/* The outcome of a figure. */
struct FigureSheet {
    const FigurePaper *paper;
    const Figure *figure;
    const char *directory; /* for the pictures */
    bool png;              /* also write each picture as PNG */
    FigureValue *values;
    int value_count, value_room;
    FigurePicture *pictures;
    int picture_count, picture_room;
    char *group;  /* of the next values */
    FILE *script; /* of the picture that is being drawn, the last one */
    bool failed;
    char failure[640]; /* why */
};

/* Make a figure of a paper, with its pictures in directory; all three must stay valid. False: it
 * failed; the sheet has the reason and the values so far. figure_sheet_free() in any case. */
bool figure_sheet_make(FigureSheet *sheet, const FigurePaper *paper, const Figure *figure,
                       const char *directory, bool png);

void figure_sheet_free(FigureSheet *sheet);

/* The number of values with a verdict. */
int figure_sheet_count(const FigureSheet *sheet, FigureVerdict verdict);

/* Why a printed value differs. A sentence that begins with one of the two marks below is not about
 * an error of the paper. */
typedef enum FigureReason {
    FIGURE_REASON_ERRATUM, /* an error of the paper, or of its print */
    FIGURE_REASON_STEPS,   /* the error of the paper's own scheme, which is reproduced or bounded */
    FIGURE_REASON_SETTING, /* a tolerance or a step that is not printed */
    FIGURE_REASONS
} FigureReason;

#define FIGURE_STEPS "\001"
#define FIGURE_SETTING "\002"

FigureReason figure_reason(const char *erratum);

/* The sentence without its mark. */
const char *figure_sentence(const char *erratum);

/* "agrees", "erratum", ... */
const char *figure_verdict_name(FigureVerdict verdict);

/* Does a computed number agree with a printed one? False also if the text is not a number. */
bool figure_number_agrees(const char *printed, double computed);

/* Add a value. printed: as the paper prints it ("0.0436", "1.2e-4": its digits decide how well it
 * must agree); NULL: it is not printed. erratum: NULL, or one sentence that explains why the
 * printed one is wrong; then it must not agree. note: NULL, or a remark, e.g. "read off the
 * drawing". Texts are UTF-8 and are copied. A name occurs once in a group. */
void figure_value(FigureSheet *sheet, const char *name, const char *printed, double computed,
                  const char *erratum, const char *note);

/* As figure_value() for a number that the paper does not print. */
void figure_computed(FigureSheet *sheet, const char *name, double computed, const char *note);

/* As figure_value() for a count, which must be the same. */
void figure_count(FigureSheet *sheet, const char *name, const char *printed, long computed,
                  const char *erratum, const char *note);

/* As figure_value() for words, e.g. a sequence of events, which must be the same. */
void figure_words(FigureSheet *sheet, const char *name, const char *printed, const char *computed,
                  const char *erratum, const char *note);

/* As figure_value() for a number that depends on the machine, such as a time: it is not compared.
 */
void figure_measured(FigureSheet *sheet, const char *name, const char *printed, double computed,
                     const char *note);

/* The heading of the next values, which belong together, e.g. to a row of a table. */
void figure_group(FigureSheet *sheet, const char *heading);

/* Note why the figure cannot be made. Returns false. */
__attribute__((format(printf, 2, 3))) bool figure_fail(FigureSheet *sheet, const char *format, ...);

#endif
