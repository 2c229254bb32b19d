#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/macros.h"
#include "base/mem.h"

/* Did a file of this name exist when something was flushed first? */
static const char *awaited_name;
static int flushes;
static bool existed_at_first;

/* Stands in for that of the C library. */
int fsync(int fd)
{
    if (awaited_name && !flushes++)
        existed_at_first = access(awaited_name, F_OK) == 0;
    return (int)syscall(SYS_fsync, fd);
}

/* Each test runs in a new empty directory, which is the current one. */
static int enter_directory(void **state)
{
    char name[] = "/tmp/file_test.XXXXXX";

    if (!mkdtemp(name) || chdir(name) < 0)
        return -1;
    *state = mem_dup(name);
    return 0;
}

static int leave_directory(void **state)
{
    DIR *directory = opendir(".");
    struct dirent *entry;

    while (directory && (entry = readdir(directory)))
        remove(entry->d_name);
    closedir(directory);
    if (chdir("/") < 0 || rmdir(*state) < 0)
        return -1;
    free(*state);
    return 0;
}

static size_t count_names(void)
{
    DIR *directory = opendir(".");
    struct dirent *entry;
    size_t count = 0;

    assert_non_null(directory);
    while ((entry = readdir(directory)))
        count += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
    closedir(directory);
    return count;
}

static void save(const char *path, const char *text)
{
    struct err err = ERR_INIT;

    assert_true(file_save(path, 0666, text, strlen(text), &err));
}

static void assert_content(const char *path, const char *text)
{
    struct buf content = BUF_INIT(4096);
    struct err err = ERR_INIT;

    assert_true(file_load(path, &content, &err));
    assert_string_equal(buf_cstr(&content), text);
    buf_release(&content);
}

static void file_has_its_name_only_after_commit(void **state)
{
    struct file file = FILE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(file_begin(&file, "a.png", 0666, &err));
    assert_true(file_write(file.fd, "half", 4, &err));
    assert_int_equal(access("a.png", F_OK), -1);
    assert_memory_equal(file.part, ".a.png.", 7);
    assert_string_equal(file.part + strlen(file.part) - 5, ".part");
    assert_true(file_commit(&file, &err));
    assert_content("a.png", "half");
    assert_int_equal(count_names(), 1);
    assert_int_equal(file.fd, -1);
}

static void an_abandoned_file_leaves_nothing(void **state)
{
    struct file file = FILE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(file_begin(&file, "a", 0666, &err));
    assert_int_equal(count_names(), 1);
    errno = ENOSPC;
    file_abandon(&file);
    assert_int_equal(errno, ENOSPC);
    assert_int_equal(count_names(), 0);
    file_abandon(&file);
}

static void an_abandoned_file_leaves_the_old_one(void **state)
{
    struct file file = FILE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    save("a", "old");
    assert_true(file_begin(&file, "a", 0666, &err));
    assert_true(file_write(file.fd, "new", 3, &err));
    file_abandon(&file);
    assert_content("a", "old");
    assert_int_equal(count_names(), 1);
}

static void commit_replaces_the_old_file(void **state)
{
    (void)state;
    save("a", "old and long");
    save("a", "new");
    assert_content("a", "new");
}

static void mode_is_the_given_one_without_the_umask(void **state)
{
    mode_t before = umask(027);
    struct err err = ERR_INIT;
    struct stat now;

    (void)state;
    assert_true(file_save("a", 0666, "", 0, &err));
    umask(before);
    assert_int_equal(stat("a", &now), 0);
    assert_int_equal(now.st_mode & 07777, 0640);
}

static void a_read_only_file_can_be_written(void **state)
{
    struct err err = ERR_INIT;

    (void)state;
    assert_true(file_save("a", 0444, "x", 1, &err));
    assert_true(file_save("a", 0444, "y", 1, &err));
    assert_content("a", "y");
}

static void the_longest_name_still_works(void **state)
{
    char name[256] = {0};

    (void)state;
    memset(name, 'n', 255);
    save(name, "x");
    assert_content(name, "x");
}

static void file_in_another_directory_is_created_there(void **state)
{
    struct file file = FILE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    assert_int_equal(mkdir("d", 0777), 0);
    assert_true(file_begin(&file, "d/a", 0666, &err));
    assert_memory_equal(file.part, "d/.a.", 5);
    assert_true(file_commit(&file, &err));
    assert_content("d/a", "");
    assert_int_equal(unlink("d/a"), 0);
}

static void a_symbolic_link_is_replaced_and_its_target_kept(void **state)
{
    struct stat now;

    (void)state;
    save("target", "kept");
    assert_int_equal(symlink("target", "link"), 0);
    save("link", "new");
    assert_content("target", "kept");
    assert_content("link", "new");
    assert_int_equal(lstat("link", &now), 0);
    assert_true(S_ISREG(now.st_mode));
}

