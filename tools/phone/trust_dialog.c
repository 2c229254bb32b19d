#include "tools/phone/trust_dialog.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "tools/phone/keycode.h"
#include "tools/phone/kinds.h"

#define PACKAGE "com.android.systemui"

/* Beyond all that apps have, so that what is theirs is told apart. */
enum action {
    TOGGLE = 1 << 30,
    CANCEL,
    ALLOW,
};

enum word {
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
    struct app app;
    struct trust *trust; /* borrowed */
    struct app *below;   /* owned */
};

/* ---- what it looks like ---- */

struct build {
    const struct trust_prompt *prompt;
    const struct surroundings *around;
    const struct theme *theme;
};

static const char *say(const struct build *build, enum word word)
{
    return words[word][build->around->locale];
}

static void add_message(const struct build *build, struct widget *column)
{
    char text[256];

    snprintf(text, sizeof(text), "%s\n%s", say(build, WORD_FINGERPRINT),
             build->prompt->fingerprint);
    kinds_text(column, "android:id/message", text, 16,
               build->theme->on_surface_variant)
        ->layout.width = WIDGET_FILL;
}

static void add_box(const struct build *build, struct widget *column)
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
    kinds_text(row, "label", say(build, WORD_ALWAYS), 15,
               build->theme->on_surface);
}

static void add_buttons(const struct build *build, struct widget *column)
{
    struct widget *row = widget_new(column, &kind_row);

    row->layout = (struct widget_layout){
        .width = WIDGET_FILL, .gap = 8, .across = WIDGET_END};
    kinds_text_button(row, "android:id/button2", say(build, WORD_CANCEL),
                      CANCEL);
    kinds_text_button(row, "android:id/button1", say(build, WORD_ALLOW), ALLOW);
}

static void build_dialog(const struct build *build, struct widget_tree *tree)
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
    kinds_text(column, "android:id/alertTitle", say(build, WORD_TITLE), 24,
               build->theme->on_surface);
    add_message(build, column);
    add_box(build, column);
    add_buttons(build, column);
}

static void build(struct app *app, const struct surroundings *around,
                  struct widget_tree *tree)
{
    struct trust_dialog *dialog = (struct trust_dialog *)app;
    struct trust_prompt prompt;
    const struct build build = {&prompt, around, around->theme};

    dialog->below->ops->build(dialog->below, around, tree);
    if (trust_prompt(dialog->trust, &prompt))
        build_dialog(&build, tree);
}

/* ---- what it does ---- */

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

/* While it is there, nothing else is for the app below but time. */
static bool handle_prompt(struct trust_dialog *dialog,
                          const struct app_event *event)
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

static bool handle(struct app *app, const struct app_event *event)
{
    struct trust_dialog *dialog = (struct trust_dialog *)app;
    struct trust_prompt prompt;
    bool passes = event->kind == APP_TIMER || event->kind == APP_INTENT ||
                  (event->kind == APP_KEY && event->key == KEY_HOME);

    if (!passes && trust_prompt(dialog->trust, &prompt))
        return handle_prompt(dialog, event);
    return dialog->below->ops->handle(dialog->below, event);
}

static bool changed(struct app *app)
{
    struct trust_dialog *dialog = (struct trust_dialog *)app;
    const struct app_ops *below = dialog->below->ops;
    bool looks = below->changed && below->changed(dialog->below);

    return trust_changed(dialog->trust) || looks;
}

static void calls(struct app *app, int action, int64_t argument,
                  struct buf *out)
{
    struct app *below = ((struct trust_dialog *)app)->below;

    if (action == TOGGLE)
        buf_text(out, "trust.always");
    else if (action == ALLOW || action == CANCEL)
        buf_text(out, action == ALLOW ? "trust.allow" : "trust.cancel");
    else if (below->ops->calls)
        below->ops->calls(below, action, argument, out);
}

/* A prompt is of a computer that is there now: snapshots hold none. */
static void save(struct app *app, struct buf *out)
{
    struct app *below = ((struct trust_dialog *)app)->below;

    if (below->ops->save)
        below->ops->save(below, out);
}

static void load(struct app *app, struct parcel *in)
{
    struct app *below = ((struct trust_dialog *)app)->below;

    if (below->ops->load)
        below->ops->load(below, in);
}

static void close_dialog(struct app *app)
{
    struct app *below = ((struct trust_dialog *)app)->below;

    below->ops->close(below);
    free(app);
}

struct app *trust_dialog_open(struct trust *trust, struct app *below)
{
    static const struct app_ops ops = {
        .build = build,
        .handle = handle,
        .save = save,
        .load = load,
        .close = close_dialog,
        .changed = changed,
        .calls = calls,
    };
    struct trust_dialog *dialog = mem_new(1, sizeof(*dialog));

    dialog->app.ops = &ops;
    dialog->trust = trust;
    dialog->below = below;
    return &dialog->app;
}
