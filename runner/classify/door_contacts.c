#include "runner/classify/door_contacts.h"

#include "runner/classify/door_private.h"

/* The n-th finger that is down, or NULL. */
static const struct door_contact *contact(const struct door_contacts *contacts,
                                          size_t n)
{
    for (size_t i = 0; i < TOUCH_SLOTS; i++) {
        if (contacts->slots[i].active && !n--)
            return &contacts->slots[i];
    }
    return NULL;
}

static void lift(struct door_contacts *contacts, struct door_context *context)
{
    struct action action =
        contacts->pinches
            ? finger_gesture_pinch(&contacts->first, &contacts->second,
                                   context->now)
            : finger_gesture_up(&contacts->first, context->now);

    contacts->first.down = contacts->second.down = contacts->pinches = false;
    door_record_touch(context, action, true);
    action_release(&action);
}

static void place_second(struct door_contacts *contacts,
                         const struct door_contact *second, int64_t now,
                         int slop)
{
    if (contacts->pinches)
        finger_gesture_move(&contacts->second, second->at, now, slop);
    else
        finger_gesture_down(&contacts->second, second->at, now);
    contacts->pinches = true;
}

void door_contacts_report(struct door_contacts *contacts,
                          struct door_context *context)
{
    int slop = finger_gesture_slop(context->classifier->options.display.size);
    const struct door_contact *first = contact(contacts, 0);
    const struct door_contact *second = contact(contacts, 1);

    if (!first) {
        if (contacts->first.down)
            lift(contacts, context);
        return;
    }
    if (!contacts->first.down) {
        finger_gesture_down(&contacts->first, first->at, context->now);
        door_record_touch(
            context, door_action_at(ACTION_CLICK, first->at.x, first->at.y),
            false);
    } else if (!contacts->pinches || second) {
        finger_gesture_move(&contacts->first, first->at, context->now, slop);
    }
    if (second)
        place_second(contacts, second, context->now, slop);
}
