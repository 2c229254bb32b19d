/* proctor selftest: does everything work with this phone? */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json_write.h"
#include "base/macros.h"
#include "base/mem.h"
#include "tools/cli/cli.h"
#include "tools/cli/cmd.h"
#include "tools/cli/selftest_page.h"
#include "tools/selftest/bundle.h"
#include "tools/selftest/selftest.h"
#include "tools/selftest/trace.h"

#define CLEAN_UP_MS 20000
#define TEXT_LIMIT ((size_t)16 * 1024 * 1024)

struct selftest_args {
    const char *output;
};

/* ---- the run ---- */

static void draw_progress(void *context, size_t done, size_t count,
                          const char *name)
{
    (void)context;
    fprintf(stderr, "\r\033[K%zu of %zu: %s", done + 1, count, name);
}

static void clear_progress(bool shown)
{
    if (shown)
        fprintf(stderr, "\r\033[K");
}

/*
 * The phone again, on a connection that no interrupt ends: what was made must
 * be removed. NULL when it is out of reach.
 */
static struct device *open_again(const struct cli *cli, const char *serial)
{
    struct cli patient = *cli;
    struct device *device = NULL;
    struct err ignored;

    patient.cancel = NULL;
    patient.by = DEADLINE_NEVER;
    patient.shared.device = serial;
    return cli_open_device(&patient, &device, &ignored) ? device : NULL;
}

/* Test it and leave nothing behind; device is closed afterwards. */
static bool test_device(const struct cli *cli, struct device *device,
                        struct trial *trial, struct footprint *footprint,
                        struct err *err)
{
    bool shown = isatty(STDERR_FILENO) && !cli->shared.json;
    const struct selftest_options options = {
        .device = device,
        .cancel = cli->cancel,
        .by = cli->by,
        .progress = shown ? draw_progress : NULL,
    };
    char *serial = mem_dup(device_serial(device));
    bool done = selftest_run(&options, footprint, trial, err);
    struct deadline by = deadline_in_ms(CLEAN_UP_MS);
    struct err ignored; /* whoever failed here tries again below */

    clear_progress(shown);
    if (!done || !footprint_erase(footprint, device, by, &ignored)) {
        device_close(device);
        device = open_again(cli, serial);
    }
    selftest_clean_up(footprint, device, deadline_in_ms(CLEAN_UP_MS), trial);
    device_close(device);
    free(serial);
    return done;
}

static void know_secrets(struct redactor *redactor, const struct cli *cli,
                         const struct device *device)
{
    redactor_know_serial(redactor, device_serial(device));
    if (cli->shared.device && *cli->shared.device)
        redactor_know_serial(redactor, cli->shared.device);
    redactor_know_this_computer(redactor);
}

/* An interrupt says whether something is left. */
static bool fail_interrupted(const struct footprint *footprint, struct err *err)
{
    if (footprint->directory[0] && !footprint->directory_removed)
        return err_set(err, ERR_CANCELLED,
                       "interrupted, and the phone cannot be reached: %s "
                       "remains there",
                       footprint->directory);
    return err_set(err, ERR_CANCELLED,
                   "interrupted; what was made on the phone is removed");
}

static bool run_selftest(const struct cli *cli, struct trial *trial,
                         int *status, struct err *err)
{
    struct footprint footprint;
    struct device *device;
    struct err why = ERR_INIT;

    if (!footprint_init(&footprint, err) || !cli_open_device(cli, &device, err))
        return false;
    know_secrets(&trial->redactor, cli, device);
    if (!test_device(cli, device, trial, &footprint, &why) &&
        why.code == ERR_CANCELLED)
        return fail_interrupted(&footprint, err);
    if (trial_count(trial, TRIAL_FAILED))
        *status = 1;
    if (why.code != ERR_NONE)
        *status = cli_exit_code(why.code);
    return true;
}

/* ---- what it came to ---- */

static bool print(struct cli *cli, const struct trial *trial, struct err *err)
{
    struct cJSON *tree;
    struct page page;
    bool done;

    if (cli->shared.json) {
        tree = trial_json(trial);
        done = output_json(&cli->out, tree, err);
        cJSON_Delete(tree);
        return done;
    }
    page_init(&page, cli->out.fd);
    selftest_page(&page, trial);
    done = output_buf(&cli->out, &page.text, err);
    page_release(&page);
    return done;
}

