#include "base/mem.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void new_memory_is_zeroed(void **state)
{
    static const char zeros[1000];
    char *memory = mem_new(10, 100);

    (void)state;
    assert_memory_equal(memory, zeros, sizeof(zeros));
    free(memory);
}

static void allocation_of_size_0_is_not_null(void **state)
{
    void *none = mem_new(0, 0);
    void *resized = mem_resize(NULL, 0, 4);

    (void)state;
    assert_non_null(none);
    assert_non_null(resized);
    free(none);
    free(resized);
}

static void resizing_keeps_the_content(void **state)
{
    char *memory = mem_dup("abc");

    (void)state;
    memory = mem_resize(memory, 1000, 8);
    assert_string_equal(memory, "abc");
    free(memory);
}

static void copies_end_in_a_nul(void **state)
{
    char *part = mem_dup_n("abc", 2);
    char *none = mem_dup_n(NULL, 0);

    (void)state;
    assert_string_equal(part, "ab");
    assert_string_equal(none, "");
    free(part);
    free(none);
}

/* Run it in a child without output and core file; returns its status. */
static int status_of(void (*run)(void))
{
    const struct rlimit none = {0};
    int status;
    pid_t child = fork();

    assert_true(child >= 0);
    if (!child) {
        setrlimit(RLIMIT_CORE, &none);
        close(STDERR_FILENO);
        signal(SIGABRT, SIG_DFL);
        run();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void resize_to_a_count_that_wraps_around(void)
{
    free(mem_resize(NULL, SIZE_MAX / 2 + 2, 2));
}

static void a_size_that_wraps_around_aborts(void **state)
{
    int status = status_of(resize_to_a_count_that_wraps_around);

    (void)state;
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_memory_is_zeroed),
        cmocka_unit_test(allocation_of_size_0_is_not_null),
        cmocka_unit_test(resizing_keeps_the_content),
        cmocka_unit_test(copies_end_in_a_nul),
        cmocka_unit_test(a_size_that_wraps_around_aborts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
