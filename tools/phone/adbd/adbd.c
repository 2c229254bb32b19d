#include "tools/phone/adbd/adbd.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/daemon/daemon.h"
#include "adb/trust/pairing.h"
#include "base/mem.h"
#include "tools/phone/adbd/forward_server.h"
#include "tools/phone/adbd/framebuffer_server.h"
#include "tools/phone/adbd/pairing_server.h"
#include "tools/phone/adbd/restart_server.h"
#include "tools/phone/adbd/reverse_server.h"
#include "tools/phone/adbd/shell_server.h"
#include "tools/phone/adbd/sync_server.h"

#define LOOPBACK "127.0.0.1"

/* The name of a service that this version does not have: it matches nothing. */
#define NO_SERVICE "\n"

enum {
    SERVE_SHELL,
    SERVE_EXEC,
    SERVE_SYNC,
    SERVE_FRAMEBUFFER,
    SERVE_REVERSE,
    SERVE_FORWARD,
    SERVE_RESTART = SERVE_FORWARD + FORWARD_KINDS,
    SERVICES = SERVE_RESTART + RESTART_SERVICES,
};

/* A pending restart; a greater value includes the smaller ones. */
enum due {
    DUE_NOTHING,
    DUE_ADBD,
    DUE_PHONE,
    DUE_STOP,
};

struct adbd {
    struct adbd_options options;
    struct shell_server shell;
    struct sync_server sync;
    struct reverse_server reverse;
    struct forward_server forward;
    struct restart_server restart;
    struct key *own; /* owned; NULL without TLS */
    struct auth_policy policy;
    struct pairing_server *pairing; /* owned; NULL without pairing */
    char code[PAIRING_CODE_MAX + 1];
    char guid[PAIRING_GUID_SIZE];
    struct wire_faults wire_faults;
    struct wire_faults_service inner[SERVICES]; /* services without faults */
    struct daemon_service services[SERVICES];   /* the same with faults */
    struct daemon *daemon;                      /* owned */
    uint16_t port;

    pthread_t restarter; /* performs pending restarts */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    enum due due;
};

#define FEATURES_7 (FEATURE_BIT(FEATURE_SHELL_V2) | FEATURE_BIT(FEATURE_CMD))
#define FEATURES_13                                                            \
    (FEATURES_7 | FEATURE_BIT(FEATURE_STAT_V2) | FEATURE_BIT(FEATURE_LS_V2) |  \
     FEATURE_BIT(FEATURE_SENDRECV_V2) |                                        \
     FEATURE_BIT(FEATURE_SENDRECV_V2_BROTLI) |                                 \
     FEATURE_BIT(FEATURE_SENDRECV_V2_LZ4) |                                    \
     FEATURE_BIT(FEATURE_SENDRECV_V2_ZSTD) |                                   \
     FEATURE_BIT(FEATURE_SENDRECV_V2_DRY_RUN_SEND) |                           \
     FEATURE_BIT(FEATURE_FIXED_PUSH_MKDIR) |                                   \
     FEATURE_BIT(FEATURE_FIXED_PUSH_SYMLINK_TIMESTAMP))

/* Features of the phone's shell and files, by version of Android. */
static const feature_set features[ANDROID_VERSIONS] = {
    [ANDROID_4_4] = 0,
    [ANDROID_7] = FEATURES_7,
    [ANDROID_13] = FEATURES_13,
    [ANDROID_14] = FEATURES_13 | FEATURE_BIT(FEATURE_DELAYED_ACK),
};

/* ---- restarting ---- */

static void set_due(struct adbd *adbd, enum due due)
{
    pthread_mutex_lock(&adbd->lock);
    if (due > adbd->due)
        adbd->due = due;
    pthread_cond_signal(&adbd->changed);
    pthread_mutex_unlock(&adbd->lock);
}

static void restart(void *context, enum restart_kind kind)
{
    set_due(context, kind == RESTART_PHONE ? DUE_PHONE : DUE_ADBD);
}

/* Sleep for the duration of the boot, unless the phone is switched off. */
static void sleep_while_booting(struct adbd *adbd)
{
    struct timespec until = deadline_timespec(deadline_in_ms(ADBD_BOOT_MS));
    int late = 0;

    pthread_mutex_lock(&adbd->lock);
    while (!late && adbd->due != DUE_STOP)
        late = pthread_cond_timedwait(&adbd->changed, &adbd->lock, &until);
    pthread_mutex_unlock(&adbd->lock);
}

