#include "process_provider/tree/role.h"

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
    [ROLE_SURFACE] = "drawing",
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
    {"SurfaceView", ROLE_SURFACE},
    {"TextureView", ROLE_SURFACE},
    {"ViewFactoryHolder", ROLE_SURFACE}, /* Compose's, for views of others */
    {"Chip", ROLE_BUTTON},
};

enum role role_of_class(const char *class_name)
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

const char *role_name(enum role role)
{
    return names[role];
}

bool role_is_control(enum role role)
{
    return role == ROLE_BUTTON || role == ROLE_CHECKBOX ||
           role == ROLE_SWITCH || role == ROLE_RADIO || role == ROLE_FIELD ||
           role == ROLE_SLIDER || role == ROLE_CHOICE;
}
