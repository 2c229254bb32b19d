#include "runner/touch/touch_event_decoder.h"

#define RELEASED UINT32_MAX /* as a tracking id: -1 */
#define POSITION_MAX 1000000

static int limited(int64_t value)
{
    if (value < -POSITION_MAX)
        return -POSITION_MAX;
    return value > POSITION_MAX ? POSITION_MAX : (int)value;
}

static void release_all(struct touch_event_decoder *decoder)
{
    for (size_t i = 0; i < TOUCH_SLOTS; i++)
        decoder->slots[i].active = false;
}

/* ---- values of the current finger ---- */

/* Where values go: protocol A has no slots. NULL: a slot too many. */
static struct finger_slot *current(struct touch_event_decoder *decoder)
{
    if (decoder->reports)
        return &decoder->contact;
    return decoder->slot < TOUCH_SLOTS ? &decoder->slots[decoder->slot] : NULL;
}

static void place(struct finger_slot *slot, unsigned code, int64_t value)
{
    if (code == EVDEV_ABS_MT_POSITION_X)
        slot->raw.x = limited(value);
    else
        slot->raw.y = limited(value);
    slot->has_position = true;
}

static void set_position(struct touch_event_decoder *decoder, unsigned code,
                         int64_t value)
{
    struct finger_slot *slot = current(decoder);

    decoder->many = true;
    if (!slot)
        return;
    place(slot, code, value);
    if (decoder->reports)
        return;
    place(&decoder->contact, code, value); /* it may yet be protocol A */
    if (!decoder->tracks)
        slot->active = true;
}

static void set_id(struct touch_event_decoder *decoder, int64_t value)
{
    struct finger_slot *slot = current(decoder);
    bool down = value >= 0 && value != RELEASED;

    decoder->tracks = true;
    decoder->contact.id = down ? value + 1 : 0;
    if (!slot)
        return;
    slot->id = decoder->contact.id;
    slot->active = down && !decoder->reports;
}

/* A pressure or size of 0 lifts a finger that no tracking id lifts. */
static void set_weight(struct touch_event_decoder *decoder, int64_t value,
                       bool *above_zero, bool *is_zero)
{
    struct finger_slot *slot = current(decoder);

    *above_zero |= value > 0;
    if (*is_zero && value > 0 && !decoder->tracks && !decoder->reports)
        slot->active = slot->has_position;
    *is_zero = *above_zero && value <= 0;
}

static void add_axis(struct touch_event_decoder *decoder, unsigned code,
                     int64_t value)
{
    struct finger_slot *slot = current(decoder);

    switch (code) {
    case EVDEV_ABS_MT_SLOT:
        decoder->slot =
            value >= 0 && value < TOUCH_SLOTS ? (unsigned)value : TOUCH_SLOTS;
        break;
    case EVDEV_ABS_MT_TRACKING_ID:
        set_id(decoder, value);
        break;
    case EVDEV_ABS_MT_POSITION_X:
    case EVDEV_ABS_MT_POSITION_Y:
        set_position(decoder, code, value);
        break;
    case EVDEV_ABS_X:
        decoder->single.x = limited(value);
        decoder->single_moved = true;
        break;
    case EVDEV_ABS_Y:
        decoder->single.y = limited(value);
        decoder->single_moved = true;
        break;
    case EVDEV_ABS_MT_PRESSURE:
    case EVDEV_ABS_PRESSURE:
        if (slot)
            set_weight(decoder, value, &decoder->presses, &slot->no_pressure);
        break;
    case EVDEV_ABS_MT_TOUCH_MAJOR:
        if (slot)
            set_weight(decoder, value, &decoder->sizes, &slot->no_size);
        break;
    default:
        break; /* the angle, the tool and such */
    }
}

/* ---- protocol A ---- */

static void end_contact(struct touch_event_decoder *decoder)
{
    struct finger_slot *contact = &decoder->contact;

    if (!decoder->reports)
        release_all(decoder);
    decoder->reports = true;
    if (contact->has_position && !contact->no_pressure && !contact->no_size &&
        decoder->contact_count < TOUCH_SLOTS)
        decoder->contacts[decoder->contact_count++] = *contact;
    *contact = (struct finger_slot){.id = 0};
}

static int64_t distance(struct action_point a, struct action_point b)
{
    int64_t x = (int64_t)a.x - b.x;
    int64_t y = (int64_t)a.y - b.y;

    return x * x + y * y;
}

/* How far are they apart? -1: they are different fingers. */
static int64_t difference(const struct finger_slot *slot,
                          const struct finger_slot *contact)
{
    if (!slot->active || contact->active)
        return -1;
    if (slot->id || contact->id)
        return slot->id == contact->id ? 0 : -1;
    return distance(slot->raw, contact->raw);
}

