/* proctor meter: how right judges are, on phones that know the truth. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "judge/meter.h"
#include "tools/cli/cli.h"
#include "tools/cli/cmd.h"
#include "tools/cli/judge_maker.h"
#include "tools/cli/meter_page.h"
#include "tools/cli/run_phones.h"
#include "tools/meter/jury.h"

#define FIELDS_MAX 256
#define JUDGES_MAX OPTION_TEXTS_MAX
#define JURORS_MAX (JUDGES_MAX + 8)
#define PHONES_DEFAULT 4
#define SEED_DEFAULT 1

struct meter_args {
    struct option_texts seeds;
    struct option_texts skins;
    int locale; /* of locales */
    struct option_texts tasks;
    struct option_texts judges;
    int only; /* of classes */
    const char *suite;
    const char *phones;
    const char *out;
};

static const char *const locales[] = {"both", "en", "zh", NULL};
static const char *const classes[] = {
    "all",          "gold",      "cousin", "skipped",
    "wrong_target", "near_miss", "undone", "luck",
    "nothing",      "random",    NULL};

/* Everything that is measured, and with what. */
struct measurement {
    struct cli *cli;
    const struct meter_args *args;
    struct suite suite;
    struct ways ways;
    struct entrants entrants;
    struct field fields[FIELDS_MAX];
    size_t field_count;
    struct judge_maker makers[JURORS_MAX];
    size_t maker_count;
    struct juror jurors[JURORS_MAX];
    size_t juror_count;
    size_t phones;
    struct buf folder;
    size_t done; /* episodes, of all fields; told one at a time */
};

/* ---- the tasks and their ways ---- */

/* Beside phone.json lies phone.ways.json. */
static bool load_ways(struct measurement *self, struct err *err)
{
    const char *suite = self->suite.path;
    size_t length = strlen(suite);
    struct buf path = BUF_INIT(PATH_MAX);
    bool done = true;

    if (length > 5 && !strcmp(suite + length - 5, ".json"))
        length -= 5;
    buf_append(&path, suite, length);
    buf_text(&path, ".ways.json");
    if (!access(buf_cstr(&path), F_OK))
        done = ways_load(buf_cstr(&path), &self->suite, &self->ways, err);
    buf_release(&path);
    return done;
}

static enum way_class only(const struct meter_args *args)
{
    return args->only ? (enum way_class)(args->only - 1) : WAY_CLASSES;
}

static bool load(struct measurement *self, struct err *err)
{
    const struct meter_args *args = self->args;
    const struct entrants_choice choice = {.ids = args->tasks.items,
                                           .id_count = args->tasks.count,
                                           .only = only(args)};

    return suite_open(args->suite ? args->suite : "phone", &self->suite, err) &&
           load_ways(self, err) &&
           entrants_make(&self->suite, &self->ways, &choice, &self->entrants,
                         err);
}

/* ---- the phones ---- */

static bool add_field(struct measurement *self, int64_t seed, int64_t skin,
                      const char *locale, struct err *err)
{
    if (self->field_count == FIELDS_MAX)
        return err_set(err, ERR_LIMIT,
                       "more than %d seeds, skins and languages", FIELDS_MAX);
    self->fields[self->field_count++] =
        (struct field){.seed = seed, .skin = (int)skin, .locale = locale};
    return true;
}

/* Every seed in every skin in every language. */
static bool make_fields(struct measurement *self, struct err *err)
{
    const struct meter_args *args = self->args;
    size_t seeds = args->seeds.count ? args->seeds.count : 1;
    size_t skins = args->skins.count ? args->skins.count : 1;

    for (size_t i = 0; i < seeds * skins * 2; i++) {
        int64_t seed = SEED_DEFAULT;
        int64_t skin = 0;
        const char *locale = i % 2 ? "zh" : "en";

        if (args->locale && strcmp(locale, locales[args->locale]) != 0)
            continue;
        if ((args->seeds.count &&
             !run_phones_number("seed", args->seeds.items[i / 2 % seeds], 0,
                                JSON_INT_MAX, &seed, err)) ||
            (args->skins.count &&
             !run_phones_number("skin", args->skins.items[i / 2 / seeds], 0,
                                INT_MAX, &skin, err)) ||
            !add_field(self, seed, skin, locale, err))
            return false;
    }
    return true;
}

