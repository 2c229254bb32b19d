/*
 * show_phones COUNT: that many built-in phones, each at its own adb server of
 * ours. Prints "PORT SERIAL" for each, and runs until standard input ends.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/tools/adb_cli/shown_phone.h"

#define PHONES_MAX 8

static void await_end(void)
{
    char data[256];

    while (read(STDIN_FILENO, data, sizeof(data)) > 0)
        continue;
}

int main(int argc, char **argv)
{
    struct shown_phone phones[PHONES_MAX] = {0};
    size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    struct err err = ERR_INIT;

    if (count > PHONES_MAX)
        return 2;
    for (size_t i = 0; i < count; i++) {
        if (!shown_phone_start(&phones[i], &err)) {
            fprintf(stderr, "show_phones: %s\n", err.text);
            return 1;
        }
        printf("%u %s\n", (unsigned)phones[i].port, phones[i].shown.serial);
    }
    fflush(stdout);
    await_end();
    for (size_t i = 0; i < count; i++)
        shown_phone_stop(&phones[i]);
    return 0;
}
