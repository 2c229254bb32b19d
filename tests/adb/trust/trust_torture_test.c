/*
 * Authentication over a wire that breaks, stalls or flips a bit: both sides
 * must end in time with the right kind of error, and never trust a wrong key.
 * Faults are injected at some bytes of each session, with PROCTOR_FULL=1 at
 * eight times as many, which is every byte of AUTH.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "adb/connection/conn.h"
#include "adb/transport/tcp.h"
#include "adb/trust/pairing.h"
#include "base/mem.h"
#include "tests/support/adb/fault_proxy.h"
#include "tests/support/adb/test_key.h"
#include "tests/support/adb/torture.h"

#define CODE "592781"
#define GUID "adb-1A2B3C4D-xYzAbC"

/* The session under test: AUTH, TLS or pairing. */
struct session {
    const char *name;
    enum auth_demand demand; /* AUTH_NOTHING: pairing */
    bool known;              /* the phone knows the computer's key */
    bool accepted;    /* its user accepts the key, if it is the right one */
    bool welcome;     /* it succeeds without a fault */
    const char *code; /* the code that the computer uses */
    size_t places;    /* number of bytes at which faults are injected */
    int pace;         /* its duration relative to a short session */
};

static const struct session sessions[] = {
    {"known key", AUTH_SIGNATURE, true, false, true, NULL, 250, 1},
    {"accepted key", AUTH_SIGNATURE, false, true, true, NULL, 250, 1},
    {"refused key", AUTH_SIGNATURE, false, false, false, NULL, 250, 1},
    {"known key over TLS", AUTH_TLS, true, false, true, NULL, 80, 4},
    {"unknown key over TLS", AUTH_TLS, false, false, false, NULL, 80, 4},
    {"right code", AUTH_NOTHING, false, false, true, CODE, 80, 4},
    {"wrong code", AUTH_NOTHING, false, false, false, "592782", 80, 4},
};

static bool is_pairing(const struct session *session)
{
    return session->demand == AUTH_NOTHING;
}

/* The keys of both sides, created once, as that is slow. */
static struct {
    struct key *phone;
    struct key *mine;
    struct key *other;
    struct buf line; /* my public key */
} cast;

struct trial {
    const struct session *session;
    struct wire_fault wire_fault;
    int64_t timeout_ms;
};

/* One side of a trial, and its result. */
struct side {
    const struct trial *trial;
    int fd;
    bool done;
    bool wrong; /* it accepted wrong data */
    struct err err;
    int64_t took_ms;
};

struct trust_outcome {
    struct side host;
    struct side device;
    size_t passed[WIRE_FAULT_WAYS];
};

static bool is_my_line(const char *line)
{
    return !strcmp(line, buf_cstr(&cast.line));
}

/* The user sees a key, which is the right one or missing. */
static bool ask(void *context, const char *line)
{
    struct side *device = context;

    device->wrong = device->wrong || !is_my_line(line);
    return device->trial->session->accepted;
}

static bool greet(struct transport *transport,
                  const struct conn_options *options, struct deadline by,
                  struct err *err)
{
    struct conn *conn;

    if (!conn_open(transport, options, by, &conn, err))
        return false;
    conn_close(conn);
    return true;
}

static bool run_host(struct side *side, struct transport *transport,
                     struct deadline by)
{
    const struct keyring keys = {{cast.mine}, 1};
    const struct auth_credentials credentials = {.keys = &keys};
    const struct conn_options options = {
        .role = CONN_HOST,
        .banner = {.state = "host"},
        .credentials = &credentials,
    };
    const struct session *session = side->trial->session;
    char guid[PAIRING_GUID_SIZE];

    if (!is_pairing(session))
        return greet(transport, &options, by, &side->err);
    if (!pairing_host(transport, session->code, &keys, by, guid, &side->err))
        return false;
    side->wrong = strcmp(guid, GUID) != 0;
    return true;
}

static void check_line(void *context, const char *line)
{
    struct side *side = context;

    side->wrong = !is_my_line(line);
}

