#include "adb/pairing.h"

#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "adb/pairing_cipher.h"
#include "adb/pairing_frame.h"
#include "adb/spake2.h"
#include "adb/tls.h"
#include "base/mem.h"
#include "base/text.h"

/* AOSP counts the NUL in all three. */
#define EXPORT_LABEL "adb-label"
#define EXPORT_SIZE 64
static const char client_name[] = "adb pair client";
static const char server_name[] = "adb pair server";

/* What is said about oneself: a kind, and text with zeros behind it. */
#define INFO_SIZE 8192

enum info_kind {
    INFO_PUBLIC_KEY = 0, /* what a computer is known by */
    INFO_GUID = 1,       /* what a phone is known by */
};

struct info {
    uint8_t kind;
    char text[INFO_SIZE - 1];
};

_Static_assert(sizeof(struct info) == INFO_SIZE, "as it is on the wire");

/* One pairing under way. Holds secrets: wiped when it ends. */
struct pairing {
    struct transport *transport; /* owned */
    struct deadline by;
    struct pairing_cipher cipher;
    struct info own;
    struct info theirs;
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

/* The code and the connection's own secret, as one password for SPAKE2. */
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

/* Come to a common key; whether it is common shows what comes next. */
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

static bool swap_info(struct pairing *pairing, struct err *err)
{
    struct pairing_cipher *cipher = &pairing->cipher;

    return pairing_cipher_seal(cipher, (const uint8_t *)&pairing->own,
                               INFO_SIZE, pairing->sealed, err) &&
           send_frame(pairing, PAIRING_PEER_INFO, pairing->sealed,
                      sizeof(pairing->sealed), err) &&
           receive_frame(pairing, PAIRING_PEER_INFO, pairing->sealed,
                         sizeof(pairing->sealed), err) &&
           pairing_cipher_open(cipher, pairing->sealed, INFO_SIZE,
                               (uint8_t *)&pairing->theirs, err);
}

/* A peer that cannot read what it got hangs up, as AOSP does. */
static bool exchange_info(struct pairing *pairing, struct err *err)
{
    if (swap_info(pairing, err))
        return tls_drain(pairing->transport, pairing->by, err);
    if (err->code == ERR_CLOSED || err->code == ERR_LOST)
        err_set(err, ERR_UNAUTHORIZED,
                "wrong code, most likely: the peer hung up");
    return false;
}

/* The text the peer gave of itself; NULL when it is of another kind. */
static const char *their_text(struct pairing *pairing, enum info_kind due,
                              struct err *err)
{
    struct info *theirs = &pairing->theirs;

    if (theirs->kind != due) {
        err_set(err, ERR_PROTOCOL,
                "the peer said something of kind %u of itself where %u is due",
                theirs->kind, (unsigned)due);
        return NULL;
    }
    if (!memchr(theirs->text, '\0', sizeof(theirs->text))) {
        err_set(err, ERR_PROTOCOL, "what the peer said of itself has no end");
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

/* Whichever way it failed, say what was being done. Always false. */
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
    text_copy_clean(guid, PAIRING_GUID_SIZE, text, strlen(text));
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
           exchange_info(pairing, err) && take_guid(pairing, guid, err);
    pairing_close(pairing);
    return done || fail(err);
}

static bool take_line(struct pairing *pairing, struct buf *line,
                      struct err *err)
{
    const char *text = their_text(pairing, INFO_PUBLIC_KEY, err);
    struct key *key;

    if (!text)
        return false;
    if (!key_parse_public(text, strlen(text), &key, err)) {
        err->code = ERR_PROTOCOL;
        return err_wrap(err, "the computer's key");
    }
    key_close(key);
    buf_text(line, text);
    return !line->overflow ||
           err_set(err, ERR_LIMIT, "the computer's name is too long");
}

bool pairing_device(struct transport *transport, const char *code,
                    const struct key *own, const char *guid, struct deadline by,
                    struct buf *line, struct err *err)
{
    struct pairing *pairing = new_pairing(by, INFO_GUID, guid);
    bool done = tls_accept(transport, NULL, 0, own, NULL, by,
                           &pairing->transport, err) &&
                agree_on_key(pairing, SPAKE2_BOB, code, err) &&
                exchange_info(pairing, err) && take_line(pairing, line, err);

    pairing_close(pairing);
    return done || fail(err);
}
