#include "runner/verbs.h"

#include <ctype.h>
#include <string.h>

#define NAME_SIZE 64

static const struct verb verbs[] = {
    {"click", VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"tap", VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"touch", VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"select", VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"point", VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"clickat", VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"tapat", VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"leftclick", VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"leftsingle", VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"singleclick", VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"singletap", VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"mouseclick", VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"clickelement", VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"tapelement", VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"clickbyindex", VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"tapbyindex", VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"tapbycoordinates", VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"点击", VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"单击", VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"轻触", VERB_POINT, ACTION_CLICK, DIRECTION_NONE},
    {"轻点", VERB_POINT, ACTION_CLICK, DIRECTION_NONE},

    {"longpress", VERB_POINT, ACTION_LONG_PRESS, DIRECTION_NONE},
    {"longclick", VERB_POINT, ACTION_LONG_PRESS, DIRECTION_NONE},
    {"longtap", VERB_POINT, ACTION_LONG_PRESS, DIRECTION_NONE},
    {"longtouch", VERB_POINT, ACTION_LONG_PRESS, DIRECTION_NONE},
    {"longpressat", VERB_POINT, ACTION_LONG_PRESS, DIRECTION_NONE},
    {"longclickat", VERB_POINT, ACTION_LONG_PRESS, DIRECTION_NONE},
    {"pressandhold", VERB_POINT, ACTION_LONG_PRESS, DIRECTION_NONE},
    {"tapandhold", VERB_POINT, ACTION_LONG_PRESS, DIRECTION_NONE},
    {"touchandhold", VERB_POINT, ACTION_LONG_PRESS, DIRECTION_NONE},
    {"clickandhold", VERB_POINT, ACTION_LONG_PRESS, DIRECTION_NONE},
    {"长按", VERB_POINT, ACTION_LONG_PRESS, DIRECTION_NONE},

    {"doubletap", VERB_POINT, ACTION_DOUBLE_TAP, DIRECTION_NONE},
    {"doubleclick", VERB_POINT, ACTION_DOUBLE_TAP, DIRECTION_NONE},
    {"doubleclickat", VERB_POINT, ACTION_DOUBLE_TAP, DIRECTION_NONE},
    {"doubletapat", VERB_POINT, ACTION_DOUBLE_TAP, DIRECTION_NONE},
    {"leftdouble", VERB_POINT, ACTION_DOUBLE_TAP, DIRECTION_NONE},
    {"双击", VERB_POINT, ACTION_DOUBLE_TAP, DIRECTION_NONE},

    {"swipe", VERB_PATH, ACTION_SWIPE, DIRECTION_NONE},
    {"swipeup", VERB_PATH, ACTION_SWIPE, DIRECTION_UP},
    {"swipedown", VERB_PATH, ACTION_SWIPE, DIRECTION_DOWN},
    {"swipeleft", VERB_PATH, ACTION_SWIPE, DIRECTION_LEFT},
    {"swiperight", VERB_PATH, ACTION_SWIPE, DIRECTION_RIGHT},
    {"swipecoordinates", VERB_PATH, ACTION_SWIPE, DIRECTION_NONE},
    {"swipescreen", VERB_PATH, ACTION_SWIPE, DIRECTION_NONE},
    {"slide", VERB_PATH, ACTION_SWIPE, DIRECTION_NONE},
    {"flick", VERB_PATH, ACTION_SWIPE, DIRECTION_NONE},
    {"fling", VERB_PATH, ACTION_SWIPE, DIRECTION_NONE},
    {"滑动", VERB_PATH, ACTION_SWIPE, DIRECTION_NONE},
    {"上滑", VERB_PATH, ACTION_SWIPE, DIRECTION_UP},
    {"下滑", VERB_PATH, ACTION_SWIPE, DIRECTION_DOWN},
    {"左滑", VERB_PATH, ACTION_SWIPE, DIRECTION_LEFT},
    {"右滑", VERB_PATH, ACTION_SWIPE, DIRECTION_RIGHT},

    {"drag", VERB_PATH, ACTION_DRAG, DIRECTION_NONE},
    {"dragto", VERB_PATH, ACTION_DRAG, DIRECTION_NONE},
    {"draganddrop", VERB_PATH, ACTION_DRAG, DIRECTION_NONE},
    {"leftclickdrag", VERB_PATH, ACTION_DRAG, DIRECTION_NONE},
    {"拖动", VERB_PATH, ACTION_DRAG, DIRECTION_NONE},
    {"拖拽", VERB_PATH, ACTION_DRAG, DIRECTION_NONE},

    {"scroll", VERB_SCROLL, ACTION_SCROLL, DIRECTION_NONE},
    {"scrollat", VERB_SCROLL, ACTION_SCROLL, DIRECTION_NONE},
    {"scrolldocument", VERB_SCROLL, ACTION_SCROLL, DIRECTION_NONE},
    {"scrollscreen", VERB_SCROLL, ACTION_SCROLL, DIRECTION_NONE},
    {"scrollup", VERB_SCROLL, ACTION_SCROLL, DIRECTION_UP},
    {"scrolldown", VERB_SCROLL, ACTION_SCROLL, DIRECTION_DOWN},
    {"scrollleft", VERB_SCROLL, ACTION_SCROLL, DIRECTION_LEFT},
    {"scrollright", VERB_SCROLL, ACTION_SCROLL, DIRECTION_RIGHT},
    {"滚动", VERB_SCROLL, ACTION_SCROLL, DIRECTION_NONE},

    {"type", VERB_TEXT, ACTION_TYPE, DIRECTION_NONE},
    {"typetext", VERB_TEXT, ACTION_TYPE, DIRECTION_NONE},
    {"typetextat", VERB_TEXT, ACTION_TYPE, DIRECTION_NONE},
    {"typename", VERB_TEXT, ACTION_TYPE, DIRECTION_NONE},
    {"typewrite", VERB_TEXT, ACTION_TYPE, DIRECTION_NONE},
    {"write", VERB_TEXT, ACTION_TYPE, DIRECTION_NONE},
    {"text", VERB_TEXT, ACTION_TYPE, DIRECTION_NONE},
    {"input", VERB_TEXT, ACTION_TYPE, DIRECTION_NONE},
    {"inputtext", VERB_TEXT, ACTION_TYPE, DIRECTION_NONE},
    {"entertext", VERB_TEXT, ACTION_TYPE, DIRECTION_NONE},
    {"settext", VERB_TEXT, ACTION_TYPE, DIRECTION_NONE},
    {"输入", VERB_TEXT, ACTION_TYPE, DIRECTION_NONE},
    {"输入文本", VERB_TEXT, ACTION_TYPE, DIRECTION_NONE},

    {"enter", VERB_PLAIN, ACTION_ENTER, DIRECTION_NONE},
    {"pressenter", VERB_PLAIN, ACTION_ENTER, DIRECTION_NONE},
    {"keyboardenter", VERB_PLAIN, ACTION_ENTER, DIRECTION_NONE},
    {"回车", VERB_PLAIN, ACTION_ENTER, DIRECTION_NONE},

    {"back", VERB_PLAIN, ACTION_BACK, DIRECTION_NONE},
    {"pressback", VERB_PLAIN, ACTION_BACK, DIRECTION_NONE},
    {"goback", VERB_PLAIN, ACTION_BACK, DIRECTION_NONE},
    {"navigateback", VERB_PLAIN, ACTION_BACK, DIRECTION_NONE},
    {"systemback", VERB_PLAIN, ACTION_BACK, DIRECTION_NONE},
    {"返回", VERB_PLAIN, ACTION_BACK, DIRECTION_NONE},

    {"home", VERB_PLAIN, ACTION_HOME, DIRECTION_NONE},
    {"presshome", VERB_PLAIN, ACTION_HOME, DIRECTION_NONE},
    {"gohome", VERB_PLAIN, ACTION_HOME, DIRECTION_NONE},
    {"navigatehome", VERB_PLAIN, ACTION_HOME, DIRECTION_NONE},
    {"systemhome", VERB_PLAIN, ACTION_HOME, DIRECTION_NONE},
    {"回到桌面", VERB_PLAIN, ACTION_HOME, DIRECTION_NONE},
    {"主页", VERB_PLAIN, ACTION_HOME, DIRECTION_NONE},

    {"recents", VERB_PLAIN, ACTION_RECENTS, DIRECTION_NONE},
    {"recent", VERB_PLAIN, ACTION_RECENTS, DIRECTION_NONE},
    {"recentapps", VERB_PLAIN, ACTION_RECENTS, DIRECTION_NONE},
    {"pressrecent", VERB_PLAIN, ACTION_RECENTS, DIRECTION_NONE},
    {"pressrecents", VERB_PLAIN, ACTION_RECENTS, DIRECTION_NONE},
    {"pressrecentapps", VERB_PLAIN, ACTION_RECENTS, DIRECTION_NONE},
    {"pressappswitch", VERB_PLAIN, ACTION_RECENTS, DIRECTION_NONE},
    {"appswitch", VERB_PLAIN, ACTION_RECENTS, DIRECTION_NONE},
    {"overview", VERB_PLAIN, ACTION_RECENTS, DIRECTION_NONE},

    {"openapp", VERB_TEXT, ACTION_OPEN_APP, DIRECTION_NONE},
    {"open", VERB_TEXT, ACTION_OPEN_APP, DIRECTION_NONE},
    {"launch", VERB_TEXT, ACTION_OPEN_APP, DIRECTION_NONE},
    {"launchapp", VERB_TEXT, ACTION_OPEN_APP, DIRECTION_NONE},
    {"startapp", VERB_TEXT, ACTION_OPEN_APP, DIRECTION_NONE},
    {"awake", VERB_TEXT, ACTION_OPEN_APP, DIRECTION_NONE},
    {"打开", VERB_TEXT, ACTION_OPEN_APP, DIRECTION_NONE},
    {"打开应用", VERB_TEXT, ACTION_OPEN_APP, DIRECTION_NONE},
    {"启动", VERB_TEXT, ACTION_OPEN_APP, DIRECTION_NONE},

    {"wait", VERB_PLAIN, ACTION_WAIT, DIRECTION_NONE},
    {"sleep", VERB_PLAIN, ACTION_WAIT, DIRECTION_NONE},
    {"pause", VERB_PLAIN, ACTION_WAIT, DIRECTION_NONE},
    {"wait5seconds", VERB_PLAIN, ACTION_WAIT, DIRECTION_NONE},
    {"screenshot", VERB_PLAIN, ACTION_WAIT, DIRECTION_NONE},
    {"takescreenshot", VERB_PLAIN, ACTION_WAIT, DIRECTION_NONE},
    {"等待", VERB_PLAIN, ACTION_WAIT, DIRECTION_NONE},

    {"ask", VERB_WORDS, ACTION_ASK, DIRECTION_NONE},
    {"askuser", VERB_WORDS, ACTION_ASK, DIRECTION_NONE},
    {"calluser", VERB_WORDS, ACTION_ASK, DIRECTION_NONE},
    {"interact", VERB_WORDS, ACTION_ASK, DIRECTION_NONE},
    {"takeover", VERB_WORDS, ACTION_ASK, DIRECTION_NONE},
    {"info", VERB_WORDS, ACTION_ASK, DIRECTION_NONE},
    {"询问", VERB_WORDS, ACTION_ASK, DIRECTION_NONE},

    {"answer", VERB_TEXT, ACTION_ANSWER, DIRECTION_NONE},
    {"respond", VERB_TEXT, ACTION_ANSWER, DIRECTION_NONE},
    {"回答", VERB_TEXT, ACTION_ANSWER, DIRECTION_NONE},

    {"complete", VERB_STATUS, ACTION_COMPLETE, DIRECTION_NONE},
    {"completed", VERB_STATUS, ACTION_COMPLETE, DIRECTION_NONE},
    {"finish", VERB_STATUS, ACTION_COMPLETE, DIRECTION_NONE},
    {"finished", VERB_STATUS, ACTION_COMPLETE, DIRECTION_NONE},
    {"done", VERB_STATUS, ACTION_COMPLETE, DIRECTION_NONE},
    {"end", VERB_STATUS, ACTION_COMPLETE, DIRECTION_NONE},
    {"stop", VERB_STATUS, ACTION_COMPLETE, DIRECTION_NONE},
    {"exit", VERB_STATUS, ACTION_COMPLETE, DIRECTION_NONE},
    {"success", VERB_STATUS, ACTION_COMPLETE, DIRECTION_NONE},
    {"status", VERB_STATUS, ACTION_COMPLETE, DIRECTION_NONE},
    {"terminate", VERB_STATUS, ACTION_COMPLETE, DIRECTION_NONE},
    {"taskcomplete", VERB_STATUS, ACTION_COMPLETE, DIRECTION_NONE},
    {"statuscomplete", VERB_STATUS, ACTION_COMPLETE, DIRECTION_NONE},
    {"statustaskcomplete", VERB_STATUS, ACTION_COMPLETE, DIRECTION_NONE},
    {"完成", VERB_STATUS, ACTION_COMPLETE, DIRECTION_NONE},
    {"结束", VERB_STATUS, ACTION_COMPLETE, DIRECTION_NONE},
    {"任务完成", VERB_STATUS, ACTION_COMPLETE, DIRECTION_NONE},

    {"fail", VERB_WORDS, ACTION_FAIL, DIRECTION_NONE},
    {"failed", VERB_WORDS, ACTION_FAIL, DIRECTION_NONE},
    {"failure", VERB_WORDS, ACTION_FAIL, DIRECTION_NONE},
    {"abort", VERB_WORDS, ACTION_FAIL, DIRECTION_NONE},
    {"giveup", VERB_WORDS, ACTION_FAIL, DIRECTION_NONE},
    {"impossible", VERB_WORDS, ACTION_FAIL, DIRECTION_NONE},
    {"infeasible", VERB_WORDS, ACTION_FAIL, DIRECTION_NONE},
    {"taskimpossible", VERB_WORDS, ACTION_FAIL, DIRECTION_NONE},
    {"statusimpossible", VERB_WORDS, ACTION_FAIL, DIRECTION_NONE},
    {"statustaskimpossible", VERB_WORDS, ACTION_FAIL, DIRECTION_NONE},
    {"失败", VERB_WORDS, ACTION_FAIL, DIRECTION_NONE},
    {"放弃", VERB_WORDS, ACTION_FAIL, DIRECTION_NONE},

    {"key", VERB_KEY, ACTION_ENTER, DIRECTION_NONE},
    {"press", VERB_KEY, ACTION_ENTER, DIRECTION_NONE},
    {"presskey", VERB_KEY, ACTION_ENTER, DIRECTION_NONE},
    {"pressbutton", VERB_KEY, ACTION_ENTER, DIRECTION_NONE},
    {"keypress", VERB_KEY, ACTION_ENTER, DIRECTION_NONE},
    {"keyevent", VERB_KEY, ACTION_ENTER, DIRECTION_NONE},
    {"keycombination", VERB_KEY, ACTION_ENTER, DIRECTION_NONE},
    {"hotkey", VERB_KEY, ACTION_ENTER, DIRECTION_NONE},
    {"systembutton", VERB_KEY, ACTION_ENTER, DIRECTION_NONE},
    {"button", VERB_KEY, ACTION_ENTER, DIRECTION_NONE},

    {"dualpoint", VERB_GESTURE, ACTION_SWIPE, DIRECTION_NONE},
    {"dualgesture", VERB_GESTURE, ACTION_SWIPE, DIRECTION_NONE},
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

void verb_normalise(struct span text, char *name, size_t size)
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
                         struct span text, int *value)
{
    char name[NAME_SIZE];

