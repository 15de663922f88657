/* The table of --vary. A line has room for five numbers; all candidates are kept until the last
 * row, which decides about the columns. */
#include "vary/vary_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "report/words/outcome_words.h"
#include "report/words/scene_words.h"
#include "solve/motion.h"

/* Further bodies and contacts are only in the JSON output, to limit the memory. */
enum { BODIES_MAX = 64, CONTACTS_MAX = 200, SPEEDS_MAX = 200, COLUMNS_SHOWN = 5, CELL_WIDTH = 12 };

static void add_column(VaryTable *table, int kind, int index) {
    table->columns[table->column_count++] = (VaryColumn){.kind = kind, .index = index};
}

/* For bodies their motion, for a mechanism its speeds, otherwise the impulses. */
static void list_columns(VaryTable *table) {
    const Scene *scene = table->scene;
    for (int i = 0; i < scene->body_count && i < BODIES_MAX; i++) {
        for (int kind = 0; kind <= VARY_COLUMN_SPEED && isfinite(scene->bodies[i].mass); kind++) {
            add_column(table, kind, i);
        }
    }
    for (int i = 0; i < scene->system.speed_count && i < SPEEDS_MAX; i++) {
        add_column(table, VARY_COLUMN_COORDINATE, i);
    }
    bool impulses = scene->source == SCENE_CONTACT_SPACE;
    for (int i = 0; impulses && i < scene->contact_count && i < CONTACTS_MAX; i++) {
        add_column(table, VARY_COLUMN_NORMAL, i);
        add_column(table, VARY_COLUMN_TANGENTIAL, i);
    }
}

bool vary_table_create(const Scene *scene, int rows, VaryTable *table) {
    size_t size = (size_t)scene_rows(scene) * (size_t)scene->contact_count;
    *table = (VaryTable){.scene = scene};
    table->columns = calloc(7 * BODIES_MAX + 2 * CONTACTS_MAX + SPEEDS_MAX, sizeof *table->columns);
    table->rows = calloc((size_t)rows, sizeof *table->rows);
    table->lowest = calloc(size, sizeof(double));
    table->highest = calloc(size, sizeof(double));
    if (!table->columns || !table->rows || !table->lowest || !table->highest) {
        return false;
    }
    for (size_t i = 0; i < size; i++) {
        table->lowest[i] = INFINITY;
        table->highest[i] = -INFINITY;
    }
    list_columns(table);
    size_t cells = (size_t)rows * (size_t)table->column_count;
    table->cells = calloc(cells > 0 ? cells : 1, sizeof(double));
    return table->cells != NULL;
}

void vary_table_free(VaryTable *table) {
    free(table->columns);
    free(table->rows);
    free(table->cells);
    free(table->lowest);
    free(table->highest);
    *table = (VaryTable){0};
}

static double length3(const double x[3]) {
    return hypot(hypot(x[0], x[1]), x[2]);
}

/* Size of a contact's impulse, all of it or only its tangential part. */
static double impulse_size(const double *I, int rows, bool tangential) {
    double t = report_tangential(I, rows);
    return tangential ? t : hypot(t, I[rows - 1]);
}

/* The value of a column; marks the column as wanted if it is worth showing. */
static double measure(const Scene *scene, const Solution *solution, const MotionNoise *noise,
                      VaryColumn *column) {
    int rows = scene_rows(scene), index = column->index, kind = column->kind;
    if (kind == VARY_COLUMN_COORDINATE) {
        double x = solution->speeds[index], before = scene->system.speeds[index];
        column->wanted |= fabs(x - before) > 1e-12 * (fabs(x) + fabs(before));
        return x;
    }
    if (kind >= VARY_COLUMN_NORMAL) {
        const double *I = &solution->result.impulse[rows * index];
        bool tangential = kind == VARY_COLUMN_TANGENTIAL;
        double x = tangential ? impulse_size(I, rows, true) : I[rows - 1];
        column->wanted |= !tangential || x > 0;
        return x;
    }
    const CaromBody *body = &solution->bodies[index];
    if (kind == VARY_COLUMN_SPEED) {
        column->wanted |= motion_changes_any(scene, solution, noise, index, false);
        double speed = length3(body->velocity);
        return speed > noise->linear ? speed : 0;
    }
    bool angular = kind > 2;
    double x = motion_of(body, angular)[kind % 3];
    column->wanted |= motion_changes(scene, solution, noise, index, angular, kind % 3);
    return fabs(x) > (angular ? noise->angular : noise->linear) ? x : 0;
}

