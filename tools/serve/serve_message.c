#include "tools/serve/serve_message.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/keycode.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/name_table.h"

#define COORDINATE_MAX 16384
#define FRAME_MAX UINT32_MAX
#define SKIN_MAX 1000000

/* The members that a verb has, beside id and do. */
enum {
    HAS_PHONE = 1 << 0,
    HAS_EPOCH = 1 << 1,
    HAS_WATCH = 1 << 2,
    HAS_WIDTH = 1 << 3,
    HAS_FRAME = 1 << 4,
    HAS_RUNG = 1 << 5,
    HAS_POINT = 1 << 6,
    HAS_TOUCH = 1 << 7,
    HAS_KEY = 1 << 8,
    HAS_TEXT = 1 << 9,
    HAS_COMMAND = 1 << 10,
    HAS_ADDRESS = 1 << 11,
    HAS_CODE = 1 << 12,
    HAS_NEW_PHONE = 1 << 13,
    HAS_VIDEO = 1 << 14,
    IS_ACT = 1 << 15,
    ADDS_PHONE = 1 << 16,
    MAY_HAVE_WATCH = 1 << 17,
};

#define DRIVES (HAS_PHONE | HAS_EPOCH | IS_ACT)
#define ADDS (IS_ACT | ADDS_PHONE)

static const struct {
    const char *name;
    unsigned has;
    enum view_command_kind kind; /* of verbs that are a view_command */
} verbs[SERVE_VERBS] = {
    [SERVE_PHONES] = {"phones", 0, 0},
    [SERVE_WATCH] = {"watch",
                     HAS_PHONE | HAS_WIDTH | HAS_VIDEO | MAY_HAVE_WATCH, 0},
    [SERVE_UNWATCH] = {"unwatch", HAS_WATCH, 0},
    [SERVE_SEEN] = {"seen", HAS_WATCH | HAS_FRAME, 0},
    [SERVE_RUNG] = {"rung", HAS_PHONE | HAS_RUNG | IS_ACT, 0},
    [SERVE_TAKE] = {"take", HAS_PHONE | IS_ACT, 0},
    [SERVE_RELEASE] = {"release", HAS_PHONE | IS_ACT, 0},
    [SERVE_TOUCH] = {"touch", DRIVES | HAS_FRAME | HAS_POINT | HAS_TOUCH,
                     VIEW_TOUCH},
    [SERVE_KEY] = {"key", DRIVES | HAS_KEY, VIEW_KEY},
    [SERVE_TEXT] = {"text", DRIVES | HAS_TEXT, VIEW_TEXT},
    [SERVE_PASTE] = {"paste", DRIVES | HAS_TEXT, VIEW_PASTE},
    [SERVE_ROTATE] = {"rotate", DRIVES, VIEW_ROTATE},
    [SERVE_LOCK] = {"lock", DRIVES, VIEW_LOCK},
    [SERVE_TREE] = {"tree", HAS_PHONE, VIEW_TREE},
    [SERVE_DESCRIBE] = {"describe", HAS_PHONE | HAS_POINT, VIEW_DESCRIBE},
    [SERVE_SCREENSHOT] = {"screenshot", HAS_PHONE, VIEW_SCREENSHOT},
    [SERVE_SHELL] = {"shell", DRIVES | HAS_COMMAND, VIEW_SHELL},
    [SERVE_CONNECT] = {"connect", HAS_ADDRESS | ADDS, 0},
    [SERVE_PAIR] = {"pair", HAS_ADDRESS | HAS_CODE | ADDS, 0},
    [SERVE_PAIR_QR] = {"pair_qr", ADDS, 0},
    [SERVE_START_PHONE] = {"start_phone", HAS_NEW_PHONE | ADDS, 0},
    [SERVE_STOP_PHONE] = {"stop_phone", HAS_PHONE | IS_ACT, 0},
    [SERVE_RECORD] = {"record", HAS_PHONE | IS_ACT, 0},
    [SERVE_RECORDINGS] = {"recordings", 0, 0},
    [SERVE_RECORDING] = {"recording", 0, 0},
    [SERVE_RECORD_STOP] = {"record_stop", IS_ACT, 0},
    [SERVE_RECORD_UNDO] = {"record_undo", IS_ACT, 0},
    [SERVE_RECORD_STAR] = {"record_star", IS_ACT, 0},
    [SERVE_RECORD_NOTE] = {"record_note", IS_ACT, 0},
    [SERVE_RECORD_DELETE] = {"record_delete", IS_ACT, 0},
    [SERVE_RECORD_EVIDENCE] = {"record_evidence", IS_ACT, 0},
    [SERVE_RECORD_WAIT] = {"record_wait", IS_ACT, 0},
    [SERVE_RECORD_ANSWER] = {"record_answer", IS_ACT, 0},
    [SERVE_RECORD_TRIM] = {"record_trim", IS_ACT, 0},
    [SERVE_RECORD_RENAME] = {"record_rename", IS_ACT, 0},
    [SERVE_RECORD_BLUR] = {"record_blur", IS_ACT, 0},
    [SERVE_RECORD_SPLIT] = {"record_split", IS_ACT, 0},
    [SERVE_RECORD_FORM] = {"record_form", 0, 0},
    [SERVE_RECORD_SAVE] = {"record_save", IS_ACT, 0},
    [SERVE_RECORD_TWINS] = {"record_twins", IS_ACT, 0},
    [SERVE_RECORD_RETAKE] = {"record_retake", HAS_PHONE | IS_ACT, 0},
};

