/* What happened, for people to read. */
#include <math.h>
#include <string.h>

#include "report.h"
#include "report_heading.h"
#include "report_parts.h"
#include "text.h"

/* With more contacts than this, those that are alike have one line. */
enum { CONTACTS_LISTED = 8 };

PlainName report_name(const char *name) {
    PlainName plain;
    size_t length = strlen(name);
    if (length >= sizeof plain.text) {
        length = sizeof plain.text - 1;
        while (length > 0 && ((unsigned char)name[length] & 0xC0) == 0x80) {
            length--; /* not in the middle of a character */
        }
    }
    memcpy(plain.text, name, length);
    plain.text[length] = '\0';
    text_make_plain(plain.text);
    return plain;
}

bool report_is_alike(const Scene *scene) {
    const CaromContact *a = &scene->contacts[0];
    for (int i = 1; i < scene->contact_count; i++) {
        const CaromContact *b = &scene->contacts[i];
        if (a->mu != b->mu || a->mu_static != b->mu_static || a->e != b->e ||
            a->stiffness != b->stiffness || a->stiffness_ratio != b->stiffness_ratio) {
            return false;
        }
    }
    return true;
}

Words report_pair(const Scene *scene, int contact) {
    Words words = {""};
    if (scene->source != SCENE_BODIES) {
        return words;
    }
    int rows = scene_rows(scene);
    double normal = scene->velocity[rows * contact + rows - 1], largest = 0;
    for (int i = 0; i < rows * scene->contact_count; i++) {
        largest = fmax(largest, fabs(scene->velocity[i]));
    }
    /* a contact at rest has the rounding of W */
    bool rests = scene->contact_count > 1 && !(normal < -1e-12 * largest);
    const CaromSite *site = &scene->sites[contact];
    snprintf(words.text, sizeof words.text, "%s %s %s",
             report_name(scene->body_names[site->first]).text, rests ? "touches" : "hits",
             report_name(scene->body_names[site->second]).text);
    return words;
}

void report_scene(FILE *file, const Scene *scene, CaromMethod method, bool as_printed) {
    report_heading(file, scene, method, as_printed);
    if (scene->contact_count > CONTACTS_LISTED && report_is_alike(scene)) {
        char title[32];
        snprintf(title, sizeof title, "%d contacts", scene->contact_count);
        report_contact(file, title, scene, 0);
        fputs(" each\n", file);
        return;
    }
    for (int i = 0; i < scene->contact_count; i++) {
        char title[32] = "Contact";
        if (scene->contact_count > 1) {
            snprintf(title, sizeof title, "Contact %d", i);
        }
        report_contact(file, title, scene, i);
        Words pair = report_pair(scene, i);
        fprintf(file, "%s%s\n", pair.text[0] ? "; " : "", pair.text);
    }
}

Words report_slip_words(const Scene *scene, const Solution *solution) {
    const SlipGeometry *slip = &solution->slip;
    const CaromContact *contact = &scene->contacts[0];
    Words words = {""};
    if (slip->known && isfinite(slip->stick_ratio)) {
        bool sticks = slip->stick_ratio <= contact->mu_static;
        snprintf(words.text, sizeof words.text, "%s: %s = %.6g %s %g",
                 sticks ? "sticks once slip has stopped" : "slips again once slip has stopped",
                 scene->planar ? "|W_tn/W_tt|" : "|B^-1 d|", slip->stick_ratio, sticks ? "<=" : ">",
                 contact->mu_static);
    }
    return words;
}

Words report_accuracy_words(const CaromResult *result) {
    Words words;
    char error[80] = "This method does not estimate its error";
    if (isfinite(result->error)) {
        snprintf(error, sizeof error, "Estimated relative error %.1e", result->error);
    }
    snprintf(words.text, sizeof words.text, "%s; the energy account closes to %.1e.", error,
             fabs(result->energy.residual));
    return words;
}

Words report_warning_words(const Scene *scene, const CaromResult *result) {
    Words words = {""};
    if (result->status == CAROM_ENERGY_GAIN) {
        snprintf(words.text, sizeof words.text,
                 "Warning: energy_gain: the %s law created energy here; no real impact does.",
                 scene_law_name(scene->law));
    } else if (result->status < 0) {
        snprintf(words.text, sizeof words.text, "Warning: %s: %s",
                 carom_status_string(result->status), result->message);
    }
    return words;
}

Words report_solutions_words(const CaromResult *result) {
    Words words = {""};
    if (result->solutions == CAROM_SOLUTIONS_CONTINUUM) {
        snprintf(words.text, sizeof words.text, "Not the only solution: %s.", result->message);
    } else if (result->solutions > 1) {
        snprintf(words.text, sizeof words.text,
                 "One of %d solutions found: this one has the least kinetic energy after.",
                 result->solutions);
    }
    return words;
}

void report_text(FILE *file, const Scene *scene, const Solution *solution) {
    const CaromResult *result = &solution->result;
    report_scene(file, scene, solution->method, solution->as_printed);
    Words slip = report_slip_words(scene, solution);
    if (slip.text[0]) {
        fprintf(file, "               %s\n", slip.text);
    }
    if (scene_has_process(scene)) {
        (scene->contact_count > 1 ? report_course_several : report_course)(file, scene, solution);
    }
    report_contacts(file, scene, solution);
    report_motion(file, scene, solution);
    report_energy(file, scene, solution);
    fprintf(file, "\n%s\n", report_accuracy_words(result).text);
    Words warning = report_warning_words(scene, result);
    if (warning.text[0]) {
        fprintf(file, "%s\n", warning.text);
    }
    Words solutions = report_solutions_words(result);
    if (solutions.text[0]) {
        fprintf(file, "%s\n", solutions.text);
    }
}
