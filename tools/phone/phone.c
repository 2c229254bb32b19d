#include "tools/phone/phone.h"

#include <stdlib.h>
#include <string.h>

#include "base/keycode.h"
#include "base/mem.h"
#include "tools/phone/adbd/adbd.h"
#include "tools/phone/adbd/host_trust_dialog.h"
#include "tools/phone/apps/app_registry.h"
#include "tools/phone/console/console_server.h"
#include "tools/phone/core/snapshot_store.h"
#include "tools/phone/graphics/font.h"
#include "tools/phone/screen/popup.h"
#include "tools/phone/screen/screen.h"
#include "tools/phone/services/cmd_screen.h"
#include "tools/phone/shell/sh_collect.h"
#include "tools/phone/system/display_settings.h"
#include "tools/phone/system/handset.h"
#include "tools/phone/system/input_methods.h"
#include "tools/phone/toybox/cmd.h"
#include "tools/phone/truths/truth_checks.h"
#include "tools/phone/truths/truth_server.h"
#include "tools/phone/truths/truth_session.h"
#include "tools/phone/video/phone_video.h"

/* Commands of the handset, and those that need the screen. */
#define FAMILIES (TOYBOX_FAMILIES + PHONE_VIDEO_FAMILIES + SCREEN_FAMILIES)

/* The parts of a snapshot: the handset's, and the screen. */
enum {
    PART_SCREEN = HANDSET_PARTS,
    PARTS,
};

SNAPSHOT_PART(screen)

struct phone {
    struct handset handset;
    struct phone_fonts *fonts; /* owned; NULL: shared */
    struct truth_log truth;
    struct truth_server *truth_server; /* owned; NULL: not started */
    struct app_registry apps;
    struct task_stack *task_stack;    /* the app below all others */
    struct notification_shade *shade; /* above the task stack */
    struct popup *popup;              /* above the shade */
    struct host_trust *trust;         /* owned */
    struct phone_screen *screen;      /* owned */
    struct input_devices *devices;    /* owned */
    struct display_settings display;
    struct screen_context screen_context;
    struct phone_video video;
    struct command_family families[FAMILIES];
    struct snapshot_part parts[PARTS];
    struct snapshot_state state;
    struct snapshot_store snapshot_store;
    struct phone_console console;
    struct console_server *console_server; /* owned; NULL: there is none */
    struct adbd *adbd;                     /* owned */
};

/* Everything running has ended; the launcher is shown. */
static void boot(void *context)
{
    struct phone *phone = context;
    struct task_info tasks[TASK_STACK_TASKS_MAX];
    size_t count =
        task_stack_tasks(phone->task_stack, tasks, TASK_STACK_TASKS_MAX);

    for (size_t i = 0; i < count; i++) {
        if (!tasks[i].home)
            task_stack_stop(phone->task_stack, tasks[i].component.package,
                            "reboot");
    }
    screen_key(phone->screen, KEY_HOME);
    handset_boot(&phone->handset);
}

static void happen(void *context, const struct phone_fault *fault)
{
    static const enum popup_kind popups[FAULT_KINDS] = {
        [FAULT_POPUP] = POPUP_NOTICE,    [FAULT_PERMISSION] = POPUP_PERMISSION,
        [FAULT_BATTERY] = POPUP_BATTERY, [FAULT_CALL] = POPUP_CALL,
        [FAULT_UPDATE] = POPUP_UPDATE,
    };
    struct phone *phone = context;
    struct screen_display display = screen_display(phone->screen);
    struct err err;

    if (popups[fault->kind] != POPUP_NONE) {
        popup_show(phone->popup, popups[fault->kind], fault->text);
        return;
    }
    display.rotation += (int)fault->turns;
    (void)!screen_set_display(phone->screen, &display, &err);
}

static bool plan_faults(struct phone *phone,
                        const struct phone_options *options, struct err *err)
{
    struct phone_faults *faults = &phone->handset.faults;

    faults->tell = options->tell_fault;
    faults->tell_context = options->tell_context;
    faults->seed += options->fault_seed;
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
            snapshot_store_load(&phone->snapshot_store, options->snapshot_name,
                                err));
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
        .rgb_565 = phone->handset.android->rgb_565,
    };

    if (!options->fonts && !fonts_open(&phone->fonts, err))
        return false;
    screen.fonts = options->fonts ? options->fonts : phone->fonts;
    phone->apps = (struct app_registry){.handset = &phone->handset,
                                        .truth = &phone->truth,
                                        .seed = options->seed,
                                        .skin = options->skin,
                                        .directory = options->apps};
    phone->task_stack = app_registry_task_stack(&phone->apps);
    phone->shade = notification_shade_open(phone->task_stack, &phone->handset,
                                           &phone->truth);
    phone->popup = popup_open(notification_shade_app(phone->shade));
    screen.app = host_trust_dialog_open(phone->trust, popup_app(phone->popup));
    if (!screen_open(&screen, &phone->screen, err))
        return false;
    phone->devices = input_devices_new(
        phone->screen, virtual_clock_view(&phone->handset.clock));
    phone->screen_context =
        (struct screen_context){.screen = phone->screen,
                                .clock = &phone->handset.clock,
                                .faults = &phone->handset.faults,
                                .handset = &phone->handset,
                                .task_stack = phone->task_stack,
                                .shade = phone->shade,
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
    phone->console = (struct phone_console){
        .handset = &phone->handset,
        .screen = phone->screen,
        .input = phone->devices,
        .snapshot_store = &phone->snapshot_store,
        .kill = options->kill,
        .kill_context = options->kill_context,
    };
    return console_read_token(&phone->console, options->console_token, err) &&
           console_server_start(&phone->console, options->console_port,
                                &phone->console_server, err);
}

