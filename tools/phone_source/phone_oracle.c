#include "tools/phone_source/phone_oracle.h"

#include <cjson/cJSON.h>

/* What happened may be long: every event is told. */
#define VERDICT_MAX ((size_t)16 << 20)

static struct phone *phone_of(struct oracle *oracle, struct err *err)
{
    struct phone *phone = ((struct phone_oracle *)oracle)->phone;

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

static bool facts(struct oracle *oracle, const char *truth, struct cJSON **json,
                  struct err *err)
{
    struct phone *phone = phone_of(oracle, err);
    struct buf text = BUF_INIT(VERDICT_MAX);
    bool done = phone && phone_facts(phone, truth, &text, err) &&
                parse(&text, json, err);

    buf_release(&text);
    return done;
}

static bool judge(struct oracle *oracle, const char *truth, const char *answer,
                  struct cJSON **json, struct err *err)
{
    struct phone *phone = phone_of(oracle, err);
    struct buf text = BUF_INIT(VERDICT_MAX);
    bool done = phone && phone_judge(phone, truth, answer, &text, err) &&
                parse(&text, json, err);

    buf_release(&text);
    return done;
}

static bool locate(struct oracle *oracle, const char *call,
                   struct oracle_place *place, struct err *err)
{
    static const enum action_direction ways[] = {
        [SCREEN_STAY] = DIRECTION_NONE,
        [SCREEN_UPWARDS] = DIRECTION_UP,
        [SCREEN_DOWNWARDS] = DIRECTION_DOWN,
        [SCREEN_LEFTWARDS] = DIRECTION_LEFT,
        [SCREEN_RIGHTWARDS] = DIRECTION_RIGHT,
    };
    struct phone *phone = phone_of(oracle, err);
    struct screen_place found;

    if (!phone)
        return false;
    found = phone_locate(phone, call);
    *place = (struct oracle_place){.shown = found.shown,
                                   .at = {found.x, found.y},
                                   .scroll = ways[found.way]};
    return true;
}

void phone_oracle_init(struct phone_oracle *oracle)
{
    static const struct oracle_ops ops = {
        .facts = facts,
        .locate = locate,
        .judge = judge,
    };

    oracle->oracle.ops = &ops;
}
