/* proctor meter: how right judges are, on phones that know the truth. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "judge/statistics/judge_meter.h"
#include "tasks/task/suite.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/judge/fail_under.h"
#include "tools/cli/judge/judge_setup.h"
#include "tools/cli/judge/meter_page.h"
#include "tools/cli/judge/meter_setup.h"
#include "tools/cli/run/run_phones.h"
#include "tools/meter/judge_set.h"

#define JUDGES_MAX OPTION_TEXTS_MAX
#define JURORS_MAX (JUDGES_MAX + 8)

struct meter_args {
    struct option_texts seeds;
    struct option_texts skins;
    int locale; /* of locales */
    struct option_texts tasks;
    const char *sample;
    struct option_texts judges;
    int only; /* of classes */
    const char *suite;
    const char *phones;
    const char *out;
    struct option_texts fail_under;
};

static const char *const classes[] = {
    "all",          "gold",      "variant", "skipped",
    "wrong_target", "near_miss", "undone",  "wrong_process",
    "nothing",      "random",    NULL};

/* Everything that is measured, and with what. */
struct measurement {
    struct cli_context *cli;
    const struct meter_args *args;
    struct suite suite;
    struct task_ways ways;
    struct meter_cases meter_cases;
    struct meter_config configs[METER_CONFIGS_MAX];
    size_t config_count;
    struct judge_setup makers[JURORS_MAX];
    size_t maker_count;
    struct judge_entry judge_entries[JURORS_MAX];
    size_t judge_entry_count;
    struct picture_reader *reader; /* owned */
    size_t phones;
    struct buf folder;
    size_t done; /* episodes of all fields */
    struct fail_under limits[OPTION_TEXTS_MAX];
    size_t limit_count;
};

/* ---- the tasks and their ways ---- */

static enum task_way_class only(const struct meter_args *args)
{
    return args->only ? (enum task_way_class)(args->only - 1)
                      : TASK_WAY_CLASSES;
}

static bool load(struct measurement *self, struct err *err)
{
    const struct meter_args *args = self->args;
    struct meter_cases_choice choice = {.ids = args->tasks.items,
                                        .id_count = args->tasks.count,
                                        .only = only(args)};

    return meter_setup_sample(args->sample, &choice, err) &&
           suite_open(args->suite ? args->suite : "phone", &self->suite, err) &&
           task_ways_load(&self->suite, &self->ways, err) &&
           meter_cases_make(&self->suite, &self->ways, &choice,
                            &self->meter_cases, err);
}

/* ---- the judges ---- */

static bool add_judge(struct measurement *self, const char *name,
                      const char *provider, enum judge_entry_checks checks,
                      struct err *err)
{
    const struct judge_setup_options words = {
        .judge = name, .provider = provider, .reader = self->reader};
    struct judge_setup *maker = &self->makers[self->maker_count];

    if (!judge_setup_init(maker, &words, self->cli->log, self->cli->cancel,
                          err))
        return false;
    self->maker_count++;
    self->judge_entries[self->judge_entry_count++] = (struct judge_entry){
        .kind = JUDGE_ENTRY_JUDGE,
        .judge = &maker->judge,
        .checks = checks,
        .source = maker->judge.options.source,
        .name = maker->judge.name,
    };
    return true;
}

static void add_baseline(struct measurement *self, enum judge_entry_kind kind,
                         const char *name)
{
    self->judge_entries[self->judge_entry_count++] = (struct judge_entry){
        .kind = kind, .source = PROCESS_CONVERTER, .name = name};
}

static bool make_jurors(struct measurement *self, struct err *err)
{
    const struct option_texts *judges = &self->args->judges;

    for (size_t i = 0; i < judges->count; i++) {
        if (strcmp(judges->items[i], "rules") != 0 &&
            !add_judge(self, judges->items[i], NULL, JUDGE_CHECKS_NONE, err))
            return false;
    }
    if (!add_judge(self, "rules", "offline", JUDGE_CHECKS_HAND, err) ||
        !add_judge(self, "rules", "offline", JUDGE_CHECKS_PROPOSED, err) ||
        !add_judge(self, "rules", "offline", JUDGE_CHECKS_RECORDED, err) ||
        !add_judge(self, "rules", "converter", JUDGE_CHECKS_HAND, err) ||
        !add_judge(self, "rules", "plain", JUDGE_CHECKS_HAND, err))
        return false;
    add_baseline(self, JUDGE_ENTRY_ALWAYS_YES, "always yes");
    add_baseline(self, JUDGE_ENTRY_LAST_SCREEN, "last screen only");
    add_baseline(self, JUDGE_ENTRY_SAME_AS_GOLD, "same as gold");
    return true;
}

/* ---- the limits ---- */

/*
 * Does the limit name this judge? "hand", "proposed" and "recorded" name the
 * rules judge with such checks, reading what judges read by default; without a
 * name, the first judge is meant.
 */
