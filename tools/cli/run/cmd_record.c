/* proctor record: a person shows how a task is done. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "runner/recording/recording.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/run/record_on_phone.h"
#include "tools/cli/run/record_phones.h"
#include "tools/cli/run/record_terminal.h"

#define NAMES_MAX 10000

struct record_args {
    struct record_phones_args phone;
    const char *recordings;
    const char *instruction;
    const char *app;
    bool on_phone;
};

/* ---- the name ---- */

/* The first name without a recording: "recording-1". */
static bool free_name(const char *recordings, struct buf *name, struct err *err)
{
    for (int i = 1; i <= NAMES_MAX; i++) {
        struct buf path = BUF_INIT(PATH_MAX);
        struct stat found;
        bool taken;

        buf_clear(name);
        buf_printf(name, "recording-%d", i);
        buf_printf(&path, "%s/%s", recordings, buf_cstr(name));
        taken = !lstat(buf_cstr(&path), &found);
        buf_release(&path);
        if (!taken)
            return true;
    }
    return err_set(err, ERR_LIMIT, "name the recording: %s is full",
                   recordings);
}

static bool choose_name(const char *recordings,
                        const struct operand_words *words, struct buf *name,
                        struct err *err)
{
    if (!words->count)
        return free_name(recordings, name, err);
    buf_text(name, words->items[0]);
    return true;
}

/* ---- recording ---- */

static bool print_end(struct cli_context *cli, const char *folder,
                      bool finished, struct err *err)
{
    struct buf line = BUF_INIT(PATH_MAX);
    bool done;

    if (!finished)
        cli_message(cli, "not finished: proctor record %s goes on",
                    strrchr(folder, '/') + 1);
    buf_printf(&line, "%s\n", folder);
    done = output_stream_buf(&cli->out, &line, err);
    buf_release(&line);
    return done;
}

/* What the person reads must not be mixed with the result. */
static bool record(struct cli_context *cli, struct record_phones *phones,
                   struct recorder *recorder, bool on_phone, struct err *err)
{
    struct line_input input = LINE_INPUT(STDIN_FILENO);
    struct record_terminal terminal = {
        .recorder = recorder,
        .phone = phones->phone,
        .input = &input,
        .out = STDERR_FILENO,
        .cancel = cli->cancel,
    };
    char *folder = mem_dup(recorder_folder(recorder));
    bool finished = false;
    bool done = on_phone ? record_on_phone_run(&terminal, &phones->session,
                                               &finished, err)
                         : record_terminal_run(&terminal, &finished, err);

    if (finished)
        done = recorder_finish(recorder, err) && done;
    else
        recorder_close(recorder);
    done = done && print_end(cli, folder, finished, err);
    line_input_release(&input);
    free(folder);
    return done;
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    const struct record_args *given = args;
    const char *recordings =
        given->recordings ? given->recordings : RECORDINGS_FOLDER;
    struct record_phones phones = RECORD_PHONES_INIT;
    struct buf name = BUF_INIT(PATH_MAX);
    struct recorder_options options = {
        .recordings = recordings,
        .instruction = given->instruction,
        .app = given->app,
    };
    struct recorder *recorder = NULL;
    bool done = choose_name(recordings, words, &name, err) &&
                record_phones_open(&phones, cli, &given->phone, err);

    (void)status;
    options.name = buf_cstr(&name);
    options.phone = phones.phone;
    options.locale = record_phones_locale(&phones);
    if (done && given->on_phone && !phones.has_session)
        done = err_set(err, ERR_UNSUPPORTED,
                       "this phone has no screen to touch: start one with "
                       "proctor phone --realtime, and name its port");
    done = done && recorder_open(&options, &recorder, err) &&
           record(cli, &phones, recorder, given->on_phone, err);
    record_phones_release(&phones);
    buf_release(&name);
    return done;
}

static const struct option options_table[] = {
    OPTION_TEXT(struct record_args, phone.device, "device", 's', "DEVICE",
                COMPLETE_DEVICE,
                "The phone: phone (a built-in one), or a serial (the only one "
                "there is)"),
    OPTION_FLAG(struct record_args, on_phone, "on-phone", 0,
                "Record what is done on the phone itself, with the fingers"),
    OPTION_TEXT(struct record_args, recordings, "recordings", 0, "DIR",
                COMPLETE_FILE, "Where recordings are (recordings)"),
    OPTION_TEXT(struct record_args, instruction, "instruction", 0, "TEXT",
                COMPLETE_NOTHING, "What is to be done, in words"),
    OPTION_TEXT(struct record_args, app, "app", 0, "PACKAGE", COMPLETE_NOTHING,
                "The app that it is about"),
    OPTION_TEXT(struct record_args, phone.seed, "seed", 0, "NUMBER",
                COMPLETE_NOTHING, "The content of a built-in phone (0)"),
    OPTION_TEXT(struct record_args, phone.skin, "skin", 0, "NUMBER",
                COMPLETE_NOTHING, "Its wording and layout (0)"),
    OPTION_CHOICE(struct record_args, phone.locale, "locale", 0, "LANGUAGE",
                  record_phones_locales, "Its language"),
};

static const struct operand operands[] = {
    {.name = "NAME",
     .help = "Of a-z, 0-9, . and -; a recording of that name that is not "
             "finished goes on (recording-1, and so on)",
     .min = 0,
     .max = 1,
     .completes = COMPLETE_NOTHING},
};

static const struct example examples[] = {
    {"proctor record wifi-off -s phone", "Show it on a built-in phone."},
    {"proctor record wifi-off --on-phone",
     "Show it on the phone itself, and type s, u and finish here."},
};

const struct command cmd_record = {
    .name = "record",
    .section = "Recordings",
    .summary = "Record how a person does a task",
    .description =
        "Records each step with the screen and the UI tree before it, the "
        "action, and several ways to find its target again. Type an action "
        "when it says ready: tap Display, tap 7, tap 540 1200, swipe up, type "
        "hello, back. In between: s stars the last step, u undoes it, n TEXT "
        "is a note, d deletes it, l lists all steps, finish ends the "
        "recording, and stop leaves it to go on later. With a number (s 3) "
        "another step is meant. What is typed into password fields is never "
        "stored. Prints the folder of the recording.",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct record_args),
    .run = run,
};
