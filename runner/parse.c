#include "runner/parse.h"

#include <string.h>

#include "runner/deed.h"
#include "runner/reply.h"
#include "runner/said.h"

#define SHOWN_MAX 60 /* bytes of a reply in a message */

static bool is_one_line(struct span text)
{
    return !memchr(text.text, '\n', text.length);
}

/* Why a part holds no action, if there is more to say than that. */
static void explain(const struct reply_part *part, enum said_result result,
                    const char *unknown, struct err *err)
{
    int shown =
        part->text.length < SHOWN_MAX ? (int)part->text.length : SHOWN_MAX;

    if (result == SAID_CUT)
        (void)err_set(err, ERR_INVALID,
                      "the reply is cut off in the middle of its action");
    else if (result == SAID_UNKNOWN)
        (void)err_set(err, ERR_INVALID, "there is no action \"%s\"", unknown);
    else if (part->place == REPLY_TAG)
        (void)err_set(err, ERR_INVALID, "no action within %s: \"%.*s\"",
                      part->name, shown, part->text.text);
}

/* What one part says, as an action. */
static enum said_result try_part(const struct reply_part *part,
                                 const struct family *family,
                                 const struct parse_options *options,
                                 struct action *action, struct err *err)
{
    bool marked = part->place != REPLY_BARE;
    struct said_view view = {
        .strict = marked || is_one_line(part->text),
        .first = marked,
        .whole = part->closed,
    };
    struct said said = {.value = NULL};
    char unknown[SAID_NAME_SIZE];
    enum said_result result = said_find(part->text, view, &said, unknown);

    if (result != SAID_FOUND) {
        explain(part, result, unknown, err);
        return result;
    }
    if (!deed_make(&said, family, options, action, err))
        result = SAID_NOTHING;
    said_release(&said);
    return result;
}

/* Only "Action:" may also be a member's key, so that the rest is to be seen. */
static bool is_final(const struct reply_part *part, const struct err *why)
{
    return part->place != REPLY_MARKER && why->code != ERR_NONE;
}

static bool try_parts(const struct reply *reply, const struct family *family,
                      const struct parse_options *options,
                      struct action *action, struct err *err)
{
    struct err first = ERR_INIT;

    for (size_t i = 0; i < reply->count; i++) {
        struct err why = ERR_INIT;
        enum said_result result =
            try_part(&reply->parts[i], family, options, action, &why);

        if (result == SAID_FOUND)
            return true;
        if (first.code == ERR_NONE)
            first = why;
        if (result == SAID_CUT || is_final(&reply->parts[i], &why))
            break;
    }
    if (first.code != ERR_NONE) {
        *err = first;
        return false;
    }
    return err_set(err, ERR_INVALID,
                   reply->thought
                       ? "there is no action outside of the thought"
                       : "there is no action: neither data, nor a tag, nor "
                         "\"Action:\", nor a call");
}

bool parse_reply(const char *text, size_t length,
                 const struct parse_options *options, struct action *action,
                 const struct family **family, struct err *err)
{
    struct span whole = {text, length};
    const struct family *whose =
        options->family ? options->family : family_guess(whole);
    struct reply reply;
    bool done;

    reply_init(&reply, whole);
    done = try_parts(&reply, whose, options, action, err);
    reply_release(&reply);
    if (done)
        *family = whose;
    return done;
}
