/*
 * How well two elements agree in one thing, such as their texts: from 0 to 1.
 * Pure.
 */
#ifndef RUNNER_OBSERVE_ANCHOR_GRADES_H
#define RUNNER_OBSERVE_ANCHOR_GRADES_H

#include <stdbool.h>

#include "runner/observe/match_elements.h"

double anchor_grade_ids(const char *was, const char *is);

bool anchor_same_text(const char *a, const char *b);
/* Of the first text, by which an element is called; and of all, which counts
 * that one twice. */
double anchor_grade_main_text(const struct match_element *was,
                              const struct match_element *is);
double anchor_grade_texts(const struct match_element *was,
                          const struct match_element *is);

double anchor_grade_numbers(const struct match_element *was,
                            const struct match_element *is);

/* Role, class, and how much is inside. */
double anchor_grade_kinds(const struct tree *tree_was,
                          const struct match_element *was,
                          const struct tree *tree_is,
                          const struct match_element *is);

/* As parts of the screen. */
double anchor_distance(const struct match_element *was,
                       const struct match_element *is);
double anchor_grade_positions(const struct match_element *was,
                              const struct match_element *is);

#endif
