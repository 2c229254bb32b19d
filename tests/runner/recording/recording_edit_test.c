#include "runner/recording/recording_edit.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/macros.h"
#include "base/mem.h"
#include "tests/support/blocked_thread.h"
#include "tests/support/scratch_folder.h"

#define HEAD "{\"format\":\"proctor-recording\",\"version\":1}\n"

static void save(const char *folder, const char *text)
{
    char path[256];
    struct err err = ERR_INIT;

    mkdir(folder, 0777);
    snprintf(path, sizeof(path), "%s/" RECORDING_EDITS_FILE, folder);
    if (!file_save(path, 0666, text, strlen(text), &err))
        fail_msg("%s", err.text);
}

static void load(const char *folder, struct recording_edits *edits)
{
    struct err err = ERR_INIT;

    if (!recording_edits_load(folder, edits, &err))
        fail_msg("%s", err.text);
}

static void added_edits_read_back(void **state)
{
    struct text_list texts = {.count = 0};
    struct node_selector selector = {.text = texts};
    char note[] = "twice — 两次";
    const struct recording_edit edits[] = {
        {.kind = EDIT_STAR, .step = 3, .on = true},
        {.kind = EDIT_NOTE, .step = 3, .text = note},
        {.kind = EDIT_EVIDENCE, .step = 4, .on = true, .selector = &selector},
        {.kind = EDIT_WAIT_FOR, .step = 2},
        {.kind = EDIT_TRIM, .from = 1, .to = 4},
        {.kind = EDIT_ANSWER, .step = 4, .text = note, .selector = &selector},
        {.kind = EDIT_ANSWER, .step = 4},
    };
    struct recording_edits read;
    struct err err = ERR_INIT;

    (void)state;
    text_list_add(&selector.text, "Wi-Fi");
    mkdir("added", 0777);
    for (size_t i = 0; i < ARRAY_LEN(edits); i++) {
        if (!recording_edit_add("added", &edits[i], &err))
            fail_msg("%s", err.text);
    }
    load("added", &read);
    assert_int_equal(read.count, ARRAY_LEN(edits));
    assert_string_equal(read.items[1].text, note);
    assert_string_equal(read.items[2].selector->text.items[0], "Wi-Fi");
    assert_null(read.items[3].selector);
    assert_int_equal(read.items[4].to, 4);
    assert_string_equal(read.items[5].text, note);
    assert_string_equal(read.items[5].selector->text.items[0], "Wi-Fi");
    assert_string_equal(read.items[6].text, "");
    assert_null(read.items[6].selector);
    recording_edits_release(&read);
    text_list_release(&selector.text);
}

static void missing_file_has_no_edits(void **state)
{
    struct recording_edits read;

    (void)state;
    mkdir("none", 0777);
    load("none", &read);
    assert_int_equal(read.count, 0);
    recording_edits_release(&read);
}

static void torn_edit_is_dropped_and_cut_off(void **state)
{
    const struct recording_edit star = {
        .kind = EDIT_STAR, .step = 1, .on = true};
    struct recording_edits read;
    struct err err = ERR_INIT;

    (void)state;
    save("torn", HEAD "{\"edit\":\"star\",\"step\":0,\"on\":true}\n"
                      "{\"edit\":\"delete\",\"st");
    load("torn", &read);
    assert_true(read.torn);
    assert_int_equal(read.count, 1);
    recording_edits_release(&read);
    assert_true(recording_edit_add("torn", &star, &err));
    load("torn", &read);
    assert_false(read.torn);
    assert_int_equal(read.count, 2);
    assert_int_equal(read.items[1].step, 1);
    recording_edits_release(&read);
}

/* Also a head can be torn. */
static void torn_head_is_written_again(void **state)
{
    const struct recording_edit star = {
        .kind = EDIT_STAR, .step = 1, .on = true};
    struct recording_edits read;
    struct err err = ERR_INIT;

    (void)state;
    save("headless", "{\"format\":\"proctor-rec");
    assert_true(recording_edit_add("headless", &star, &err));
    load("headless", &read);
    assert_int_equal(read.count, 1);
    recording_edits_release(&read);
}

static void refuse(const char *lines, const char *reason)
{
    struct recording_edits read;
    struct err err = ERR_INIT;

    assert_false(recording_edits_parse(lines, strlen(lines), &read, &err));
    if (!strstr(err.text, reason))
        fail_msg("%s\n  not: %s", err.text, reason);
}

