#include "judge/model/model_judge.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/macros.h"
#include "base/picture/picture_file.h"
#include "base/picture/picture_scale.h"
#include "base/picture/png.h"
#include "judge/data/judge_data.h"
#include "judge/model/prompt_text.h"
#include "judge/verdict/episode_ending.h"
#include "process_provider/text/phrase.h"

#define ASK_MS_DEFAULT (180 * 1000)
#define TOKENS_MAX 4096
#define PROMPT_MAX ((size_t)4 << 20)

/* The limit of services for a picture; larger ones are scaled down. */
#define IMAGE_BYTES_MAX ((size_t)4 << 20)
#define IMAGE_SIDE_MAX 2048U

#define OPENING "<answer>"
#define CLOSING "</answer>"
#define THOUGHT_END "</think>"
#define THOUGHT_BEGIN "<think>"
#define THOUGHT_MAX 400

/* ---- reading ---- */

static enum model_vote vote_of(const char *begin, size_t length)
{
    while (length && isspace((unsigned char)*begin)) {
        begin++;
        length--;
    }
    while (length && isspace((unsigned char)begin[length - 1]))
        length--;
    if (length == strlen("True") && !strncasecmp(begin, "True", length))
        return VOTE_TRUE;
    if (length == strlen("False") && !strncasecmp(begin, "False", length))
        return VOTE_FALSE;
    return VOTE_NONE;
}

/* The text after the reasoning; the whole reply if there is none. */
static const char *behind_thoughts(const char *text)
{
    const char *behind = text;
    const char *next;

    while ((next = strstr(behind, THOUGHT_END)))
        behind = next + strlen(THOUGHT_END);
    /* Reasoning without an end contains no decision. */
    if (behind == text && strstr(text, THOUGHT_BEGIN))
        return "";
    return behind;
}

enum model_vote model_judge_read(const struct model_reply *reply)
{
    const char *text = behind_thoughts(buf_cstr(&reply->text));
    enum model_vote vote = VOTE_NONE;

    if (reply->finish != MODEL_FINISHED)
        return VOTE_NONE;
    while ((text = strstr(text, OPENING))) {
        const char *begin = text + strlen(OPENING);
        const char *end = strstr(begin, CLOSING);
        enum model_vote next =
            end ? vote_of(begin, (size_t)(end - begin)) : VOTE_NONE;

        if (next == VOTE_NONE || (vote != VOTE_NONE && vote != next))
            return VOTE_NONE;
        vote = next;
        text = end;
    }
    return vote;
}

/* ---- the picture ---- */

static bool shrink(struct buf *png, struct err *err)
{
    struct picture picture = PICTURE_INIT;
    struct picture small = PICTURE_INIT;
    bool done =
        png_decode(buf_cstr(png), png->length, &picture, err) &&
        picture_shrink(&picture, IMAGE_SIDE_MAX, IMAGE_SIDE_MAX, &small, err);

    if (done) {
        buf_clear(png);
        done = png_encode(&small, PNG_COMPACT, png, err);
    }
    picture_release(&picture);
    picture_release(&small);
    return done;
}

/* The last screen, unchanged where possible. */
static bool load_screen(const struct episode_evidence *evidence,
                        struct buf *png, struct err *err)
{
    const struct trajectory *trajectory = &evidence->trajectory;

    for (size_t i = trajectory->count; i > 0; i--) {
        const struct trajectory_file *screen = &trajectory->steps[i - 1].screen;

        if (!screen->file[0])
            continue;
        return trajectory_read_file(trajectory, screen, png, err) &&
               (png->length <= IMAGE_BYTES_MAX || shrink(png, err));
    }
    return true;
}

/* ---- asking ---- */

/* One request and its result. */
struct judge_question {
    const struct model_judge *judge;
    struct buf prompt;
    struct buf screen;
    unsigned repeat;
    struct model_usage usage;
};

static bool ask(struct judge_question *question, const char *said,
                struct model_reply *reply, struct err *err)
{
    const struct model_judge *judge = question->judge;
    int64_t ms = judge->ask_ms ? judge->ask_ms : ASK_MS_DEFAULT;
    const struct model_part parts[] = {
        {.text = buf_cstr(&question->prompt)},
        {.image = question->screen.data,
         .image_size = question->screen.length,
         .image_type = "image/png"},
    };
    const struct model_part spoken = {.text = said};
    const struct model_part again = {
        .text = embedded_get(&judge_files, "data/prompts/again.txt")->text};
    const struct model_message messages[] = {
        {MODEL_USER, parts, ARRAY_LEN(parts), NULL},
        {MODEL_ASSISTANT, &spoken, 1, NULL},
        {MODEL_USER, &again, 1, NULL},
    };
    const struct model_request request = {
        .messages = messages,
        .message_count = said ? ARRAY_LEN(messages) : 1,
        .max_tokens = TOKENS_MAX,
        .temperature = 0,
        .repeat = question->repeat,
    };

    if (!model_ask(judge->model, &request, deadline_in_ms(ms), judge->cancel,
                   reply, err))
        return err_wrap(err, "asking %s", judge->model->name);
    model_usage_add(&question->usage, &reply->usage);
    return true;
}

