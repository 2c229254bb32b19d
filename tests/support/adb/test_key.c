#include "tests/support/adb/test_key.h"

#include <stdio.h>

bool test_key_read(const char *whose, struct key **key, struct err *err)
{
    char path[512];

    snprintf(path, sizeof(path), "%s/%s.key", TEST_KEYS_FOLDER, whose);
    return key_read(path, key, err);
}
