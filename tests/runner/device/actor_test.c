#include "runner/device/actor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/mem.h"
#include "tests/runner/test_phone.h"
#include "tests/tools/phone/system/test_apk.h"

/* An app with one multi-line field, in place of Shop. */
static const char notepad[] =
    "return { package = 'org.proctor.shop', name = { en = 'Shop' },\n"
    "    state = { typed = '' },\n"
    "    screens = { main = function(state)\n"
    "        return page{ title = { en = 'Pad' }, back = false,\n"
    "            area{ text = state.typed, id = 'pad', on_change = 'typed' },\n"
    "            item{ 'Other', id = 'other', on_click = 'nothing' } }\n"
    "    end },\n"
    "    handlers = { typed = function(state, text) state.typed = text end } "
    "}\n";

static char folder[] = "/tmp/proctor-act.XXXXXX";

static int make_folder(void **state)
{
    char path[64];
    struct err err;

    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof(path), "%s/shop.lua", folder);
    return file_save(path, 0600, notepad, strlen(notepad), &err) ? 0 : -1;
}

static int remove_folder(void **state)
{
    char path[64];

    (void)state;
    snprintf(path, sizeof(path), "%s/shop.lua", folder);
    unlink(path);
    return rmdir(folder);
}

/* Type into an empty pad, and return its text. */
static bool type_anew(struct test_phone *phone, const char *text,
                      struct err *err)
{
    char *own = mem_dup(text);
    bool done;

    (void)test_phone_run(phone, "am force-stop org.proctor.shop");
    test_phone_open(phone, "org.proctor.shop");
    test_phone_see(phone);
    test_phone_tap(phone, "pad");
    done = actor_perform(phone->actor,
                         &(struct action){.kind = ACTION_TYPE, .text = own},
                         (struct extent){1080, 2400}, SOON, err);
    free(own);
    test_phone_see(phone);
    return done;
}

static void assert_pad_holds(const struct test_phone *phone, const char *text)
{
    const struct tree_node *pad = test_phone_find(phone, "pad");

    assert_non_null(pad);
    if (strcmp(pad->text, text) != 0)
        fail_msg("typed '%s', found '%s'", text, pad->text);
}

static const char *const plain_texts[] = {
    "hello",
    "two words  and   more ",
    "it's \"quoted\" 'twice'",
    "100% %s %%s %%%s s%",
    "$(touch /sdcard/ran) `touch /sdcard/ran`",
    "; touch /sdcard/ran; & touch /sdcard/ran && || | > /sdcard/ran < x",
    "\\n \\\\ \\' ~ * ? [a-z] {a,b} !! #",
    "-d 0 --help -",
};

static void plain_text_arrives_exactly_by_the_phones_own_keys(void **state)
{
    const struct phone_options options = {.seed = 1, .apps = folder};
    struct test_phone phone;
    struct err err = ERR_INIT;

    (void)state;
    test_phone_start(&phone, &options);
    for (size_t i = 0; i < ARRAY_LEN(plain_texts); i++) {
        if (!type_anew(&phone, plain_texts[i], &err))
            fail_msg("%s: %s", plain_texts[i], err.text);
        assert_pad_holds(&phone, plain_texts[i]);
    }
    assert_string_equal(test_phone_run(&phone, "ls /sdcard | grep -c ran"),
                        "0\n");
    assert_string_equal(
        test_phone_run(&phone, "settings get secure default_input_method"),
        "com.android.inputmethod.latin/.LatinIME\n");
    test_phone_stop(&phone);
}

static void any_text_arrives_exactly_by_adb_keyboard(void **state)
{
    static const char *const texts[] = {
        "line one\nline two\n\n  four",
        "价格 ￥12.50，“好吃”；不要辣",
        "emoji 😀👨‍👩‍👧‍👦🇩🇪 and é è ñ ö",
        "שלום مرحبا हिन्दी ไทย",
        "\t$(touch /sdcard/ran)\n`touch /sdcard/ran`\n;touch /sdcard/ran\n%s",
    };
    const struct phone_options options = {
        .seed = 1, .apps = folder, .adb_keyboard = true};
    struct test_phone phone;
    struct err err = ERR_INIT;

    (void)state;
    test_phone_start(&phone, &options);
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        if (!type_anew(&phone, texts[i], &err))
            fail_msg("%s: %s", texts[i], err.text);
        assert_pad_holds(&phone, texts[i]);
    }
    for (size_t i = 0; i < ARRAY_LEN(plain_texts); i++) {
        if (!type_anew(&phone, plain_texts[i], &err))
            fail_msg("%s: %s", plain_texts[i], err.text);
        assert_pad_holds(&phone, plain_texts[i]);
    }
    assert_string_equal(test_phone_run(&phone, "ls /sdcard | grep -c ran"),
                        "0\n");
    test_phone_stop(&phone);
}

