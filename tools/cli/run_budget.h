/* What a run may cost, and what it is expected to. */
#ifndef TOOLS_CLI_RUN_BUDGET_H
#define TOOLS_CLI_RUN_BUDGET_H

#include "runner/agents.h"
#include "runner/run_file.h"
#include "runner/spending.h"
#include "tasks/task.h"
#include "tools/cli/cli.h"

/* As they were given; NULL: no limit. */
struct run_budget {
    const char *max_cost;
    const char *max_tokens;
    const char *prices; /* a file */
};

/* The options of a command whose arguments have a struct run_budget. */
#define RUN_BUDGET_OPTIONS(args_, budget_)                                     \
    OPTION_TEXT(args_, budget_.max_cost, "max-cost", 0, "DOLLARS",             \
                COMPLETE_NOTHING,                                              \
                "Stop when models have cost so much; proctor resume goes on"), \
        OPTION_TEXT(args_, budget_.max_tokens, "max-tokens", 0, "N",           \
                    COMPLETE_NOTHING, "The same for tokens, in and out"),      \
        OPTION_TEXT(args_, budget_.prices, "prices", 0, "FILE", COMPLETE_FILE, \
                    "What tokens cost, in place of what comes with proctor")

/* Do the limits make sense? Fails with ERR_INVALID and the option. */
MUST_USE bool run_budget_check(const struct run_budget *budget,
                               struct err *err);

/* Fails as run_budget_check does; spending is then untouched. */
MUST_USE bool run_budget_read(const struct run_budget *budget,
                              struct spending *spending, struct err *err);

/* Say what a run of this plan may cost, at most, and do nothing. */
MUST_USE bool run_budget_estimate(struct cli *cli,
                                  const struct run_budget *budget,
                                  const struct run_plan *plan,
                                  const struct suite *suite, struct err *err);

#endif
