#include "runner/parse/action_verb.h"

#include <ctype.h>
#include <string.h>

#include "base/name_table.h"

#define NAME_SIZE 64

static const struct action_verb verbs[] = {
    {"click", ACTION_VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"tap", ACTION_VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"touch", ACTION_VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"select", ACTION_VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"point", ACTION_VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"clickat", ACTION_VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"tapat", ACTION_VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"leftclick", ACTION_VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"leftsingle", ACTION_VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"singleclick", ACTION_VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"singletap", ACTION_VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"mouseclick", ACTION_VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"clickelement", ACTION_VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"clickelementabs", ACTION_VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"clickabsolute", ACTION_VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"clickarea", ACTION_VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"tapelementabs", ACTION_VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"tapelement", ACTION_VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"clickbyindex", ACTION_VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"tapbyindex", ACTION_VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"tapbycoordinates", ACTION_VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"inputtap", ACTION_VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"点击", ACTION_VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"单击", ACTION_VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"轻触", ACTION_VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"轻点", ACTION_VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"点击坐标", ACTION_VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"点按", ACTION_VERB_POINT, ACTION_CLICK, DIRECTION_NONE},

    {"longpress", ACTION_VERB_POINT, ACTION_LONG_PRESS, DIRECTION_NONE},
    {"longclick", ACTION_VERB_POINT, ACTION_LONG_PRESS, DIRECTION_NONE},
    {"longtap", ACTION_VERB_POINT, ACTION_LONG_PRESS, DIRECTION_NONE},
    {"longtouch", ACTION_VERB_POINT, ACTION_LONG_PRESS, DIRECTION_NONE},
    {"longpressat", ACTION_VERB_POINT, ACTION_LONG_PRESS, DIRECTION_NONE},
    {"longclickat", ACTION_VERB_POINT, ACTION_LONG_PRESS, DIRECTION_NONE},
    {"pressandhold", ACTION_VERB_POINT, ACTION_LONG_PRESS, DIRECTION_NONE},
    {"tapandhold", ACTION_VERB_POINT, ACTION_LONG_PRESS, DIRECTION_NONE},
    {"touchandhold", ACTION_VERB_POINT, ACTION_LONG_PRESS, DIRECTION_NONE},
    {"clickandhold", ACTION_VERB_POINT, ACTION_LONG_PRESS, DIRECTION_NONE},
    {"长按", ACTION_VERB_POINT, ACTION_LONG_PRESS, DIRECTION_NONE},

    {"doubletap", ACTION_VERB_POINT, ACTION_DOUBLE_TAP, DIRECTION_NONE},
    {"doubleclick", ACTION_VERB_POINT, ACTION_DOUBLE_TAP, DIRECTION_NONE},
    {"doubleclickat", ACTION_VERB_POINT, ACTION_DOUBLE_TAP, DIRECTION_NONE},
    {"doubletapat", ACTION_VERB_POINT, ACTION_DOUBLE_TAP, DIRECTION_NONE},
    {"leftdouble", ACTION_VERB_POINT, ACTION_DOUBLE_TAP, DIRECTION_NONE},
    {"双击", ACTION_VERB_POINT, ACTION_DOUBLE_TAP, DIRECTION_NONE},

    {"swipe", ACTION_VERB_PATH, ACTION_SWIPE, DIRECTION_NONE},
    {"swipeup", ACTION_VERB_PATH, ACTION_SWIPE, DIRECTION_UP},
    {"swipedown", ACTION_VERB_PATH, ACTION_SWIPE, DIRECTION_DOWN},
    {"swipeleft", ACTION_VERB_PATH, ACTION_SWIPE, DIRECTION_LEFT},
    {"swiperight", ACTION_VERB_PATH, ACTION_SWIPE, DIRECTION_RIGHT},
    {"swipecoordinates", ACTION_VERB_PATH, ACTION_SWIPE, DIRECTION_NONE},
    {"swipescreen", ACTION_VERB_PATH, ACTION_SWIPE, DIRECTION_NONE},
    {"slide", ACTION_VERB_PATH, ACTION_SWIPE, DIRECTION_NONE},
    {"flick", ACTION_VERB_PATH, ACTION_SWIPE, DIRECTION_NONE},
    {"fling", ACTION_VERB_PATH, ACTION_SWIPE, DIRECTION_NONE},
    {"滑动", ACTION_VERB_PATH, ACTION_SWIPE, DIRECTION_NONE},
    {"上滑", ACTION_VERB_PATH, ACTION_SWIPE, DIRECTION_UP},
    {"下滑", ACTION_VERB_PATH, ACTION_SWIPE, DIRECTION_DOWN},
    {"左滑", ACTION_VERB_PATH, ACTION_SWIPE, DIRECTION_LEFT},
    {"右滑", ACTION_VERB_PATH, ACTION_SWIPE, DIRECTION_RIGHT},
    {"向上滑动", ACTION_VERB_PATH, ACTION_SWIPE, DIRECTION_UP},
    {"向下滑动", ACTION_VERB_PATH, ACTION_SWIPE, DIRECTION_DOWN},
    {"向左滑动", ACTION_VERB_PATH, ACTION_SWIPE, DIRECTION_LEFT},
    {"向右滑动", ACTION_VERB_PATH, ACTION_SWIPE, DIRECTION_RIGHT},
    {"inputswipe", ACTION_VERB_PATH, ACTION_SWIPE, DIRECTION_NONE},

    {"drag", ACTION_VERB_PATH, ACTION_DRAG, DIRECTION_NONE},
    {"dragto", ACTION_VERB_PATH, ACTION_DRAG, DIRECTION_NONE},
    {"draganddrop", ACTION_VERB_PATH, ACTION_DRAG, DIRECTION_NONE},
    {"leftclickdrag", ACTION_VERB_PATH, ACTION_DRAG, DIRECTION_NONE},
    {"拖动", ACTION_VERB_PATH, ACTION_DRAG, DIRECTION_NONE},
    {"拖拽", ACTION_VERB_PATH, ACTION_DRAG, DIRECTION_NONE},

    {"scroll", ACTION_VERB_SCROLL, ACTION_SCROLL, DIRECTION_NONE},
    {"scrollat", ACTION_VERB_SCROLL, ACTION_SCROLL, DIRECTION_NONE},
    {"scrolldocument", ACTION_VERB_SCROLL, ACTION_SCROLL, DIRECTION_NONE},
    {"scrollscreen", ACTION_VERB_SCROLL, ACTION_SCROLL, DIRECTION_NONE},
    {"scrollup", ACTION_VERB_SCROLL, ACTION_SCROLL, DIRECTION_UP},
    {"scrolldown", ACTION_VERB_SCROLL, ACTION_SCROLL, DIRECTION_DOWN},
    {"scrollleft", ACTION_VERB_SCROLL, ACTION_SCROLL, DIRECTION_LEFT},
    {"scrollright", ACTION_VERB_SCROLL, ACTION_SCROLL, DIRECTION_RIGHT},
    {"滚动", ACTION_VERB_SCROLL, ACTION_SCROLL, DIRECTION_NONE},

    {"type", ACTION_VERB_TEXT, ACTION_TYPE, DIRECTION_NONE},
    {"typetext", ACTION_VERB_TEXT, ACTION_TYPE, DIRECTION_NONE},
    {"typetextat", ACTION_VERB_TEXT, ACTION_TYPE, DIRECTION_NONE},
    {"typename", ACTION_VERB_TEXT, ACTION_TYPE, DIRECTION_NONE},
    {"typewrite", ACTION_VERB_TEXT, ACTION_TYPE, DIRECTION_NONE},
    {"typeandenter", ACTION_VERB_TEXT, ACTION_TYPE, DIRECTION_NONE},
    {"taptypeandenter", ACTION_VERB_TEXT, ACTION_TYPE, DIRECTION_NONE},
    {"typetextandenter", ACTION_VERB_TEXT, ACTION_TYPE, DIRECTION_NONE},
    {"write", ACTION_VERB_TEXT, ACTION_TYPE, DIRECTION_NONE},
    {"writeelement", ACTION_VERB_TEXT, ACTION_TYPE, DIRECTION_NONE},
    {"writeelementabs", ACTION_VERB_TEXT, ACTION_TYPE, DIRECTION_NONE},
    {"writeandenter", ACTION_VERB_TEXT, ACTION_TYPE, DIRECTION_NONE},
    {"text", ACTION_VERB_TEXT, ACTION_TYPE, DIRECTION_NONE},
    {"input", ACTION_VERB_TEXT, ACTION_TYPE, DIRECTION_NONE},
    {"inputtext", ACTION_VERB_TEXT, ACTION_TYPE, DIRECTION_NONE},
    {"entertext", ACTION_VERB_TEXT, ACTION_TYPE, DIRECTION_NONE},
    {"settext", ACTION_VERB_TEXT, ACTION_TYPE, DIRECTION_NONE},
    {"sendkeys", ACTION_VERB_TEXT, ACTION_TYPE, DIRECTION_NONE},
    {"fill", ACTION_VERB_TEXT, ACTION_TYPE, DIRECTION_NONE},
    {"输入", ACTION_VERB_TEXT, ACTION_TYPE, DIRECTION_NONE},
    {"输入文本", ACTION_VERB_TEXT, ACTION_TYPE, DIRECTION_NONE},

    {"clear", ACTION_VERB_FIELD, ACTION_CLEAR, DIRECTION_NONE},
    {"cleartext", ACTION_VERB_FIELD, ACTION_CLEAR, DIRECTION_NONE},
    {"clearfield", ACTION_VERB_FIELD, ACTION_CLEAR, DIRECTION_NONE},
    {"clearinput", ACTION_VERB_FIELD, ACTION_CLEAR, DIRECTION_NONE},
    {"clearall", ACTION_VERB_FIELD, ACTION_CLEAR, DIRECTION_NONE},
    {"deletetext", ACTION_VERB_FIELD, ACTION_CLEAR, DIRECTION_NONE},
    {"erase", ACTION_VERB_FIELD, ACTION_CLEAR, DIRECTION_NONE},
    {"erasetext", ACTION_VERB_FIELD, ACTION_CLEAR, DIRECTION_NONE},
    {"清空", ACTION_VERB_FIELD, ACTION_CLEAR, DIRECTION_NONE},
    {"清除", ACTION_VERB_FIELD, ACTION_CLEAR, DIRECTION_NONE},
    {"清除文本", ACTION_VERB_FIELD, ACTION_CLEAR, DIRECTION_NONE},
    {"清空输入框", ACTION_VERB_FIELD, ACTION_CLEAR, DIRECTION_NONE},

    {"enter", ACTION_VERB_PLAIN, ACTION_ENTER, DIRECTION_NONE},
    {"pressenter", ACTION_VERB_PLAIN, ACTION_ENTER, DIRECTION_NONE},
    {"keyboardenter", ACTION_VERB_PLAIN, ACTION_ENTER, DIRECTION_NONE},
    {"回车", ACTION_VERB_PLAIN, ACTION_ENTER, DIRECTION_NONE},

    {"back", ACTION_VERB_PLAIN, ACTION_BACK, DIRECTION_NONE},
    {"pressback", ACTION_VERB_PLAIN, ACTION_BACK, DIRECTION_NONE},
    {"goback", ACTION_VERB_PLAIN, ACTION_BACK, DIRECTION_NONE},
    {"navigateback", ACTION_VERB_PLAIN, ACTION_BACK, DIRECTION_NONE},
    {"systemback", ACTION_VERB_PLAIN, ACTION_BACK, DIRECTION_NONE},
    {"返回", ACTION_VERB_PLAIN, ACTION_BACK, DIRECTION_NONE},

    {"home", ACTION_VERB_PLAIN, ACTION_HOME, DIRECTION_NONE},
    {"presshome", ACTION_VERB_PLAIN, ACTION_HOME, DIRECTION_NONE},
    {"gohome", ACTION_VERB_PLAIN, ACTION_HOME, DIRECTION_NONE},
    {"navigatehome", ACTION_VERB_PLAIN, ACTION_HOME, DIRECTION_NONE},
    {"systemhome", ACTION_VERB_PLAIN, ACTION_HOME, DIRECTION_NONE},
    {"回到桌面", ACTION_VERB_PLAIN, ACTION_HOME, DIRECTION_NONE},
    {"回到主页", ACTION_VERB_PLAIN, ACTION_HOME, DIRECTION_NONE},
    {"返回桌面", ACTION_VERB_PLAIN, ACTION_HOME, DIRECTION_NONE},
    {"主页", ACTION_VERB_PLAIN, ACTION_HOME, DIRECTION_NONE},

    {"recents", ACTION_VERB_PLAIN, ACTION_RECENTS, DIRECTION_NONE},
    {"recent", ACTION_VERB_PLAIN, ACTION_RECENTS, DIRECTION_NONE},
    {"recentapps", ACTION_VERB_PLAIN, ACTION_RECENTS, DIRECTION_NONE},
    {"pressrecent", ACTION_VERB_PLAIN, ACTION_RECENTS, DIRECTION_NONE},
    {"pressrecents", ACTION_VERB_PLAIN, ACTION_RECENTS, DIRECTION_NONE},
    {"pressrecentapps", ACTION_VERB_PLAIN, ACTION_RECENTS, DIRECTION_NONE},
    {"pressappswitch", ACTION_VERB_PLAIN, ACTION_RECENTS, DIRECTION_NONE},
    {"appswitch", ACTION_VERB_PLAIN, ACTION_RECENTS, DIRECTION_NONE},
    {"switchapp", ACTION_VERB_PLAIN, ACTION_RECENTS, DIRECTION_NONE},
    {"navigaterecents", ACTION_VERB_PLAIN, ACTION_RECENTS, DIRECTION_NONE},
    {"openrecents", ACTION_VERB_PLAIN, ACTION_RECENTS, DIRECTION_NONE},
    {"overview", ACTION_VERB_PLAIN, ACTION_RECENTS, DIRECTION_NONE},

    {"openapp", ACTION_VERB_TEXT, ACTION_OPEN_APP, DIRECTION_NONE},
    {"open", ACTION_VERB_TEXT, ACTION_OPEN_APP, DIRECTION_NONE},
    {"launch", ACTION_VERB_TEXT, ACTION_OPEN_APP, DIRECTION_NONE},
    {"launchapp", ACTION_VERB_TEXT, ACTION_OPEN_APP, DIRECTION_NONE},
    {"startapp", ACTION_VERB_TEXT, ACTION_OPEN_APP, DIRECTION_NONE},
    {"awake", ACTION_VERB_TEXT, ACTION_OPEN_APP, DIRECTION_NONE},
    {"打开", ACTION_VERB_TEXT, ACTION_OPEN_APP, DIRECTION_NONE},
    {"打开应用", ACTION_VERB_TEXT, ACTION_OPEN_APP, DIRECTION_NONE},
    {"启动", ACTION_VERB_TEXT, ACTION_OPEN_APP, DIRECTION_NONE},

    {"wait", ACTION_VERB_PLAIN, ACTION_WAIT, DIRECTION_NONE},
    {"sleep", ACTION_VERB_PLAIN, ACTION_WAIT, DIRECTION_NONE},
    {"pause", ACTION_VERB_PLAIN, ACTION_WAIT, DIRECTION_NONE},
    {"wait5seconds", ACTION_VERB_PLAIN, ACTION_WAIT, DIRECTION_NONE},
    {"screenshot", ACTION_VERB_PLAIN, ACTION_WAIT, DIRECTION_NONE},
    {"takescreenshot", ACTION_VERB_PLAIN, ACTION_WAIT, DIRECTION_NONE},
    {"getscreenshot", ACTION_VERB_PLAIN, ACTION_WAIT, DIRECTION_NONE},
    {"等待", ACTION_VERB_PLAIN, ACTION_WAIT, DIRECTION_NONE},

    {"ask", ACTION_VERB_WORDS, ACTION_ASK, DIRECTION_NONE},
    {"askuser", ACTION_VERB_WORDS, ACTION_ASK, DIRECTION_NONE},
    {"calluser", ACTION_VERB_WORDS, ACTION_ASK, DIRECTION_NONE},
    {"interact", ACTION_VERB_WORDS, ACTION_ASK, DIRECTION_NONE},
    {"takeover", ACTION_VERB_WORDS, ACTION_ASK, DIRECTION_NONE},
    {"info", ACTION_VERB_WORDS, ACTION_ASK, DIRECTION_NONE},
    {"询问", ACTION_VERB_WORDS, ACTION_ASK, DIRECTION_NONE},

    {"answer", ACTION_VERB_TEXT, ACTION_ANSWER, DIRECTION_NONE},
    {"respond", ACTION_VERB_TEXT, ACTION_ANSWER, DIRECTION_NONE},
    {"response", ACTION_VERB_TEXT, ACTION_ANSWER, DIRECTION_NONE},
    {"finalanswer", ACTION_VERB_TEXT, ACTION_ANSWER, DIRECTION_NONE},
    {"回答", ACTION_VERB_TEXT, ACTION_ANSWER, DIRECTION_NONE},

    {"complete", ACTION_VERB_STATUS, ACTION_COMPLETE, DIRECTION_NONE},
    {"completed", ACTION_VERB_STATUS, ACTION_COMPLETE, DIRECTION_NONE},
    {"finish", ACTION_VERB_STATUS, ACTION_COMPLETE, DIRECTION_NONE},
    {"finished", ACTION_VERB_STATUS, ACTION_COMPLETE, DIRECTION_NONE},
    {"done", ACTION_VERB_STATUS, ACTION_COMPLETE, DIRECTION_NONE},
    {"end", ACTION_VERB_STATUS, ACTION_COMPLETE, DIRECTION_NONE},
    {"stop", ACTION_VERB_STATUS, ACTION_COMPLETE, DIRECTION_NONE},
    {"exit", ACTION_VERB_STATUS, ACTION_COMPLETE, DIRECTION_NONE},
    {"success", ACTION_VERB_STATUS, ACTION_COMPLETE, DIRECTION_NONE},
    {"status", ACTION_VERB_STATUS, ACTION_COMPLETE, DIRECTION_NONE},
    {"terminate", ACTION_VERB_STATUS, ACTION_COMPLETE, DIRECTION_NONE},
    {"taskcomplete", ACTION_VERB_STATUS, ACTION_COMPLETE, DIRECTION_NONE},
    {"statuscomplete", ACTION_VERB_STATUS, ACTION_COMPLETE, DIRECTION_NONE},
    {"statustaskcomplete", ACTION_VERB_STATUS, ACTION_COMPLETE, DIRECTION_NONE},
    {"完成", ACTION_VERB_STATUS, ACTION_COMPLETE, DIRECTION_NONE},
    {"结束", ACTION_VERB_STATUS, ACTION_COMPLETE, DIRECTION_NONE},
    {"任务完成", ACTION_VERB_STATUS, ACTION_COMPLETE, DIRECTION_NONE},

    {"fail", ACTION_VERB_WORDS, ACTION_FAIL, DIRECTION_NONE},
    {"failed", ACTION_VERB_WORDS, ACTION_FAIL, DIRECTION_NONE},
    {"failure", ACTION_VERB_WORDS, ACTION_FAIL, DIRECTION_NONE},
    {"abort", ACTION_VERB_WORDS, ACTION_FAIL, DIRECTION_NONE},
    {"giveup", ACTION_VERB_WORDS, ACTION_FAIL, DIRECTION_NONE},
    {"impossible", ACTION_VERB_WORDS, ACTION_FAIL, DIRECTION_NONE},
    {"infeasible", ACTION_VERB_WORDS, ACTION_FAIL, DIRECTION_NONE},
    {"taskimpossible", ACTION_VERB_WORDS, ACTION_FAIL, DIRECTION_NONE},
    {"statusimpossible", ACTION_VERB_WORDS, ACTION_FAIL, DIRECTION_NONE},
    {"statustaskimpossible", ACTION_VERB_WORDS, ACTION_FAIL, DIRECTION_NONE},
    {"失败", ACTION_VERB_WORDS, ACTION_FAIL, DIRECTION_NONE},
    {"放弃", ACTION_VERB_WORDS, ACTION_FAIL, DIRECTION_NONE},

    {"key", ACTION_VERB_KEY, ACTION_ENTER, DIRECTION_NONE},
    {"press", ACTION_VERB_KEY, ACTION_ENTER, DIRECTION_NONE},
    {"presskey", ACTION_VERB_KEY, ACTION_ENTER, DIRECTION_NONE},
    {"pressbutton", ACTION_VERB_KEY, ACTION_ENTER, DIRECTION_NONE},
    {"keypress", ACTION_VERB_KEY, ACTION_ENTER, DIRECTION_NONE},
    {"keyevent", ACTION_VERB_KEY, ACTION_ENTER, DIRECTION_NONE},
    {"inputkeyevent", ACTION_VERB_KEY, ACTION_ENTER, DIRECTION_NONE},
    {"keycombination", ACTION_VERB_KEY, ACTION_ENTER, DIRECTION_NONE},
    {"hotkey", ACTION_VERB_KEY, ACTION_ENTER, DIRECTION_NONE},
    {"systembutton", ACTION_VERB_KEY, ACTION_ENTER, DIRECTION_NONE},
    {"button", ACTION_VERB_KEY, ACTION_ENTER, DIRECTION_NONE},

    {"dualpoint", ACTION_VERB_GESTURE, ACTION_SWIPE, DIRECTION_NONE},
    {"dualgesture", ACTION_VERB_GESTURE, ACTION_SWIPE, DIRECTION_NONE},
};

