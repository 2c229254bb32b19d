/* Labels that people wrote, and the words that are held against them. */
#ifndef TESTS_PROCESS_LABELS_H
#define TESTS_PROCESS_LABELS_H

#include <stdbool.h>

/*
 * Does text say all of must, which stand between ";" and in any of the wordings
 * between "|", and nothing of must_not? Words are whole; a "*" at the end of
 * one stands for any ending.
 */
bool label_holds(const char *must, const char *must_not, const char *text);

#endif
