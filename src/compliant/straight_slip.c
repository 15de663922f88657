/* Slip along a fixed direction s: planar and central impacts, and the end of any other.
 *
 * With f = mu N s the clock p serves better than time: V, v_n and sigma are linear in p and the
 * normal energy N^2/2k is quadratic, so that every event is a root of a linear or quadratic
 * equation in y, the normal impulse from here. */
#include "compliant/straight_slip.h"

#include <math.h>

typedef struct Straight {
    const Process *process;
    double drift[2]; /* dV/dp */
    double rise;     /* dv_n/dp */
    double growth;   /* d sigma/dp */
    double E;        /* normal energy at the start */
} Straight;

static Straight straight_begin(const Process *process) {
    Straight line = {.process = process, .E = slip_energy(process)};
    slip_drift(process, process->s, line.drift);
    line.rise = slip_rise(process, process->s);
    line.growth = dot2(line.drift, process->s) + slip_stiff(process) * line.rise;
    return line;
}

static Moment straight_at(const void *piece, double y) {
    const Straight *line = piece;
    const Process *process = line->process;
    Moment to = process->now;
    double E = line->E - (to.vn + line->rise * y / 2) * y;
    to.p += y * (process->latched ? process->mu * dot2(process->d, process->s) : 1);
    to.vn += line->rise * y;
    to.N = sqrt(2 * process->slide.k * most_of(E, 0));
    for (int j = 0; j < 2; j++) {
        to.J[j] -= process->mu * process->s[j] * y;
        to.V[j] += line->drift[j] * y;
        to.f[j] = process->mu * to.N * process->s[j];
    }
    return to;
}

/* y at which the normal energy is used up; INFINITY if v_n turns before. */
static double straight_end(const Straight *line) {
    double v = line->process->now.vn, square = v * v + 2 * line->rise * line->E;
    double sum = square < 0 ? 0 : v + sqrt(square);
    return sum > 0 ? 2 * line->E / sum : INFINITY;
}

/* y at which v_n vanishes on its way through the phase. */
static double turn_of_normal(const Straight *line) {
    const Process *process = line->process;
    int turns = process->restitution ? line->rise < 0 : line->rise > 0;
    return turns && !process->latched ? most_of(-process->now.vn / line->rise, 0) : INFINITY;
}

/* To the next event of the normal motion, or over `length` if that comes first (then 0). */
static int straight_advance(Process *process, const Straight *line, double sigma, double length) {
    double turn = turn_of_normal(line);
    double end = process->restitution ? straight_end(line) : INFINITY;
    double y = least_of(length, least_of(turn, end));
    process->work++;
    if (!(y < INFINITY)) {
        crm_process_fail(process,
                         "inverse_inertia: friction wedges the contact, compression does not "
                         "end");
        return 1;
    }
    crm_process_sample(process, straight_at, NULL, line, y);
    process->energy.friction_loss += process->mu * (sigma + line->growth * y / 2) * y;
    process->now = straight_at(line, y);
    if (y == length) {
        return 0;
    }
    if (y == end) {
        (process->latched ? crm_process_release : crm_process_end)(process);
    } else if (process->restitution) {
        crm_process_restart_compression(process);
    } else {
        crm_process_end_compression(process);
    }
    return 1;
}

void crm_straight_slip_run(Process *process) {
    Straight line = straight_begin(process);
    double sigma = sliding_speed(process);
    int slows = process->mu > 0 && line.growth < 0;
    double stop = slows ? most_of(-sigma / line.growth, 0) : INFINITY;
    if (!straight_advance(process, &line, sigma, stop)) {
        crm_process_stick(process);
    }
}

void crm_straight_slip_finish(Process *process) {
    while (!process->done && !process->stuck) {
        Straight line = straight_begin(process);
        straight_advance(process, &line, sliding_speed(process), INFINITY);
    }
}
