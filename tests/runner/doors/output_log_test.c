#include "runner/doors/output_log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/mem.h"
#include "tests/support/scratch_folder.h"

#define SECRET "sk-secret-of-the-test"

static struct err err = ERR_INIT;

struct fixture {
    struct secret_mask mask;
    struct output_log log;
};

static void begin(struct fixture *fixture)
{
    secret_mask_init(&fixture->mask);
    secret_mask_add(&fixture->mask, SECRET);
    assert_true(output_log_open(&fixture->log, "log", &fixture->mask, &err));
}

/* The content of the file; the caller releases it. */
static struct buf end(struct fixture *fixture)
{
    struct buf content = BUF_INIT((size_t)OUTPUT_LOG_MAX + 1000);

    assert_true(output_log_end(&fixture->log, &err));
    assert_true(file_load("log", &content, &err));
    secret_mask_release(&fixture->mask);
    return content;
}

static void add(struct fixture *fixture, const char *text)
{
    output_log_add(&fixture->log, text, strlen(text));
}

static void output_is_stored_as_it_is(void **state)
{
    struct fixture fixture;
    struct buf content;

    (void)state;
    begin(&fixture);
    add(&fixture, "one\ntw");
    add(&fixture, "o\n\nthree");
    content = end(&fixture);
    assert_string_equal(buf_cstr(&content), "one\ntwo\n\nthree");
    assert_string_equal(buf_cstr(&fixture.log.last), "three");
    buf_release(&content);
    output_log_release(&fixture.log);
}

static void the_last_line_is_the_last_one_with_text(void **state)
{
    struct fixture fixture;
    struct buf content;

    (void)state;
    begin(&fixture);
    add(&fixture, "one\n42 EUR\n \n\n");
    content = end(&fixture);
    assert_string_equal(buf_cstr(&fixture.log.last), "42 EUR\n");
    buf_release(&content);
    output_log_release(&fixture.log);
}

static void secrets_are_masked_wherever_output_is_cut(void **state)
{
    (void)state;
    for (size_t cut = 0; cut <= strlen(SECRET); cut++) {
        struct fixture fixture;
        struct buf content;

        begin(&fixture);
        add(&fixture, "key ");
        output_log_add(&fixture.log, SECRET, cut);
        add(&fixture, &SECRET[cut]);
        add(&fixture, " end\n");
        content = end(&fixture);
        assert_null(strstr(buf_cstr(&content), "secret"));
        assert_non_null(strstr(buf_cstr(&content), "key ***"));
        assert_null(strstr(buf_cstr(&fixture.log.last), "secret"));
        buf_release(&content);
        output_log_release(&fixture.log);
    }
}

static void a_secret_in_a_long_line_is_masked_at_every_place(void **state)
{
    (void)state;
    for (size_t before = OUTPUT_LOG_LINE_MAX - 4200;
         before < OUTPUT_LOG_LINE_MAX + 100; before += 37) {
        char *filler = mem_new(before + 1, 1);
        struct fixture fixture;
        struct buf content;

        memset(filler, 'x', before);
        begin(&fixture);
        add(&fixture, filler);
        add(&fixture, SECRET);
        add(&fixture, filler);
        content = end(&fixture);
        assert_null(strstr(buf_cstr(&content), "secret"));
        assert_int_equal(content.length, 2 * before + strlen(SECRET));
        buf_release(&content);
        output_log_release(&fixture.log);
        free(filler);
    }
}

static void what_does_not_fit_is_counted(void **state)
{
    char block[1000];
    struct fixture fixture;
    struct buf content;

    (void)state;
    memset(block, 'x', sizeof(block));
    block[sizeof(block) - 1] = '\n';
    begin(&fixture);
    for (size_t put = 0; put < 2 * OUTPUT_LOG_MAX; put += sizeof(block))
        output_log_add(&fixture.log, block, sizeof(block));
    add(&fixture, "the answer\n");
    content = end(&fixture);
    assert_in_range(content.length, OUTPUT_LOG_MAX, OUTPUT_LOG_MAX + 100);
    assert_non_null(strstr(buf_cstr(&content), "more bytes are left out]"));
    assert_string_equal(buf_cstr(&fixture.log.last), "the answer\n");
    buf_release(&content);
    output_log_release(&fixture.log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(output_is_stored_as_it_is),
        cmocka_unit_test(the_last_line_is_the_last_one_with_text),
        cmocka_unit_test(secrets_are_masked_wherever_output_is_cut),
        cmocka_unit_test(a_secret_in_a_long_line_is_masked_at_every_place),
        cmocka_unit_test(what_does_not_fit_is_counted),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