#define EDITS RECORD_HAS_RECORDING
#define EDITS_STEP (EDITS | RECORD_HAS_STEP)
#define EDITS_NODE                                                             \
    (EDITS | RECORD_MAY_HAVE_STEP | RECORD_HAS_POINT | RECORD_HAS_ON)

/* The members about a recording. */
static const unsigned record_members[SERVE_VERBS] = {
    [SERVE_RECORD] = EDITS | RECORD_MAY_BE_IN_HAND,
    [SERVE_RECORDING] = EDITS,
    [SERVE_RECORD_STOP] = EDITS,
    [SERVE_RECORD_UNDO] = EDITS,
    [SERVE_RECORD_STAR] = EDITS_STEP | RECORD_HAS_ON,
    [SERVE_RECORD_NOTE] = EDITS_STEP | RECORD_HAS_NOTE,
    [SERVE_RECORD_DELETE] = EDITS_STEP | RECORD_HAS_ON,
    [SERVE_RECORD_EVIDENCE] = EDITS_NODE,
    [SERVE_RECORD_WAIT] = EDITS_NODE,
    [SERVE_RECORD_ANSWER] = EDITS_NODE,
    [SERVE_RECORD_TRIM] = EDITS | RECORD_HAS_RANGE,
    [SERVE_RECORD_RENAME] = EDITS | RECORD_HAS_NAME,
    [SERVE_RECORD_BLUR] = EDITS_STEP | RECORD_HAS_BOX,
    [SERVE_RECORD_SPLIT] = EDITS_STEP | RECORD_HAS_NAME,
    [SERVE_RECORD_FORM] = EDITS | RECORD_HAS_FORM,
    [SERVE_RECORD_SAVE] = EDITS | RECORD_HAS_FORM,
    [SERVE_RECORD_TWINS] = EDITS | RECORD_HAS_FORM,
    [SERVE_RECORD_RETAKE] = EDITS_STEP,
};

bool serve_verb_acts(enum serve_verb verb)
{
    return verbs[verb].has & IS_ACT;
}

bool serve_verb_adds(enum serve_verb verb)
{
    return verbs[verb].has & ADDS_PHONE;
}

void serve_message_release(struct serve_message *message)
{
    free(message->own_text);
    message->own_text = NULL;
    message->command.text = NULL;
    record_request_release(&message->record);
}

/* ---- single members ---- */

