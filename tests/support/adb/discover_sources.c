#include "tests/support/adb/discover_sources.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "tests/support/adb/tcp_phone.h"

void discover_sources_init(struct discover_sources *sources)
{
    *sources = (struct discover_sources){.listing = BUF_INIT(4096),
                                         .features_of = BUF_INIT(4096),
                                         .announcement = BUF_INIT(4096)};
    sources->discover.known_hosts = &sources->known_hosts;
}

void discover_sources_release(struct discover_sources *sources)
{
    if (sources->network)
        mdns_peer_stop(sources->network);
    buf_release(&sources->announcement);
    if (sources->peer)
        fake_adb_server_stop(sources->peer);
    buf_release(&sources->listing);
    buf_release(&sources->features_of);
    known_hosts_release(&sources->known_hosts);
}

void discover_sources_add_server(struct discover_sources *sources,
                                 const char *text, const char *serial)
{
    buf_printf(&sources->listing, "OKAY%04zx%s", strlen(text), text);
    buf_printf(&sources->features_of, "host-serial:%s:features", serial);
    sources->answers[0] = (struct fake_adb_server_answer){
        .request = "host:devices-l",
        .bytes = sources->listing.data,
        .length = sources->listing.length,
    };
    sources->answers[1] = (struct fake_adb_server_answer)FAKE_ADB_SERVER_SAYS(
        sources->features_of.data, "OKAY0008shell_v2");
    sources->peer = fake_adb_server_start(sources->answers, 2);
    sources->server = fake_adb_server_address(sources->peer);
    sources->discover.server = &sources->server;
}

const char *discover_sources_add_known(struct discover_sources *sources,
                                       uint16_t port)
{
    char address[TCP_ADDRESS_MAX];

    tcp_format_address("127.0.0.1", port, address);
    sources->known_hosts.addresses[sources->known_hosts.count] =
        mem_dup(address);
    return sources->known_hosts.addresses[sources->known_hosts.count++];
}

void discover_sources_add_announced(struct discover_sources *sources,
                                    const char *name, uint16_t port)
{
    const struct mdns_peer_service service = {name, "phone.local", "127.0.0.1",
                                              port};

    mdns_peer_answer(&service, 1, &sources->announcement);
    sources->network = mdns_peer_start(&sources->announcement);
    sources->mdns.responder = mdns_peer_address(sources->network);
    sources->discover.mdns = &sources->mdns;
}

struct discover_entries discover_sources_list(
    const struct discover_sources *sources, struct deadline by)
{
    struct discover_entries entries = {0};
    struct err err = ERR_INIT;

    if (!discover_list(&sources->discover, by, &entries, &err))
        fail_msg("%s", err.text);
    return entries;
}
