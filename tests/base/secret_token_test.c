#include "base/secret_token.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"

static char folder[] = "/tmp/secret_token_test.XXXXXX";
static char path[64];

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof(path), "%s/token", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

static void a_missing_token_is_made_for_its_owner_alone(void **state)
{
    struct secret_token made, read;
    struct stat facts;
    struct err err = ERR_INIT;

    (void)state;
    memset(&made, 'x', sizeof(made));
    assert_true(secret_token_load(&made, path, &err));
    assert_true(strlen(made.text) >= 16);
    assert_int_equal(stat(path, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0600);
    memset(&read, 'x', sizeof(read));
    assert_true(secret_token_load(&read, path, &err));
    assert_string_equal(read.text, made.text);
    assert_true(secret_token_equal(&read, made.text));
    assert_true(secret_token_equal(&made, read.text));
}

static void only_the_whole_token_is_right(void **state)
{
    struct secret_token token;
    char longer[2 * SECRET_TOKEN_SIZE];
    struct err err = ERR_INIT;

    (void)state;
    assert_true(file_save(path, 0600, "abc\n", 4, &err));
    assert_true(secret_token_load(&token, path, &err));
    assert_true(secret_token_equal(&token, "abc"));
    assert_false(secret_token_equal(&token, "ab"));
    assert_false(secret_token_equal(&token, "abcd"));
    assert_false(secret_token_equal(&token, ""));
    memset(longer, 'a', sizeof(longer) - 1);
    longer[sizeof(longer) - 1] = '\0';
    assert_false(secret_token_equal(&token, longer));
}

static void a_token_that_others_may_read_is_refused(void **state)
{
    struct secret_token token;
    struct err err = ERR_INIT;

    (void)state;
    assert_int_equal(chmod(path, 0644), 0);
    assert_false(secret_token_load(&token, path, &err));
    assert_int_equal(err.code, ERR_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_missing_token_is_made_for_its_owner_alone),
        cmocka_unit_test(only_the_whole_token_is_right),
        cmocka_unit_test(a_token_that_others_may_read_is_refused),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
