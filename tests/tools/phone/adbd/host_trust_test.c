/* Which computers the phone trusts, and how its user is asked. */
#include "tools/phone/adbd/host_trust.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "adb/device/device.h"
#include "adb/services/shell.h"
#include "adb/transport/tcp.h"
#include "adb/trust/pairing.h"
#include "tests/support/adb/test_key.h"
#include "tools/phone/phone.h"

#define SOON deadline_in_ms(60000)

/* Two computers, and the line of the first one's key. */
static struct keyring mine;
static struct keyring other;
static struct buf my_line = BUF_INIT(KEY_PUBLIC_TEXT_MAX);

static int make_keys(void **state)
{
    struct err err;

    (void)state;
    mine.count = 1;
    other.count = 1;
    return !(test_key_read("mine", &mine.keys[0], &err) &&
             test_key_read("other", &other.keys[0], &err) &&
             key_public_text(mine.keys[0], &my_line, &err));
}

static int drop_keys(void **state)
{
    (void)state;
    keyring_release(&mine);
    keyring_release(&other);
    buf_release(&my_line);
    return 0;
}

static struct phone *start(const struct phone_options *options)
{
    struct phone *phone = NULL;
    struct err err = ERR_INIT;

    if (!phone_start(options, &phone, &err))
        fail_msg("%s", err.text);
    return phone;
}

/* NULL if the phone refuses us. never_ask: also do not ask its user. */
static struct device *connect_with(const struct phone *phone,
                                   const struct keyring *keys, bool never_ask)
{
    const struct auth_credentials credentials = {.keys = keys,
                                                 .never_ask = never_ask};
    const struct device_options options = {.credentials = &credentials};
    struct device *device = NULL;
    struct err err = ERR_INIT;

    (void)!device_open_tcp("127.0.0.1", phone_port(phone), &options, SOON,
                           &device, &err);
    return device;
}

static bool comes_in(const struct phone *phone, const struct keyring *keys,
                     bool never_ask)
{
    struct device *device = connect_with(phone, keys, never_ask);

    device_close(device);
    return device;
}

static void run(struct device *device, const char *command, struct buf *out)
{
    struct err err = ERR_INIT;

    buf_clear(out);
    if (!shell_exec(device, command, SOON, out, &err))
        fail_msg("%s", err.text);
}

/* ---- keys ---- */

static void a_key_that_was_accepted_is_remembered(void **state)
{
    const struct phone_options options = {.trust = PHONE_ACCEPTS};
    struct phone *phone = start(&options);
    struct buf out = BUF_INIT(8192);
    struct device *device;

    (void)state;
    assert_false(comes_in(phone, &mine, true));
    assert_true(comes_in(phone, &mine, false));
    device = connect_with(phone, &mine, true);
    assert_non_null(device);
    run(device, "cat " TRUST_FILE, &out);
    assert_true(out.length == my_line.length + 1);
    assert_memory_equal(out.data, my_line.data, my_line.length);
    run(device, "echo x >> " TRUST_FILE " || echo no", &out);
    assert_non_null(strstr(buf_cstr(&out), "no\n"));
    device_close(device);
    buf_release(&out);
    phone_stop(phone);
}

static void keys_can_be_trusted_from_the_start(void **state)
{
    const struct phone_options options = {.trust = PHONE_REFUSES,
                                          .known = buf_cstr(&my_line)};
    struct phone *phone = start(&options);

    (void)state;
    assert_true(comes_in(phone, &mine, false));
    assert_false(comes_in(phone, &other, false));
    phone_stop(phone);
}

static int64_t no_time(void *context)
{
    (void)context;
    return 0;
}

/* Consent is for one computer only. */
static void only_the_first_line_of_a_key_is_stored(void **state)
{
    struct phone_files *files = files_new(
        &(struct files_limits){0}, (struct phone_time_source){no_time, NULL});
    struct buf lines = BUF_INIT(4096);
    struct host_trust *trust;
    struct keyring known = KEYRING_INIT;
    struct err err;
    int number;

    (void)state;
    assert_true(
        files_make_directory(files, "/data/misc/adb", 0777, true, &number));
    trust = trust_open(files, PHONE_ACCEPTS);
    buf_printf(&lines, "%s\n", buf_cstr(&my_line));
    assert_true(key_public_text(other.keys[0], &lines, &err));
    assert_true(trust_ask(trust, buf_cstr(&lines)));
    trust_look(trust, &known);
    assert_int_equal(known.count, 1);
    keyring_release(&known);
    trust_close(trust);
    files_free(files);
    buf_release(&lines);
}

