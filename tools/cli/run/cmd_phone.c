/* proctor phone: the built-in phone, alone. */
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/transport/tcp.h"
#include "adb/trust/keyring.h"
#include "adb/trust/pairing.h"
#include "base/file.h"
#include "base/macros.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/command_line/foreground_service.h"
#include "tools/cli/command_line/phone_page.h"
#include "tools/phone/phone.h"

/* Where adb and proctor look for emulators. */
#define DEFAULT_PORT 5555

#define FAULTS_TEXT_MAX ((size_t)64 * 1024)

struct phone_args {
    const char *port;
    const char *seed;
    const char *skin;
    const char *apps;
    const char *truth;
    int android; /* of enum android_version */
    int locale;  /* of enum phone_locale */
    bool dark;
    bool adb_keyboard;
    bool adb_keyboard_enabled;
    bool realtime;
    bool open;
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

/* In the order of enum android_version. */
static const char *const versions[] = {"14", "13", "7", "4.4", NULL};

/* In the order of enum phone_locale. */
static const char *const locales[] = {"en", "zh", NULL};

/* In the order of enum phone_trust. */
static const char *const trusts[] = {"all", "accept", "refuse", "ask", NULL};

/* Texts that the options borrow. */
struct option_buffers {
    struct buf faults;
    struct buf known;
    struct buf token_path;
};

/* What --known may hold. */
#define KNOWN_HOSTS_MAX_BYTES ((size_t)KEYRING_MAX * KEY_PUBLIC_TEXT_MAX)

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

/* The name of a .json file, or the faults themselves. */
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
    cli_message(context, "%s", line);
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

static bool read_options(const struct cli_context *cli,
                         const struct phone_args *args,
                         struct phone_options *options,
                         struct option_buffers *texts, struct err *err)
{
    uint64_t skin = 0;

