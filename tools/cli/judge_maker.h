/* A judge from what people write: "rules", "checklist", "openai:gpt-4o". */
#ifndef TOOLS_CLI_JUDGE_MAKER_H
#define TOOLS_CLI_JUDGE_MAKER_H

#include <stdbool.h>

#include "base/cancel.h"
#include "base/err.h"
#include "base/log.h"
#include "judge/judge.h"
#include "tools/cli/option.h"

/* What was written; all of it is borrowed, and NULL stands for the usual. */
struct judge_words {
    const char *judge;      /* "rules" if not said */
    const char *provider;   /* "offline", "converter", "plain", "model" */
    const char *summarizer; /* a model; if not said, the judge itself */
    const char *prompt;     /* a file */
    const char *repeats;    /* a number */
    const struct option_texts *golds; /* runs or episodes; NULL: none */
};

struct judge_maker {
    struct judge judge;
    struct models *models; /* owned; NULL: none is needed */
    struct model *model;   /* owned, as the summarizer if it is another one */
    struct model *summarizer;
    char *prompt; /* owned */
    struct golds golds;
};

/*
 * Make the judge. Fails with ERR_INVALID for words that make no sense, as
 * file_load for the prompt, and as models_get.
 */
MUST_USE bool judge_maker_init(struct judge_maker *maker,
                               const struct judge_words *words,
                               const struct log *log,
                               const struct cancel *cancel, struct err *err);
void judge_maker_release(struct judge_maker *maker);

#endif
