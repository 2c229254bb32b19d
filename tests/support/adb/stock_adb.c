#include "tests/support/adb/stock_adb.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/deadline.h"

#define PATIENCE_MS 60000

static bool prints(const struct stock_adb *adb, const char *command,
                   const char *expected, struct buf *output)
{
    char arguments[400];

    snprintf(arguments, sizeof(arguments), "-s 127.0.0.1:%u %s",
             (unsigned)adb->port, command);
    buf_clear(output);
    adb->run(arguments, output);
    return strstr(buf_cstr(output), expected);
}

static void expect_by(const struct stock_adb *adb, const char *command,
                      const char *expected, struct deadline by)
{
    struct buf output = BUF_INIT(1 << 20);

    while (!prints(adb, command, expected, &output)) {
        if (deadline_passed(by))
            fail_msg("adb %s prints \"%s\"", command, buf_cstr(&output));
    }
    buf_release(&output);
}

void stock_adb_expect(const struct stock_adb *adb, const char *command,
                      const char *expected)
{
    expect_by(adb, command, expected, deadline_in_ms(0));
}

void stock_adb_await(const struct stock_adb *adb, const char *command,
                     const char *expected)
{
    expect_by(adb, command, expected, deadline_in_ms(PATIENCE_MS));
}

void stock_adb_address(const struct stock_adb *adb, const char *command,
                       const char *expected)
{
    char text[64];

    snprintf(text, sizeof(text), "%s 127.0.0.1:%u", command,
             (unsigned)adb->port);
    stock_adb_expect(adb, text, expected);
}

void stock_adb_connect(const struct stock_adb *adb)
{
    stock_adb_address(adb, "connect", "connected");
    stock_adb_expect(adb, "wait-for-device", "");
}
