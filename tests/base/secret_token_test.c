#include "base/secret_token.h"

#include <pthread.h>
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

#define THREADS 8

static void *load(void *token)
{
    struct err err = ERR_INIT;

    return secret_token_load(token, path, &err) ? token : NULL;
}

static void all_who_begin_at_once_have_the_same_token(void **state)
{
    struct secret_token tokens[THREADS];
    pthread_t threads[THREADS];
    void *done;

    (void)state;
    for (int round = 0; round < 50; round++) {
        assert_int_equal(unlink(path), 0);
        for (int i = 0; i < THREADS; i++)
            assert_int_equal(
                pthread_create(&threads[i], NULL, load, &tokens[i]), 0);
        for (int i = 0; i < THREADS; i++) {
            assert_int_equal(pthread_join(threads[i], &done), 0);
            assert_non_null(done);
            assert_string_equal(tokens[i].text, tokens[0].text);
        }
        assert_true(tokens[0].text[0]);
    }
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
        cmocka_unit_test(all_who_begin_at_once_have_the_same_token),
        cmocka_unit_test(only_the_whole_token_is_right),
        cmocka_unit_test(a_token_that_others_may_read_is_refused),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
