#include "adb/discover/new_phone.h"

#include "adb/discover/known_hosts.h"

#define PATH_LIMIT 4096

/* How long a port that does not pair may take to say what it is. */
#define ANSWER_MS 4000

bool new_phone_remember(const char *address, struct err *err)
{
    struct buf path = BUF_INIT(PATH_LIMIT);
    bool done = known_hosts_path(&path, err) &&
                known_hosts_add(buf_cstr(&path), address, err);

    buf_release(&path);
    return done;
}

/* Add advice for a phone that does not answer. Always false. */
static bool advise(struct err *err)
{
    struct err why = *err;

    if (why.code != ERR_UNREACHABLE)
        return false;
    return err_set(err, why.code,
                   "%.180s; check that the phone is on this network and "
                   "listens for ADB there",
                   why.text);
}

bool new_phone_connect(const struct discover *discover, const char *address,
                       struct deadline by, char remembered[TCP_ADDRESS_MAX],
                       struct err *err)
{
    const struct device_options options = {.credentials = discover->credentials,
                                           .cancel = discover->cancel,
                                           .log = discover->log};
    char host[TCP_HOST_MAX];
    struct device *device = NULL;
    uint16_t port;

    if (!tcp_parse_address(address, NEW_PHONE_PORT, host, &port, err))
        return false;
    if (!device_open_tcp(host, port, &options, by, &device, err))
        return advise(err);
    device_close(device);
    tcp_format_address(host, port, remembered);
    return new_phone_remember(remembered, err);
}

/* Does a phone answer there as it does to a host that connects? */
static bool is_connect_port(const struct discover *discover, const char *host,
                            uint16_t port, struct deadline by)
{
    const struct auth_credentials none = {.never_ask = true};
    const struct device_options options = {
        .credentials = &none, .cancel = discover->cancel, .log = discover->log};
    struct device *device = NULL;
    struct err err;
    bool opened = device_open_tcp(host, port, &options, by, &device, &err);

    if (opened)
        device_close(device);
    return opened || err.code == ERR_UNAUTHORIZED;
}

/*
 * A port that does not take part in pairing at all may be the phone's other
 * one, whose address is shown more prominently. Always false.
 */
static bool explain_failure(const struct discover *discover, const char *host,
                            uint16_t port, struct deadline by, struct err *err)
{
    if (err->code == ERR_UNAUTHORIZED || err->code == ERR_INVALID ||
        err->code == ERR_CANCELLED ||
        !is_connect_port(discover, host, port, by))
        return false;
    return err_set(err, ERR_INVALID,
                   "port %u is the one to connect to, not to pair with: give "
                   "the address that the phone shows next to the code "
                   "(Wireless debugging, Pair device with pairing code)",
                   (unsigned)port);
}

bool new_phone_pair(const struct discover *discover, const char *host,
                    uint16_t port, const char *code, struct deadline by,
                    char guid[PAIRING_GUID_SIZE], struct err *err)
{
    const struct keyring *keys = auth_keys(discover->credentials);
    struct transport *transport;

    if (!keys)
        return auth_fail_without_keys(discover->credentials, err);
    if (!tcp_open(host, port, (struct tcp_keepalive){0}, discover->cancel, by,
                  &transport, err))
        return false;
    return pairing_host(transport, code, keys, by, guid, err) ||
           explain_failure(discover, host, port, deadline_in_ms(ANSWER_MS),
                           err);
}

bool new_phone_find(const struct discover *discover, const char *guid,
                    struct deadline by, char address[TCP_ADDRESS_MAX],
                    struct err *err)
{
    struct mdns_service service;

    if (!mdns_find(discover->mdns, MDNS_SECURE, guid, by, &service, err))
        return false;
    tcp_format_address(service.host, service.port, address);
    return true;
}
