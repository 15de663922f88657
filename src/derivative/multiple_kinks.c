/* Samples along each piece; minima between them by golden section. */
#include "derivative/multiple_kinks.h"

#include <string.h>

#include "derivative/multiple_moment.h"
#include "derivative/multiple_nodes.h"
#include "math/functions.h"
#include "multiple/pace.h"

/* Samples of a piece, which is at most some tenths of a period. */
enum { SCAN_SAMPLES = 8 };

/* Steps that find a minimum to the root of the rounding: it counts with its square. */
enum { GOLDEN_STEPS = 40 };

/* Candidates at more than this part of their size are far. */
static const double FAR_PART = 0.5;

typedef struct Scan {
    Adjoint *adjoint;
    int piece;
    LinkScan *links;
    Candidate *list;
    int count;
} Scan;

/* The number of a probe at x of the piece in hand: mu N - |f|, |v_n| or N. */
static double probe_value(const Adjoint *adjoint, ProbeKind kind, int i, double x) {
    const Given *given = &adjoint->network->given;
    double *F = adjoint->nodes->F_now, *v = adjoint->nodes->v_now;
    int t = given->materials[i].row, n = normal_row(given, i);
    crm_nodes_look(adjoint, x, F, v, NULL);
    double f = given->rows > 2 ? hypot(F[t], F[t + 1]) : given->rows > 1 ? fabs(F[t]) : 0;
    return kind == PROBE_CONE    ? given->materials[i].mu * F[n] - f
           : kind == PROBE_SPEED ? fabs(v[n])
                                 : F[n];
}

/* Keep the nearest, of each kind and link one. */
static void keep_candidate(Scan *scan, Candidate candidate) {
    int at = -1;
    if (!(candidate.part < FAR_PART) || !(candidate.phi > 0)) {
        return;
    }
    for (int i = 0; i < scan->count && at < 0; i++) {
        const Candidate *other = &scan->list[i];
        int same = other->kind == candidate.kind && other->probe.link == candidate.probe.link &&
                   other->happens == candidate.happens;
        at = same ? i : -1;
    }
    if (at < 0 && scan->count < CANDIDATES_MOST) {
        scan->list[scan->count++] = candidate;
        return;
    }
    for (int i = 0; i < scan->count && at < 0; i++) {
        int farthest = 1;
        for (int j = 0; j < scan->count; j++) {
            farthest &= scan->list[j].part <= scan->list[i].part;
        }
        at = farthest ? i : -1;
    }
    if (scan->list[at].part > candidate.part) {
        scan->list[at] = candidate;
    }
}

/* The next sample. 1: the one before it was a minimum, at valley->piece and valley->x. */
static int valley_passed(Valley *valley, double value, double x, int piece) {
    int passed = valley->count >= 2 && valley->value[1] < valley->value[0] &&
                 valley->value[1] <= value && value > valley->value[1];
    double before = valley->x;
    int where = valley->piece;
    valley->value[0] = valley->value[1];
    valley->value[1] = value;
    valley->x = x;
    valley->piece = piece;
    valley->count++;
    if (passed) {
        valley->x = where == piece ? before : 0;
    }
    return passed;
}

/* The minimum next to x in the piece in hand, of the number times sign. */
static double refine_valley(const Scan *scan, ProbeKind kind, int i, double sign, double x,
                            double *at) {
    const double section = 0.6180339887498949;
    double end = scan->adjoint->network->piece.moment, width = end / SCAN_SAMPLES;
    double a = fmax(x - width, 0), b = fmin(x + width, end);
    for (int k = 0; k < GOLDEN_STEPS; k++) {
        double c = b - section * (b - a), d = a + section * (b - a);
        double left = probe_value(scan->adjoint, kind, i, c);
        if (sign * left < sign * probe_value(scan->adjoint, kind, i, d)) {
            b = d;
        } else {
            a = c;
        }
    }
    *at = (a + b) / 2;
    return probe_value(scan->adjoint, kind, i, *at);
}

/* A number of link i at a sample; notes a minimum that has passed. */
static void follow_valley(Scan *scan, Valley *valley, ProbeKind kind, int i, double value,
                          double size, double x) {
    if (!valley_passed(valley, value, x, scan->piece)) {
        return;
    }
    double at = valley->x, phi = valley->value[0];
    if (phi < FAR_PART * size) {
        phi = refine_valley(scan, kind, i, 1, at, &at);
    }
    valley->x = x;
    const Material *material = &scan->adjoint->network->given.materials[i];
    Candidate candidate = {.probe = {kind, scan->piece, i, at}, .phi = phi, .part = phi / size};
    candidate.kind = kind == PROBE_CONE    ? CAROM_KINK_STICK_HOLDS
                     : kind == PROBE_SPEED ? CAROM_KINK_RESTART
                                           : CAROM_KINK_TOUCH;
    candidate.happens = kind != PROBE_SPEED;
    candidate.jumps = kind == PROBE_SPEED || (kind == PROBE_FORCE && material->rough);
    keep_candidate(scan, candidate);
}

/* Do ends of compression change the stiffness? */
static int stiffens(const Given *given, int i) {
    double e = given->materials[i].e;
    return !given->mono && e > 0 && e < 1;
}

/* |v_n| of link i, which acts by a spring, at a sample. */
static void scan_speed(Scan *scan, int i, double speed, double x) {
    LinkScan *link = &scan->links[i];
    link->most = fmax(link->most, speed);
    follow_valley(scan, &link->speed, PROBE_SPEED, i, speed, link->most, x);
    if (valley_passed(&link->crest, -speed, x, scan->piece)) {
        double at, phi = refine_valley(scan, PROBE_SPEED, i, -1, link->crest.x, &at);
        /* what its force could do: springs that have become stiff make short phases */
        double size = scan->adjoint->F[normal_row(&scan->adjoint->network->given, i)] *
                      scan->adjoint->network->state.links[i].weight;
        link->crest_of = (Candidate){.probe = {PROBE_SPEED, scan->piece, i, at},
                                     .kind = CAROM_KINK_RESTART,
                                     .happens = 1,
                                     .jumps = 1,
                                     .phi = phi,
                                     .part = phi / size};
        link->crest.x = x;
    }
}