/* The reasoning, as one line. */
static void keep_thought(const struct model_reply *reply,
                         char thought[THOUGHT_MAX])
{
    const char *text = buf_cstr(&reply->text);
    const char *begin = strstr(text, THOUGHT_BEGIN);
    const char *end = strstr(text, THOUGHT_END);
    struct buf part = BUF_INIT(MODEL_TEXT_MAX);

    if (begin && end && begin < end) {
        begin += strlen(THOUGHT_BEGIN);
        buf_append(&part, begin, (size_t)(end - begin));
    } else {
        buf_text(&part, text);
    }
    if (!phrase_copy(buf_cstr(&part), thought, THOUGHT_MAX))
        thought[0] = '\0';
    buf_release(&part);
}

/* Ask, and once more if the reply is not a valid answer. */
static bool vote(struct judge_question *question, enum model_vote *cast,
                 char thought[THOUGHT_MAX], struct err *err)
{
    struct model_reply first = MODEL_REPLY_INIT;
    struct model_reply second = MODEL_REPLY_INIT;
    bool done = ask(question, NULL, &first, err);

    *cast = done ? model_judge_read(&first) : VOTE_NONE;
    if (done)
        keep_thought(&first, thought);
    if (done && *cast == VOTE_NONE) {
        const char *said = buf_cstr(&first.text);

        /* A message cannot be empty. */
        done = ask(question, *said ? said : "...", &second, err);
        *cast = done ? model_judge_read(&second) : VOTE_NONE;
        if (done)
            keep_thought(&second, thought);
    }
    model_reply_release(&first);
    model_reply_release(&second);
    return done;
}

/* ---- the verdict ---- */

struct ballot {
    unsigned for_;
    unsigned against;
    unsigned none;
    char thought[THOUGHT_MAX]; /* reasoning of the last reply that agrees with
                                  the majority */
};

static void decide(const struct ballot *ballot, struct verdict *verdict)
{
    unsigned all = ballot->for_ + ballot->against + ballot->none;

    if (2 * ballot->for_ > all)
        episode_ending_set(verdict, OUTCOME_SUCCESS, "%u of %u say True: %s",
                           ballot->for_, all, ballot->thought);
    else if (2 * ballot->against > all)
        episode_ending_set(verdict, OUTCOME_FAILURE, "%u of %u say False: %s",
                           ballot->against, all, ballot->thought);
    else
        episode_ending_set(verdict, OUTCOME_UNSCORED,
                           "no majority: %u True, %u False, %u neither; %s",
                           ballot->for_, ballot->against, ballot->none,
                           ballot->thought);
}

static bool hold_ballot(struct judge_question *question, struct ballot *ballot,
                        struct err *err)
{
    unsigned repeats = question->judge->repeats;

    for (unsigned i = 0; i < (repeats ? repeats : 1); i++) {
        enum model_vote cast;
        char thought[THOUGHT_MAX] = "";

        question->repeat = i;
        if (!vote(question, &cast, thought, err))
            return false;
        ballot->for_ += cast == VOTE_TRUE;
        ballot->against += cast == VOTE_FALSE;
        ballot->none += cast == VOTE_NONE;
        if ((cast == VOTE_TRUE && ballot->for_ >= ballot->against) ||
            (cast == VOTE_FALSE && ballot->against >= ballot->for_) ||
            !ballot->thought[0])
            memcpy(ballot->thought, thought, sizeof(thought));
    }
    return true;
}

static const char *prompt_of(const struct model_judge *judge,
                             const struct task *task)
{
    const char *name = task->kind == TASK_STATE ? "data/prompts/state.txt"
                                                : "data/prompts/process.txt";

    return judge->prompt ? judge->prompt
                         : embedded_get(&judge_files, name)->text;
}

bool model_judge(const struct model_judge *judge,
                 const struct episode_evidence *evidence,
                 struct verdict *verdict, struct err *err)
{
    struct judge_question question = {.judge = judge,
                                      .prompt = BUF_INIT(PROMPT_MAX),
                                      .screen = BUF_INIT(PICTURE_FILE_MAX),
                                      .usage = MODEL_USAGE_UNKNOWN};
    struct ballot ballot = {.for_ = 0};
    bool done = true;

    if (!episode_ending_decide(evidence, verdict))
        return true;
    done = load_screen(evidence, &question.screen, err);
    if (done && !question.screen.length) {
        episode_ending_set(verdict, OUTCOME_UNSCORED,
                           "there is no last screen");
        return true;
    }
    prompt_text_fill(prompt_of(judge, &evidence->task), evidence,
                     &question.prompt);
    if (done && question.prompt.overflow)
        done = err_set(err, ERR_LIMIT, "the question is too long");
    if (done)
        done = hold_ballot(&question, &ballot, err);
    if (done) {
        decide(&ballot, verdict);
        verdict->usage = question.usage;
    }
    buf_release(&question.prompt);
    buf_release(&question.screen);
    return done;
}
