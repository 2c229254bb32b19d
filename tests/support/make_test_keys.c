/* make_test_keys FILE...: write a key into each. Run by the build. */
#include <stdio.h>
#include <stdlib.h>

#include "adb/key.h"

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        struct key *key = NULL;
        struct err err = ERR_INIT;

        if (!key_generate(&key, &err) || !key_write(key, argv[i], &err)) {
            fprintf(stderr, "make_test_keys: %s\n", err.text);
            return EXIT_FAILURE;
        }
        key_close(key);
    }
    return EXIT_SUCCESS;
}
