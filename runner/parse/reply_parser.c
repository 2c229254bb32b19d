#include "runner/parse/reply_parser.h"

#include <string.h>

#include "runner/parse/action_build.h"
#include "runner/parse/action_call.h"
#include "runner/parse/reply_parts.h"

#define SHOWN_MAX 60 /* bytes of a reply in a message */

static bool is_one_line(struct text_span text)
{
    return !memchr(text.text, '\n', text.length);
}

/* Why a part holds no action, if there is more to say than that. */
static void explain(const struct reply_part *part,
                    enum action_call_result result, const char *unknown,
                    struct err *err)
{
    int shown =
        part->text.length < SHOWN_MAX ? (int)part->text.length : SHOWN_MAX;

    if (result == ACTION_CALL_TRUNCATED)
        (void)err_set(err, ERR_INVALID,
                      "the reply is cut off in the middle of its action");
    else if (result == ACTION_CALL_ENDLESS)
        (void)err_set(err, ERR_INVALID,
                      "the reply is too long and too nested to be parsed");
    else if (result == ACTION_CALL_UNKNOWN)
        (void)err_set(err, ERR_INVALID, "there is no action \"%s\"", unknown);
    else if (part->place == REPLY_TAG)
        (void)err_set(err, ERR_INVALID, "no action within %s: \"%.*s\"",
                      part->name, shown, part->text.text);
}

/* Parse one part of the reply to an action. */
static enum action_call_result try_part(
    const struct reply_part *part, const struct model_family *family,
    const struct reply_parse_options *options, struct parse_work *work,
    struct action *action, struct err *err)
{
    bool marked = part->place != REPLY_BARE;
    struct action_call_view view = {
        .strict = marked || is_one_line(part->text),
        .first = marked,
        .whole = part->closed,
    };
    struct action_call call = {.value = NULL};
    char unknown[ACTION_CALL_NAME_SIZE];
    enum action_call_result result =
        action_call_find(part->text, view, work, &call, unknown);

    if (result != ACTION_CALL_FOUND) {
        explain(part, result, unknown, err);
        return result;
    }
    if (!action_build(&call, family, options, action, err))
        result = ACTION_CALL_NONE;
    action_call_release(&call);
    return result;
}

/*
 * An invalid action in a marked part ends the search, except after "Action:",
 * which may also be the key of a member.
 */
static bool is_final(const struct reply_part *part, const struct err *why)
{
    return part->place != REPLY_MARKER && why->code != ERR_NONE;
}

static bool try_parts(const struct reply_parts *reply,
                      const struct model_family *family,
                      const struct reply_parse_options *options,
                      struct parse_work *work, struct action *action,
                      struct err *err)
{
    struct err first = ERR_INIT;

    for (size_t i = 0; i < reply->count; i++) {
        struct err why = ERR_INIT;
        enum action_call_result result =
            try_part(&reply->parts[i], family, options, work, action, &why);

        if (result == ACTION_CALL_FOUND)
            return true;
        if (first.code == ERR_NONE)
            first = why;
        if (result == ACTION_CALL_TRUNCATED || result == ACTION_CALL_ENDLESS ||
            is_final(&reply->parts[i], &why))
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

bool reply_parse(const char *text, size_t length,
                 const struct reply_parse_options *options,
                 struct action *action, const struct model_family **family,
                 struct err *err)
{
    struct text_span whole = {text, length};
    const struct model_family *whose =
        options->family ? options->family : model_family_guess(whole);
    struct parse_work work;
    struct reply_parts reply;
    bool done;

    reply_init(&reply, whole);
    work = parse_work_for(reply.body.length);
    done = try_parts(&reply, whose, options, &work, action, err);
    reply_release(&reply);
    if (options->work)
        *options->work = work.done;
    if (done)
        *family = whose;
    return done;
}
