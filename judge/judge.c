#include "judge/judge.h"

#include <stdlib.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "judge/failure_find.h"
#include "judge/rules.h"

static char *make_config(const struct judge_options *options)
{
    struct cJSON *config = json_new_object();
    struct buf text = BUF_INIT(SIZE_MAX);

    json_add_int(config, "rules", RULES_VERSION);
    json_add_string(config, "provider", process_source_name(options->source));
    json_format(config, &text);
    cJSON_Delete(config);
    return text.data;
}

void judge_init(struct judge *judge, const struct judge_options *options)
{
    *judge = (struct judge){.options = *options,
                            .name = mem_dup("rules"),
                            .config = make_config(options)};
}

void judge_release(struct judge *judge)
{
    free(judge->name);
    free(judge->config);
    *judge = (struct judge){.name = NULL};
}

bool judge_dossier(const struct judge *judge, const struct dossier *dossier,
                   struct verdict *verdict, struct err *err)
{
    struct verdict said = VERDICT_INIT;

    verdict_sign(&said, judge->name, judge->config);
    if (!rules_judge(dossier, &said, err)) {
        verdict_release(&said);
        return false;
    }
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
