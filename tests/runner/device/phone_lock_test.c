#include "runner/device/phone_lock.h"

#include <glob.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/macros.h"
#include "tests/support/adb/fake_shell.h"
#include "tests/support/scratch_folder.h"

#define UUID "1f0c6ea5-7f0e-4b5c-9a51-0b6a4c1d2e3f"

static int use_scratch_folder(void **state)
{
    char path[512];

    if (scratch_folder_enter(state))
        return -1;
    snprintf(path, sizeof(path), "%s/locks", scratch_folder_path());
    return setenv("PROCTOR_LOCK_FOLDER", path, 1);
}

static void all_names_of_an_address_have_one_lock(void **state)
{
    static const struct {
        const char *serial;
        const char *address;
    } cases[] = {
        {"emulator-5570", "127.0.0.1:5571"},
        {"127.0.0.1:5571", "127.0.0.1:5571"},
        {"localhost:5571", "127.0.0.1:5571"},
        {"[::1]:5571", "127.0.0.1:5571"},
        {"10.0.0.7:5555", "10.0.0.7:5555"},
        {"0A051FDD4003GX", "0A051FDD4003GX"},
        {"adb-X (2)._adb-tls-connect._tcp", "adb-X (2)._adb-tls-connect._tcp"},
        {"127.0.0.1:99999", "127.0.0.1:99999"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf address = BUF_INIT(4096);

        phone_lock_address(cases[i].serial, &address);
        assert_string_equal(buf_cstr(&address), cases[i].address);
        buf_release(&address);
    }
}

static void unique_serial_of_a_phone_is_used(void **state)
{
    static const struct {
        const char *output;
        const char *identity; /* NULL: nothing is unique */
    } cases[] = {
        {"0A051FDD4003GX\n123\n" UUID "\n", "0A051FDD4003GX\n123\n" UUID "\n"},
        {"EMULATOR30X1\r\n\r\n" UUID "\r\n", "EMULATOR30X1\n\n" UUID "\n"},
        {"0A051FDD4003GX\n\n", "0A051FDD4003GX\n"},
        {"EMULATOR30X1\n55\n", NULL},
        {"PROCTOR0001\n\n", NULL},
        {"unknown\n\n", NULL},
        {"\n\n", NULL},
        {"", NULL},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf identity = BUF_INIT(4096);

        assert_int_equal(phone_lock_identity(cases[i].output, &identity),
                         cases[i].identity != NULL);
        assert_string_equal(buf_cstr(&identity),
                            cases[i].identity ? cases[i].identity : "");
        buf_release(&identity);
    }
}

static void a_phone_is_locked_under_all_its_addresses(void **state)
{
    struct phone_lock first = PHONE_LOCK_INIT;
    struct phone_lock second = PHONE_LOCK_INIT;
    struct err err = ERR_INIT;
    char process[64];

    (void)state;
    assert_true(phone_lock_take(&first, "emulator-5570", &err));
    assert_false(phone_lock_take(&second, "localhost:5571", &err));
    assert_int_equal(err.code, ERR_BUSY);
    snprintf(process, sizeof(process), "process %ld", (long)getpid());
    assert_non_null(strstr(err.text, process));
    assert_non_null(strstr(err.text, "localhost:5571"));
    assert_true(phone_lock_take(&second, "localhost:5573", &err));
    phone_lock_release(&first);
    assert_true(phone_lock_take(&first, "127.0.0.1:5571", &err));
    phone_lock_release(&first);
    phone_lock_release(&second);
}

/* The pause is for the main thread to find the lock taken and wait for it. */
static void *release_soon(void *context)
{
    const struct timespec pause = {.tv_nsec = 200000000};

    nanosleep(&pause, NULL);
    phone_lock_release(context);
    return NULL;
}

/* A thread that reads the battery of a phone does not keep a run from starting.
 */
static void the_end_of_a_brief_use_is_waited_for(void **state)
{
    struct phone_lock first = PHONE_LOCK_INIT;
    struct phone_lock second = PHONE_LOCK_INIT;
    struct err err = ERR_INIT;
    long process = 0;
    pthread_t thread;

    (void)state;
    assert_true(phone_lock_take_briefly(&first, "10.0.0.6:5555", &err));
    assert_false(phone_lock_is_taken("10.0.0.6:5555", &process));
    assert_int_equal(pthread_create(&thread, NULL, release_soon, &first), 0);
    assert_true(phone_lock_take(&second, "10.0.0.6:5555", &err));
    pthread_join(thread, NULL);
    assert_true(phone_lock_is_taken("10.0.0.6:5555", &process));
    assert_int_equal(process, getpid());
    assert_false(phone_lock_take_briefly(&first, "10.0.0.6:5555", &err));
    phone_lock_release(&second);
    assert_false(phone_lock_is_taken("10.0.0.6:5555", &process));
}

/* On USB and on the network at the same time. */
static void phone_is_locked_by_its_reported_serial(void **state)
{
    struct phone_lock first = PHONE_LOCK_INIT;
    struct phone_lock second = PHONE_LOCK_INIT;
    const struct deadline by = deadline_in_ms(60000);
    struct fake_shell shell;
    struct err err = ERR_INIT;

    (void)state;
    fake_shell_start(&shell);
    fake_shell_add(&shell, "getprop",
                   "[ $1 != ro.serialno ] || echo 0A051FDD4003GX");
    assert_true(phone_lock_take(&first, "0A051FDD4003GX", &err));
    assert_true(phone_lock_identify(&first, shell.device, by, &err));
    assert_true(phone_lock_take(&second, "10.0.0.7:5555", &err));
    assert_false(phone_lock_identify(&second, shell.device, by, &err));
    assert_int_equal(err.code, ERR_BUSY);
    phone_lock_release(&first);
    assert_true(phone_lock_identify(&second, shell.device, by, &err));
    phone_lock_release(&second);
    fake_shell_stop(&shell);
}

static void other_users_may_lock_it_too(void **state)
{
    struct phone_lock lock = PHONE_LOCK_INIT;
    struct stat folder, file;
    struct err err = ERR_INIT;

    (void)state;
    umask(077);
    assert_true(phone_lock_take(&lock, "10.0.0.9:5555", &err));
    assert_int_equal(stat("locks", &folder), 0);
    assert_int_equal(folder.st_mode & 07777, 01777);
    assert_int_equal(fstat(lock.address.fd, &file), 0);
    assert_int_equal(file.st_mode & 0777, 0666);
    phone_lock_release(&lock);
}

/* As left by a process that was killed before it set the mode. */
static void own_lock_file_is_opened_to_others(void **state)
{
    struct phone_lock lock = PHONE_LOCK_INIT;
    struct stat file;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(phone_lock_take(&lock, "10.0.0.10:5555", &err));
    assert_int_equal(fchmod(lock.address.fd, 0600), 0);
    phone_lock_release(&lock);
    assert_true(phone_lock_take(&lock, "10.0.0.10:5555", &err));
    assert_int_equal(fstat(lock.address.fd, &file), 0);
    assert_int_equal(file.st_mode & 0777, 0666);
    phone_lock_release(&lock);
}

static void existing_folder_keeps_its_mode(void **state)
{
    struct phone_lock lock = PHONE_LOCK_INIT;
    struct stat folder;
    struct err err = ERR_INIT;

    (void)state;
    assert_int_equal(chmod("locks", 0700), 0);
    assert_true(phone_lock_take(&lock, "10.0.0.10:5555", &err));
    phone_lock_release(&lock);
    assert_int_equal(stat("locks", &folder), 0);
    assert_int_equal(folder.st_mode & 07777, 0700);
}

static void assert_denied(const char *serial)
{
    struct phone_lock lock = PHONE_LOCK_INIT;
    struct err err = ERR_INIT;

    assert_false(phone_lock_take(&lock, serial, &err));
    assert_int_equal(err.code, ERR_DENIED);
    assert_non_null(strstr(err.text, "PROCTOR_LOCK_FOLDER"));
}

/* The only lock file. */
static void find_lock(char path[PATH_MAX])
{
    glob_t found;

    assert_int_equal(glob("locks/*.lock", 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, 1);
    snprintf(path, PATH_MAX, "%s", found.gl_pathv[0]);
    globfree(&found);
}

static void replaced_lock_file_is_refused(void **state)
{
    struct phone_lock lock = PHONE_LOCK_INIT;
    struct err err = ERR_INIT;
    char path[PATH_MAX];

    (void)state;
    assert_int_equal(rename("locks", "before"), 0);
    assert_true(phone_lock_take(&lock, "10.0.0.11:5555", &err));
    phone_lock_release(&lock);
    find_lock(path);
    assert_int_equal(link(path, "second"), 0);
    assert_denied("10.0.0.11:5555");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(symlink("../second", path), 0);
    assert_denied("10.0.0.11:5555");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0666), 0);
    assert_denied("10.0.0.11:5555");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir("locks"), 0);
    assert_int_equal(symlink("before", "locks"), 0);
    assert_denied("10.0.0.11:5555");
    assert_int_equal(unlink("locks"), 0);
    assert_int_equal(rename("before", "locks"), 0);
}

