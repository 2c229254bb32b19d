/* Keys created once per build: creating one takes seconds under slow tools. */
#ifndef TESTS_SUPPORT_ADB_TEST_KEY_H
#define TESTS_SUPPORT_ADB_TEST_KEY_H

#include "adb/trust/key.h"

/*
 * The key of "phone", "mine" or "other", always the same. The caller closes it.
 */
MUST_USE bool test_key_read(const char *whose, struct key **key,
                            struct err *err);

#endif
