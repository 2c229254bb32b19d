#include "runner/device/actor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/install/install.h"
#include "adb/services/shell.h"
#include "base/key_press.h"
#include "base/keycode.h"
#include "base/mem.h"
#include "runner/device/app_name.h"
#include "runner/device/app_start.h"
#include "runner/device/device_info.h"
#include "runner/device/gesture.h"
#include "runner/device/input_command.h"
#include "runner/device/phone_clock.h"
#include "runner/device/type_text.h"

#define ANSWER_MAX ((size_t)1 << 20)
#define COMMAND_MAX ((size_t)16 * 1024)

#define TAP_MS 20
#define BETWEEN_TAPS_MS 60
#define LONG_PRESS_MS 800
#define WAIT_MS 1000

/* How long a phone may take to switch the keyboard. */
#define KEYBOARD_MS 3000
#define POLL_MS 50

/* Characters that are deleted one by one where none can be selected. */
#define DELETE_MAX 200

struct actor {
    struct device *device; /* borrowed */
    const char *keyboard_apk;
    struct undo_journal *journal;
    bool own_journal;
    const struct cancel *cancel;
    struct device_info facts;
    struct phone_clock clock;
    struct extent screen;         /* during an action */
    struct screen_helper *helper; /* borrowed; NULL: none */
    bool has_keyboard;            /* ADBKeyboard is in use */
    bool knows_keys;              /* composes is known */
    bool composes; /* the phone's keyboard composes other text from keys */
    struct buf command;
};

bool actor_open(struct device *device, const struct actor_options *options,
                struct deadline by, struct actor **actor, struct err *err)
{
    struct actor *made = mem_new(1, sizeof(*made));

    *made = (struct actor){
        .device = device,
        .keyboard_apk = options->keyboard_apk,
        .journal = options->journal,
        .own_journal = !options->journal,
        .cancel = options->cancel,
        .command = BUF_INIT(COMMAND_MAX),
    };
    if (!device_info_read(device, by, &made->facts, err) ||
        (made->own_journal && !undo_journal_open(NULL, &made->journal, err))) {
        free(made);
        return false;
    }
    phone_clock_init(&made->clock, &made->facts);
    *actor = made;
    return true;
}

#define UNDO_MS 5000

void actor_close(struct actor *actor)
{
    struct err ignored;

    if (!actor)
        return;
    if (actor->own_journal) {
        (void)!undo_journal_undo(actor->journal, actor->device,
                                 deadline_in_ms(UNDO_MS), &ignored);
        undo_journal_close(actor->journal);
    }
    buf_release(&actor->command);
    free(actor);
}

void actor_set_device(struct actor *actor, struct device *device)
{
    actor->device = device;
}

void actor_set_helper(struct actor *actor, struct screen_helper *helper)
{
    actor->helper = helper;
}

void actor_continue(struct actor *actor, const struct actor *other)
{
    actor->has_keyboard = other->has_keyboard;
    actor->knows_keys = other->knows_keys;
    actor->composes = other->composes;
}

/* ---- commands ---- */

/* Run actor->command, which is an `input` command. */
static bool input(struct actor *actor, struct deadline by, struct err *err)
{
    return input_command_run(actor->device, buf_cstr(&actor->command), by, err);
}

static void begin(struct actor *actor)
{
    buf_clear(&actor->command);
}

static bool press(struct actor *actor, int key, struct deadline by,
                  struct err *err)
{
    if (screen_helper_works(actor->helper))
        return screen_helper_press(actor->helper, key, by, err);
    begin(actor);
    buf_printf(&actor->command, "input keyevent %d", key);
    return input(actor, by, err);
}

/*
 * A key by its name, perhaps several times ("DEL*3"), or several that are
 * pressed together ("CTRL_LEFT+A").
 */
static bool press_named(struct actor *actor, const struct action *action,
                        struct deadline by, struct err *err)
{
    struct key_press keys;