static void do_in_pad(struct test_phone *phone, struct action action)
{
    struct err err = ERR_INIT;

    if (!actor_perform(phone->actor, &action, (struct extent){1080, 2400}, SOON,
                       &err))
        fail_msg("%s", err.text);
    test_phone_see(phone);
}

static void typing_appends_unless_it_replaces(void **state)
{
    const struct phone_options options = {.seed = 1, .apps = folder};
    struct test_phone phone;
    struct err err = ERR_INIT;
    char more[] = " more";
    char other[] = "other";

    (void)state;
    test_phone_start(&phone, &options);
    assert_true(type_anew(&phone, "a text of some length", &err));
    do_in_pad(&phone, (struct action){.kind = ACTION_TYPE, .text = more});
    assert_pad_holds(&phone, "a text of some length more");
    do_in_pad(&phone, (struct action){
                          .kind = ACTION_TYPE, .text = other, .replace = true});
    assert_pad_holds(&phone, "other");
    test_phone_stop(&phone);
}

static void field_is_cleared_with_either_keyboard(void **state)
{
    static const char *const texts[] = {"plain text", "第一行\nsecond line"};
    const struct phone_options options = {
        .seed = 1, .apps = folder, .adb_keyboard = true};
    struct test_phone phone;
    struct err err = ERR_INIT;

    (void)state;
    test_phone_start(&phone, &options);
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        assert_true(type_anew(&phone, texts[i], &err));
        assert_pad_holds(&phone, texts[i]);
        do_in_pad(&phone, (struct action){.kind = ACTION_CLEAR});
        assert_pad_holds(&phone, "");
    }
    test_phone_stop(&phone);
}

/* Before Android 12 two keys cannot be pressed at the same time. */
static void a_field_is_cleared_on_old_phones(void **state)
{
    static const enum android_version versions[] = {ANDROID_7, ANDROID_4_4};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(versions); i++) {
        const struct phone_options options = {
            .seed = 1, .apps = folder, .android = versions[i]};
        struct test_phone phone;
        struct err err = ERR_INIT;

        test_phone_start(&phone, &options);
        if (!type_anew(&phone, "a text of some length", &err))
            fail_msg("%s", err.text);
        assert_pad_holds(&phone, "a text of some length");
        do_in_pad(&phone, (struct action){.kind = ACTION_CLEAR});
        assert_pad_holds(&phone, "");
        test_phone_stop(&phone);
    }
}

static void ten_kilobytes_arrive_exactly(void **state)
{
    static const char piece[] = "日本 %s $(id) 'x' ";
    const struct phone_options options = {
        .seed = 1, .apps = folder, .adb_keyboard = true};
    struct buf text = BUF_INIT(10240);
    struct test_phone phone;
    struct err err = ERR_INIT;

    (void)state;
    while (!text.overflow)
        buf_text(&text, piece);
    test_phone_start(&phone, &options);
    if (!type_anew(&phone, buf_cstr(&text), &err))
        fail_msg("%s", err.text);
    assert_pad_holds(&phone, buf_cstr(&text));
    buf_release(&text);
    test_phone_stop(&phone);
}

static void ten_kilobytes_arrive_by_keys_too(void **state)
{
    const struct phone_options options = {.seed = 1, .apps = folder};
    struct buf text = BUF_INIT(10240);
    struct test_phone phone;
    struct err err = ERR_INIT;

    (void)state;
    while (!text.overflow)
        buf_text(&text, "%s 'quoted' $(id) ");
    test_phone_start(&phone, &options);
    if (!type_anew(&phone, buf_cstr(&text), &err))
        fail_msg("%s", err.text);
    assert_pad_holds(&phone, buf_cstr(&text));
    buf_release(&text);
    test_phone_stop(&phone);
}

static void a_text_that_no_keyboard_types_is_refused_with_the_reason(
    void **state)
{
    const struct phone_options options = {.seed = 1, .apps = folder};
    struct test_phone phone;
    struct err err = ERR_INIT;

    (void)state;
    test_phone_start(&phone, &options);
    assert_false(type_anew(&phone, "价格", &err));
    assert_int_equal(err.code, ERR_INVALID);
    assert_non_null(strstr(err.text, "it holds more than ASCII"));
    assert_non_null(strstr(err.text, "ADBKeyboard"));
    assert_pad_holds(&phone, "");
    test_phone_stop(&phone);
}

