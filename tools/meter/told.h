/* What the built-in phone told of an episode: the truth, which no judge sees.
 */
#ifndef METER_TOLD_H
#define METER_TOLD_H

#include "tools/meter/jury.h"

/*
 * Read the case's truth.json and how the episode ended, and fill in whether it
 * is right: what was asked for is done, and the agent says so. entrant is what
 * its author meant it to be; NULL: nobody meant anything.
 *
 * Fails with ERR_INVALID when there is none or it makes no sense.
 */
MUST_USE bool told_read(struct meter_episode *episode, struct jury_case *case_,
                        const struct entrant *entrant, struct err *err);

#endif
