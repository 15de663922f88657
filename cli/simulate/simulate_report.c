/* Reports of a simulation: as text and as JSON. */
#include "simulate/simulate_report.h"

#include <math.h>
#include <stdio.h>

#include "base/json_write.h"
#include "base/words.h"
#include "report/text/scene_text.h"

/* Text: two lines per impact, before and after. */

/* Of more vertices at once only their number is shown. */
enum { VERTICES_LISTED = 6 };

static void print_heading(FILE *file, const SimulateScene *simulate, const CaromOptions *options) {
    report_heading(file, &simulate->scene, options->method, options->scheme.as_printed);
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

/* "vertex 3, csr, ", or "vertices 1 3 5 7, " (of many their number). */
static Words vertex_words(const SimulateImpact *impact) {
    if (impact->vertex_count == 0) {
        Words words = impact->vertex >= 0 ? words_of("vertex %d, ", impact->vertex) : (Words){""};
        words_add(&words, "%s, ", impact->sequence);
        return words;
    }
    if (impact->vertex_count > VERTICES_LISTED) {
        return words_of("%d vertices at once, ", impact->vertex_count);
    }
    Words words = words_of("vertices");
    for (int i = 0; i < impact->vertex_count; i++) {
        words_add(&words, " %d", impact->vertices[i]);
    }
    words_add(&words, ", ");
    return words;
}

static void print_impact(FILE *file, const SimulateImpact *impact, double length) {
    const CaromBody *before = &impact->before, *after = &impact->after;
    double speed = fmax(size(before->velocity), size(after->velocity));
    double spin = fmax(size(before->angular_velocity), size(after->angular_velocity));
    spin = fmax(spin, speed / length);
    fprintf(file, "%4d %10.6g ", impact->bounce, impact->time);
    print_vector(file, impact->point, length + size(before->position));
    fputs("  before", file);
    print_vector(file, before->velocity, speed);
    fputc(' ', file);
    print_vector(file, before->angular_velocity, spin);
    double lost = carom_body_energy(before) - carom_body_energy(after);
    Words what = vertex_words(impact);
    words_add(&what, "%s %.6g", impact->status == CAROM_ENERGY_GAIN ? "gained" : "lost",
              fabs(lost));
    fprintf(file, "\n     %-44s  after ", what.text);
    print_vector(file, after->velocity, speed);
    fputc(' ', file);
    print_vector(file, after->angular_velocity, spin);
    fputc('\n', file);
}

/* Pieces of contact after a number of bounces. */
static void print_contacts(FILE *file, const SimulateScene *scene, const SimulateRun *run,
                           int bounces, size_t *piece) {
    static const char *const words[] = {[CAROM_PHASE_SLIDING] = "slides",
                                        [CAROM_PHASE_ROLLING] = "rolls",
                                        [CAROM_PHASE_SPINNING] = "spins on the spot",
                                        [CAROM_PHASE_LASTING] =
                                            "stays in touch: slides, sticks or tips over"};
    for (; *piece < run->piece_count && run->pieces[*piece].bounces <= bounces; ++*piece) {
        const SimulatePiece *now = &run->pieces[*piece];
        if (now->phase != CAROM_PHASE_FLIGHT && now->to > now->from) {
            const double *n = scene->plane.normal, *w = now->first.angular_velocity;
            bool spins = now->phase == CAROM_PHASE_SLIDING || now->phase == CAROM_PHASE_ROLLING;
            spins = spins && n[0] * w[0] + n[1] * w[1] + n[2] * w[2] != 0;
            fprintf(file, "     %10.6g  %s%s until %.6g\n", now->from, words[now->phase],
                    spins ? " and spins" : "", now->to);
        }
    }
}

static void print_end(FILE *file, const SimulateRun *run, double length) {
    const CaromBody *body = &run->last;
    fprintf(file, "\n%d bounce%s", run->impact_count, run->impact_count == 1 ? "" : "s");
    fprintf(file, "; ends at time %.6g: %s", run->time, simulate_end_words(run->end));
    if (run->end == SIMULATE_DIED_OUT) {
        fprintf(file, ", %s", run->message[0] ? run->message : "for ever");
    }
    fputs(".\n", file);
    double speed = size(body->velocity), spin = fmax(size(body->angular_velocity), speed / length);
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
    size_t piece = 0;
    for (int i = 0; i < run->impact_count; i++) {
        print_contacts(file, scene, run, i, &piece);
        print_impact(file, &run->impacts[i], length);
    }
    print_contacts(file, scene, run, run->impact_count, &piece);
    print_end(file, run, length);
}

/* JSON. */

static json_t *motion_object(const CaromBody *body) {
    return json_pack("{s:o, s:o}", "velocity", json_write_numbers(body->velocity, 3),
                     "angular_velocity", json_write_numbers(body->angular_velocity, 3));
}

static json_t *energy_object(const SimulateImpact *impact) {
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "before",
                     json_write_number(carom_body_energy(&impact->before)), "after",
                     json_write_number(carom_body_energy(&impact->after)), "normal_loss",
                     json_write_number(impact->energy.normal_loss), "friction_loss",
                     json_write_number(impact->energy.friction_loss), "residual",
                     json_write_number(impact->energy.residual));
}

