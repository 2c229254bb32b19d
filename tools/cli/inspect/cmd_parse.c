/* proctor parse: what a model's reply means. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/json_write.h"
#include "runner/parse/reply_parser.h"
#include "runner/parse/reply_parts.h"
#include "runner/prompt/profile.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/cli_context.h"

/* The built-in phone's, for replies that say no pixels. */
#define DEFAULT_SCREEN                                                         \
    {                                                                          \
        1080, 2400                                                             \
    }
#define SIDE_MAX 32768
#define REPLY_READ_MAX ((size_t)16 << 20)

static const char *const coords_choices[] = {"guess", "px",    "unit",   "999",
                                             "1000",  "smart", "smart3", NULL};

struct parse_args {
    const char *profile;
    int coords; /* of coords_choices */
    const char *image;
    const char *screen;
};

/* A side in pixels, and what follows it. */
static int read_side(const char *text, const char **end)
{
    char *after;
    long side = strtol(text, &after, 10);

    *end = after;
    return isdigit((unsigned char)text[0]) && side <= SIDE_MAX ? (int)side : 0;
}

static bool read_extent(const char *option, const char *text,
                        struct extent *extent, struct err *err)
{
    const char *end = text;

    if (!text)
        return true;
    extent->width = read_side(text, &end);
    extent->height = *end == 'x' ? read_side(end + 1, &end) : 0;
    if (!extent->width || !extent->height || *end)
        return err_set(err, ERR_INVALID,
                       "--%s %s: expected WIDTHxHEIGHT, such as 1080x2400",
                       option, text);
    return true;
}

/* The name of a family, or a profile, which has the unit of its points. */
static bool read_profile(const char *name, struct reply_parse_options *options,
                         struct err *err)
{
    struct profile profile;

    options->family = model_family_find(name);
    if (options->family)
        return true;
    if (!profile_load(name, &profile, err))
        return false;
    options->family = profile.family;
    options->coords_given = true;
    options->coords = profile.coords;
    options->typing = profile.typing;
    profile_release(&profile);
    return true;
}

static bool read_options(const struct parse_args *args,
                         struct reply_parse_options *options, struct err *err)
{
    struct extent image = {0, 0};
    struct extent screen = {0, 0};

    if (args->profile && !read_profile(args->profile, options, err))
        return false;
    if (args->coords > 0) {
        options->coords_given =
            coords_find(coords_choices[args->coords], &options->coords);
    }
    if (!read_extent("image", args->image, &image, err) ||
        !read_extent("screen", args->screen, &screen, err))
        return false;
    if (!screen.width)
        screen = image.width ? image : (struct extent)DEFAULT_SCREEN;
    options->screen = screen;
    options->picture = image.width ? image : screen;
    return true;
}

static bool read_reply(struct buf *reply, struct err *err)
{
    for (;;) {
        char *room = buf_reserve(reply, 64 * 1024);
        ssize_t got;

        if (!room)
            return err_set(err, ERR_LIMIT, "the reply is longer than %zu MiB",
                           REPLY_READ_MAX >> 20);
        got = read(STDIN_FILENO, room, 64 * 1024);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return err_errno(err, errno, "read the reply");
        if (got == 0)
            return true;
        buf_commit(reply, (size_t)got);
    }
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    struct reply_parse_options options = {.family = NULL};
    struct buf reply = BUF_INIT(REPLY_READ_MAX);
    struct action action = {.kind = ACTION_CLICK};
    const struct model_family *family = NULL;
    struct err reason = ERR_INIT;
    struct cJSON *said;
    bool done;

    (void)words;
    if (!read_options(args, &options, err) || !read_reply(&reply, err)) {
        buf_release(&reply);
        return false;
    }
    said = json_new_object();
    if (reply_parse(buf_cstr(&reply), reply.length, &options, &action, &family,
                    &reason)) {
        action_to_json(&action, said);
        json_add_string(said, "family", family->name);
    } else {
        json_add_string(said, "error", reason.text);
        *status = 1;
    }
    done = output_stream_json(&cli->out, said, err);
    cJSON_Delete(said);
    action_release(&action);
    buf_release(&reply);
    return done;
}

static const struct option options_table[] = {
    OPTION_TEXT(struct parse_args, profile, "profile", 'p', "NAME",
                COMPLETE_PROFILE,
                "The notation: a family such as ui-tars, a profile, or a file; "
                "by default it is guessed"),
    OPTION_CHOICE(struct parse_args, coords, "coords", 'c', "KIND",
                  coords_choices,
                  "The unit of coordinates: pixels of the picture that was "
                  "sent, fractions of 1, 999 or 1000, or pixels of the picture "
                  "as Qwen's models resize it"),
    OPTION_TEXT(struct parse_args, image, "image", 'i', "WxH", COMPLETE_NOTHING,
                "The size of the picture that was sent"),
    OPTION_TEXT(struct parse_args, screen, "screen", 0, "WxH", COMPLETE_NOTHING,
                "The size of the phone's screen; otherwise the picture's, or "
                "1080x2400"),
};

const struct command cmd_parse = {
    .name = "parse",
    .section = "Agents",
    .summary = "Parse a model's reply into an action",
    .description =
        "Reads one reply of a model from standard input, in the notation of "
        "any known model family, and prints the action as one JSON object, "
        "with points in pixels of the phone. For a reply without an action it "
        "prints an object with the error, and the exit code is 1.",
    COMMAND_OPTIONS(options_table),
    .args_size = sizeof(struct parse_args),
    .run = run,
};
