#include "runner/classify/door_sendevent.h"

#include <stdlib.h>
#include <string.h>

#include "runner/classify/door_shell.h"
#include "runner/touch/evdev_keys.h"

/* ---- events ---- */

/* A report is complete: the fingers in pixels. */
static void report(struct door_sendevent *events, struct door_context *context)
{
    const struct touch_display *display = &context->classifier->options.display;

    for (size_t i = 0; i < TOUCH_SLOTS; i++) {
        const struct finger_slot *slot = &events->decoder.slots[i];
        struct door_contact *contact = &events->contacts.slots[i];

        contact->active = false;
        if (slot->active)
            contact->active = touch_display_pixel(display, events->device,
                                                  slot->raw, &contact->at);
    }
    door_contacts_report(&events->contacts, context);
}

static bool add_key(struct door_context *context,
                    const struct door_event *event)
{
    int key;

    if (event->type != EVDEV_EV_KEY || !evdev_key(event->code, &key))
        return false;
    if (event->value == 1)
        door_record_key(context, key, 0);
    return true;
}

bool door_sendevent_add(struct door_sendevent *events,
                        struct door_context *context,
                        const struct door_event *event)
{
    if (event->type == EVDEV_EV_ABS)
        events->device = event->device;
    switch (touch_event_decoder_add(&events->decoder, event->type, event->code,
                                    event->value)) {
    case TOUCH_EVENT_REPORT:
    case TOUCH_EVENT_LOST:
        report(events, context);
        return true;
    case TOUCH_EVENT_TAKEN:
        return true;
    case TOUCH_EVENT_UNKNOWN:
        break;
    }
    return add_key(context, event);
}

/* ---- the command ---- */

/* The phone's touch screens, asked for when they are first needed. */
static const struct touch_devices *touch_of(struct door_classifier *classifier)
{
    const struct door_options *options = &classifier->options;

    if (!classifier->has_touch)
        options->find_touch(options->context, &classifier->touch);
    classifier->has_touch = true;
    return &classifier->touch;
}

/* Which device is it? False: not a touch screen, so its axes mean nothing. */
static bool find_device(struct door_classifier *classifier, const char *path,
                        struct door_event *event)
{
    if (event->type != EVDEV_EV_ABS || !classifier->options.find_touch)
        return true;
    event->device = touch_devices_find(touch_of(classifier), path);
    return event->device;
}

/* DEVICE TYPE CODE VALUE */
static bool read_event(struct door_context *context, struct door_args args,
                       struct door_event *event)
{
    long long numbers[3] = {0, 0, 0};

    if (args.count != 4 || !door_args_all_known(args) || context->uncertain)
        return false;
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        char *end;

        numbers[i] = strtoll(args.words[i + 1], &end, 10);
        if (*end || end == args.words[i + 1] || numbers[i] < INT32_MIN ||
            numbers[i] > UINT32_MAX)
            return false;
    }
    if (numbers[0] < 0 || numbers[1] < 0)
        return false;
    *event = (struct door_event){
        .type = (unsigned)numbers[0],
        .code = (unsigned)numbers[1],
        .value = numbers[2],
    };
    return find_device(context->classifier, args.words[0], event);
}

void door_sendevent_run(struct door_shell *shell, struct door_args args)
{
    struct door_context *context = &shell->context;
    struct door_event event;

    if (!read_event(context, args, &event) ||
        !door_sendevent_add(&context->classifier->events, context, &event))
        door_record_raw(context, EFFECT_UNKNOWN);
}
