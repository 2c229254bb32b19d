#include "tests/support/wary_phone.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "adb/pairing.h"
#include "adb/tcp.h"
#include "tests/support/loop_device.h"
#include "tests/support/test_key.h"

#define SOON deadline_in_ms(60000)

static void trust(struct wary_phone *phone, const char *line)
{
    struct err err = ERR_INIT;

    assert_true(phone->known.count < KEYRING_MAX);
    if (!key_parse_public(line, strlen(line),
                          &phone->known.keys[phone->known.count], &err))
        fail_msg("%s", err.text);
    phone->known.count++;
}

static bool ask_owner(void *context, const char *line)
{
    struct wary_phone *phone = context;

    phone->asked++;
    if (phone->owner_accepts)
        trust(phone, line);
    return phone->owner_accepts;
}

void wary_phone_init(struct wary_phone *phone, enum auth_demand demand)
{
    struct err err = ERR_INIT;

    *phone = (struct wary_phone){.known = KEYRING_INIT};
    if (!test_key_read("phone", &phone->own, &err))
        fail_msg("%s", err.text);
    phone->gate = (struct auth_gate){
        .demand = demand,
        .own = phone->own,
        .known = &phone->known,
        .ask = ask_owner,
        .context = phone,
    };
}

void wary_phone_release(struct wary_phone *phone)
{
    keyring_release(&phone->known);
    key_close(phone->own);
}

void wary_phone_pair(int fd, void *context)
{
    struct wary_phone *phone = context;
    struct buf line = BUF_INIT(KEY_PUBLIC_TEXT_MAX);
    struct transport *transport;

    phone->pairing = (struct err)ERR_INIT;
    if (tcp_wrap(fd, (struct tcp_keepalive){0}, NULL, &transport,
                 &phone->pairing) &&
        pairing_device(transport, WARY_PHONE_CODE, phone->own, WARY_PHONE_GUID,
                       SOON, &line, &phone->pairing))
        trust(phone, buf_cstr(&line));
    buf_release(&line);
}

/* Without shell_v2 in its banner, a device is asked for "shell:...". */
void wary_phone_serve(int fd, void *context)
{
    static const struct loop_answer answers[] = {
        LOOP_SAYS("shell:who", "loop"),
    };
    struct wary_phone *phone = context;
    const struct loop_device_options options = {
        .answers = answers, .answer_count = 1, .gate = &phone->gate};
    struct loop_device *device = loop_device_serve(&options, fd);

    loop_device_wait(device);
    loop_device_stop(device);
}
