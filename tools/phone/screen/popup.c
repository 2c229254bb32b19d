#include "tools/phone/screen/popup.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/keycode.h"
#include "base/mem.h"
#include "tools/phone/widgets/widget_kinds.h"

/* Ids above those of apps, so that they do not collide. */
enum popup_action {
    CLOSE = 1 << 29,
};

/* Title, default text and buttons of each kind, in both languages. */
static const struct looks {
    const char *package;
    const char *titles[2]; /* NULL: none */
    const char *texts[2];
    const char *ids[2]; /* labels of its buttons, the declining one first */
    const char *buttons[2][2];
} looks[POPUP_KINDS] = {
    [POPUP_NOTICE] = {"com.android.systemui",
                      {NULL, NULL},
                      {"A system update is available", "有可用的系统更新"},
                      {"android:id/button2", "android:id/button1"},
                      {{"Later", "以后再说"}, {"OK", "确定"}}},
    [POPUP_PERMISSION] =
        {"com.android.permissioncontroller",
         {NULL, NULL},
         {"Allow this app to send you notifications?",
          "要允许此应用向您发送通知吗？"},
         {"com.android.permissioncontroller:id/permission_deny_button",
          "com.android.permissioncontroller:id/permission_allow_button"},
         {{"Don’t allow", "不允许"}, {"Allow", "允许"}}},
    [POPUP_BATTERY] = {"com.android.systemui",
                       {"Battery low", "电池电量低"},
                       {"15 % remaining. The battery will last about 2 hours.",
                        "剩余电量 15%，大约还能用 2 小时。"},
                       {"android:id/button2", "android:id/button1"},
                       {{"Dismiss", "关闭"},
                        {"Turn on Battery Saver", "开启省电模式"}}},
    [POPUP_CALL] = {"com.android.dialer",
                    {"Incoming call", "来电"},
                    {"+1 555 0142\nSpringfield", "021 5550 0142\n上海"},
                    {"com.android.dialer:id/incoming_decline",
                     "com.android.dialer:id/incoming_answer"},
                    {{"Decline", "拒接"}, {"Answer", "接听"}}},
    [POPUP_UPDATE] = {"com.android.vending",
                      {"Update available", "发现新版本"},
                      {"A new version of this app brings fixes and a faster "
                       "start. Download it now? (24 MB)",
                       "新版本修复了若干问题，启动更快。现在下载吗？（24 MB）"},
                      {"com.android.vending:id/not_now",
                       "com.android.vending:id/update"},
                      {{"Not now", "暂不更新"}, {"Update", "立即更新"}}},
};

/* The current pop-up. */
struct notice {
    enum popup_kind kind;
    char text[POPUP_TEXT_SIZE];
};

struct popup {
    struct phone_app app;
    struct phone_app *below; /* owned */
    pthread_mutex_t lock;    /* guards everything below */
    struct notice notice;
    bool changed; /* since the last call of popup_changed() */
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

/* ---- appearance ---- */

static void build_notice(const struct notice *notice,
                         const struct phone_surroundings *around,
                         struct widget_tree *tree)
{
    const struct looks *look = &looks[notice->kind];
    struct widget *window = widget_window(tree, look->package);
    struct widget *column = widget_new(window, &kind_column);
    const char *title = look->titles[around->locale];
    struct widget *text, *row;

    window->flags |= WIDGET_DIALOG;
    window->layout.width = around->width - 48;
    window->layout.height = WIDGET_WRAP;
    window->look.background = around->theme->surface_container_high;
    window->look.radius = 28;
    column->layout = (struct widget_layout){
        .width = WIDGET_FILL, .gap = 20, .padding = {24, 24, 24, 16}};
    if (title)
        widget_kinds_text(column, "android:id/alertTitle", title, 24,
                          around->theme->on_surface);
    text = widget_new(column, &kind_text);
    widget_set_id(text, "android:id/message");
    widget_set_text(text,
                    *notice->text ? notice->text : look->texts[around->locale]);
    text->layout.width = WIDGET_FILL;
    text->look.text_size = 18;
    text->look.ink = around->theme->on_surface;
    row = widget_new(column, &kind_row);
    row->layout = (struct widget_layout){
        .width = WIDGET_FILL, .gap = 8, .across = WIDGET_END};
    for (size_t i = 0; i < 2; i++)
        widget_kinds_text_button(row, look->ids[i],
                                 look->buttons[i][around->locale], CLOSE);
}

static void popup_build(struct phone_app *app,
                        const struct phone_surroundings *around,
                        struct widget_tree *tree)
{
    struct popup *popup = (struct popup *)app;
    struct notice notice = notice_of(popup);

    popup->below->ops->build(popup->below, around, tree);
    if (notice.kind != POPUP_NONE)
        build_notice(&notice, around, tree);
}

/* ---- input ---- */

/* While it is shown, the app below gets only timers, intents and HOME. */
static bool popup_handle(struct phone_app *app,
                         const struct phone_app_event *event)
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

static bool popup_changed(struct phone_app *app)
{
    struct popup *popup = (struct popup *)app;
    const struct phone_app_ops *below = popup->below->ops;
    bool looks_new = below->changed && below->changed(popup->below);

    pthread_mutex_lock(&popup->lock);
    looks_new = popup->changed || looks_new;
    popup->changed = false;
    pthread_mutex_unlock(&popup->lock);
    return looks_new;
}

static void popup_calls(struct phone_app *app, int action, int64_t argument,
                        struct buf *out)
{
    struct phone_app *below = ((struct popup *)app)->below;

    if (action == CLOSE)
        buf_text(out, "popup.close");
    else if (below->ops->calls)
        below->ops->calls(below, action, argument, out);
}

static void popup_save(struct phone_app *app, struct buf *out)
{
    struct popup *popup = (struct popup *)app;
    struct notice notice = notice_of(popup);

    saved_state_put_i64(out, notice.kind);
    saved_state_put_text(out, notice.text);
    if (popup->below->ops->save)
        popup->below->ops->save(popup->below, out);
}

static void popup_load(struct phone_app *app, struct saved_state *in)
{
    struct popup *popup = (struct popup *)app;
    struct notice notice;

    notice.kind =
        (enum popup_kind)saved_state_i64(in, POPUP_NONE, POPUP_KINDS - 1);
    saved_state_text(in, notice.text, sizeof(notice.text));
    if (popup->below->ops->load)
        popup->below->ops->load(popup->below, in);
    if (!in->trial && !in->broken)
        set_notice(popup, &notice);
}

static void popup_close(struct phone_app *app)
{
    struct popup *popup = (struct popup *)app;

    popup->below->ops->close(popup->below);
    pthread_mutex_destroy(&popup->lock);
    free(popup);
}

struct popup *popup_open(struct phone_app *below)
{
    static const struct phone_app_ops ops = {
        .build = popup_build,
        .handle = popup_handle,
        .save = popup_save,
        .load = popup_load,
        .close = popup_close,
        .changed = popup_changed,
        .calls = popup_calls,
    };
    struct popup *popup = mem_new(1, sizeof(*popup));

    popup->app.ops = &ops;
    popup->below = below;
    pthread_mutex_init(&popup->lock, NULL);
    return popup;
}

struct phone_app *popup_app(struct popup *popup)
{
    return &popup->app;
}
