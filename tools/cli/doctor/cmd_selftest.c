/* proctor selftest: does everything work with this phone? */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json_write.h"
#include "base/macros.h"
#include "base/mem.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/doctor/selftest_page.h"
#include "tools/device_checks/device_checks.h"
#include "tools/device_checks/report_zip.h"
#include "tools/device_checks/trace_buffer.h"

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
static struct device *open_again(const struct cli_context *cli,
                                 const char *serial)
{
    struct cli_context patient = *cli;
    struct device *device = NULL;
    struct err ignored;

    patient.cancel = NULL;
    patient.by = DEADLINE_NEVER;
    patient.shared.device = serial;
    return cli_open_device(&patient, &device, &ignored) ? device : NULL;
}

/* Test it and leave nothing behind; device is closed afterwards. */
static bool test_device(const struct cli_context *cli, struct device *device,
                        struct check_results *check_results,
                        struct cleanup_list *cleanup_list, struct err *err)
{
    bool shown = isatty(STDERR_FILENO) && !cli->shared.json;
    const struct device_checks_options options = {
        .device = device,
        .cancel = cli->cancel,
        .by = cli->by,
        .progress = shown ? draw_progress : NULL,
    };
    char *serial = mem_dup(device_serial(device));
    bool done = device_checks_run(&options, cleanup_list, check_results, err);
    struct deadline by = deadline_in_ms(CLEAN_UP_MS);
    struct err ignored; /* a failure here is tried again below */

    clear_progress(shown);
    if (!done || !cleanup_list_erase(cleanup_list, device, by, &ignored)) {
        device_close(device);
        device = open_again(cli, serial);
    }
    device_checks_clean_up(cleanup_list, device, deadline_in_ms(CLEAN_UP_MS),
                           check_results);
    device_close(device);
    free(serial);
    return done;
}

static void know_secrets(struct redactor *redactor,
                         const struct cli_context *cli,
                         const struct device *device)
{
    redactor_know_serial(redactor, device_serial(device));
    if (cli->shared.device && *cli->shared.device)
        redactor_know_serial(redactor, cli->shared.device);
    redactor_know_this_computer(redactor);
}

/* After an interrupt, report whether something is left on the phone. */
static bool fail_interrupted(const struct cleanup_list *cleanup_list,
                             struct err *err)
{
    if (cleanup_list->directory[0] && !cleanup_list->directory_removed)
        return err_set(err, ERR_CANCELLED,
                       "interrupted, and the phone cannot be reached: %s was "
                       "not removed from it",
                       cleanup_list->directory);
    return err_set(
        err, ERR_CANCELLED,
        "interrupted; everything that was created on the phone is removed");
}

static bool run_selftest(const struct cli_context *cli,
                         struct check_results *check_results, int *status,
                         struct err *err)
{
    struct cleanup_list cleanup_list;
    struct device *device;
    struct err why = ERR_INIT;

    if (!cleanup_list_init(&cleanup_list, err) ||
        !cli_open_device(cli, &device, err))
        return false;
    know_secrets(&check_results->redactor, cli, device);
    if (!test_device(cli, device, check_results, &cleanup_list, &why) &&
        why.code == ERR_CANCELLED)
        return fail_interrupted(&cleanup_list, err);
    if (check_results_count(check_results, CHECK_FAILED))
        *status = 1;
    if (why.code != ERR_NONE)
        *status = cli_exit_code(why.code);
    return true;
}

/* ---- what it came to ---- */

static bool print(struct cli_context *cli,
                  const struct check_results *check_results, struct err *err)
{
    struct cJSON *tree;
    struct text_page page;
    bool done;

    if (cli->shared.json) {
        tree = check_results_json(check_results);
        done = output_stream_json(&cli->out, tree, err);
        cJSON_Delete(tree);
        return done;
    }
    text_page_init(&page, cli->out.fd);
    selftest_page(&page, check_results);
    done = output_stream_buf(&cli->out, &page.text, err);
    text_page_release(&page);
    return done;
}

