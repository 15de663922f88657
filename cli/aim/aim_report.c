/* Strikes for a wanted outcome, as text and JSON. */
#include "aim/aim_report.h"

#include "base/json_write.h"

static void print_slopes(FILE *file, const AimRun *run, const AimAnswer *answer) {
    for (int i = 0; i < answer->slope_count; i++) {
        const AimSlope *slope = &answer->slopes[i];
        fprintf(file, "    %s + 0.01 changes", slope->path.text);
        for (int w = 0, at = 0; w < run->wish_count; w++) {
            fprintf(file, "%s %s by", w ? "," : "", aim_wish_name(&run->wishes[w]));
            for (int k = 0; k < aim_wish_size(&run->wishes[w]); k++, at++) {
                fprintf(file, " %.3g", 0.01 * slope->slopes[at]);
            }
        }
        fputc('\n', file);
    }
}

static void print_answer(FILE *file, const AimRun *run, const AimAnswer *answer) {
    const CaromAimSolution *solution = &answer->solution;
    for (int k = 0; k < run->free_count; k++) {
        fprintf(file, "  %-32s %12.8g%s\n", run->free[k].text, solution->values[k],
                solution->bound[k] ? "  (end of its range)" : "");
    }
    for (int w = 0, at = 0; w < run->wish_count; w++) {
        fprintf(file, "    gives %s", aim_wish_name(&run->wishes[w]));
        for (int k = 0; k < aim_wish_size(&run->wishes[w]); k++, at++) {
            fprintf(file, " %.6g", answer->given[at]);
        }
        fputc('\n', file);
    }
    print_slopes(file, run, answer);
}

void aim_report_text(FILE *file, const char *name, const AimRun *run) {
    fprintf(file, "%s\n", run->name[0] ? run->name : name);
    for (int i = 0; i < run->count; i++) {
        const CaromAimSolution *solution = &run->answers[i].solution;
        fprintf(file, "\nSolution %d, sequence %s%s\n", i + 1, solution->sequence,
                solution->family ? ", one of a family: more is free than is wanted" : "");
        print_answer(file, run, &run->answers[i]);
    }
    if (run->count == 0) {
        fprintf(file, "\nNo solution: %s.\n\nThe closest, sequence %s\n", run->forbids.text,
                run->closest.solution.sequence);
        print_answer(file, run, &run->closest);
    }
}

static json_t *answer_object(const AimRun *run, const AimAnswer *answer) {
    const CaromAimSolution *solution = &answer->solution;
    json_t *values = json_object(), *slopes = json_object(), *bounds = json_array();
    for (int k = 0; k < run->free_count; k++) {
        json_object_set_new(values, run->free[k].text, json_write_number(solution->values[k]));
        if (solution->bound[k]) {
            json_array_append_new(bounds, json_string(run->free[k].text));
        }
    }
    for (int i = 0; i < answer->slope_count; i++) {
        json_object_set_new(slopes, answer->slopes[i].path.text,
                            json_write_numbers(answer->slopes[i].slopes, run->miss_count));
    }
    return json_pack("{s:o, s:s, s:o, s:b, s:o, s:o, s:o}", "values", values, "sequence",
                     solution->sequence, "residual", json_write_number(solution->residual),
                     "family", solution->family, "at_bound", bounds, "outcome",
                     json_write_numbers(answer->given, run->miss_count), "sensitivity", slopes);
}

bool aim_report_json(FILE *file, const AimRun *run) {
    json_t *line = json_object(), *solutions = json_array();
    for (int i = 0; i < run->count; i++) {
        json_array_append_new(solutions, answer_object(run, &run->answers[i]));
    }
    json_object_set_new(line, "status", json_string(run->count > 0 ? "ok" : "no_solution"));
    json_object_set_new(line, "solutions", solutions);
    if (run->count == 0) {
        json_object_set_new(line, "closest", answer_object(run, &run->closest));
        json_object_set_new(line, "message", json_string(run->forbids.text));
    }
    return json_write_line(file, line);
}
