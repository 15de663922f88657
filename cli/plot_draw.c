/* Drawing a scene: which kinds of pictures it has, what stands over them, and the file. */
#include "plot_draw.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gnuplot.h"
#include "picture.h"
#include "plot.h"

/* Width of every picture in pixels of the SVG. Above the panel is room for the title, below it for
 * the axis and the legend, which takes what a kind's height leaves. */
enum { WIDTH = 720, ABOVE = 86, PANEL = 583, AXIS = 66 };

typedef struct Drawer {
    PlotKind kind;
    int legend; /* height of the legend */
    PlotDraw *draw;
} Drawer;

static const Drawer one_hodograph = {
    {"hodograph", "hodograph",
     "The sliding velocity in the tangent plane during the impact: where it starts, where "
     "compression ends (c), where it vanishes (s), where the impact ends (r), and the invariant "
     "directions, along which slip runs straight."},
    125,
    plot_hodograph};
static const Drawer compliant_hodograph = {
    {"hodograph", "hodograph",
     "The tangential velocity of the bodies at the contact during the impact: where it starts, "
     "where compression ends (c), where the contact sticks (s) or slips again, where the impact "
     "ends (r)."},
    125,
    plot_hodograph};
static const Drawer planar_hodograph = {
    {"hodograph", "hodograph",
     "The contact velocity during the impact, tangential and normal: where it starts, where "
     "compression ends (c), where the contact sticks (s), where the impact ends (r)."},
    125,
    plot_hodograph};
static const Drawer several_hodograph = {
    {"hodograph", "hodograph",
     "The tangential velocities of the contacts with friction during the impact, a curve each."},
    225,
    plot_hodograph};
static const Drawer space_impulse = {
    {"impulse", "impulse",
     "How the impulse grows, as a curve in the space of its tangential and normal components: it "
     "passes the plane of compression where compression ends, follows the line of sticking while "
     "the contact sticks, and stays in the friction cone."},
    225,
    plot_impulse_space};
static const Drawer planar_impulse = {
    {"impulse", "impulse",
     "How the impulse grows, tangential and normal: it crosses the line of compression where "
     "compression ends, follows the line of sticking while the contact sticks, and stays in the "
     "friction cone."},
    125,
    plot_impulse_planar};
static const Drawer pair_impulse = {
    {"impulse", "impulses",
     "The normal impulses of the two contacts as they grow: a contact's compression ends or "
     "restarts where the curve crosses its line, and the ellipse is where the bodies would have "
     "their energy back."},
    225,
    plot_impulse_pair};
static const Drawer clock_impulse = {
    {"impulse", "impulses",
     "The normal impulse of each contact as it grows, over the sum of all of them."},
    160,
    plot_impulse_clock};
static const Drawer states = {
    {"states", "states",
     "Which contacts act when: a bar per contact that says whether it is compressed, restitutes or "
     "is held together, over the sum of the normal impulses."},
    125,
    plot_states};
static const Drawer velocity = {
    {"velocity", "velocities",
     "The contact velocity over the normal impulse; a normal velocity below zero means approach."},
    160,
    plot_velocity};
static const Drawer energy = {
    {"energy", "energy",
     "The kinetic energy over the normal impulse, and where that is which the bodies have given "
     "up: stored in the contact, lost there, lost to friction."},
    160,
    plot_energy};

/* The drawers of a scene, the default first; answers how many. */
static size_t find_drawers(const Scene *scene, const Drawer *drawers[PLOT_KINDS_MAX]) {
    size_t count = 0;
    if (!scene_has_process(scene)) {
        return 0;
    }
    bool planar = scene->planar, compliant = scene->model == CAROM_MODEL_COMPLIANT;
    if (scene->contact_count == 1) {
        drawers[count++] = planar      ? &planar_hodograph
                           : compliant ? &compliant_hodograph
                                       : &one_hodograph;
        drawers[count++] = planar ? &planar_impulse : &space_impulse;
    } else if (scene->contact_count == 2) {
        drawers[count++] = &pair_impulse;
        drawers[count++] = &states;
    } else {
        drawers[count++] = &states;
        drawers[count++] = &clock_impulse;
    }
    drawers[count++] = &velocity;
    drawers[count++] = &energy;
    if (scene->contact_count > 1 && plot_has_friction(scene)) {
        drawers[count++] = &several_hodograph;
    }
    return count;
}

size_t plot_kinds_of(const Scene *scene, PlotKind kinds[PLOT_KINDS_MAX]) {
    const Drawer *drawers[PLOT_KINDS_MAX];
    size_t count = find_drawers(scene, drawers);
    for (size_t i = 0; i < count; i++) {
        kinds[i] = drawers[i]->kind;
    }
    return count;
}

