/*
 * ProBench's model-based summarizer: a model sees the screens before and after
 * a step, with the point marked, and describes the step.
 */
#ifndef PROCESS_PROVIDER_SUMMARIZE_SUMMARIZE_MODEL_H
#define PROCESS_PROVIDER_SUMMARIZE_SUMMARIZE_MODEL_H

#include <stdbool.h>

#include "base/model.h"
#include "base/picture/picture.h"
#include "process_provider/describe/describe.h"

struct summary {
    bool invalid; /* the model says that the step changed nothing */
    char line[DESCRIPTION_MAX]; /* one line, clean; also when invalid */
    struct model_usage usage;
};

/* The summary of an invalid step. */
#define SUMMARY_INVALID "Invalid click"

/*
 * Ask the model to describe the action. Blocks until it answers, `by` passes,
 * or cancel (may be NULL) is fired.
 *
 * Fails as model_ask, and with ERR_PROTOCOL for an answer without a summary in
 * its tags; summary is then untouched.
 */
MUST_USE bool summarize_by_model(struct model *model,
                                 const struct picture *before,
                                 const struct picture *after,
                                 const struct action *action,
                                 struct deadline by,
                                 const struct cancel *cancel,
                                 struct summary *summary, struct err *err);

#endif