static bool run_device(struct side *side, struct transport *transport,
                       struct deadline by)
{
    const struct session *session = side->trial->session;
    const struct keyring known = {{session->known ? cast.mine : cast.other}, 1};
    const struct auth_policy policy = {.demand = session->demand,
                                       .own = cast.phone,
                                       .known = &known,
                                       .ask = ask,
                                       .context = side};
    const struct conn_options options = {
        .role = CONN_DEVICE,
        .banner = {.state = "device"},
        .policy = &policy,
    };

    if (!is_pairing(session))
        return greet(transport, &options, by, &side->err);
    return pairing_device(transport, CODE, cast.phone, GUID, by, check_line,
                          side, &side->err);
}

typedef bool side_fn(struct side *side, struct transport *transport,
                     struct deadline by);

static void run_side(struct side *side, side_fn *run)
{
    struct deadline by = deadline_in_ms(side->trial->timeout_ms);
    struct transport *transport;
    int64_t start = clock_ns();

    side->done = tcp_wrap(side->fd, (struct tcp_keepalive){0}, NULL, &transport,
                          &side->err) &&
                 run(side, transport, by);
    side->took_ms = (clock_ns() - start) / 1000000;
}

static void *device_main(void *context)
{
    run_side(context, run_device);
    return NULL;
}

static bool run_trial(const struct trial *trial, struct trust_outcome *outcome)
{
    struct side *host = &outcome->host;
    struct side *device = &outcome->device;
    struct fault_proxy *proxy;
    pthread_t thread;

    *host = (struct side){.trial = trial, .err = ERR_INIT};
    *device = (struct side){.trial = trial, .err = ERR_INIT};
    proxy = fault_proxy_start(trial->wire_fault, &host->fd, &device->fd);
    if (!proxy || pthread_create(&thread, NULL, device_main, device))
        return false;
    run_side(host, run_host);
    pthread_join(thread, NULL);
    fault_proxy_stop(proxy, outcome->passed);
    return true;
}

/* ---- allowed results ---- */

/* Did the fault strike before the end? */
static bool has_struck(const struct trial *trial,
                       const struct trust_outcome *outcome)
{
    return trial->wire_fault.kind != WIRE_FAULT_NONE &&
           outcome->passed[trial->wire_fault.way] > trial->wire_fault.at;
}

/*
 * Is this an allowed failure? A refused side gets an error, or the connection
 * just ends. When a phone disconnects, pairing reports a wrong code; when a
 * prompt stalls, that counts as a refusal.
 */
static bool may_fail_with(const struct trial *trial, bool struck,
                          enum err_code code)
{
    const struct session *session = trial->session;
    bool lost =
        code == ERR_LOST || (code == ERR_UNAUTHORIZED &&
                             (!session->welcome || is_pairing(session)));

    switch (trial->wire_fault.kind) {
    case WIRE_FAULT_NONE:
        return !session->welcome && lost;
    case WIRE_FAULT_BREAK:
        return lost;
    case WIRE_FAULT_STALL: /* a slow computer may not get that far */
        return code == ERR_TIMEOUT ||
               (code == ERR_UNAUTHORIZED && session->accepted) ||
               (lost && (!session->welcome || !struck));
    case WIRE_FAULT_CORRUPT:
        return code == ERR_TIMEOUT || code == ERR_LOST ||
               code == ERR_PROTOCOL || code == ERR_UNAUTHORIZED;
    }
    return false;
}

static bool is_good(const struct trial *trial, bool struck,
                    const struct side *side)
{
    if (side->took_ms > trial->timeout_ms + TORTURE_SLACK_MS || side->wrong)
        return false;
    if (side->done)
        return trial->session->welcome;
    return may_fail_with(trial, struck, side->err.code);
}

static void complain(const struct trial *trial, const char *who,
                     const struct side *side)
{
    static const char *const kinds[] = {"nothing", "break", "stall", "flip"};
    static const char *const ways[] = {"to the device", "to the host"};

    fprintf(stderr, "%s, %s at byte %zu %s: the %s %s%s (%s) after %lld ms\n",
            trial->session->name, kinds[trial->wire_fault.kind],
            trial->wire_fault.at, ways[trial->wire_fault.way], who,
            side->wrong ? "was deceived: " : "",
            side->done ? "done" : side->err.text, err_code_name(side->err.code),
            (long long)side->took_ms);
}