/* The range of the impulse so far. */
static void widen(VaryTable *table, const double *I) {
    int rows = scene_rows(table->scene);
    for (int i = 0; i < rows * table->scene->contact_count; i++) {
        table->lowest[i] = fmin(table->lowest[i], I[i]);
        table->highest[i] = fmax(table->highest[i], I[i]);
        if (i % rows == 0) {
            table->largest = fmax(table->largest, impulse_size(I + i, rows, false));
        }
    }
}

void vary_table_add(VaryTable *table, const Scene *scene, double value, const Solution *solution) {
    double *cells = &table->cells[(size_t)table->row_count * (size_t)table->column_count];
    double before, after;
    VaryRow *row = &table->rows[table->row_count++];
    *row = (VaryRow){.value = value, .status = solution->result.status};
    row->solved = solution_has_result(solution);
    if (!row->solved) {
        return;
    }
    if (!solution_energies(scene, solution, &before, &after)) {
        before = scene_motion_energy(scene);
    }
    row->loss = before > 0 ? -100 * solution->result.energy.change / before : (double)NAN;
    MotionNoise noise = {0};
    if (scene->source == SCENE_BODIES) {
        noise = motion_noise(scene, solution);
    }
    for (int i = 0; i < table->column_count; i++) {
        cells[i] = measure(scene, solution, &noise, &table->columns[i]);
    }
    widen(table, solution->result.impulse);
}

static double cell(const VaryTable *table, int row, int column) {
    return table->cells[(size_t)row * (size_t)table->column_count + (size_t)column];
}

/* The range of the numbers of a column. */
static double spread(const VaryTable *table, int column) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < table->row_count; i++) {
        if (table->rows[i].solved) {
            low = fmin(low, cell(table, i, column));
            high = fmax(high, cell(table, i, column));
        }
    }
    return high - low;
}

/* A range of kinds of columns. */
typedef struct Kinds {
    int first, last;
} Kinds;

static bool is_shown(const VaryColumn *column, Kinds kinds) {
    return column->wanted && column->kind >= kinds.first && column->kind <= kinds.last;
}

/* All components of the bodies' motion if there is room, else those of their velocities, else their
 * speeds. */
static Kinds choose_kinds(const VaryTable *table) {
    static const Kinds all = {0, 5}, linear = {0, 2}, speeds = {6, 6}, others = {7, 9};
    int all_count = 0, linear_count = 0;
    for (int i = 0; i < table->column_count; i++) {
        all_count += is_shown(&table->columns[i], all);
        linear_count += is_shown(&table->columns[i], linear);
    }
    return table->scene->source != SCENE_BODIES ? others
           : all_count <= COLUMNS_SHOWN         ? all
           : linear_count <= COLUMNS_SHOWN      ? linear
                                                : speeds;
}

/* The columns to show, in order. */
typedef struct Choice {
    int columns[COLUMNS_SHOWN];
    double spreads[COLUMNS_SHOWN];
    int count;
    int left_out;
} Choice;

/* Drop the column that changes least, unless the new one changes even less. */
static bool make_room(Choice *choice, double x) {
    int least = 0;
    choice->left_out++;
    for (int k = 1; k < choice->count; k++) {
        least = choice->spreads[k] <= choice->spreads[least] ? k : least;
    }
    if (x <= choice->spreads[least]) {
        return false;
    }
    choice->count--;
    for (int k = least; k < choice->count; k++) {
        choice->columns[k] = choice->columns[k + 1];
        choice->spreads[k] = choice->spreads[k + 1];
    }
    return true;
}

static Choice choose(const VaryTable *table) {
    Kinds kinds = choose_kinds(table);
    Choice choice = {.count = 0};
    for (int i = 0; i < table->column_count; i++) {
        if (!is_shown(&table->columns[i], kinds)) {
            continue;
        }
        double x = spread(table, i);
        if (choice.count < COLUMNS_SHOWN || make_room(&choice, x)) {
            choice.columns[choice.count] = i;
            choice.spreads[choice.count++] = x;
        }
    }
    return choice;
}

