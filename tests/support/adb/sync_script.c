#include "tests/support/adb/sync_script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/bytes.h"

int sync_script_set_up(void **state)
{
    struct sync_script *script = calloc(1, sizeof(*script));

    script->bytes = (struct buf)BUF_INIT((size_t)64 << 20);
    script->fd = memfd_create("file", MFD_CLOEXEC);
    *state = script;
    return script->fd < 0;
}

int sync_script_tear_down(void **state)
{
    struct sync_script *script = *state;

    sync_close(script->sync);
    buf_release(&script->bytes);
    close(script->fd);
    free(script);
    return 0;
}

/* Begin again with the first length bytes of the script. */
void sync_script_begin(struct sync_script *script, feature_set features,
                       const struct sync_options *options, size_t length,
                       size_t piece)
{
    struct err err;

    sync_close(script->sync);
    script->sync = NULL;
    scripted_stream_init(&script->device, buf_cstr(&script->bytes), length,
                         piece);
    assert_true(sync_over_stream(&script->device.stream, features, options,
                                 &script->sync, &err));
    assert_int_equal(lseek(script->fd, 0, SEEK_SET), 0);
}

void sync_script_begin_v1(struct sync_script *script)
{
    sync_script_begin(script, 0, NULL, script->bytes.length, SIZE_MAX);
}

void sync_script_begin_v2(struct sync_script *script)
{
    sync_script_begin(script, SYNC_SCRIPT_V2_FEATURES, NULL,
                      script->bytes.length, SIZE_MAX);
}

/* ---- what the device sends ---- */

/* Add four letters and a number. */
void sync_script_add(struct sync_script *script, const char *id, uint32_t value)
{
    buf_append(&script->bytes, id, 4);
    buf_u32le(&script->bytes, value);
}

/* The same, followed by a text; the number is its length. */
void sync_script_add_text(struct sync_script *script, const char *id,
                          const char *text)
{
    sync_script_add(script, id, (uint32_t)strlen(text));
    buf_text(&script->bytes, text);
}

void sync_script_add_entry(struct sync_script *script, uint32_t mode,
                           const char *name, size_t length)
{
    sync_script_add(script, "DENT", mode);
    buf_u32le(&script->bytes, 5);
    buf_u32le(&script->bytes, 1000);
    buf_u32le(&script->bytes, (uint32_t)length);
    buf_append(&script->bytes, name, length);
}

void sync_script_end_list(struct sync_script *script)
{
    sync_script_add(script, "DONE", 0);
    for (int i = 0; i < 3; i++)
        buf_u32le(&script->bytes, 0);
}

void sync_script_add_stat(struct sync_script *script, uint32_t mode)
{
    sync_script_add(script, "STAT", mode);
    buf_u32le(&script->bytes, 5);
    buf_u32le(&script->bytes, 1000);
}

void sync_script_add_stat2(struct sync_script *script, const char *id,
                           uint32_t number, uint32_t mode)
{
    uint8_t rest[SYNC_STAT2_SIZE - SYNC_HEADER_SIZE] = {0};

    sync_script_add(script, id, number);
    put_u32le(rest + 16, mode);
    buf_append(&script->bytes, rest, sizeof(rest));
}

void sync_script_add_list(struct sync_script *script)
{
    sync_script_add_entry(script, 0100644, "a", 1);
    sync_script_add_entry(script, 0040755, "b", 1);
    sync_script_end_list(script);
}

void sync_script_add_file(struct sync_script *script)
{
    sync_script_add_text(script, "DATA", "hello ");
    sync_script_add_text(script, "DATA", "");
    sync_script_add_text(script, "DATA", "world");
    sync_script_add(script, "DONE", 0);
}

void sync_script_add_okay(struct sync_script *script)
{
    sync_script_add(script, "OKAY", 0);
}

/* ---- results ---- */

void assert_err_code(bool done, const struct err *err, enum err_code code)
{
    assert_false(done);
    if (err->code != code)
        fail_msg("%s instead of %s: %s", err_code_name(err->code),
                 err_code_name(code), err->text);
}

void sync_script_write_file(struct sync_script *script, const char *text)
{
    assert_int_equal(ftruncate(script->fd, 0), 0);
    assert_int_equal(pwrite(script->fd, text, strlen(text), 0), strlen(text));
    assert_int_equal(lseek(script->fd, 0, SEEK_SET), 0);
}

void sync_script_assert_file(struct sync_script *script, const char *text)
{
    char found[256];
    ssize_t length = pread(script->fd, found, sizeof(found) - 1, 0);

    assert_true(length >= 0);
    found[length] = '\0';
    assert_string_equal(found, text);
}
