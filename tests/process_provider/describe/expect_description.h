/* Screens written by hand, and what actions on them must be described as. */
#ifndef TESTS_PROCESS_PROVIDER_DESCRIBE_EXPECT_DESCRIPTION_H
#define TESTS_PROCESS_PROVIDER_DESCRIBE_EXPECT_DESCRIPTION_H

#include "process_provider/tree/tree.h"
#include "tasks/task/action.h"

#define W "android.widget."
#define V "android.view."

/* A screen of 1000 x 2000 with these nodes on it. */
#define SCREEN(nodes_)                                                         \
    "<hierarchy><node class=\"" W "FrameLayout\" package=\"com.example.shop\"" \
    " bounds=\"[0,0][1000,2000]\">" nodes_ "</node></hierarchy>"
#define NODE(class_, attributes_, bounds_)                                     \
    "<node class=\"" class_ "\" package=\"com.example.shop\" " attributes_     \
    " bounds=\"" bounds_ "\"/>"
#define GROUP(class_, attributes_, bounds_, nodes_)                            \
    "<node class=\"" class_ "\" package=\"com.example.shop\" " attributes_     \
    " bounds=\"" bounds_ "\">" nodes_ "</node>"
#define TEXT(text_, bounds_) NODE(W "TextView", "text=\"" text_ "\"", bounds_)

#define TAP " clickable=\"true\""

/* Each of these fails the running test where it finds something else. */

/* Read the tree, which the caller releases. */
void expect_description_load(struct tree *tree, const char *xml);

/* expected is the element, and the beginning of the whole line. */
void expect_description_of_tap(const char *xml, int x, int y,
                               const char *expected);

/* The description without any guess, as ProBench's Algorithm 1 makes it. */
void expect_plain_description(const char *xml, int x, int y,
                              const char *expected);

/* xml may be NULL: there is no tree. */
void expect_description_of_step(const char *xml, const struct action *action,
                                const char *expected);

#endif
