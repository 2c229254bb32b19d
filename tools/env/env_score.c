#include "tools/env/env_score.h"

#include "judge/evidence/episode_evidence.h"
#include "judge/rules/rules_judge.h"

double env_score_share(const struct env_score *score)
{
    return score->parts ? (double)score->parts_met / score->parts : 0;
}

static bool read_verdict(const struct json *root, struct env_score *score,
                         struct err *err)
{
    struct json clauses = JSON_NONE;
    struct json clause = JSON_NONE;

    if (!json_get_bool(root, "met", &score->met, err) ||
        !json_get_array(root, "clauses", &clauses, err))
        return false;
    while (json_next(&clauses, &clause)) {
        bool met = false;

        if (!json_get_bool(&clause, "met", &met, err))
            return false;
        score->parts++;
        score->parts_met += met;
    }
    return true;
}

bool env_score_truth(struct env_phone *phone, const char *truth,
                     const char *answer, struct env_score *score,
                     struct err *err)
{
    struct env_score found = {.met = false};
    struct cJSON *verdict = NULL;
    struct json root = JSON_NONE;
    bool done;

    if (!phone->ops->judge(phone, truth, answer, &verdict, err))
        return err_wrap(err, "truth %.60s", truth);
    root.value = verdict;
    done = read_verdict(&root, &found, err);
    cJSON_Delete(verdict);
    if (done)
        *score = found;
    return done;
}

bool env_score_needs(const char *folder, struct env_score *score,
                     struct err *err)
{
    struct verdict verdict = VERDICT_INIT;
    struct episode_evidence evidence;
    bool done;

    if (!episode_evidence_open(folder, PROCESS_OFFLINE, NULL, &evidence, err))
        return false;
    done = rules_judge(&evidence, &verdict, err);
    if (done)
        *score = (struct env_score){.met = verdict.need_count &&
                                           verdict.met == verdict.need_count,
                                    .parts = (int)verdict.need_count,
                                    .parts_met = (int)verdict.met};
    verdict_release(&verdict);
    episode_evidence_release(&evidence);
    return done;
}
