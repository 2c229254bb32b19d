#include "process_provider/summarize/summarize_model.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/macros.h"
#include "base/mem.h"
#include "base/picture/picture_scale.h"
#include "base/picture/png.h"
#include "process_provider/pictures/stitch_screens.h"
#include "process_provider/text/phrase.h"

/*
 * Models do not use more than this of a picture, and cost grows with its size.
 */
#define SIDE_MAX 1568U

#define PNG_MAX ((size_t)16 << 20)
#define TOKENS_MAX 1024

#define OPENING "<summary>"
#define CLOSING "</summary>"

static const char prompt[] =
    "The picture shows the screen of a phone twice: to the left of the red "
    "line just before one operation, to the right of it just after. A red "
    "ring with a crosshair marks where the screen was touched, a red arrow "
    "where a finger moved; neither is part of the screen.\n"
    "\n"
    "The operation, as it was recorded: %s\n"
    "\n"
    "Say what this operation did. Name what was operated by the words on the "
    "screen, quoted as they stand there, and then its effect: what opened, "
    "closed, appeared, was chosen, switched or typed. Rely on what can be "
    "seen, and do not guess what the person wanted.\n"
    "\n"
    "If both sides show the same, apart from the clock, the battery and the "
    "marks, the operation had no effect: the summary is then exactly "
    "\"" SUMMARY_INVALID "\".\n"
    "\n"
    "First think, between <think> and </think>. Then give the summary, one "
    "phrase that begins with the operation's verb, between " OPENING
    " and " CLOSING ".";

/* The one picture that the model gets, as PNG. */
static bool make_picture(const struct picture *before,
                         const struct picture *after,
                         const struct action *action, struct buf *png,
                         struct err *err)
{
    struct picture stitched = PICTURE_INIT;
    struct picture small = PICTURE_INIT;
    bool done = stitch_screens(before, after, action, &stitched, err) &&
                picture_shrink(&stitched, SIDE_MAX, SIDE_MAX, &small, err) &&
                png_encode(&small, PNG_COMPACT, png, err);

    picture_release(&stitched);
    picture_release(&small);
    return done;
}

/* What is asked: the prompt, and the picture it speaks of. */
static bool ask(struct model *model, const char *text, const struct buf *png,
                struct deadline by, const struct cancel *cancel,
                struct model_reply *reply, struct err *err)
{
    const struct model_part parts[] = {
        {.text = text},
        {.image = png->data,
         .image_size = png->length,
         .image_type = "image/png"},
    };
    const struct model_message message = {
        .role = MODEL_USER, .parts = parts, .part_count = ARRAY_LEN(parts)};
    const struct model_request request = {
        .messages = &message,
        .message_count = 1,
        .max_tokens = TOKENS_MAX,
        .temperature = 0,
    };

    return model_ask(model, &request, by, cancel, reply, err);
}

/* The last one counts: thoughts may hold the tags, too. */
static const char *find_last(const char *text, const char *part)
{
    const char *found = NULL;

    while ((text = strstr(text, part)))
        found = text++;
    return found;
}

/* "Invalid click", however it is spelled, and nothing else. */
static bool says_invalid(const char *line)
{
    size_t length = strlen(SUMMARY_INVALID);

    return !strncasecmp(line, SUMMARY_INVALID, length) &&
           (!line[length] || !strcmp(line + length, "."));
}

static bool read_reply(const struct model_reply *reply, struct summary *summary,
                       struct err *err)
{
    const char *begin = find_last(buf_cstr(&reply->text), OPENING);
    const char *end = begin ? strstr(begin, CLOSING) : NULL;
    struct summary read = {.usage = reply->usage};
    char *text;
    bool found;

    if (!end)
        return err_set(err, ERR_PROTOCOL, "the reply has no summary");
    begin += strlen(OPENING);
    text = mem_dup_n(begin, (size_t)(end - begin));
    found = phrase_copy(text, read.line, sizeof(read.line));
    free(text);
    if (!found)
        return err_set(err, ERR_PROTOCOL, "the reply's summary is empty");
    read.invalid = says_invalid(read.line);
    *summary = read;
    return true;
}

bool summarize_by_model(struct model *model, const struct picture *before,
                        const struct picture *after,
                        const struct action *action, struct deadline by,
                        const struct cancel *cancel, struct summary *summary,
                        struct err *err)
{
    struct buf text = BUF_INIT(sizeof(prompt) + DESCRIPTION_MAX);
    struct buf png = BUF_INIT(PNG_MAX);
    struct model_reply reply = MODEL_REPLY_INIT;
    struct description description;
    bool done;

    describe_step(&(struct scene){.tree = NULL}, action, &description);
    buf_printf(&text, prompt, description.line);
    done = make_picture(before, after, action, &png, err) &&
           ask(model, buf_cstr(&text), &png, by, cancel, &reply, err) &&
           read_reply(&reply, summary, err);
    model_reply_release(&reply);
    buf_release(&png);
    buf_release(&text);
    return done || err_wrap(err, "summarizing a step");
}
