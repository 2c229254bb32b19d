/* Keys, text, and the field that they go to. */
#include <string.h>

#include "tools/phone/editor.h"
#include "tools/phone/keycode.h"
#include "tools/phone/kinds.h"
#include "tools/phone/screen_private.h"

/* ---- the field ---- */

/* What is typed in; NULL for nothing. */
static const struct widget *focused(const struct screen *screen)
{
    return screen->keep.focus
               ? widget_tree_find(&screen->tree, screen->keep.focus)
               : NULL;
}

static void begin_edit(struct editor *editor, const struct widget *field)
{
    editor_init(editor, field->text, field->kept.caret, field->kept.anchor);
}

/* The app has the last word on the text: it is what it shows next. */
static void end_edit(struct screen *screen, const struct widget *field,
                     struct editor *editor)
{
    struct widget_kept *kept = keep_of(&screen->keep, field);
    const char *text = buf_cstr(&editor->text);

    kept->caret = editor->caret;
    kept->anchor = editor->anchor;
    screen->stale = true;
    if (strcmp(text, field->text ? field->text : "") != 0)
        screen_tell(screen, &(struct app_event){.kind = APP_CHANGE,
                                                .action = field->action,
                                                .argument = field->argument,
                                                .text = text});
    editor_release(editor);
}

void screen_focus(struct screen *screen, const struct widget *field, int x,
                  int y, bool select)
{
    struct editor editor;
    size_t at = field_position(field, x, y);

    editor_init(&editor, field->text, at, at);
    if (select)
        editor_select_word(&editor, at);
    screen->keep.focus = field->identity;
    end_edit(screen, field, &editor);
    keyboard_show(&screen->keyboard);
}

/* ---- keys ---- */

static void submit(struct screen *screen, const struct widget *field)
{
    keyboard_hide(&screen->keyboard);
    screen->stale = true;
    screen_tell(screen, &(struct app_event){.kind = APP_SUBMIT,
                                            .action = field->action,
                                            .argument = field->argument,
                                            .text = field->text});
}

/* False for a key that a field has no use for. */
static bool edit_by_key(struct editor *editor, int key)
{
    switch (key) {
    case KEY_DELETE:
        editor_erase_before(editor);
        return true;
    case KEY_FORWARD_DELETE:
        editor_erase_behind(editor);
        return true;
    case KEY_CLEAR:
        editor->anchor = 0;
        editor->caret = editor->text.length;
        editor_erase_before(editor);
        return true;
    case KEY_LEFT:
        editor_move(editor, -1);
        return true;
    case KEY_RIGHT:
        editor_move(editor, 1);
        return true;
    case KEY_MOVE_HOME:
        editor_move(editor, -(int)editor->text.length);
        return true;
    case KEY_MOVE_END:
        editor_move(editor, (int)editor->text.length);
        return true;
    default:
        return false;
    }
}

static bool is_enter(int key)
{
    return key == KEY_ENTER || key == KEY_NUMPAD_ENTER;
}

static void type(struct screen *screen, const char *text)
{
    const struct widget *field = focused(screen);
    struct editor editor;

    if (!field) {
        screen_tell(screen,
                    &(struct app_event){.kind = APP_TEXT, .text = text});
        return;
    }
    begin_edit(&editor, field);
    editor_insert(&editor, text);
    end_edit(screen, field, &editor);
}

/* True when the field that is typed in took the key. */
static bool press_in_field(struct screen *screen, int key)
{
    const struct widget *field = focused(screen);
    struct editor editor;
    bool used;

    if (!field)
        return false;
    if (is_enter(key) && (field->flags & WIDGET_LINES)) {
        type(screen, "\n");
        return true;
    }
    if (is_enter(key)) {
        submit(screen, field);
        return true;
    }
    begin_edit(&editor, field);
    used = edit_by_key(&editor, key);
    if (used)
        end_edit(screen, field, &editor);
    else
        editor_release(&editor);
    return used;
}

void screen_press_key(struct screen *screen, int key)
{
    if (key == KEY_BACK && screen->keyboard.shown) {
        keyboard_hide(&screen->keyboard);
        screen->stale = true;
        return;
    }
    if (!press_in_field(screen, key))
        screen_tell(screen, &(struct app_event){.kind = APP_KEY, .key = key});
}

void screen_press_soft_key(struct screen *screen, const struct widget *key)
{
    struct keyboard_stroke stroke =
        keyboard_press(&screen->keyboard, key, screen->display.locale);

    screen->stale = true;
    switch (stroke.effect) {
    case KEYBOARD_TEXT:
        type(screen, stroke.text);
        break;
    case KEYBOARD_ERASE:
        screen_press_key(screen, KEY_DELETE);
        break;
    case KEYBOARD_ENTER:
        screen_press_key(screen, KEY_ENTER);
        break;
    case KEYBOARD_NOTHING:
        break;
    }
}

/* The tree must be the app's last: typing goes on where it ended. */
void screen_key(struct screen *screen, int key)
{
    const char text[] = {keycode_character(key), '\0'};

    pthread_mutex_lock(&screen->lock);
    screen_refresh(screen);
    if (text[0])
        type(screen, text);
    else
        screen_press_key(screen, key);
    pthread_mutex_unlock(&screen->lock);
}

void screen_type(struct screen *screen, const char *text)
{
    pthread_mutex_lock(&screen->lock);
    screen_refresh(screen);
    type(screen, text);
    pthread_mutex_unlock(&screen->lock);
}

/* ---- the keyboard in use ---- */

void screen_set_keyboard(struct screen *screen, bool visible)
{
    pthread_mutex_lock(&screen->lock);
    screen->no_keyboard = !visible;
    screen->stale = true;
    pthread_mutex_unlock(&screen->lock);
}

bool screen_shows_keyboard(struct screen *screen)
{
    bool shown;

    pthread_mutex_lock(&screen->lock);
    screen_refresh(screen);
    shown = screen->keyboard.shown;
    pthread_mutex_unlock(&screen->lock);
    return shown;
}
