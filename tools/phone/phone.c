#include "tools/phone/phone.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/adbd.h"
#include "tools/phone/album.h"
#include "tools/phone/apps.h"
#include "tools/phone/cmd_screen.h"
#include "tools/phone/console_server.h"
#include "tools/phone/display_settings.h"
#include "tools/phone/font.h"
#include "tools/phone/handset.h"
#include "tools/phone/keyboards.h"
#include "tools/phone/keycode.h"
#include "tools/phone/popup.h"
#include "tools/phone/screen.h"
#include "tools/phone/trust_dialog.h"
#include "tools/phone/truth_server.h"
#include "tools/phone/truths.h"

/* The handset's commands, and those that need the screen. */
#define FAMILIES (HANDSET_FAMILIES + SCREEN_FAMILIES)

/* What is in a snapshot: the handset's parts, and what is shown. */
enum {
    PART_SCREEN = HANDSET_PARTS,
    PARTS,
};

SNAPSHOT_PART(screen)

struct phone {
    struct handset handset;
    struct fonts *fonts; /* owned; NULL: they are shared */
    struct truth truth;
    struct truth_server *truth_server; /* owned; NULL: nobody may ask */
    struct apps apps;
    struct stage *stage;           /* below the screen's app */
    struct popup *popup;           /* over the stage */
    struct trust *trust;           /* owned */
    struct screen *screen;         /* owned */
    struct input_devices *devices; /* owned */
    struct display_settings display;
    struct screen_context screen_context;
    struct command_family families[FAMILIES];
    struct snapshot_part parts[PARTS];
    struct snapshot_state state;
    struct album album;
    struct console console;
    struct console_server *console_server; /* owned; NULL: there is none */
    struct adbd *adbd;                     /* owned */
};

/* Everything that ran has ended; the launcher is what is seen first. */
static void boot(void *context)
{
    struct phone *phone = context;
    struct stage_task tasks[STAGE_TASKS_MAX];
    size_t count = stage_tasks(phone->stage, tasks, STAGE_TASKS_MAX);

    for (size_t i = 0; i < count; i++) {
        if (!tasks[i].home)
            stage_stop(phone->stage, tasks[i].component.package, "reboot");
    }
    screen_key(phone->screen, KEY_HOME);
    handset_boot(&phone->handset);
}

static void happen(void *context, const struct fault *fault)
{
    struct phone *phone = context;
    struct screen_display display = screen_display(phone->screen);
    struct err err;

    if (fault->kind != FAULT_ROTATE) {
        popup_show(phone->popup,
                   fault->kind == FAULT_POPUP ? POPUP_NOTICE : POPUP_PERMISSION,
                   fault->text);
        return;
    }
    display.rotation += (int)fault->turns;
    (void)!screen_set_display(phone->screen, &display, &err);
}

static bool plan_faults(struct phone *phone,
                        const struct phone_options *options, struct err *err)
{
    struct faults *faults = &phone->handset.faults;

    faults->tell = options->tell_fault;
    faults->tell_context = options->tell_context;
    faults->seed += options->luck;
    return !options->faults ||
           faults_add(faults, options->faults, strlen(options->faults), err);
}

static bool be_as_saved(struct phone *phone,
                        const struct phone_options *options, struct err *err)
{
    handset_parts(&phone->handset, phone->parts);
    phone->parts[PART_SCREEN] = (struct snapshot_part){
        "screen", save_screen, load_screen, phone->screen};
    phone->state =
        (struct snapshot_state){&phone->handset.clock, phone->parts, PARTS};
    return (!options->snapshot || phone_load(phone, options->snapshot, err)) &&
           (!options->snapshot_name ||
            album_load(&phone->album, options->snapshot_name, err));
}

static bool let_hosts_in(struct phone *phone,
                         const struct phone_options *options, struct err *err)
{
    const struct adbd_options adbd = {
        .handset = &phone->handset,
        .screen = &phone->screen_context,
        .trust = phone->trust,
        .families = phone->families,
        .family_count = FAMILIES,
        .boot = boot,
        .happen = happen,
        .context = phone,
        .phone = options,
    };

    return adbd_start(&adbd, &phone->adbd, err);
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

    if (!options->fonts && !fonts_open(&phone->fonts, err))
        return false;
    screen.fonts = options->fonts ? options->fonts : phone->fonts;
    phone->apps = (struct apps){.handset = &phone->handset,
                                .truth = &phone->truth,
                                .seed = options->seed,
                                .skin = options->skin,
                                .directory = options->apps};
    phone->stage = apps_stage(&phone->apps);
    phone->popup = popup_open(stage_app(phone->stage));
    screen.app = trust_dialog_open(phone->trust, popup_app(phone->popup));
    if (!screen_open(&screen, &phone->screen, err))
        return false;
    phone->devices = input_devices_new(
        phone->screen, virtual_clock_view(&phone->handset.clock));
    phone->screen_context =
        (struct screen_context){.screen = phone->screen,
                                .clock = &phone->handset.clock,
                                .faults = &phone->handset.faults,
                                .handset = &phone->handset,
                                .stage = phone->stage,
                                .devices = phone->devices};
    display_settings_follow(&phone->display, &phone->handset.settings,
                            phone->screen);
    timers_own(&phone->handset.clock.timers,
               &(struct timers_owner){APP_TIMERS, screen_fire, phone->screen});
    return true;
}