static bool list_commands(struct phone *phone, struct err *err)
{
    int number;

    toybox_families(&phone->handset, phone->families);
    phone_video_families(&phone->video, phone->families + TOYBOX_FAMILIES);
    screen_families(&phone->screen_context,
                    phone->families + TOYBOX_FAMILIES + PHONE_VIDEO_FAMILIES);
    if (!toybox_install(phone->handset.root, phone->handset.android,
                        phone->families, FAMILIES, &number))
        return err_set(err, ERR_LIMIT, "making /system/bin: %s",
                       files_reason(number));
    return true;
}

bool phone_start(const struct phone_options *options, struct phone **phone,
                 struct err *err)
{
    static const char *const locales[] = {
        [LOCALE_EN] = "en-US", [LOCALE_ZH] = "zh-CN"};
    const struct handset_options handset = {.seed = options->seed,
                                            .locale = locales[options->locale],
                                            .android = options->android,
                                            .files.bytes = options->storage};
    struct phone *made = mem_new(1, sizeof(*made));

    if (!handset_init(&made->handset, &handset, err)) {
        free(made);
        return false;
    }
    made->trust = trust_open(made->handset.root, options->trust);
    if (options->known)
        trust_add_all(made->trust, options->known);
    if (options->adb_keyboard || options->adb_keyboard_enabled)
        input_methods_install_adb(&made->handset);
    if (options->adb_keyboard_enabled) {
        input_methods_enable(&made->handset, INPUT_METHODS_ADB);
        (void)!input_methods_select(&made->handset, INPUT_METHODS_ADB);
    }
    phone_video_init(&made->video, &made->screen_context, &made->handset.clock);
    truth_log_init(&made->truth);
    snapshot_store_init(&made->snapshot_store, &made->state,
                        options->snapshots);
    if (!list_commands(made, err) || !switch_screen_on(made, options, err) ||
        (options->truth && !truth_server_start(&made->truth, options->truth,
                                               &made->truth_server, err)) ||
        (options->realtime &&
         !virtual_clock_be_real(&made->handset.clock, err)) ||
        !be_as_saved(made, options, err) || !plan_faults(made, options, err) ||
        !open_console(made, options, err) ||
        (!options->unreachable && !let_hosts_in(made, options, err))) {
        phone_stop(made);
        return false;
    }
    if (options->realtime)
        props_tell_real_clock(&made->handset.props);
    *phone = made;
    return true;
}

bool phone_is_realtime(const struct phone *phone)
{
    return phone->handset.clock.real;
}

