#include "runner/family.h"

#include <string.h>

#include "base/macros.h"

/* The first whose marks are there is the guess: the surer ones stand first. */
static const struct family families[] = {
    {"openai-computer", COORDS_PX, false, false, {"computer_call", ""}},
    {"claude-computer", COORDS_PX, false, false, {"\"tool_use\"", ""}},
    {"gemini-computer", COORDS_1000, false, false, {"functionCall", ""}},
    {"gemini-computer", COORDS_1000, false, false, {"function_call\"", ""}},
    {"gemini-computer", COORDS_1000, false, false, {"click_at", ""}},
    {"gemini-computer", COORDS_1000, false, false, {"type_text_at", ""}},
    {"gemini-computer", COORDS_1000, false, false, {"drag_and_drop", ""}},
    {"gemini-grounding", COORDS_1000, false, false, {"\"box_2d\"", ""}},
    {"claude-computer", COORDS_PX, false, false, {"left_click", ""}},
    {"mai-ui", COORDS_999, false, false, {"<grounding_think>", ""}},
    {"mai-ui", COORDS_999, false, false, {"mobile_use", "start_coordinate"}},
    {"mai-ui", COORDS_999, false, false, {"mobile_use", "<thinking>"}},
    {"qwen3-vl", COORDS_999, false, false, {"mobile_use", "Thought:"}},
    {"gui-owl", COORDS_1000, false, false, {"mobile_use", "Action:"}},
    {"qwen-vl", COORDS_SMART, false, false, {"mobile_use", ""}},
    {"doubao", COORDS_1000, false, false, {"point='<point>", ""}},
    {"doubao", COORDS_1000, false, false, {"point=\"<point>", ""}},
    {"ui-tars-1.0", COORDS_1000, false, false, {"start_box", "<|box_start|>"}},
    {"ui-tars", COORDS_SMART, false, false, {"start_box", ""}},
    {"ui-tars", COORDS_SMART, false, false, {"finished(", ""}},
    {"androidlab", COORDS_PX, false, false, {"do(", "dist="}},
    {"autoglm", COORDS_999, false, false, {"do(action", ""}},
    {"autoglm", COORDS_999, false, false, {"finish(message", ""}},
    {"step-gui", COORDS_1000, false, false, {"explain:", "action:"}},
    {"aitw", COORDS_UNIT, true, false, {"touch_point", "lift_point"}},
    {"androidworld", COORDS_PX, false, true, {"\"action_type\"", ""}},
    {"b-moca", COORDS_UNIT, true, false, {"dual-gesture", ""}},
    {"mobilerun", COORDS_PX, false, false, {"<invoke ", ""}},
    {"mobile-agent", COORDS_PX, false, false, {"### Action", ""}},
    {"cogagent", COORDS_999, false, false, {"box=[[", ""}},
    {"ui-venus", COORDS_999, false, false, {"box=(", ""}},
    {"ui-venus", COORDS_999, false, false, {"<action>", "<conclusion>"}},
    {"aguvis", COORDS_UNIT, false, false, {"pyautogui.", ""}},
    {"aguvis", COORDS_UNIT, false, false, {"mobile.", "_coord"}},
    {"showui", COORDS_UNIT, false, false, {"'position'", ""}},
    {"os-atlas", COORDS_1000, false, false, {"<point>[[", ""}},
    {"os-atlas", COORDS_1000, false, false, {"actions:\n", ""}},
    {"os-atlas", COORDS_1000, false, false, {"<|object_ref_start|>", ""}},
    {"glm", COORDS_999, false, false, {"<|begin_of_box|>", ""}},
    {"agentcpm", COORDS_1000, false, false, {"\"POINT\"", ""}},
    {"agentcpm", COORDS_1000, false, false, {"\"STATUS\"", ""}},
    {"gui-r1", COORDS_SMART, false, false, {"'input_text'", "{"}},
    {"ui-r1", COORDS_PX, false, false, {"'input_text'", ""}},
    {"ui-r1", COORDS_PX, false, false, {"'coordinate'", ""}},
    {"androidarena", COORDS_PX, false, false, {"#", "]#"}},
    {"probench", COORDS_PX, false, false, {"", ""}},

    /* Never guessed. */
    {"generic", COORDS_PX, false, false, {"", ""}},
    {"think-answer", COORDS_PX, false, false, {"", ""}},
};

const struct family *family_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(families); i++) {
        if (!strcmp(families[i].name, name))
            return &families[i];
    }
    return NULL;
}

static bool holds(struct span text, const char *mark)
{
    return memmem(text.text, text.length, mark, strlen(mark)) != NULL;
}

const struct family *family_guess(struct span reply)
{
    const struct family *family = families;

    while (!holds(reply, family->marks[0]) || !holds(reply, family->marks[1]))
        family++;
    return family;
}
