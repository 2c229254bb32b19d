#include "adb/trust/pairing.h"

#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "adb/trust/pairing_cipher.h"
#include "adb/trust/pairing_frame.h"
#include "adb/trust/spake2.h"
#include "adb/trust/tls.h"
#include "base/clean_text.h"
#include "base/mem.h"

/* AOSP includes the NUL in the length of all three. */
#define EXPORT_LABEL "adb-label"
#define EXPORT_SIZE 64
static const char client_name[] = "adb pair client";
static const char server_name[] = "adb pair server";

/* Information about a peer: a kind, and zero-padded text. */
#define INFO_SIZE 8192

enum info_kind {
    INFO_PUBLIC_KEY = 0, /* identifies a computer */
    INFO_GUID = 1,       /* identifies a phone */
};

struct pairing_info {
    uint8_t kind;
    char text[INFO_SIZE - 1];
};

_Static_assert(sizeof(struct pairing_info) == INFO_SIZE,
               "as it is on the wire");

/* A pairing in progress. Contains secrets, which are erased at the end. */
struct pairing {
    struct transport *transport; /* owned */
    struct deadline by;
    struct pairing_cipher cipher;
    struct pairing_info own;
    struct pairing_info theirs;
    uint8_t sealed[INFO_SIZE + PAIRING_CIPHER_TAG_SIZE];
};

static bool send_frame(const struct pairing *pairing, enum pairing_kind kind,
                       const void *data, uint32_t length, struct err *err)
{
    const struct pairing_frame frame = {.kind = kind, .length = length};
    uint8_t header[PAIRING_FRAME_HEADER_SIZE];

    pairing_frame_encode(&frame, header);
    return transport_write_all(pairing->transport, header, sizeof(header),
                               pairing->by, err) &&
           transport_write_all(pairing->transport, data, length, pairing->by,
                               err);
}

static bool receive_frame(const struct pairing *pairing, enum pairing_kind kind,
                          void *data, uint32_t length, struct err *err)
{
    const struct pairing_frame due = {.kind = kind, .length = length};
    uint8_t header[PAIRING_FRAME_HEADER_SIZE];

    return transport_read_exact(pairing->transport, header, sizeof(header),
                                pairing->by, err) &&
           pairing_frame_expect(header, &due, err) &&
           transport_read_exact(pairing->transport, data, length, pairing->by,
                                err);
}

/* The password for SPAKE2: the code and a secret of the connection. */
static bool start_spake2(const struct pairing *pairing, enum spake2_role role,
                         const char *code, struct spake2 *spake2,
                         struct err *err)
{
    static const struct spake2_names names = {client_name, sizeof(client_name),
                                              server_name, sizeof(server_name)};
    uint8_t password[PAIRING_CODE_MAX + EXPORT_SIZE];
    size_t length = strlen(code);
    bool done;

    if (!length || length > PAIRING_CODE_MAX)
        return err_set(err, ERR_INVALID, "a code has 1 to %d characters",
                       PAIRING_CODE_MAX);
    memcpy(password, code, length);
    done =
        tls_export(pairing->transport, EXPORT_LABEL, sizeof(EXPORT_LABEL),
                   password + length, EXPORT_SIZE, err) &&
        spake2_init(spake2, role, &names, password, length + EXPORT_SIZE, err);
    sodium_memzero(password, sizeof(password));
    return done;
}

/* Derive a key. Whether the peer has the same one shows in the next message. */
static bool agree_on_key(struct pairing *pairing, enum spake2_role role,
                         const char *code, struct err *err)
{
    uint8_t theirs[SPAKE2_MESSAGE_SIZE];
    uint8_t secret[SPAKE2_KEY_SIZE];
    struct spake2 spake2;
    bool done;

    if (!start_spake2(pairing, role, code, &spake2, err))
        return false;
    done =
        send_frame(pairing, PAIRING_SPAKE2, spake2.message,
                   sizeof(spake2.message), err) &&
        receive_frame(pairing, PAIRING_SPAKE2, theirs, sizeof(theirs), err) &&
        spake2_finish(&spake2, theirs, secret, err) &&
        pairing_cipher_init(&pairing->cipher, secret, err);
    spake2_release(&spake2);
    sodium_memzero(secret, sizeof(secret));
    return done;
}

static bool send_info(struct pairing *pairing, struct err *err)
{
    return pairing_cipher_seal(&pairing->cipher, (const uint8_t *)&pairing->own,
                               INFO_SIZE, pairing->sealed, err) &&
           send_frame(pairing, PAIRING_PEER_INFO, pairing->sealed,
                      sizeof(pairing->sealed), err);
}

