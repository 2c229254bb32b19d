/*
 * A model's reply to its judge's question, and texts quoted to it: only listed
 * answers are accepted, and no text leaves its quotes.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "judge/model/model_judge.h"
#include "judge/model/prompt_quote.h"
#include "judge/rules/answer_check.h"
#include "tests/fuzz/fuzz.h"

static void read_reply(const char *text)
{
    struct model_reply reply = MODEL_REPLY_INIT;
    enum model_vote vote;

    buf_text(&reply.text, text);
    vote = model_judge_read(&reply);
    if (vote != VOTE_NONE &&
        (!strstr(text, "<answer>") ||
         !strcasestr(text, vote == VOTE_TRUE ? "true" : "false")))
        abort();
    model_reply_release(&reply);
}

/* A block of one text has three lines, with the whole text on the second. */
static void quote(const char *text)
{
    struct prompt_quote_mark mark = prompt_quote_mark(&text, 1);
    struct buf block = BUF_INIT((size_t)16 << 20);
    unsigned lines = 1;

    prompt_quote_block(&block, &mark, &text, 1, false);
    for (size_t i = 0; i < block.length; i++) {
        lines += block.data[i] == '\n';
        if (block.data[i] == '<' || block.data[i] == '>')
            abort();
    }
    if (!block.overflow && lines != 3)
        abort();
    buf_release(&block);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct task_answer number = {.kind = TASK_ANSWER_NUMBER};
    char *text = mem_dup_n((const char *)data, size);
    struct err err;
    bool right;

    read_reply(text);
    quote(text);
    if (!answer_check(&number, text, &right, &err))
        abort();
    free(text);
    return 0;
}
