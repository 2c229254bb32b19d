#include "adb/trust/auth.h"

#include <string.h>

#include <openssl/rand.h>

/*
 * After this many unknown keys a host is disconnected; AOSP's tries each of its
 * keys once.
 */
#define REJECTED_MAX 64

const struct keyring *auth_keys(const struct auth_credentials *credentials)
{
    const struct keyring *keys = credentials ? credentials->keys : NULL;

    if (!keys && credentials && credentials->lazy)
        keys = lazy_keyring_get(credentials->lazy);
    return keys && keys->count ? keys : NULL;
}

bool auth_fail_without_keys(const struct auth_credentials *credentials,
                            struct err *err)
{
    const char *why = "";

    if (credentials && credentials->lazy)
        why = lazy_keyring_first_problem(credentials->lazy);
    return err_set(err, ERR_UNAUTHORIZED, "there is no key to show%s%s",
                   *why ? ": " : "", why);
}

static bool sign_with_next_key(struct auth_host *host,
                               const struct keyring *keys,
                               const uint8_t token[KEY_TOKEN_SIZE],
                               struct packet *reply, struct buf *payload,
                               struct err *err)
{
    uint8_t signature[KEY_SIGNATURE_SIZE];

    if (!key_sign(keys->keys[host->tried++], token, signature, err))
        return false;
    reply->arg0 = AUTH_SIGNED;
    buf_append(payload, signature, sizeof(signature));
    return true;
}

static bool offer_public_key(struct auth_host *host, const struct key *key,
                             struct packet *reply, struct buf *payload,
                             struct err *err)
{
    const struct auth_credentials *credentials = host->credentials;

    if (!key_public_text(key, payload, err))
        return false;
    buf_byte(payload, '\0');
    reply->arg0 = AUTH_PUBLIC_KEY;
    host->offered = true;
    if (credentials->waiting)
        credentials->waiting(credentials->context);
    return true;
}

bool auth_answer(struct auth_host *host, const struct packet *packet,
                 const char *data, struct packet *reply, struct buf *payload,
                 struct err *err)
{
    const struct auth_credentials *credentials = host->credentials;
    const struct keyring *keys;

    if (packet->arg0 != AUTH_TOKEN || packet->length != KEY_TOKEN_SIZE)
        return err_set(err, ERR_PROTOCOL,
                       "the device asks for a signature of %u bytes, kind %u",
                       packet->length, packet->arg0);
    keys = auth_keys(credentials);
    if (!keys) {
        auth_fail_without_keys(credentials, err);
        return err_wrap(err, "the device asks for a key");
    }
    *reply = (struct packet){.command = PACKET_AUTH};
    if (host->tried < keys->count)
        return sign_with_next_key(host, keys, (const uint8_t *)data, reply,
                                  payload, err);
    if (credentials->never_ask)
        return err_set(
            err, ERR_UNAUTHORIZED,
            "the device does not know the keys of this computer: connect "
            "to it, and accept the prompt on its screen");
    if (!host->offered)
        return offer_public_key(host, keys->keys[0], reply, payload, err);
    return true;
}

bool auth_challenge(struct auth_device *device, struct err *err)
{
    return RAND_bytes(device->token, sizeof(device->token)) == 1 ||
           err_set(err, ERR_IO, "no random numbers are available");
}

const struct keyring *auth_known(const struct auth_policy *policy,
                                 struct keyring *room)
{
    *room = (struct keyring)KEYRING_INIT;
    if (policy->known)
        return policy->known;
    if (policy->look)
        policy->look(policy->context, room);
    return room;
}

static bool signed_by_known_key(const struct auth_device *device,
                                const char *signature, size_t length)
{
    struct keyring room;
    const struct keyring *known = auth_known(device->policy, &room);
    bool found = false;

    for (size_t i = 0; !found && i < known->count; i++)
        found = key_verifies(known->keys[i], device->token, signature, length);
    keyring_release(&room);
    return found;
}

/* The host sent its public key: the phone's owner decides. */
static bool ask_owner(const struct auth_device *device, const char *data,
                      size_t length, struct err *err)
{
    const struct auth_policy *policy = device->policy;
    struct buf line = BUF_INIT(KEY_PUBLIC_TEXT_MAX);
    struct key *key = NULL;
    bool accepted;

    if (!key_parse_public(data, length, &key, err)) {
        err->code = ERR_PROTOCOL;
        return err_wrap(err, "the computer's key");
    }
    buf_append(&line, data, strnlen(data, length));
    accepted = !line.overflow && policy->ask &&
               policy->ask(policy->context, buf_cstr(&line));
    key_close(key);
    buf_release(&line);
    return accepted ||
           err_set(err, ERR_UNAUTHORIZED, "the computer was not accepted");
}

bool auth_check(struct auth_device *device, const struct packet *packet,
                const char *data, bool *trusted, struct err *err)
{
    switch (packet->arg0) {
    case AUTH_SIGNED:
        *trusted = signed_by_known_key(device, data, packet->length);
        if (!*trusted && ++device->rejected >= REJECTED_MAX)
            return err_set(err, ERR_UNAUTHORIZED,
                           "the computer tried %d unknown keys", REJECTED_MAX);
        return true;
    case AUTH_PUBLIC_KEY:
        *trusted = ask_owner(device, data, packet->length, err);
        return *trusted;
    default:
        return err_set(err, ERR_PROTOCOL, "the computer sent AUTH of kind %u",
                       packet->arg0);
    }
}