static void users_keyboard_is_restored_by_close(void **state)
{
    const struct phone_options options = {
        .seed = 1, .apps = folder, .adb_keyboard = true};
    struct test_phone phone;
    struct err err = ERR_INIT;

    (void)state;
    test_phone_start(&phone, &options);
    assert_true(type_anew(&phone, "价格", &err));
    assert_string_equal(
        test_phone_run(&phone, "settings get secure default_input_method"),
        "com.android.adbkeyboard/.AdbIME\n");
    actor_close(phone.actor);
    phone.actor = NULL;
    assert_string_equal(
        test_phone_run(&phone,
                       "settings get secure default_input_method; ime list -s"),
        "com.android.inputmethod.latin/.LatinIME\n"
        "com.android.inputmethod.latin/.LatinIME\n");
    test_phone_stop(&phone);
}

/* Write an APK that contains the keyboard to path. */
static void write_keyboard(char path[])
{
    const struct test_apk apk = {.package = "com.android.adbkeyboard",
                                 .version = "2.0",
                                 .code = 2,
                                 .keyboard = ".AdbIME"};
    struct buf zip = BUF_INIT(1U << 18U);
    int fd = mkstemp(path);

    test_apk_write(&apk, &zip);
    assert_int_equal(write(fd, zip.data, zip.length), zip.length);
    close(fd);
    buf_release(&zip);
}

static void the_keyboard_is_installed_from_a_file_when_it_is_needed(
    void **state)
{
    const struct phone_options options = {.seed = 1, .apps = folder};
    char path[] = "/tmp/proctor-keyboard.XXXXXX";
    struct test_phone phone;
    struct err err = ERR_INIT;

    (void)state;
    write_keyboard(path);
    test_phone_start(&phone, &options);
    actor_close(phone.actor);
    assert_true(actor_open(phone.device,
                           &(struct actor_options){.keyboard_apk = path}, SOON,
                           &phone.actor, &err));
    assert_true(type_anew(&phone, "plain", &err));
    assert_pad_holds(&phone, "plain");
    assert_string_equal(
        test_phone_run(&phone, "pm list packages | grep -c adbkeyboard"),
        "0\n");
    if (!type_anew(&phone, "价格", &err))
        fail_msg("%s", err.text);
    assert_pad_holds(&phone, "价格");
    unlink(path);
    test_phone_stop(&phone);
}

static void lost_phone_is_reported(void **state)
{
    const struct phone_options options = {
        .seed = 1, .faults = "drop:service=shell*input text,times=1"};
    struct test_phone phone;
    struct err err = ERR_INIT;
    char word[] = "word";
    const struct action action = {.kind = ACTION_TYPE, .text = word};

    (void)state;
    test_phone_start(&phone, &options);
    assert_false(actor_perform(phone.actor, &action,
                               (struct extent){1080, 2400}, SOON, &err));
    assert_int_equal(err.code, ERR_LOST);
    test_phone_reconnect(&phone);
    assert_true(actor_perform(phone.actor, &action, (struct extent){1080, 2400},
                              SOON, &err));
    test_phone_stop(&phone);
}

/* ---- the other kinds ---- */

