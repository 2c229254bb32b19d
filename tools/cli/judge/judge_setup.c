#include "tools/cli/judge/judge_setup.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "judge/model/model_judge.h"
#include "runner/models/models.h"
#include "tasks/trajectory/episode_folders.h"

#define PROMPT_MAX ((size_t)1 << 20)

static bool read_repeats(const char *text, unsigned *repeats, struct err *err)
{
    char *end;
    long number;

    if (!text)
        return true;
    number = strtol(text, &end, 10);
    if (end == text || *end || number < 1 || number > MODEL_JUDGE_REPEATS_MAX)
        return err_set(err, ERR_INVALID,
                       "--repeats: expected a number from 1 to %d",
                       MODEL_JUDGE_REPEATS_MAX);
    *repeats = (unsigned)number;
    return true;
}

static bool read_provider(const char *text, enum process_source *source,
                          bool *by_model, struct err *err)
{
    *by_model = text && !strcmp(text, "model");
    if (!text || *by_model)
        return true;
    for (int i = 0; i < PROCESS_SOURCES; i++) {
        if (!strcmp(process_source_name((enum process_source)i), text)) {
            *source = (enum process_source)i;
            return true;
        }
    }
    return err_set(err, ERR_INVALID,
                   "--provider: expected offline, converter, plain or model");
}

static bool is_text(const struct buf *text)
{
    const char *at = buf_cstr(text);

    for (size_t left = text->length, bytes; left; at += bytes, left -= bytes) {
        bytes = utf8_first(at, left);
        if (!bytes || !*at)
            return false;
    }
    return true;
}

/* A file that is not UTF-8 would not be sent word for word. */
static bool read_prompt(const char *path, char **prompt, struct err *err)
{
    struct buf text = BUF_INIT(PROMPT_MAX);
    bool done;

    if (!path)
        return true;
    if (!file_load(path, &text, err)) {
        buf_release(&text);
        return false;
    }
    done = is_text(&text) ||
           err_set(err, ERR_INVALID, "--prompt: %.150s is not UTF-8", path);
    if (done)
        *prompt = mem_dup(buf_cstr(&text));
    buf_release(&text);
    return done;
}

static bool get_model(struct judge_setup *maker, const char *name,
                      const struct log *log, struct model **model,
                      struct err *err)
{
    const struct models_options options = {.log = log};

    return (maker->models || models_open(&options, &maker->models, err)) &&
           models_open_model(maker->models, name, model, err);
}

/* Every episode of a run; those that nothing is proposed from are skipped. */
static bool find_golds(const struct option_texts *given,
                       const struct picture_access *access,
                       struct gold_set *gold_set, struct err *err)
{
    struct text_list folders = {.count = 0};
    struct err last = ERR_INIT;
    bool done = true;

    for (size_t i = 0; done && i < given->count; i++)
        done = episode_folders_find(given->items[i], &folders, err);
    for (size_t i = 0; done && i < folders.count; i++) {
        if (!gold_set_add(gold_set, folders.items[i], access, &last))
            continue;
    }
    text_list_release(&folders);
    if (done && !gold_set->count) {
        *err = last;
        return err_wrap(err, "--gold");
    }
    return done;
}

static bool is_rules(const char *name)
{
    return !name || !strcmp(name, "rules") || !strcmp(name, "checklist");
}

static bool find_models(struct judge_setup *maker,
                        const struct judge_setup_options *words, bool by_model,
                        const struct log *log, struct err *err)
{
    if (!is_rules(words->judge) && !models_is_model_name(words->judge))
        return err_set(err, ERR_INVALID,
                       "there is no judge \"%.60s\": there are rules, "
                       "checklist, and models such as openai:gpt-4o",
                       words->judge);
    if (!is_rules(words->judge) &&
        !get_model(maker, words->judge, log, &maker->model, err))
        return false;
    if (by_model && !words->summarizer && !maker->model)
        return err_set(err, ERR_INVALID,
                       "--provider model needs --summarizer, a model");
    return !words->summarizer ||
           get_model(maker, words->summarizer, log, &maker->summarizer, err);
}

/* What would do nothing is a mistake. */
static bool check_words(const struct judge_setup_options *words, bool by_model,
                        struct err *err)
{
    if (is_rules(words->judge) && (words->prompt || words->repeats))
        return err_set(err, ERR_INVALID,
                       "%s is for judges that are models, such as "
                       "openai:gpt-4o",
                       words->prompt ? "--prompt" : "--repeats");
    return !words->summarizer || by_model ||
           err_set(err, ERR_INVALID, "--summarizer is for --provider model");
}

static bool check_golds(struct judge_setup *maker,
                        const struct judge_setup_options *words,
                        const struct picture_access *access, struct err *err)
{
    bool given = words->gold_set && words->gold_set->count;
    bool wanted = words->judge && !strcmp(words->judge, "checklist");

    if (wanted != given)
        return err_set(
            err, ERR_INVALID,
            wanted ? "the judge checklist needs --gold, a run of the agent gold"
                   : "--gold is for the judge checklist");
    return !given || find_golds(words->gold_set, access, &maker->gold_set, err);
}

bool judge_setup_init(struct judge_setup *maker,
                      const struct judge_setup_options *words,
                      const struct log *log, const struct cancel *cancel,
                      struct err *err)
{
    struct judge_options options = {
        .kind = JUDGE_RULES, .reader = words->reader, .cancel = cancel};
    const struct picture_access access = {
        .reader = words->reader, .by = DEADLINE_NEVER, .cancel = cancel};
    bool by_model = false;

    *maker = (struct judge_setup){.models = NULL};
    if (!read_repeats(words->repeats, &options.repeats, err) ||
        !read_provider(words->provider, &options.source, &by_model, err) ||
        !read_prompt(words->prompt, &maker->prompt, err) ||
        !check_words(words, by_model, err) ||
        !find_models(maker, words, by_model, log, err) ||
        !check_golds(maker, words, &access, err)) {
        judge_setup_release(maker);
        return false;
    }
    if (maker->model)
        options.kind = JUDGE_MODEL;
    else if (words->judge && !strcmp(words->judge, "checklist"))
        options.kind = JUDGE_CHECKLIST;
    options.gold_set = &maker->gold_set;
    options.model = maker->model;
    options.prompt = maker->prompt;
    if (by_model)
        options.summarizer =
            maker->summarizer ? maker->summarizer : maker->model;
    judge_init(&maker->judge, &options);
    return true;
}

void judge_setup_release(struct judge_setup *maker)
{
    judge_release(&maker->judge);
    model_close(maker->model);
    model_close(maker->summarizer);
    models_close(maker->models);
    free(maker->prompt);
    gold_set_release(&maker->gold_set);
    *maker = (struct judge_setup){.models = NULL};
}