/* ---- the judges ---- */

static bool add_judge(struct measurement *self, const char *name,
                      const char *provider, enum juror_checks checks,
                      struct err *err)
{
    const struct judge_words words = {.judge = name, .provider = provider};
    struct judge_maker *maker = &self->makers[self->maker_count];

    if (!judge_maker_init(maker, &words, self->cli->log, self->cli->cancel,
                          err))
        return false;
    self->maker_count++;
    self->jurors[self->juror_count++] = (struct juror){
        .kind = JUROR_JUDGE,
        .judge = &maker->judge,
        .checks = checks,
        .source = maker->judge.options.source,
        .name = maker->judge.name,
    };
    return true;
}

static void add_baseline(struct measurement *self, enum juror_kind kind,
                         const char *name)
{
    self->jurors[self->juror_count++] =
        (struct juror){.kind = kind, .source = PROCESS_CONVERTER, .name = name};
}

static bool make_jurors(struct measurement *self, struct err *err)
{
    const struct option_texts *judges = &self->args->judges;

    for (size_t i = 0; i < judges->count; i++) {
        if (strcmp(judges->items[i], "rules") != 0 &&
            !add_judge(self, judges->items[i], NULL, CHECKS_NONE, err))
            return false;
    }
    if (!add_judge(self, "rules", "offline", CHECKS_HAND, err) ||
        !add_judge(self, "rules", "offline", CHECKS_PROPOSED, err) ||
        !add_judge(self, "rules", "converter", CHECKS_HAND, err) ||
        !add_judge(self, "rules", "plain", CHECKS_HAND, err))
        return false;
    add_baseline(self, JUROR_ALWAYS_YES, "always yes");
    add_baseline(self, JUROR_LAST_SCREEN, "last screen only");
    add_baseline(self, JUROR_SAME_AS_GOLD, "same as gold");
    return true;
}

/* ---- the work ---- */

static void hear_result(void *context, const struct result *result,
                        const struct work_state *state)
{
    struct measurement *self = context;

    (void)result, (void)state;
    self->done++;
}

static bool make_folder(struct measurement *self, struct err *err)
{
    char unique[] = "/tmp/proctor-meter-XXXXXX";

    if (self->args->out) {
        buf_text(&self->folder, self->args->out);
        return file_make_folder(self->args->out, 0777, err);
    }
    if (!mkdtemp(unique))
        return err_errno(err, errno, "make a folder in /tmp");
    buf_text(&self->folder, unique);
    return true;
}

static bool run_fields(struct measurement *self, struct err *err)
{
    const struct field_options options = {
        .entrants = &self->entrants,
        .suite = &self->suite,
        .folder = buf_cstr(&self->folder),
        .random = !self->args->only || only(self->args) == WAY_RANDOM,
        .phones = self->phones,
        .watcher = {.hears = hear_result, .context = self},
        .cancel = self->cli->cancel,
        .log = self->cli->log,
    };

    for (size_t i = 0; i < self->field_count; i++) {
        const struct field *field = &self->fields[i];

        if (!field_run(field, &options, err))
            return false;
        cli_say(self->cli, "seed %lld, skin %d, %s: %zu episodes so far, in %s",
                (long long)field->seed, field->skin, field->locale, self->done,
                buf_cstr(&self->folder));
    }
    return true;
}

static bool print(struct measurement *self, const struct jury *jury,
                  const struct meter_table *tables, struct err *err)
{
    struct page page;
    bool done;

    if (self->cli->shared.json) {
        struct cJSON *rows = meter_page_json(jury, tables);

        done = output_json(&self->cli->out, rows, err);
        cJSON_Delete(rows);
        return done;
    }
    page_init(&page, self->cli->out.fd);
    meter_page_write(&page, jury, tables);
    done = output_buf(&self->cli->out, &page.text, err);
    page_release(&page);
    return done;
}