static enum due take_due(struct adbd *adbd)
{
    enum due due;

    pthread_mutex_lock(&adbd->lock);
    while (adbd->due == DUE_NOTHING)
        pthread_cond_wait(&adbd->changed, &adbd->lock);
    due = adbd->due;
    if (due != DUE_STOP)
        adbd->due = DUE_NOTHING;
    pthread_mutex_unlock(&adbd->lock);
    return due;
}

static void *restart_when_due(void *context)
{
    struct adbd *adbd = context;
    enum due due;

    while ((due = take_due(adbd)) != DUE_STOP) {
        trust_pause(adbd->options.trust);
        daemon_rest(adbd->daemon);
        trust_resume(adbd->options.trust);
        if (due == DUE_PHONE) {
            adbd->options.boot(adbd->options.context);
            sleep_while_booting(adbd);
        }
        daemon_resume(adbd->daemon);
    }
    return NULL;
}

static bool start_restarter(struct adbd *adbd, struct err *err)
{
    int failed = pthread_create(&adbd->restarter, NULL, restart_when_due, adbd);

    return !failed || err_errno(err, failed, "starting a thread");
}

/* ---- services ---- */

static void list_services(struct adbd *adbd,
                          struct daemon_service services[static SERVICES])
{
    services[SERVE_SHELL] = (struct daemon_service){
        "shell", false, shell_server_shell, &adbd->shell};
    if (adbd->options.handset->android->shell_v1) /* no options before ":" */
        services[SERVE_SHELL] = (struct daemon_service){
            "shell:", false, shell_server_shell_v1, &adbd->shell};
    services[SERVE_EXEC] = (struct daemon_service){
        adbd->options.handset->android->no_exec ? NO_SERVICE : "exec:", false,
        shell_server_exec, &adbd->shell};
    services[SERVE_SYNC] =
        (struct daemon_service){"sync:", true, sync_server_serve, &adbd->sync};
    services[SERVE_FRAMEBUFFER] = (struct daemon_service){
        "framebuffer:", true, framebuffer_server_serve, adbd->options.screen};
    services[SERVE_REVERSE] = (struct daemon_service){
        "reverse:", false, reverse_server_serve, &adbd->reverse};
    forward_server_services(&adbd->forward, services + SERVE_FORWARD);
    restart_server_services(&adbd->restart, services + SERVE_RESTART);
}

static void init_services(struct adbd *adbd)
{
    const struct adbd_options *options = &adbd->options;
    struct handset *handset = options->handset;
    struct daemon_service services[SERVICES];

    shell_server_init(&adbd->shell, handset, options->families,
                      options->family_count);
    sync_server_init(&adbd->sync, handset->files);
    adbd->sync.v1 = handset->android->sync_v1;
    adbd->sync.once = handset->android->sync_once;
    reverse_server_init(&adbd->reverse, &handset->sockets);
    forward_server_init(&adbd->forward, &handset->sockets);
    adbd->restart = (struct restart_server){restart, adbd};
    wire_faults_init(&adbd->wire_faults, &handset->faults);
    adbd->wire_faults.event = options->happen;
    adbd->wire_faults.event_context = options->context;
    list_services(adbd, services);
    for (size_t i = 0; i < SERVICES; i++) {
        adbd->inner[i] =
            (struct wire_faults_service){&adbd->wire_faults, services[i]};
        adbd->services[i] = wire_faults_service(&adbd->inner[i]);
    }
}

static void take_property(struct adbd *adbd, const char *name, char *value,
                          size_t size)
{
    struct buf text = BUF_INIT(256);

    props_get(&adbd->options.handset->props, name, &text);
    snprintf(value, size, "%s", buf_cstr(&text));
    buf_release(&text);
}

static struct banner banner_of(struct adbd *adbd)
{
    const struct android_level *android = adbd->options.handset->android;
    struct banner banner = {.state = "device",
                            .features = features[android->version]};

    take_property(adbd, "ro.product.name", banner.product,
                  sizeof(banner.product));
    take_property(adbd, "ro.product.model", banner.model, sizeof(banner.model));
    take_property(adbd, "ro.product.device", banner.device,
                  sizeof(banner.device));
    return banner;
}

/* ---- trust ---- */

/*
 * Deterministic pairing code and name: six digits, and a suffix of its serial.
 */