static bool judge(const struct trial *trial,
                  const struct trust_outcome *outcome)
{
    bool struck = has_struck(trial, outcome);
    bool host = is_good(trial, struck, &outcome->host);
    bool device = is_good(trial, struck, &outcome->device);

    if (!host)
        complain(trial, "host", &outcome->host);
    if (!device)
        complain(trial, "device", &outcome->device);
    return host && device;
}

/* ---- all trials ---- */

struct plan {
    struct trial *trials; /* owned */
    size_t count;
};

static bool try(void *context, size_t worker, size_t i)
{
    const struct plan *plan = context;
    struct trust_outcome outcome;

    (void)worker;
    return run_trial(&plan->trials[i], &outcome) &&
           judge(&plan->trials[i], &outcome);
}

/* The number of bytes in each direction without a fault. */
static void measure(const struct session *session,
                    size_t passed[WIRE_FAULT_WAYS])
{
    const struct trial trial = {.session = session, .timeout_ms = 20000};
    struct trust_outcome outcome;

    assert_true(run_trial(&trial, &outcome) && judge(&trial, &outcome));
    assert_int_equal(outcome.host.done, session->welcome);
    assert_int_equal(outcome.device.done, session->welcome);
    memcpy(passed, outcome.passed, sizeof(outcome.passed));
}

/* Faults at bytes all over the session; each kind starts at another offset. */
static void add_faults(struct plan *plan, const struct trial *like)
{
    size_t passed[WIRE_FAULT_WAYS];
    size_t total;
    size_t step;

    measure(like->session, passed);
    total = passed[WIRE_FAULT_TO_DEVICE] + passed[WIRE_FAULT_TO_HOST];
    step = total / (like->session->places * (torture_is_full() ? 8 : 1)) + 1;
    step *= TORTURE_STEP;
    plan->trials = mem_resize(plan->trials, plan->count + total / step + 1,
                              sizeof(*plan->trials));
    for (size_t i = like->wire_fault.kind % step; i < total; i += step) {
        struct trial *trial = &plan->trials[plan->count++];
        bool back = i >= passed[WIRE_FAULT_TO_DEVICE];

        *trial = *like;
        trial->wire_fault.way =
            back ? WIRE_FAULT_TO_HOST : WIRE_FAULT_TO_DEVICE;
        trial->wire_fault.at = back ? i - passed[WIRE_FAULT_TO_DEVICE] : i;
        trial->wire_fault.bit = i / step % 8;
    }
}

static void run_everywhere(enum wire_fault_kind kind, int64_t timeout_ms)
{
    struct plan plan = {0};

    for (size_t i = 0; i < ARRAY_LEN(sessions); i++)
        add_faults(&plan, &(struct trial){.session = &sessions[i],
                                          .wire_fault = {.kind = kind},
                                          .timeout_ms =
                                              timeout_ms * sessions[i].pace});
    torture_run(plan.count, try, &plan);
    free(plan.trials);
}

static void break_ends_both_sides_without_trust(void **state)
{
    (void)state;
    run_everywhere(WIRE_FAULT_BREAK, 10000);
}

static void stall_times_out_on_both_sides(void **state)
{
    (void)state;
    run_everywhere(WIRE_FAULT_STALL, 40);
}

static void flipped_bit_never_creates_trust(void **state)
{
    (void)state;
    run_everywhere(WIRE_FAULT_CORRUPT, 125);
}

static int setup(void **state)
{
    struct err err;

    cast.line = (struct buf)BUF_INIT(KEY_PUBLIC_TEXT_MAX);
    return test_key_read("phone", &cast.phone, &err) &&
                   test_key_read("mine", &cast.mine, &err) &&
                   test_key_read("other", &cast.other, &err) &&
                   key_public_text(cast.mine, &cast.line, &err)
               ? torture_setup(state)
               : -1;
}

static int teardown(void **state)
{
    key_close(cast.phone);
    key_close(cast.mine);
    key_close(cast.other);
    buf_release(&cast.line);
    return torture_teardown(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(break_ends_both_sides_without_trust),
        cmocka_unit_test(stall_times_out_on_both_sides),
        cmocka_unit_test(flipped_bit_never_creates_trust),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
