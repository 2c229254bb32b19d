#include "tests/tools/serve/test_serve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/scratch_folder.h"

struct serve *test_serve_start(const struct serve_options *options)
{
    struct serve *serve = NULL;
    struct err err = ERR_INIT;

    if (!serve_start(options, &serve, &err))
        fail_msg("%s", err.text);
    pthread_mutex_lock(&serve->lock);
    serve_add_page(serve, TEST_SERVE_PAGE);
    pthread_mutex_unlock(&serve->lock);
    return serve;
}

void test_serve_handle(struct serve *serve, const char *text)
{
    serve_handle(serve, TEST_SERVE_PAGE, text, strlen(text));
}

struct served_phone *test_serve_builtin(struct serve *serve)
{
    const struct serve_message message = {.verb = SERVE_START_PHONE};
    char serial[TCP_ADDRESS_MAX];
    struct err err = ERR_INIT;

    assert_true(serve_start_builtin(serve, &message, serial, &err));
    pthread_mutex_lock(&serve->lock);
    assert_int_equal(serve->phone_count, 1);
    assert_non_null(serve->phones[0]->builtin);
    return serve->phones[0];
}

int test_serve_enter(void **state)
{
    if (scratch_folder_enter(state))
        return -1;
    setenv("HOME", scratch_folder_path(), 1);
    setenv("XDG_CONFIG_HOME", scratch_folder_path(), 1);
    setenv("XDG_STATE_HOME", scratch_folder_path(), 1);
    setenv("XDG_RUNTIME_DIR", scratch_folder_path(), 1);
    setenv("PROCTOR_LOCK_FOLDER", scratch_folder_path(), 1);
    setenv("ANDROID_ADB_SERVER_PORT", "1", 1);
    unsetenv("ANDROID_SERIAL");
    return 0;
}
