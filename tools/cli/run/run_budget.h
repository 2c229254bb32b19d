/* What a run may cost, and what it is expected to. */
#ifndef TOOLS_CLI_RUN_RUN_BUDGET_H
#define TOOLS_CLI_RUN_RUN_BUDGET_H

#include "runner/agents/agent_factory.h"
#include "runner/models/spending.h"
#include "runner/run/run_file.h"
#include "tasks/task/suite.h"
#include "tasks/task/task.h"
#include "tools/cli/command_line/cli_context.h"

/* As they were given; NULL: no limit. */
struct run_budget {
    const char *max_cost;
    const char *max_tokens;
    const char *prices; /* a file */
};

/* The options of a command whose arguments have a struct run_budget. */
#define RUN_BUDGET_OPTIONS(args_, budget_)                                     \
    OPTION_TEXT(                                                               \
        args_, budget_.max_cost, "max-cost", 0, "DOLLARS", COMPLETE_NOTHING,   \
        "Stop when models have cost this much; proctor resume continues"),     \
        OPTION_TEXT(args_, budget_.max_tokens, "max-tokens", 0, "N",           \
                    COMPLETE_NOTHING, "The same for tokens, in and out"),      \
        OPTION_TEXT(args_, budget_.prices, "prices", 0, "FILE", COMPLETE_FILE, \
                    "Prices of tokens, instead of the built-in ones")

/*
 * Put the limits that were given into the plan, where they replace those of
 * before. Fails with ERR_INVALID and the option.
 */
MUST_USE bool run_budget_set(const struct run_budget *budget,
                             struct run_plan *plan, struct err *err);

/* Begin to count, up to the limits of the plan. */
void run_budget_init(const struct run_plan *plan, struct spending *spending);

/* Say what a run of this plan may cost, at most, and do nothing. */
MUST_USE bool run_budget_estimate(struct cli_context *cli,
                                  const struct run_plan *plan,
                                  const struct suite *suite, struct err *err);

#endif
