/* ip, ifconfig, netstat and ping, on the phone's simulated network. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/phone/system/handset.h"
#include "tools/phone/toybox/cmd.h"

#define OWN "10.0.2.16"
#define GATEWAY "10.0.2.2"
#define MAC "02:15:b2:00:00:00"

#define PING_EVERY_MS 1000

static struct handset *handset_of(struct command_call *call)
{
    return call->context;
}

static bool is_online(struct command_call *call)
{
    struct buf on = BUF_INIT(STRING_MAP_VALUE_MAX);
    bool is;

    (void)!settings_get(&handset_of(call)->settings, SETTINGS_GLOBAL, "wifi_on",
                        &on);
    is = !strcmp(buf_cstr(&on), "1");
    buf_release(&on);
    return is;
}

/* ---- ip ---- */

static void print_loopback(struct command_call *call, bool addresses)
{
    call_print(call, "1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue "
                     "state UNKNOWN group default qlen 1000\n"
                     "    link/loopback 00:00:00:00:00:00 brd "
                     "00:00:00:00:00:00\n");
    if (addresses)
        call_print(call, "    inet 127.0.0.1/8 scope host lo\n"
                         "       valid_lft forever preferred_lft forever\n"
                         "    inet6 ::1/128 scope host \n"
                         "       valid_lft forever preferred_lft forever\n");
}

static void print_wlan(struct command_call *call, bool addresses)
{
    bool online = is_online(call);

    call_print(call,
               "2: wlan0: <BROADCAST,MULTICAST%s> mtu 1500 qdisc mq state %s "
               "group default qlen 1000\n"
               "    link/ether " MAC " brd ff:ff:ff:ff:ff:ff\n",
               online ? ",UP,LOWER_UP" : "", online ? "UP" : "DOWN");
    if (addresses && online)
        call_print(call,
                   "    inet " OWN "/24 brd 10.0.2.255 scope global wlan0\n"
                   "       valid_lft forever preferred_lft forever\n");
}

static int print_links(struct command_call *call, const char *device,
                       bool addresses)
{
    if (device && strcmp(device, "lo") != 0 && strcmp(device, "wlan0") != 0) {
        call_error(call, "Device \"%.100s\" does not exist.\n", device);
        return 1;
    }
    if (!device || !strcmp(device, "lo"))
        print_loopback(call, addresses);
    if (!device || !strcmp(device, "wlan0"))
        print_wlan(call, addresses);
    return 0;
}

static int print_routes(struct command_call *call, const char *to)
{
    if (!is_online(call))
        return 0;
    if (to)
        call_print(call,
                   "%s via " GATEWAY " dev wlan0 src " OWN " uid 2000 \n"
                   "    cache \n",
                   to);
    else
        call_print(call,
                   "10.0.2.0/24 dev wlan0 proto kernel scope link src " OWN
                   " \n");
    return 0;
}

/* Is word an abbreviation of name, as "a" is of "address"? */
static bool shortens(const char *word, const char *name)
{
    return *word && !strncmp(name, word, strlen(word));
}

static int run_ip(struct command_call *call)
{
    const char *object = NULL;
    const char *last = NULL; /* the device, or the destination of a route */

    for (size_t i = 1; i < call->argc; i++) {
        const char *word = call->argv[i];

        if (!strcmp(word, "-f") || !strcmp(word, "-family"))
            i++;
        else if (word[0] == '-')
            continue;
        else if (!object)
            object = word;
        else if (strcmp(word, "show") && strcmp(word, "list") &&
                 strcmp(word, "get") && strcmp(word, "dev") &&
                 strcmp(word, "table") && strcmp(word, "all") &&
                 strcmp(word, "up"))
            last = word;
    }
    if (object && shortens(object, "address"))
        return print_links(call, last, true);
    if (object && shortens(object, "link"))
        return print_links(call, last, false);
    if (object && shortens(object, "route"))
        return print_routes(call, last && strchr(last, '.') ? last : NULL);
    if (object && (shortens(object, "rule") || shortens(object, "neighbour")))
        return 0;
    if (object)
        call_error(call, "Object \"%.50s\" is unknown, try \"ip help\".\n",
                   object);
    else
        call_error(call, "Usage: ip [ OPTIONS ] OBJECT { COMMAND | help }\n");
    return object ? 1 : 255;
}

/* ---- ifconfig ---- */

static void print_counters(struct command_call *call)
{
    call_print(call,
               "          RX packets:0 errors:0 dropped:0 overruns:0 frame:0 \n"
               "          TX packets:0 errors:0 dropped:0 overruns:0 "
               "carrier:0 \n"
               "          collisions:0 txqueuelen:1000 \n"
               "          RX bytes:0 TX bytes:0 \n\n");
}