struct meaning {
    const char *name;
    int value;
};

static const struct meaning keys[] = {
    {"back", ACTION_BACK},
    {"keycodeback", ACTION_BACK},
    {"goback", ACTION_BACK},
    {"4", ACTION_BACK},
    {"esc", ACTION_BACK},
    {"escape", ACTION_BACK},
    {"返回", ACTION_BACK},
    {"home", ACTION_HOME},
    {"keycodehome", ACTION_HOME},
    {"3", ACTION_HOME},
    {"主页", ACTION_HOME},
    {"enter", ACTION_ENTER},
    {"return", ACTION_ENTER},
    {"keycodeenter", ACTION_ENTER},
    {"66", ACTION_ENTER},
    {"search", ACTION_ENTER},
    {"回车", ACTION_ENTER},
    {"recent", ACTION_RECENTS},
    {"recents", ACTION_RECENTS},
    {"recentapps", ACTION_RECENTS},
    {"overview", ACTION_RECENTS},
    {"appswitch", ACTION_RECENTS},
    {"menu", ACTION_RECENTS},
    {"187", ACTION_RECENTS},
    {"keycodeappswitch", ACTION_RECENTS},
};

static const struct meaning statuses[] = {
    {"success", ACTION_COMPLETE},
    {"successful", ACTION_COMPLETE},
    {"succeeded", ACTION_COMPLETE},
    {"complete", ACTION_COMPLETE},
    {"completed", ACTION_COMPLETE},
    {"finish", ACTION_COMPLETE},
    {"finished", ACTION_COMPLETE},
    {"done", ACTION_COMPLETE},
    {"true", ACTION_COMPLETE},
    {"satisfied", ACTION_COMPLETE},
    {"taskcomplete", ACTION_COMPLETE},
    {"成功", ACTION_COMPLETE},
    {"fail", ACTION_FAIL},
    {"failed", ACTION_FAIL},
    {"failure", ACTION_FAIL},
    {"false", ACTION_FAIL},
    {"infeasible", ACTION_FAIL},
    {"impossible", ACTION_FAIL},
    {"unsuccessful", ACTION_FAIL},
    {"abort", ACTION_FAIL},
    {"失败", ACTION_FAIL},
    {"interrupt", ACTION_FAIL},
    {"interrupted", ACTION_FAIL},
    {"needfeedback", ACTION_ASK},
};