/* A phase of link i is over. Restitution that turns into compression might not have begun. */
static void close_phase(Scan *scan, int i, LinkPhase next) {
    LinkScan *link = &scan->links[i];
    if (link->phase == LINK_RESTITUTION && next == LINK_COMPRESSION) {
        keep_candidate(scan, link->crest_of);
    }
    link->phase = next;
    link->most = 0;
    link->crest_of = (Candidate){.part = INFINITY};
    link->speed.count = link->crest.count = link->force.count = link->cone.count = 0;
}

/* Friction of link i changes between stick and slip, or starts or ends. */
static void change_friction(Scan *scan, int i, const AdjointLink *now) {
    LinkScan *link = &scan->links[i];
    int next = now->sticks ? SCAN_STICK : now->slips ? SCAN_SLIP : SCAN_IDLE;
    if (next == (int)link->friction) {
        return;
    }
    if (next == SCAN_SLIP) {
        link->slipped = 0;
        link->push = scan->adjoint->network->given.materials[i].mu * now->N;
        link->yield.piece = link->friction == SCAN_STICK ? scan->piece - 1 : -1;
        link->yield.x = INFINITY; /* its end */
    } else if (next == SCAN_STICK && link->friction == SCAN_SLIP && link->yield.piece >= 0) {
        Probe probe = {PROBE_CONE, link->yield.piece, i, link->yield.x};
        keep_candidate(scan, (Candidate){.probe = probe,
                                         .kind = CAROM_KINK_STICK_HOLDS,
                                         .happens = 0,
                                         .phi = link->slipped,
                                         .part = link->slipped / link->push});
    }
    link->cone.count = 0;
    link->friction = next == SCAN_STICK ? SCAN_STICK : next == SCAN_SLIP ? SCAN_SLIP : SCAN_IDLE;
}

/* Link i at x of the piece in hand; time: since the last sample. */
static void sample_link(Scan *scan, int i, double x, double time) {
    const Adjoint *adjoint = scan->adjoint;
    const Given *given = &adjoint->network->given;
    const AdjointLink *now = &adjoint->links[i];
    LinkScan *link = &scan->links[i];
    const double *F = adjoint->F, *v = adjoint->v;
    int t = given->materials[i].row, n = normal_row(given, i);
    double push = given->materials[i].mu * F[n], kt = given->materials[i].kt;
    if (now->sticks) {
        double f = given->rows > 2 ? hypot(F[t], F[t + 1]) : fabs(F[t]);
        follow_valley(scan, &link->cone, PROBE_CONE, i, push - f, push + f, x);
    } else if (now->slips) {
        link->slipped += kt * adjoint->nodes->now[i].sigma * time;
    }
    if (is_sprung(now->phase) && stiffens(given, i)) {
        scan_speed(scan, i, fabs(v[n]), x);
    }
    if (now->pushes) {
        link->force_most = fmax(link->force_most, F[n]);
        follow_valley(scan, &link->force, PROBE_FORCE, i, F[n], link->force_most, x);
    }
}

static void scan_piece(Scan *scan) {
    Adjoint *adjoint = scan->adjoint;
    const Piece *piece = &adjoint->network->piece;
    int count = adjoint->network->given.count;
    crm_adjoint_describe(adjoint, 0);
    for (int i = 0; i < count; i++) {
        if (adjoint->links[i].phase != scan->links[i].phase) {
            close_phase(scan, i, adjoint->links[i].phase);
        }
        change_friction(scan, i, &adjoint->links[i]);
    }
    for (int q = 0; q <= SCAN_SAMPLES; q++) {
        double x = piece->moment * q / SCAN_SAMPLES, part = q % SCAN_SAMPLES ? 1 : 0.5;
        double pace = piece->kind == PLAIN ? 1 : crm_pace_at(piece, x);
        double time = part * piece->moment / SCAN_SAMPLES * piece->step * pace;
        crm_nodes_look(adjoint, x, adjoint->F, adjoint->v, adjoint->nodes->now);
        for (int i = 0; i < count; i++) {
            /* the first sample is the last one of the piece before, unless a phase begins */
            int known = q == 0 && scan->links[i].speed.count + scan->links[i].cone.count +
                                          scan->links[i].force.count >
                                      0;
            if (!known) {
                sample_link(scan, i, x, time);
            }
        }
    }
}

int crm_kinks_scan(const Tape *tape, Adjoint *adjoint, LinkScan *scans, Candidate *list) {
    Scan scan = {.adjoint = adjoint, .links = scans, .list = list};
    memset(scans, 0, (size_t)adjoint->network->given.count * sizeof *scans);
    for (int piece = 0; piece < tape->count; piece++) {
        crm_tape_restore(tape, piece, adjoint->network);
        scan.piece = piece;
        scan_piece(&scan);
    }
    /* the latest first */
    for (int i = 1; i < scan.count; i++) {
        Candidate moved = list[i];
        int at = i;
        for (; at > 0 && (list[at - 1].probe.piece < moved.probe.piece ||
                          (list[at - 1].probe.piece == moved.probe.piece &&
                           list[at - 1].probe.x < moved.probe.x));
             at--) {
            list[at] = list[at - 1];
        }
        list[at] = moved;
    }
    return scan.count;
}
