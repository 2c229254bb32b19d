/* proctor report: how runs went. */
#include <math.h>
#include <stdlib.h>

#include "base/file.h"
#include "judge/report/report_tables.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/judge/fail_under.h"
#include "tools/cli/judge/report_export.h"
#include "tools/cli/judge/report_junit.h"
#include "tools/cli/judge/report_text.h"
#include "tools/cli/run/run_fetch.h"
#include "tools/cli/terminal/text_page.h"
#include "tools/report_html/report_page.h"

#define EXPORT_MAX ((size_t)1 << 30)

struct report_args {
    const char *judge;
    const char *html;
    const char *junit;
    const char *fail_under;
    int pictures; /* an enum report_pictures */
    bool csv;
    bool tasks;
};

static const char *const pictures[] = {"some", "all", "none", NULL};

/* ---- output ---- */

static void say_judges(struct text_page *page, const struct judged_runs *judged)
{
    for (size_t i = 0; i < judged->run_count; i++) {
        const struct judged_run *run = &judged->runs[i];

        text_page_untrusted(page, TEXT_STYLE_DIM, run->folder);
        if (!run->judge_count) {
            text_page_add(page, TEXT_STYLE_DIM, ": not judged yet; run: ");
            text_page_add(page, TEXT_STYLE_DIM, "proctor judge ");
            text_page_untrusted(page, TEXT_STYLE_DIM, run->folder);
        } else {
            text_page_add(page, TEXT_STYLE_DIM, ": judged by ");
            text_page_untrusted(page, TEXT_STYLE_DIM, run->judges[0].name);
            if (run->judge_count > 1)
                text_page_add(page, TEXT_STYLE_DIM, "; --judge has the others");
        }
        if (run->finished < run->planned) {
            text_page_printf(page,
                             "; %zu of %zu episodes are finished, the others: "
                             "proctor resume ",
                             run->finished, run->planned);
            text_page_untrusted(page, TEXT_STYLE_PLAIN, run->folder);
        }
        text_page_add(page, TEXT_STYLE_PLAIN, "\n");
    }
}

static bool print_text(struct cli_context *cli, const struct report *report,
                       const struct report_tables *sheets, bool tasks,
                       struct err *err)
{
    struct buf headline = BUF_INIT(SIZE_MAX);
    struct text_page page;
    bool done;

    text_page_init(&page, cli->out.fd);
    report_headline(report, &headline);
    text_page_wrap_untrusted(&page, TEXT_STYLE_BOLD, buf_cstr(&headline));
    buf_release(&headline);
    say_judges(&page, report->judged);
    for (size_t i = 0; i < sheets->count; i++) {
        /* The last sheet is as long as there are tasks. */
        if (i + 1 == sheets->count && !tasks)
            break;
        text_page_add(&page, TEXT_STYLE_PLAIN, "\n");
        report_text_sheet(&page, &sheets->items[i]);
    }
    if (report_has(report, true)) {
        text_page_add(&page, TEXT_STYLE_PLAIN, "\n");
        text_page_wrap(&page, 0, 0,
                       "Results of the built-in phone measure judges and "
                       "harnesses. They are not results of real phones, and "
                       "are never counted together with them.");
    }
    done = output_stream_buf(&cli->out, &page.text, err);
    text_page_release(&page);
    return done;
}

static bool print_json(struct cli_context *cli, const struct report *report,
                       const struct report_tables *sheets, struct err *err)
{
    struct cJSON *tree = report_export_json(report, sheets);
    bool done = output_stream_json(&cli->out, tree, err);

    cJSON_Delete(tree);
    return done;
}

static bool print_csv(struct cli_context *cli, const struct report *report,
                      struct err *err)
{
    struct buf text = BUF_INIT(EXPORT_MAX);
    bool done;

    report_export_csv(report, &text);
    done = output_stream_buf(&cli->out, &text, err);
    buf_release(&text);
    return done;
}

/* ---- the page ---- */

static bool write_page(struct cli_context *cli, const struct report *report,
                       const struct report_tables *sheets,
                       const struct report_args *args, struct err *err)
{
    if (!args->html)
        return true;
    if (!report_page_save(report, sheets, (enum report_pictures)args->pictures,
                          args->html, cli->cancel, err))
        return false;
    cli_message(cli, "wrote %s", args->html);
    return true;
}

static bool write_junit(struct cli_context *cli, const struct report *report,
                        const char *path, struct err *err)
{
    struct buf xml = BUF_INIT(EXPORT_MAX);
    bool done;

    if (!path)
        return true;
    report_junit(report, &xml);
    done = xml.overflow
               ? err_set(err, ERR_LIMIT, "the report is larger than a gigabyte")
               : file_save(path, 0666, buf_cstr(&xml), xml.length, err);
    buf_release(&xml);
    if (done)
        cli_message(cli, "wrote %s", path);
    return done;
}

