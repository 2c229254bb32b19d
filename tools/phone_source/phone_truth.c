#include "tools/phone_source/phone_truth.h"

#include <cjson/cJSON.h>

/* The truth contains all events, and may be long. */
#define VERDICT_MAX ((size_t)16 << 20)

static struct phone *phone_of(struct truth_source *truth_source,
                              struct err *err)
{
    struct phone *phone = ((struct phone_truth *)truth_source)->phone;

    if (!phone)
        err_fill(err, ERR_LOST, "the phone is switched off");
    return phone;
}

static bool parse(struct buf *text, struct cJSON **json, struct err *err)
{
    *json = text->overflow
                ? NULL
                : cJSON_ParseWithLength(buf_cstr(text), text->length);
    return *json || err_set(err, ERR_LIMIT, "the truth is too long");
}

static bool facts(struct truth_source *truth_source, const char *truth,
                  struct cJSON **json, struct err *err)
{
    struct phone *phone = phone_of(truth_source, err);
    struct buf text = BUF_INIT(VERDICT_MAX);
    bool done = phone && phone_facts(phone, truth, &text, err) &&
                parse(&text, json, err);

    buf_release(&text);
    return done;
}

static bool judge(struct truth_source *truth_source, const char *truth,
                  const char *answer, struct cJSON **json, struct err *err)
{
    struct phone *phone = phone_of(truth_source, err);
    struct buf text = BUF_INIT(VERDICT_MAX);
    bool done = phone && phone_judge(phone, truth, answer, &text, err) &&
                parse(&text, json, err);

    buf_release(&text);
    return done;
}

static bool locate(struct truth_source *truth_source, const char *call,
                   struct truth_target *place, struct err *err)
{
    static const enum action_direction ways[] = {
        [SCREEN_STAY] = DIRECTION_NONE,
        [SCREEN_UPWARDS] = DIRECTION_UP,
        [SCREEN_DOWNWARDS] = DIRECTION_DOWN,
        [SCREEN_LEFTWARDS] = DIRECTION_LEFT,
        [SCREEN_RIGHTWARDS] = DIRECTION_RIGHT,
    };
    struct phone *phone = phone_of(truth_source, err);
    struct phone_place found;

    if (!phone)
        return false;
    found = phone_locate(phone, call);
    *place = (struct truth_target){.shown = found.shown,
                                   .at = {found.x, found.y},
                                   .scroll = ways[found.way]};
    return true;
}

void phone_truth_init(struct phone_truth *truth_source)
{
    static const struct truth_source_ops ops = {
        .facts = facts,
        .locate = locate,
        .judge = judge,
    };

    truth_source->truth_source.ops = &ops;
}