    verb_normalise(text, name, sizeof(name));
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(meanings[i].name, name)) {
            *value = meanings[i].value;
            return true;
        }
    }
    return false;
}

const struct verb *verb_find(struct span name)
{
    char plain[NAME_SIZE];
    const char *dot = memrchr(name.text, '.', name.length);

    if (dot) {
        name.length -= (size_t)(dot + 1 - name.text);
        name.text = dot + 1;
    }
    verb_normalise(name, plain, sizeof(plain));
    for (size_t i = 0; i < ARRAY_LEN(verbs); i++) {
        if (!strcmp(verbs[i].name, plain))
            return &verbs[i];
    }
    return NULL;
}

bool verb_key(struct span name, enum action_kind *kind)
{
    int value;

    if (!find_meaning(keys, ARRAY_LEN(keys), name, &value))
        return false;
    *kind = (enum action_kind)value;
    return true;
}

bool verb_status(struct span name, enum action_kind *kind)
{
    int value;

    if (!find_meaning(statuses, ARRAY_LEN(statuses), name, &value))
        return false;
    *kind = (enum action_kind)value;
    return true;
}

bool verb_direction(struct span name, enum action_direction *direction)
{
    int value;

    if (!find_meaning(directions, ARRAY_LEN(directions), name, &value))
        return false;
    *direction = (enum action_direction)value;
    return true;
}
