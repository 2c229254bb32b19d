/* proctor phone: the built-in phone, alone. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "adb/tcp.h"
#include "base/macros.h"
#include "tools/cli/cli.h"
#include "tools/cli/cmd.h"
#include "tools/cli/serve.h"
#include "tools/phone/phone.h"

/* Where adb and proctor look for emulators by themselves. */
#define DEFAULT_PORT 5555

struct phone_args {
    const char *port;
    const char *seed;
    int locale; /* of enum locale */
    bool dark;
    bool realtime;
    int trust; /* of enum phone_trust */
};

/* In the order of enum locale. */
static const char *const locales[] = {"en", "zh", NULL};

/* In the order of enum phone_trust. */
static const char *const trusts[] = {"all", "accept", "refuse", NULL};

static bool parse_seed(const char *text, uint64_t *seed, struct err *err)
{
    char *end;

    errno = 0;
    *seed = strtoull(text, &end, 10);
    if (errno || end == text || *end || *text == '-')
        return err_set(err, ERR_INVALID,
                       "--seed %.40s: give a number, such as 7", text);
    return true;
}

static bool parse_port(const char *text, uint16_t *port, struct err *err)
{
    if (!strcmp(text, "0")) {
        *port = 0;
        return true;
    }
    return tcp_parse_port(text, port) ||
           err_set(err, ERR_INVALID,
                   "--port %.40s: give a port from 1 to 65535, or 0 for a "
                   "free one",
                   text);
}

static bool read_options(const struct cli *cli, const struct phone_args *args,
                         struct phone_options *options, struct err *err)
{
    *options = (struct phone_options){
        .port = DEFAULT_PORT,
        .locale = (enum locale)args->locale,
        .dark = args->dark,
        .realtime = args->realtime,
        .trust = (enum phone_trust)args->trust,
        .log = cli->log,
    };
    return (!args->port || parse_port(args->port, &options->port, err)) &&
           (!args->seed || parse_seed(args->seed, &options->seed, err));
}

static bool run(struct cli *cli, const void *args, const struct words *words,
                int *status, struct err *err)
{
    struct phone_options options;
    struct phone *phone = NULL;
    bool done;

    (void)words, (void)status;
    if (!read_options(cli, args, &options, err) ||
        !phone_start(&options, &phone, err))
        return false;
    done = serve_print_port(cli, phone_port(phone), err);
    if (done) {
        cli_say(cli,
                "the phone is on until this is interrupted: "
                "proctor -s 127.0.0.1:%u shell",
                (unsigned)phone_port(phone));
        done = serve_until_interrupted(cli, NULL, err);
    }
    phone_stop(phone);
    return done;
}

static const struct option options_table[] = {
    OPTION_TEXT(struct phone_args, port, "port", 0, "PORT", COMPLETE_NOTHING,
                "Where it listens, on this computer only (5555); 0 picks a "
                "free port"),
    OPTION_TEXT(struct phone_args, seed, "seed", 0, "NUMBER", COMPLETE_NOTHING,
                "The same number gives the same phone (0)"),
    OPTION_CHOICE(struct phone_args, locale, "locale", 0, "LANGUAGE", locales,
                  "What it speaks"),
    OPTION_FLAG(struct phone_args, dark, "dark", 0, "A dark screen"),
    OPTION_FLAG(struct phone_args, realtime, "realtime", 0,
                "Its clock is the computer's, for people; by default its time "
                "moves with what is done, so that runs can be repeated"),
    OPTION_CHOICE(struct phone_args, trust, "trust", 0, "WHOM", trusts,
                  "Computers that it does not know: all come in without a "
                  "key, or its owner accepts or refuses theirs"),
};

static const struct example examples[] = {
    {"proctor phone",
     "A phone that proctor and adb find by themselves, as emulator-5554."},
    {"proctor phone --port 0 --seed 7",
     "Another one, on a port that is printed first."},
};

const struct command cmd_phone = {
    .name = "phone",
    .section = "The built-in phone",
    .summary = "Switch on a phone made of software",
    .description =
        "Runs a phone in this process until it is interrupted. It speaks the "
        "device side of ADB, so that proctor, adb and what is built on them "
        "can use it. Its shell, files and time are its own: nothing of this "
        "computer can be reached through it.",
    COMMAND_OPTIONS(options_table),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct phone_args),
    .takes = TAKES_TIMEOUT,
    .run = run,
};