    if (!action->text)
        return err_set(err, ERR_INVALID, "key needs a key");
    if (!key_press_parse(action->text, &keys, err))
        return false;
    begin(actor);
    buf_text(&actor->command,
             keys.count > 1 ? "input keycombination" : "input keyevent");
    if (keys.count == 1 && action->milliseconds > 0)
        buf_text(&actor->command, " --longpress");
    for (size_t i = 0; i < keys.count * (size_t)keys.times; i++)
        buf_printf(&actor->command, " %d", keys.codes[i % keys.count]);
    return input(actor, by, err);
}

/* ---- gestures ---- */

static bool need_point(const struct action *action, struct err *err)
{
    if (action->has_from)
        return true;
    return err_set(err, ERR_INVALID, "%s needs a point",
                   action_kind_name(action->kind));
}

/* Through the helper: rest at the start of the path, then follow it. */
static bool touch(struct actor *actor, const struct gesture *path, int hold_ms,
                  struct deadline by, struct err *err)
{
    return screen_helper_touch(actor->helper, path, hold_ms, actor->screen, by,
                               err);
}

static struct gesture place_of(const struct action *action)
{
    return (struct gesture){.from = action->from, .to = action->from};
}

static bool tap(struct actor *actor, const struct action *action,
                struct deadline by, struct err *err)
{
    const struct gesture place = place_of(action);

    if (!need_point(action, err))
        return false;
    if (screen_helper_works(actor->helper))
        return touch(actor, &place, TAP_MS, by, err);
    begin(actor);
    buf_printf(&actor->command, "input tap %d %d", action->from.x,
               action->from.y);
    return input(actor, by, err);
}

static bool tap_twice(struct actor *actor, const struct action *action,
                      struct deadline by, struct err *err)
{
    const struct phone_clock_ops *clock = actor->clock.ops;
    const struct gesture place = place_of(action);
    int x = action->from.x, y = action->from.y;

    if (!need_point(action, err))
        return false;
    if (screen_helper_works(actor->helper))
        return touch(actor, &place, TAP_MS, by, err) &&
               phone_clock_wait(&actor->clock, actor->device, BETWEEN_TAPS_MS,
                                by, actor->cancel, err) &&
               touch(actor, &place, TAP_MS, by, err);
    begin(actor);
    buf_printf(&actor->command, "input tap %d %d%sinput tap %d %d%s", x, y,
               clock->between_taps, x, y, clock->after_taps);
    return input(actor, by, err);
}

static bool hold(struct actor *actor, const struct action *action,
                 struct deadline by, struct err *err)
{
    int ms = action->milliseconds > 0 ? action->milliseconds : LONG_PRESS_MS;
    const struct gesture place = place_of(action);
    int x = action->from.x, y = action->from.y;

    if (!need_point(action, err))
        return false;
    if (screen_helper_works(actor->helper))
        return touch(actor, &place, ms, by, err);
    begin(actor);
    buf_printf(&actor->command, "input swipe %d %d %d %d %d", x, y, x, y, ms);
    return input(actor, by, err);
}

static bool move(struct actor *actor, const struct action *action,
                 struct deadline by, struct err *err)
{
    bool drags = action->kind == ACTION_DRAG;
    struct gesture way;
    bool done;

    if (!gesture_resolve(action, actor->screen, &way))
        return err_set(err, ERR_INVALID, "%s needs two points or a direction",
                       action_kind_name(action->kind));
    if (screen_helper_works(actor->helper))
        return touch(actor, &way, drags ? LONG_PRESS_MS : 0, by, err);
    begin(actor);
    buf_printf(&actor->command, "input %s %d %d %d %d %d",
               drags ? "draganddrop" : "swipe", way.from.x, way.from.y,
               way.to.x, way.to.y, way.milliseconds);
    done = input(actor, by, err);
    if (done || !drags || err->code != ERR_REMOTE)
        return done;
    /* Android 6 and older have no draganddrop: use a slow swipe. */
    begin(actor);
    buf_printf(&actor->command, "input swipe %d %d %d %d %d", way.from.x,
               way.from.y, way.to.x, way.to.y, 2 * way.milliseconds);
    return input(actor, by, err);
}

/* ---- text ---- */

static bool ask(struct actor *actor, const char *command, const char *word,
                struct deadline by, bool *found, struct err *err)
{
    struct shell_result result;

