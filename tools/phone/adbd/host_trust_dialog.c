#include "tools/phone/adbd/host_trust_dialog.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/keycode.h"
#include "base/mem.h"
#include "tools/phone/widgets/widget_kinds.h"

#define PACKAGE "com.android.systemui"

/* Ids above those of apps, so that they do not collide. */
enum trust_action {
    TOGGLE = 1 << 30,
    CANCEL,
    ALLOW,
};

enum trust_word {
    WORD_TITLE,
    WORD_FINGERPRINT,
    WORD_ALWAYS,
    WORD_CANCEL,
    WORD_ALLOW,
};

static const char *const words[][2] = {
    [WORD_TITLE] = {"Allow USB debugging?", "允许 USB 调试吗？"},
    [WORD_FINGERPRINT] = {"The computer’s RSA key fingerprint is:",
                          "这台计算机的 RSA 密钥指纹如下："},
    [WORD_ALWAYS] = {"Always allow from this computer",
                     "一律允许使用这台计算机进行调试"},
    [WORD_CANCEL] = {"Cancel", "取消"},
    [WORD_ALLOW] = {"Allow", "允许"},
};

struct trust_dialog {
    struct phone_app app;
    struct host_trust *trust; /* borrowed */
    struct phone_app *below;  /* owned */
};

/* ---- appearance ---- */

struct trust_build {
    const struct trust_prompt *prompt;
    const struct phone_surroundings *around;
    const struct phone_theme *theme;
};

static const char *say(const struct trust_build *build, enum trust_word word)
{
    return words[word][build->around->locale];
}

static void add_message(const struct trust_build *build, struct widget *column)
{
    char text[256];

    snprintf(text, sizeof(text), "%s\n%s", say(build, WORD_FINGERPRINT),
             build->prompt->fingerprint);
    widget_kinds_text(column, "android:id/message", text, 16,
                      build->theme->on_surface_variant)
        ->layout.width = WIDGET_FILL;
}

static void add_box(const struct trust_build *build, struct widget *column)
{
    struct widget *row = widget_new(column, &kind_row);
    struct widget *box;

    widget_set_class(row, "android.widget.CheckBox");
    row->layout = (struct widget_layout){.width = WIDGET_FILL,
                                         .gap = 14,
                                         .padding = {2, 12, 2, 12},
                                         .down = WIDGET_CENTER};
    row->flags |= WIDGET_CHECKABLE;
    widget_set_id(row, "alwaysUse");
    widget_set_text(row, say(build, WORD_ALWAYS));
    widget_set_action(row, TOGGLE, 0);
    box = widget_new(row, &kind_space);
    box->layout.width = 18;
    box->layout.height = 18;
    box->look.radius = 3;
    box->look.outline = build->theme->on_surface_variant;
    if (build->prompt->always) {
        row->flags |= WIDGET_CHECKED;
        box->look.background = build->theme->primary.base;
    }
    widget_kinds_text(row, "label", say(build, WORD_ALWAYS), 15,
                      build->theme->on_surface);
}

static void add_buttons(const struct trust_build *build, struct widget *column)
{
    struct widget *row = widget_new(column, &kind_row);

    row->layout = (struct widget_layout){
        .width = WIDGET_FILL, .gap = 8, .across = WIDGET_END};
    widget_kinds_text_button(row, "android:id/button2", say(build, WORD_CANCEL),
                             CANCEL);
    widget_kinds_text_button(row, "android:id/button1", say(build, WORD_ALLOW),
                             ALLOW);
}

static void build_dialog(const struct trust_build *build,
                         struct widget_tree *tree)
{
    struct widget *window = widget_window(tree, PACKAGE);
    struct widget *column = widget_new(window, &kind_column);

    window->flags |= WIDGET_DIALOG;
    window->layout.width = build->around->width - 48;
    window->layout.height = WIDGET_WRAP;
    window->look.background = build->theme->surface_container_high;
    window->look.radius = 28;
    column->layout = (struct widget_layout){
        .width = WIDGET_FILL, .gap = 14, .padding = {24, 24, 24, 16}};
    widget_kinds_text(column, "android:id/alertTitle", say(build, WORD_TITLE),
                      24, build->theme->on_surface);
    add_message(build, column);
    add_box(build, column);
    add_buttons(build, column);
}

