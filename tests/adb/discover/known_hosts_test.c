#include "adb/discover/known_hosts.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/mem.h"

static int enter_folder(void **state)
{
    char name[] = "/tmp/known_test.XXXXXX";

    if (!mkdtemp(name) || chdir(name) < 0)
        return -1;
    *state = mem_dup(name);
    return 0;
}

static int leave_folder(void **state)
{
    int left = unlink("devices") | unlink("a/b/devices") | rmdir("a/b") |
               rmdir("a") | chdir("/") | rmdir(*state);

    (void)left; /* most of it never existed */
    free(*state);
    return 0;
}

static void write_file(const char *text, size_t length)
{
    struct err err = ERR_INIT;

    assert_true(file_save("devices", 0600, text, length, &err));
}

static struct known_hosts read_file(void)
{
    struct known_hosts known_hosts = {0};
    struct err err = ERR_INIT;

    if (!known_hosts_read("devices", &known_hosts, &err))
        fail_msg("%s", err.text);
    return known_hosts;
}

static void file_is_in_the_xdg_folder(void **state)
{
    struct buf path = BUF_INIT(4096);
    struct err err = ERR_INIT;

    (void)state;
    setenv("XDG_STATE_HOME", "/state", 1);
    assert_true(known_hosts_path(&path, &err));
    assert_string_equal(buf_cstr(&path), "/state/proctor/devices");
    buf_clear(&path);
    setenv("XDG_STATE_HOME", "relative", 1);
    setenv("HOME", "/home/me", 1);
    assert_true(known_hosts_path(&path, &err));
    assert_string_equal(buf_cstr(&path),
                        "/home/me/.local/state/proctor/devices");
    unsetenv("XDG_STATE_HOME");
    unsetenv("HOME");
    assert_false(known_hosts_path(&path, &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
    buf_release(&path);
}

static void without_a_file_nothing_is_known(void **state)
{
    struct known_hosts known_hosts = read_file();

    (void)state;
    assert_int_equal(known_hosts.count, 0);
}

static void added_hosts_are_read_in_order(void **state)
{
    struct err err = ERR_INIT;
    struct known_hosts known_hosts;

    (void)state;
    assert_true(known_hosts_add("devices", "10.0.0.2", &err));
    assert_true(known_hosts_add("devices", "[fe80::1]:6000", &err));
    assert_true(known_hosts_add("devices", "10.0.0.2:5555", &err));
    known_hosts = read_file();
    assert_int_equal(known_hosts.count, 2);
    assert_string_equal(known_hosts.addresses[0], "10.0.0.2:5555");
    assert_string_equal(known_hosts.addresses[1], "[fe80::1]:6000");
    known_hosts_release(&known_hosts);
}

static void missing_folders_are_created_for_the_user_only(void **state)
{
    struct err err = ERR_INIT;
    struct stat facts;

    (void)state;
    assert_true(known_hosts_add("a/b/devices", "phone", &err));
    assert_int_equal(stat("a/b", &facts), 0);
    assert_int_equal(facts.st_mode & 077, 0);
    assert_int_equal(stat("a/b/devices", &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0600);
}

static void removed_host_is_not_listed(void **state)
{
    struct err err = ERR_INIT;
    struct known_hosts known_hosts;

    (void)state;
    assert_true(known_hosts_add("devices", "a", &err));
    assert_true(known_hosts_add("devices", "b", &err));
    assert_true(known_hosts_add("devices", "c", &err));
    assert_true(known_hosts_remove("devices", "b:5555", &err));
    known_hosts = read_file();
    assert_int_equal(known_hosts.count, 2);
    assert_string_equal(known_hosts.addresses[0], "a:5555");
    assert_string_equal(known_hosts.addresses[1], "c:5555");
    known_hosts_release(&known_hosts);
    assert_false(known_hosts_remove("devices", "b", &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
}

static void lines_that_are_no_address_are_skipped(void **state)
{
    static const char text[] = "# a comment\n"
                               "\n"
                               "10.0.0.2:5555\r\n"
                               "10.0.0.2:5555\n"
                               "host:99999\n"
                               "ho\x1bst:1\n"
                               "../etc/passwd\n"
                               "two words\n"
                               "phone.local:6000\n"
                               "cut-before-its-newline:7000";
    struct known_hosts known_hosts;

    (void)state;
    write_file(text, strlen(text));
    known_hosts = read_file();
    assert_int_equal(known_hosts.count, 3);
    assert_string_equal(known_hosts.addresses[0], "10.0.0.2:5555");
    assert_string_equal(known_hosts.addresses[1], "phone.local:6000");
    assert_string_equal(known_hosts.addresses[2],
                        "cut-before-its-newline:7000");
    known_hosts_release(&known_hosts);
}

static void invalid_utf8_is_harmless(void **state)
{
    char bytes[60000];
    struct known_hosts known_hosts;

    (void)state;
    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (char)(i * 7919 >> 3);
    write_file(bytes, sizeof(bytes));
    known_hosts = read_file();
    known_hosts_release(&known_hosts);
    memset(bytes, 'x', sizeof(bytes));
    write_file(bytes, sizeof(bytes));
    known_hosts = read_file();
    assert_int_equal(known_hosts.count, 0);
}

static void a_file_too_large_is_left_alone(void **state)
{
    char *bytes = mem_new(100000, 1);
    struct known_hosts known_hosts = {0};
    struct err err = ERR_INIT;

    (void)state;
    memset(bytes, '\n', 100000);
    write_file(bytes, 100000);
    assert_false(known_hosts_read("devices", &known_hosts, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_false(known_hosts_add("devices", "a", &err));
    free(bytes);
}

static void a_pipe_in_its_place_does_not_hang(void **state)
{
    struct known_hosts known_hosts = {0};
    struct err err = ERR_INIT;

    (void)state;
    assert_int_equal(mkfifo("devices", 0600), 0);
    assert_false(known_hosts_read("devices", &known_hosts, &err));
    assert_int_equal(err.code, ERR_INVALID);
}

static void full_list_is_an_error(void **state)
{
    struct err err = ERR_INIT;
    struct known_hosts known_hosts;
    char address[32];

    (void)state;
    for (int i = 0; i < KNOWN_HOSTS_MAX; i++) {
        snprintf(address, sizeof(address), "phone-%d", i);
        assert_true(known_hosts_add("devices", address, &err));
    }
    assert_false(known_hosts_add("devices", "one-more", &err));
    assert_int_equal(err.code, ERR_LIMIT);
    known_hosts = read_file();
    assert_int_equal(known_hosts.count, KNOWN_HOSTS_MAX);
    known_hosts_release(&known_hosts);
}

static void invalid_address_is_never_written(void **state)
{
    static const char *const addresses[] = {"",    ":1",   "a:b",
                                            "a b", "a\nb", "/a"};
    struct err err = ERR_INIT;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(addresses); i++) {
        assert_false(known_hosts_add("devices", addresses[i], &err));
        assert_int_equal(err.code, ERR_INVALID);
    }
    assert_int_equal(access("devices", F_OK), -1);
}

static void *add_eight(void *context)
{
    const char *name = context;
    struct err err = ERR_INIT;
    char address[32];
    size_t added = 0;

    for (int i = 0; i < 8; i++) {
        snprintf(address, sizeof(address), "%s-%d", name, i);
        added += known_hosts_add("devices", address, &err);
    }
    return added == 8 ? context : NULL;
}

static void parallel_additions_are_all_kept(void **state)
{
    static char names[][2] = {"a", "b", "c", "d"};
    pthread_t threads[ARRAY_LEN(names)];
    struct known_hosts known_hosts;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, add_eight, names[i]),
                         0);
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        void *done;

        pthread_join(threads[i], &done);
        assert_non_null(done);
    }
    known_hosts = read_file();
    assert_int_equal(known_hosts.count, 32);
    known_hosts_release(&known_hosts);
}

static void the_latest_port_of_a_host_is_found(void **state)
{
    struct err err = ERR_INIT;
    struct known_hosts known_hosts;
    uint16_t port = 0;

    (void)state;
    assert_true(known_hosts_add("devices", "phone:6000", &err));
    assert_true(known_hosts_add("devices", "other:6001", &err));
    assert_true(known_hosts_add("devices", "phone:6002", &err));
    known_hosts = read_file();
    assert_true(known_hosts_port(&known_hosts, "phone", &port));
    assert_int_equal(port, 6002);
    assert_false(known_hosts_port(&known_hosts, "phon", &port));
    known_hosts_release(&known_hosts);
}

#define IN_FOLDER(test_)                                                       \
    cmocka_unit_test_setup_teardown(test_, enter_folder, leave_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(file_is_in_the_xdg_folder),
        IN_FOLDER(without_a_file_nothing_is_known),
        IN_FOLDER(added_hosts_are_read_in_order),
        IN_FOLDER(missing_folders_are_created_for_the_user_only),
        IN_FOLDER(removed_host_is_not_listed),
        IN_FOLDER(lines_that_are_no_address_are_skipped),
        IN_FOLDER(invalid_utf8_is_harmless),
        IN_FOLDER(a_file_too_large_is_left_alone),
        IN_FOLDER(a_pipe_in_its_place_does_not_hang),
        IN_FOLDER(full_list_is_an_error),
        IN_FOLDER(invalid_address_is_never_written),
        IN_FOLDER(parallel_additions_are_all_kept),
        IN_FOLDER(the_latest_port_of_a_host_is_found),
    };

    return cmocka_run_group_tests_name("known", tests, NULL, NULL);
}
