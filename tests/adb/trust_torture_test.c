/*
 * How a computer and a phone come to trust each other, over a wire that
 * breaks, stalls or flips a bit. Whatever happens, both sides end in time with
 * the right kind of error, and nobody is trusted who should not be.
 *
 * It does so at some bytes of each session, and with PROCTOR_FULL=1 at eight
 * times as many: that is every one of AUTH.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "adb/conn.h"
#include "adb/pairing.h"
#include "adb/tcp.h"
#include "base/mem.h"
#include "tests/support/fault_proxy.h"
#include "tests/support/test_key.h"
#include "tests/support/torture.h"

#define CODE "592781"
#define GUID "adb-1A2B3C4D-xYzAbC"

/* A session to be tortured: AUTH, TLS or pairing. */
struct session {
    const char *name;
    enum auth_demand demand; /* AUTH_NOTHING: the two are pairing */
    bool known;              /* the phone knows the computer's key */
    bool accepted;           /* its owner accepts the key, if it is the right */
    bool welcome;            /* it ends well when nothing happens */
    const char *code;        /* what the computer is told */
    size_t places;           /* at how many bytes it is tried */
    int pace;                /* how much longer it takes than a short one */
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

/* Who takes part: keys are made once, as that takes long. */
static struct {
    struct key *phone;
    struct key *mine;
    struct key *other;
    struct buf line; /* my public key */
} cast;

struct trial {
    const struct session *session;
    struct fault fault;
    int64_t patience_ms;
};

/* One side of a trial, and how it ended. */
struct side {
    const struct trial *trial;
    int fd;
    bool done;
    bool wrong; /* it was told what is not true, and took it */
    struct err err;
    int64_t took_ms;
};

struct outcome {
    struct side host;
    struct side device;
    size_t passed[FAULT_WAYS];
};

static bool is_my_line(const char *line)
{
    return !strcmp(line, buf_cstr(&cast.line));
}

/* The owner is shown a key, which is right or not there at all. */
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

static bool run_device(struct side *side, struct transport *transport,
                       struct deadline by)
{
    const struct session *session = side->trial->session;
    const struct keyring known = {{session->known ? cast.mine : cast.other}, 1};
    const struct auth_gate gate = {.demand = session->demand,
                                   .own = cast.phone,
                                   .known = &known,
                                   .ask = ask,
                                   .context = side};
    const struct conn_options options = {
        .role = CONN_DEVICE,
        .banner = {.state = "device"},
        .gate = &gate,
    };
    struct buf line = BUF_INIT(KEY_PUBLIC_TEXT_MAX);
    bool done;

