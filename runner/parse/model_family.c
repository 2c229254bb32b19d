#include "runner/parse/model_family.h"

#include <string.h>

#include "base/macros.h"

static const struct model_family families[] = {
    {.name = "openai-computer", .coords = COORDS_PX},
    {.name = "claude-computer", .coords = COORDS_PX},
    {.name = "gemini-computer", .coords = COORDS_1000, .box_2d_y_first = true},
    {.name = "mobilerun", .coords = COORDS_PX},
    {.name = "glm", .coords = COORDS_999},
    {.name = "gemini-grounding", .coords = COORDS_1000, .y_first = true},
    {.name = "mai-ui", .coords = COORDS_999},
    {.name = "qwen3-vl", .coords = COORDS_999},
    {.name = "gui-owl", .coords = COORDS_1000},
    {.name = "qwen-vl", .coords = COORDS_SMART},
    {.name = "doubao", .coords = COORDS_1000},
    {.name = "ui-tars-1.0", .coords = COORDS_1000},
    {.name = "ui-tars", .coords = COORDS_SMART},
    {.name = "androidlab", .coords = COORDS_PX},
    {.name = "autoglm", .coords = COORDS_999, .typing_replaces = true},
    {.name = "step-gui", .coords = COORDS_1000},
    {.name = "aitw", .coords = COORDS_UNIT, .y_first = true},
    {.name = "androidworld", .coords = COORDS_PX, .typing_submits = true},
    {.name = "b-moca", .coords = COORDS_UNIT, .y_first = true},
    {.name = "mobile-agent", .coords = COORDS_PX},
    {.name = "cogagent", .coords = COORDS_999},
    {.name = "ui-venus", .coords = COORDS_999},
    {.name = "aguvis", .coords = COORDS_UNIT},
    {.name = "showui", .coords = COORDS_UNIT},
    {.name = "os-atlas", .coords = COORDS_1000},
    {.name = "agentcpm", .coords = COORDS_1000, .counts_milliseconds = true},
    {.name = "gui-r1", .coords = COORDS_SMART},
    {.name = "ui-r1", .coords = COORDS_PX},
    {.name = "androidarena", .coords = COORDS_PX},
    {.name = "probench", .coords = COORDS_PX},
    {.name = "holo", .coords = COORDS_SMART},
    {.name = "generic", .coords = COORDS_PX},
    {.name = "generic-1000", .coords = COORDS_1000, .box_2d_y_first = true},
    {.name = "think-answer", .coords = COORDS_PX},
};

/* A reply that holds both marks is the family's. Empty: any. */
struct guess {
    const char *family;
    const char *markers[2];
};

/* The first whose marks are there is the guess: the surer ones stand first. */
static const struct guess guesses[] = {
    {"openai-computer", {"computer_call", ""}},
    {"claude-computer", {"\"tool_use\"", ""}},
    {"gemini-computer", {"functionCall", ""}},
    {"gemini-computer", {"function_call\"", ""}},
    {"mobilerun", {"<invoke ", ""}},
    {"aitw", {"touch_point", "lift_point"}},
    {"glm", {"\"action_type\"", "<|begin_of_box|>"}},
    {"glm", {"\"action_type\"", "\"box_2d\""}},
    {"androidworld", {"\"action_type\"", ""}},
    {"gemini-computer", {"click_at", ""}},
    {"gemini-computer", {"type_text_at", ""}},
    {"gemini-computer", {"drag_and_drop", ""}},
    {"glm", {"<|begin_of_box|>", ""}},
    {"gemini-grounding", {"\"box_2d\"", ""}},
    {"claude-computer", {"left_click", ""}},
    {"mai-ui", {"<grounding_think>", ""}},
    {"mai-ui", {"mobile_use", "start_coordinate"}},
    {"mai-ui", {"mobile_use", "<thinking>"}},
    {"qwen3-vl", {"mobile_use", "Thought:"}},
    {"gui-owl", {"mobile_use", "Action:"}},
    {"qwen-vl", {"mobile_use", ""}},
    {"doubao", {"<seed:tool_call>", ""}},
    {"doubao", {"point='<point>", ""}},
    {"doubao", {"point=\"<point>", ""}},
    {"ui-tars-1.0", {"start_box", "<|box_start|>"}},
    {"ui-tars", {"start_box", ""}},
    {"ui-tars", {"finished(", ""}},
    {"androidlab", {"do(", "dist="}},
    {"autoglm", {"do(action", ""}},
    {"autoglm", {"finish(message", ""}},
    {"step-gui", {"explain:", "action:"}},
    {"b-moca", {"dual-gesture", ""}},
    {"mobile-agent", {"### Action", ""}},
    {"cogagent", {"box=[[", ""}},
    {"ui-venus", {"box=(", ""}},
    {"ui-venus", {"<action>", "<conclusion>"}},
    {"ui-venus", {"<action>", "point=("}},
    {"ui-venus", {"<action>", "start=("}},
    {"aguvis", {"pyautogui.", ""}},
    {"aguvis", {"mobile.", "_coord"}},
    {"showui", {"'position'", ""}},
    {"os-atlas", {"<point>[[", ""}},
    {"os-atlas", {"actions:\n", ""}},
    {"os-atlas", {"<|object_ref_start|>", ""}},
    {"agentcpm", {"\"POINT\"", ""}},
    {"agentcpm", {"\"STATUS\"", ""}},
    {"gui-r1", {"'input_text'", "{"}},
    {"ui-r1", {"'input_text'", ""}},
    {"ui-r1", {"'coordinate'", ""}},
    {"androidarena", {"#", "]#"}},
    {"probench", {"", ""}},
};

const struct model_family *model_family_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(families); i++) {
        if (!strcmp(families[i].name, name))
            return &families[i];
    }
    return NULL;
}

static bool holds(struct text_span text, const char *mark)
{
    return memmem(text.text, text.length, mark, strlen(mark)) != NULL;
}

const struct model_family *model_family_guess(struct text_span reply)
{
    const struct guess *guess = guesses;

    while (!holds(reply, guess->markers[0]) || !holds(reply, guess->markers[1]))
        guess++;
    return model_family_find(guess->family);
}