static const struct meaning directions[] = {
    {"up", DIRECTION_UP},         {"upward", DIRECTION_UP},
    {"upwards", DIRECTION_UP},    {"上", DIRECTION_UP},
    {"向上", DIRECTION_UP},       {"down", DIRECTION_DOWN},
    {"downward", DIRECTION_DOWN}, {"downwards", DIRECTION_DOWN},
    {"下", DIRECTION_DOWN},       {"向下", DIRECTION_DOWN},
    {"left", DIRECTION_LEFT},     {"左", DIRECTION_LEFT},
    {"向左", DIRECTION_LEFT},     {"right", DIRECTION_RIGHT},
    {"右", DIRECTION_RIGHT},      {"向右", DIRECTION_RIGHT},
};

void action_verb_normalise(struct text_span text, char *name, size_t size)
{
    size_t count = 0;

    for (size_t i = 0; i < text.length && count + 1 < size; i++) {
        unsigned char byte = (unsigned char)text.text[i];

        if (!strchr(" \t_-", byte) && byte)
            name[count++] = (char)tolower(byte);
    }
    name[count] = '\0';
}

static bool find_meaning(const struct meaning *meanings, size_t count,
                         struct text_span text, int *value)
{
    char name[NAME_SIZE];

    action_verb_normalise(text, name, sizeof(name));
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(meanings[i].name, name)) {
            *value = meanings[i].value;
            return true;
        }
    }
    return false;
}

