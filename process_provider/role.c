#include "process_provider/role.h"

#include <string.h>

#include "base/macros.h"

static const char *const names[ROLES] = {
    [ROLE_NONE] = "",
    [ROLE_BUTTON] = "button",
    [ROLE_CHECKBOX] = "checkbox",
    [ROLE_SWITCH] = "switch",
    [ROLE_RADIO] = "radio button",
    [ROLE_OPTION] = "option",
    [ROLE_FIELD] = "text field",
    [ROLE_SLIDER] = "slider",
    [ROLE_CHOICE] = "drop-down list",
    [ROLE_TAB] = "tab",
    [ROLE_IMAGE] = "image",
    [ROLE_TEXT] = "text",
    [ROLE_LIST] = "list",
    [ROLE_PAGE] = "web page",
};

/* How the last part of a class's name ends; the first that fits counts. */
static const struct {
    const char *ending;
    enum role role;
} endings[] = {
    {"RadioButton", ROLE_RADIO},
    {"ToggleButton", ROLE_SWITCH},
    {"CheckedTextView", ROLE_OPTION},
    {"Button", ROLE_BUTTON},
    {"CheckBox", ROLE_CHECKBOX},
    {"Switch", ROLE_SWITCH},
    {"SwitchCompat", ROLE_SWITCH},
    {"EditText", ROLE_FIELD},
    {"AutoComplete", ROLE_FIELD},
    {"AutoCompleteTextView", ROLE_FIELD},
    {"SeekBar", ROLE_SLIDER},
    {"Slider", ROLE_SLIDER},
    {"RatingBar", ROLE_SLIDER},
    {"Spinner", ROLE_CHOICE},
    {"TabView", ROLE_TAB},
    {"Tab", ROLE_TAB},
    {"ImageView", ROLE_IMAGE},
    {"Image", ROLE_IMAGE},
    {"TextView", ROLE_TEXT},
    {"RecyclerView", ROLE_LIST},
    {"ListView", ROLE_LIST},
    {"GridView", ROLE_LIST},
    {"WebView", ROLE_PAGE},
    {"Chip", ROLE_BUTTON},
};

static enum role role_of_class(const char *class_name)
{
    size_t length = strlen(class_name);

    for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
        size_t ending = strlen(endings[i].ending);

        if (length >= ending &&
            !memcmp(class_name + length - ending, endings[i].ending, ending))
            return endings[i].role;
    }
    return ROLE_NONE;
}

enum role role_of(const struct tree_node *node)
{
    enum role role = role_of_class(node->class_name);

    if (node->flags & NODE_CHECKABLE &&
        (role == ROLE_NONE || role == ROLE_TEXT || role == ROLE_IMAGE))
        return ROLE_OPTION;
    return role;
}

static bool is_control(enum role role)
{
    switch (role) {
    case ROLE_BUTTON:
    case ROLE_CHECKBOX:
    case ROLE_SWITCH:
    case ROLE_RADIO:
    case ROLE_FIELD:
    case ROLE_SLIDER:
    case ROLE_CHOICE:
        return true;
    case ROLE_NONE:
    case ROLE_OPTION:
    case ROLE_TAB:
    case ROLE_IMAGE:
    case ROLE_TEXT:
    case ROLE_LIST:
    case ROLE_PAGE:
    case ROLES:
        break;
    }
    return false;
}

enum role role_within(const struct tree *tree, uint32_t node)
{
    enum role role = role_of(&tree->nodes[node]);

    if (role != ROLE_NONE && role != ROLE_OPTION)
        return role;
    for (uint32_t i = node + 1; i < tree->nodes[node].end;
         i = tree->nodes[i].end) {
        enum role inner = role_of(&tree->nodes[i]);

        if (is_control(inner) && !(tree->nodes[i].flags & NODE_CLICKABLE))
            return inner;
    }
    return role;
}

const char *role_name(enum role role)
{
    return names[role];
}

bool role_takes_taps(const struct tree_node *node)
{
    return node->flags & (NODE_CLICKABLE | NODE_CHECKABLE) ||
           is_control(role_of_class(node->class_name));
}
