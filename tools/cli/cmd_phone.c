/* proctor phone: the built-in phone, alone. */
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/keyring.h"
#include "adb/pairing.h"
#include "adb/tcp.h"
#include "base/file.h"
#include "base/macros.h"
#include "tools/cli/cli.h"
#include "tools/cli/cmd.h"
#include "tools/cli/serve.h"
#include "tools/phone/phone.h"

/* Where adb and proctor look for emulators by themselves. */
#define DEFAULT_PORT 5555

#define FAULTS_TEXT_MAX ((size_t)64 * 1024)

struct phone_args {
    const char *port;
    const char *seed;
    const char *skin;
    const char *apps;
    const char *truth;
    int locale; /* of enum locale */
    bool dark;
    bool adb_keyboard;
    bool realtime;
    int trust; /* of enum phone_trust */
    const char *faults;
    const char *snapshot;
    const char *snapshots;
    const char *console;
    const char *console_token;
    const char *known;
    bool tls;
    bool pair;
    const char *code;
    const char *pairing_port;
};

/* In the order of enum locale. */
static const char *const locales[] = {"en", "zh", NULL};

/* In the order of enum phone_trust. */
static const char *const trusts[] = {"all", "accept", "refuse", "ask", NULL};

/* What was read, for the options to borrow. */
struct texts {
    struct buf faults;
    struct buf known;
    struct buf token_path;
};

/* What --known may hold. */
#define KNOWN_MAX_BYTES ((size_t)KEYRING_MAX * KEY_PUBLIC_TEXT_MAX)

/* Where text is NULL, the number stays as it is; so do ports. */
static bool parse_number(const char *option, const char *text, uint64_t most,
                         uint64_t *number, struct err *err)
{
    char *end;

    if (!text)
        return true;
    errno = 0;
    *number = strtoull(text, &end, 10);
    if (errno || end == text || *end || *text == '-' || *number > most)
        return err_set(err, ERR_INVALID, "--%s %.40s: give a number, such as 7",
                       option, text);
    return true;
}

static bool parse_port(const char *option, const char *text, uint16_t *port,
                       struct err *err)
{
    if (!text)
        return true;
    if (!strcmp(text, "0")) {
        *port = 0;
        return true;
    }
    return tcp_parse_port(text, port) ||
           err_set(err, ERR_INVALID,
                   "--%s %.40s: give a port from 1 to 65535, or 0 for a "
                   "free one",
                   option, text);
}

/* A file's name ends in ".json"; everything else says what goes wrong. */
static bool read_faults(const char *given, struct buf *faults, struct err *err)
{
    size_t length = given ? strlen(given) : 0;

    if (!given)
        return true;
    if (length < 5 || strcmp(given + length - 5, ".json") != 0) {
        buf_text(faults, given);
        return true;
    }
    return file_load(given, faults, err);
}

static void tell_fault(void *context, const char *line)
{
    cli_say(context, "%s", line);
}

static bool check_code(const char *code, struct err *err)
{
    return !code || (*code && strlen(code) <= PAIRING_CODE_MAX) ||
           err_set(err, ERR_INVALID, "--code: give 1 to %d letters or digits",
                   PAIRING_CODE_MAX);
}

static bool read_known(const char *path, struct buf *known, struct err *err)
{
    return !path || file_load(path, known, err) ||
           err_wrap(err, "--known %.100s", path);
}

/* Where emulators keep theirs, and adb looks for it. */
static void name_token(const char *given, struct buf *path)
{
    const char *home = getenv("HOME");

    if (given)
        buf_text(path, given);
    else
        buf_printf(path, "%s/.emulator_console_auth_token", home ? home : ".");
}

static bool read_options(const struct cli *cli, const struct phone_args *args,
                         struct phone_options *options, struct texts *texts,
                         struct err *err)
{
    uint64_t skin = 0;

