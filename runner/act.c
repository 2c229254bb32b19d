#include "runner/act.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/input.h"
#include "adb/install.h"
#include "base/mem.h"
#include "runner/app_name.h"
#include "runner/app_start.h"
#include "runner/facts.h"
#include "runner/gesture.h"
#include "runner/type_text.h"

#define ANSWER_MAX ((size_t)1 << 20)
#define COMMAND_MAX ((size_t)16 * 1024)

#define LONG_PRESS_MS 800
#define WAIT_MS 1000

/* How long a phone may take to let another keyboard into the field. */
#define KEYBOARD_MS 3000
#define POLL_MS 50

#define KEY_HOME 3
#define KEY_BACK 4
#define KEY_ENTER 66
#define KEY_RECENTS 187

struct actor {
    struct device *device; /* borrowed */
    const char *keyboard_apk;
    struct journal *journal;
    bool own_journal;
    const struct cancel *cancel;
    struct facts facts;
    bool has_keyboard; /* ADBKeyboard is in use */
    bool knows_keys;   /* it is known whether */
    bool composes;     /* the phone's keyboard makes other text of keys */
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
    if (!facts_read(device, by, &made->facts, err) ||
        (made->own_journal && !journal_open(NULL, &made->journal, err))) {
        free(made);
        return false;
    }
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
        if (!journal_is_empty(actor->journal))
            (void)!journal_undo(actor->journal, actor->device,
                                deadline_in_ms(UNDO_MS), NULL, &ignored);
        journal_close(actor->journal);
    }
    buf_release(&actor->command);
    free(actor);
}

void actor_use(struct actor *actor, struct device *device)
{
    actor->device = device;
}

/* ---- commands ---- */

/* Run what is in actor->command, which is `input` and its arguments. */
static bool input(struct actor *actor, struct deadline by, struct err *err)
{
    struct shell_result result;
    enum input_answer answer;
    char words[120];

    if (!shell_run(actor->device, buf_cstr(&actor->command), ANSWER_MAX, by,
                   &result, err))
        return false;
    answer = input_judge(&result);
    shell_result_words(&result, words, sizeof(words));
    shell_result_release(&result);
    switch (answer) {
    case INPUT_TAKEN:
        return true;
    case INPUT_FORBIDDEN:
        return err_set(err, ERR_DENIED, "the phone takes no input from us: %s",
                       input_forbidden_advice);
    case INPUT_MISSING:
        return err_set(err, ERR_UNSUPPORTED, "the phone has no `input`");
    case INPUT_FAILED:
        break;
    }
    return err_set(err, ERR_REMOTE, "the phone did not take the input: %s",
                   words);
}

static void begin(struct actor *actor)
{
    buf_clear(&actor->command);
}

static bool press(struct actor *actor, int key, struct deadline by,
                  struct err *err)
{
    begin(actor);
    buf_printf(&actor->command, "input keyevent %d", key);
    return input(actor, by, err);
}

/* ---- fingers ---- */

static bool need_point(const struct action *action, struct err *err)
{
    if (action->has_from)
        return true;
    return err_set(err, ERR_INVALID, "%s needs a point",
                   action_kind_name(action->kind));
}

static bool tap(struct actor *actor, const struct action *action,
                struct deadline by, struct err *err)
{
    if (!need_point(action, err))
        return false;
    begin(actor);
    buf_printf(&actor->command, "input tap %d %d", action->from.x,
               action->from.y);
    return input(actor, by, err);
}

/*
 * Starting `input` takes a phone longer than two taps may be apart: both are
 * started at once, the second a little later. A phone whose time is virtual
 * starts it in none.
 */
static bool tap_twice(struct actor *actor, const struct action *action,
                      struct deadline by, struct err *err)
{
    int x = action->from.x, y = action->from.y;

    if (!need_point(action, err))
        return false;
    begin(actor);
    if (actor->facts.virtual_time)
        buf_printf(&actor->command, "input tap %d %d; input tap %d %d", x, y, x,
                   y);
    else
        buf_printf(&actor->command,
                   "input tap %d %d & sleep 0.12; input tap %d %d; wait", x, y,
                   x, y);
    return input(actor, by, err);
}

static bool hold(struct actor *actor, const struct action *action,
                 struct deadline by, struct err *err)
{
    int ms = action->milliseconds > 0 ? action->milliseconds : LONG_PRESS_MS;
    int x = action->from.x, y = action->from.y;

    if (!need_point(action, err))
        return false;
    begin(actor);
    buf_printf(&actor->command, "input swipe %d %d %d %d %d", x, y, x, y, ms);
    return input(actor, by, err);
}

