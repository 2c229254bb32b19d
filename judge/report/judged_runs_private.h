/* Shared by the judged_runs_*.c files. */
#ifndef JUDGE_REPORT_JUDGED_RUNS_PRIVATE_H
#define JUDGE_REPORT_JUDGED_RUNS_PRIVATE_H

#include "judge/report/judged_runs.h"

/* Remove all entries but the first count. */
void judged_runs_shrink(struct judged_runs *judged, size_t runs,
                        size_t entries);

/*
 * Read the verdicts of the entries from first on, which are those of one run,
 * and keep those of one judge. Fails as judged_runs_add.
 */
MUST_USE bool judged_runs_listen(struct judged_runs *judged, size_t first,
                                 const char *judge, struct err *err);

#endif