static void host_trust_dialog_build(struct phone_app *app,
                                    const struct phone_surroundings *around,
                                    struct widget_tree *tree)
{
    struct trust_dialog *dialog = (struct trust_dialog *)app;
    struct trust_prompt prompt;
    const struct trust_build build = {&prompt, around, around->theme};

    dialog->below->ops->build(dialog->below, around, tree);
    if (trust_prompt(dialog->trust, &prompt))
        build_dialog(&build, tree);
}

/* ---- input ---- */

static bool click(struct trust_dialog *dialog, int action)
{
    if (action == TOGGLE)
        trust_toggle(dialog->trust);
    else if (action == ALLOW || action == CANCEL)
        trust_answer(dialog->trust, action == ALLOW);
    else
        return false;
    return true;
}

/* While it is shown, the app below gets only timers. */
static bool handle_prompt(struct trust_dialog *dialog,
                          const struct phone_app_event *event)
{
    if (event->kind == APP_CLICK)
        return click(dialog, event->action);
    if (event->kind == APP_KEY &&
        (event->key == KEY_BACK || event->key == KEY_ESCAPE)) {
        trust_answer(dialog->trust, false);
        return true;
    }
    return false;
}

static bool host_trust_dialog_handle(struct phone_app *app,
                                     const struct phone_app_event *event)
{
    struct trust_dialog *dialog = (struct trust_dialog *)app;
    struct trust_prompt prompt;
    bool passes = event->kind == APP_TIMER || event->kind == APP_INTENT ||
                  (event->kind == APP_KEY && event->key == KEY_HOME);

    if (!passes && trust_prompt(dialog->trust, &prompt))
        return handle_prompt(dialog, event);
    return dialog->below->ops->handle(dialog->below, event);
}

static bool host_trust_dialog_changed(struct phone_app *app)
{
    struct trust_dialog *dialog = (struct trust_dialog *)app;
    const struct phone_app_ops *below = dialog->below->ops;
    bool looks = below->changed && below->changed(dialog->below);

    return trust_changed(dialog->trust) || looks;
}

static void host_trust_dialog_calls(struct phone_app *app, int action,
                                    int64_t argument, struct buf *out)
{
    struct phone_app *below = ((struct trust_dialog *)app)->below;

    if (action == TOGGLE)
        buf_text(out, "trust.always");
    else if (action == ALLOW || action == CANCEL)
        buf_text(out, action == ALLOW ? "trust.allow" : "trust.cancel");
    else if (below->ops->calls)
        below->ops->calls(below, action, argument, out);
}

/* A prompt belongs to a live connection: snapshots contain none. */
static void host_trust_dialog_save(struct phone_app *app, struct buf *out)
{
    struct phone_app *below = ((struct trust_dialog *)app)->below;

    if (below->ops->save)
        below->ops->save(below, out);
}

static void host_trust_dialog_load(struct phone_app *app,
                                   struct saved_state *in)
{
    struct phone_app *below = ((struct trust_dialog *)app)->below;

    if (below->ops->load)
        below->ops->load(below, in);
}

static void host_trust_dialog_close(struct phone_app *app)
{
    struct phone_app *below = ((struct trust_dialog *)app)->below;

    below->ops->close(below);
    free(app);
}

struct phone_app *host_trust_dialog_open(struct host_trust *trust,
                                         struct phone_app *below)
{
    static const struct phone_app_ops ops = {
        .build = host_trust_dialog_build,
        .handle = host_trust_dialog_handle,
        .save = host_trust_dialog_save,
        .load = host_trust_dialog_load,
        .close = host_trust_dialog_close,
        .changed = host_trust_dialog_changed,
        .calls = host_trust_dialog_calls,
    };
    struct trust_dialog *dialog = mem_new(1, sizeof(*dialog));

    dialog->app.ops = &ops;
    dialog->trust = trust;
    dialog->below = below;
    return &dialog->app;
}