static void non_regular_file_is_not_replaced(void **state)
{
    static const char *const paths[] = {"/dev/null", "fifo", ".", "d/", ""};
    struct file file = FILE_INIT;

    (void)state;
    assert_int_equal(mkfifo("fifo", 0666), 0);
    for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
        struct err err = ERR_INIT;

        assert_false(file_begin(&file, paths[i], 0666, &err));
        assert_int_equal(err.code, ERR_INVALID);
        assert_int_equal(file.fd, -1);
    }
    assert_int_equal(count_names(), 1);
}

static void a_missing_directory_is_not_found(void **state)
{
    struct file file = FILE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    assert_false(file_begin(&file, "no/such/a", 0666, &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
    assert_string_equal(err.text, "creating \"no/such/a\": "
                                  "No such file or directory");
}

static void a_name_taken_by_a_directory_meanwhile_fails_cleanly(void **state)
{
    struct file file = FILE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(file_begin(&file, "a", 0666, &err));
    assert_int_equal(mkdir("a", 0777), 0);
    assert_false(file_commit(&file, &err));
    assert_int_equal(err.code, ERR_IO);
    assert_int_equal(file.fd, -1);
    assert_int_equal(count_names(), 1);
}

static void a_full_disk_has_its_own_code(void **state)
{
    struct err err = ERR_INIT;
    int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);

    (void)state;
    if (fd < 0)
        skip();
    assert_false(file_write(fd, "x", 1, &err));
    close(fd);
    assert_int_equal(err.code, ERR_NO_SPACE);
}

static void a_write_past_the_allowed_size_keeps_the_old_file(void **state)
{
    static const char large[8192];
    const struct rlimit small = {.rlim_cur = 4096, .rlim_max = RLIM_INFINITY};
    struct err err = ERR_INIT;
    struct rlimit before;
    bool saved;

    (void)state;
    save("a", "old");
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    saved = file_save("a", 0666, large, sizeof(large), &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_false(saved);
    assert_memory_equal(err.text, "\"a\": writing: ", 14);
    assert_content("a", "old");
    assert_int_equal(count_names(), 1);
}

/* Disk space allocated to the file, in bytes. */
static uint64_t room_of(const char *path)
{
    struct stat facts;

    assert_int_equal(stat(path, &facts), 0);
    return (uint64_t)facts.st_blocks * 512;
}

static void unused_preallocated_space_is_freed(void **state)
{
    static const char text[] = "less than was said";
    const uint64_t said = (uint64_t)16 << 20;
    const struct timespec times[] = {{.tv_sec = 1}, {.tv_sec = 1000000000}};
    struct file file = FILE_INIT;
    struct err err = ERR_INIT;
    struct stat facts;

    (void)state;
    assert_true(file_begin(&file, "a", 0666, &err));
    file_reserve(&file, said);
    assert_true(file_write(file.fd, text, strlen(text), &err));
    assert_int_equal(futimens(file.fd, times), 0);
    assert_true(file_commit(&file, &err));
    assert_content("a", text);
    assert_in_range(room_of("a"), 0, said / 2);
    assert_int_equal(stat("a", &facts), 0);
    assert_int_equal(facts.st_mtime, 1000000000);
}

static void file_may_grow_beyond_its_preallocated_space(void **state)
{
    static const char piece[(size_t)1 << 20];
    struct file file = FILE_INIT;
    struct err err = ERR_INIT;
    struct stat facts;

    (void)state;
    assert_true(file_begin(&file, "a", 0666, &err));
    file_reserve(&file, sizeof(piece));
    for (int i = 0; i < 3; i++)
        assert_true(file_write(file.fd, piece, sizeof(piece), &err));
    assert_true(file_commit(&file, &err));
    assert_int_equal(stat("a", &facts), 0);
    assert_int_equal(facts.st_size, 3 * sizeof(piece));
}

static void impossible_preallocation_is_ignored(void **state)
{
    struct file file = FILE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(file_begin(&file, "a", 0666, &err));
    file_reserve(&file, UINT64_MAX);
    assert_true(file_write(file.fd, "b", 1, &err));
    assert_true(file_commit(&file, &err));
    assert_content("a", "b");
}

static void loading_stops_at_the_limit(void **state)
{
    struct buf content = BUF_INIT(4);
    struct err err = ERR_INIT;

    (void)state;
    save("fits", "abc");
    save("full", "abcd");
    save("over", "abcde");
    assert_true(file_load("fits", &content, &err));
    buf_clear(&content);
    assert_true(file_load("full", &content, &err));
    buf_truncate(&content, 1);
    assert_false(file_load("over", &content, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_string_equal(err.text, "\"over\": larger than 4 bytes");
    assert_string_equal(buf_cstr(&content), "a");
    assert_false(content.overflow);
    buf_release(&content);
}

static void loading_keeps_every_byte(void **state)
{
    struct buf sent = BUF_INIT(1 << 20);
    struct buf got = BUF_INIT(1 << 20);
    struct err err = ERR_INIT;

    (void)state;
    for (int i = 0; i < 200000; i++)
        buf_byte(&sent, (char)(i * 7));
    assert_true(file_save("a", 0666, sent.data, sent.length, &err));
    assert_true(file_load("a", &got, &err));
    assert_int_equal(got.length, sent.length);
    assert_memory_equal(got.data, sent.data, sent.length);
    buf_release(&sent);
    buf_release(&got);
}

static void loading_a_missing_file_fails_with_its_name(void **state)
{
    struct buf content = BUF_INIT(4);
    struct err err = ERR_INIT;

    (void)state;
    assert_false(file_load("a", &content, &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
    assert_false(file_load(".", &content, &err));
    assert_int_equal(err.code, ERR_INVALID);
    assert_string_equal(err.text, "\".\" is not a regular file");
}

static void folders_are_created_with_their_parents(void **state)
{
    struct stat facts;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(file_make_folder("a/b/c", 0700, &err));
    assert_true(file_make_folder("a/b/c/", 0700, &err));
    assert_int_equal(stat("a/b", &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0700);
    save("a/b/c/file", "");
    assert_false(file_make_folder("a/b/c/file/d", 0700, &err));
    assert_non_null(strstr(err.text, "a/b/c/file/d"));
    assert_false(file_make_folder("", 0700, &err));
    assert_int_equal(unlink("a/b/c/file") | rmdir("a/b/c") | rmdir("a/b"), 0);
}

static void only_ordinary_files_are_loaded(void **state)
{
    static const char *const others[] = {"pipe", ".", "/dev/zero"};
    struct buf content = BUF_INIT(4);
    struct err err;

    (void)state;
    assert_int_equal(mkfifo("pipe", 0666), 0);
    for (size_t i = 0; i < ARRAY_LEN(others); i++) {
        assert_false(file_load(others[i], &content, &err));
        assert_int_equal(err.code, ERR_INVALID);
    }
    assert_false(file_load("a", &content, &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
    save("a", "abc");
    assert_true(file_load("a", &content, &err));
    assert_string_equal(buf_cstr(&content), "abc");
    buf_release(&content);
}

#define IN_DIRECTORY(test_)                                                    \
    cmocka_unit_test_setup_teardown(test_, enter_directory, leave_directory)

static void content_is_flushed_before_the_file_has_its_name(void **state)
{
    struct err err = ERR_INIT;

    (void)state;
    awaited_name = "new";
    assert_true(file_save_synced("new", 0666, "text", 4, &err));
    awaited_name = NULL;
    assert_int_equal(flushes, 2); /* the file, and its folder */
    assert_false(existed_at_first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_DIRECTORY(file_has_its_name_only_after_commit),
        IN_DIRECTORY(an_abandoned_file_leaves_nothing),
        IN_DIRECTORY(an_abandoned_file_leaves_the_old_one),
        IN_DIRECTORY(commit_replaces_the_old_file),
        IN_DIRECTORY(mode_is_the_given_one_without_the_umask),
        IN_DIRECTORY(a_read_only_file_can_be_written),
        IN_DIRECTORY(the_longest_name_still_works),
        IN_DIRECTORY(file_in_another_directory_is_created_there),
        IN_DIRECTORY(a_symbolic_link_is_replaced_and_its_target_kept),
        IN_DIRECTORY(non_regular_file_is_not_replaced),
        IN_DIRECTORY(a_missing_directory_is_not_found),
        IN_DIRECTORY(a_name_taken_by_a_directory_meanwhile_fails_cleanly),
        IN_DIRECTORY(a_full_disk_has_its_own_code),
        IN_DIRECTORY(a_write_past_the_allowed_size_keeps_the_old_file),
        IN_DIRECTORY(unused_preallocated_space_is_freed),
        IN_DIRECTORY(file_may_grow_beyond_its_preallocated_space),
        IN_DIRECTORY(impossible_preallocation_is_ignored),
        IN_DIRECTORY(loading_stops_at_the_limit),
        IN_DIRECTORY(loading_keeps_every_byte),
        IN_DIRECTORY(loading_a_missing_file_fails_with_its_name),
        IN_DIRECTORY(only_ordinary_files_are_loaded),
        IN_DIRECTORY(folders_are_created_with_their_parents),
        IN_DIRECTORY(content_is_flushed_before_the_file_has_its_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
