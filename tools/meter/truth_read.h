/* Reads the truth of an episode, which no judge sees. */
#ifndef TOOLS_METER_TRUTH_READ_H
#define TOOLS_METER_TRUTH_READ_H

#include "tools/meter/judge_set.h"

/*
 * Read the case's truth.json and how the episode ended, and set whether it is
 * right: the task is done, and the agent completed. expected is the class given
 * by its author; NULL: none.
 *
 * Fails with ERR_NOT_FOUND when there is no such file, and with ERR_INVALID for
 * an invalid one.
 */
MUST_USE bool truth_read(struct meter_episode *episode,
                         struct case_facts *case_,
                         const struct meter_case *meter_case, struct err *err);

#endif
