#include "adb/connection/handshake.h"

#include <string.h>

#include "adb/trust/tls.h"
#include "adb/wire/packet.h"

/* Both sides send this version before TLS starts. */
#define STLS_VERSION 0x01000000U

/* A packet of the handshake, which is always small. */
struct handshake_message {
    struct packet packet;
    char data[PACKET_MAX_PAYLOAD_V1];
};

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t our_version(const struct conn_options *options)
{
    return options->version ? options->version : PACKET_VERSION_SKIP_CHECKSUM;
}

/*
 * The size that we announce, and so the most that either side may send. AOSP's
 * adb disconnects on larger packets.
 */
static uint32_t wanted_payload(const struct conn_options *options)
{
    return options->max_payload ? options->max_payload : PACKET_WANTED_PAYLOAD;
}

static bool send_packet(struct transport *transport, struct packet packet,
                        const struct buf *payload, struct deadline by,
                        struct err *err)
{
    struct buf bytes = BUF_INIT(PACKET_HEADER_SIZE + PACKET_MAX_PAYLOAD_V1);
    uint8_t header[PACKET_HEADER_SIZE];
    bool sent;

    packet.length = (uint32_t)payload->length;
    /* The peer's version is not known yet, so the checksum is sent. */
    packet.check = packet_checksum(payload->data, payload->length);
    packet_encode(&packet, header);
    buf_append(&bytes, header, sizeof(header));
    buf_append(&bytes, payload->data, payload->length);
    sent = transport_write_all(transport, bytes.data, bytes.length, by, err);
    buf_release(&bytes);
    return sent;
}

static bool send_empty(struct transport *transport, struct packet packet,
                       struct deadline by, struct err *err)
{
    const struct buf nothing = BUF_INIT(0);

    return send_packet(transport, packet, &nothing, by, err);
}

static bool receive_packet(struct transport *transport, struct deadline by,
                           struct handshake_message *message, struct err *err)
{
    uint8_t header[PACKET_HEADER_SIZE];
    struct packet *packet = &message->packet;

    return transport_read_exact(transport, header, sizeof(header), by, err) &&
           packet_decode(header, sizeof(message->data), packet, err) &&
           transport_read_exact(transport, message->data, packet->length, by,
                                err);
}

static bool out_of_turn(uint32_t command, struct err *err)
{
    return err_set(err, ERR_PROTOCOL,
                   "the peer sent an unexpected %s during the handshake",
                   packet_command_name(command));
}

/* ---- CNXN ---- */

static bool send_greeting(struct transport *transport,
                          const struct conn_options *options,
                          struct deadline by, struct err *err)
{
    struct buf banner = BUF_INIT(PACKET_MAX_PAYLOAD_V1);
    bool sent;

    banner_format(&options->banner, &banner);
    sent = send_packet(transport,
                       (struct packet){.command = PACKET_CNXN,
                                       .arg0 = our_version(options),
                                       .arg1 = wanted_payload(options)},
                       &banner, by, err);
    buf_release(&banner);
    return sent;
}

static bool has_right_sum(const struct handshake_message *message)
{
    return message->packet.check ==
           packet_checksum(message->data, message->packet.length);
}

static bool take_greeting(const struct handshake_message *message,
                          const struct conn_options *options,
                          struct handshake *agreed, struct err *err)
{
    const struct packet *packet = &message->packet;
    struct banner peer;

    if (!has_right_sum(message) && packet->arg0 < PACKET_VERSION_SKIP_CHECKSUM)
        return err_set(err, ERR_PROTOCOL,
                       "the peer's CNXN packet has a wrong checksum");
    if (packet->arg0 < PACKET_VERSION_MIN || packet->arg1 == 0)
        return err_set(err, ERR_PROTOCOL,
                       "the peer announced version 0x%08x and payloads of %u "
                       "bytes, which is not valid ADB",
                       packet->arg0, packet->arg1);
    if (!banner_parse(message->data, packet->length, &peer, err))
        return false;
    agreed->peer = peer;
    agreed->version = smaller(packet->arg0, our_version(options));
    agreed->max_payload = smaller(packet->arg1, wanted_payload(options));
    agreed->stls_due = false;
    return true;
}

/* ---- the host ---- */

/* Give the phone's owner time from when the prompt appears. */
static struct deadline owner_deadline(
    const struct auth_credentials *credentials, struct deadline by)
{
    by = deadline_later(by, deadline_in_ms(credentials->timeout_ms));
    if (credentials->limit.at_ns)
        by = deadline_sooner(by, credentials->limit);
    return by;
}

static bool answer_auth(struct transport *transport, struct auth_host *auth,
                        const struct handshake_message *message,
                        struct deadline *by, struct err *err)
{
    struct buf payload = BUF_INIT(PACKET_MAX_PAYLOAD_V1);
    struct packet reply;
    bool offered = auth->offered;
    bool done = auth_answer(auth, &message->packet, message->data, &reply,
                            &payload, err);

    if (done && payload.length)
        done = send_packet(transport, reply, &payload, *by, err);
    if (done && auth->offered && !offered)
        *by = owner_deadline(auth->credentials, *by);
    buf_release(&payload);
    return done;
}

static bool begin_tls(struct transport **transport,
                      const struct conn_options *options, struct deadline by,
                      struct err *err)
{
    const struct keyring *keys = auth_keys(options->credentials);
    struct transport *plain = *transport;