static bool measure(struct measurement *self, struct err *err)
{
    const struct jury_options options = {
        .folder = buf_cstr(&self->folder),
        .fields = self->fields,
        .field_count = self->field_count,
        .entrants = &self->entrants,
        .jurors = self->jurors,
        .juror_count = self->juror_count,
        .cancel = self->cli->cancel,
    };
    struct meter_table *tables;
    struct meter_field field;
    struct jury jury;
    bool done;

    if (!jury_hear(&options, &jury, err))
        return false;
    tables = mem_new(jury.juror_count, sizeof(*tables));
    field = (struct meter_field){.episodes = jury.episodes,
                                 .count = jury.count,
                                 .pairs = jury.pairs,
                                 .pair_count = jury.pair_count};
    for (size_t i = 0; i < jury.juror_count; i++)
        meter_count(&field, &jury.outcomes[i * jury.count], &tables[i]);
    done = print(self, &jury, tables, err);
    free(tables);
    jury_release(&jury);
    return done;
}

static void release(struct measurement *self)
{
    for (size_t i = 0; i < self->maker_count; i++)
        judge_maker_release(&self->makers[i]);
    entrants_release(&self->entrants);
    ways_release(&self->ways);
    suite_release(&self->suite);
    buf_release(&self->folder);
    free(self);
}

static bool run(struct cli *cli, const void *args, const struct words *words,
                int *status, struct err *err)
{
    struct measurement *self = mem_new(1, sizeof(*self));
    int64_t phones = PHONES_DEFAULT;
    bool done;

    (void)words, (void)status;
    self->cli = cli;
    self->args = args;
    self->folder = (struct buf)BUF_INIT(PATH_MAX);
    done =
        run_phones_number("phones", self->args->phones, 1, 256, &phones, err);
    self->phones = (size_t)phones;
    done = done && load(self, err) && make_fields(self, err) &&
           make_jurors(self, err) && make_folder(self, err) &&
           run_fields(self, err) && measure(self, err);
    release(self);
    return done;
}

static const struct option options_table[] = {
    OPTION_TEXTS(struct meter_args, seeds, "seed", 0, "NUMBER",
                 "What the phones hold (1); may be given several times"),
    OPTION_TEXTS(struct meter_args, skins, "skin", 0, "NUMBER",
                 "How they word and arrange it (0); the same"),
    OPTION_CHOICE(struct meter_args, locale, "locale", 0, "LANGUAGE", locales,
                  "The language of tasks and phones (both)"),
    OPTION_TEXTS(struct meter_args, tasks, "task", 't', "ID",
                 "Only this task; may be given several times"),
    OPTION_TEXTS(struct meter_args, judges, "judge", 'j', "JUDGE",
                 "Measure this one beside the rules, such as openai:MODEL"),
    OPTION_CHOICE(struct meter_args, only, "only", 0, "CLASS", classes,
                  "Only wrong ways of this class"),
    OPTION_TEXT(struct meter_args, suite, "suite", 0, "SUITE", COMPLETE_FILE,
                "The tasks, with their ways beside them (phone)"),
    OPTION_TEXT(struct meter_args, phones, "phones", 0, "N", COMPLETE_NOTHING,
                "How many built-in phones are used at once (4)"),
    OPTION_TEXT(struct meter_args, out, "out", 'o', "DIRECTORY", COMPLETE_FILE,
                "Where the episodes are kept (a new one in /tmp); what is "
                "there already is not run again"),
};

static const struct example examples[] = {
    {"proctor meter", "The rules judge, on one seed, in both languages."},
    {"proctor meter --judge openai:gpt-4o --only undone",
     "A model beside it, on ways that undo what they did."},
};

const struct command cmd_meter = {
    .name = "meter",
    .section = "Benchmarks",
    .summary = "Measure how right judges are",
    .description =
        "Does each task of the built-in phone in many ways: as it should be "
        "done, in other ways that are right, and in wrong ones that differ "
        "from a right one in a single thing. The phone knows what was really "
        "done; the judges see what judges may see. Told is how often each of "
        "them is right about a pair, a right way and its closest wrong one, "
        "and where judge and truth differ.\n\n"
        "It measures judges on the built-in phone, and nothing else.",
    COMMAND_OPTIONS(options_table),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct meter_args),
    .takes = TAKES_JSON,
    .run = run,
};