/* Only root can change the owner of a folder. */
static void a_folder_where_others_may_replace_locks_is_refused(void **state)
{
    struct phone_lock lock = PHONE_LOCK_INIT;
    struct err err = ERR_INIT;

    (void)state;
    if (geteuid())
        skip();
    assert_int_equal(chown("locks", 65534, 65534), 0);
    assert_int_equal(chmod("locks", 0777), 0);
    assert_denied("10.0.0.12:5555");
    assert_int_equal(chmod("locks", 01777), 0);
    assert_true(phone_lock_take(&lock, "10.0.0.12:5555", &err));
    phone_lock_release(&lock);
    assert_int_equal(chown("locks", 0, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_names_of_an_address_have_one_lock),
        cmocka_unit_test(unique_serial_of_a_phone_is_used),
        cmocka_unit_test(other_users_may_lock_it_too),
        cmocka_unit_test(own_lock_file_is_opened_to_others),
        cmocka_unit_test(existing_folder_keeps_its_mode),
        cmocka_unit_test(replaced_lock_file_is_refused),
        cmocka_unit_test(a_folder_where_others_may_replace_locks_is_refused),
        cmocka_unit_test(a_phone_is_locked_under_all_its_addresses),
        cmocka_unit_test(the_end_of_a_brief_use_is_waited_for),
        cmocka_unit_test(phone_is_locked_by_its_reported_serial),
    };

    return cmocka_run_group_tests(tests, use_scratch_folder,
                                  scratch_folder_leave);
}
