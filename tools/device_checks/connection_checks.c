/* The route to the phone, the negotiated features, and the latency. */
#include <stdlib.h>

#include "adb/discover/discover.h"
#include "base/macros.h"
#include "tools/device_checks/device_check.h"

#define ROUND_TRIPS 20

/* The negotiated features of a direct connection. */
static void say_direct(struct device_check_context *test,
                       const struct conn *conn)
{
    struct discover_address address;
    const char *route =
        discover_parse_serial(device_serial(test->device), NULL, &address)
            ? "TCP"
            : "USB";

    check_results_add_fact(test->check_results, "route", route);
    device_check_say(test, "%s, version 0x%08x, payloads of %zu KiB, %s", route,
                     (unsigned)conn_version(conn), conn_max_payload(conn) / KIB,
                     device_has(test->device, FEATURE_DELAYED_ACK)
                         ? "delayed acknowledgement"
                         : "each acknowledged");
}

static bool check_greeting(struct device_check_context *test, struct err *err)
{
    const struct server_client *server = device_server(test->device);
    unsigned version;

    if (!server) {
        say_direct(test, device_conn(test->device));
        return true;
    }
    if (!server_client_version(server, test->by, &version, err))
        return false;
    check_results_add_fact(test->check_results, "route", "adb server");
    device_check_say(test, "through an adb server, version %u", version);
    return true;
}

static bool check_features(struct device_check_context *test, struct err *err)
{
    struct buf present = BUF_INIT(CHECK_RESULT_TEXT_MAX);
    struct buf missing = BUF_INIT(CHECK_RESULT_TEXT_MAX);
    int count = 0;

    (void)err;
    for (int i = 0; i < FEATURE_COUNT; i++) {
        bool there = device_has(test->device, (enum feature)i);
        struct buf *names = there ? &present : &missing;

        count += there;
        buf_printf(names, "%s%s", names->length ? ", " : "",
                   feature_name((enum feature)i));
    }
    check_results_add_fact(test->check_results, "features", buf_cstr(&present));
    if (missing.length)
        device_check_say(test, "%d of %d; missing are %s", count, FEATURE_COUNT,
                         buf_cstr(&missing));
    else
        device_check_say(test, "all %d that proctor knows", FEATURE_COUNT);
    buf_release(&present);
    buf_release(&missing);
    return true;
}

static int compare_times(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left;
    int64_t b = *(const int64_t *)right;

    return (a > b) - (a < b);
}

static bool check_latency(struct device_check_context *test, struct err *err)
{
    int64_t times[ROUND_TRIPS];
    int64_t median;

    for (size_t i = 0; i < ROUND_TRIPS; i++) {
        struct shell_result result;

        times[i] = clock_ns();
        if (!shell_run(test->device, "echo", KIB, test->by, &result, err))
            return false;
        times[i] = clock_ns() - times[i];
        shell_result_release(&result);
    }
    qsort(times, ROUND_TRIPS, sizeof(*times), compare_times);
    median = times[ROUND_TRIPS / 2];
    device_check_say(test, "median of %d: %.2f ms (%.2f to %.2f)", ROUND_TRIPS,
                     (double)median / 1e6, (double)times[0] / 1e6,
                     (double)times[ROUND_TRIPS - 1] / 1e6);
    return true;
}

static const struct device_check checks[] = {
    {"greeting", check_greeting, true},
    {"features", check_features, true},
    {"latency", check_latency, true},
};

const struct device_check_group connection_checks = {"Connection", checks,
                                                     ARRAY_LEN(checks)};
