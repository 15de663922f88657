/* The part of a scene's page about the scene itself. */
#include "report/page/page_given.h"

#include <math.h>

#include "io/html.h"
#include "report/words/scene_words.h"

/* Digits of numbers, and the largest matrix that is shown; the page carries the scene with all of
 * it. */
enum { DIGITS = 6, MATRIX_SIZE = 12 };

/* The optional columns of the contacts' table. */
typedef struct Columns {
    bool at_rest, stiffness, ratio, place;
} Columns;

static Columns find_columns(const Scene *scene) {
    Columns columns = {.stiffness =
                           scene->contact_count > 1 && scene->model == CAROM_MODEL_COMPLIANT,
                       .ratio = scene->model == CAROM_MODEL_COMPLIANT &&
                                (scene->contact_count == 1 || scene_has_friction(scene)),
                       .place = scene->source == SCENE_BODIES};
    for (int i = 0; i < scene->contact_count; i++) {
        const CaromContact *contact = &scene->contacts[i];
        columns.at_rest = columns.at_rest || contact->mu_static > contact->mu;
    }
    return columns;
}

static void begin_contacts(FILE *file, const Columns *columns) {
    const char *titles[9];
    int count = 0;
    titles[count++] = "Contact";
    titles[count++] = "friction mu";
    if (columns->at_rest) {
        titles[count++] = "mu at rest";
    }
    titles[count++] = "restitution e";
    if (columns->stiffness) {
        titles[count++] = "stiffness";
    }
    if (columns->ratio) {
        titles[count++] = "stiffness ratio";
    }
    if (columns->place) {
        titles[count++] = "point";
        titles[count++] = "normal n";
        titles[count++] = "tangent t1";
    }
    html_table_begin(file, NULL, titles, count);
}

static void write_contact(FILE *file, const Scene *scene, int index, const Columns *columns) {
    const CaromContact *contact = &scene->contacts[index];
    Words pair = report_pair(scene, index);
    html_row_begin(file, scene->contact_count > 1 ? page_contact_title(scene, index).text
                         : pair.text[0]           ? pair.text
                                                  : "the contact");
    html_cell_number(file, contact->mu, DIGITS);
    if (columns->at_rest) {
        html_cell_number(file, contact->mu_static, DIGITS);
    }
    html_cell_number(file, contact->e, DIGITS);
    if (columns->stiffness && isinf(contact->stiffness)) {
        html_cell_number_text(file, "infinite");
    } else if (columns->stiffness) {
        html_cell_number(file, fmax(contact->stiffness, 0), DIGITS);
    }
    if (columns->ratio) {
        html_cell_number(file, contact->stiffness_ratio, DIGITS);
    }
    double frame[9];
    if (columns->place && carom_site_frame(&scene->sites[index], frame, NULL) >= 0) {
        html_cell_vector(file, scene->sites[index].point, 3, DIGITS);
        html_cell_vector(file, &frame[6], 3, DIGITS);
        html_cell_vector(file, &frame[0], 3, DIGITS);
    }
    html_row_end(file);
}

static void write_contacts(FILE *file, const Scene *scene) {
    Columns columns = find_columns(scene);
    Words summary = words_of("%d contacts", scene->contact_count);
    if (report_is_alike(scene)) {
        words_add(&summary, ", each %s", report_coefficient_words(scene, 0).text);
    }
    page_fold_begin(file, scene->contact_count, summary.text);
    begin_contacts(file, &columns);
    for (int i = 0; i < scene->contact_count && i < PAGE_ROWS; i++) {
        write_contact(file, scene, i, &columns);
    }
    html_table_end(file);
    page_more(file, scene->contact_count, "contacts");
    page_fold_end(file, scene->contact_count);
}

/* Principal moments where the body's axes are principal, else the six moments and products. */
static void write_inertia(FILE *file, const double inertia[9]) {
    const double *I = inertia;
    if (I[1] == 0 && I[2] == 0 && I[5] == 0) {
        html_cell_vector(file, (const double[3]){I[0], I[4], I[8]}, 3, DIGITS);
        return;
    }
    fprintf(file, "<td class=\"vector\">xx %.6g, yy %.6g, zz %.6g, xy %.6g, xz %.6g, yz %.6g</td>",
            I[0], I[4], I[8], I[1], I[2], I[5]);
}

static bool is_any_turned(const Scene *scene) {
    for (int i = 0; i < scene->body_count; i++) {
        if (fabs(scene->bodies[i].orientation[0]) < 1) {
            return true;
        }
    }
    return false;
}

/* An immovable body at rest, such as a floor. */
static bool stands_still(const CaromBody *body) {
    bool still = isinf(body->mass);
    for (int k = 0; k < 3; k++) {
        still = still && body->velocity[k] == 0 && body->angular_velocity[k] == 0;
    }
    return still;
}