static void make_names(struct adbd *adbd, const struct phone_options *phone)
{
    uint64_t mixed = (phone->seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
    char serial[64];
    char tail[7] = "";

    for (size_t i = 0; i < sizeof(tail) - 1; i++)
        tail[i] = (char)('a' + (mixed >> (8 * i)) % 26);
    take_property(adbd, "ro.serialno", serial, sizeof(serial));
    snprintf(adbd->guid, sizeof(adbd->guid), "adb-%s-%s", serial, tail);
    if (phone->code)
        snprintf(adbd->code, sizeof(adbd->code), "%s", phone->code);
    else
        snprintf(adbd->code, sizeof(adbd->code), "%06u",
                 (unsigned)((mixed >> 40) % 1000000));
}

static bool set_gate(struct adbd *adbd, const struct phone_options *phone,
                     struct err *err)
{
    bool tls = phone->tls || phone->pairs;

    if (tls && !key_generate(&adbd->own, err))
        return false;
    adbd->policy = (struct auth_policy){
        .demand = tls                                ? AUTH_TLS
                  : phone->trust == PHONE_TRUSTS_ALL ? AUTH_NOTHING
                                                     : AUTH_SIGNATURE,
        .own = adbd->own,
        .look = trust_look,
        .ask = trust_ask,
        .context = adbd->options.trust,
    };
    return true;
}

static bool let_hosts_pair(struct adbd *adbd, const struct phone_options *phone,
                           struct err *err)
{
    const struct pairing_server_options options = {
        .code = adbd->code,
        .own = adbd->own,
        .guid = adbd->guid,
        .trust = adbd->options.trust,
        .port = phone->pairing_port,
    };

    if (!phone->pairs)
        return true;
    make_names(adbd, phone);
    return pairing_server_start(&options, &adbd->pairing, err);
}

/* ---- start and stop ---- */

static void on_host_left(void *context, struct conn *conn)
{
    struct adbd *adbd = context;

    reverse_server_left(&adbd->reverse, conn);
    screen_rest(adbd->options.screen->screen);
}

static bool listen_for_hosts(struct adbd *adbd,
                             const struct phone_options *phone, struct err *err)
{
    const struct android_level *android = adbd->options.handset->android;
    const struct daemon_options daemon = {
        .banner = banner_of(adbd),
        .version = android->protocol,
        .max_payload = android->max_payload,
        .one_host = android->one_host,
        .policy = &adbd->policy,
        .services = adbd->services,
        .service_count = SERVICES,
        .offers = forward_server_offers,
        .offers_context = &adbd->forward,
        .left = on_host_left,
        .left_context = adbd,
        .wrap = wire_faults_wrap,
        .wrap_context = &adbd->wire_faults,
        .log = phone->log,
    };

    if (!daemon_start(&daemon, &adbd->daemon, err))
        return false;
    adbd->wire_faults.daemon = adbd->daemon;
    return daemon_listen(adbd->daemon,
                         phone->address ? phone->address : LOOPBACK,
                         phone->port, &adbd->port, err);
}

static void adbd_free(struct adbd *adbd)
{
    pairing_server_stop(adbd->pairing);
    daemon_stop(adbd->daemon);
    wire_faults_release(&adbd->wire_faults);
    reverse_server_release(&adbd->reverse);
    sync_server_release(&adbd->sync);
    key_close(adbd->own);
    pthread_cond_destroy(&adbd->changed);
    pthread_mutex_destroy(&adbd->lock);
    free(adbd);
}

bool adbd_start(const struct adbd_options *options, struct adbd **adbd,
                struct err *err)
{
    struct adbd *made = mem_new(1, sizeof(*made));

    made->options = *options;
    pthread_mutex_init(&made->lock, NULL);
    deadline_cond_init(&made->changed);
    init_services(made);
    if (!set_gate(made, options->phone, err) ||
        !let_hosts_pair(made, options->phone, err) ||
        !listen_for_hosts(made, options->phone, err) ||
        !start_restarter(made, err)) {
        adbd_free(made);
        return false;
    }
    *adbd = made;
    return true;
}

void adbd_stop(struct adbd *adbd)
{
    if (!adbd)
        return;
    set_due(adbd, DUE_STOP);
    trust_pause(adbd->options.trust);
    pthread_join(adbd->restarter, NULL);
    adbd_free(adbd);
}

uint16_t adbd_port(const struct adbd *adbd)
{
    return adbd->port;
}

uint16_t adbd_pairing_port(const struct adbd *adbd)
{
    return adbd->pairing ? pairing_server_port(adbd->pairing) : 0;
}

const char *adbd_pairing_code(const struct adbd *adbd)
{
    return adbd->code;
}