/* The drawer of a kind (NULL: the default); NULL: the scene has none, why says which it has. */
static const Drawer *find_drawer(const Scene *scene, const char *kind, char *why, size_t size) {
    const Drawer *drawers[PLOT_KINDS_MAX];
    size_t count = find_drawers(scene, drawers), used = 0;
    for (size_t i = 0; i < count; i++) {
        if (!kind || strcmp(kind, drawers[i]->kind.name) == 0) {
            return drawers[i];
        }
    }
    if (count == 0) {
        snprintf(why, size,
                 "there is no process to draw: several rigid contacts have velocities before and "
                 "after only (\"model\": \"compliant\" has one)");
        return NULL;
    }
    char names[128] = "";
    for (size_t i = 0; i < count; i++) {
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                 i == 0           ? ""
                                 : i + 1 == count ? " or "
                                                  : ", ",
                                 drawers[i]->kind.name);
    }
    const char *what = scene->contact_count == 1  ? "one contact"
                       : plot_has_friction(scene) ? "several contacts"
                                                  : "several contacts without friction";
    snprintf(why, size, "--kind: a scene of %s is drawn as %s, not as \"%s\"", what, names, kind);
    return NULL;
}

/* Coefficients and outcome of one contact in one line; five digits are enough to tell pictures
 * apart. */
static void make_subheading(const PlotRun *run, char *text, size_t size) {
    const Scene *scene = run->scene;
    const CaromResult *result = &run->solution.result;
    char mu_static[48] = "", kind[64];
    const CaromContact *contact = &scene->contacts[0];
    if (contact->mu_static > contact->mu) {
        snprintf(mu_static, sizeof mu_static, " (static %.5g)", contact->mu_static);
    }
    if (scene->model == CAROM_MODEL_COMPLIANT) {
        snprintf(kind, sizeof kind, "stiffness ratio %.5g%s", contact->stiffness_ratio,
                 scene->law == CAROM_LAW_MONO_STIFFNESS ? ", mono-stiffness" : "");
    } else {
        snprintf(kind, sizeof kind, "%s restitution", scene_law_name(scene->law));
    }
    snprintf(text, size, "μ = %.5g%s, e = %.5g, %s%s%s%s", contact->mu, mu_static, contact->e, kind,
             result->sequence[0] ? "; sequence " : "", result->sequence,
             result->status == CAROM_ENERGY_GAIN ? "; gains energy" : "");
}

/* "e = 0.9", or "e = 0.7 to 0.9" where the contacts differ. */
static void make_range(const Scene *scene, const char *name, size_t field, char *text,
                       size_t size) {
    double low = 0, high = 0;
    for (int i = 0; i < scene->contact_count; i++) {
        double x;
        memcpy(&x, (const char *)&scene->contacts[i] + field, sizeof x);
        low = i == 0 || x < low ? x : low;
        high = i == 0 || x > high ? x : high;
    }
    if (low < high) {
        snprintf(text, size, "%s = %.5g to %.5g", name, low, high);
    } else {
        snprintf(text, size, "%s = %.5g", name, low);
    }
}

static void make_subheading_several(const PlotRun *run, char *text, size_t size) {
    const Scene *scene = run->scene;
    char mu[64], e[64];
    make_range(scene, "μ", offsetof(CaromContact, mu), mu, sizeof mu);
    make_range(scene, "e", offsetof(CaromContact, e), e, sizeof e);
    snprintf(text, size, "%d contacts, %s, %s%s; %d events, %d states", scene->contact_count, mu, e,
             scene->law == CAROM_LAW_MONO_STIFFNESS ? ", mono-stiffness" : "",
             run->solution.result.event_count, run->solution.states.count);
}

/* A picture on its way: what is told to gnuplot, and what is told to those who cannot see it. */
typedef struct Sheet {
    const Drawer *drawer;
    const PictureFormat *format;
    int panel; /* height of what is between title and axis */
    char heading[512], subheading[512], title[1100];
    FILE *script;
    char *description; /* owned */
} Sheet;

