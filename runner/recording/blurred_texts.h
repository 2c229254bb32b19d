/*
 * The texts of a blurred rectangle of a screen: they are removed from its tree,
 * from ways to find targets, and from what was typed.
 */
#ifndef RUNNER_RECORDING_BLURRED_TEXTS_H
#define RUNNER_RECORDING_BLURRED_TEXTS_H

#include <stdbool.h>

#include "base/picture/box.h"
#include "process_provider/tree/tree.h"
#include "tasks/json/text_list.h"

struct cJSON;

struct blurred_texts {
    struct box box;
    struct text_list shown; /* texts, descriptions and hints in the box */
    struct text_list typed; /* texts of fields in it */
};

void blurred_texts_release(struct blurred_texts *texts);

/*
 * Replace the texts of all nodes that the box touches by "•", and remember
 * them. False: there are none. The tree then borrows texts from here.
 */
bool blurred_texts_hide(struct blurred_texts *texts, struct tree *tree);

/*
 * Remove what a selector (NULL is fine) has of the box: its texts, and texts
 * and crop of an element that the box touches. tree is that of the screen,
 * before texts were hidden; NULL: none.
 */
void blurred_texts_strip(const struct blurred_texts *texts,
                         const struct tree *tree, struct cJSON *selector);

/* Is it the text of a node in the box? */
bool blurred_texts_have(const struct blurred_texts *texts, const char *text);

/* Mask the text of an action that was typed into a field in the box. */
void blurred_texts_mask_action(const struct blurred_texts *texts,
                               struct cJSON *line);

#endif