static bool read_int(const struct json *json, const char *key, int max,
                     int *number, struct err *err)
{
    int64_t value;

    if (!json_get_int(json, key, 0, max, &value, err))
        return false;
    *number = (int)value;
    return true;
}

static bool read_u32(const struct json *json, const char *key, uint32_t *number,
                     struct err *err)
{
    int64_t value;

    if (!json_get_int(json, key, 0, FRAME_MAX, &value, err))
        return false;
    *number = (uint32_t)value;
    return true;
}

/* A text that is not empty, into an array of this size. */
static bool read_name(const struct json *json, const char *key, char *name,
                      size_t size, struct err *err)
{
    const char *text;
    size_t length;

    if (!json_get_string(json, key, &text, err))
        return false;
    length = strlen(text);
    if (!length || length >= size)
        return err_set(err, ERR_INVALID, "\"%s\": give 1 to %zu bytes", key,
                       size - 1);
    memcpy(name, text, length + 1);
    return true;
}

static bool read_text(const struct json *json, const char *key,
                      struct serve_message *message, struct err *err)
{
    const char *text;

    if (!json_get_string(json, key, &text, err))
        return false;
    if (!*text || strlen(text) > VIEW_TEXT_MAX)
        return err_set(err, ERR_LIMIT, "\"%s\": give 1 to %zu bytes", key,
                       VIEW_TEXT_MAX);
    message->own_text = mem_dup(text);
    message->command.text = message->own_text;
    return true;
}

static bool read_choice(const struct json *json, const char *key,
                        const char *const *names, size_t count, size_t *choice,
                        struct err *err)
{
    const char *text;
    size_t found;

    if (!json_get_string(json, key, &text, err))
        return false;
    found = name_table_find(names, count, text);
    if (found == count)
        return err_set(err, ERR_INVALID, "\"%s\": unknown value \"%.40s\"", key,
                       text);
    *choice = found;
    return true;
}

/* ---- groups of members ---- */

static bool read_touch(const struct json *json, struct view_command *command,
                       struct err *err)
{
    static const char *const actions[] = {[VIEW_DOWN] = "down",
                                          [VIEW_MOVE] = "move",
                                          [VIEW_UP] = "up",
                                          [VIEW_CANCEL] = "cancel"};
    size_t action;

    if (!read_choice(json, "action", actions, ARRAY_LEN(actions), &action,
                     err) ||
        !read_int(json, "pointer", VIEW_POINTERS - 1, &command->pointer, err) ||
        !read_int(json, "width", COORDINATE_MAX, &command->width, err) ||
        !read_int(json, "height", COORDINATE_MAX, &command->height, err) ||
        !read_int(json, "ms", INT_MAX, &command->ms, err))
        return false;
    command->touch = (enum view_touch)action;
    return true;
}

/* Names of base/keycode.h, and the common one of recent apps. */
static bool read_key(const struct json *json, int *key, struct err *err)
{
    const char *text;

    if (!json_get_string(json, "key", &text, err))
        return false;
    if (!strcmp(text, "recents")) {
        *key = KEY_APP_SWITCH;
        return true;
    }
    return keycode_parse(text, key) ||
           err_set(err, ERR_INVALID, "\"key\": unknown key \"%.40s\"", text);
}

static bool read_rung(const struct json *json, enum live_rung *rung,
                      struct err *err)
{
    const char *text;

    if (!json_get_string(json, "rung", &text, err))
        return false;
    return live_rung_parse(text, rung) ||
           err_set(err, ERR_INVALID, "\"rung\": unknown value \"%.40s\"", text);
}

static bool read_new_phone(const struct json *json,
                           struct serve_message *message, struct err *err)
{
    static const char *const locales[] = {
        [LOCALE_EN] = "en", [LOCALE_ZH] = "zh"};
    size_t locale = LOCALE_EN;

    if (!json_opt_int(json, "seed", 0, JSON_INT_MAX, &message->seed, err) ||
        !json_opt_small(json, "skin", 0, SKIN_MAX, &message->skin, err) ||
        !json_opt_bool(json, "dark", &message->dark, err) ||
        !read_choice(json, "locale", locales, ARRAY_LEN(locales), &locale, err))
        return false;
    message->locale = (enum phone_locale)locale;
    return true;
}