static int run_ifconfig(struct command_call *call)
{
    const char *name = NULL;
    bool online = is_online(call);

    for (size_t i = 1; i < call->argc; i++) {
        if (call->argv[i][0] != '-')
            name = call->argv[i];
    }
    if (name && strcmp(name, "lo") != 0 && strcmp(name, "wlan0") != 0)
        return call_fail(call, "%.100s: No such device", name);
    if (!name || !strcmp(name, "wlan0")) {
        call_print(call, "wlan0     Link encap:Ethernet  HWaddr " MAC
                         "  Driver virtio_net\n");
        if (online)
            call_print(call, "          inet addr:" OWN
                             "  Bcast:10.0.2.255  Mask:255.255.255.0 \n");
        call_print(call,
                   "          %sBROADCAST %sMULTICAST  MTU:1500  "
                   "Metric:1\n",
                   online ? "UP " : "", online ? "RUNNING " : "");
        print_counters(call);
    }
    if (!name || !strcmp(name, "lo")) {
        call_print(call, "lo        Link encap:Local Loopback  \n"
                         "          inet addr:127.0.0.1  Mask:255.0.0.0 \n"
                         "          UP LOOPBACK RUNNING  MTU:65536  "
                         "Metric:1\n");
        print_counters(call);
    }
    return 0;
}

/* ---- netstat ---- */

static int run_netstat(struct command_call *call)
{
    struct command_options options;
    int status;

    if (!call_options(call, "Waelnprtuwx", &options, &status))
        return status;
    if (options.given['r']) {
        call_print(call, "Kernel IP routing table\n"
                         "Destination     Gateway         Genmask         "
                         "Flags   MSS Window  irtt Iface\n");
        if (is_online(call))
            call_print(call, "10.0.2.0        0.0.0.0         255.255.255.0   "
                             "U         0 0          0 wlan0\n");
    } else {
        call_print(call,
                   "Active Internet connections (%s)\n"
                   "Proto Recv-Q Send-Q Local Address          "
                   "Foreign Address        State\n",
                   options.given['a']   ? "established and servers"
                   : options.given['l'] ? "only servers"
                                        : "w/o servers");
        if (options.given['a'] || options.given['l'])
            call_print(call, "tcp        0      0 0.0.0.0:5555           "
                             "0.0.0.0:*              LISTEN\n");
    }
    call_options_release(&options);
    return 0;
}

/* ---- ping ---- */

enum ping_target {
    PING_ANSWERS,
    PING_SILENT,
    PING_UNKNOWN, /* no name can be resolved */
};

static enum ping_target target_of(struct command_call *call, const char *host)
{
    if (!strncmp(host, "127.", 4) || !strcmp(host, "localhost") ||
        !strcmp(host, "::1"))
        return PING_ANSWERS;
    if (host[strspn(host, "0123456789.")])
        return PING_UNKNOWN;
    return is_online(call) && !strncmp(host, "10.0.2.", 7) ? PING_ANSWERS
                                                           : PING_SILENT;
}

/* Count times, or endlessly, once per second. */
static int ping(struct command_call *call, const char *host, bool answers,
                long long count, long long size)
{
    const char *address = !strcmp(host, "localhost") ? "127.0.0.1" : host;
    long long sent = 0;

    call_print(call, "PING %s (%s) %lld(%lld) bytes of data.\n", host, address,
               size, size + 28);
    while (sent != count && call_step(call)) {
        if (answers)
            call_print(call,
                       "%lld bytes from %s: icmp_seq=%lld ttl=64 time=0.060 "
                       "ms\n",
                       size + 8, address, sent + 1);
        sent++;
        if (sent == count)
            break;
        if (count >= 0)
            call_pass(call, &handset_of(call)->clock, PHONE_SECOND);
        else if (!call_wait(call, deadline_in_ms(PING_EVERY_MS)))
            break;
    }
    call_print(call,
               "\n--- %s ping statistics ---\n"
               "%lld packets transmitted, %lld received, %d%% packet loss, "
               "time %lldms\n",
               host, sent, answers ? sent : 0, answers ? 0 : 100,
               sent ? (sent - 1) * 1000 : 0);
    if (answers)
        call_print(call, "rtt min/avg/max/mdev = 0.060/0.060/0.060/0.000 ms\n");
    return answers ? 0 : 1;
}

static int run_ping(struct command_call *call)
{
    struct command_options options;
    enum ping_target target;
    long long count = -1;
    long long size = 56;
    int status;

    if (!call_options(call, "46I:W:c:fi:nqs:t:w:", &options, &status))
        return status;
    if (options.count != 1) {
        call_error(call, "ping: usage error: Destination address required\n");
        status = 1;
    } else if ((options.values['c'] && !call_number(call, options.values['c'],
                                                    1, INT32_MAX, &count)) ||
               (options.values['s'] &&
                !call_number(call, options.values['s'], 0, 65507, &size))) {
        status = 1;
    } else {
        const char *host = options.operands[0];

        target = target_of(call, host);
        if (target == PING_UNKNOWN) {
            call_error(call, "ping: unknown host %.100s\n", host);
            status = 2;
        } else {
            status = ping(call, host, target == PING_ANSWERS, count, size);
        }
    }
    call_options_release(&options);
    return status;
}

static const struct phone_command commands[] = {
    {"ifconfig", run_ifconfig, "[-a] [INTERFACE]"},
    {"ip", run_ip, "[-4] address|link|route [show] [DEVICE]"},
    {"netstat", run_netstat, "[-alnprtuwx]"},
    {"ping", run_ping, "[-c COUNT] [-s SIZE] HOST"},
};

const struct command_set ip_commands = {commands, ARRAY_LEN(commands)};