void phone_stop(struct phone *phone)
{
    if (!phone)
        return;
    handset_stop(&phone->handset);
    adbd_stop(phone->adbd);
    console_server_stop(phone->console_server);
    virtual_clock_stop(&phone->handset.clock);
    truth_server_stop(phone->truth_server);
    snapshot_store_release(&phone->snapshot_store);
    phone_video_release(&phone->video);
    input_devices_free(phone->devices);
    screen_close(phone->screen);
    truth_log_release(&phone->truth);
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

bool phone_keep_state(struct phone *phone, struct buf *state, struct err *err)
{
    return snapshot_save(&phone->state, state, err);
}

bool phone_return_to_state(struct phone *phone, const struct buf *state,
                           struct err *err)
{
    return snapshot_load(&phone->state, buf_cstr(state), state->length, err);
}

/* ---- forks ---- */

/* The copy is in memory only: it has neither a file nor a name. */
static struct phone_options without_snapshot(
    const struct phone_options *options)
{
    struct phone_options plain = *options;

    plain.snapshot = NULL;
    plain.snapshot_name = NULL;
    return plain;
}

bool phone_fork(struct phone *phone, const struct phone_options *options,
                struct phone **fork, struct err *err)
{
    const struct phone_options plain = without_snapshot(options);
    struct phone *made;

    if (!phone_start(&plain, &made, err))
        return err_wrap(err, "copying a phone");
    if (!snapshot_copy(&made->state, &phone->state, err)) {
        phone_stop(made);
        return err_wrap(err, "copying a phone");
    }
    truth_log_copy(&made->truth, &phone->truth);
    *fork = made;
    return true;
}

/* ---- from this process ---- */

int phone_run(struct phone *phone, const char *command, struct buf *out,
              struct buf *errors)
{
    const struct sh_options options = {
        .files = phone->handset.files,
        .families = phone->families,
        .family_count = FAMILIES,
        .processes = &phone->handset.processes,
        .clock = &phone->handset.clock,
        .dialect = sh_dialect_of(phone->handset.android),
    };

    return sh_collect(&options, command, out, errors);
}

void phone_look(struct phone *phone, struct phone_tiles *tiles)
{
    virtual_clock_look(&phone->handset.clock);
    screen_tiles_read(phone->screen, tiles);
}

bool phone_screenshot(struct phone *phone, struct buf *png, struct err *err)
{
    struct phone_frame *frame;
    const struct buf *encoded;
    bool done;

    if (!screen_look(phone->screen, &frame, err))
        return false;
    done = screen_frame_png(frame, &encoded, err);
    if (done)
        buf_append(png, encoded->data, encoded->length);
    screen_frame_drop(frame);
    if (done && png->overflow)
        return err_set(err, ERR_LIMIT, "the screenshot is too large");
    return done;
}

bool phone_frame(struct phone *phone, struct phone_frame **frame,
                 struct err *err)
{
    return screen_look(phone->screen, frame, err);
}

bool phone_await_change(struct phone *phone, struct deadline by, uint64_t *seen)
{
    return screen_await_change(phone->screen, by, seen);
}

void phone_wake(struct phone *phone)
{
    screen_wake(phone->screen);
}

void phone_touch(struct phone *phone, enum phone_touch touch, int x, int y)
{
    input_devices_touch(phone->devices, touch, x, y);
}

void phone_key(struct phone *phone, int key)
{
    input_devices_key(phone->devices, key);
}

void phone_type(struct phone *phone, const char *text)
{
    screen_command_type(&phone->screen_context, text);
}

void phone_rotate(struct phone *phone)
{
    display_settings_turn(&phone->handset.settings, true,
                          screen_display(phone->screen).rotation + 1);
}

void phone_tree(struct phone *phone, struct buf *xml)
{
    screen_dump(phone->screen, false, xml);
}

struct phone_size phone_screen_size(struct phone *phone)
{
    const struct screen_display display = screen_display(phone->screen);

    return display.rotation % 2
               ? (struct phone_size){display.size.height, display.size.width}
               : display.size;
}

int phone_keyboard_top(struct phone *phone)
{
    return screen_keyboard_top(phone->screen);
}

void phone_forget_frame(struct phone *phone)
{
    screen_rest(phone->screen);
}

void phone_front(struct phone *phone, struct phone_component *front)
{
    *front = task_stack_front(phone->task_stack).component;
}

struct phone_content phone_content(const struct phone *phone)
{
    return (struct phone_content){phone->apps.seed, phone->apps.skin,
                                  screen_display(phone->screen).locale};
}

/* ---- the truth ---- */

static struct truth_checks truth_checks_of(struct phone *phone,
                                           const struct task_info *front)
{
    return (struct truth_checks){.truth = &phone->truth,
                                 .handset = &phone->handset,
                                 .seed = phone->apps.seed,
                                 .locale = screen_display(phone->screen).locale,
                                 .front = front->component.package};
}

bool phone_facts(struct phone *phone, const char *truth, struct buf *json,
                 struct err *err)
{
    const struct task_info front = task_stack_front(phone->task_stack);
    const struct truth_checks truths = truth_checks_of(phone, &front);

    return truth_checks_facts(&truths, truth, json, err);
}

bool phone_judge(struct phone *phone, const char *truth, const char *answer,
                 struct buf *json, struct err *err)
{
    const struct task_info front = task_stack_front(phone->task_stack);
    const struct truth_checks truths = truth_checks_of(phone, &front);

    return truth_checks_judge(&truths, truth, answer, json, err);
}

bool phone_session_facts(struct phone *phone, struct truth_session *session,
                         struct buf *json, struct err *err)
{
    const struct task_info front = task_stack_front(phone->task_stack);
    const struct truth_checks truths = truth_checks_of(phone, &front);

    return truth_session_facts(session, &truths, json, err);
}

bool phone_session_judge(struct phone *phone, struct truth_session *session,
                         const char *answer, struct buf *json, struct err *err)
{
    const struct task_info front = task_stack_front(phone->task_stack);
    const struct truth_checks truths = truth_checks_of(phone, &front);

    return truth_session_judge(session, &truths, answer, json, err);
}

struct phone_place phone_locate(struct phone *phone, const char *call)
{
    return screen_effect_point(phone->screen, call);
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
