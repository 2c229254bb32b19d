/*
 * Keeps passwords out of recordings: finds the fields of a screen that hold a
 * secret, and removes their content from the tree and the picture.
 *
 * A field that was a password field once stays one, also when the app shows its
 * content later. Any text of it is content, except its hint and what it showed
 * when it was seen first.
 */
#ifndef RUNNER_RECORD_SECRET_FIELDS_H
#define RUNNER_RECORD_SECRET_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/picture/picture.h"
#include "process_provider/tree/tree.h"
#include "tasks/json/text_list.h"
#include "tasks/task/action.h"

struct secret_fields {
    struct text_list known; /* fields that were password fields */
    struct text_list hints; /* fields with what they show while empty */
    /* Of the last tree that was masked: */
    bool on_screen; /* it has such a field */
    bool gets_keys; /* it has the focus, or no field has */
};

void secret_fields_release(struct secret_fields *fields);

/*
 * Mask the content of all such fields in the tree. True: something was masked,
 * or has to be painted over. The tree must not be read again by tree_read
 * before it is written; texts of it may then be borrowed from here.
 */
bool secret_fields_mask(struct secret_fields *fields, struct tree *tree);

/* Paint over the fields that secret_fields_mask masked. */
void secret_fields_paint(const struct secret_fields *fields,
                         const struct tree *tree, struct picture *picture);

/*
 * Is the text of this action typed into such a field? tree is NULL where it is
 * not known: then it may be. Where no field has the focus, any password field
 * on the screen may get the text.
 */
bool secret_fields_get_text(const struct secret_fields *fields,
                            const struct tree *tree,
                            const struct action *action);

/*
 * Make the action the typing of a secret: its text is overwritten in memory,
 * and replaced by RECORDING_MASK. An action of another kind loses its place.
 */
void secret_fields_hide_typing(struct action *action);

#endif
