/* How well a node fits the clues of a selector. */
#ifndef RUNNER_FIND_SCORE_H
#define RUNNER_FIND_SCORE_H

#include <stdbool.h>
#include <stdint.h>

#include "process_provider/tree.h"
#include "runner/coords.h"
#include "tasks/selector.h"

enum find_clue {
    FIND_TEXT,
    FIND_DESCRIPTION,
    FIND_ID,
    FIND_CLASS,
    FIND_ROLE,
    FIND_PATH,
    FIND_POINT,
    FIND_CLUES,
};

/* "text", "id", ... */
const char *find_clue_name(enum find_clue clue);

struct find_score {
    double total;              /* from 0 to 1 */
    double grade[FIND_CLUES];  /* how well each fits */
    double weight[FIND_CLUES]; /* 0: not given */
};

/* What is prepared once for all nodes of a tree. */
struct find_scorer {
    const struct tree *tree;
    const struct selector *selector;
    struct extent screen;
    double weight[FIND_CLUES];
    unsigned sharing; /* nodes that have the id */
    uint32_t at_path; /* the node that the path leads to */
};

/* False when the selector has no clue that a tree could fit. */
bool find_scorer_init(struct find_scorer *scorer, const struct tree *tree,
                      const struct selector *selector, struct extent screen);

void find_score(const struct find_scorer *scorer, uint32_t node,
                struct find_score *score);

#endif