static bool is_limited(const struct fail_under *limit,
                       const struct judge_entry *judge_entries, size_t place)
{
    const struct judge_entry *judge_entry = &judge_entries[place];

    if (!*limit->name)
        return !place;
    if (judge_entry->kind != JUDGE_ENTRY_JUDGE)
        return false;
    if (judge_entry->checks == JUDGE_CHECKS_NONE)
        return !strcmp(limit->name, judge_entry->name);
    return judge_entry->source == PROCESS_OFFLINE &&
           !strcmp(limit->name, judge_entry_checks_name(judge_entry->checks));
}

static size_t find_limited(const struct measurement *self,
                           const struct fail_under *limit)
{
    size_t place = 0;

    while (place < self->judge_entry_count &&
           !is_limited(limit, self->judge_entries, place))
        place++;
    return place;
}

/* Before anything runs, so that a mistyped name does not cost minutes. */
static bool read_limits(struct measurement *self, struct err *err)
{
    const struct option_texts *texts = &self->args->fail_under;

    for (size_t i = 0; i < texts->count; i++) {
        struct fail_under *limit = &self->limits[self->limit_count++];

        if (!fail_under_parse(texts->items[i], limit, err))
            return false;
        if (find_limited(self, limit) == self->judge_entry_count)
            return err_set(err, ERR_INVALID,
                           "--fail-under: no judge \"%.60s\" is measured; "
                           "expected \"hand\", \"proposed\", \"recorded\" or "
                           "the name of a --judge",
                           limit->name);
    }
    return true;
}

static void hold_limits(struct measurement *self,
                        const struct meter_table *tables, int *status)
{
    for (size_t i = 0; i < self->limit_count; i++) {
        const struct fail_under *limit = &self->limits[i];
        const struct judge_entry *judge_entry =
            &self->judge_entries[find_limited(self, limit)];
        const struct meter_row *all =
            &tables[judge_entry - self->judge_entries].rows[0];
        bool reached =
            all->pairs && fail_under_reached(limit, all->pair_accuracy);

        cli_message(
            self->cli, "%s, %s checks: %.1f %% of %zu pairs, %s %.1f %%",
            judge_entry->name, judge_entry_checks_name(judge_entry->checks),
            100 * all->pair_accuracy, all->pairs,
            reached ? "at least" : "under", limit->percent);
        if (!reached)
            *status = FAIL_UNDER_STATUS;
    }
}

/* ---- the work ---- */

static void on_result(void *context, const struct run_result *result,
                      const struct work_queue_state *state)
{
    struct measurement *self = context;

    (void)result, (void)state;
    self->done++;
}

static bool run_fields(struct measurement *self, struct err *err)
{
    const struct meter_config_options options = {
        .meter_cases = &self->meter_cases,
        .suite = &self->suite,
        .folder = buf_cstr(&self->folder),
        .random = !self->args->only || only(self->args) == TASK_WAY_RANDOM,
        .phones = self->phones,
        .watcher = {.on_result = on_result, .context = self},
        .cancel = self->cli->cancel,
        .log = self->cli->log,
    };

    for (size_t i = 0; i < self->config_count; i++) {
        const struct meter_config *meter_config = &self->configs[i];

        if (!meter_config_run(meter_config, &options, err))
            return false;
        cli_message(self->cli,
                    "seed %lld, skin %d, %s: %zu episodes so far, in %s",
                    (long long)meter_config->seed, meter_config->skin,
                    meter_config->locale, self->done, buf_cstr(&self->folder));
    }
    return true;
}

static bool print(struct measurement *self, const struct judge_set *judge_set,
                  const struct meter_table *tables, struct err *err)
{
    struct text_page page;
    bool done;

    if (self->cli->shared.json) {
        struct cJSON *rows = meter_page_json(judge_set, tables);

        done = output_stream_json(&self->cli->out, rows, err);
        cJSON_Delete(rows);
        return done;
    }
    text_page_init(&page, self->cli->out.fd);
    meter_page_write(&page, judge_set, tables);
    done = output_stream_buf(&self->cli->out, &page.text, err);
    text_page_release(&page);
    return done;
}

static bool measure(struct measurement *self, int *status, struct err *err)
{
    const struct judge_set_options options = {
        .folder = buf_cstr(&self->folder),
        .configs = self->configs,
        .config_count = self->config_count,
        .meter_cases = &self->meter_cases,
        .judge_entries = self->judge_entries,
        .judge_entry_count = self->judge_entry_count,
        .reader = self->reader,
        .cancel = self->cli->cancel,
    };
    struct meter_table *tables;
    struct meter_episodes meter_config;
    struct judge_set judge_set;
    bool done;

    if (!judge_set_run(&options, &judge_set, err))
        return false;
    tables = mem_new(judge_set.judge_entry_count, sizeof(*tables));
    meter_config = (struct meter_episodes){.episodes = judge_set.episodes,
                                           .count = judge_set.count,
                                           .pairs = judge_set.pairs,
                                           .pair_count = judge_set.pair_count};
    for (size_t i = 0; i < judge_set.judge_entry_count; i++)
        meter_count(&meter_config, &judge_set.outcomes[i * judge_set.count],
                    &tables[i]);
    done = print(self, &judge_set, tables, err);
    if (done)
        hold_limits(self, tables, status);
    free(tables);
    judge_set_release(&judge_set);
    return done;
}