/* A peer that cannot decrypt our message disconnects, as AOSP does. */
static bool name_hang_up(struct err *err)
{
    if (err->code == ERR_CLOSED || err->code == ERR_LOST)
        err_set(err, ERR_UNAUTHORIZED,
                "wrong code, most likely: the peer closed the connection");
    return false;
}

static bool receive_info(struct pairing *pairing, struct err *err)
{
    return (receive_frame(pairing, PAIRING_PEER_INFO, pairing->sealed,
                          sizeof(pairing->sealed), err) &&
            pairing_cipher_open(&pairing->cipher, pairing->sealed, INFO_SIZE,
                                (uint8_t *)&pairing->theirs, err)) ||
           name_hang_up(err);
}

/* The text that the peer sent; NULL when it has another kind. */
static const char *their_text(struct pairing *pairing, enum info_kind due,
                              struct err *err)
{
    struct pairing_info *theirs = &pairing->theirs;

    if (theirs->kind != due) {
        err_set(err, ERR_PROTOCOL,
                "the peer sent information of kind %u instead of %u",
                theirs->kind, (unsigned)due);
        return NULL;
    }
    if (!memchr(theirs->text, '\0', sizeof(theirs->text))) {
        err_set(err, ERR_PROTOCOL, "the peer's information is not terminated");
        return NULL;
    }
    return theirs->text;
}

static struct pairing *new_pairing(struct deadline by, enum info_kind kind,
                                   const char *text)
{
    struct pairing *pairing = mem_new(1, sizeof(*pairing));

    pairing->by = by;
    pairing->own.kind = (uint8_t)kind;
    memcpy(pairing->own.text, text,
           strnlen(text, sizeof(pairing->own.text) - 1));
    return pairing;
}

static void pairing_close(struct pairing *pairing)
{
    transport_close(pairing->transport);
    sodium_memzero(pairing, sizeof(*pairing));
    free(pairing);
}

/* Add the operation to every failure. Always false. */
static bool fail(struct err *err)
{
    if (err->code == ERR_CLOSED)
        err->code = ERR_LOST;
    return err_wrap(err, "pairing");
}

static bool take_guid(struct pairing *pairing, char guid[PAIRING_GUID_SIZE],
                      struct err *err)
{
    const char *text = their_text(pairing, INFO_GUID, err);

    if (!text)
        return false;
    clean_text_copy(guid, PAIRING_GUID_SIZE, text, strlen(text));
    return true;
}

bool pairing_host(struct transport *transport, const char *code,
                  const struct keyring *keys, struct deadline by,
                  char guid[PAIRING_GUID_SIZE], struct err *err)
{
    struct buf line = BUF_INIT(KEY_PUBLIC_TEXT_MAX);
    struct pairing *pairing;
    bool done;

    if (!key_public_text(keys->keys[0], &line, err)) {
        transport_close(transport);
        return fail(err);
    }
    pairing = new_pairing(by, INFO_PUBLIC_KEY, buf_cstr(&line));
    buf_release(&line);
    done = tls_connect(transport, keys, by, &pairing->transport, err) &&
           agree_on_key(pairing, SPAKE2_ALICE, code, err) &&
           (send_info(pairing, err) || name_hang_up(err)) &&
           receive_info(pairing, err) && take_guid(pairing, guid, err) &&
           tls_drain(pairing->transport, by, err);
    pairing_close(pairing);
    return done || fail(err);
}

static bool store_line(struct pairing *pairing, pairing_store_fn *store,
                       void *context, struct err *err)
{
    const char *text = their_text(pairing, INFO_PUBLIC_KEY, err);
    struct key *key;

    if (!text)
        return false;
    if (strlen(text) >= KEY_PUBLIC_TEXT_MAX)
        return err_set(err, ERR_LIMIT, "the computer's name is too long");
    if (!key_parse_public(text, strlen(text), &key, err)) {
        err->code = ERR_PROTOCOL;
        return err_wrap(err, "the computer's key");
    }
    key_close(key);
    store(context, text);
    return true;
}

bool pairing_device(struct transport *transport, const char *code,
                    const struct key *own, const char *guid, struct deadline by,
                    pairing_store_fn *store, void *context, struct err *err)
{
    struct pairing *pairing = new_pairing(by, INFO_GUID, guid);
    bool done = tls_accept(transport, NULL, 0, own, NULL, by,
                           &pairing->transport, err) &&
                agree_on_key(pairing, SPAKE2_BOB, code, err) &&
                receive_info(pairing, err) &&
                store_line(pairing, store, context, err) &&
                send_info(pairing, err) &&
                tls_drain(pairing->transport, by, err);

    pairing_close(pairing);
    return done || fail(err);
}