/* Give the nearest contact to its slot. False when none is left to give. */
static bool match_nearest(struct touch_event_decoder *decoder,
                          bool matched[TOUCH_SLOTS])
{
    int64_t best = -1;
    size_t best_slot = 0;
    size_t best_contact = 0;

    for (size_t i = 0; i < TOUCH_SLOTS; i++) {
        for (size_t j = 0; !matched[i] && j < decoder->contact_count; j++) {
            int64_t apart =
                difference(&decoder->slots[i], &decoder->contacts[j]);

            if (apart < 0 || (best >= 0 && apart >= best))
                continue;
            best = apart;
            best_slot = i;
            best_contact = j;
        }
    }
    if (best < 0)
        return false;
    matched[best_slot] = true;
    decoder->contacts[best_contact].active = true;
    decoder->slots[best_slot] = decoder->contacts[best_contact];
    return true;
}

/* Fingers keep their slots from report to report. */
static void match_contacts(struct touch_event_decoder *decoder)
{
    bool matched[TOUCH_SLOTS] = {false};
    size_t free_slot = 0;

    while (match_nearest(decoder, matched))
        ;
    for (size_t i = 0; i < TOUCH_SLOTS; i++)
        decoder->slots[i].active = matched[i];
    for (size_t j = 0; j < decoder->contact_count; j++) {
        if (decoder->contacts[j].active)
            continue;
        while (free_slot < TOUCH_SLOTS && decoder->slots[free_slot].active)
            free_slot++;
        decoder->contacts[j].active = true;
        decoder->slots[free_slot] = decoder->contacts[j];
    }
    decoder->contact_count = 0;
}

/* ---- reports ---- */

/* One finger by ABS_X, ABS_Y, BTN_TOUCH. */
static void place_single(struct touch_event_decoder *decoder)
{
    struct finger_slot *slot = &decoder->slots[0];

    if (decoder->single_moved) {
        slot->raw = decoder->single;
        slot->has_position = true;
    }
    slot->active = slot->has_position && !slot->no_pressure &&
                   (decoder->touching || decoder->presses);
}

/* Fingers that no tracking id puts down or lifts. */
static void place_untracked(struct touch_event_decoder *decoder)
{
    struct finger_slot *slot = current(decoder);

    if (decoder->touched && decoder->touching && slot && slot->has_position)
        slot->active = true;
    for (size_t i = 0; i < TOUCH_SLOTS; i++) {
        slot = &decoder->slots[i];
        if (slot->no_pressure || slot->no_size)
            slot->active = false;
    }
}

static enum touch_decoded end_report(struct touch_event_decoder *decoder)
{
    if (decoder->is_broken) {
        decoder->is_broken = false;
        return TOUCH_EVENT_TAKEN;
    }
    if (decoder->reports)
        match_contacts(decoder);
    else if (!decoder->many && !decoder->tracks)
        place_single(decoder);
    else if (!decoder->tracks)
        place_untracked(decoder);
    decoder->contact = (struct finger_slot){.id = 0};
    decoder->single_moved = decoder->touched = false;
    return TOUCH_EVENT_REPORT;
}

static enum touch_decoded lose(struct touch_event_decoder *decoder)
{
    release_all(decoder);
    decoder->contact_count = 0;
    decoder->touching = decoder->touched = decoder->single_moved = false;
    decoder->is_broken = true;
    return TOUCH_EVENT_LOST;
}

static enum touch_decoded add_sync(struct touch_event_decoder *decoder,
                                   unsigned code)
{
    if (code == EVDEV_SYN_REPORT)
        return end_report(decoder);
    if (code == EVDEV_SYN_DROPPED)
        return lose(decoder);
    if (code == EVDEV_SYN_MT_REPORT && !decoder->is_broken)
        end_contact(decoder);
    return TOUCH_EVENT_TAKEN;
}

static enum touch_decoded add_button(struct touch_event_decoder *decoder,
                                     unsigned code, int64_t value)
{
    if (code != EVDEV_BTN_TOUCH)
        return code == EVDEV_BTN_TOOL_FINGER ? TOUCH_EVENT_TAKEN
                                             : TOUCH_EVENT_UNKNOWN;
    decoder->touching = value != 0;
    decoder->touched = true;
    if (!value) {
        release_all(decoder);
        decoder->contact_count = 0;
    }
    return TOUCH_EVENT_TAKEN;
}

enum touch_decoded touch_event_decoder_add(struct touch_event_decoder *decoder,
                                           unsigned type, unsigned code,
                                           int64_t value)
{
    if (type == EVDEV_EV_SYN)
        return add_sync(decoder, code);
    if (decoder->is_broken && type <= EVDEV_EV_ABS)
        return TOUCH_EVENT_TAKEN;
    if (type == EVDEV_EV_KEY)
        return add_button(decoder, code, value);
    if (type != EVDEV_EV_ABS)
        return TOUCH_EVENT_UNKNOWN;
    add_axis(decoder, code, value);
    return TOUCH_EVENT_TAKEN;
}
