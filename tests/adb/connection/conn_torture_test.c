/*
 * Sessions over a wire that breaks, stalls or flips a bit at each byte in turn,
 * in each direction. Each call must end in time with the right kind of error,
 * or with a correct result. PROCTOR_FULL=1 flips each bit of each byte instead
 * of one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "adb/device/device.h"
#include "adb/services/shell.h"
#include "adb/sync/sync.h"
#include "adb/transport/tcp.h"
#include "base/file.h"
#include "base/macros.h"
#include "base/mem.h"
#include "tests/support/adb/canned_services.h"
#include "tests/support/adb/fault_proxy.h"
#include "tests/support/adb/torture.h"

#define CONTENT "all that is in the file\n"

/* The folder of a worker. */
struct place {
    char folder[64];
    char source[80];
    char target[80];
};

/* The actions of a session after connecting. */
typedef bool session_fn(struct device *device, const struct place *place,
                        struct deadline by, struct err *err);

static bool just_connect(struct device *device, const struct place *place,
                         struct deadline by, struct err *err)
{
    (void)device;
    (void)place;
    (void)by;
    (void)err;
    return true;
}

/* A wrong result; no call fails with ERR_NONE. */
static bool wrong(struct err *err, const char *what)
{
    return err_set(err, ERR_NONE, "%s is wrong", what);
}

static bool run_command(struct device *device, const struct place *place,
                        struct deadline by, struct err *err)
{
    struct shell_result result;
    bool right;

    (void)place;
    if (!shell_run(device, CANNED_COMMAND, 4096, by, &result, err))
        return false;
    right = !strcmp(buf_cstr(&result.out), CANNED_OUT) &&
            !strcmp(buf_cstr(&result.errors), CANNED_ERRORS) &&
            result.status == CANNED_STATUS;
    shell_result_release(&result);
    return right || wrong(err, "what the command printed");
}

static bool push(struct device *device, const struct place *place,
                 struct deadline by, struct err *err)
{
    struct sync_totals totals;
    struct sync *sync;
    bool done;

    if (!sync_open(device, &(struct sync_options){0}, by, &sync, err))
        return false;
    done = sync_push(sync, place->source, CANNED_PATH, by, &totals, err);
    sync_close(sync);
    return done;
}

static bool pull(struct device *device, const struct place *place,
                 struct deadline by, struct err *err)
{
    struct buf content = BUF_INIT(4096);
    struct sync_totals totals;
    struct sync *sync;
    bool done;

    unlink(place->target);
    if (!sync_open(device, &(struct sync_options){0}, by, &sync, err))
        return false;
    done = sync_pull(sync, CANNED_PATH, place->target, by, &totals, err);
    sync_close(sync);
    if (!done && !access(place->target, F_OK))
        return err_set(err, ERR_IO, "half a file looks whole");
    if (!done)
        return false;
    done =
        file_load(place->target, &content, err) &&
        (!strcmp(buf_cstr(&content), CONTENT) || wrong(err, "what was pulled"));
    buf_release(&content);
    return done;
}

struct session {
    const char *name;
    session_fn *run;
    bool pushes;
};

static const struct session sessions[] = {
    {"connect", just_connect, false},
    {"shell", run_command, false},
    {"push", push, true},
    {"pull", pull, false},
};

/* One session with one fault. */
struct trial {
    const struct session *session;
    struct wire_fault wire_fault;
    uint32_t version; /* version of the device; below SKIP_CHECKSUM every
                         flipped bit is detected */
    int64_t timeout_ms;
};

struct torture_outcome {
    bool done;
    bool right; /* the device's content is right, too */
    struct err err;
    int64_t took_ms;
    size_t passed[WIRE_FAULT_WAYS];
};

/* Few bytes, so that sessions are short. */
static feature_set features_of(uint32_t version)
{
    return FEATURE_BIT(FEATURE_SHELL_V2) |
           (version < PACKET_VERSION_SKIP_CHECKSUM
                ? 0
                : FEATURE_BIT(FEATURE_DELAYED_ACK));
}

static bool connect_and_run(const struct trial *trial, int fd,
                            const struct place *place, struct err *err)
{
    const struct conn_options options = {
        .role = CONN_HOST,
        .banner = {.state = "host",
                   .features = features_of(PACKET_VERSION_SKIP_CHECKSUM)},
    };
    struct deadline by = deadline_in_ms(trial->timeout_ms);
    struct transport *transport;
    struct device *device;
    struct conn *conn;
    bool done;

    if (!tcp_wrap(fd, (struct tcp_keepalive){0}, NULL, &transport, err) ||
        !conn_open(transport, &options, by, &conn, err))
        return false;
    device = device_over_conn(conn, "torture");
    done = trial->session->run(device, place, by, err);
    device_close(device);
    return done;
}