    if (!is_pairing(session))
        return greet(transport, &options, by, &side->err);
    done = pairing_device(transport, CODE, cast.phone, GUID, by, &line,
                          &side->err);
    side->wrong = done && !is_my_line(buf_cstr(&line));
    buf_release(&line);
    return done;
}

typedef bool side_fn(struct side *side, struct transport *transport,
                     struct deadline by);

static void run_side(struct side *side, side_fn *run)
{
    struct deadline by = deadline_in_ms(side->trial->patience_ms);
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

static bool run_trial(const struct trial *trial, struct outcome *outcome)
{
    struct side *host = &outcome->host;
    struct side *device = &outcome->device;
    struct fault_proxy *proxy;
    pthread_t thread;

    *host = (struct side){.trial = trial, .err = ERR_INIT};
    *device = (struct side){.trial = trial, .err = ERR_INIT};
    proxy = fault_proxy_start(trial->fault, &host->fd, &device->fd);
    if (!proxy || pthread_create(&thread, NULL, device_main, device))
        return false;
    run_side(host, run_host);
    pthread_join(thread, NULL);
    fault_proxy_stop(proxy, outcome->passed);
    return true;
}

/* ---- what may be ---- */

/* Has it come to the fault, and not to its end before? */
static bool has_struck(const struct trial *trial, const struct outcome *outcome)
{
    return trial->fault.kind != FAULT_NONE &&
           outcome->passed[trial->fault.way] > trial->fault.at;
}

/*
 * May a side have failed like that? Who is refused is told so, or just hung up
 * on. When a phone hangs up, pairing takes it for a wrong code; when its owner
 * is asked and it stalls, that is taken for a no.
 */
static bool may_fail_with(const struct trial *trial, bool struck,
                          enum err_code code)
{
    const struct session *session = trial->session;
    bool lost =
        code == ERR_LOST || (code == ERR_UNAUTHORIZED &&
                             (!session->welcome || is_pairing(session)));

    switch (trial->fault.kind) {
    case FAULT_NONE:
        return !session->welcome && lost;
    case FAULT_BREAK:
        return lost;
    case FAULT_STALL: /* a slow computer may not come that far */
        return code == ERR_TIMEOUT ||
               (code == ERR_UNAUTHORIZED && session->accepted) ||
               (lost && (!session->welcome || !struck));
    case FAULT_CORRUPT:
        return code == ERR_TIMEOUT || code == ERR_LOST ||
               code == ERR_PROTOCOL || code == ERR_UNAUTHORIZED;
    }
    return false;
}

static bool is_good(const struct trial *trial, bool struck,
                    const struct side *side)
{
    if (side->took_ms > trial->patience_ms + TORTURE_SLACK_MS || side->wrong)
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
            trial->session->name, kinds[trial->fault.kind], trial->fault.at,
            ways[trial->fault.way], who, side->wrong ? "was deceived: " : "",
            side->done ? "done" : side->err.text, err_code_name(side->err.code),
            (long long)side->took_ms);
}

static bool judge(const struct trial *trial, const struct outcome *outcome)
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

/* ---- all of it ---- */

struct plan {
    struct trial *trials; /* owned */
    size_t count;
};

static bool try(void *context, size_t worker, size_t i)
{
    const struct plan *plan = context;
    struct outcome outcome;

    (void)worker;
    return run_trial(&plan->trials[i], &outcome) &&
           judge(&plan->trials[i], &outcome);
}

/* How many bytes go each way when all is well. */
static void measure(const struct session *session, size_t passed[FAULT_WAYS])
{
    const struct trial trial = {.session = session, .patience_ms = 20000};
    struct outcome outcome;

    assert_true(run_trial(&trial, &outcome) && judge(&trial, &outcome));
    assert_int_equal(outcome.host.done, session->welcome);
    assert_int_equal(outcome.device.done, session->welcome);
    memcpy(passed, outcome.passed, sizeof(outcome.passed));
}

/* The fault at bytes all over the session; each kind begins elsewhere. */
static void add_faults(struct plan *plan, const struct trial *like)
{
    size_t passed[FAULT_WAYS];
    size_t total;
    size_t step;

    measure(like->session, passed);
    total = passed[FAULT_TO_DEVICE] + passed[FAULT_TO_HOST];
    step = total / (like->session->places * (torture_is_full() ? 8 : 1)) + 1;
    step *= TORTURE_STEP;
    plan->trials = mem_resize(plan->trials, plan->count + total / step + 1,
                              sizeof(*plan->trials));
    for (size_t i = like->fault.kind % step; i < total; i += step) {
        struct trial *trial = &plan->trials[plan->count++];
        bool back = i >= passed[FAULT_TO_DEVICE];

        *trial = *like;
        trial->fault.way = back ? FAULT_TO_HOST : FAULT_TO_DEVICE;
        trial->fault.at = back ? i - passed[FAULT_TO_DEVICE] : i;
        trial->fault.bit = i / step % 8;
    }
}

static void run_everywhere(enum fault_kind kind, int64_t patience_ms)
{
    struct plan plan = {0};

    for (size_t i = 0; i < ARRAY_LEN(sessions); i++)
        add_faults(&plan, &(struct trial){.session = &sessions[i],
                                          .fault = {.kind = kind},
                                          .patience_ms =
                                              patience_ms * sessions[i].pace});
    torture_run(plan.count, try, &plan);
    free(plan.trials);
}

static void a_break_loses_both_and_trusts_nobody(void **state)
{
    (void)state;
    run_everywhere(FAULT_BREAK, 10000);
}

static void a_stall_is_a_time_out_on_both_sides(void **state)
{
    (void)state;
    run_everywhere(FAULT_STALL, 40);
}

static void a_flipped_bit_never_makes_trust(void **state)
{
    (void)state;
    run_everywhere(FAULT_CORRUPT, 125);
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
        cmocka_unit_test(a_break_loses_both_and_trusts_nobody),
        cmocka_unit_test(a_stall_is_a_time_out_on_both_sides),
        cmocka_unit_test(a_flipped_bit_never_makes_trust),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