static void write_json(const struct check_results *check_results,
                       struct buf *text)
{
    struct cJSON *tree = check_results_json(check_results);

    json_format(tree, text);
    buf_byte(text, '\n');
    cJSON_Delete(tree);
}

static void write_trace(struct check_results *check_results,
                        const struct trace_buffer *trace, struct buf *text)
{
    redactor_apply(&check_results->redactor, buf_cstr(&trace->text),
                   trace->text.length, text);
    if (trace->text.overflow)
        buf_text(text, "(what follows was too much)\n");
}

static bool save(const struct cli_context *cli, const char *path,
                 struct check_results *check_results,
                 const struct trace_buffer *trace, struct err *err)
{
    struct text_page page;
    struct buf features = BUF_INIT(TEXT_LIMIT);
    struct buf json = BUF_INIT(TEXT_LIMIT);
    struct buf traced = BUF_INIT(TEXT_LIMIT);
    const struct report_zip_file files[] = {
        {"report.txt", &page.text},
        {"report.json", &json},
        {"features.txt", &features},
        {"trace.log", &traced},
    };
    bool done;

    text_page_init(&page, -1);
    selftest_page(&page, check_results);
    buf_printf(&features, "%s\n",
               check_results_fact(check_results, "features"));
    write_json(check_results, &json);
    write_trace(check_results, trace, &traced);
    done = report_zip_save(path, files, ARRAY_LEN(files), err);
    text_page_release(&page);
    buf_release(&features);
    buf_release(&json);
    buf_release(&traced);
    if (done)
        cli_message(
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

static bool run_with_bundle(struct cli_context *cli, const char *path,
                            struct check_results *check_results, int *status,
                            struct err *err)
{
    struct trace_buffer trace = {.out = NULL};
    struct cli_context traced = *cli;
    bool done;

    traced.log = &trace.log;
    done = check_output(path, err) && trace_buffer_open(&trace, err) &&
           run_selftest(&traced, check_results, status, err);
    trace_buffer_finish(&trace);
    done = done && print(cli, check_results, err) &&
           save(cli, path, check_results, &trace, err);
    trace_buffer_release(&trace);
    return done;
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    const struct selftest_args *selftest_args = args;
    struct check_results check_results;
    bool done;

    (void)words;
    check_results_init(&check_results);
    if (selftest_args->output)
        done = run_with_bundle(cli, selftest_args->output, &check_results,
                               status, err);
    else
        done = run_selftest(cli, &check_results, status, err) &&
               print(cli, &check_results, err);
    check_results_release(&check_results);
    return done;
}

static const struct option options_table[] = {
    OPTION_TEXT(struct selftest_args, output, "output", 'o', "FILE",
                COMPLETE_FILE,
                "Also write the report, with a trace of the run, as a ZIP "
                "file that can be sent"),
};

static const struct example examples[] = {
    {"proctor selftest", "Test the only connected phone."},
    {"proctor -s 192.168.1.20:5555 selftest -o bundle.zip",
     "The same, with a report that can be sent."},
};

const struct command cmd_selftest = {
    .name = "selftest",
    .section = "Look around",
    .summary = "Test a phone, and report what works",
    .description =
        "Tests everything that proctor does with a phone: the connection, "
        "shells, files of many sizes, many streams at once, forwards, "
        "screenshots, the UI tree, and input. Measures the speed.\n\nNothing "
        "of yours is changed: files are created in a new directory, which is "
        "removed afterwards, also after an interrupt; no text is typed, and "
        "the key that is pressed has no effect. Pictures and texts of the "
        "screen are not kept.\n\nReports contain no serials, addresses, host "
        "names, user names or keys; they are replaced by words such as "
        "serial-1.  The exit code is 1 when something failed, and 5 when the "
        "phone was lost; what a phone does not offer is not a failure.",
    COMMAND_OPTIONS(options_table),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct selftest_args),
    .takes = TAKES_DEVICE | TAKES_JSON | TAKES_TIMEOUT,
    .run = run,
};
