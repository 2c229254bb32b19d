/* The same seed and inputs give the same bytes, also from a snapshot on. */
#include "tools/phone/core/snapshot.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "adb/device/device.h"
#include "adb/services/shell.h"
#include "base/file.h"
#include "base/mem.h"
#include "tools/phone/core/snapshot_store.h"
#include "tools/phone/phone.h"

#define SOON deadline_in_ms(60000)
#define OUTPUT_MAX ((size_t)64 << 20)

/* ---- phones ---- */

struct used {
    struct phone *phone;
    struct device *device;
    struct buf seen; /* all its answers so far */
};

static void switch_on(struct used *used, const struct phone_options *options)
{
    const struct device_options host = {.log = NULL};
    struct err err = ERR_INIT;

    *used = (struct used){.seen = BUF_INIT(OUTPUT_MAX)};
    if (!phone_start(options, &used->phone, &err) ||
        !device_open_tcp("127.0.0.1", phone_port(used->phone), &host, SOON,
                         &used->device, &err))
        fail_msg("%s", err.text);
}

static void switch_off(struct used *used)
{
    device_close(used->device);
    phone_stop(used->phone);
    buf_release(&used->seen);
}

static void run(struct used *used, const char *command)
{
    struct err err = ERR_INIT;

    if (!shell_exec(used->device, command, SOON, &used->seen, &err))
        fail_msg("%s: %s", command, err.text);
}

/* Change something of every kind. */
static void act(struct used *used)
{
    static const char *const commands[] = {
        "input tap 540 700; sleep 0.3",
        "mkdir -p /sdcard/a/b; echo hello > /sdcard/a/b/c",
        "chmod 600 /data/local/tmp; ln -s /sdcard/a /data/local/tmp/link",
        "setprop debug.test one; settings put system font_scale 1.3",
        "log -t test hello; input keyevent 4",
        "input swipe 540 1800 540 600 250; input text hi",
        "wm density 400",
    };

    for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
        run(used, commands[i]);
}

/* Everything that clients can observe of it. */
static void look(struct used *used)
{
    static const char *const commands[] = {
        "screencap -p",
        "uiautomator dump /dev/tty",
        "ls -lR /sdcard /data/local /system 2>&1",
        "cat /sdcard/a/b/c 2>&1; cat /sdcard/window_dump.xml 2>&1",
        "getprop; settings list system; settings list global",
        "logcat -d; ps -A; date +%s%N; pm list packages 2>&1",
        "screencap -p",
    };

    for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
        run(used, commands[i]);
}

static void assert_same(const struct buf *a, const struct buf *b)
{
    assert_true(a->length > 10000);
    assert_int_equal(a->length, b->length);
    assert_memory_equal(a->data, b->data, a->length);
}

static void a_directory(char path[static 64])
{
    snprintf(path, 64, "%s", "/tmp/proctor-snapshot.XXXXXX");
    assert_non_null(mkdtemp(path));
}

static char *in_directory(const char *directory, const char *name)
{
    size_t size = strlen(directory) + strlen(name) + 2;
    char *path = mem_new(size, 1);

    snprintf(path, size, "%s/%s", directory, name);
    return path;
}

/* ---- determinism ---- */

static void phones_with_equal_input_stay_equal(void **state)
{
    const struct phone_options options = {.seed = 5, .locale = LOCALE_ZH};
    struct used phones[2];

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        switch_on(&phones[i], &options);
        act(&phones[i]);
        look(&phones[i]);
    }
    assert_same(&phones[0].seen, &phones[1].seen);
    switch_off(&phones[0]);
    switch_off(&phones[1]);
}

static void reading_host_does_not_change_the_phone(void **state)
{
    const struct phone_options options = {.seed = 5};
    const struct device_options host = {.log = NULL};
    struct used phones[2];

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct device *other = NULL;
        struct buf read = BUF_INIT(OUTPUT_MAX);
        struct err err = ERR_INIT;

        switch_on(&phones[i], &options);
        assert_true(device_open_tcp("127.0.0.1", phone_port(phones[i].phone),
                                    &host, SOON, &other, &err));
        act(&phones[i]);
        for (size_t j = 0; j < 5 * i; j++)
            assert_true(
                shell_exec(other, "ls -R /; getprop; date", SOON, &read, &err));
        look(&phones[i]);
        device_close(other);
        buf_release(&read);
    }
    assert_same(&phones[0].seen, &phones[1].seen);
    switch_off(&phones[0]);
    switch_off(&phones[1]);
}

