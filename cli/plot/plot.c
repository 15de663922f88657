/* Pictures of a scene's impact: their kinds, headings and files. A new kind is a file with a
 * PlotDraw and a row of the table below; its name belongs in plot_kind_names. */
#include "plot/plot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "picture/gnuplot.h"
#include "picture/picture.h"
#include "plot/plot_energy.h"
#include "plot/plot_hodograph.h"
#include "plot/plot_impulse_clock.h"
#include "plot/plot_impulse_plane.h"
#include "plot/plot_impulse_space.h"
#include "plot/plot_states.h"
#include "plot/plot_velocity.h"

/* Width of every picture in pixels of the SVG; heights of the title, of the panel, and of the axis
 * below it. The legend comes below the axis. */
enum { WIDTH = 720, ABOVE = 86, PANEL = 583, AXIS = 66 };

const char *const plot_kind_names[] = {"hodograph", "impulse",  "states", "velocity",
                                       "energy",    "outcomes", "map",    NULL};

/* Scenes that a drawer is for. */
typedef enum Only { ANY, PLANAR, SPATIAL, SPATIAL_RIGID, SPATIAL_COMPLIANT, FRICTION } Only;

typedef struct Drawer {
    Only only;
    int least, most; /* contacts */
    int legend;      /* height of the legend */
    PlotDraw *draw;
    const char *name, *title, *explanation; /* as in PlotKind */
} Drawer;

enum { MANY = SCENE_CONTACTS_MAX };

/* The first drawer that fits a scene is its default. */
static const Drawer drawers[] = {
    {SPATIAL_RIGID, 1, 1, 125, plot_hodograph, "hodograph", "hodograph",
     "The sliding velocity in the tangent plane during the impact: where it starts, where "
     "compression ends (c), where it vanishes (s), where the impact ends (r), and the invariant "
     "directions, along which slip runs straight."},
    {SPATIAL_COMPLIANT, 1, 1, 125, plot_hodograph, "hodograph", "hodograph",
     "The tangential velocity of the bodies at the contact during the impact: where it starts, "
     "where compression ends (c), where the contact sticks (s) or slips again, where the impact "
     "ends (r)."},
    {PLANAR, 1, 1, 125, plot_hodograph, "hodograph", "hodograph",
     "The contact velocity during the impact, tangential and normal: where it starts, where "
     "compression ends (c), where the contact sticks (s), where the impact ends (r)."},
    {SPATIAL, 1, 1, 225, plot_impulse_space, "impulse", "impulse",
     "How the impulse grows, as a curve in the space of its tangential and normal components: it "
     "passes the plane of compression where compression ends, follows the line of sticking while "
     "the contact sticks, and stays in the friction cone."},
    {PLANAR, 1, 1, 125, plot_impulse_planar, "impulse", "impulse",
     "How the impulse grows, tangential and normal: it crosses the line of compression where "
     "compression ends, follows the line of sticking while the contact sticks, and stays in the "
     "friction cone."},
    {ANY, 2, 2, 225, plot_impulse_pair, "impulse", "impulses",
     "The normal impulses of the two contacts as they grow: a contact's compression ends or "
     "restarts where the curve crosses its line, and the ellipse is where the bodies would have "
     "their energy back."},
    {ANY, 2, MANY, 125, plot_states, "states", "states",
     "Which contacts act when: a bar per contact that says whether it is compressed, restitutes or "
     "is held together, over the sum of the normal impulses."},
    {ANY, 3, MANY, 160, plot_impulse_clock, "impulse", "impulses",
     "The normal impulse of each contact as it grows, over the sum of all of them."},
    {ANY, 1, MANY, 160, plot_velocity, "velocity", "velocities",
     "The contact velocity over the normal impulse; a normal velocity below zero means approach."},
    {ANY, 1, MANY, 160, plot_energy, "energy", "energy",
     "The kinetic energy over the normal impulse, and where that is which the bodies have given "
     "up: stored in the contact, lost there, lost to friction."},
    {FRICTION, 2, MANY, 225, plot_hodograph, "hodograph", "hodograph",
     "The tangential velocities of the contacts with friction during the impact, a curve each."}};

