/* What `proctor propose` prints: a proposed task, and the proof of its checks.
 */
#ifndef TOOLS_CLI_JUDGE_PROPOSE_PAGE_H
#define TOOLS_CLI_JUDGE_PROPOSE_PAGE_H

#include "runner/recording/recording_task.h"
#include "tools/cli/terminal/text_page.h"
#include "tools/meter/twin_runs.h"

void propose_page_task(struct text_page *page,
                       const struct recording_task *made);

/* A row for the recording and one for each twin. */
void propose_page_proof(struct text_page *page, const struct proof *proof);

/* What the checks and the truth say of each twin that was carried out. */
void propose_page_runs(struct text_page *page, const struct twin_runs *runs);

#endif