static bool open_console(struct phone *phone,
                         const struct phone_options *options, struct err *err)
{
    if (!options->console)
        return true;
    phone->console = (struct console){
        .handset = &phone->handset,
        .screen = phone->screen,
        .input = phone->devices,
        .album = &phone->album,
        .kill = options->kill,
        .kill_context = options->kill_context,
    };
    return console_read_token(&phone->console, options->console_token, err) &&
           console_server_start(&phone->console, options->console_port,
                                &phone->console_server, err);
}

static void list_commands(struct phone *phone)
{
    handset_families(&phone->handset, phone->families);
    screen_families(&phone->screen_context, phone->families + HANDSET_FAMILIES);
}

bool phone_start(const struct phone_options *options, struct phone **phone,
                 struct err *err)
{
    static const char *const locales[] = {
        [LOCALE_EN] = "en-US", [LOCALE_ZH] = "zh-CN"};
    const struct handset_options handset = {.seed = options->seed,
                                            .locale = locales[options->locale],
                                            .files.bytes = options->storage};
    struct phone *made = mem_new(1, sizeof(*made));

    if (!handset_init(&made->handset, &handset, err)) {
        free(made);
        return false;
    }
    made->trust = trust_open(made->handset.root, options->trust);
    if (options->known)
        trust_add_all(made->trust, options->known);
    if (options->adb_keyboard)
        keyboards_install_adb(&made->handset);
    list_commands(made);
    truth_init(&made->truth);
    album_init(&made->album, &made->state, options->snapshots);
    if (!switch_screen_on(made, options, err) ||
        (options->truth && !truth_server_start(&made->truth, options->truth,
                                               &made->truth_server, err)) ||
        (options->realtime &&
         !virtual_clock_be_real(&made->handset.clock, err)) ||
        !be_as_saved(made, options, err) || !plan_faults(made, options, err) ||
        !open_console(made, options, err) ||
        !let_hosts_in(made, options, err)) {
        phone_stop(made);
        return false;
    }
    if (options->realtime)
        props_tell_real_clock(&made->handset.props);
    *phone = made;
    return true;
}

void phone_stop(struct phone *phone)
{
    if (!phone)
        return;
    faults_stop(&phone->handset.faults);
    adbd_stop(phone->adbd);
    console_server_stop(phone->console_server);
    virtual_clock_stop(&phone->handset.clock);
    truth_server_stop(phone->truth_server);
    album_release(&phone->album);
    input_devices_free(phone->devices);
    screen_close(phone->screen);
    truth_release(&phone->truth);
    trust_close(phone->trust);
    fonts_close(phone->fonts);
    handset_release(&phone->handset);
    free(phone);
}

bool phone_save(struct phone *phone, const char *path, struct err *err)
{
    return snapshot_save_file(&phone->state, path, err);
}

bool phone_load(struct phone *phone, const char *path, struct err *err)
{
    return snapshot_load_file(&phone->state, path, err);
}

/* ---- the truth ---- */

static struct truths truths_of(struct phone *phone,
                               const struct stage_task *front)
{
    return (struct truths){.truth = &phone->truth,
                           .handset = &phone->handset,
                           .seed = phone->apps.seed,
                           .locale = screen_display(phone->screen).locale,
                           .front = front->component.package};
}

bool phone_facts(struct phone *phone, const char *truth, struct buf *json,
                 struct err *err)
{
    const struct stage_task front = stage_front(phone->stage);
    const struct truths truths = truths_of(phone, &front);

    return truths_facts(&truths, truth, json, err);
}

bool phone_judge(struct phone *phone, const char *truth, const char *answer,
                 struct buf *json, struct err *err)
{
    const struct stage_task front = stage_front(phone->stage);
    const struct truths truths = truths_of(phone, &front);

    return truths_judge(&truths, truth, answer, json, err);
}

struct screen_place phone_locate(struct phone *phone, const char *call)
{
    return screen_locate(phone->screen, call);
}

uint16_t phone_console_port(const struct phone *phone)
{
    return phone->console_server ? console_server_port(phone->console_server)
                                 : 0;
}

uint16_t phone_port(const struct phone *phone)
{
    return adbd_port(phone->adbd);
}

uint16_t phone_pairing_port(const struct phone *phone)
{
    return adbd_pairing_port(phone->adbd);
}

const char *phone_pairing_code(const struct phone *phone)
{
    return adbd_pairing_code(phone->adbd);
}
