/*
 * What a power cut leaves of an episode: the calls that bring things to the
 * disk are noted, and no line may be written before what it names is there.
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
#include "tasks/trajectory.h"
#include "tests/support/scratch.h"

#define LOG_MAX ((size_t)1 << 20)

/* "sync PATH" and "line TEXT", in the order in which they came. */
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

/* Where the first line that holds words begins; NULL: there is none. */
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

static struct trajectory_writer *begin(void)
{
    static int number;
    char task[] = "a";
    char folder[256];
    struct trajectory_head head = {.task = task, .width = 1, .height = 1};
    struct trajectory_writer *writer = NULL;
    struct err err = ERR_INIT;

    snprintf(folder, sizeof(folder), "%s/%d", scratch_path(), number++);
    buf_clear(&noted);
    if (!trajectory_create(folder, &head, &writer, &err))
        fail_msg("%s", err.text);
    return writer;
}

static const struct trajectory_sight sight = {
    .screen = "png", .screen_size = 3, .tree = "<xml/>", .tree_size = 6};

static void see(struct trajectory_writer *writer)
{
    struct err err = ERR_INIT;

    if (!trajectory_see(writer, &sight, &err))
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

/* Then nobody waits for the disk when the line is written. */
static void what_was_kept_before_is_not_synced_again(void **state)
{
    struct trajectory_writer *writer = begin();
    const char *after;
    struct err err = ERR_INIT;
    char *path = NULL;

    (void)state;
    assert_true(trajectory_keep_screen(writer, "png", 3, &path, &err));
    free(path);
    assert_null(find("/screens/")); /* an agent waits for it: not yet */
    assert_true(trajectory_keep(writer, &sight, &err));
    see(writer);
    assert_files_come_first();
    after = find("\"event\":\"observation\"");
    see(writer); /* the same screen again */
    assert_null(strstr(after, "sync "));
    trajectory_close(writer);
}

static void an_episode_has_its_name_and_head_before_it_has_lines(void **state)
{
    struct trajectory_writer *writer = begin();

    (void)state;
    see(writer);
    assert_before("/events.jsonl\n", "line ");
    trajectory_close(writer);
}

static int forget(void **state)
{
    buf_release(&noted);
    return scratch_leave(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_comes_after_the_files_it_names),
        cmocka_unit_test(what_was_kept_before_is_not_synced_again),
        cmocka_unit_test(an_episode_has_its_name_and_head_before_it_has_lines),
    };

    return cmocka_run_group_tests_name("power cut", tests, scratch_enter,
                                       forget);
}
