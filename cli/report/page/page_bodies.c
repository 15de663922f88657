/* The picture of the bodies at the impact.
 *
 * Scenes have no shapes. A body whose contacts are all on normals through its centre, at the same
 * distance, is drawn as a ball. Any other is drawn as the solid box with its moments of inertia
 * (about its own axes; products of inertia are left out), a body of infinite mass as a line along
 * its surface. */
#include "report/page/page_bodies.h"

#include <math.h>

#include "io/html.h"
#include "report/words/scene_words.h"

/* Size of the picture in pixels, and the bodies up to which it can be read. */
enum { WIDTH = 520, HEIGHT = 300, BODIES_MAX = 24, NAMES_MAX = 6 };

/* A parallel projection: x to the right and another axis upwards. */
typedef struct View {
    FILE *file;
    const Scene *scene;
    int up;              /* 2: from the side; 1: from above */
    double low[2];       /* corner of what is shown */
    double scale;        /* pixels per length */
    double arrow;        /* length per velocity */
    double left, bottom; /* pixels of the corner */
} View;

static double pixel_x(const View *view, const double p[3]) {
    return view->left + view->scale * (p[0] - view->low[0]);
}

static double pixel_y(const View *view, const double p[3]) {
    return view->bottom - view->scale * (p[view->up] - view->low[1]);
}

/* The radius of a body that is drawn as a ball; 0: it is not one. */
static double ball_radius(const Scene *scene, int body) {
    double radius = 0;
    for (int i = 0; i < scene->contact_count; i++) {
        const CaromSite *site = &scene->sites[i];
        double frame[9], r[3], length = 0, along = 0;
        if ((site->first != body && site->second != body) ||
            carom_site_frame(site, frame, NULL) < 0) {
            continue;
        }
        for (int k = 0; k < 3; k++) {
            r[k] = site->point[k] - scene->bodies[body].position[k];
            length += r[k] * r[k];
            along += r[k] * frame[6 + k];
        }
        length = sqrt(length);
        bool same = radius == 0 || fabs(length - radius) < 0.02 * radius;
        if (!same || fabs(fabs(along) - length) > 1e-3 * length) {
            return 0;
        }
        radius = length;
    }
    const double *I = scene->bodies[body].inertia;
    bool round = fabs(I[0] - I[4]) < 0.02 * I[0] && fabs(I[4] - I[8]) < 0.02 * I[0];
    return round ? radius : 0;
}

/* Half the sides of the solid box with these moments: I_x = m (b^2 + c^2)/3 and so on. */
static void box_halves(const CaromBody *body, double half[3]) {
    const double *I = body->inertia;
    double sum = I[0] + I[4] + I[8], largest = 0;
    for (int k = 0; k < 3; k++) {
        half[k] = sqrt(fmax(1.5 * (sum - 2 * I[4 * k]) / body->mass, 0));
        largest = fmax(largest, half[k]);
    }
    for (int k = 0; k < 3; k++) {
        half[k] = fmax(half[k], 0.02 * largest);
    }
}

/* A corner of the box, by the signs of its number, in world axes. */
static void box_corner(const CaromBody *body, const double half[3], int corner, double point[3]) {
    const double *q = body->orientation, *u = q + 1;
    double r[3], c[3];
    for (int k = 0; k < 3; k++) {
        r[k] = (corner >> k & 1) ? half[k] : -half[k];
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        c[i] = u[j] * r[k] - u[k] * r[j] + q[0] * r[i];
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        point[i] = body->position[i] + r[i] + 2 * (u[j] * c[k] - u[k] * c[j]);
    }
}

