#include "tasks/task/action_table.h"

#include "base/macros.h"

/* The maximum side of a picture; points may lie a little outside of it. */
#define PIXEL_MAX 100000
#define INDEX_MAX 1000000

#define BIT ACTION_MEMBER_BIT
#define POINT (BIT(ACTION_MEMBER_X) | BIT(ACTION_MEMBER_Y))
#define SECOND_POINT (BIT(ACTION_MEMBER_X2) | BIT(ACTION_MEMBER_Y2))
#define INDEX BIT(ACTION_MEMBER_INDEX)
#define DIRECTION BIT(ACTION_MEMBER_DIRECTION)
#define TEXT BIT(ACTION_MEMBER_TEXT)
#define REPLACE BIT(ACTION_MEMBER_REPLACE)
#define SUBMIT BIT(ACTION_MEMBER_SUBMIT)
#define MILLISECONDS BIT(ACTION_MEMBER_MILLISECONDS)
#define EFFECT BIT(ACTION_MEMBER_EFFECT)

static const char *const direction_names[ACTION_DIRECTIONS] = {
    [DIRECTION_NONE] = "",       [DIRECTION_UP] = "up",
    [DIRECTION_DOWN] = "down",   [DIRECTION_LEFT] = "left",
    [DIRECTION_RIGHT] = "right",
};

static const char *const effect_names[ACTION_EFFECTS] = {
    [EFFECT_UNKNOWN] = "",
    [EFFECT_SETTING] = "setting",
    [EFFECT_APP_DATA] = "app_data",
    [EFFECT_PERMISSION] = "permission",
    [EFFECT_PACKAGE] = "package",
    [EFFECT_APP_STOP] = "app_stop",
    [EFFECT_DEEP_LINK] = "deep_link",
    [EFFECT_INTENT] = "intent",
    [EFFECT_KEYBOARD] = "keyboard",
    [EFFECT_CLIPBOARD] = "clipboard",
    [EFFECT_FILE] = "file",
    [EFFECT_ELEMENT] = "element",
    [EFFECT_PROGRAM] = "program",
};

static const struct action_member_info members[ACTION_MEMBERS] = {
    [ACTION_MEMBER_X] = {"x", ACTION_MEMBER_INTEGER, -PIXEL_MAX, PIXEL_MAX,
                         "horizontal position, in pixels of the screen"},
    [ACTION_MEMBER_Y] = {"y", ACTION_MEMBER_INTEGER, -PIXEL_MAX, PIXEL_MAX,
                         "vertical position, in pixels of the screen"},
    [ACTION_MEMBER_X2] = {"x2", ACTION_MEMBER_INTEGER, -PIXEL_MAX, PIXEL_MAX,
                          "horizontal position of the end of the gesture"},
    [ACTION_MEMBER_Y2] = {"y2", ACTION_MEMBER_INTEGER, -PIXEL_MAX, PIXEL_MAX,
                          "vertical position of the end of the gesture"},
    [ACTION_MEMBER_DIRECTION] = {"direction", ACTION_MEMBER_ENUM, 0,
                                 ACTION_DIRECTIONS - 1,
                                 "of a swipe or drag, the direction of the "
                                 "finger; of a scroll, that of the reader",
                                 direction_names},
    [ACTION_MEMBER_INDEX] = {"index", ACTION_MEMBER_INTEGER, 0, INDEX_MAX,
                             "number of a mark or of a listed element"},
    [ACTION_MEMBER_TEXT] = {"text", ACTION_MEMBER_STRING, 0,
                            (int64_t)ACTION_TEXT_MAX,
                            "what is typed, pressed, opened, asked or "
                            "answered, or the command"},
    [ACTION_MEMBER_REPLACE] = {"replace", ACTION_MEMBER_BOOLEAN, 0, 0,
                               "true: the text replaces the content of the "
                               "field"},
    [ACTION_MEMBER_SUBMIT] = {"submit", ACTION_MEMBER_BOOLEAN, 0, 0,
                              "true: Enter is pressed after the text"},
    [ACTION_MEMBER_MILLISECONDS] = {"milliseconds", ACTION_MEMBER_INTEGER, 0,
                                    ACTION_MILLISECONDS_MAX,
                                    "duration of a wait or of a gesture"},
    [ACTION_MEMBER_EFFECT] = {"effect", ACTION_MEMBER_ENUM, 0,
                              ACTION_EFFECTS - 1,
                              "what a command changes, if it is known",
                              effect_names},
};

