#include "adb/server/guarded_service.h"

#include <stdio.h>
#include <string.h>

#include "adb/transport/tcp.h"
#include "base/macros.h"

enum service_group {
    GROUP_REBOOT,
    GROUP_RESTART,
    GROUP_REMOUNT,
    GROUP_DEBUG,
};

static const struct {
    const char *name;
    bool exact; /* otherwise the start of a service */
    enum service_group group;
    const char *answer; /* as adbd words it; NULL: the service is refused */
} services[] = {
    {"reboot:", false, GROUP_REBOOT, ""},
    {"root:", true, GROUP_RESTART,
     "adbd cannot run as root in production builds\n"},
    {"unroot:", true, GROUP_RESTART, "adbd not running as root\n"},
    {"usb:", true, GROUP_RESTART, "restarting in USB mode\n"},
    {"reconnect", true, GROUP_RESTART, "done"},
    {"remount:", false, GROUP_REMOUNT,
     "Not running as root. Try \"adb root\" first.\n"},
    {"disable-verity:", false, GROUP_REMOUNT,
     "verity cannot be disabled/enabled - USER build\n"},
    {"enable-verity:", false, GROUP_REMOUNT,
     "verity cannot be disabled/enabled - USER build\n"},
    {"jdwp", true, GROUP_DEBUG, NULL},
    {"jdwp:", false, GROUP_DEBUG, NULL},
    {"track-jdwp", true, GROUP_DEBUG, NULL},
    {"track-app", true, GROUP_DEBUG, NULL},
};

static bool is_allowed(const struct adb_server_policy *policy,
                       enum service_group group)
{
    switch (group) {
    case GROUP_REBOOT:
        return policy->reboot;
    case GROUP_RESTART:
        return policy->restart_adbd;
    case GROUP_REMOUNT:
        return policy->remount;
    case GROUP_DEBUG:
        return policy->debug;
    }
    return false;
}

static struct stream *stream_over_text(const char *text)
{
    return stream_over_bytes(text, strlen(text));
}

static struct stream *answer_tcpip(const char *port_text)
{
    char text[64];
    uint16_t port;

    if (!tcp_parse_port(port_text, &port))
        return stream_over_text("invalid port\n");
    snprintf(text, sizeof(text), "restarting in TCP mode port: %u\n",
             (unsigned)port);
    return stream_over_text(text);
}

bool guarded_service_answer(const struct adb_server_policy *policy,
                            const char *service, struct stream **stream)
{
    static const char tcpip[] = "tcpip:";

    if (!policy->restart_adbd && !strncmp(service, tcpip, strlen(tcpip))) {
        *stream = answer_tcpip(service + strlen(tcpip));
        return true;
    }
    for (size_t i = 0; i < ARRAY_LEN(services); i++) {
        size_t length = strlen(services[i].name);

        if (strncmp(service, services[i].name, length) != 0 ||
            (services[i].exact && service[length]) ||
            is_allowed(policy, services[i].group))
            continue;
        *stream =
            services[i].answer ? stream_over_text(services[i].answer) : NULL;
        return true;
    }
    return false;
}