/* ---- snapshots ---- */

static void loaded_phone_continues_like_the_saved_one(void **state)
{
    const struct phone_options options = {
        .seed = 9, .faults = "dump:chance=0.5;png:chance=0.3"};
    struct phone_options loading = {.seed = 1};
    struct used saved;
    struct used loaded;
    struct err err = ERR_INIT;
    char directory[64];
    char *path;

    (void)state;
    a_directory(directory);
    path = in_directory(directory, "one");
    switch_on(&saved, &options);
    act(&saved);
    look(&saved);
    assert_true(phone_save(saved.phone, path, &err));
    buf_clear(&saved.seen);
    look(&saved);
    act(&saved);
    look(&saved);
    loading.snapshot = path;
    switch_on(&loaded, &loading);
    look(&loaded);
    act(&loaded);
    look(&loaded);
    assert_same(&saved.seen, &loaded.seen);
    buf_clear(&loaded.seen);
    assert_true(phone_load(loaded.phone, path, &err));
    look(&loaded);
    act(&loaded);
    look(&loaded);
    assert_same(&saved.seen, &loaded.seen);
    switch_off(&saved);
    switch_off(&loaded);
    unlink(path);
    free(path);
    rmdir(directory);
}

static void snapshot_file_is_readable_only_by_the_user(void **state)
{
    const struct phone_options options = {.seed = 0};
    struct used used;
    struct err err = ERR_INIT;
    struct stat facts;
    char directory[64];
    char *path;

    (void)state;
    a_directory(directory);
    path = in_directory(directory, "one");
    switch_on(&used, &options);
    assert_true(phone_save(used.phone, path, &err));
    assert_int_equal(stat(path, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0600);
    switch_off(&used);
    unlink(path);
    free(path);
    rmdir(directory);
}

/* ---- what is no snapshot ---- */

/* A part that holds one text. */
struct word {
    char text[16];
};

static void save_word(void *part, struct buf *out)
{
    saved_state_put_text(out, ((struct word *)part)->text);
}

static void load_word(void *part, struct saved_state *in)
{
    struct word *word = part;
    char text[sizeof(word->text)];

    saved_state_text(in, text, sizeof(text));
    if (!in->trial && !in->broken)
        memcpy(word->text, text, sizeof(text));
}

struct words {
    struct virtual_clock clock;
    struct word words[2];
    struct snapshot_part parts[2];
    struct snapshot_state state;
};

static int make_words(void **state)
{
    static struct words words;

    words = (struct words){
        .words = {{"one"}, {"two"}},
        .parts = {{"first", save_word, load_word, &words.words[0]},
                  {"second", save_word, load_word, &words.words[1]}},
        .state = {&words.clock, words.parts, 2},
    };
    virtual_clock_init(&words.clock, PHONE_SECOND);
    *state = &words;
    return 0;
}

static int release_words(void **state)
{
    struct words *words = *state;

    virtual_clock_release(&words->clock);
    return 0;
}

static void every_damaged_byte_is_detected(void **state)
{
    struct words *words = *state;
    struct buf saved = BUF_INIT(4096);
    struct err err = ERR_INIT;

    assert_true(snapshot_save(&words->state, &saved, &err));
    memcpy(words->words[0].text, "new", 4);
    for (size_t i = 0; i < saved.length; i++) {
        saved.data[i] = (char)(saved.data[i] ^ 0x10);
        assert_false(
            snapshot_load(&words->state, saved.data, saved.length, &err));
        assert_int_equal(err.code, ERR_INVALID);
        saved.data[i] = (char)(saved.data[i] ^ 0x10);
        assert_false(snapshot_load(&words->state, saved.data, i, &err));
        assert_int_equal(err.code, ERR_INVALID);
    }
    assert_string_equal(words->words[0].text, "new");
    assert_true(snapshot_load(&words->state, saved.data, saved.length, &err));
    assert_string_equal(words->words[0].text, "one");
    buf_release(&saved);
}

/* Complete, but of another phone. */
static void snapshot_with_other_parts_is_refused(void **state)
{
    struct words *words = *state;
    struct buf saved = BUF_INIT(4096);
    struct err err = ERR_INIT;

    assert_true(snapshot_save(&words->state, &saved, &err));
    words->state.count = 1;
    assert_false(snapshot_load(&words->state, saved.data, saved.length, &err));
    words->state.count = 2;
    words->parts[1].name = "third";
    assert_false(snapshot_load(&words->state, saved.data, saved.length, &err));
    assert_string_equal(err.text, "this snapshot has other parts");
    buf_release(&saved);
}

static void too_large_snapshot_is_not_saved(void **state)
{
    struct words *words = *state;
    struct buf saved = BUF_INIT(40);
    struct err err = ERR_INIT;

    assert_false(snapshot_save(&words->state, &saved, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    buf_release(&saved);
}

/* ---- names ---- */

static void keep_by_name(struct words *words, const char *directory)
{
    struct buf list = BUF_INIT(4096);
    struct snapshot_store snapshot_store;
    struct err err = ERR_INIT;
    size_t count;

    snapshot_store_init(&snapshot_store, &words->state, directory);
    assert_false(snapshot_store_load(&snapshot_store, "b", &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
    assert_true(snapshot_store_save(&snapshot_store, "b", &err));
    memcpy(words->words[0].text, "new", 4);
    assert_true(snapshot_store_save(&snapshot_store, "a", &err));
    assert_true(snapshot_store_save(&snapshot_store, "a", &err));
    assert_true(snapshot_store_load(&snapshot_store, "b", &err));
    assert_string_equal(words->words[0].text, "one");
    assert_true(snapshot_store_list(&snapshot_store, &list, &count, &err));
    assert_int_equal(count, 2);
    assert_non_null(strstr(buf_cstr(&list), "--        a "));
    assert_true(strstr(buf_cstr(&list), " a ") <
                strstr(buf_cstr(&list), " b "));
    assert_true(snapshot_store_delete(&snapshot_store, "b", &err));
    assert_false(snapshot_store_delete(&snapshot_store, "b", &err));
    assert_true(snapshot_store_load(&snapshot_store, "a", &err));
    assert_string_equal(words->words[0].text, "new");
    assert_true(snapshot_store_delete(&snapshot_store, "a", &err));
    snapshot_store_release(&snapshot_store);
    buf_release(&list);
}

static void snapshots_have_names_in_memory(void **state)
{
    keep_by_name(*state, NULL);
}

static void snapshots_have_names_in_a_directory(void **state)
{
    char directory[64];

    a_directory(directory);
    keep_by_name(*state, directory);
    assert_int_equal(rmdir(directory), 0);
}

static void snapshot_name_cannot_leave_the_directory(void **state)
{
    static const char *const names[] = {
        "",
        ".",
        "..",
        "../a",
        "/etc/passwd",
        "a/b",
        ".hidden",
        "a b",
        "a\n",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    };
    struct words *words = *state;
    struct snapshot_store snapshot_store;
    struct err err = ERR_INIT;

    snapshot_store_init(&snapshot_store, &words->state, "/nowhere");
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        assert_false(snapshot_store_save(&snapshot_store, names[i], &err));
        assert_int_equal(err.code, ERR_INVALID);
        assert_false(snapshot_store_load(&snapshot_store, names[i], &err));
        assert_int_equal(err.code, ERR_INVALID);
        assert_false(snapshot_store_delete(&snapshot_store, names[i], &err));
        assert_int_equal(err.code, ERR_INVALID);
    }
    snapshot_store_release(&snapshot_store);
}

static void too_many_names_are_refused(void **state)
{
    struct words *words = *state;
    struct snapshot_store snapshot_store;
    struct err err = ERR_INIT;
    char name[16];

    snapshot_store_init(&snapshot_store, &words->state, NULL);
    for (unsigned i = 0; i < SNAPSHOT_STORE_COUNT_MAX; i++) {
        snprintf(name, sizeof(name), "s%u", i);
        assert_true(snapshot_store_save(&snapshot_store, name, &err));
    }
    assert_false(snapshot_store_save(&snapshot_store, "more", &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_true(snapshot_store_save(&snapshot_store, "s0", &err));
    snapshot_store_release(&snapshot_store);
}

#define words_test(test)                                                       \
    cmocka_unit_test_setup_teardown(test, make_words, release_words)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phones_with_equal_input_stay_equal),
        cmocka_unit_test(reading_host_does_not_change_the_phone),
        cmocka_unit_test(loaded_phone_continues_like_the_saved_one),
        cmocka_unit_test(snapshot_file_is_readable_only_by_the_user),
        words_test(every_damaged_byte_is_detected),
        words_test(snapshot_with_other_parts_is_refused),
        words_test(too_large_snapshot_is_not_saved),
        words_test(snapshots_have_names_in_memory),
        words_test(snapshots_have_names_in_a_directory),
        words_test(snapshot_name_cannot_leave_the_directory),
        words_test(too_many_names_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
