/*
 * Which way to the screen is the best, from what was measured: the time that a
 * person waits from a touch until the screen shows its effect, and a share of
 * the time until the first picture. Pure.
 */
#ifndef TOOLS_LIVE_RUNG_COST_H
#define TOOLS_LIVE_RUNG_COST_H

#include "tools/live/phone_view.h"

/*
 * In milliseconds. What was not measured yet counts as it could be at best, so
 * that a rung is tried as long as it may be better than those that were.
 */
double rung_cost(enum live_rung rung, const struct live_rung_status *measured);

/*
 * The rung of least cost among those that may be used; of equal ones the first.
 * AUTO: there is none.
 */
enum live_rung rung_cost_best(const struct live_rung_status rungs[LIVE_RUNGS],
                              const bool may_use[LIVE_RUNGS]);

#endif
