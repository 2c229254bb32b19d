/* Compares descriptions with labels written by people. */
#ifndef TESTS_PROCESS_PROVIDER_DESCRIBE_TAP_LABELS_H
#define TESTS_PROCESS_PROVIDER_DESCRIBE_TAP_LABELS_H

#include <stdbool.h>

/*
 * Does text contain all of must, whose parts are separated by ";" and have
 * alternatives separated by "|", and nothing of must_not? Words must match as a
 * whole; a "*" at the end of one stands for any ending.
 */
bool label_holds(const char *must, const char *must_not, const char *text);

#endif