    if (!keys) {
        auth_fail_without_keys(options->credentials, err);
        return err_wrap(err, "the device wants TLS");
    }
    if (!send_empty(
            plain,
            (struct packet){.command = PACKET_STLS, .arg0 = STLS_VERSION}, by,
            err))
        return false;
    *transport = NULL;
    return tls_connect(plain, keys, by, transport, err);
}

/* Answer the device until it sends CNXN. */
static bool greet_device(struct transport **transport,
                         const struct conn_options *options, struct deadline by,
                         struct handshake *agreed, struct err *err)
{
    struct auth_host auth = {.credentials = options->credentials};
    struct deadline answer_by = by;
    struct handshake_message message;
    bool encrypted = false;

    if (options->answer_by.at_ns)
        answer_by = deadline_sooner(by, options->answer_by);
    if (!send_greeting(*transport, options, answer_by, err))
        return false;
    for (bool answered = false;; answered = true) {
        if (!receive_packet(*transport, answered ? by : answer_by, &message,
                            err)) {
            if (auth.offered && err->code == ERR_TIMEOUT)
                err_set(err, ERR_UNAUTHORIZED,
                        "the prompt on the phone was not accepted in time");
            return false;
        }
        if (message.packet.command == PACKET_CNXN)
            return take_greeting(&message, options, agreed, err);
        if (message.packet.command == PACKET_AUTH) {
            if (!answer_auth(*transport, &auth, &message, &by, err))
                return false;
        } else if (message.packet.command == PACKET_STLS && !encrypted) {
            if (!begin_tls(transport, options, by, err))
                return false;
            encrypted = true;
        } else {
            return out_of_turn(message.packet.command, err);
        }
    }
}

/* ---- the device ---- */

static bool send_challenge(struct transport *transport,
                           struct auth_device *auth, struct deadline by,
                           struct err *err)
{
    struct buf token = BUF_INIT(KEY_TOKEN_SIZE);
    bool sent = auth_challenge(auth, err);

    buf_append(&token, auth->token, sizeof(auth->token));
    sent = sent && send_packet(transport,
                               (struct packet){.command = PACKET_AUTH,
                                               .arg0 = AUTH_TOKEN},
                               &token, by, err);
    buf_release(&token);
    return sent;
}

static bool demand_signature(struct transport *transport,
                             const struct auth_policy *policy,
                             struct deadline by, struct err *err)
{
    struct auth_device auth = {.policy = policy};
    struct handshake_message message;
    bool trusted = false;

    while (!trusted) {
        if (!send_challenge(transport, &auth, by, err) ||
            !receive_packet(transport, by, &message, err))
            return false;
        if (message.packet.command != PACKET_AUTH)
            return out_of_turn(message.packet.command, err);
        /*
         * The host does not know our version yet, so it sends the checksum;
         * some hosts send 0.
         */
        if (message.packet.check && !has_right_sum(&message))
            return err_set(err, ERR_PROTOCOL,
                           "the computer's AUTH packet has a wrong checksum");
        if (!auth_check(&auth, &message.packet, message.data, &trusted, err))
            return false;
    }
    return true;
}

/*
 * AOSP's adb answers STLS in one thread and starts TLS in another, so either
 * may come first; a late answer is then inside TLS.
 */
static bool demand_tls(struct transport **transport,
                       const struct auth_policy *policy, struct deadline by,
                       struct handshake *agreed, struct err *err)
{
    struct transport *plain = *transport;
    uint8_t header[PACKET_HEADER_SIZE];
    struct packet answer;
    bool begun;

    if (!send_empty(
            plain,
            (struct packet){.command = PACKET_STLS, .arg0 = STLS_VERSION}, by,
            err) ||
        !transport_read_exact(plain, header, sizeof(header), by, err))
        return false;
    begun = tls_has_begun(header, sizeof(header));
    if (!begun && !packet_decode(header, 0, &answer, err))
        return false;
    if (!begun && answer.command != PACKET_STLS)
        return out_of_turn(answer.command, err);
    agreed->stls_due = begun;
    *transport = NULL;
    return tls_accept(plain, header, begun ? sizeof(header) : 0, policy->own,
                      policy, by, transport, err);
}

static bool let_in(struct transport **transport,
                   const struct auth_policy *policy, struct deadline by,
                   struct handshake *agreed, struct err *err)
{
    switch (policy ? policy->demand : AUTH_NOTHING) {
    case AUTH_NOTHING:
        return true;
    case AUTH_SIGNATURE:
        return demand_signature(*transport, policy, by, err);
    case AUTH_TLS:
        return demand_tls(transport, policy, by, agreed, err);
    }
    return false;
}

static bool greet_host(struct transport **transport,
                       const struct conn_options *options, struct deadline by,
                       struct handshake *agreed, struct err *err)
{
    struct handshake_message message;

    if (!receive_packet(*transport, by, &message, err))
        return false;
    if (message.packet.command != PACKET_CNXN)
        return out_of_turn(message.packet.command, err);
    return take_greeting(&message, options, agreed, err) &&
           let_in(transport, options->policy, by, agreed, err) &&
           send_greeting(*transport, options, by, err);
}

bool handshake_run(struct transport **transport,
                   const struct conn_options *options, struct deadline by,
                   struct handshake *agreed, struct err *err)
{
    bool done = options->role == CONN_HOST
                    ? greet_device(transport, options, by, agreed, err)
                    : greet_host(transport, options, by, agreed, err);

    if (!done && err->code == ERR_CLOSED)
        err->code = ERR_LOST;
    return done || err_wrap(err, "handshake");
}