/* Several vertices at once. */
static void add_vertices(json_t *object, const SimulateImpact *impact) {
    json_t *vertices = json_array(), *impulses = json_array();
    for (int i = 0; i < impact->vertex_count; i++) {
        json_array_append_new(vertices, json_integer(impact->vertices[i]));
        json_array_append_new(impulses, json_write_numbers(&impact->impulses[3 * i], 3));
    }
    json_object_set_new(object, "model", json_string(scene_model_names[impact->model]));
    json_object_set_new(object, "vertices", vertices);
    json_object_set_new(object, "impulses", impulses);
}

static json_t *impact_object(const SimulateImpact *impact) {
    json_t *object =
        json_pack("{s:i, s:o}", "bounce", impact->bounce, "time", json_write_number(impact->time));
    if (impact->vertex_count > 0) {
        add_vertices(object, impact);
    } else if (impact->vertex >= 0) {
        json_object_set_new(object, "vertex", json_integer(impact->vertex));
    }
    json_t *rest = json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:o}", "status",
        carom_status_string(impact->status), "point", json_write_numbers(impact->point, 3),
        "position", json_write_numbers(impact->before.position, 3), "orientation",
        json_write_numbers(impact->before.orientation, 4), "before", motion_object(&impact->before),
        "after", motion_object(&impact->after), "impulse", json_write_numbers(impact->impulse, 3),
        "sequence", impact->sequence, "energy", energy_object(impact));
    json_object_update(object, rest);
    json_decref(rest);
    return object;
}

/* Pieces of contact, in order of time. */
static json_t *contact_list(const SimulateRun *run) {
    json_t *list = json_array();
    for (size_t i = 0; i < run->piece_count; i++) {
        const SimulatePiece *piece = &run->pieces[i];
        if (piece->phase == CAROM_PHASE_FLIGHT || !(piece->to > piece->from)) {
            continue;
        }
        json_array_append_new(
            list,
            json_pack("{s:s, s:o, s:o, s:i, s:o, s:o, s:o, s:o}", "phase",
                      carom_phase_string(piece->phase), "from", json_write_number(piece->from),
                      "to", json_write_number(piece->to), "bounces", piece->bounces, "position",
                      json_write_numbers(piece->first.position, 3), "orientation",
                      json_write_numbers(piece->first.orientation, 4), "velocity",
                      json_write_numbers(piece->first.velocity, 3), "angular_velocity",
                      json_write_numbers(piece->first.angular_velocity, 3)));
    }
    return list;
}

static json_t *end_object(const SimulateRun *run) {
    const CaromBody *body = &run->last;
    return json_pack("{s:s, s:o, s:i, s:o, s:o, s:o, s:o}", "reason", simulate_end_name(run->end),
                     "time", json_write_number(run->time), "bounces", run->impact_count, "position",
                     json_write_numbers(body->position, 3), "orientation",
                     json_write_numbers(body->orientation, 4), "velocity",
                     json_write_numbers(body->velocity, 3), "angular_velocity",
                     json_write_numbers(body->angular_velocity, 3));
}

bool simulate_json(FILE *file, const SimulateScene *scene, const SimulateRun *run) {
    json_t *line = json_object(), *impacts = json_array();
    for (int i = 0; i < run->impact_count; i++) {
        json_array_append_new(impacts, impact_object(&run->impacts[i]));
    }
    json_object_set_new(line, "status", json_string(carom_status_string(run->status)));
    if (run->message[0]) {
        json_object_set_new(line, "message", json_string(run->message));
    }
    json_object_set_new(line, "model", json_string(scene_model_names[scene->scene.model]));
    json_object_set_new(line, "impacts", impacts);
    json_object_set_new(line, "phases", contact_list(run));
    json_object_set_new(line, "end", end_object(run));
    return json_write_line(file, line);
}