static void every_kind_of_action_works(void **state)
{
    const struct phone_options options = {.seed = 1};
    char shop[] = "org.proctor.shop";
    struct test_phone phone;
    uint64_t looked;

    (void)state;
    test_phone_start(&phone, &options);
    test_phone_do(&phone,
                  &(struct action){.kind = ACTION_OPEN_APP, .text = shop});
    test_phone_see(&phone);
    assert_string_equal(phone.seen.package, "org.proctor.shop");
    looked = phone.seen.screen_hash;
    test_phone_do(&phone, &(struct action){.kind = ACTION_SCROLL,
                                           .direction = DIRECTION_DOWN});
    test_phone_see(&phone);
    assert_true(phone.seen.screen_hash != looked);
    test_phone_do(&phone, &(struct action){.kind = ACTION_SWIPE,
                                           .direction = DIRECTION_DOWN});
    test_phone_do(&phone, &(struct action){.kind = ACTION_SWIPE,
                                           .direction = DIRECTION_DOWN});
    test_phone_see(&phone);
    assert_true(phone.seen.screen_hash == looked);
    test_phone_do(&phone, &(struct action){.kind = ACTION_HOME});
    test_phone_see(&phone);
    assert_non_null(strstr(phone.seen.package, "launcher"));
    test_phone_do(&phone, &(struct action){.kind = ACTION_RECENTS});
    test_phone_see(&phone);
    assert_true(phone.seen.screen_hash != looked);
    test_phone_do(&phone, &(struct action){.kind = ACTION_BACK});
    test_phone_do(&phone, &(struct action){.kind = ACTION_LONG_PRESS,
                                           .has_from = true,
                                           .from = {540, 1100}});
    test_phone_do(&phone, &(struct action){.kind = ACTION_DOUBLE_TAP,
                                           .has_from = true,
                                           .from = {540, 1100}});
    test_phone_do(&phone, &(struct action){.kind = ACTION_DRAG,
                                           .has_from = true,
                                           .from = {540, 1100},
                                           .has_to = true,
                                           .to = {540, 900}});
    test_phone_stop(&phone);
}

static void enter_and_submit_press_the_enter_key(void **state)
{
    const struct phone_options options = {.seed = 1};
    struct test_phone phone;
    char word[] = "zzz";

    (void)state;
    test_phone_start(&phone, &options);
    test_phone_open(&phone, "Shop");
    test_phone_see(&phone);
    test_phone_tap(&phone, "Search products");
    test_phone_see(&phone);
    test_phone_do(
        &phone,
        &(struct action){.kind = ACTION_TYPE, .text = word, .submit = true});
    test_phone_see(&phone);
    assert_non_null(strstr(buf_cstr(&phone.seen.xml), "zzz"));
    assert_null(test_phone_find(&phone, "Search products"));
    test_phone_stop(&phone);
}

static void unknown_app_is_reported_to_the_agent(void **state)
{
    const struct phone_options options = {.seed = 1};
    struct test_phone phone;
    struct err err = ERR_INIT;
    char evil[] = "'; touch /sdcard/ran; '";

    (void)state;
    test_phone_start(&phone, &options);
    assert_false(actor_perform(
        phone.actor, &(struct action){.kind = ACTION_OPEN_APP, .text = evil},
        (struct extent){1080, 2400}, SOON, &err));
    assert_int_equal(err.code, ERR_INVALID);
    assert_string_equal(test_phone_run(&phone, "ls /sdcard | grep -c ran"),
                        "0\n");
    test_phone_stop(&phone);
}

static void waiting_moves_a_virtual_clock_and_takes_no_time(void **state)
{
    const struct phone_options options = {.seed = 1};
    struct test_phone phone;
    char before[64];
    int64_t began = clock_ns();

    (void)state;
    test_phone_start(&phone, &options);
    snprintf(before, sizeof(before), "%s", test_phone_run(&phone, "date +%s"));
    test_phone_do(&phone,
                  &(struct action){.kind = ACTION_WAIT, .milliseconds = 60000});
    assert_int_equal(strtol(test_phone_run(&phone, "date +%s"), NULL, 10),
                     strtol(before, NULL, 10) + 60);
    assert_true(clock_ns() - began < INT64_C(55000000000));
    test_phone_stop(&phone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_text_arrives_exactly_by_the_phones_own_keys),
        cmocka_unit_test(any_text_arrives_exactly_by_adb_keyboard),
        cmocka_unit_test(typing_appends_unless_it_replaces),
        cmocka_unit_test(field_is_cleared_with_either_keyboard),
        cmocka_unit_test(a_field_is_cleared_on_old_phones),
        cmocka_unit_test(ten_kilobytes_arrive_exactly),
        cmocka_unit_test(ten_kilobytes_arrive_by_keys_too),
        cmocka_unit_test(
            a_text_that_no_keyboard_types_is_refused_with_the_reason),
        cmocka_unit_test(users_keyboard_is_restored_by_close),
        cmocka_unit_test(
            the_keyboard_is_installed_from_a_file_when_it_is_needed),
        cmocka_unit_test(lost_phone_is_reported),
        cmocka_unit_test(every_kind_of_action_works),
        cmocka_unit_test(enter_and_submit_press_the_enter_key),
        cmocka_unit_test(unknown_app_is_reported_to_the_agent),
        cmocka_unit_test(waiting_moves_a_virtual_clock_and_takes_no_time),
    };

    return cmocka_run_group_tests_name("act", tests, make_folder,
                                       remove_folder);
}
