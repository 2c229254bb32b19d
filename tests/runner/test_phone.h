/* A built-in phone in this process, and a connection to it. */
#ifndef TESTS_RUNNER_TEST_PHONE_H
#define TESTS_RUNNER_TEST_PHONE_H

#include "adb/device/device.h"
#include "runner/device/actor.h"
#include "runner/observe/observer.h"
#include "tools/phone/phone.h"

#define SOON deadline_in_ms(60000)

struct test_phone {
    struct phone *phone;
    struct device *device;
    struct observer *observer;
    struct actor *actor;
    struct observation seen;
};

/* All of these fail the running test on errors. */
void test_phone_start(struct test_phone *phone,
                      const struct phone_options *options);
void test_phone_stop(struct test_phone *phone);

/* Disconnect, and connect again. */
void test_phone_reconnect(struct test_phone *phone);

/* The output of a command; valid until the next call. */
const char *test_phone_run(struct test_phone *phone, const char *command);

/* Observe with the tree, act, tap the node with this text or description. */
void test_phone_see(struct test_phone *phone);
void test_phone_do(struct test_phone *phone, const struct action *action);
void test_phone_tap(struct test_phone *phone, const char *what);
void test_phone_open(struct test_phone *phone, const char *app);

/* The node with this text, description or id; NULL if there is none. */
const struct tree_node *test_phone_find(const struct test_phone *phone,
                                        const char *what);

#endif