static void write_body(FILE *file, const Scene *scene, int index, bool turned) {
    const CaromBody *body = &scene->bodies[index];
    const double *const state[] = {body->position, body->orientation, body->velocity,
                                   body->angular_velocity};
    static const int sizes[] = {3, 4, 3, 3};
    html_row_begin(file, scene->body_names[index]);
    if (isinf(body->mass)) {
        html_cell_number_text(file, "infinite");
        html_cell_number_text(file, "");
    } else {
        html_cell_number(file, body->mass, DIGITS);
        if (scene_body_turns(body)) {
            write_inertia(file, body->inertia);
        } else {
            const double *a = body->guide;
            fprintf(file, "<td class=\"vector\">guided along (%.6g, %.6g, %.6g)</td>", a[0], a[1],
                    a[2]);
        }
    }
    for (int i = 0; i < 4; i++) {
        if (state[i] == body->orientation && !turned) {
            continue;
        }
        if (stands_still(body)) {
            html_cell_number_text(file, "");
        } else {
            html_cell_vector(file, state[i], sizes[i], DIGITS);
        }
    }
    html_row_end(file);
}

static void write_bodies(FILE *file, const Scene *scene) {
    static const char *const titles[] = {"Body",     "mass",     "inertia",
                                         "position", "velocity", "angular velocity"};
    static const char *const more[] = {"Body",        "mass",     "inertia",         "position",
                                       "orientation", "velocity", "angular velocity"};
    bool turned = is_any_turned(scene);
    page_fold_begin(file, scene->body_count, words_of("%d bodies", scene->body_count).text);
    html_table_begin(file, NULL, turned ? more : titles, turned ? 7 : 6);
    for (int i = 0; i < scene->body_count && i < PAGE_ROWS; i++) {
        write_body(file, scene, i, turned);
    }
    html_table_end(file);
    page_more(file, scene->body_count, "bodies");
    fprintf(
        file,
        "<p class=\"quiet\">Inertia about the centre of mass in the body's own axes%s; all else in "
        "world axes.</p>\n",
        turned ? ", which the orientation (w, x, y, z) turns into the world's" : "");
    page_fold_end(file, scene->body_count);
}

/* A matrix with a title for every row and column. */
static void write_matrix(FILE *file, const char *caption, const double *A, int rows, int columns,
                         const Words *row_titles, const Words *column_titles) {
    const char *titles[MATRIX_SIZE + 1] = {""};
    for (int k = 0; k < columns; k++) {
        titles[k + 1] = column_titles[k].text;
    }
    html_table_begin(file, caption, titles, columns + 1);
    for (int i = 0; i < rows; i++) {
        html_row_begin(file, row_titles[i].text);
        for (int k = 0; k < columns; k++) {
            html_cell_number(file, A[i * columns + k], DIGITS);
        }
        html_row_end(file);
    }
    html_table_end(file);
}

/* "t1", or with several contacts "0 t1" with a no-break space. */
static void name_rows(const Scene *scene, Words names[MATRIX_SIZE]) {
    static const char *const spatial[] = {"t1", "t2", "n"}, *const planar[] = {"t", "n"};
    int rows = scene_rows(scene);
    for (int i = 0; i < rows * scene->contact_count && i < MATRIX_SIZE; i++) {
        const char *axis = scene->planar ? planar[i % rows] : spatial[i % rows];
        names[i] = scene->contact_count > 1 ? words_of("%d\u00A0%s", i / rows, axis)
                                            : words_of("%s", axis);
    }
}

static void write_system(FILE *file, const Scene *scene) {
    const SceneSystem *system = &scene->system;
    int size = system->speed_count, rows = scene_rows(scene) * scene->contact_count;
    Words names[MATRIX_SIZE], speeds[MATRIX_SIZE];
    fprintf(file, "<p>A mechanism with %d generalised speed%s.</p>\n", size, size > 1 ? "s" : "");
    if (size > MATRIX_SIZE || rows > MATRIX_SIZE) {
        fputs("<p class=\"quiet\">Its mass matrix and Jacobians are in the scene.</p>\n", file);
        return;
    }
    name_rows(scene, names);
    for (int i = 0; i < size; i++) {
        speeds[i] = words_of("u[%d]", i);
    }
    write_matrix(file, "Mass matrix", system->mass_matrix, size, size, speeds, speeds);
    write_matrix(file, scene->contact_count > 1 ? "Jacobians" : "Jacobian", system->jacobian, rows,
                 size, names, speeds);
    write_matrix(file, "Generalised speeds before", system->speeds, 1, size, &(Words){"u"}, speeds);
}

static void write_contact_space(FILE *file, const Scene *scene) {
    int size = scene_rows(scene) * scene->contact_count;
    Words names[MATRIX_SIZE];
    if (size > MATRIX_SIZE) {
        fputs("<p class=\"quiet\">The inverse inertia matrix and the velocity before are in the "
              "scene.</p>\n",
              file);
        return;
    }
    name_rows(scene, names);
    write_matrix(file, "Inverse inertia at the contacts, W", scene->inverse_inertia, size, size,
                 names, names);
    write_matrix(file, "Velocity before", scene->velocity, 1, size, &(Words){"v"}, names);
}

void page_given(FILE *file, const ReportPage *page) {
    const Scene *scene = page->scene;
    html_between(file, "<h2>Given</h2>\n<p>Model: ",
                 report_model_words(scene, page->solution->method, page->solution->as_printed).text,
                 ".</p>\n");
    if (scene->units.length[0]) {
        html_between(file, "<p>Units: ", report_units_words(&scene->units).text, ".</p>\n");
    }
    write_contacts(file, scene);
    if (scene->source == SCENE_BODIES) {
        write_bodies(file, scene);
    } else if (scene->source == SCENE_SYSTEM) {
        write_system(file, scene);
    } else {
        write_contact_space(file, scene);
    }
}