    name_token(args->console_token, &texts->token_path);
    *options = (struct phone_options){
        .port = DEFAULT_PORT,
        .locale = (enum locale)args->locale,
        .dark = args->dark,
        .adb_keyboard = args->adb_keyboard,
        .realtime = args->realtime,
        .trust = (enum phone_trust)args->trust,
        .tls = args->tls,
        .pairs = args->pair,
        .code = args->code,
        .log = cli->log,
        .apps = args->apps,
        .truth = args->truth,
        .snapshot = args->snapshot,
        .snapshots = args->snapshots,
        .console = args->console != NULL,
        .console_token = buf_cstr(&texts->token_path),
    };
    if (!parse_port("port", args->port, &options->port, err) ||
        !parse_port("pairing-port", args->pairing_port, &options->pairing_port,
                    err) ||
        !parse_port("console", args->console, &options->console_port, err) ||
        !parse_number("seed", args->seed, UINT64_MAX, &options->seed, err) ||
        !parse_number("skin", args->skin, UINT32_MAX, &skin, err) ||
        !check_code(args->code, err) ||
        !read_known(args->known, &texts->known, err) ||
        !read_faults(args->faults, &texts->faults, err))
        return false;
    options->skin = (unsigned)skin;
    options->known = buf_cstr(&texts->known);
    options->faults = buf_cstr(&texts->faults);
    return true;
}

/* "PORT CODE", on a line behind the one with the phone's own port. */
static bool print_pairing(struct cli *cli, const struct phone *phone,
                          struct err *err)
{
    unsigned port = phone_pairing_port(phone);
    const char *code = phone_pairing_code(phone);
    char line[PAIRING_CODE_MAX + 16];
    int length = snprintf(line, sizeof(line), "%u %s\n", port, code);

    if (!port)
        return true;
    cli_say(cli, "computers pair with: adb pair 127.0.0.1:%u %s", port, code);
    return output_write(&cli->out, line, (size_t)length, err);
}

/* The console ends the phone as an interrupt does, but in order. */
struct killing {
    const struct cli *cli;
    atomic_bool killed;
};

static void switch_off(void *context)
{
    struct killing *killing = context;

    killing->killed = true;
    cancel_fire(killing->cli->cancel);
}

static bool serve(struct cli *cli, struct phone *phone, struct err *err)
{
    if (!serve_print_port(cli, phone_port(phone), err) ||
        !print_pairing(cli, phone, err))
        return false;
    cli_say(cli,
            "the phone is on until this is interrupted: "
            "proctor -s 127.0.0.1:%u shell",
            (unsigned)phone_port(phone));
    if (phone_console_port(phone))
        cli_say(cli, "its console: telnet 127.0.0.1 %u",
                (unsigned)phone_console_port(phone));
    return serve_until_interrupted(cli, NULL, err);
}

static bool run(struct cli *cli, const void *args, const struct words *words,
                int *status, struct err *err)
{
    struct phone_options options;
    struct texts texts = {BUF_INIT(FAULTS_TEXT_MAX), BUF_INIT(KNOWN_MAX_BYTES),
                          BUF_INIT(PATH_MAX)};
    struct killing killing = {.cli = cli};
    struct phone *phone = NULL;
    bool done;

    (void)words, (void)status;
    done = read_options(cli, args, &options, &texts, err);
    options.tell_fault = tell_fault;
    options.tell_context = cli;
    options.kill = switch_off;
    options.kill_context = &killing;
    done = done && phone_start(&options, &phone, err) &&
           (serve(cli, phone, err) || killing.killed);
    phone_stop(phone);
    buf_release(&texts.faults);
    buf_release(&texts.known);
    buf_release(&texts.token_path);
    return done;
}

