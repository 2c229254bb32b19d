/*
 * Everything that a judge may read of an episode, read once: its task, what was
 * done at each step, and what the screens before and after showed. Each tree is
 * read once, and pictures only where the trees are not enough.
 */
#ifndef JUDGE_EVIDENCE_EPISODE_EVIDENCE_H
#define JUDGE_EVIDENCE_EPISODE_EVIDENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "judge/evidence/screen_control.h"
#include "process_provider/describe/describe.h"
#include "process_provider/summarize/step_description.h"
#include "process_provider/tree/tree.h"
#include "tasks/task/task.h"
#include "tasks/trajectory/trajectory.h"

/*
 * The limit for the nodes of all trees of an episode; trees beyond it are not
 * read.
 */
#define EPISODE_EVIDENCE_NODES_MAX ((size_t)4000000)

/* One action, with what is known about it. */
struct episode_evidence_step {
    const struct trajectory_step *step; /* borrowed, as all below */
    const struct tree *before;          /* NULL: unknown */
    const struct tree *after;
    const struct tree *page; /* before, or the screen beneath its sheet */
    char *description;       /* owned; what judges read */
    struct description what; /* the step, and what it touches */
    enum tri_state
        on; /* state of the touched element afterwards; EITHER: none */
    bool has_control;
    struct screen_control control; /* the touched element, to find it again */
    struct phrase became;          /* its name afterwards if it changed; "" */
};

struct episode_evidence_tree;

struct episode_evidence {
    struct trajectory trajectory;
    struct task task;
    enum process_source source;          /* of the descriptions */
    struct episode_evidence_step *steps; /* owned; one per action */
    size_t count;
    const struct tree *first; /* of the first screen; NULL: none was read */
    const struct tree *last;  /* of the last */
    struct episode_evidence_tree *trees; /* owned */
    size_t tree_count;
    struct err doubt; /* why a tree was not read; ERR_NONE: all were */
};

/*
 * Read the episode in folder, and describe its steps with step_describe. A tree
 * that cannot be read is not used, and doubt says why. Pictures are read as
 * access allows, on its threads; NULL: not at all.
 *
 * Blocks while pictures are read. Fails as trajectory_load and
 * episode_task_load, and with ERR_CANCELLED; evidence is then untouched. The
 * caller releases it.
 */
MUST_USE bool episode_evidence_open(const char *folder,
                                    enum process_source source,
                                    const struct picture_access *access,
                                    struct episode_evidence *evidence,
                                    struct err *err);

/*
 * The same for a trajectory and a task in memory, which are taken over, also on
 * failure. Fails only with ERR_CANCELLED.
 */
MUST_USE bool episode_evidence_make(struct trajectory *trajectory,
                                    struct task *task,
                                    enum process_source source,
                                    const struct picture_access *access,
                                    struct episode_evidence *evidence,
                                    struct err *err);

void episode_evidence_release(struct episode_evidence *evidence);

/* A step of an episode that never happened: an action, and its screen. */
struct composed_step {
    const struct trajectory_step *step; /* borrowed, as the tree */
    const struct tree *before;
};

/*
 * Make the evidence of an episode that never happened, from steps, their
 * screens and the last screen; the rest is that of base. Everything is
 * borrowed, so base, steps and trees must outlive it. Pictures are not read.
 * The caller releases it with episode_evidence_release_composed.
 */
void episode_evidence_compose(const struct episode_evidence *base,
                              const struct composed_step *steps, size_t count,
                              const struct tree *last,
                              enum trajectory_ending ending,
                              struct episode_evidence *composed);
void episode_evidence_release_composed(struct episode_evidence *composed);

/* Does it type a text that is submitted, with the text or with Enter after it?
 */
bool episode_evidence_submits(const struct episode_evidence *evidence,
                              size_t step);

/* Does a step touch something in a dialog, a sheet or another window above the
 * screen? */
bool episode_evidence_in_window(const struct episode_evidence_step *step);

/* The agent's answer: its last answer action, or the text of complete. */
const char *episode_evidence_answer(const struct episode_evidence *evidence);

/*
 * The value recorded under a name at the end (last), or before the first step;
 * NULL: none.
 */
const char *episode_evidence_recorded(const struct episode_evidence *evidence,
                                      const char *name, bool last);

#endif