static void draw_body(const View *view, int index) {
    static const int faces[6][4] = {{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                    {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}};
    const CaromBody *body = &view->scene->bodies[index];
    double radius = ball_radius(view->scene, index), half[3], point[3];
    if (radius > 0) {
        fprintf(view->file, "<circle class=\"body\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n",
                pixel_x(view, body->position), pixel_y(view, body->position), view->scale * radius);
        return;
    }
    box_halves(body, half);
    for (int i = 0; i < 6; i++) {
        fputs("<polygon class=\"body\" points=\"", view->file);
        for (int k = 0; k < 4; k++) {
            box_corner(body, half, faces[i][k], point);
            fprintf(view->file, "%s%.1f,%.1f", k > 0 ? " " : "", pixel_x(view, point),
                    pixel_y(view, point));
        }
        fputs("\"/>\n", view->file);
    }
}

/* A line with a head, if it is long enough to be seen. */
static void draw_arrow(const View *view, const CaromBody *body, const double velocity[3],
                       const char *kind) {
    double x = pixel_x(view, body->position), y = pixel_y(view, body->position);
    double dx = view->scale * view->arrow * velocity[0];
    double dy = -view->scale * view->arrow * velocity[view->up], length = hypot(dx, dy);
    if (length < 3) {
        return;
    }
    double ux = dx / length, uy = dy / length;
    x += dx;
    y += dy;
    fprintf(view->file, "<path class=\"%s\" d=\"M%.1f,%.1fL%.1f,%.1f\"/>\n", kind, x - dx, y - dy,
            x, y);
    fprintf(view->file, "<path class=\"after\" d=\"M%.1f,%.1fL%.1f,%.1fL%.1f,%.1f\"/>\n",
            x - 8 * ux + 4 * uy, y - 8 * uy - 4 * ux, x, y, x - 8 * ux - 4 * uy,
            y - 8 * uy + 4 * ux);
}

/* The surface of an immovable body at a contact. */
static void draw_surface(const View *view, const CaromSite *site) {
    double frame[9];
    bool fixed = isinf(view->scene->bodies[site->first].mass) ||
                 isinf(view->scene->bodies[site->second].mass);
    if (!fixed || carom_site_frame(site, frame, NULL) < 0) {
        return;
    }
    double nx = frame[6], ny = frame[6 + view->up], length = hypot(nx, ny);
    if (length < 0.1) {
        return; /* seen from above */
    }
    double x = pixel_x(view, site->point), y = pixel_y(view, site->point);
    double tx = WIDTH * ny / length, ty = WIDTH * nx / length;
    fprintf(view->file, "<path class=\"floor\" d=\"M%.1f,%.1fL%.1f,%.1f\"/>\n", x - tx, y - ty,
            x + tx, y + ty);
}

static void widen(double low[2], double high[2], double x, double y) {
    low[0] = fmin(low[0], x);
    low[1] = fmin(low[1], y);
    high[0] = fmax(high[0], x);
    high[1] = fmax(high[1], y);
}

/* Do all normals lie in the plane of x and y, not all along x? From the side such bodies would
 * cover each other. */
static bool meets_level(const Scene *scene) {
    double level = 0, rise = 0;
    for (int i = 0; i < scene->contact_count; i++) {
        const double *normal = scene->sites[i].normal;
        level = fmax(level, fabs(normal[1]));
        rise = fmax(rise, fabs(normal[2]));
    }
    return rise <= 1e-9 * level && level > 0;
}

/* Choose the projection and the scales so that bodies and arrows fit. */
static View choose_view(FILE *file, const Scene *scene, const Solution *solution) {
    View view = {.file = file, .scene = scene};
    double flat = 0, deep = 0, fastest = 0, low[2] = {INFINITY, INFINITY},
           high[2] = {-INFINITY, -INFINITY}, size = 0;
    for (int i = 0; i < scene->body_count; i++) {
        const CaromBody *body = &scene->bodies[i];
        const double *after = solution->bodies[i].velocity;
        if (isinf(body->mass)) {
            continue;
        }
        flat = fmax(flat, fmax(fabs(body->velocity[2]), fabs(after[2])));
        deep = fmax(deep, fmax(fabs(body->velocity[1]), fabs(after[1])));
        for (int k = 0; k < 3; k++) {
            fastest = fmax(fastest, fmax(fabs(body->velocity[k]), fabs(after[k])));
        }
    }
    bool moves_level = flat <= 1e-9 * fastest && deep > 1e-9 * fastest;
    view.up = moves_level || meets_level(scene) ? 1 : 2;
    for (int i = 0; i < scene->body_count; i++) {
        const CaromBody *body = &scene->bodies[i];
        double half[3], point[3], radius = isinf(body->mass) ? 0 : ball_radius(scene, i);
        if (isinf(body->mass)) {
            continue;
        }
        box_halves(body, half);
        for (int corner = 0; corner < 8; corner++) {
            if (radius > 0) {
                half[0] = half[1] = half[2] = radius;
            }
            box_corner(body, half, corner, point);
            widen(low, high, point[0], point[view.up]);
        }
    }
    size = fmax(high[0] - low[0], high[1] - low[1]);
    view.arrow = fastest > 0 ? 0.6 * size / fastest : 0;
    for (int i = 0; i < scene->body_count; i++) {
        const CaromBody *body = &scene->bodies[i];
        const double *const motions[2] = {body->velocity, solution->bodies[i].velocity};
        for (int k = 0; k < 2 && isfinite(body->mass); k++) {
            widen(low, high, body->position[0] + view.arrow * motions[k][0],
                  body->position[view.up] + view.arrow * motions[k][view.up]);
        }
    }
    view.scale = fmin((WIDTH - 60) / (high[0] - low[0]), (HEIGHT - 60) / (high[1] - low[1]));
    view.low[0] = low[0];
    view.low[1] = low[1];
    view.left = (WIDTH - view.scale * (high[0] - low[0])) / 2;
    view.bottom = (HEIGHT + view.scale * (high[1] - low[1])) / 2;
    return view;
}

/* From the centre of a body that is not drawn as a ball to its contact. */
static void draw_lever(const View *view, int body, const double point[3]) {
    const CaromBody *owner = &view->scene->bodies[body];
    if (isfinite(owner->mass) && ball_radius(view->scene, body) == 0) {
        fprintf(view->file, "<path class=\"lever\" d=\"M%.1f,%.1fL%.1f,%.1f\"/>\n",
                pixel_x(view, owner->position), pixel_y(view, owner->position),
                pixel_x(view, point), pixel_y(view, point));
    }
}

static void draw(const View *view, const Solution *solution) {
    const Scene *scene = view->scene;
    for (int i = 0; i < scene->contact_count; i++) {
        const CaromSite *site = &scene->sites[i];
        draw_surface(view, site);
        draw_lever(view, site->first, site->point);
        draw_lever(view, site->second, site->point);
    }
    for (int i = 0; i < scene->body_count; i++) {
        if (isfinite(scene->bodies[i].mass)) {
            draw_body(view, i);
        }
    }
    for (int i = 0; i < scene->body_count; i++) {
        if (isfinite(scene->bodies[i].mass)) {
            draw_arrow(view, &scene->bodies[i], scene->bodies[i].velocity, "before");
            draw_arrow(view, &scene->bodies[i], solution->bodies[i].velocity, "after");
        }
    }
    for (int i = 0; i < scene->contact_count; i++) {
        fprintf(view->file, "<circle class=\"contact\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n",
                pixel_x(view, scene->sites[i].point), pixel_y(view, scene->sites[i].point));
    }
}

/* The cosine of the angle between a direction in the picture and a velocity; -1 if there is none.
 */
static double along(const View *view, const double direction[2], const double velocity[3]) {
    double x = velocity[0], y = velocity[view->up], size = hypot(x, y);
    return size > 0 ? (direction[0] * x + direction[1] * y) / size : -1;
}

/* Beside the centre of a body, at the corner that is farthest from its arrows. */
static void write_name(const View *view, int i, const double after[3]) {
    static const double corners[4][2] = {{1, 0.5}, {-1, 0.5}, {1, -0.5}, {-1, -0.5}};
    const CaromBody *body = &view->scene->bodies[i];
    int best = 0;
    double least = INFINITY;
    for (int k = 0; k < 4; k++) {
        double near = fmax(along(view, corners[k], body->velocity), along(view, corners[k], after));
        if (near < least) {
            least = near;
            best = k;
        }
    }
    bool right = corners[best][0] > 0, above = corners[best][1] > 0;
    fprintf(view->file, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">",
            pixel_x(view, body->position) + (right ? 8 : -8),
            pixel_y(view, body->position) + (above ? -6 : 15), right ? "start" : "end");
    html_text(view->file, report_name(view->scene->body_names[i]).text);
    fputs("</text>\n", view->file);
}

/* The names of few bodies. */
static void write_names(const View *view, const Solution *solution) {
    const Scene *scene = view->scene;
    for (int i = 0; i < scene->body_count && scene->body_count <= NAMES_MAX; i++) {
        if (isfinite(scene->bodies[i].mass)) {
            write_name(view, i, solution->bodies[i].velocity);
        }
    }
}

void page_bodies(FILE *file, const ReportPage *page) {
    const Scene *scene = page->scene;
    if (scene->source != SCENE_BODIES || scene->body_count > BODIES_MAX) {
        return;
    }
    View view = choose_view(file, scene, page->solution);
    if (!isfinite(view.scale) || !(view.scale > 0)) {
        return;
    }
    const char *side = view.up == 2 ? "from the side, x to the right and z up"
                                    : "from above, x to the right and y up";
    fputs("<figure class=\"bodies\">\n<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
          "viewBox=\"0 0 520 300\" aria-label=\"",
          file);
    fprintf(
        file,
        "The bodies at the impact, %s, with their velocities before and after\">\n"
        "<style>.body{fill:var(--mark);fill-opacity:.12;stroke:var(--quiet)}"
        ".lever{stroke:var(--quiet);stroke-dasharray:1 3}.floor{stroke:var(--quiet);stroke-width:2}"
        ".before,.after{fill:none;stroke:var(--mark);stroke-width:2}"
        ".before{stroke-dasharray:5 4}.contact{fill:var(--warn)}"
        ".bodies text{fill:var(--text);font-size:13px}</style>\n",
        side);
    draw(&view, page->solution);
    write_names(&view, page->solution);
    fprintf(
        file,
        "</svg>\n<figcaption>The bodies at the impact, %s. Arrows: velocity before (dashed) and "
        "after. Dots: contacts. A scene has no shapes: bodies are "
        "drawn as balls, or as boxes with their moments of inertia.</figcaption>\n"
        "</figure>\n",
        side);
}