static const struct option options_table[] = {
    OPTION_TEXT(struct phone_args, port, "port", 0, "PORT", COMPLETE_NOTHING,
                "Where it listens, on this computer only (5555); 0 picks a "
                "free port"),
    OPTION_TEXT(struct phone_args, seed, "seed", 0, "NUMBER", COMPLETE_NOTHING,
                "The same number gives the same phone (0)"),
    OPTION_TEXT(struct phone_args, skin, "skin", 0, "NUMBER", COMPLETE_NOTHING,
                "Another number words, names and orders the controls of its "
                "apps in another way; they do the same (0)"),
    OPTION_CHOICE(struct phone_args, locale, "locale", 0, "LANGUAGE", locales,
                  "What it speaks"),
    OPTION_FLAG(struct phone_args, dark, "dark", 0, "A dark screen"),
    OPTION_FLAG(struct phone_args, adb_keyboard, "adb-keyboard", 0,
                "Has ADBKeyboard, which types the texts of broadcasts; ime "
                "enables and selects it"),
    OPTION_FLAG(struct phone_args, realtime, "realtime", 0,
                "Its clock is the computer's, for people; by default its time "
                "moves with what is done, so that runs can be repeated"),
    OPTION_TEXT(struct phone_args, faults, "faults", 0, "FAULTS", COMPLETE_FILE,
                "What goes wrong, such as 'drop:service=sync,chance=0.1', or a "
                "file of the same that ends in .json; each that strikes is "
                "told"),
    OPTION_TEXT(struct phone_args, snapshot, "snapshot", 0, "FILE",
                COMPLETE_FILE, "Begin as the phone was that is saved there"),
    OPTION_TEXT(struct phone_args, snapshots, "snapshots", 0, "DIRECTORY",
                COMPLETE_FILE, "Where the console keeps snapshots (in memory)"),
    OPTION_TEXT(struct phone_args, console, "console", 0, "PORT",
                COMPLETE_NOTHING,
                "Open the emulator's console there, on this computer only; "
                "adb emu expects it one below the phone's own port (5554)"),
    OPTION_TEXT(struct phone_args, console_token, "console-token", 0, "FILE",
                COMPLETE_FILE,
                "Where the console's token is, or is put when there is none "
                "(~/.emulator_console_auth_token)"),
    OPTION_TEXT(struct phone_args, truth, "truth", 0, "PATH", COMPLETE_FILE,
                "Tell what is done in its apps, and their state, at a new "
                "socket that only you can open, or at fd:N; never over adb"),
    OPTION_TEXT(struct phone_args, apps, "apps", 0, "DIRECTORY", COMPLETE_FILE,
                "Apps to use in place of its own, as Lua files; each is read "
                "when it is opened, so that it can be worked on"),
    OPTION_CHOICE(struct phone_args, trust, "trust", 0, "WHOM", trusts,
                  "Computers that it does not know: all come in without a "
                  "key, or its owner accepts or refuses theirs, or the phone "
                  "asks on its screen, where another computer can tap"),
    OPTION_TEXT(struct phone_args, known, "known", 0, "FILE", COMPLETE_FILE,
                "Public keys of computers that it knows, one a line"),
    OPTION_FLAG(struct phone_args, tls, "tls", 0,
                "Demand TLS, as wireless debugging does, with a known key"),
    OPTION_FLAG(struct phone_args, pair, "pair", 0,
                "The same, and let computers pair; the port for that and the "
                "code are printed on a second line"),
    OPTION_TEXT(struct phone_args, code, "code", 0, "CODE", COMPLETE_NOTHING,
                "The code for pairing (six digits that the seed gives)"),
    OPTION_TEXT(struct phone_args, pairing_port, "pairing-port", 0, "PORT",
                COMPLETE_NOTHING, "Where computers pair (a free port)"),
};

static const struct example examples[] = {
    {"proctor phone",
     "A phone that proctor and adb find by themselves, as emulator-5554."},
    {"proctor phone --port 0 --seed 7",
     "Another one, on a port that is printed first."},
    {"proctor phone --faults 'dump:how=null-root,times=2;png:chance=0.1'",
     "One whose uiautomator fails twice, and every tenth screenshot of which "
     "is damaged."},
    {"proctor phone --pair --code 123456 --pairing-port 5566",
     "Wireless debugging: adb pair 127.0.0.1:5566 123456, then connect."},
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
