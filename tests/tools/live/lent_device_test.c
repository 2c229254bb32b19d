/* A device that its owner lends to others, and takes back. */
#include "tools/live/lent_device.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "adb/services/shell.h"
#include "base/deadline.h"
#include "tools/phone/phone.h"

struct lent_fixture {
    struct phone *phone;
    struct device *device; /* of the owner */
    struct lent_device lent;
};

static struct deadline soon(void)
{
    return deadline_in_ms(60000);
}

static void set_up(struct lent_fixture *fixture)
{
    struct err err;

    if (!phone_start(&(struct phone_options){.realtime = true}, &fixture->phone,
                     &err) ||
        !device_open_tcp("127.0.0.1", phone_port(fixture->phone), NULL, soon(),
                         &fixture->device, &err))
        fail_msg("%s", err.text);
    lent_device_init(&fixture->lent, "it is not lent");
}

static void tear_down(struct lent_fixture *fixture)
{
    lent_device_release(&fixture->lent);
    device_close(fixture->device);
    phone_stop(fixture->phone);
}

static void it_can_be_used_while_it_is_lent(void **state)
{
    struct lent_fixture fixture;
    struct device *used;
    struct shell_result result;
    struct err err;

    (void)state;
    set_up(&fixture);
    assert_false(lent_device_open(&fixture.lent, &used, &err));
    assert_int_equal(err.code, ERR_BUSY);
    assert_non_null(strstr(err.text, "it is not lent"));
    lent_device_give(&fixture.lent, fixture.device);
    assert_true(lent_device_open(&fixture.lent, &used, &err));
    assert_true(shell_run(used, "echo hi", 100, soon(), &result, &err));
    assert_string_equal(buf_cstr(&result.out), "hi\n");
    shell_result_release(&result);
    lent_device_withdraw(&fixture.lent);
    assert_false(shell_run(used, "echo hi", 100, soon(), &result, &err));
    assert_int_equal(err.code, ERR_LOST);
    device_close(used);
    tear_down(&fixture);
}

/* Reads without an end. */
static void *read_forever(void *context)
{
    struct stream *stream = context;
    struct err *why = NULL;
    static struct err err;
    char byte;
    size_t got;

    if (!stream_read(stream, &byte, 1, DEADLINE_NEVER, &got, &err))
        why = &err;
    stream_close(stream);
    return why;
}

static void taking_it_back_ends_what_others_wait_for(void **state)
{
    struct lent_fixture fixture;
    struct device *used;
    struct stream *stream;
    pthread_t reader;
    struct err err;
    void *why;

    (void)state;
    set_up(&fixture);
    lent_device_give(&fixture.lent, fixture.device);
    assert_true(lent_device_open(&fixture.lent, &used, &err));
    assert_true(
        device_open_service(used, "shell:sleep 1000", soon(), &stream, &err));
    assert_int_equal(pthread_create(&reader, NULL, read_forever, stream), 0);
    lent_device_withdraw(&fixture.lent);
    pthread_join(reader, &why);
    assert_non_null(why);
    assert_int_equal(((struct err *)why)->code, ERR_CANCELLED);
    device_close(used);
    tear_down(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_can_be_used_while_it_is_lent),
        cmocka_unit_test(taking_it_back_ends_what_others_wait_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
