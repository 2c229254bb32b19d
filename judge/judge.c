#include "judge/judge.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "base/sha256.h"
#include "judge/data/judge_data.h"
#include "judge/model/model_judge.h"
#include "judge/model/model_summaries.h"
#include "judge/rules/failure_find.h"
#include "judge/rules/rules_judge.h"
#include "judge/verdict/episode_ending.h"

#define ASK_MS_DEFAULT (180 * 1000)

/* A hash of all prompts. */
static void add_prompts(struct cJSON *config, const char *prompt)
{
    struct buf all = BUF_INIT(SIZE_MAX);
    char hex[SHA256_HEX_SIZE];

    if (prompt) {
        buf_text(&all, prompt);
    } else {
        buf_text(&all,
                 embedded_get(&judge_files, "data/prompts/state.txt")->text);
        buf_text(&all,
                 embedded_get(&judge_files, "data/prompts/process.txt")->text);
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
        json_add_int(config, "rules", RULES_JUDGE_VERSION);
    if (options->kind == JUDGE_CHECKLIST)
        json_add_int(config, "checklist", PROPOSE_VERSION);
    if (options->summarizer) {
        json_add_string(config, "provider", "model");
        json_add_string(config, "summarizer", options->summarizer->name);
    } else {
        json_add_string(config, "provider",
                        process_source_name(options->source));
    }
    picture_reader_add_versions(options->reader, config);
    json_format(config, &text);
    cJSON_Delete(config);
    return text.data;
}

void judge_init(struct judge *judge, const struct judge_options *options)
{
    static const char *const names[JUDGE_KINDS] = {
        [JUDGE_RULES] = "rules",
        [JUDGE_CHECKLIST] = "checklist",
        [JUDGE_MODEL] = NULL,
    };

    *judge = (struct judge){.options = *options,
                            .name = mem_dup(options->kind == JUDGE_MODEL
                                                ? options->model->name
                                                : names[options->kind]),
                            .config = make_config(options)};
    if (!judge->options.ask_ms)
        judge->options.ask_ms = ASK_MS_DEFAULT;
}

void judge_release(struct judge *judge)
{
    free(judge->name);
    free(judge->config);
    *judge = (struct judge){.name = NULL};
}

static bool ask(const struct judge_options *options,
                const struct episode_evidence *evidence,
                struct verdict *verdict, struct err *err)
{
    const struct model_judge asked = {
        .model = options->model,
        .prompt = options->prompt,
        .repeats = options->repeats,
        .ask_ms = options->ask_ms,
        .cancel = options->cancel,
    };

    return model_judge(&asked, evidence, verdict, err);
}

/* Judge by the key steps of the task's gold, instead of its needs. */
static bool compare(const struct judge_options *options,
                    struct episode_evidence *evidence, struct verdict *verdict,
                    struct err *err)
{
    const struct proposal *proposal = gold_set_find(
        options->gold_set, &evidence->trajectory, &evidence->task);
    struct proposal_swap swap;
    bool done;

    if (!proposal) {
        if (episode_ending_decide(evidence, verdict))
            episode_ending_set(verdict, OUTCOME_UNSCORED,
                               "there is no gold trajectory of this task");
        return true;
    }
    if (!proposal_apply(proposal, &evidence->task, &swap, err))
        return false;
    done = rules_judge(evidence, verdict, err);
    if (done)
        failure_find(evidence, verdict, &verdict->failure);
    proposal_restore(&evidence->task, &swap);
    return done;
}

static bool say(const struct judge_options *options,
                struct episode_evidence *evidence, struct verdict *verdict,
                struct err *err)
{
    switch (options->kind) {
    case JUDGE_CHECKLIST:
        return compare(options, evidence, verdict, err);
    case JUDGE_MODEL:
        if (!ask(options, evidence, verdict, err))
            return false;
        break;
    case JUDGE_RULES:
    case JUDGE_KINDS:
        if (!rules_judge(evidence, verdict, err))
            return false;
        break;
    }
    failure_find(evidence, verdict, &verdict->failure);
    return true;
}

/* The model is not asked when the ending decides already. */
static bool find_words(const struct judge_options *options,
                       struct episode_evidence *evidence,
                       struct model_usage *usage, struct err *err)
{
    enum trajectory_ending ending = evidence->trajectory.ending;

    if (!options->summarizer ||
        (options->kind == JUDGE_MODEL &&
         (evidence->task.kind == TASK_STATE ||
          (ending != ENDING_COMPLETE && ending != ENDING_ANSWER))))
        return true;
    return model_summaries_make(evidence, options->summarizer, options->ask_ms,
                                options->cancel, usage, err);
}

/* Store the descriptions that the judge read, for the report. */
static void keep_words(const struct episode_evidence *evidence,
                       struct verdict *verdict)
{
    verdict->process = mem_new(evidence->count + 1, sizeof(*verdict->process));
    verdict->process_count = evidence->count;
    for (size_t i = 0; i < evidence->count; i++) {
        const struct episode_evidence_step *step = &evidence->steps[i];

        verdict->process[i].description = mem_dup(step->description);
        if (step->what.doubt.code != ERR_NONE)
            verdict->process[i].doubt = mem_dup(step->what.doubt.text);
    }
}

struct picture_access judge_picture_access(const struct judge *judge)
{
    return (struct picture_access){.reader = judge->options.reader,
                                   .by = DEADLINE_NEVER,
                                   .cancel = judge->options.cancel};
}

bool judge_evidence(const struct judge *judge,
                    struct episode_evidence *evidence, struct verdict *verdict,
                    struct err *err)
{
    const struct judge_options *options = &judge->options;
    struct model_usage summaries = MODEL_USAGE_UNKNOWN;
    struct verdict said = VERDICT_INIT;
    bool done;

    verdict_sign(&said, judge->name, judge->config);
    done = find_words(options, evidence, &summaries, err) &&
           say(options, evidence, &said, err);
    if (!done) {
        verdict_release(&said);
        return false;
    }
    keep_words(evidence, &said);
    model_usage_add(&said.usage, &summaries);
    *verdict = said;
    return true;
}

bool judge_episode(const struct judge *judge, const char *folder,
                   struct verdict *verdict, struct err *err)
{
    const struct picture_access access = judge_picture_access(judge);
    struct episode_evidence evidence;
    bool done;

    if (!episode_evidence_open(folder, judge->options.source, &access,
                               &evidence, err))
        return false;
    done = judge_evidence(judge, &evidence, verdict, err) ||
           err_wrap(err, "%s", folder);
    episode_evidence_release(&evidence);
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
