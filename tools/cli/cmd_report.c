/* proctor report: how runs went. */
#include <math.h>
#include <stdlib.h>

#include "judge/report_sheets.h"
#include "tools/cli/cli.h"
#include "tools/cli/cmd.h"
#include "tools/cli/page.h"
#include "tools/cli/report_data.h"
#include "tools/cli/report_text.h"
#include "tools/web/report_page.h"

/* The exit code of a success that is not success enough. */
#define EXIT_UNDER 3

#define CSV_MAX ((size_t)1 << 30)

struct report_args {
    const char *judge;
    const char *html;
    const char *fail_under;
    int pictures; /* an enum report_pictures */
    bool csv;
    bool tasks;
};

static const char *const pictures[] = {"some", "all", "none", NULL};

/* ---- what is printed ---- */

static void say_judges(struct page *page, const struct ledger *ledger)
{
    for (size_t i = 0; i < ledger->run_count; i++) {
        const struct ledger_run *run = &ledger->runs[i];

        page_foreign(page, PAGE_DIM, run->folder);
        if (!run->judge_count) {
            page_text(page, PAGE_DIM, ": nobody judged it yet; try: ");
            page_text(page, PAGE_DIM, "proctor judge ");
            page_foreign(page, PAGE_DIM, run->folder);
        } else {
            page_text(page, PAGE_DIM, ": judged by ");
            page_foreign(page, PAGE_DIM, run->judges[0].name);
            if (run->judge_count > 1)
                page_text(page, PAGE_DIM, "; --judge has the others");
        }
        if (run->finished < run->planned) {
            page_printf(page,
                        "; %zu of %zu episodes are finished, the others: "
                        "proctor resume ",
                        run->finished, run->planned);
            page_foreign(page, PAGE_PLAIN, run->folder);
        }
        page_text(page, PAGE_PLAIN, "\n");
    }
}

static bool print_text(struct cli *cli, const struct report *report,
                       const struct report_sheets *sheets, bool tasks,
                       struct err *err)
{
    struct buf headline = BUF_INIT(SIZE_MAX);
    struct page page;
    bool done;

    page_init(&page, cli->out.fd);
    report_headline(report, &headline);
    page_wrap_foreign(&page, PAGE_BOLD, buf_cstr(&headline));
    buf_release(&headline);
    say_judges(&page, report->ledger);
    for (size_t i = 0; i < sheets->count; i++) {
        /* The last sheet is as long as there are tasks. */
        if (i + 1 == sheets->count && !tasks)
            break;
        page_text(&page, PAGE_PLAIN, "\n");
        report_text_sheet(&page, &sheets->items[i]);
    }
    if (report_has(report, true)) {
        page_text(&page, PAGE_PLAIN, "\n");
        page_wrap(&page, 0, 0,
                  "Figures of the built-in phone measure judges and harnesses. "
                  "They are no figures of real phones, and never counted "
                  "together with them.");
    }
    done = output_buf(&cli->out, &page.text, err);
    page_release(&page);
    return done;
}

static bool print_json(struct cli *cli, const struct report *report,
                       const struct report_sheets *sheets, struct err *err)
{
    struct cJSON *tree = report_json(report, sheets);
    bool done = output_json(&cli->out, tree, err);

    cJSON_Delete(tree);
    return done;
}

static bool print_csv(struct cli *cli, const struct report *report,
                      struct err *err)
{
    struct buf text = BUF_INIT(CSV_MAX);
    bool done;

    report_csv(report, &text);
    done = output_buf(&cli->out, &text, err);
    buf_release(&text);
    return done;
}

/* ---- the page ---- */

static bool write_page(struct cli *cli, const struct report *report,
                       const struct report_sheets *sheets,
                       const struct report_args *args, struct err *err)
{
    if (!args->html)
        return true;
    if (!report_page_save(report, sheets, (enum report_pictures)args->pictures,
                          args->html, cli->cancel, err))
        return false;
    cli_say(cli, "wrote %s", args->html);
    return true;
}

/* ---- the gate ---- */

static bool parse_percent(const char *text, double *percent, struct err *err)
{
    char *end = NULL;
    double number = text ? strtod(text, &end) : 0;

    if (text && (end == text || (*end && (*end != '%' || end[1])) ||
                 !(number >= 0 && number <= 100)))
        return err_set(err, ERR_INVALID,
                       "--fail-under: expected a percentage from 0 to 100");
    *percent = number;
    return true;
}

