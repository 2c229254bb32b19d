#include "judge/judge.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "base/sha256.h"
#include "judge/data.h"
#include "judge/failure_find.h"
#include "judge/model_judge.h"
#include "judge/rules.h"
#include "judge/summaries.h"

#define ASK_MS_USUAL (180 * 1000)

/* What all prompts say, in a few digits. */
static void add_prompts(struct cJSON *config, const char *prompt)
{
    struct buf all = BUF_INIT(SIZE_MAX);
    char hex[SHA256_HEX_SIZE];

    if (prompt) {
        buf_text(&all, prompt);
    } else {
        buf_text(&all, data_text("prompts/state.txt"));
        buf_text(&all, data_text("prompts/process.txt"));
    }
    sha256_hex(buf_cstr(&all), all.length, hex);
    hex[16] = '\0';
    json_add_string(config, "prompt", hex);
    buf_release(&all);
}

static void add_model(struct cJSON *config, const struct judge_options *options)
{
    json_add_int(config, "model_judge", MODEL_JUDGE_VERSION);
    json_add_string(config, "model", options->model->name);
    json_add_int(config, "repeats", options->repeats ? options->repeats : 1);
    add_prompts(config, options->prompt);
}

static char *make_config(const struct judge_options *options)
{
    struct cJSON *config = json_new_object();
    struct buf text = BUF_INIT(SIZE_MAX);

    if (options->kind == JUDGE_MODEL)
        add_model(config, options);
    else
        json_add_int(config, "rules", RULES_VERSION);
    if (options->summarizer) {
        json_add_string(config, "provider", "model");
        json_add_string(config, "summarizer", options->summarizer->name);
    } else {
        json_add_string(config, "provider",
                        process_source_name(options->source));
    }
    json_format(config, &text);
    cJSON_Delete(config);
    return text.data;
}

void judge_init(struct judge *judge, const struct judge_options *options)
{
    *judge = (struct judge){.options = *options,
                            .name = mem_dup(options->kind == JUDGE_MODEL
                                                ? options->model->name
                                                : "rules"),
                            .config = make_config(options)};
    if (!judge->options.ask_ms)
        judge->options.ask_ms = ASK_MS_USUAL;
}

void judge_release(struct judge *judge)
{
    free(judge->name);
    free(judge->config);
    *judge = (struct judge){.name = NULL};
}

static bool ask(const struct judge_options *options,
                const struct dossier *dossier, struct verdict *verdict,
                struct err *err)
{
    const struct model_judge asked = {
        .model = options->model,
        .prompt = options->prompt,
        .repeats = options->repeats,
        .ask_ms = options->ask_ms,
        .cancel = options->cancel,
    };

    return model_judge(&asked, dossier, verdict, err);
}

/* Nobody is asked about what the end says already. */
static bool find_words(const struct judge_options *options,
                       struct dossier *dossier, struct model_usage *usage,
                       struct err *err)
{
    enum trajectory_ending ending = dossier->trajectory.ending;

    if (!options->summarizer ||
        (options->kind == JUDGE_MODEL &&
         (dossier->task.kind == TASK_STATE ||
          (ending != ENDING_COMPLETE && ending != ENDING_ANSWER))))
        return true;
    return summaries_make(dossier, options->summarizer, options->ask_ms,
                          options->cancel, usage, err);
}

bool judge_dossier(const struct judge *judge, struct dossier *dossier,
                   struct verdict *verdict, struct err *err)
{
    const struct judge_options *options = &judge->options;
    struct model_usage summaries = MODEL_USAGE_UNKNOWN;
    struct verdict said = VERDICT_INIT;
    bool done;

    verdict_sign(&said, judge->name, judge->config);
    done = find_words(options, dossier, &summaries, err) &&
           (options->kind == JUDGE_MODEL ? ask(options, dossier, &said, err)
                                         : rules_judge(dossier, &said, err));
    if (!done) {
        verdict_release(&said);
        return false;
    }
    model_usage_add(&said.usage, &summaries);
    failure_find(dossier, &said, &said.failure);
    *verdict = said;
    return true;
}

bool judge_episode(const struct judge *judge, const char *folder,
                   struct verdict *verdict, struct err *err)
{
    struct dossier dossier;
    bool done;

    if (!dossier_open(folder, judge->options.source, &dossier, err))
        return false;
    done = judge_dossier(judge, &dossier, verdict, err) ||
           err_wrap(err, "%s", folder);
    dossier_release(&dossier);
    return done;
}

bool judge_remembers(const struct judge *judge, const char *folder,
                     struct verdict *verdict)
{
    struct verdict signed_ = VERDICT_INIT;
    struct verdict found = VERDICT_INIT;
    struct buf path = BUF_INIT(PATH_MAX);
    char name[VERDICT_NAME_MAX];
    struct err ignored;
    bool known;

    if (!judge->options.model && !judge->options.summarizer)
        return false;
    verdict_sign(&signed_, judge->name, judge->config);
    verdict_file_name(judge->name, signed_.hash, name);
    verdict_release(&signed_);
    buf_printf(&path, "%s/%s", folder, name);
    known = verdict_load(buf_cstr(&path), &found, &ignored) && found.config &&
            !strcmp(found.config, judge->config) &&
            found.outcome != OUTCOME_UNSCORED;
    buf_release(&path);
    if (!known) {
        verdict_release(&found);
        return false;
    }
    *verdict = found;
    return true;
}
