#include "tests/tools/phone/files/files_fixture.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tools/phone/core/still_clock.h"
#include "tools/phone/files/initial_files.h"

struct files_phone *files_phone_new(const struct files_limits *limits)
{
    struct files_phone *phone = calloc(1, sizeof(*phone));
    int number;

    assert_non_null(phone);
    phone->time = STILL_CLOCK_START;
    phone->root = files_new(limits, still_clock(&phone->time));
    assert_true(initial_files_create(phone->root, FILES_PHONE_PROPERTIES, 0600,
                                     &number));
    phone->shell = files_as(phone->root, &files_shell);
    return phone;
}

int files_phone_set_up(void **state)
{
    *state = files_phone_new(NULL);
    return 0;
}

int files_phone_tear_down(void **state)
{
    struct files_phone *phone = *state;

    files_free(phone->shell);
    files_free(phone->root);
    free(phone);
    return 0;
}

int files_phone_write(struct phone_files *files, const char *path,
                      const char *text)
{
    struct shared_bytes_writer writer = files_writer(files);
    struct shared_bytes *content;
    int number;

    if (!shared_bytes_append(&writer, text, strlen(text)))
        return ENOSPC;
    content = shared_bytes_finish(&writer);
    number = SAYS(files_install(files, path, content, 0644, &number));
    shared_bytes_drop(content);
    return number;
}

void files_phone_expect(struct phone_files *files, const char *path,
                        const char *text)
{
    struct shared_bytes *content;
    int number;

    if (!files_open(files, path, &content, &number))
        fail_msg("%s: %s", path, files_reason(number));
    assert_int_equal(content->size, strlen(text));
    if (*text)
        assert_memory_equal(content->data, text, content->size);
    shared_bytes_drop(content);
}

int files_phone_mkdir(struct phone_files *files, const char *path)
{
    int number;

    return SAYS(files_make_directory(files, path, 0755, true, &number));
}

struct files_stat files_phone_look(struct phone_files *files, const char *path)
{
    struct files_stat stat;
    int number;

    if (!files_stat(files, path, false, &stat, &number))
        fail_msg("%s: %s", path, files_reason(number));
    return stat;
}

int files_phone_stat(struct phone_files *files, const char *path)
{
    struct files_stat stat;
    int number;

    return SAYS(files_stat(files, path, true, &stat, &number));
}
