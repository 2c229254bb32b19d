#include "tools/phone/popup.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "tools/phone/keycode.h"
#include "tools/phone/kinds.h"

/* Beyond all that apps have, so that what is theirs is told apart. */
enum action {
    CLOSE = 1 << 29,
};

/* What a kind says where it is told nothing, in both languages. */
static const struct looks {
    const char *package;
    const char *texts[2];
    const char *ids[2]; /* of its buttons, the one that declines first */
    const char *buttons[2][2];
} looks[] = {
    [POPUP_NOTICE] = {"com.android.systemui",
                      {"A system update is available", "有可用的系统更新"},
                      {"android:id/button2", "android:id/button1"},
                      {{"Later", "以后再说"}, {"OK", "确定"}}},
    [POPUP_PERMISSION] =
        {"com.android.permissioncontroller",
         {"Allow this app to send you notifications?",
          "要允许此应用向您发送通知吗？"},
         {"com.android.permissioncontroller:id/permission_deny_button",
          "com.android.permissioncontroller:id/permission_allow_button"},
         {{"Don’t allow", "不允许"}, {"Allow", "允许"}}},
};

/* What is shown. */
struct notice {
    enum popup_kind kind;
    char text[POPUP_TEXT_SIZE];
};

struct popup {
    struct app app;
    struct app *below;    /* owned */
    pthread_mutex_t lock; /* guards all below */
    struct notice notice;
    bool changed; /* since somebody asked */
};

static struct notice notice_of(struct popup *popup)
{
    struct notice notice;

    pthread_mutex_lock(&popup->lock);
    notice = popup->notice;
    pthread_mutex_unlock(&popup->lock);
    return notice;
}

static void set_notice(struct popup *popup, const struct notice *notice)
{
    pthread_mutex_lock(&popup->lock);
    popup->notice = *notice;
    popup->changed = true;
    pthread_mutex_unlock(&popup->lock);
}

void popup_show(struct popup *popup, enum popup_kind kind, const char *text)
{
    struct notice notice = {.kind = kind};

    snprintf(notice.text, sizeof(notice.text), "%s", text);
    set_notice(popup, &notice);
}

/* ---- what it looks like ---- */

static void build_notice(const struct notice *notice,
                         const struct surroundings *around,
                         struct widget_tree *tree)
{
    const struct looks *look = &looks[notice->kind];
    struct widget *window = widget_window(tree, look->package);
    struct widget *column = widget_new(window, &kind_column);
    struct widget *text = widget_new(column, &kind_text);
    struct widget *row = widget_new(column, &kind_row);

    window->flags |= WIDGET_DIALOG;
    window->layout.width = around->width - 48;
    window->layout.height = WIDGET_WRAP;
    window->look.background = around->theme->surface_container_high;
    window->look.radius = 28;
    column->layout = (struct widget_layout){
        .width = WIDGET_FILL, .gap = 20, .padding = {24, 24, 24, 16}};
    widget_set_id(text, "android:id/message");
    widget_set_text(text,
                    *notice->text ? notice->text : look->texts[around->locale]);
    text->layout.width = WIDGET_FILL;
    text->look.text_size = 18;
    text->look.ink = around->theme->on_surface;
    row->layout = (struct widget_layout){
        .width = WIDGET_FILL, .gap = 8, .across = WIDGET_END};
    for (size_t i = 0; i < 2; i++)
        kinds_text_button(row, look->ids[i], look->buttons[i][around->locale],
                          CLOSE);
}

static void build(struct app *app, const struct surroundings *around,
                  struct widget_tree *tree)
{
    struct popup *popup = (struct popup *)app;
    struct notice notice = notice_of(popup);

    popup->below->ops->build(popup->below, around, tree);
    if (notice.kind != POPUP_NONE)
        build_notice(&notice, around, tree);
}

/* ---- what it does ---- */

/* While it is there, nothing else is for the app below but time. */
static bool handle(struct app *app, const struct app_event *event)
{
    struct popup *popup = (struct popup *)app;
    bool passes = event->kind == APP_TIMER || event->kind == APP_INTENT ||
                  (event->kind == APP_KEY && event->key == KEY_HOME);
    bool closes = (event->kind == APP_CLICK && event->action == CLOSE) ||
                  (event->kind == APP_KEY &&
                   (event->key == KEY_BACK || event->key == KEY_ESCAPE));

    if (passes || notice_of(popup).kind == POPUP_NONE)
        return popup->below->ops->handle(popup->below, event);
    if (closes)
        set_notice(popup, &(struct notice){.kind = POPUP_NONE});
    return closes;
}

static bool changed(struct app *app)
{
    struct popup *popup = (struct popup *)app;
    const struct app_ops *below = popup->below->ops;
    bool looks_new = below->changed && below->changed(popup->below);

    pthread_mutex_lock(&popup->lock);
    looks_new = popup->changed || looks_new;
    popup->changed = false;
    pthread_mutex_unlock(&popup->lock);
    return looks_new;
}

static void calls(struct app *app, int action, int64_t argument,
                  struct buf *out)
{
    struct app *below = ((struct popup *)app)->below;

    if (action == CLOSE)
        buf_text(out, "popup.close");
    else if (below->ops->calls)
        below->ops->calls(below, action, argument, out);
}

static void save(struct app *app, struct buf *out)
{
    struct popup *popup = (struct popup *)app;
    struct notice notice = notice_of(popup);

    parcel_put_i64(out, notice.kind);
    parcel_put_text(out, notice.text);
    if (popup->below->ops->save)
        popup->below->ops->save(popup->below, out);
}

static void load(struct app *app, struct parcel *in)
{
    struct popup *popup = (struct popup *)app;
    struct notice notice;

    notice.kind = (enum popup_kind)parcel_i64(in, POPUP_NONE, POPUP_PERMISSION);
    parcel_text(in, notice.text, sizeof(notice.text));
    if (popup->below->ops->load)
        popup->below->ops->load(popup->below, in);
    if (!in->trial && !in->broken)
        set_notice(popup, &notice);
}

static void close_popup(struct app *app)
{
    struct popup *popup = (struct popup *)app;

    popup->below->ops->close(popup->below);
    pthread_mutex_destroy(&popup->lock);
    free(popup);
}

struct popup *popup_open(struct app *below)
{
    static const struct app_ops ops = {
        .build = build,
        .handle = handle,
        .save = save,
        .load = load,
        .close = close_popup,
        .changed = changed,
        .calls = calls,
    };
    struct popup *popup = mem_new(1, sizeof(*popup));

    popup->app.ops = &ops;
    popup->below = below;
    pthread_mutex_init(&popup->lock, NULL);
    return popup;
}

struct app *popup_app(struct popup *popup)
{
    return &popup->app;
}
