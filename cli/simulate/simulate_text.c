/* A simulation as text: two lines per impact, before and after. */
#include "simulate/simulate_text.h"

#include <math.h>

#include "base/words.h"
#include "report/text/scene_text.h"

static void print_heading(FILE *file, const SimulateScene *simulate, const CaromOptions *options) {
    report_heading(file, &simulate->scene, options->method, options->as_printed);
    report_contact(file, "Contact", &simulate->scene, 0);
    const double *g = simulate->gravity;
    fprintf(file, "\nGravity        (%g, %g, %g)\n", g[0], g[1], g[2]);
}

/* Rounding errors become 0. */
static double plain(double x, double scale) {
    return fabs(x) < 1e-13 * scale ? 0 : x;
}

static double size(const double a[3]) {
    return fmax(fabs(a[0]), fmax(fabs(a[1]), fabs(a[2])));
}

static void print_vector(FILE *file, const double a[3], double scale) {
    for (int i = 0; i < 3; i++) {
        fprintf(file, " %10.6g", plain(a[i], scale));
    }
}

static void print_impact(FILE *file, const SimulateImpact *impact, double length) {
    const CaromBody *before = &impact->before, *after = &impact->after;
    double speed = fmax(size(before->velocity), size(after->velocity));
    double spin = fmax(size(before->angular_velocity), size(after->angular_velocity));
    fprintf(file, "%4d %10.6g ", impact->bounce, impact->time);
    print_vector(file, impact->point, length + size(before->position));
    fputs("  before", file);
    print_vector(file, before->velocity, speed);
    fputc(' ', file);
    print_vector(file, before->angular_velocity, spin);
    double lost = carom_body_energy(before) - carom_body_energy(after);
    Words what = impact->vertex >= 0 ? words_of("vertex %d, ", impact->vertex) : (Words){""};
    words_add(&what, "%s, %s %.6g", impact->sequence,
              impact->status == CAROM_ENERGY_GAIN ? "gained" : "lost", fabs(lost));
    fprintf(file, "\n     %-44s  after ", what.text);
    print_vector(file, after->velocity, speed);
    fputc(' ', file);
    print_vector(file, after->angular_velocity, spin);
    fputc('\n', file);
}

static void print_end(FILE *file, const SimulateRun *run) {
    const CaromBody *body = &run->last;
    fprintf(file, "\n%d bounce%s", run->bounce_count, run->bounce_count == 1 ? "" : "s");
    if (run->impact_count > run->bounce_count) {
        fprintf(file, ", %d impacts", run->impact_count);
    }
    fprintf(file, "; ends at time %.6g: %s.\n", run->time, simulate_end_words(run->end));
    double speed = size(body->velocity), spin = size(body->angular_velocity);
    const struct {
        const char *name;
        const double *values;
        double scale;
    } rows[] = {{"position", body->position, size(body->position)},
                {"velocity", body->velocity, speed},
                {"angular velocity", body->angular_velocity, spin}};
    for (int i = 0; i < 3; i++) {
        fprintf(file, "  %-18s", rows[i].name);
        print_vector(file, rows[i].values, rows[i].scale);
        fputc('\n', file);
    }
    const double *q = body->orientation;
    fprintf(file, "  %-18s %10.6g %10.6g %10.6g %10.6g\n", "orientation", plain(q[0], 1),
            plain(q[1], 1), plain(q[2], 1), plain(q[3], 1));
    double before = carom_body_energy(&run->start), after = carom_body_energy(body);
    fprintf(file, "  %-18s %10.6g (%.6g at the start)\n", "kinetic energy", after, before);
}

void simulate_text(FILE *file, const SimulateScene *scene, const CaromOptions *options,
                   const SimulateRun *run) {
    print_heading(file, scene, options);
    double length = scene->shape.radius;
    for (int i = 0; i < scene->shape.vertex_count; i++) {
        length = fmax(length, size(&scene->vertices[3 * i]));
    }
    if (run->impact_count > 0) {
        fprintf(file, "\n%4s %10s  %-33s  %-6s %-33s  %s\n", "", "time",
                " point; what happened, energy lost", "", " velocity (x, y, z)",
                " angular velocity");
    }
    for (int i = 0; i < run->impact_count; i++) {
        print_impact(file, &run->impacts[i], length);
    }
    print_end(file, run);
}