static bool run_trial(const struct trial *trial, const struct place *place,
                      struct torture_outcome *outcome)
{
    struct canned_file file = {.content = BUF_INIT(4096)};
    struct loopback_answer services[CANNED_SERVICES];
    struct loopback_device_options options = {
        .version = trial->version,
        .features = features_of(trial->version),
        .answers = services,
        .answer_count = CANNED_SERVICES,
    };
    struct loopback_device *device;
    struct fault_proxy *proxy;
    int host_end;
    int device_end;
    int64_t start = clock_ns();

    proxy = fault_proxy_start(trial->wire_fault, &host_end, &device_end);
    if (!proxy)
        return false;
    buf_text(&file.content, CONTENT);
    canned_services(&file, services);
    device = loopback_device_serve(&options, device_end);
    outcome->err = (struct err)ERR_INIT;
    outcome->done = connect_and_run(trial, host_end, place, &outcome->err);
    outcome->took_ms = (clock_ns() - start) / 1000000;
    fault_proxy_stop(proxy, outcome->passed);
    loopback_device_stop(device);
    outcome->right =
        !trial->session->pushes ||
        (file.received && !strcmp(buf_cstr(&file.content), CONTENT));
    buf_release(&file.content);
    return true;
}

/* Is this an allowed failure of the trial's call? */
static bool may_fail_with(const struct trial *trial, enum err_code code)
{
    static const enum err_code garbled[] = {
        ERR_TIMEOUT,   ERR_LOST,   ERR_PROTOCOL,    ERR_CLOSED,  ERR_REFUSED,
        ERR_NOT_FOUND, ERR_REMOTE, ERR_UNSUPPORTED, ERR_INVALID,
    };

    if (trial->wire_fault.kind == WIRE_FAULT_BREAK)
        return code == ERR_LOST;
    if (trial->wire_fault.kind == WIRE_FAULT_STALL)
        return code == ERR_TIMEOUT;
    for (size_t i = 0; i < ARRAY_LEN(garbled); i++) {
        if (code == garbled[i])
            return trial->wire_fault.kind == WIRE_FAULT_CORRUPT;
    }
    return false;
}

/* May the result be wrong, because no checksum covers it? */
static bool may_be_untrue(const struct trial *trial)
{
    return trial->wire_fault.kind == WIRE_FAULT_CORRUPT &&
           trial->version >= PACKET_VERSION_SKIP_CHECKSUM;
}

static bool is_good(const struct trial *trial,
                    const struct torture_outcome *outcome)
{
    if (outcome->took_ms > trial->timeout_ms + TORTURE_SLACK_MS)
        return false;
    if (outcome->done)
        return outcome->right || may_be_untrue(trial);
    if (outcome->err.code == ERR_NONE)
        return may_be_untrue(trial);
    return may_fail_with(trial, outcome->err.code);
}

static void complain(const struct trial *trial,
                     const struct torture_outcome *outcome)
{
    static const char *const kinds[] = {"nothing", "break", "stall", "flip"};
    static const char *const ways[] = {"to the device", "to the host"};

    fprintf(stderr,
            "%s, %s at byte %zu bit %u %s, version 0x%08x: %s (%s) "
            "after %lld ms\n",
            trial->session->name, kinds[trial->wire_fault.kind],
            trial->wire_fault.at, trial->wire_fault.bit,
            ways[trial->wire_fault.way], trial->version,
            outcome->done ? "done" : outcome->err.text,
            outcome->done ? (outcome->right ? "right" : "wrong")
                          : err_code_name(outcome->err.code),
            (long long)outcome->took_ms);
}

/* All trials, and the folders of their workers. */
struct plan {
    struct trial *trials; /* owned */
    size_t count;
    size_t room;
    struct place places[TORTURE_WORKERS];
};

static void add_trial(struct plan *plan, const struct trial *trial)
{
    if (plan->count == plan->room) {
        plan->room = plan->room ? 2 * plan->room : 1024;
        plan->trials =
            mem_resize(plan->trials, plan->room, sizeof(*plan->trials));
    }
    plan->trials[plan->count++] = *trial;
}

static struct place make_place(void)
{
    static const char base[] = "/tmp/torture.XXXXXX";
    struct place place;
    FILE *source;