/* ---- the message ---- */

static bool read_target(const struct json *json, struct serve_message *message,
                        unsigned has, struct err *err)
{
    int watch = 0;

    if ((has & HAS_PHONE) &&
        !read_name(json, "phone", message->phone, sizeof(message->phone), err))
        return false;
    if ((has & HAS_EPOCH) &&
        !read_u32(json, "epoch", &message->command.epoch, err))
        return false;
    if ((has & HAS_WATCH) && !read_int(json, "watch", UINT16_MAX, &watch, err))
        return false;
    if ((has & MAY_HAVE_WATCH) &&
        !json_opt_small(json, "watch", 1, UINT16_MAX, &watch, err))
        return false;
    message->watch = (uint16_t)watch;
    return (!(has & HAS_FRAME) ||
            read_u32(json, "frame", &message->command.frame, err)) &&
           (!(has & HAS_WIDTH) || read_int(json, "width", COORDINATE_MAX,
                                           &message->command.width, err)) &&
           (!(has & HAS_VIDEO) ||
            (json_opt_bool(json, "video", &message->video, err) &&
             json_opt_bool(json, "passive", &message->passive, err)));
}

static bool read_details(const struct json *json, struct serve_message *message,
                         unsigned has, struct err *err)
{
    struct view_command *command = &message->command;

    if ((has & HAS_POINT) &&
        (!read_int(json, "x", COORDINATE_MAX, &command->x, err) ||
         !read_int(json, "y", COORDINATE_MAX, &command->y, err)))
        return false;
    return (!(has & HAS_TOUCH) || read_touch(json, command, err)) &&
           (!(has & HAS_KEY) || read_key(json, &command->key, err)) &&
           (!(has & HAS_TEXT) || read_text(json, "text", message, err)) &&
           (!(has & HAS_COMMAND) || read_text(json, "command", message, err)) &&
           (!(has & HAS_RUNG) || read_rung(json, &message->rung, err)) &&
           (!(has & HAS_ADDRESS) || read_name(json, "address", message->address,
                                              sizeof(message->address), err)) &&
           (!(has & HAS_CODE) || read_name(json, "code", message->code,
                                           sizeof(message->code), err)) &&
           (!(has & HAS_NEW_PHONE) || read_new_phone(json, message, err));
}

static bool read_verb(const struct json *json, struct serve_message *message,
                      struct err *err)
{
    const char *name;

    if (!json_get_string(json, "do", &name, err))
        return false;
    for (size_t i = 0; i < SERVE_VERBS; i++) {
        if (!strcmp(verbs[i].name, name)) {
            message->verb = (enum serve_verb)i;
            message->command.kind = verbs[i].kind;
            return true;
        }
    }
    return err_set(err, ERR_INVALID, "\"do\": unknown value \"%.40s\"", name);
}

static bool read_message(const struct json *json, struct serve_message *message,
                         struct err *err)
{
    return json_as_object(json, err) &&
           json_opt_int(json, "id", 1, JSON_INT_MAX, &message->id, err) &&
           json_check_unique(json, err) && read_verb(json, message, err) &&
           read_target(json, message, verbs[message->verb].has, err) &&
           read_details(json, message, verbs[message->verb].has, err) &&
           record_request_read(json, record_members[message->verb],
                               &message->record, err);
}

bool serve_message_parse(struct serve_message *message, const char *text,
                         size_t length, struct err *err)
{
    struct cJSON *tree = NULL;
    bool done;

    *message = (struct serve_message){.video = true};
    if (length > SERVE_MESSAGE_MAX)
        return err_set(err, ERR_LIMIT, "the message is too long");
    if (!json_parse(text, length, &tree, err))
        return false;
    {
        const struct json json = JSON_ROOT(tree);

        done = read_message(&json, message, err);
    }
    cJSON_Delete(tree);
    return done;
}