static void print_title(FILE *file, const VaryTable *table, const VaryColumn *column, int line) {
    static const char *const words[] = {"vx", "vy",    "vz",     "wx",         "wy",
                                        "wz", "speed", "normal", "tangential", "speed"};
    bool several = table->scene->contact_count > 1;
    Words title = line == 1 ? words_of("%s", words[column->kind])
                  : column->kind <= VARY_COLUMN_SPEED
                      ? report_name(table->scene->body_names[column->index])
                  : column->kind == VARY_COLUMN_COORDINATE ? words_of("u[%d]", column->index)
                  : several                                ? words_of("impulse %d", column->index)
                                                           : words_of("impulse");
    text_fit(title.text, CELL_WIDTH);
    fprintf(file, " %*s%s", CELL_WIDTH - text_width(title.text), "", title.text);
}

static void print_row(FILE *file, const VaryTable *table, int index, const Choice *choice) {
    const VaryRow *row = &table->rows[index];
    fprintf(file, " %10.6g", row->value);
    for (int i = 0; i < choice->count; i++) {
        if (row->solved) {
            fprintf(file, " %*.6g", CELL_WIDTH, cell(table, index, choice->columns[i]) + 0.0);
        } else {
            fprintf(file, " %*s", CELL_WIDTH, "-");
        }
    }
    if (row->solved && isfinite(row->loss)) {
        fprintf(file, " %9.3f", fabs(row->loss) < 5e-4 ? 0 : row->loss); /* never "-0.000" */
    } else {
        fprintf(file, " %9s", "-");
    }
    fprintf(file, "  %s\n", carom_status_string(row->status));
}

/* The largest range of a contact's impulse, relative to the largest impulse. */
static void print_dependence(FILE *file, const VaryTable *table) {
    int rows = scene_rows(table->scene), contact = 0, solved = 0;
    double most = 0;
    for (int i = 0; i < table->row_count; i++) {
        solved += table->rows[i].solved;
    }
    for (int i = 0; i < table->scene->contact_count && solved > 0; i++) {
        double change[3] = {0, 0, 0};
        for (int k = 0; k < rows; k++) {
            change[k] = table->highest[rows * i + k] - table->lowest[rows * i + k];
        }
        if (length3(change) > most) {
            most = length3(change);
            contact = i;
        }
    }
    double relative = table->largest > 0 ? 100 * most / table->largest : 0;
    if (solved < table->row_count) {
        fprintf(file, "%d of %d values were not solved.%s", table->row_count - solved,
                table->row_count, solved > 1 ? " " : "\n");
    }
    if (solved < 2) {
        return;
    }
    if (relative < 1e-10) { /* per cent: rounding */
        fprintf(file, "The impulse does not depend on it.\n");
    } else if (table->scene->contact_count > 1) {
        fprintf(file, "The impulses change by up to %.3g %% of the largest one (contact %d).\n",
                relative, contact);
    } else {
        fprintf(file, "The impulse changes by up to %.3g %% of the largest one.\n", relative);
    }
}

static void print_heading(FILE *file, const VaryTable *table, const char *parameter,
                          const Choice *choice) {
    bool ratio = strcmp(parameter, "stiffness_ratio") == 0; /* too long for its column */
    parameter = strlen(parameter) > 10 ? "value" : parameter;
    for (int line = 0; line < 2; line++) {
        const char *name = ratio ? (line == 0 ? "stiffness" : "ratio") : line == 0 ? "" : parameter;
        fprintf(file, " %10s", name);
        for (int i = 0; i < choice->count; i++) {
            print_title(file, table, &table->columns[choice->columns[i]], line);
        }
        fprintf(file, " %9s%s\n", line == 0 ? "energy" : "lost %", line == 0 ? "" : "  status");
    }
}

void vary_table_print(FILE *file, const VaryTable *table, const char *parameter) {
    Choice choice = choose(table);
    print_heading(file, table, parameter, &choice);
    for (int i = 0; i < table->row_count; i++) {
        print_row(file, table, i, &choice);
    }
    if (choice.left_out > 0) {
        fprintf(file, "(the %d columns that change most; %d more with --json)\n", choice.count,
                choice.left_out);
    }
    print_dependence(file, table);
}
