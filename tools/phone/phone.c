#include "tools/phone/phone.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/daemon.h"
#include "base/macros.h"
#include "base/mem.h"
#include "tools/phone/apps.h"
#include "tools/phone/cmd_screen.h"
#include "tools/phone/font.h"
#include "tools/phone/framebuffer_server.h"
#include "tools/phone/handset.h"
#include "tools/phone/screen.h"
#include "tools/phone/shell_server.h"
#include "tools/phone/sync_server.h"

#define LOOPBACK "127.0.0.1"

enum { SERVE_SHELL, SERVE_EXEC, SERVE_SYNC, SERVE_FRAMEBUFFER, SERVICES };

/* The handset's commands, and those that look at the screen and use it. */
enum {
    FAMILY_SCREEN = HANDSET_FAMILIES,
    FAMILY_INPUT,
    FAMILIES,
};

struct phone {
    struct handset handset;
    struct fonts *fonts;   /* owned */
    struct stage *stage;   /* the screen's app */
    struct screen *screen; /* owned */
    struct screen_context screen_context;
    struct command_family families[FAMILIES];
    struct shell_server shell;
    struct sync_server sync;
    enum phone_trust trust;
    struct auth_gate gate;
    struct daemon_service services[SERVICES];
    struct daemon *daemon; /* owned */
    uint16_t port;
};

/* What the phone's shell and files know; hosts that know less are told less. */
static const feature_set phone_features =
    FEATURE_BIT(FEATURE_SHELL_V2) | FEATURE_BIT(FEATURE_CMD) |
    FEATURE_BIT(FEATURE_STAT_V2) | FEATURE_BIT(FEATURE_LS_V2) |
    FEATURE_BIT(FEATURE_SENDRECV_V2) | FEATURE_BIT(FEATURE_SENDRECV_V2_BROTLI) |
    FEATURE_BIT(FEATURE_SENDRECV_V2_LZ4) |
    FEATURE_BIT(FEATURE_SENDRECV_V2_ZSTD) |
    FEATURE_BIT(FEATURE_SENDRECV_V2_DRY_RUN_SEND) |
    FEATURE_BIT(FEATURE_FIXED_PUSH_MKDIR) |
    FEATURE_BIT(FEATURE_FIXED_PUSH_SYMLINK_TIMESTAMP) |
    FEATURE_BIT(FEATURE_DELAYED_ACK);

static void take_property(struct phone *phone, const char *name, char *value,
                          size_t size)
{
    struct buf text = BUF_INIT(256);

    props_get(&phone->handset.props, name, &text);
    snprintf(value, size, "%s", buf_cstr(&text));
    buf_release(&text);
}

static struct banner banner_of(struct phone *phone)
{
    struct banner banner = {.state = "device", .features = phone_features};

    take_property(phone, "ro.product.name", banner.product,
                  sizeof(banner.product));
    take_property(phone, "ro.product.model", banner.model,
                  sizeof(banner.model));
    take_property(phone, "ro.product.device", banner.device,
                  sizeof(banner.device));
    return banner;
}

/* The owner's answer to the prompt; what was accepted is asked again. */
static bool ask_owner(void *context, const char *public_line)
{
    const struct phone *phone = context;

    (void)public_line;
    return phone->trust == PHONE_ACCEPTS;
}

static void list_services(struct phone *phone)
{
    phone->services[SERVE_SHELL] = (struct daemon_service){
        "shell", false, shell_server_shell, &phone->shell};
    phone->services[SERVE_EXEC] = (struct daemon_service){
        "exec:", false, shell_server_exec, &phone->shell};
    phone->services[SERVE_SYNC] =
        (struct daemon_service){"sync:", true, sync_server_serve, &phone->sync};
    phone->services[SERVE_FRAMEBUFFER] = (struct daemon_service){
        "framebuffer:", true, framebuffer_server_serve, &phone->screen_context};
}

static bool listen_for_hosts(struct phone *phone,
                             const struct phone_options *options,
                             struct err *err)
{
    const struct daemon_options daemon = {
        .banner = banner_of(phone),
        .gate = options->trust == PHONE_TRUSTS_ALL ? NULL : &phone->gate,
        .services = phone->services,
        .service_count = SERVICES,
        .log = options->log,
    };

    phone->trust = options->trust;
    phone->gate = (struct auth_gate){
        .demand = AUTH_SIGNATURE, .ask = ask_owner, .context = phone};
    list_services(phone);
    return daemon_start(&daemon, &phone->daemon, err) &&
           daemon_listen(phone->daemon,
                         options->address ? options->address : LOOPBACK,
                         options->port, &phone->port, err);
}

static bool switch_screen_on(struct phone *phone,
                             const struct phone_options *options,
                             struct err *err)
{
    struct screen_options screen = {
        .clock = virtual_clock_view(&phone->handset.clock),
        .locale = options->locale,
        .dark = options->dark,
        .seed = options->seed,
    };

    if (!fonts_open(&phone->fonts, err))
        return false;
    screen.fonts = phone->fonts;
    phone->stage = apps_stage(&phone->handset);
    screen.app = stage_app(phone->stage);
    if (!screen_open(&screen, &phone->screen, err))
        return false;
    phone->screen_context =
        (struct screen_context){phone->screen, &phone->handset.clock};
    timers_own(&phone->handset.clock.timers,
               &(struct timers_owner){APP_TIMERS, screen_fire, phone->screen});
    return true;
}

static void list_commands(struct phone *phone)
{
    handset_families(&phone->handset, phone->families);
    phone->families[FAMILY_SCREEN] =
        (struct command_family){&screen_commands, &phone->screen_context};
    phone->families[FAMILY_INPUT] =
        (struct command_family){&input_commands, &phone->screen_context};
}

bool phone_start(const struct phone_options *options, struct phone **phone,
                 struct err *err)
{
    static const char *const locales[] = {
        [LOCALE_EN] = "en-US", [LOCALE_ZH] = "zh-CN"};
    const struct handset_options handset = {.seed = options->seed,
                                            .locale = locales[options->locale]};
    struct phone *made = mem_new(1, sizeof(*made));

    if (!handset_init(&made->handset, &handset, err)) {
        free(made);
        return false;
    }
    list_commands(made);
    shell_server_init(&made->shell, made->handset.files, made->families,
                      FAMILIES);
    sync_server_init(&made->sync, made->handset.files);
    if (!switch_screen_on(made, options, err) ||
        (options->realtime &&
         !virtual_clock_be_real(&made->handset.clock, err)) ||
        !listen_for_hosts(made, options, err)) {
        phone_stop(made);
        return false;
    }
    *phone = made;
    return true;
}

void phone_stop(struct phone *phone)
{
    if (!phone)
        return;
    daemon_stop(phone->daemon);
    virtual_clock_stop(&phone->handset.clock);
    sync_server_release(&phone->sync);
    screen_close(phone->screen);
    fonts_close(phone->fonts);
    handset_release(&phone->handset);
    free(phone);
}

uint16_t phone_port(const struct phone *phone)
{
    return phone->port;
}
