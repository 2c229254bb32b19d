/* Items of a classifier as short texts, for tables of expectations. */
#ifndef TESTS_RUNNER_CLASSIFY_ITEM_TEXT_H
#define TESTS_RUNNER_CLASSIFY_ITEM_TEXT_H

#include "base/buf.h"
#include "runner/classify/door_item.h"

/*
 * "click 540 1200", "swipe 1 2 3 4 300ms", "type [a b] submit",
 * "screenshot png output #1", "raw setting", "read". "+" before an action that
 * continues another.
 */
void item_text_put(const struct door_item *item, struct buf *text);

/* All of them, with " ; " between; several reads in a row are one. */
void item_text_put_all(const struct door_items *items, struct buf *text);

#endif