static const struct action_info kinds[ACTION_KINDS] = {
    [ACTION_CLICK] = {.name = "click",
                      .reach = ACTION_REACH_TAP,
                      .either = {POINT, INDEX},
                      .summary = "Tap a point or an element"},
    [ACTION_LONG_PRESS] = {.name = "long_press",
                           .reach = ACTION_REACH_TAP,
                           .either = {POINT, INDEX},
                           .optional = MILLISECONDS,
                           .summary = "Press a point or an element for longer"},
    [ACTION_DOUBLE_TAP] = {.name = "double_tap",
                           .reach = ACTION_REACH_TAP,
                           .either = {POINT, INDEX},
                           .summary =
                               "Tap a point or an element twice in a row"},
    [ACTION_SWIPE] = {.name = "swipe",
                      .reach = ACTION_REACH_GESTURE,
                      .either = {POINT | SECOND_POINT, DIRECTION},
                      .optional = POINT | INDEX | MILLISECONDS,
                      .summary = "Move a finger from one point to another, or "
                                 "in a direction"},
    [ACTION_DRAG] = {.name = "drag",
                     .reach = ACTION_REACH_GESTURE,
                     .either = {POINT | SECOND_POINT, DIRECTION},
                     .optional = POINT | INDEX | MILLISECONDS,
                     .summary = "The same, but the pressed item moves along"},
    [ACTION_SCROLL] = {.name = "scroll",
                       .reach = ACTION_REACH_GESTURE,
                       .required = DIRECTION,
                       .optional = POINT | INDEX,
                       .summary = "Show more of a list or page in a direction"},
    [ACTION_TYPE] = {.name = "type",
                     .reach = ACTION_REACH_SCREEN,
                     .required = TEXT,
                     .optional = POINT | INDEX | REPLACE | SUBMIT,
                     .summary = "Type a text into the field with the focus, or "
                                "into the one at the point"},
    [ACTION_CLEAR] = {.name = "clear",
                      .reach = ACTION_REACH_SCREEN,
                      .optional = POINT | INDEX,
                      .summary = "Delete the content of that field"},
    [ACTION_ENTER] = {.name = "enter",
                      .reach = ACTION_REACH_SCREEN,
                      .summary = "Press Enter"},
    [ACTION_BACK] = {.name = "back",
                     .reach = ACTION_REACH_PHONE,
                     .summary = "Press Back"},
    [ACTION_HOME] = {.name = "home",
                     .reach = ACTION_REACH_PHONE,
                     .summary = "Press Home"},
    [ACTION_RECENTS] = {.name = "recents",
                        .reach = ACTION_REACH_PHONE,
                        .summary = "Show the apps that were used last"},
    [ACTION_KEY] = {.name = "key",
                    .reach = ACTION_REACH_PHONE,
                    .required = TEXT,
                    .optional = MILLISECONDS,
                    .summary = "Press another key (VOLUME_UP), keys together "
                               "(CTRL_LEFT+A), or one several times (DEL*3)"},
    [ACTION_OPEN_APP] = {.name = "open_app",
                         .reach = ACTION_REACH_PHONE,
                         .required = TEXT,
                         .summary = "Open an app, by its name or its package"},
    [ACTION_WAIT] = {.name = "wait",
                     .optional = MILLISECONDS,
                     .summary = "Do nothing for a while"},
    [ACTION_ASK] = {.name = "ask",
                    .required = TEXT,
                    .summary = "Ask the user of the phone"},
    [ACTION_ANSWER] = {.name = "answer",
                       .required = TEXT,
                       .ends = true,
                       .summary = "Give the answer that the task asks for"},
    [ACTION_COMPLETE] = {.name = "complete",
                         .optional = TEXT,
                         .ends = true,
                         .summary = "The task is done"},
    [ACTION_FAIL] = {.name = "fail",
                     .optional = TEXT,
                     .ends = true,
                     .summary = "Give up"},
    [ACTION_PINCH] = {.name = "pinch",
                      .reach = ACTION_REACH_GESTURE,
                      .required = TEXT,
                      .optional = POINT | MILLISECONDS,
                      .summary = "Two fingers moved in or out (recorded only)"},
    [ACTION_RAW] = {.name = "raw",
                    .reach = ACTION_REACH_PHONE,
                    .required = TEXT,
                    .optional = EFFECT,
                    .summary = "A command around the screen, or one that was "
                               "not understood (recorded only)"},
};

const struct action_info *action_table_kind(enum action_kind kind)
{
    return &kinds[kind];
}

const struct action_member_info *action_table_member(enum action_member member)
{
    return &members[member];
}

uint32_t action_table_members(enum action_kind kind)
{
    const struct action_info *info = &kinds[kind];

    return info->required | info->either[0] | info->either[1] | info->optional;
}

/* ---- as text ---- */

static void add_members(struct buf *text, uint32_t set)
{
    const char *between = "";

    for (int i = 0; i < ACTION_MEMBERS; i++) {
        if (!(set & ACTION_MEMBER_BIT(i)))
            continue;
        buf_printf(text, "%s`%s`", between, members[i].name);
        between = " ";
    }
}

static void add_required(struct buf *text, const struct action_info *info)
{
    add_members(text, info->required);
    if (!info->either[0])
        return;
    add_members(text, info->either[0]);
    buf_text(text, ", or ");
    add_members(text, info->either[1]);
}

void action_table_markdown(struct buf *text)
{
    buf_text(text, "| `action` | needs | may have | |\n"
                   "| --- | --- | --- | --- |\n");
    for (int i = 0; i < ACTION_KINDS; i++) {
        const struct action_info *info = &kinds[i];

        buf_printf(text, "| `%s` | ", info->name);
        add_required(text, info);
        buf_text(text, " | ");
        add_members(text, info->optional & ~info->either[0]);
        buf_printf(text, " | %s |\n", info->summary);
    }
    buf_text(text, "\n| member | |\n| --- | --- |\n");
    for (int i = 0; i < ACTION_MEMBERS; i++)
        buf_printf(text, "| `%s` | %s |\n", members[i].name,
                   members[i].summary);
}
