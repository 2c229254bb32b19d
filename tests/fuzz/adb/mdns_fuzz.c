/* Untrusted answers to mDNS questions for phones. */
#include <string.h>

#include "adb/discover/dns.h"
#include "adb/discover/mdns.h"
#include "tests/fuzz/fuzz.h"

static void read_records(const uint8_t *data, size_t size)
{
    struct dns_message message;
    struct dns_record record;
    struct err err;

    if (!dns_open(&message, data, size, &err))
        return;
    while (message.left && dns_next(&message, &record, &err)) {
        fuzz_expect(strlen(record.name) < DNS_NAME_SIZE);
        fuzz_expect(strlen(record.target) < DNS_NAME_SIZE);
        fuzz_expect(message.at <= size);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct mdns_answers answers;
    struct mdns_services services;

    read_records(data, size);
    answers = (struct mdns_answers){.host_count = 0};
    mdns_take(&answers, data, size);
    mdns_take(&answers, data, size);
    mdns_join(&answers, &services);
    for (size_t i = 0; i < services.count; i++) {
        fuzz_expect(services.items[i].port && services.items[i].host[0]);
        fuzz_expect(services.items[i].kind < MDNS_KIND_COUNT);
    }
    return 0;
}