static bool fits(const Drawer *drawer, const Scene *scene) {
    bool compliant = scene->model == CAROM_MODEL_COMPLIANT;
    const bool is[] = {[ANY] = true,
                       [PLANAR] = scene->planar,
                       [SPATIAL] = !scene->planar,
                       [SPATIAL_RIGID] = !scene->planar && !compliant,
                       [SPATIAL_COMPLIANT] = !scene->planar && compliant,
                       [FRICTION] = scene_has_friction(scene)};
    return scene_has_process(scene, CAROM_METHOD_EXACT) && scene->contact_count >= drawer->least &&
           scene->contact_count <= drawer->most && is[drawer->only];
}

size_t plot_kinds_of(const Scene *scene, PlotKind kinds[PLOT_KINDS_MAX]) {
    size_t count = 0;
    for (size_t i = 0; i < sizeof drawers / sizeof *drawers; i++) {
        if (fits(&drawers[i], scene)) {
            const Drawer *drawer = &drawers[i];
            kinds[count++] = (PlotKind){drawer->name, drawer->title, drawer->explanation};
        }
    }
    return count;
}

/* The drawer of a kind (NULL: the default); NULL: the scene has none, see *error. */
static const Drawer *find_drawer(const Scene *scene, const char *kind, Error *error) {
    for (size_t i = 0; i < sizeof drawers / sizeof *drawers; i++) {
        if (fits(&drawers[i], scene) && (!kind || strcmp(kind, drawers[i].name) == 0)) {
            return &drawers[i];
        }
    }
    PlotKind kinds[PLOT_KINDS_MAX];
    size_t count = plot_kinds_of(scene, kinds);
    if (count == 0) {
        error_set(error,
                  "there is no process to draw: several rigid contacts have velocities before "
                  "and after only (\"model\": \"compliant\" has one)");
        return NULL;
    }
    Words names = {""};
    for (size_t i = 0; i < count; i++) {
        words_add(&names, "%s%s", i == 0 ? "" : i + 1 == count ? " or " : ", ", kinds[i].name);
    }
    const char *what = scene->contact_count == 1   ? "one contact"
                       : scene_has_friction(scene) ? "several contacts"
                                                   : "several contacts without friction";
    error_set(error, "--kind: a scene of %s is drawn as %s, not as \"%s\"", what, names.text, kind);
    return NULL;
}

/* Coefficients and outcome of one contact in one line. */
static Words subheading_of_one(const PlotRun *run) {
    const Scene *scene = run->scene;
    const CaromResult *result = &run->solution.result;
    const CaromContact *contact = &scene->contacts[0];
    Words words = words_of("μ = %.5g", contact->mu);
    if (contact->mu_static > contact->mu) {
        words_add(&words, " (static %.5g)", contact->mu_static);
    }
    words_add(&words, ", e = %.5g", contact->e);
    if (scene->model == CAROM_MODEL_COMPLIANT) {
        words_add(&words, ", stiffness ratio %.5g%s", contact->stiffness_ratio,
                  scene->law == CAROM_LAW_MONO_STIFFNESS ? ", mono-stiffness" : "");
    } else {
        words_add(&words, ", %s restitution", scene_law_names[scene->law]);
    }
    words_add(&words, "%s%s%s", result->sequence[0] ? "; sequence " : "", result->sequence,
              result->status == CAROM_ENERGY_GAIN ? "; gains energy" : "");
    return words;
}

/* "e = 0.9", or "e = 0.7 to 0.9" if the contacts differ. */
static Words range_of(const Scene *scene, const char *name, size_t field) {
    double low = 0, high = 0;
    for (int i = 0; i < scene->contact_count; i++) {
        double x;
        memcpy(&x, (const char *)&scene->contacts[i] + field, sizeof x);
        low = i == 0 || x < low ? x : low;
        high = i == 0 || x > high ? x : high;
    }
    return low < high ? words_of("%s = %.5g to %.5g", name, low, high)
                      : words_of("%s = %.5g", name, low);
}

static Words subheading_of_several(const PlotRun *run) {
    const Scene *scene = run->scene;
    return words_of("%d contacts, %s, %s%s; %d events, %d states", scene->contact_count,
                    range_of(scene, "μ", offsetof(CaromContact, mu)).text,
                    range_of(scene, "e", offsetof(CaromContact, e)).text,
                    scene->law == CAROM_LAW_MONO_STIFFNESS ? ", mono-stiffness" : "",
                    run->solution.result.event_count, run->solution.states.count);
}

/* A picture that is being made. */
typedef struct Sheet {
    const Drawer *drawer;
    const PictureFormat *format;
    int panel; /* height between title and axis */
    char heading[512], title[1100];
    Words subheading;
    FILE *script;
    char *description; /* owned */
} Sheet;

