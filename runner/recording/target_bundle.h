/*
 * The bundle of ways to find the target of a step again: id, text, description,
 * class, path, relative point, and a crop of the picture.
 */
#ifndef RUNNER_RECORDING_TARGET_BUNDLE_H
#define RUNNER_RECORDING_TARGET_BUNDLE_H

#include <stdbool.h>

#include "base/picture/picture.h"
#include "process_provider/tree/tree.h"
#include "tasks/task/action.h"
#include "tasks/task/node_selector.h"

#define TARGET_BUNDLE_CROPS                                                    \
    "crops" /* their folder, in that of the recording                          \
             */

/*
 * Build the bundle of an action on the screen of this tree: of the node at its
 * point, or for text without a point of the field that gets it. False: it has
 * no target. The caller releases it. It has no crop.
 */
bool target_bundle_build(const struct tree *tree, const struct action *action,
                         uint32_t *node, struct node_selector *target);

/* The same for the node at a point, such as evidence that a person marks. */
bool target_bundle_at(const struct tree *tree, struct action_point point,
                      uint32_t *node, struct node_selector *target);

/*
 * Save the picture of the node as crops/NNNN.png in folder, NNNN being the
 * step, and name it in the bundle. It is on the disk when this returns. A
 * field, whose content changes, and a node that covers most of the screen, or
 * none of it, get none. Fails as crop_match_save.
 */
MUST_USE bool target_bundle_save_crop(const struct tree_node *node,
                                      const struct picture *picture,
                                      const char *folder, int step,
                                      struct node_selector *target,
                                      struct err *err);

/*
 * Copy the crop of that name from a folder to another one, under a new name in
 * its crops/. It is on the disk when this returns.
 */
MUST_USE bool target_bundle_copy_crop(const char *from, const char *crop,
                                      const char *to, const char *name,
                                      struct err *err);

#endif