static void write_json(const struct trial *trial, struct buf *text)
{
    struct cJSON *tree = trial_json(trial);

    json_format(tree, text);
    buf_byte(text, '\n');
    cJSON_Delete(tree);
}

static void write_trace(struct trial *trial, const struct trace *trace,
                        struct buf *text)
{
    redactor_apply(&trial->redactor, buf_cstr(&trace->text), trace->text.length,
                   text);
    if (trace->text.overflow)
        buf_text(text, "(what follows was too much)\n");
}

static bool save(const struct cli *cli, const char *path, struct trial *trial,
                 const struct trace *trace, struct err *err)
{
    struct page page;
    struct buf features = BUF_INIT(TEXT_LIMIT);
    struct buf json = BUF_INIT(TEXT_LIMIT);
    struct buf traced = BUF_INIT(TEXT_LIMIT);
    const struct bundle_file files[] = {
        {"report.txt", &page.text},
        {"report.json", &json},
        {"features.txt", &features},
        {"trace.log", &traced},
    };
    bool done;

    page_init(&page, -1);
    selftest_page(&page, trial);
    buf_printf(&features, "%s\n", trial_fact(trial, "features"));
    write_json(trial, &json);
    write_trace(trial, trace, &traced);
    done = bundle_save(path, files, ARRAY_LEN(files), err);
    page_release(&page);
    buf_release(&features);
    buf_release(&json);
    buf_release(&traced);
    if (done)
        cli_say(
            cli,
            "%s: the report and a trace, without serials, addresses or names",
            path);
    return done;
}

/* Rather now than after the whole run. */
static bool check_output(const char *path, struct err *err)
{
    struct file file = FILE_INIT;

    if (!file_begin(&file, path, 0666, err))
        return false;
    file_abandon(&file);
    return true;
}

static bool run_with_bundle(struct cli *cli, const char *path,
                            struct trial *trial, int *status, struct err *err)
{
    struct trace trace = {.out = NULL};
    struct cli traced = *cli;
    bool done;

    traced.log = &trace.log;
    done = check_output(path, err) && trace_open(&trace, err) &&
           run_selftest(&traced, trial, status, err);
    trace_finish(&trace);
    done =
        done && print(cli, trial, err) && save(cli, path, trial, &trace, err);
    trace_release(&trace);
    return done;
}

static bool run(struct cli *cli, const void *args, const struct words *words,
                int *status, struct err *err)
{
    const struct selftest_args *selftest_args = args;
    struct trial trial;
    bool done;

    (void)words;
    trial_init(&trial);
    if (selftest_args->output)
        done = run_with_bundle(cli, selftest_args->output, &trial, status, err);
    else
        done =
            run_selftest(cli, &trial, status, err) && print(cli, &trial, err);
    trial_release(&trial);
    return done;
}

static const struct option options_table[] = {
    OPTION_TEXT(struct selftest_args, output, "output", 'o', "FILE",
                COMPLETE_FILE,
                "Also write the report, with a trace of the run, as a ZIP "
                "file that can be sent"),
};

static const struct example examples[] = {
    {"proctor selftest", "Try everything with the only phone there is."},
    {"proctor -s 192.168.1.20:5555 selftest -o bundle.zip",
     "And keep a report for whoever looks into a problem."},
};

const struct command cmd_selftest = {
    .name = "selftest",
    .section = "Look around",
    .summary = "Try everything with a phone, and report what works",
    .description =
        "Tries all that proctor does with a phone: the connection, shells, "
        "files of many sizes, many streams at once, forwards, screenshots, "
        "the tree of what is on the screen, and input. Measures how quick it "
        "is.\n"
        "\n"
        "Nothing of yours is changed: files are made in a directory of their "
        "own, which is removed afterwards, also when it is interrupted; no "
        "text is typed, and the key that is pressed means nothing. Pictures "
        "and texts of the screen are looked at and forgotten.\n"
        "\n"
        "Reports hold no serials, addresses, host and user names or keys; "
        "words such as serial-1 stand for them. The exit code is 1 when "
        "something failed, and 5 when the phone was lost; what a phone does "
        "not offer is no failure.",
    COMMAND_OPTIONS(options_table),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct selftest_args),
    .takes = TAKES_DEVICE | TAKES_JSON | TAKES_TIMEOUT,
    .run = run,
};
