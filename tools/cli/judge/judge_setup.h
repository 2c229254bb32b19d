/* A judge from what people write: "rules", "checklist", "openai:gpt-4o". */
#ifndef TOOLS_CLI_JUDGE_JUDGE_SETUP_H
#define TOOLS_CLI_JUDGE_JUDGE_SETUP_H

#include <stdbool.h>

#include "base/cancel.h"
#include "base/err.h"
#include "base/log.h"
#include "judge/judge.h"
#include "tools/cli/command_line/option.h"

/* The options as given; all borrowed, and NULL is the default. */
struct judge_setup_options {
    const char *judge;      /* NULL: "rules" */
    const char *provider;   /* "offline", "converter", "plain", "model" */
    const char *summarizer; /* a model; NULL: the judge itself */
    const char *prompt;     /* a file */
    const char *repeats;    /* a number */
    const struct option_texts *gold_set; /* runs or episodes; NULL: none */
    const struct picture_reader *reader; /* NULL: pictures are not read */
};

struct judge_setup {
    struct judge judge;
    struct models *models; /* owned; NULL: none is needed */
    struct model *model;   /* owned, as the summarizer if it is another one */
    struct model *summarizer;
    char *prompt; /* owned */
    struct gold_set gold_set;
};

/*
 * Make the judge. Fails with ERR_INVALID for words that make no sense, as
 * file_load for the prompt, and as models_open_model.
 */
MUST_USE bool judge_setup_init(struct judge_setup *maker,
                               const struct judge_setup_options *words,
                               const struct log *log,
                               const struct cancel *cancel, struct err *err);
void judge_setup_release(struct judge_setup *maker);

#endif