/* Every agent of every run must reach it; one that has no figure does not. */
static void hold_gate(struct cli *cli, const struct report *report,
                      double percent, int *status)
{
    if (!report->row_count)
        *status = EXIT_UNDER;
    for (size_t i = 0; i < report->row_count; i++) {
        double success = 100 * tally_success(&report->rows[i].tally);

        if (success >= percent)
            continue;
        *status = EXIT_UNDER;
        if (isnan(success))
            cli_say(cli, "%s: no scored episode", report->rows[i].label);
        else
            cli_say(cli, "%s: %.1f %% is under %.1f %%", report->rows[i].label,
                    success, percent);
    }
}

static bool print(struct cli *cli, const struct report *report,
                  const struct report_sheets *sheets,
                  const struct report_args *args, struct err *err)
{
    if (args->csv)
        return print_csv(cli, report, err);
    if (cli->shared.json)
        return print_json(cli, report, sheets, err);
    return print_text(cli, report, sheets, args->tasks, err);
}

static bool run(struct cli *cli, const void *args, const struct words *words,
                int *status, struct err *err)
{
    const struct report_args *report_args = args;
    struct ledger ledger = LEDGER_INIT;
    struct report_sheets sheets;
    struct report report;
    double percent;
    bool done = true;

    if (!parse_percent(report_args->fail_under, &percent, err))
        return false;
    for (size_t i = 0; done && i < words->count; i++)
        done = ledger_add(&ledger, words->items[i], report_args->judge, err);
    if (done) {
        report_text_damage(cli, &ledger);
        report_init(&report, &ledger);
        report_sheets(&report, &sheets);
        done = print(cli, &report, &sheets, report_args, err) &&
               write_page(cli, &report, &sheets, report_args, err);
        if (done && report_args->fail_under)
            hold_gate(cli, &report, percent, status);
        report_sheets_release(&sheets);
        report_release(&report);
    }
    ledger_release(&ledger);
    return done;
}

static const struct option options_table[] = {
    OPTION_TEXT(struct report_args, judge, "judge", 'j', "NAME",
                COMPLETE_NOTHING,
                "Whose verdicts count: a judge's name, or name-hash; otherwise "
                "of who judged most"),
    OPTION_TEXT(struct report_args, html, "html", 0, "FILE", COMPLETE_FILE,
                "Also write one page with the tables and every episode"),
    OPTION_CHOICE(struct report_args, pictures, "pictures", 0, "WHICH",
                  pictures,
                  "Which screens the page has: some keeps it small, with "
                  "those that did not succeed first"),
    OPTION_FLAG(struct report_args, tasks, "tasks", 0, "Also list every task"),
    OPTION_FLAG(struct report_args, csv, "csv", 0,
                "Print one line of comma-separated values per attempt"),
    OPTION_TEXT(struct report_args, fail_under, "fail-under", 0, "PERCENT",
                COMPLETE_NOTHING, "Exit with 3 when an agent succeeds in less"),
};

static const struct operand operands[] = {
    {.name = "RUN",
     .help = "The folder of a run; several stand side by side",
     .min = 1,
     .max = OPERAND_MANY,
     .completes = COMPLETE_FILE},
};

static const struct example examples[] = {
    {"proctor report runs/latest", "the tables of a run"},
    {"proctor report runs/a runs/b --html report.html",
     "two runs side by side, and a page to look at"},
    {"proctor report runs/latest --fail-under 90 --json",
     "for a machine that says yes or no"},
};

const struct command cmd_report = {
    .name = "report",
    .section = "Benchmarks",
    .summary = "Say how runs went",
    .description =
        "Prints how often each agent succeeded, by language and kind of task, "
        "what became of the rest and why, what it cost, and pass@k. Rates are "
        "of scored episodes; void and unscored ones are told apart. Results "
        "of the built-in phone never count together with real phones'.\n\n"
        "The page that --html writes needs nothing but a browser: it holds "
        "its pictures, and asks nobody for anything.",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct report_args),
    .takes = TAKES_JSON,
    .run = run,
};