    memcpy(place.folder, base, sizeof(base));
    assert_non_null(mkdtemp(place.folder));
    snprintf(place.source, sizeof(place.source), "%s/source", place.folder);
    snprintf(place.target, sizeof(place.target), "%s/target", place.folder);
    source = fopen(place.source, "w");
    assert_non_null(source);
    assert_true(fputs(CONTENT, source) >= 0);
    assert_int_equal(fclose(source), 0);
    return place;
}

/* Only these two may be left. */
static void remove_place(const struct place *place)
{
    unlink(place->source);
    unlink(place->target);
    assert_int_equal(rmdir(place->folder), 0);
}

static bool try(void *context, size_t worker, size_t i)
{
    const struct plan *plan = context;
    struct torture_outcome outcome;

    if (run_trial(&plan->trials[i], &plan->places[worker], &outcome) &&
        is_good(&plan->trials[i], &outcome))
        return true;
    complain(&plan->trials[i], &outcome);
    return false;
}

static void run_plan(struct plan *plan)
{
    for (size_t i = 0; i < TORTURE_WORKERS; i++)
        plan->places[i] = make_place();
    torture_run(plan->count, try, plan);
    for (size_t i = 0; i < TORTURE_WORKERS; i++)
        remove_place(&plan->places[i]);
    free(plan->trials);
}

/* The number of bytes in each direction without a fault. */
static void measure(const struct session *session, uint32_t version,
                    size_t passed[WIRE_FAULT_WAYS])
{
    const struct trial trial = {
        .session = session, .version = version, .timeout_ms = 20000};
    struct place place = make_place();
    struct torture_outcome outcome;

    assert_true(run_trial(&trial, &place, &outcome));
    if (!is_good(&trial, &outcome)) {
        complain(&trial, &outcome);
        fail();
    }
    memcpy(passed, outcome.passed, sizeof(outcome.passed));
    remove_place(&place);
}

/* The fault at every byte of every session, in each direction. */
static void add_faults(struct plan *plan, const struct trial *like)
{
    size_t connect[WIRE_FAULT_WAYS];

    measure(&sessions[0], like->version, connect);
    for (size_t i = 0; i < ARRAY_LEN(sessions); i++) {
        struct trial trial = *like;
        size_t passed[WIRE_FAULT_WAYS];

        trial.session = &sessions[i];
        measure(trial.session, like->version, passed);
        for (size_t place = 0; place < passed[0] + passed[1];
             place += TORTURE_STEP) {
            bool back = place >= passed[0];

            trial.wire_fault.way =
                back ? WIRE_FAULT_TO_HOST : WIRE_FAULT_TO_DEVICE;
            trial.wire_fault.at = back ? place - passed[0] : place;
            trial.wire_fault.bit =
                (like->wire_fault.bit + trial.wire_fault.at) % 8;
            /*
             * Each starts by connecting, which the first session has covered.
             */
            if (i == 0 || trial.wire_fault.at >= connect[trial.wire_fault.way])
                add_trial(plan, &trial);
        }
    }
}

/* With old peers, one packet at a time, and with new ones, with windows. */
static const uint32_t versions[] = {PACKET_VERSION_MIN,
                                    PACKET_VERSION_SKIP_CHECKSUM};

static void run_everywhere(enum wire_fault_kind kind, unsigned bits,
                           int64_t timeout_ms)
{
    struct plan plan = {0};

    for (unsigned bit = 0; bit < bits; bit++) {
        for (size_t i = 0; i < ARRAY_LEN(versions); i++)
            add_faults(&plan,
                       &(struct trial){.wire_fault = {.kind = kind, .bit = bit},
                                       .version = versions[i],
                                       .timeout_ms = timeout_ms});
    }
    run_plan(&plan);
}

static void a_break_at_any_byte_loses_the_device(void **state)
{
    (void)state;
    run_everywhere(WIRE_FAULT_BREAK, 1, 20000);
}

static void stall_at_any_byte_times_out(void **state)
{
    (void)state;
    run_everywhere(WIRE_FAULT_STALL, 1, 15);
}

static void a_flipped_bit_at_any_byte_is_noticed_or_harmless(void **state)
{
    (void)state;
    run_everywhere(WIRE_FAULT_CORRUPT, torture_is_full() ? 8 : 1, 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_break_at_any_byte_loses_the_device),
        cmocka_unit_test(stall_at_any_byte_times_out),
        cmocka_unit_test(a_flipped_bit_at_any_byte_is_noticed_or_harmless),
    };

    return cmocka_run_group_tests(tests, torture_setup, torture_teardown);
}