/* ---- the prompt ---- */

/* A computer that connects while another client observes the screen. */
struct caller {
    const struct phone *phone;
    pthread_t thread;
    bool let_in;
};

static void *call(void *context)
{
    struct caller *caller = context;

    caller->let_in = comes_in(caller->phone, &other, false);
    return NULL;
}

/* Wait until the screen's tree holds this text. */
static void await_text(struct device *device, const char *text, struct buf *xml)
{
    struct deadline by = SOON;

    do {
        run(device, "uiautomator dump /dev/tty", xml);
        assert_false(deadline_passed(by));
    } while (!strstr(buf_cstr(xml), text));
}

/* Tap in the middle of the node with this id. */
static void tap(struct device *device, const struct buf *xml, const char *id)
{
    const char *bounds = strstr(buf_cstr(xml), id);
    struct buf out = BUF_INIT(256);
    long box[4]; /* "[left,top][right,bottom]" */
    char command[64];

    assert_non_null(bounds);
    bounds = strstr(bounds, "bounds=\"");
    assert_non_null(bounds);
    for (size_t i = 0; i < ARRAY_LEN(box); i++) {
        bounds += strcspn(bounds, "0123456789");
        box[i] = strtol(bounds, (char **)&bounds, 10);
    }
    snprintf(command, sizeof(command), "input tap %ld %ld",
             (box[0] + box[2]) / 2, (box[1] + box[3]) / 2);
    run(device, command, &out);
    buf_release(&out);
}

/* Does the phone accept another computer, if these are tapped? */
static bool let_in_by_taps(const struct phone *phone, const char *title,
                           const char *const ids[])
{
    struct device *device = connect_with(phone, &mine, true);
    struct caller caller = {.phone = phone};
    struct buf xml = BUF_INIT(1 << 20);

    assert_non_null(device);
    assert_int_equal(pthread_create(&caller.thread, NULL, call, &caller), 0);
    await_text(device, title, &xml);
    for (size_t i = 0; ids[i]; i++) {
        await_text(device, ids[i], &xml);
        tap(device, &xml, ids[i]);
    }
    pthread_join(caller.thread, NULL);
    buf_release(&xml);
    device_close(device);
    return caller.let_in;
}

static void unknown_key_shows_a_dialog(void **state)
{
    static const char *const cancel[] = {"android:id/button2", NULL};
    static const char *const allow[] = {"android:id/button1", NULL};
    static const char *const always[] = {":id/alwaysUse", "android:id/button1",
                                         NULL};
    const struct phone_options options = {.trust = PHONE_ASKS,
                                          .known = buf_cstr(&my_line)};
    struct phone *phone = start(&options);

    (void)state;
    assert_false(let_in_by_taps(phone, "Allow USB debugging?", cancel));
    assert_true(let_in_by_taps(phone, "Allow USB debugging?", allow));
    assert_false(comes_in(phone, &other, true));
    assert_true(let_in_by_taps(phone, "Allow USB debugging?", always));
    assert_true(comes_in(phone, &other, true));
    phone_stop(phone);
}

static void dialog_is_in_the_phones_language(void **state)
{
    static const char *const allow[] = {"android:id/button1", NULL};
    const struct phone_options options = {
        .trust = PHONE_ASKS, .locale = LOCALE_ZH, .known = buf_cstr(&my_line)};
    struct phone *phone = start(&options);

    (void)state;
    assert_true(let_in_by_taps(phone, "允许 USB 调试吗？", allow));
    phone_stop(phone);
}