    if (!shell_run(actor->device, command, ANSWER_MAX, by, &result, err))
        return false;
    *found = strstr(buf_cstr(&result.out), word) != NULL;
    shell_result_release(&result);
    return true;
}

static bool need_keyboard(struct actor *actor, struct deadline by,
                          const char *why, struct err *err)
{
    bool there;

    if (!ask(actor, "ime list -a -s", ADB_KEYBOARD, by, &there, err))
        return false;
    if (there)
        return true;
    if (!actor->keyboard_apk)
        return err_set(err, ERR_INVALID,
                       "the phone's keyboard cannot type this text exactly "
                       "(%s): it needs ADBKeyboard (proctor install APK, or "
                       "proctor run --keyboard APK)",
                       why);
    return install_apk(actor->device, actor->keyboard_apk,
                       &(struct install_options){.reinstall = true}, by, err);
}

/* Switch to ADBKeyboard, and wait until it is active. */
static bool use_keyboard(struct actor *actor, struct deadline by,
                         const char *why, struct err *err)
{
    struct deadline until = deadline_in_ms(KEYBOARD_MS);
    bool ready = false;

    if (actor->has_keyboard)
        return true;
    if (!need_keyboard(actor, by, why, err) ||
        !undo_journal_use_keyboard(actor->journal, actor->device, ADB_KEYBOARD,
                                   by, err))
        return false;
    while (!ready && !deadline_passed(until)) {
        if (!ask(actor,
                 "dumpsys input_method | grep -E 'mCurId=|mCurMethodId='",
                 ADB_KEYBOARD, by, &ready, err) ||
            (!ready && !phone_clock_wait(&actor->clock, actor->device, POLL_MS,
                                         by, actor->cancel, err)))
            return false;
    }
    if (!ready)
        return err_set(err, ERR_REMOTE,
                       "the phone did not switch to ADBKeyboard");
    actor->has_keyboard = true;
    return true;
}

static bool broadcast(struct actor *actor, struct deadline by, struct err *err)
{
    struct shell_result result;
    char words[120];
    bool done;

    if (!shell_run(actor->device, buf_cstr(&actor->command), ANSWER_MAX, by,
                   &result, err))
        return false;
    done = strstr(buf_cstr(&result.out), "Broadcast completed") != NULL;
    shell_result_words(&result, words, sizeof(words));
    shell_result_release(&result);
    return done || err_set(err, ERR_REMOTE,
                           "ADBKeyboard did not receive the text: %s", words);
}

/* Can `input text` type this text exactly? */
static bool is_exact(struct actor *actor, const char *text, struct deadline by,
                     bool *exact, const char **why, struct err *err)
{
    struct shell_result result;

    *exact = type_text_is_plain(text, why) && !actor->has_keyboard;
    if (!*exact)
        return true;
    if (!actor->knows_keys) {
        if (!shell_run(actor->device,
                       "settings get secure default_input_method", ANSWER_MAX,
                       by, &result, err))
            return false;
        actor->composes = type_text_composes(buf_cstr(&result.out));
        actor->knows_keys = true;
        shell_result_release(&result);
    }
    *exact = !actor->composes;
    *why = "it makes other text of what is typed";
    return true;
}

static bool type(struct actor *actor, const char *text, struct deadline by,
                 struct err *err)
{
    const char *why = "";
    bool exact;
    size_t at = 0;

    if (!is_exact(actor, text, by, &exact, &why, err))
        return false;
    if (exact) {
        while (begin(actor),
               type_text_plain(text, actor->facts.sdk, &at, &actor->command)) {
            if (!input(actor, by, err))
                return false;
        }
        return true;
    }
    if (!use_keyboard(actor, by, why, err))
        return false;
    while (begin(actor), type_text_base64(text, &at, &actor->command)) {
        if (!broadcast(actor, by, err))
            return false;
    }
    return true;
}

/* Android 11 and older press no two keys at once: delete what is there. */
static bool delete_all(struct actor *actor, struct deadline by, struct err *err)
{
    begin(actor);
    buf_printf(&actor->command, "input keyevent %d", KEY_MOVE_END);
    for (int i = 0; i < DELETE_MAX; i++)
        buf_printf(&actor->command, " %d", KEY_DELETE);
    for (int i = 0; i < DELETE_MAX; i++)
        buf_printf(&actor->command, " %d", KEY_FORWARD_DELETE);
    return input(actor, by, err);
}