static void invalid_edits_are_named(void **state)
{
    (void)state;
    refuse("{}\n", "format");
    refuse("{\"format\":\"proctor-recording\",\"version\":2}\n", "version 2");
    refuse(HEAD "{\"edit\":\"fly\"}\n", "line 2: edit: there is no \"fly\"");
    refuse(HEAD "{\"edit\":\"star\",\"step\":-1,\"on\":true}\n", "step");
    refuse(HEAD "{\"edit\":\"star\",\"step\":1}\n", "on");
    refuse(HEAD "{\"edit\":\"note\",\"step\":1}\n", "text");
    refuse(HEAD "{\"edit\":\"evidence\",\"step\":1,\"on\":true}\n", "selector");
    refuse(HEAD "{\"edit\":\"target\",\"step\":1,\"selector\":{\"crop\":"
                "\"../../a.png\"}}\n",
           "crop");
    refuse(HEAD "{\"edit\":\"trim\",\"from\":4,\"to\":2}\n", "before from");
}

static void edit_that_cannot_be_read_is_not_written(void **state)
{
    struct node_selector nothing = {.nth = 0};
    const struct recording_edit bad[] = {
        {.kind = EDIT_TARGET, .step = 1, .selector = &nothing},
        {.kind = EDIT_STAR, .step = -1, .on = true},
    };
    struct recording_edits read;
    struct err err = ERR_INIT;

    (void)state;
    mkdir("refused", 0777);
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        assert_false(recording_edit_add("refused", &bad[i], &err));
        assert_int_equal(err.code, ERR_INVALID);
    }
    load("refused", &read);
    assert_int_equal(read.count, 0);
    recording_edits_release(&read);
}

#define EDITS_OF_A_THREAD 25

static void *add_many(void *context)
{
    for (int i = 0; i < EDITS_OF_A_THREAD; i++) {
        const struct recording_edit star = {
            .kind = EDIT_STAR, .step = i, .on = true};
        struct err err = ERR_INIT;

        if (!recording_edit_add("shared", &star, &err))
            return context;
    }
    return NULL;
}

static void edits_of_several_threads_are_all_there(void **state)
{
    pthread_t threads[4];
    struct recording_edits read;

    (void)state;
    mkdir("shared", 0777);
    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, add_many, threads),
                         0);
    for (size_t i = 0; i < ARRAY_LEN(threads); i++) {
        void *failed = NULL;

        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
    }
    load("shared", &read);
    assert_int_equal(read.count, ARRAY_LEN(threads) * EDITS_OF_A_THREAD);
    recording_edits_release(&read);
}

/* A thread that waits for the lock on the edits of a folder. */
struct lock_waiter {
    struct blocked_thread blocked;
    int lock;
};

static void *await_lock(void *context)
{
    struct lock_waiter *waiter = context;
    struct err err = ERR_INIT;

    blocked_thread_enter(&waiter->blocked);
    return recording_edits_lock("replaced", &waiter->lock, &err) ? NULL
                                                                 : waiter;
}

static void lock_is_on_the_file_that_replaced_the_edits(void **state)
{
    struct lock_waiter waiter = {.lock = -1};
    struct stat locked;
    struct stat named;
    struct err err = ERR_INIT;
    pthread_t thread;
    void *failed;
    int lock;

    (void)state;
    save("replaced", HEAD);
    assert_true(recording_edits_lock("replaced", &lock, &err));
    assert_int_equal(pthread_create(&thread, NULL, await_lock, &waiter), 0);
    blocked_thread_await(&waiter.blocked);
    save("replaced", HEAD);
    close(lock);
    assert_int_equal(pthread_join(thread, &failed), 0);
    assert_null(failed);
    assert_int_equal(fstat(waiter.lock, &locked), 0);
    assert_int_equal(stat("replaced/" RECORDING_EDITS_FILE, &named), 0);
    assert_true(locked.st_ino == named.st_ino);
    close(waiter.lock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(added_edits_read_back),
        cmocka_unit_test(missing_file_has_no_edits),
        cmocka_unit_test(torn_edit_is_dropped_and_cut_off),
        cmocka_unit_test(torn_head_is_written_again),
        cmocka_unit_test(invalid_edits_are_named),
        cmocka_unit_test(edit_that_cannot_be_read_is_not_written),
        cmocka_unit_test(edits_of_several_threads_are_all_there),
        cmocka_unit_test(lock_is_on_the_file_that_replaced_the_edits),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
