/* Two bars fall on the floor: a mechanism, integrated between impacts by SUNDIALS CVODE, with
 * carom's planar solver at the impacts. See simulation.h for the model and pendulum.h for the
 * mechanism.
 *
 *   double_pendulum [--e E] [--mu MU] [--time T] [TABLE.csv]   one run, printed event by event
 *   double_pendulum --check COUNT                              many random runs, each checked
 *
 * The exit status is 0 only if no impact gained energy and every run ended regularly. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "simulation.h"

/* Rounding of energies whose terms are about ten times the reference; largest in 3000 runs:
 * 1.1e-15. */
static const double gain_allowed = 1e-14;

static Setting default_setting(void) {
    Setting setting = {.pendulum = {.length = 1, .mass = 1, .gravity = 9.81, .bearing = 1.25},
                       .contact = carom_contact_default(),
                       .start = {.q = {0.3, 0.9}},
                       .duration = 10,
                       .rest_speed = 1e-3,
                       .tolerance = 1e-11,
                       .sample = 0.01};
    setting.contact.e = 0.8;
    setting.contact.mu = 0.15;
    return setting;
}

static bool is_sound(const Summary *summary) {
    return summary->ending <= ENDING_JAM && summary->gain <= gain_allowed;
}

static void print_summary(const Summary *summary) {
    printf("End at t = %g: %s\n", summary->time, ending_string(summary->ending));
    printf("Impacts %d (died out %d), lift-offs %d\n", summary->impacts, summary->deaths,
           summary->lift_offs);
    if (summary->deaths > 0) {
        printf("Bounces died out first at t = %g\n", summary->first_death);
    }
    printf("Energy %.9g -> %.9g\n", summary->energy_start, summary->energy_end);
    printf("Largest gain at an impact %.1e, drift in one flight %.1e (both of the energy at the "
           "start), lowest tip %.1e\n",
           summary->gain, summary->drift, summary->lowest);
}

/* In [0, 1): splitmix64. */
static double draw(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

static Setting random_setting(uint64_t *state) {
    Setting setting = default_setting();
    setting.duration = 5;
    setting.contact.e = draw(state) < 0.1 ? 1 : draw(state);
    double kind = draw(state);
    setting.contact.mu = kind < 0.1 ? 0 : (kind < 0.2 ? 3 : 1) * draw(state); /* 3: may jam */
    setting.contact.mu_static = setting.contact.mu * (1 + draw(state));
    setting.pendulum.bearing = 1.05 + 0.9 * draw(state);
    do {
        for (int i = 0; i < 2; i++) {
            setting.start.q[i] = 6.28 * draw(state) - 3.14;
            setting.start.u[i] = 6 * draw(state) - 3;
        }
    } while (pendulum_tip_height(&setting.pendulum, setting.start.q) < 0.01);
    return setting;
}

/* Random mechanisms, surfaces and starts; returns the number of failed runs. */
static int check_many(int count) {
    uint64_t state = 1;
    int bad = 0, endings[ENDING_FLOOR + 1] = {0}, impacts = 0, deaths = 0, lift_offs = 0;
    double gain = -INFINITY, drift = 0, lowest = INFINITY;
    for (int i = 0; i < count; i++) {
        Setting setting = random_setting(&state);
        Summary summary = simulate(&setting, NULL, NULL);
        bad += !is_sound(&summary);
        endings[summary.ending]++;
        impacts += summary.impacts;
        deaths += summary.deaths;
        lift_offs += summary.lift_offs;
        gain = fmax(gain, summary.gain);
        drift = fmax(drift, summary.drift);
        lowest = fmin(lowest, summary.lowest);
    }
    printf("%d random runs, seed 1: %d impacts, %d died out, %d lift-offs\n", count, impacts,
           deaths, lift_offs);
    for (int i = 0; i <= ENDING_FLOOR; i++) {
        printf("%6d  %s\n", endings[i], ending_string((Ending)i));
    }
    printf("Largest gain at an impact %.1e, drift in one flight %.1e, lowest tip %.1e\n", gain,
           drift, lowest);
    return bad;
}

static int run_one(const Setting *setting, const char *path) {
    FILE *table = path ? fopen(path, "w") : NULL;
    if (path && !table) {
        perror(path);
        return 2;
    }
    Summary summary = simulate(setting, table, stdout);
    print_summary(&summary);
    if (table && (ferror(table) || fclose(table) != 0)) {
        perror(path);
        return 2;
    }
    return is_sound(&summary) ? 0 : 1;
}

/* A finite number >= 0, the whole text. */
static bool read_number(const char *text, double *number) {
    char *end;
    *number = strtod(text, &end);
    return end != text && *end == '\0' && *number >= 0 && isfinite(*number);
}

static int usage(void) {
    fprintf(stderr, "usage: double_pendulum [--e E] [--mu MU] [--time T] [TABLE.csv]\n"
                    "       double_pendulum --check COUNT\n");
    return 2;
}

int main(int argc, char **argv) {
    Setting setting = default_setting();
    const char *path = NULL;
    double count = 0;
    const struct {
        const char *name;
        double *value;
    } options[] = {{"--e", &setting.contact.e},
                   {"--mu", &setting.contact.mu},
                   {"--time", &setting.duration},
                   {"--check", &count}};
    for (int i = 1; i < argc; i++) {
        double *value = NULL;
        for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
            value = strcmp(argv[i], options[k].name) == 0 ? options[k].value : value;
        }
        if (value && (++i == argc || !read_number(argv[i], value))) {
            return usage();
        } else if (!value && (argv[i][0] == '-' || path)) {
            return usage();
        } else if (!value) {
            path = argv[i];
        }
    }
    return count >= 1 ? check_many((int)fmin(count, 1e6)) > 0 : run_one(&setting, path);
}