/* Terminal, title and margins. */
static void write_preamble(const Sheet *sheet) {
    const PictureFormat *format = sheet->format;
    int panel = sheet->panel, total = ABOVE + panel + AXIS + sheet->drawer->legend;
    double height = total;
    picture_begin(format, WIDTH, total, sheet->script);
    /* fixed margins: a square of 0.81 of the width in every format, the legend below it */
    fprintf(sheet->script,
            "point = %g\nsmall = ',%g'\nset border 31 lw 0.8\n"
            "bottom = %.4f\ntop = %.4f\n"
            "set tics nomirror\nset lmargin at screen 0.145\nset rmargin at screen 0.955\n"
            "set bmargin at screen bottom\nset tmargin at screen top\n"
            "set key at screen 0.1,%.4f top left vertical Left reverse maxrows 4 spacing 1.25 "
            "samplen 4 width 3\nset title ",
            format->point, 0.83 * format->font, 1 - (ABOVE + panel) / height, 1 - ABOVE / height,
            1 - (ABOVE + panel + AXIS) / height);
    gnuplot_text(sheet->script, sheet->heading);
    fprintf(sheet->script, " . ': %s' . \"\\n\" . ", sheet->drawer->title);
    gnuplot_text(sheet->script, sheet->subheading.text);
    fputs(" noenhanced\n", sheet->script);
}

static void make_titles(const PlotRun *run, const char *source_name, Sheet *sheet) {
    picture_heading(run->scene->name, source_name, sheet->heading, sizeof sheet->heading);
    sheet->subheading = run->contacts > 1 ? subheading_of_several(run) : subheading_of_one(run);
    snprintf(sheet->title, sizeof sheet->title, "%s: %s. %s", sheet->heading, sheet->drawer->title,
             sheet->subheading.text);
}

static void free_sheet(Sheet *sheet) {
    if (sheet->script) {
        fclose(sheet->script);
    }
    free(sheet->description);
}

/* free_sheet() in any case. */
static bool make_sheet(const PlotRun *run, const char *source_name, const Drawer *drawer,
                       const PictureFormat *format, Sheet *sheet, Error *error) {
    *sheet = (Sheet){.drawer = drawer, .format = format, .script = tmpfile()};
    size_t length;
    FILE *words = open_memstream(&sheet->description, &length);
    bool good = sheet->script && words;
    if (good) {
        sheet->panel =
            drawer->draw == plot_states ? plot_states_height(run->contacts, PANEL) : PANEL;
        make_titles(run, source_name, sheet);
        write_preamble(sheet);
        drawer->draw(run, sheet->script, words);
    }
    good = words && fclose(words) == 0 && good;
    return good || error_set(error, "temporary file: %s", strerror(errno));
}

bool plot_draw_svg(const PlotRun *run, const char *source_name, const char *kind,
                   PlotPicture *picture, Error *error) {
    const Drawer *drawer = find_drawer(run->scene, kind, error);
    Sheet sheet;
    *picture = (PlotPicture){0};
    if (!drawer) {
        return false;
    }
    if (make_sheet(run, source_name, drawer, picture_format(".svg"), &sheet, error)) {
        picture->svg = picture_draw(sheet.format, sheet.script, sheet.title, sheet.description,
                                    &picture->size, error);
    }
    if (picture->svg) {
        picture->description = sheet.description;
        sheet.description = NULL;
    }
    free_sheet(&sheet);
    return picture->svg;
}

void plot_picture_free(PlotPicture *picture) {
    free(picture->svg);
    free(picture->description);
    *picture = (PlotPicture){0};
}

int plot_draw(const Scene *scene, const char *source_name, const char *kind, const char *path,
              Error *error) {
    const Drawer *drawer = find_drawer(scene, kind, error);
    const PictureFormat *format = picture_format(path);
    if (drawer && !format) {
        error_set(error, "%s: must end in .svg, .png or .pdf", path);
    }
    if (!drawer || !format) {
        return 2;
    }
    PlotRun run;
    CaromStatus solved = plot_run_make(scene, NULL, &run, error);
    if (solved < 0) {
        return solution_exit_status(solved);
    }
    Sheet sheet;
    bool good = make_sheet(&run, source_name, drawer, format, &sheet, error) &&
                picture_write(path, sheet.script, sheet.title, sheet.description, error);
    free_sheet(&sheet);
    plot_run_free(&run);
    return good ? 0 : 2;
}