static void stopping_phone_ends_waiting_prompts(void **state)
{
    const struct phone_options options = {.trust = PHONE_ASKS,
                                          .known = buf_cstr(&my_line)};
    struct phone *phone = start(&options);
    struct device *device = connect_with(phone, &mine, true);
    struct caller caller = {.phone = phone};
    struct buf xml = BUF_INIT(1 << 20);

    (void)state;
    assert_non_null(device);
    assert_int_equal(pthread_create(&caller.thread, NULL, call, &caller), 0);
    await_text(device, "Allow USB debugging?", &xml);
    buf_release(&xml);
    device_close(device);
    phone_stop(phone);
    pthread_join(caller.thread, NULL);
    assert_false(caller.let_in);
}

/* ---- wireless debugging ---- */

static bool pair(const struct phone *phone, const char *code,
                 const struct keyring *keys)
{
    char guid[PAIRING_GUID_SIZE];
    struct transport *transport = NULL;
    struct err err = ERR_INIT;

    if (!tcp_open("127.0.0.1", phone_pairing_port(phone),
                  (struct tcp_keepalive){0}, NULL, SOON, &transport, &err))
        fail_msg("%s", err.text);
    if (!pairing_host(transport, code, keys, SOON, guid, &err)) {
        assert_int_equal(err.code, ERR_UNAUTHORIZED);
        return false;
    }
    assert_ptr_equal(strstr(guid, "adb-PROCTOR0001-"), guid);
    return true;
}

static void paired_computers_connect_over_tls(void **state)
{
    const struct phone_options options = {.seed = 4, .pairs = true};
    struct phone *phone = start(&options);
    struct buf out = BUF_INIT(256);
    struct device *device;

    (void)state;
    assert_int_equal(strlen(phone_pairing_code(phone)), 6);
    assert_false(comes_in(phone, &mine, false));
    assert_false(pair(phone, "000000", &mine));
    assert_false(comes_in(phone, &mine, false));
    assert_true(pair(phone, phone_pairing_code(phone), &mine));
    device = connect_with(phone, &mine, false);
    assert_non_null(device);
    run(device, "echo over TLS", &out);
    assert_string_equal(buf_cstr(&out), "over TLS\n");
    assert_false(comes_in(phone, &other, false));
    device_close(device);
    buf_release(&out);
    phone_stop(phone);
}

static void wrong_pairing_codes_are_limited(void **state)
{
    const struct phone_options options = {.pairs = true, .code = "123456"};
    struct phone *phone = start(&options);
    char guid[PAIRING_GUID_SIZE];
    struct transport *transport = NULL;
    struct err err = ERR_INIT;

    (void)state;
    for (unsigned i = 0; i < 20; i++)
        assert_false(pair(phone, "654321", &mine));
    assert_true(tcp_open("127.0.0.1", phone_pairing_port(phone),
                         (struct tcp_keepalive){0}, NULL, SOON, &transport,
                         &err));
    assert_false(pairing_host(transport, "123456", &mine, SOON, guid, &err));
    phone_stop(phone);
}

static void pairing_code_depends_on_the_seed(void **state)
{
    const struct phone_options options = {.seed = 4, .pairs = true};
    const struct phone_options given = {.pairs = true, .code = "123456"};
    struct phone *phones[] = {start(&options), start(&options), start(&given)};

    (void)state;
    assert_string_equal(phone_pairing_code(phones[0]),
                        phone_pairing_code(phones[1]));
    assert_string_equal(phone_pairing_code(phones[2]), "123456");
    for (size_t i = 0; i < ARRAY_LEN(phones); i++)
        phone_stop(phones[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_that_was_accepted_is_remembered),
        cmocka_unit_test(keys_can_be_trusted_from_the_start),
        cmocka_unit_test(only_the_first_line_of_a_key_is_stored),
        cmocka_unit_test(unknown_key_shows_a_dialog),
        cmocka_unit_test(dialog_is_in_the_phones_language),
        cmocka_unit_test(stopping_phone_ends_waiting_prompts),
        cmocka_unit_test(paired_computers_connect_over_tls),
        cmocka_unit_test(wrong_pairing_codes_are_limited),
        cmocka_unit_test(pairing_code_depends_on_the_seed),
    };

    return cmocka_run_group_tests(tests, make_keys, drop_keys);
}
