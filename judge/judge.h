/*
 * A judge, ready for any number of episodes: its name, its configuration, and
 * the judging of an episode.
 */
#ifndef JUDGE_JUDGE_H
#define JUDGE_JUDGE_H

#include <stdbool.h>

#include "base/cancel.h"
#include "base/err.h"
#include "base/model.h"
#include "judge/evidence/episode_evidence.h"
#include "judge/gold/gold_set.h"
#include "judge/verdict/verdict.h"

enum judge_kind {
    JUDGE_RULES,     /* the task's own checks */
    JUDGE_CHECKLIST, /* checks proposed from gold trajectories */
    JUDGE_MODEL,
    JUDGE_KINDS,
};

/* All pointers are borrowed for as long as the judge is used. */
struct judge_options {
    enum judge_kind kind;
    enum process_source source;      /* of the descriptions */
    const struct gold_set *gold_set; /* of JUDGE_CHECKLIST */
    struct model *model;             /* of JUDGE_MODEL */
    struct model
        *summarizer;    /* describes the steps in place of source; or NULL */
    const char *prompt; /* NULL: the built-in ones */
    unsigned repeats;   /* 0: one */
    int64_t ask_ms;     /* for one question; 0: the default */
    const struct picture_reader *reader; /* NULL: pictures are not read */
    const struct cancel *cancel;
};

/* Thread-safe. */
struct judge {
    struct judge_options options;
    char *name;   /* owned: "rules", "openai:gpt-4o" */
    char *config; /* owned: a JSON object */
};

void judge_init(struct judge *judge, const struct judge_options *options);
void judge_release(struct judge *judge);

/* How evidence for this judge may read pictures. */
struct picture_access judge_picture_access(const struct judge *judge);

/*
 * Judge the episode in folder. The caller releases the verdict. Fails as
 * episode_evidence_open, and as the judge itself does; verdict is then
 * untouched.
 */
MUST_USE bool judge_episode(const struct judge *judge, const char *folder,
                            struct verdict *verdict, struct err *err);

/*
 * The same for evidence that was opened with the judge's source and picture
 * access. The descriptions are replaced when there is a summarizer. The verdict
 * contains the descriptions that the judge read.
 */
MUST_USE bool judge_evidence(const struct judge *judge,
                             struct episode_evidence *evidence,
                             struct verdict *verdict, struct err *err);

/*
 * Is there a verdict of this judge in the same configuration? Only for judges
 * that cost money. The caller releases the verdict, which is otherwise
 * untouched. Unscored verdicts do not count.
 */
MUST_USE bool judge_remembers(const struct judge *judge, const char *folder,
                              struct verdict *verdict);

#endif