/* Clear the focused field. */
static bool clear_field(struct actor *actor, struct deadline by,
                        struct err *err)
{
    struct err why = ERR_INIT;

    begin(actor);
    if (actor->has_keyboard) {
        buf_text(&actor->command, "am broadcast -a ADB_CLEAR_TEXT");
        return broadcast(actor, by, err);
    }
    buf_printf(&actor->command, "input keycombination %d %d", KEY_CTRL_LEFT,
               KEY_A);
    if (input(actor, by, &why))
        return press(actor, KEY_DELETE, by, err);
    if (why.code == ERR_REMOTE)
        return delete_all(actor, by, err);
    *err = why;
    return false;
}

static bool clear(struct actor *actor, const struct action *action,
                  struct deadline by, struct err *err)
{
    return (!action->has_from || tap(actor, action, by, err)) &&
           clear_field(actor, by, err);
}

static bool type_all(struct actor *actor, const struct action *action,
                     struct deadline by, struct err *err)
{
    if (!action->text)
        return err_set(err, ERR_INVALID, "type needs a text");
    if (action->secret)
        return err_set(err, ERR_INVALID,
                       "the text was typed into a password field and is not "
                       "recorded: type it by hand");
    if ((action->has_from && !tap(actor, action, by, err)) ||
        (action->replace && !clear_field(actor, by, err)))
        return false;
    return type(actor, action->text, by, err) &&
           (!action->submit || press(actor, KEY_ENTER, by, err));
}

/* ---- apps ---- */

static bool open_app(struct actor *actor, const struct action *action,
                     struct deadline by, struct err *err)
{
    char package[APP_NAME_MAX];

    if (!action->text)
        return err_set(err, ERR_INVALID, "open_app needs an app");
    return app_name_find(actor->device, action->text, by, package, err) &&
           app_start(actor->device, package, by, err);
}

/* ---- waiting ---- */

static bool wait_for(struct actor *actor, const struct action *action,
                     struct deadline by, struct err *err)
{
    int ms = action->milliseconds > 0 ? action->milliseconds : WAIT_MS;

    return phone_clock_wait(&actor->clock, actor->device, ms, by, actor->cancel,
                            err);
}

/* ---- actions ---- */

bool actor_perform(struct actor *actor, const struct action *action,
                   struct extent screen, struct deadline by, struct err *err)
{
    actor->screen = screen;
    switch (action->kind) {
    case ACTION_CLICK:
        return tap(actor, action, by, err);
    case ACTION_LONG_PRESS:
        return hold(actor, action, by, err);
    case ACTION_DOUBLE_TAP:
        return tap_twice(actor, action, by, err);
    case ACTION_SWIPE:
    case ACTION_DRAG:
    case ACTION_SCROLL:
        return move(actor, action, by, err);
    case ACTION_TYPE:
        return type_all(actor, action, by, err);
    case ACTION_CLEAR:
        return clear(actor, action, by, err);
    case ACTION_ENTER:
        return press(actor, KEY_ENTER, by, err);
    case ACTION_BACK:
        return press(actor, KEY_BACK, by, err);
    case ACTION_HOME:
        return press(actor, KEY_HOME, by, err);
    case ACTION_RECENTS:
        return press(actor, KEY_APP_SWITCH, by, err);
    case ACTION_KEY:
        return press_named(actor, action, by, err);
    case ACTION_OPEN_APP:
        return open_app(actor, action, by, err);
    case ACTION_PINCH:
    case ACTION_RAW:
        return err_set(err, ERR_UNSUPPORTED, "%s is only recorded",
                       action_kind_name(action->kind));
    case ACTION_WAIT:
        return wait_for(actor, action, by, err);
    case ACTION_ASK:
    case ACTION_ANSWER:
    case ACTION_COMPLETE:
    case ACTION_FAIL:
    case ACTION_KINDS:
        break;
    }
    return true;
}