static void release(struct measurement *self)
{
    for (size_t i = 0; i < self->maker_count; i++)
        judge_setup_release(&self->makers[i]);
    picture_reader_close(self->reader);
    meter_cases_release(&self->meter_cases);
    task_ways_release(&self->ways);
    suite_release(&self->suite);
    buf_release(&self->folder);
    free(self);
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    struct measurement *self = mem_new(1, sizeof(*self));
    int64_t phones = METER_PHONES_DEFAULT;
    bool done;

    (void)words;
    self->cli = cli;
    self->args = args;
    self->folder = (struct buf)BUF_INIT(PATH_MAX);
    self->reader = picture_reader_open();
    picture_reader_use_cache(self->reader);
    done =
        run_phones_number("phones", self->args->phones, 1, 256, &phones, err);
    self->phones = (size_t)phones;
    done = done && load(self, err) &&
           meter_setup_configs(&self->args->seeds, &self->args->skins,
                               self->args->locale, self->configs,
                               &self->config_count, err) &&
           make_jurors(self, err) && read_limits(self, err) &&
           meter_setup_folder(self->args->out, &self->folder, err) &&
           run_fields(self, err) && measure(self, status, err);
    release(self);
    return done;
}

static const struct option options_table[] = {
    OPTION_TEXTS(struct meter_args, seeds, "seed", 0, "NUMBER",
                 COMPLETE_NOTHING,
                 "The content of the phones (1); may be given several times"),
    OPTION_TEXTS(struct meter_args, skins, "skin", 0, "NUMBER",
                 COMPLETE_NOTHING,
                 "Their wording and layout (0); may be given several times"),
    OPTION_CHOICE(struct meter_args, locale, "locale", 0, "LANGUAGE",
                  meter_setup_locales,
                  "The language of tasks and phones (both)"),
    OPTION_TEXTS(struct meter_args, tasks, "task", 't', "ID", COMPLETE_TASK,
                 "Only this task; may be given several times"),
    OPTION_TEXT(struct meter_args, sample, "sample", 0, "N[:HEX]",
                COMPLETE_NOTHING,
                "Only so many of the tasks; HEX chooses which (0)"),
    OPTION_TEXTS(struct meter_args, judges, "judge", 'j', "JUDGE",
                 COMPLETE_NOTHING,
                 "Also measure this judge, such as openai:MODEL"),
    OPTION_CHOICE(struct meter_args, only, "only", 0, "CLASS", classes,
                  "Only wrong ways of this class"),
    OPTION_TEXT(struct meter_args, suite, "suite", 0, "SUITE", COMPLETE_SUITE,
                "The suite, with its ways in NAME.ways.json (phone)"),
    OPTION_TEXT(struct meter_args, phones, "phones", 0, "N", COMPLETE_NOTHING,
                "How many built-in phones are used at once (4)"),
    OPTION_TEXT(struct meter_args, out, "out", 'o', "DIRECTORY", COMPLETE_FILE,
                "Where the episodes are kept (a new folder in /tmp); episodes "
                "that exist are not run again"),
    OPTION_TEXTS(
        struct meter_args, fail_under, "fail-under", 0, "[JUDGE=]PERCENT",
        COMPLETE_NOTHING,
        "Exit with 3 when a judge is right about less of the pairs; "
        "JUDGE is hand, proposed or recorded (the rules with such "
        "checks) or the name of a --judge; may be given several times"),
};

static const struct example examples[] = {
    {"proctor meter", "The rules judge, on one seed, in both languages."},
    {"proctor meter --judge openai:gpt-4o --only undone",
     "A model as well, on ways that undo what they did."},
    {"proctor meter --fail-under hand=99 --fail-under proposed=95",
     "Check in a script that the rules judge is as good as it was."},
};

const struct command cmd_meter = {
    .name = "meter",
    .section = "Benchmarks",
    .summary = "Measure how accurate judges are",
    .description =
        "Does each task of the built-in phone in many ways: by its gold steps, "
        "in other right ways, and in wrong ways that differ from a right one "
        "in a single step. The phone knows the ground truth; the judges see "
        "only what judges may see. Reported is how often each judge is right "
        "about a pair of a right way and its closest wrong one, and where "
        "judge and truth differ.\n\nIt measures judges on the built-in phone, "
        "not agents.",
    COMMAND_OPTIONS(options_table),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct meter_args),
    .takes = TAKES_JSON,
    .run = run,
};
