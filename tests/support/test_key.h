/*
 * Keys made once per build: making one takes seconds under slow tools, and
 * most tests only need to have one.
 */
#ifndef TESTS_SUPPORT_TEST_KEY_H
#define TESTS_SUPPORT_TEST_KEY_H

#include "adb/key.h"

/*
 * The key of "phone", "mine" or "other", the same one each time. The caller
 * closes it.
 */
MUST_USE bool test_key_read(const char *whose, struct key **key,
                            struct err *err);

#endif