const struct action_verb *action_verb_find(struct text_span name)
{
    char plain[NAME_SIZE];
    const char *dot = memrchr(name.text, '.', name.length);

    if (dot) {
        name.length -= (size_t)(dot + 1 - name.text);
        name.text = dot + 1;
    }
    action_verb_normalise(name, plain, sizeof(plain));
    for (size_t i = 0; i < ARRAY_LEN(verbs); i++) {
        if (!strcmp(verbs[i].name, plain))
            return &verbs[i];
    }
    return NULL;
}

bool action_verb_submits(const struct action_verb *verb)
{
    static const char *const names[] = {
        "writeelementabs", "writeandenter",    "typeandenter",
        "taptypeandenter", "typetextandenter",
    };

    return NAME_TABLE_HAS(names, verb->name);
}

bool action_verb_replaces(const struct action_verb *verb)
{
    static const char *const names[] = {"typetextat", "settext", "fill"};

    return NAME_TABLE_HAS(names, verb->name);
}

bool action_verb_key(struct text_span name, enum action_kind *kind)
{
    int value;

    if (!find_meaning(keys, ARRAY_LEN(keys), name, &value))
        return false;
    *kind = (enum action_kind)value;
    return true;
}

bool action_verb_status(struct text_span name, enum action_kind *kind)
{
    int value;

    if (!find_meaning(statuses, ARRAY_LEN(statuses), name, &value))
        return false;
    *kind = (enum action_kind)value;
    return true;
}

bool action_verb_direction(struct text_span name,
                           enum action_direction *direction)
{
    int value;

    if (!find_meaning(directions, ARRAY_LEN(directions), name, &value))
        return false;
    *direction = (enum action_direction)value;
    return true;
}
