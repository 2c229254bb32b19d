#include "tests/support/adb/auth_phone.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "adb/transport/tcp.h"
#include "adb/trust/pairing.h"
#include "base/macros.h"
#include "tests/support/adb/loopback_device.h"
#include "tests/support/adb/test_key.h"

#define SOON deadline_in_ms(60000)

static void trust(struct auth_phone *phone, const char *line)
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
    struct auth_phone *phone = context;

    phone->asked++;
    if (phone->owner_accepts)
        trust(phone, line);
    return phone->owner_accepts;
}

void auth_phone_init(struct auth_phone *phone, enum auth_demand demand)
{
    struct err err = ERR_INIT;

    *phone = (struct auth_phone){.known = KEYRING_INIT};
    if (!test_key_read("phone", &phone->own, &err))
        fail_msg("%s", err.text);
    phone->policy = (struct auth_policy){
        .demand = demand,
        .own = phone->own,
        .known = &phone->known,
        .ask = ask_owner,
        .context = phone,
    };
}

void auth_phone_release(struct auth_phone *phone)
{
    keyring_release(&phone->known);
    key_close(phone->own);
}

static void store_key(void *context, const char *line)
{
    trust(context, line);
}

void auth_phone_pair(int fd, void *context)
{
    struct auth_phone *phone = context;
    struct transport *transport;

    phone->pairing = (struct err)ERR_INIT;
    (void)!(tcp_wrap(fd, (struct tcp_keepalive){0}, NULL, &transport,
                     &phone->pairing) &&
            pairing_device(transport, AUTH_PHONE_CODE, phone->own,
                           AUTH_PHONE_GUID, SOON, store_key, phone,
                           &phone->pairing));
}

/* Without shell_v2 in its banner it is asked for "shell:who", by proctor with
 * the status behind the output. */
void auth_phone_serve(int fd, void *context)
{
    static const struct loopback_answer answers[] = {
        LOOPBACK_SAYS("shell:who", "loop"),
        LOOPBACK_SAYS("shell:( who\n); echo __proctor_status:$?",
                      "loop__proctor_status:0\n"),
    };
    struct auth_phone *phone = context;
    const struct loopback_device_options options = {.answers = answers,
                                                    .answer_count =
                                                        ARRAY_LEN(answers),
                                                    .policy = &phone->policy};
    struct loopback_device *device = loopback_device_serve(&options, fd);

    loopback_device_wait(device);
    loopback_device_stop(device);
}
