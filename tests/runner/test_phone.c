#include "tests/runner/test_phone.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "adb/services/shell.h"

static struct device *connect_to(const struct phone *phone)
{
    struct device *device = NULL;
    struct err err = ERR_INIT;

    if (!device_open_tcp("127.0.0.1", phone_port(phone),
                         &(struct device_options){.log = NULL}, SOON, &device,
                         &err))
        fail_msg("%s", err.text);
    return device;
}

void test_phone_start(struct test_phone *phone,
                      const struct phone_options *options)
{
    struct err err = ERR_INIT;

    *phone = (struct test_phone){.phone = NULL};
    observation_init(&phone->seen);
    if (!phone_start(options, &phone->phone, &err))
        fail_msg("%s", err.text);
    phone->device = connect_to(phone->phone);
    if (!observer_open(phone->device, &(struct observer_options){0}, SOON,
                       &phone->observer, &err) ||
        !actor_open(phone->device, &(struct actor_options){0}, SOON,
                    &phone->actor, &err))
        fail_msg("%s", err.text);
}

void test_phone_stop(struct test_phone *phone)
{
    actor_close(phone->actor);
    observer_close(phone->observer);
    observation_release(&phone->seen);
    device_close(phone->device);
    phone_stop(phone->phone);
}

void test_phone_reconnect(struct test_phone *phone)
{
    device_close(phone->device);
    phone->device = connect_to(phone->phone);
    observer_set_device(phone->observer, phone->device);
    actor_set_device(phone->actor, phone->device);
}

const char *test_phone_run(struct test_phone *phone, const char *command)
{
    static char said[16384];
    struct shell_result result;
    struct err err = ERR_INIT;

    if (!shell_run(phone->device, command, sizeof(said) - 1, SOON, &result,
                   &err))
        fail_msg("%s: %s", command, err.text);
    snprintf(said, sizeof(said), "%s", buf_cstr(&result.out));
    shell_result_release(&result);
    return said;
}

void test_phone_see(struct test_phone *phone)
{
    struct err err = ERR_INIT;

    if (!observer_observe(phone->observer, SOON, &phone->seen, &err))
        fail_msg("%s", err.text);
}

void test_phone_do(struct test_phone *phone, const struct action *action)
{
    struct err err = ERR_INIT;

    if (!actor_perform(phone->actor, action, (struct extent){1080, 2400}, SOON,
                       &err))
        fail_msg("%s", err.text);
    observer_note_action(phone->observer);
}

const struct tree_node *test_phone_find(const struct test_phone *phone,
                                        const char *what)
{
    const struct tree *tree = &phone->seen.tree;

    for (uint32_t i = 0; phone->seen.has_tree && i < tree->count; i++) {
        const struct tree_node *node = &tree->nodes[i];
        const char *id = strstr(node->id, ":id/");

        if (!strcmp(node->text, what) || !strcmp(node->description, what) ||
            (id && !strcmp(id + 4, what)))
            return node;
    }
    return NULL;
}

void test_phone_tap(struct test_phone *phone, const char *what)
{
    const struct tree_node *node = test_phone_find(phone, what);

    if (!node)
        fail_msg("no %s in %s", what, buf_cstr(&phone->seen.xml));
    test_phone_do(phone,
                  &(struct action){
                      .kind = ACTION_CLICK,
                      .has_from = true,
                      .from = {(node->bounds.left + node->bounds.right) / 2,
                               (node->bounds.top + node->bounds.bottom) / 2}});
}

void test_phone_open(struct test_phone *phone, const char *app)
{
    char name[128];

    snprintf(name, sizeof(name), "%s", app);
    test_phone_do(phone,
                  &(struct action){.kind = ACTION_OPEN_APP, .text = name});
}