/* ---- the gate ---- */

/* Every agent of every run must reach it; one that has no figure does not. */
static void hold_gate(struct cli_context *cli, const struct report *report,
                      const struct fail_under *limit, int *status)
{
    if (!report->row_count)
        *status = FAIL_UNDER_STATUS;
    for (size_t i = 0; i < report->row_count; i++) {
        double success = tally_success(&report->rows[i].tally);

        if (fail_under_reached(limit, success))
            continue;
        *status = FAIL_UNDER_STATUS;
        if (isnan(success))
            cli_message(cli, "%s: no scored episode", report->rows[i].label);
        else
            cli_message(cli, "%s: %.1f %% is under %.1f %%",
                        report->rows[i].label, 100 * success, limit->percent);
    }
}

static bool print(struct cli_context *cli, const struct report *report,
                  const struct report_tables *sheets,
                  const struct report_args *args, struct err *err)
{
    if (args->csv)
        return print_csv(cli, report, err);
    if (cli->shared.json)
        return print_json(cli, report, sheets, err);
    return print_text(cli, report, sheets, args->tasks, err);
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    const struct report_args *report_args = args;
    struct judged_runs judged = JUDGED_RUNS_INIT;
    struct report_tables sheets;
    struct report report;
    struct fail_under limit = {.percent = 0};
    bool done = true;

    if (report_args->fail_under &&
        !fail_under_parse(report_args->fail_under, &limit, err))
        return false;
    if (*limit.name)
        return err_set(err, ERR_INVALID,
                       "--fail-under: expected a percentage without a name");
    for (size_t i = 0; done && i < words->count; i++)
        done =
            run_fetch_all(cli, words->items[i], err) &&
            judged_runs_add(&judged, words->items[i], report_args->judge, err);
    if (done) {
        report_text_damage(cli, &judged);
        report_init(&report, &judged);
        report_tables(&report, &sheets);
        done = print(cli, &report, &sheets, report_args, err) &&
               write_page(cli, &report, &sheets, report_args, err) &&
               write_junit(cli, &report, report_args->junit, err);
        if (done && report_args->fail_under)
            hold_gate(cli, &report, &limit, status);
        report_tables_release(&sheets);
        report_release(&report);
    }
    judged_runs_release(&judged);
    return done;
}

static const struct option options_table[] = {
    OPTION_TEXT(struct report_args, judge, "judge", 'j', "NAME",
                COMPLETE_NOTHING,
                "The judge whose verdicts count: its name, or name-hash (the "
                "one with the most verdicts)"),
    OPTION_TEXT(struct report_args, html, "html", 0, "FILE", COMPLETE_FILE,
                "Also write one page with the tables and every episode"),
    OPTION_TEXT(struct report_args, junit, "junit", 0, "FILE", COMPLETE_FILE,
                "Also write the episodes as JUnit XML, for CI"),
    OPTION_CHOICE(struct report_args, pictures, "pictures", 0, "WHICH",
                  pictures,
                  "Which screens the page has: some keeps it small, with "
                  "those that did not succeed first"),
    OPTION_FLAG(struct report_args, tasks, "tasks", 0, "Also list every task"),
    OPTION_FLAG(struct report_args, csv, "csv", 0,
                "Print one line of comma-separated values per attempt"),
    OPTION_TEXT(struct report_args, fail_under, "fail-under", 0, "PERCENT",
                COMPLETE_NOTHING,
                "Exit with 3 when an agent succeeds less often"),
};

static const struct operand operands[] = {
    {.name = "RUN",
     .help = "The folder of a run; several are shown side by side",
     .min = 1,
     .max = OPERAND_MANY,
     .completes = COMPLETE_FILE},
};

static const struct example examples[] = {
    {"proctor report runs/latest", "The tables of a run."},
    {"proctor report runs/a runs/b --html report.html",
     "Two runs side by side, and a page to look at."},
    {"proctor report runs/latest --fail-under 90 --json",
     "For a script that needs an exit code."},
};

const struct command cmd_report = {
    .name = "report",
    .section = "Benchmarks",
    .summary = "Report the results of runs",
    .description =
        "Prints how often each agent succeeded, by language and kind of task, "
        "what became of the rest and why, what it cost, and pass@k. Rates are "
        "of scored episodes; void and unscored ones are listed separately. "
        "Results of the built-in phone are never counted together with those "
        "of real phones.\n\nThe page that --html writes is one file with its "
        "pictures, and loads nothing from the network.",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct report_args),
    .takes = TAKES_JSON,
    .run = run,
};
