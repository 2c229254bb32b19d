/*
 * All that a judge may read of an episode, gathered once: its task, what was
 * done at each step, and what the screens before and after showed. Each tree
 * is read once, and pictures are opened only for words that no tree has.
 */
#ifndef JUDGE_DOSSIER_H
#define JUDGE_DOSSIER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "judge/control.h"
#include "process_provider/describe.h"
#include "process_provider/process.h"
#include "process_provider/tree.h"
#include "tasks/task.h"
#include "tasks/trajectory.h"

/* Nodes of all trees of an episode together; those beyond are not read. */
#define DOSSIER_NODES_MAX ((size_t)4000000)

/* One action and what is known of it. */
struct dossier_step {
    const struct trajectory_step *step; /* borrowed, as all below */
    const struct tree *before;          /* NULL: not known */
    const struct tree *after;
    const struct tree *page; /* before, or what was seen beneath its sheet */
    char *words;             /* owned */
    bool touches;            /* there is a point, and a tree to look it up in */
    struct description what; /* of what it touches */
    enum check_state on;     /* what it touched, afterwards; EITHER: no state */
    bool has_control;
    struct control control; /* what it touched, to be known again */
    struct phrase became;   /* its name afterwards, if it is another one; "" */
};

struct dossier_tree;

struct dossier {
    struct trajectory trajectory;
    struct task task;
    enum process_source source; /* of the words */
    struct dossier_step *steps; /* owned; one per action */
    size_t count;
    const struct tree *first;   /* of the first screen; NULL: none was read */
    const struct tree *last;    /* of the last */
    struct dossier_tree *trees; /* owned */
    size_t tree_count;
    struct err doubt; /* why a tree was not read; ERR_NONE: all were */
};

/*
 * Read the episode in folder. A tree that cannot be read is done without, and
 * doubt says so. Fails as trajectory_load and task_load; the caller releases
 * what was opened.
 */
MUST_USE bool dossier_open(const char *folder, enum process_source source,
                           struct dossier *dossier, struct err *err);

/* The same for a task and a trajectory that are there; both are taken. */
void dossier_make(struct trajectory *trajectory, struct task *task,
                  enum process_source source, struct dossier *dossier);

void dossier_release(struct dossier *dossier);

/* What the agent answered: its last answer, or what it said at the end. */
const char *dossier_answer(const struct dossier *dossier);

/*
 * The value recorded under a name at the end (last), or before the first step;
 * NULL: none was.
 */
const char *dossier_evidence(const struct dossier *dossier, const char *name,
                             bool last);

#endif