static bool move(struct actor *actor, const struct action *action,
                 struct extent screen, struct deadline by, struct err *err)
{
    bool drags = action->kind == ACTION_DRAG;
    struct gesture way;
    bool done;

    if (!gesture_of(action, screen, &way))
        return err_set(err, ERR_INVALID, "%s needs two points or a direction",
                       action_kind_name(action->kind));
    begin(actor);
    buf_printf(&actor->command, "input %s %d %d %d %d %d",
               drags ? "draganddrop" : "swipe", way.from.x, way.from.y,
               way.to.x, way.to.y, way.milliseconds);
    done = input(actor, by, err);
    if (done || !drags || err->code != ERR_REMOTE)
        return done;
    /* Android 6 and older know no dragging: a slow swipe comes near to it. */
    begin(actor);
    buf_printf(&actor->command, "input swipe %d %d %d %d %d", way.from.x,
               way.from.y, way.to.x, way.to.y, 2 * way.milliseconds);
    return input(actor, by, err);
}

/* ---- text ---- */

static bool let_pass(const struct actor *actor, int ms, struct deadline by,
                     struct err *err)
{
    struct pollfd waited = {.fd = cancel_fd(actor->cancel), .events = POLLIN};
    struct deadline until = deadline_in_ms(ms);

    if (poll(&waited, 1, deadline_left_ms(deadline_sooner(by, until))) > 0)
        return err_set(err, ERR_CANCELLED, "stopped");
    if (deadline_passed(by))
        return err_set(err, ERR_TIMEOUT, "the time is over");
    return true;
}

static bool ask(struct actor *actor, const char *command, const char *word,
                struct deadline by, bool *says, struct err *err)
{
    struct shell_result result;

    if (!shell_run(actor->device, command, ANSWER_MAX, by, &result, err))
        return false;
    *says = strstr(buf_cstr(&result.out), word) != NULL;
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
                       "the phone's own keyboard does not type this text "
                       "exactly (%s): it needs ADBKeyboard",
                       why);
    return install_apk(actor->device, actor->keyboard_apk,
                       &(struct install_options){.reinstall = true}, by, err);
}

/* Have ADBKeyboard in the field, which takes a phone a moment. */
static bool use_keyboard(struct actor *actor, struct deadline by,
                         const char *why, struct err *err)
{
    struct deadline until = deadline_in_ms(KEYBOARD_MS);
    bool ready = false;

    if (actor->has_keyboard)
        return true;
    if (!need_keyboard(actor, by, why, err) ||
        !journal_use_keyboard(actor->journal, actor->device, ADB_KEYBOARD, by,
                              err))
        return false;
    while (!ready && !deadline_passed(until)) {
        if (!ask(actor,
                 "dumpsys input_method | grep -E 'mCurId=|mCurMethodId='",
                 ADB_KEYBOARD, by, &ready, err) ||
            (!ready && !let_pass(actor, POLL_MS, by, err)))
            return false;
    }
    if (!ready)
        return err_set(err, ERR_REMOTE,
                       "the phone did not change to ADBKeyboard");
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
    return done ||
           err_set(err, ERR_REMOTE, "ADBKeyboard did not hear: %s", words);
}

/* Do the phone's own keys type this text exactly? */
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
        while (begin(actor), type_text_plain(text, &at, &actor->command)) {
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

static bool type_all(struct actor *actor, const struct action *action,
                     struct deadline by, struct err *err)
{
    if (!action->text)
        return err_set(err, ERR_INVALID, "type needs a text");
    if (action->has_from && !tap(actor, action, by, err))
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
    struct shell_result result;

    if (!actor->facts.virtual_time)
        return let_pass(actor, ms, by, err);
    begin(actor);
    buf_printf(&actor->command, "sleep %d.%03d", ms / 1000, ms % 1000);
    if (!shell_run(actor->device, buf_cstr(&actor->command), ANSWER_MAX, by,
                   &result, err))
        return false;
    shell_result_release(&result);
    return true;
}

/* ---- all of it ---- */

bool actor_do(struct actor *actor, const struct action *action,
              struct extent screen, struct deadline by, struct err *err)
{
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
        return move(actor, action, screen, by, err);
    case ACTION_TYPE:
        return type_all(actor, action, by, err);
    case ACTION_ENTER:
        return press(actor, KEY_ENTER, by, err);
    case ACTION_BACK:
        return press(actor, KEY_BACK, by, err);
    case ACTION_HOME:
        return press(actor, KEY_HOME, by, err);
    case ACTION_RECENTS:
        return press(actor, KEY_RECENTS, by, err);
    case ACTION_OPEN_APP:
        return open_app(actor, action, by, err);
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
