#include "runner/session/popup_handlers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* An app with a button "Later" at the top, and a text of another package. */
#define SCREEN(package, text, below)                                           \
    "<hierarchy rotation=\"0\">"                                               \
    "<node class=\"android.widget.Button\" package=\"com.example\" "           \
    "text=\"Later\" clickable=\"true\" bounds=\"[0,0][200,100]\"/>"            \
    "<node class=\"android.widget.TextView\" package=\"" package "\" "         \
    "text=\"" text "\" bounds=\"[0,200][200,300]\"/>" below "</hierarchy>"

#define BUTTON(package, id)                                                    \
    "<node class=\"android.widget.Button\" package=\"" package "\" "           \
    "resource-id=\"" id "\" text=\"Later\" clickable=\"true\" "                \
    "bounds=\"[0,300][200,400]\"/>"

/* Is there a known pop-up on the screen? *at is where to tap. */
static bool find(const char *xml, struct action_point *at)
{
    struct popup_handlers *handlers = NULL;
    struct observation seen;
    struct err err = ERR_INIT;
    bool found;

    observation_init(&seen);
    seen.screen = (struct extent){1080, 2400};
    seen.has_tree = true;
    if (!tree_read(&seen.tree, xml, strlen(xml), &err) ||
        !popup_handlers_open(NULL, &handlers, &err))
        fail_msg("%s", err.text);
    found = popup_handlers_find(handlers, &seen, at);
    popup_handlers_close(handlers);
    observation_release(&seen);
    return found;
}

static void only_buttons_of_the_popup_are_tapped(void **state)
{
    struct action_point at = {0, 0};

    (void)state;
    assert_true(find(SCREEN("com.android.systemui", "System update",
                            BUTTON("com.android.systemui", "a:id/b")),
                     &at));
    assert_in_range(at.y, 300, 399);
    assert_false(
        find(SCREEN("com.android.systemui", "System update", ""), &at));
}

static void packages_are_compared_as_a_whole(void **state)
{
    struct action_point at;

    (void)state;
    assert_true(find(SCREEN("android", "App isn't responding",
                            BUTTON("android", "android:id/aerr_wait")),
                     &at));
    assert_false(
        find(SCREEN("com.android.mail", "The server isn't responding",
                    BUTTON("com.android.mail", "android:id/aerr_wait")),
             &at));
}

static void a_package_with_a_dot_in_front_is_an_end(void **state)
{
    struct action_point at;

    (void)state;
    assert_true(find(SCREEN("com.google.android.permissioncontroller",
                            "Allow notifications?",
                            BUTTON("com.google.android.permissioncontroller",
                                   "com.android.permissioncontroller:id/"
                                   "permission_deny_button")),
                     &at));
    assert_false(
        find(SCREEN("com.mypermissioncontroller", "Allow notifications?",
                    BUTTON("com.mypermissioncontroller",
                           "com.android.permissioncontroller:id/"
                           "permission_deny_button")),
             &at));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_buttons_of_the_popup_are_tapped),
        cmocka_unit_test(packages_are_compared_as_a_whole),
        cmocka_unit_test(a_package_with_a_dot_in_front_is_an_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
