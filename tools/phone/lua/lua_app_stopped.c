/* The dialog of an app that keeps stopping, as in Android. */
#include <stdio.h>

#include "tools/phone/lua/lua_app_private.h"
#include "tools/phone/system/intent.h"
#include "tools/phone/widgets/widget_kinds.h"
#include "tools/phone/widgets/widget_style.h"

/* Its buttons. */
enum { SHOW_INFO = -1, CLOSE_APP = -2 };

void lua_app_stop(struct lua_app *app, const struct err *why)
{
    char line[320];

    app->stopped = true;
    app->why = *why;
    lua_app_log(app, 'E', "AndroidRuntime", "FATAL EXCEPTION: main");
    snprintf(line, sizeof(line), "Process: %s", app->package.name);
    lua_app_log(app, 'E', "AndroidRuntime", line);
    lua_app_log(app, 'E', "AndroidRuntime", why->text);
    if (app->truth)
        truth_log_event(app->truth, lua_app_time(app), app->name, "stopped",
                        "[]");
}

static void add_choice(struct widget *dialog, const char *text,
                       const char *icon, const char *id, int action)
{
    struct widget *choice = widget_new(dialog, &kind_item);

    widget_set_id(choice, id);
    widget_set_text(choice, text);
    widget_set_action(choice, action, 0);
    choice->look.icon = icon_find(icon);
}

void lua_app_build_stopped(const struct lua_app *app,
                           const struct phone_surroundings *around,
                           struct widget_tree *tree)
{
    bool chinese = around->locale == LOCALE_ZH;
    struct widget *window = widget_window(tree, app->package.name);
    struct widget *dialog = widget_kinds_dialog(tree, "android");
    struct widget *title = widget_new(dialog, &kind_text);
    char text[128];

    widget_new(window, &kind_page);
    snprintf(text, sizeof(text), "%s%s",
             package_label(&app->package, around->locale),
             chinese ? "屡次停止运行" : " keeps stopping");
    widget_set_id(title, "android:id/alertTitle");
    widget_set_text(title, text);
    widget_style_apply(title, "headline_small");
    dialog->layout.gap = 0;
    add_choice(dialog, chinese ? "应用信息" : "App info", "info",
               "android:id/aerr_app_info", SHOW_INFO);
    add_choice(dialog, chinese ? "关闭应用" : "Close app", "close",
               "android:id/aerr_close", CLOSE_APP);
}

bool lua_app_handle_stopped(struct lua_app *app,
                            const struct phone_app_event *event)
{
    if (event->kind != APP_CLICK)
        return false;
    if (event->action == SHOW_INFO) {
        struct phone_intent intent = {
            .action = "android.settings.APPLICATION_DETAILS_SETTINGS"};
        char data[160];

        snprintf(data, sizeof(data), "package:%s", app->package.name);
        intent.data = data;
        task_stack_start(app->task_stack, &intent, app->package.uid, NULL);
    }
    task_stack_stop(app->task_stack, app->package.name, "crash");
    return true;
}
