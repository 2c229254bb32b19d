/*
 * What a power cut leaves of an episode: the calls that sync files are
 * recorded, and no line may be written before the files it names are synced.
 */
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "tasks/trajectory/trajectory.h"
#include "tests/support/scratch_folder.h"

#define LOG_MAX ((size_t)1 << 20)

/* "sync PATH" and "line TEXT", in order. */
static struct buf noted = BUF_INIT(LOG_MAX);

int __real_fsync(int fd);
int __wrap_fsync(int fd);
ssize_t __real_write(int fd, const void *data, size_t size);
ssize_t __wrap_write(int fd, const void *data, size_t size);

static const char *path_of(int fd)
{
    static char path[PATH_MAX];
    char link[64];
    ssize_t length;

    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    length = readlink(link, path, sizeof(path) - 1);
    path[length > 0 ? length : 0] = '\0';
    return path;
}

int __wrap_fsync(int fd)
{
    buf_printf(&noted, "sync %s\n", path_of(fd));
    return __real_fsync(fd);
}

ssize_t __wrap_write(int fd, const void *data, size_t size)
{
    if (strstr(path_of(fd), "/events.jsonl"))
        buf_printf(&noted, "line %.*s", (int)size, (const char *)data);
    return __real_write(fd, data, size);
}

/* The start of the first line that contains words; NULL: there is none. */
static const char *find(const char *words)
{
    return strstr(buf_cstr(&noted), words);
}

static void assert_before(const char *first, const char *second)
{
    const char *a = find(first);
    const char *b = find(second);

    if (!a || !b || a > b)
        fail_msg("\"%s\" is not before \"%s\" in:\n%s", first, second,
                 buf_cstr(&noted));
}

static char folder[256]; /* of the episode */

static struct trajectory_writer *begin(void)
{
    static int number;
    char task[] = "a";
    struct trajectory_head head = {.task = task, .width = 1, .height = 1};
    struct trajectory_writer *writer = NULL;
    struct err err = ERR_INIT;

    snprintf(folder, sizeof(folder), "%s/%d", scratch_folder_path(), number++);
    buf_clear(&noted);
    if (!trajectory_create(folder, &head, &writer, &err))
        fail_msg("%s", err.text);
    return writer;
}

static const struct trajectory_observation observation = {
    .screen = "png", .screen_size = 3, .tree = "<xml/>", .tree_size = 6};

static void see(struct trajectory_writer *writer)
{
    struct err err = ERR_INIT;

    if (!trajectory_write_observation(writer, &observation, &err))
        fail_msg("%s", err.text);
}

static void assert_files_come_first(void)
{
    assert_before("/screens/0000.png\n", "\"event\":\"observation\"");
    assert_before("/trees/0000.xml\n", "\"event\":\"observation\"");
    assert_before("/screens\n", "\"event\":\"observation\"");
    assert_before("/trees\n", "\"event\":\"observation\"");
}

static void a_line_comes_after_the_files_it_names(void **state)
{
    struct trajectory_writer *writer = begin();

    (void)state;
    see(writer);
    assert_files_come_first();
    trajectory_close(writer);
}

/* So that writing the line does not wait for the disk. */
static void synced_files_are_not_synced_again(void **state)
{
    struct trajectory_writer *writer = begin();
    const char *after;
    struct err err = ERR_INIT;
    char *path = NULL;

    (void)state;
    assert_true(trajectory_store_screen(writer, "png", 3, &path, &err));
    free(path);
    assert_null(find("/screens/")); /* an agent waits for it: not yet */
    assert_true(trajectory_store_observation(writer, &observation, &err));
    see(writer);
    assert_files_come_first();
    after = find("\"event\":\"observation\"");
    see(writer); /* the same screen again */
    assert_null(strstr(after, "sync "));
    trajectory_close(writer);
}

static void folder_and_head_are_synced_before_other_lines(void **state)
{
    struct trajectory_writer *writer = begin();
    char synced[sizeof(folder) + 8];

    (void)state;
    see(writer);
    /* The head, while its file has a hidden name; then the folder. */
    snprintf(synced, sizeof(synced), "sync %s\n", folder);
    assert_before("/.events.jsonl.", synced);
    assert_before(synced, "line ");
    trajectory_close(writer);
}

static int forget(void **state)
{
    buf_release(&noted);
    return scratch_folder_leave(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_comes_after_the_files_it_names),
        cmocka_unit_test(synced_files_are_not_synced_again),
        cmocka_unit_test(folder_and_head_are_synced_before_other_lines),
    };

    return cmocka_run_group_tests_name("power cut", tests, scratch_folder_enter,
                                       forget);
}
