/* Figure 5 of Jia and Wang: the impulse curve of figure 4(a), with the plane of compression and the
 * line of sticking. */
#include "figures/jia_wang_2017/jia_wang_2017.h"

/* The impulse at an event, which must be there. */
static bool add_event(FigureSheet *sheet, const JwImpact *impact, CaromEventKind kind,
                      const char *const names[3]) {
    const CaromEvent *event = jw_event(impact, kind);
    if (!event) {
        return figure_fail(sheet, "no %s", carom_event_string(kind));
    }
    for (int i = 0; i < 3; i++) {
        figure_value(sheet, names[i], NULL, event->impulse[i], NULL, NULL);
    }
    return true;
}

bool jw_impulse(FigureSheet *sheet) {
    static const char *const c[3] = {"Ic x", "Ic y", "Ic z"}, *const s[3] = {"Is x", "Is y",
                                                                             "Is z"};
    static const char *const r[3] = {"Ir x", "Ir y", "Ir z"};
    static const char *const printed[3] = {"-0.00326657", "-0.0592263", "0.1007"};
    JwImpact impact;
    if (!jw_solve(sheet, 0.8, jw_v, &impact) ||
        !jw_draw(sheet, "5", &impact, "impulse",
                 "The impulse grows from 0, crosses the plane of compression, reaches the line of "
                 "sticking and follows it to the end.") ||
        !add_event(sheet, &impact, CAROM_COMPRESSION_END, c) ||
        !add_event(sheet, &impact, CAROM_STICK, s)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        figure_value(sheet, r[i], printed[i], impact.impulse[i], NULL, NULL);
    }
    return true;
}