/* Terminal, title and margins. */
static void write_preamble(const Sheet *sheet) {
    const PictureFormat *format = sheet->format;
    int panel = sheet->panel, total = ABOVE + panel + AXIS + sheet->drawer->legend;
    double height = total;
    char terminal[256];
    picture_terminal(format, WIDTH, total, terminal, sizeof terminal);
    /* fixed margins: a square of 0.81 of the width in every format, the legend below it */
    fprintf(sheet->script,
            "set encoding utf8\nset terminal %s\npoint = %g\nsmall = ',%g'\nset border 31 lw 0.8\n"
            "bottom = %.4f\ntop = %.4f\n"
            "set tics nomirror\nset lmargin at screen 0.145\nset rmargin at screen 0.955\n"
            "set bmargin at screen bottom\nset tmargin at screen top\n"
            "set key at screen 0.1,%.4f top left vertical Left reverse maxrows 4 spacing 1.25 "
            "samplen 4 width 3\nset title ",
            terminal, format->point, 0.83 * format->font, 1 - (ABOVE + panel) / height,
            1 - ABOVE / height, 1 - (ABOVE + panel + AXIS) / height);
    gnuplot_text(sheet->script, sheet->heading);
    fprintf(sheet->script, " . ': %s' . \"\\n\" . ", sheet->drawer->kind.title);
    gnuplot_text(sheet->script, sheet->subheading);
    fputs(" noenhanced\n", sheet->script);
}

static void make_titles(const PlotRun *run, const char *source_name, Sheet *sheet) {
    picture_heading(run->scene->name, source_name, sheet->heading, sizeof sheet->heading);
    if (run->contacts > 1) {
        make_subheading_several(run, sheet->subheading, sizeof sheet->subheading);
    } else {
        make_subheading(run, sheet->subheading, sizeof sheet->subheading);
    }
    snprintf(sheet->title, sizeof sheet->title, "%s: %s. %s", sheet->heading,
             sheet->drawer->kind.title, sheet->subheading);
}

static void free_sheet(Sheet *sheet) {
    if (sheet->script) {
        fclose(sheet->script);
    }
    free(sheet->description);
}

/* False: why says it. free_sheet() in both cases. */
static bool make_sheet(const PlotRun *run, const char *source_name, const Drawer *drawer,
                       const PictureFormat *format, Sheet *sheet, char *why, size_t size) {
    *sheet = (Sheet){.drawer = drawer, .format = format, .script = tmpfile()};
    size_t length;
    FILE *words = open_memstream(&sheet->description, &length);
    bool good = sheet->script && words;
    if (good) {
        sheet->panel = drawer == &states ? plot_states_height(run->contacts, PANEL) : PANEL;
        make_titles(run, source_name, sheet);
        write_preamble(sheet);
        drawer->draw(run, sheet->script, words);
    }
    good = words && fclose(words) == 0 && good;
    if (!good) {
        snprintf(why, size, "temporary file: %s", strerror(errno));
    }
    return good;
}

bool plot_draw_svg(const PlotRun *run, const char *source_name, const char *kind,
                   PlotPicture *picture, char *why, size_t size) {
    const Drawer *drawer = find_drawer(run->scene, kind, why, size);
    Sheet sheet;
    *picture = (PlotPicture){0};
    if (!drawer) {
        return false;
    }
    if (make_sheet(run, source_name, drawer, picture_format(".svg"), &sheet, why, size)) {
        picture->svg = picture_draw(sheet.format, sheet.script, sheet.title, sheet.description,
                                    &picture->size, why, size);
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

/* Draw a run into a file. */
static bool draw_file(const PlotRun *run, const char *source_name, const Drawer *drawer,
                      const char *path, char *why, size_t size) {
    Sheet sheet;
    char reason[1024];
    bool good = make_sheet(run, source_name, drawer, picture_format(path), &sheet, why, size);
    if (good) {
        PictureStatus status = picture_write(path, sheet.script, sheet.title, sheet.description,
                                             reason, sizeof reason);
        good = status == PICTURE_WRITTEN;
        if (status == PICTURE_NOT_DRAWN) {
            snprintf(why, size, "%s", reason);
        } else if (!good) {
            snprintf(why, size, "%s: cannot be written: %s", path, reason);
        }
    }
    free_sheet(&sheet);
    return good;
}

int plot_draw_status(const Scene *scene, const char *source_name, const char *kind,
                     const char *path, char *why, size_t size) {
    const Drawer *drawer = find_drawer(scene, kind, why, size);
    if (!drawer) {
        return 2;
    }
    if (!picture_format(path)) {
        snprintf(why, size, "%s: must end in .svg, .png or .pdf", path);
        return 2;
    }
    PlotRun run;
    CaromStatus solved = plot_run_make(scene, NULL, &run, why, size);
    if (solved < 0) {
        return solution_exit_status(solved);
    }
    bool good = draw_file(&run, source_name, drawer, path, why, size);
    plot_run_free(&run);
    return good ? 0 : 2;
}

bool plot_draw(const Scene *scene, const char *source_name, const char *kind, const char *path,
               char *why, size_t size) {
    return plot_draw_status(scene, source_name, kind, path, why, size) == 0;
}
