/* A tree as text for people, as XML like uiautomator's, and as JSON. */
#ifndef PROCESS_PROVIDER_TREE_TREE_WRITE_H
#define PROCESS_PROVIDER_TREE_TREE_WRITE_H

#include <cjson/cJSON.h>

#include "base/buf.h"
#include "process_provider/tree/tree.h"

/*
 * One line per node, indented:
 *
 *     Button 'Search' #search_btn [0,63][1080,189] clickable
 *
 * Views without any text have lines, too, to show the structure.
 */
void tree_write_text(const struct tree *tree, struct buf *out);

/* A well-formed dump that reads as the same tree. */
void tree_write_xml(const struct tree *tree, struct buf *out);

/* An object with "rotation", "repairs" and "nodes", each with its parent. */
struct cJSON *tree_to_json(const struct tree *tree);

/* What was repaired, by name and count, as an object. */
struct cJSON *tree_repairs_to_json(const struct tree_repairs *repairs);

#endif
