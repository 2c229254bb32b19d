#include "tests/runner/record/record_helper.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

struct recorder *record_helper_start(const char *name,
                                     struct fake_record_phone *phone)
{
    const struct recorder_options options = {
        .recordings = "recordings", .name = name, .phone = &phone->phone};
    struct recorder *recorder = NULL;
    struct err err = ERR_INIT;

    if (!recorder_open(&options, &recorder, &err))
        fail_msg("%s", err.text);
    return recorder;
}

const char *record_helper_folder(const char *name)
{
    static char folder[256];

    snprintf(folder, sizeof(folder), "recordings/%s", name);
    return folder;
}

void record_helper_load(const char *name, struct recording *recording)
{
    struct err err = ERR_INIT;

    if (!recording_check(record_helper_folder(name), &err) ||
        !recording_load(record_helper_folder(name), recording, &err))
        fail_msg("%s", err.text);
}

struct action record_helper_tap(void)
{
    return (struct action){.kind = ACTION_CLICK,
                           .has_from = true,
                           .from = fake_record_phone_button()};
}

int record_helper_step(struct recorder *recorder, const struct action *action)
{
    struct err err = ERR_INIT;
    int number = -1;

    if (!recorder_step(recorder, action, &number, &err))
        fail_msg("%s", err.text);
    return number;
}

void record_helper_finish(struct recorder *recorder)
{
    struct err err = ERR_INIT;

    if (!recorder_finish(recorder, &err))
        fail_msg("%s", err.text);
}
