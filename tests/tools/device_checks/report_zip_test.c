#include "tools/device_checks/report_zip.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zip.h>

#include <cmocka.h>

#include "tools/device_checks/trace_buffer.h"

static char folder[] = "/tmp/bundle_test.XXXXXX";

static int enter_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? chdir(folder) : -1;
}

static int leave_folder(void **state)
{
    (void)state;
    return chdir("/") || rmdir(folder);
}

static void assert_holds(struct zip *zip, const char *name, const char *text)
{
    struct zip_file *file = zip_fopen(zip, name, 0);
    char content[64] = "";

    assert_non_null(file);
    assert_int_equal(zip_fread(file, content, sizeof(content)), strlen(text));
    assert_string_equal(content, text);
    zip_fclose(file);
}

static void files_are_packed_completely(void **state)
{
    struct buf text = BUF_INIT(16);
    struct buf nothing = BUF_INIT(16);
    const struct report_zip_file files[] = {{"a.txt", &text}, {"b", &nothing}};
    struct zip *zip;
    struct err err;

    (void)state;
    buf_text(&text, "hello\n");
    assert_true(report_zip_save("b.zip", files, 2, &err));
    zip = zip_open("b.zip", ZIP_RDONLY | ZIP_CHECKCONS, NULL);
    assert_non_null(zip);
    assert_int_equal(zip_get_num_entries(zip, 0), 2);
    assert_holds(zip, "a.txt", "hello\n");
    assert_holds(zip, "b", "");
    zip_discard(zip);
    buf_release(&text);
    assert_int_equal(unlink("b.zip"), 0);
}

static void a_bundle_that_cannot_be_written_leaves_nothing(void **state)
{
    struct buf text = BUF_INIT(16);
    const struct report_zip_file files[] = {{"a", &text}};
    const struct report_zip_file twice[] = {{"a", &text}, {"a", &text}};
    struct err err;

    (void)state;
    assert_false(report_zip_save("nosuch/b.zip", files, 1, &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
    assert_false(report_zip_save("b.zip", twice, 2, &err));
    assert_int_equal(err.code, ERR_IO);
    assert_int_equal(access("b.zip", F_OK), -1);
}

static void trace_is_stored_up_to_its_limit(void **state)
{
    struct trace_buffer trace;
    struct err err;
    size_t lines = 0;

    (void)state;
    assert_true(trace_buffer_open(&trace, &err));
    for (size_t i = 0; i < TRACE_BUFFER_LIMIT / 32; i++)
        log_trace(&trace.log, LOG_SYNC, "received a file: %zu bytes", i);
    trace_buffer_finish(&trace);
    assert_true(trace.text.overflow);
    assert_true(trace.text.length <= TRACE_BUFFER_LIMIT);
    for (size_t i = 0; i < trace.text.length; i++)
        lines += trace.text.data[i] == '\n';
    assert_true(lines > 1000);
    assert_int_equal(trace.text.data[trace.text.length - 1], '\n');
    trace_buffer_release(&trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_packed_completely),
        cmocka_unit_test(a_bundle_that_cannot_be_written_leaves_nothing),
        cmocka_unit_test(trace_is_stored_up_to_its_limit),
    };

    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