    name_token(args->console_token, &texts->token_path);
    *options = (struct phone_options){
        .port = DEFAULT_PORT,
        .android = (enum android_version)args->android,
        .locale = (enum phone_locale)args->locale,
        .dark = args->dark,
        .adb_keyboard = args->adb_keyboard,
        .adb_keyboard_enabled = args->adb_keyboard_enabled,
        .realtime = args->realtime || args->open,
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
static bool print_pairing(struct cli_context *cli, const struct phone *phone,
                          struct err *err)
{
    unsigned port = phone_pairing_port(phone);
    const char *code = phone_pairing_code(phone);
    char line[PAIRING_CODE_MAX + 16];
    int length = snprintf(line, sizeof(line), "%u %s\n", port, code);

    if (!port)
        return true;
    cli_message(cli, "pair with: adb pair 127.0.0.1:%u %s", port, code);
    return output_stream_write(&cli->out, line, (size_t)length, err);
}

/* The console ends the phone as an interrupt does, but in order. */
struct killing {
    const struct cli_context *cli;
    atomic_bool killed;
};

static void switch_off(void *context)
{
    struct killing *killing = context;

    killing->killed = true;
    cancel_fire(killing->cli->cancel);
}

static bool open_page(struct cli_context *cli, struct phone *phone,
                      struct open_page **page, struct err *err)
{
    char serial[TCP_ADDRESS_MAX];

    if (!phone_page)
        return err_set(err, ERR_UNSUPPORTED,
                       "--open needs all of proctor: call proctor phone");
    tcp_format_address("127.0.0.1", phone_port(phone), serial);
    return phone_page->open(cli, phone, serial, page, err);
}

static bool serve_phone(struct cli_context *cli, struct phone *phone,
                        struct err *err)
{
    if (!foreground_service_print_port(cli, phone_port(phone), err) ||
        !print_pairing(cli, phone, err))
        return false;
    cli_message(
        cli,
        "the phone runs until interrupted; try: proctor -s 127.0.0.1:%u shell",
        (unsigned)phone_port(phone));
    if (phone_console_port(phone))
        cli_message(cli, "its console: telnet 127.0.0.1 %u",
                    (unsigned)phone_console_port(phone));
    return foreground_service_wait(cli, NULL, err);
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    struct phone_options options;
    struct option_buffers texts = {BUF_INIT(FAULTS_TEXT_MAX),
                                   BUF_INIT(KNOWN_HOSTS_MAX_BYTES),
                                   BUF_INIT(PATH_MAX)};
    struct killing killing = {.cli = cli};
    struct phone *phone = NULL;
    struct open_page *page = NULL;
    bool open = ((const struct phone_args *)args)->open;
    bool done;

    (void)words, (void)status;
    done = read_options(cli, args, &options, &texts, err);
    options.tell_fault = tell_fault;
    options.tell_context = cli;
    options.kill = switch_off;
    options.kill_context = &killing;
    done = done && phone_start(&options, &phone, err) &&
           (!open || open_page(cli, phone, &page, err)) &&
           (serve_phone(cli, phone, err) || killing.killed);
    if (page)
        phone_page->close(page);
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
                "Another number gives the controls of its apps other words, "
                "names and order; they do the same (0)"),
    OPTION_CHOICE(struct phone_args, android, "android", 0, "VERSION", versions,
                  "The Android version that it behaves as towards hosts; its "
                  "screens are the same"),
    OPTION_CHOICE(struct phone_args, locale, "locale", 0, "LANGUAGE", locales,
                  "Its language"),
    OPTION_FLAG(struct phone_args, dark, "dark", 0, "Use the dark theme"),
    OPTION_FLAG(struct phone_args, adb_keyboard, "adb-keyboard", 0,
                "Install ADBKeyboard, which types text from broadcasts; ime "
                "enables and selects it"),
    OPTION_FLAG(struct phone_args, adb_keyboard_enabled, "adb-keyboard-enabled",
                0, "The same, enabled and selected from the start"),
    OPTION_FLAG(struct phone_args, realtime, "realtime", 0,
                "Use the computer's clock; by default its time advances with "
                "each action, so that runs can be repeated"),
    OPTION_FLAG(struct phone_args, open, "open", 0,
                "Show it in your browser, live, to use it with mouse and "
                "keyboard; it then uses the computer's clock"),
    OPTION_TEXT(struct phone_args, faults, "faults", 0, "FAULTS", COMPLETE_FILE,
                "Faults to inject, such as 'drop:service=sync,chance=0.1', or "
                "a .json file of them; each one is reported when it happens"),
    OPTION_TEXT(struct phone_args, snapshot, "snapshot", 0, "FILE",
                COMPLETE_FILE,
                "Start from the phone that is saved in this file"),
    OPTION_TEXT(struct phone_args, snapshots, "snapshots", 0, "DIRECTORY",
                COMPLETE_FILE, "Where the console keeps snapshots (in memory)"),
    OPTION_TEXT(struct phone_args, console, "console", 0, "PORT",
                COMPLETE_NOTHING,
                "Open the emulator's console there, on this computer only; "
                "adb emu expects it one below the phone's own port (5554)"),
    OPTION_TEXT(struct phone_args, console_token, "console-token", 0, "FILE",
                COMPLETE_FILE,
                "The file of the console's token; created if it is missing "
                "(~/.emulator_console_auth_token)"),
    OPTION_TEXT(
        struct phone_args, truth, "truth", 0, "PATH", COMPLETE_FILE,
        "Report the ground truth (events and state of its apps) on a new "
        "socket that only you can open, or on fd:N; never over adb"),
    OPTION_TEXT(struct phone_args, apps, "apps", 0, "DIRECTORY", COMPLETE_FILE,
                "Lua files of apps to use instead of the built-in ones; each "
                "is read again when the app is opened"),
    OPTION_CHOICE(
        struct phone_args, trust, "trust", 0, "WHOM", trusts,
        "How it treats unknown computers: all need no key; or their keys are "
        "accepted, refused, or asked about on the phone's screen"),
    OPTION_TEXT(struct phone_args, known, "known", 0, "FILE", COMPLETE_FILE,
                "Public keys of known computers, one per line"),
    OPTION_FLAG(struct phone_args, tls, "tls", 0,
                "Require TLS with a known key, as wireless debugging does"),
    OPTION_FLAG(struct phone_args, pair, "pair", 0,
                "The same, and allow pairing; its port and code are printed on "
                "a second line"),
    OPTION_TEXT(struct phone_args, code, "code", 0, "CODE", COMPLETE_NOTHING,
                "The pairing code (six digits, derived from the seed)"),
    OPTION_TEXT(struct phone_args, pairing_port, "pairing-port", 0, "PORT",
                COMPLETE_NOTHING, "The port for pairing (a free one)"),
};

static const struct example examples[] = {
    {"proctor phone", "A phone that proctor and adb find as emulator-5554."},
    {"proctor phone --open", "The same, in your browser."},
    {"proctor phone --port 0 --seed 7",
     "A phone with another seed, on a free port, which is printed first."},
    {"proctor phone --faults 'dump:how=null-root,times=2;png:chance=0.1'",
     "Uiautomator fails twice, and every tenth screenshot is damaged."},
    {"proctor phone --pair --code 123456 --pairing-port 5566",
     "Wireless debugging: adb pair 127.0.0.1:5566 123456, then connect."},
};

const struct command cmd_phone = {
    .name = "phone",
    .section = "The built-in phone",
    .summary = "Start the built-in phone",
    .description =
        "Runs an emulated phone in this process until it is interrupted. It "
        "implements the device side of ADB, so that proctor, adb and their "
        "users can use it. It has its own shell, files and time, and gives no "
        "access to this computer.",
    COMMAND_OPTIONS(options_table),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct phone_args),
    .takes = TAKES_TIMEOUT,
    .run = run,
};
