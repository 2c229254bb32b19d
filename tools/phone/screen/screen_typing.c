/* Keys, text, and the focused field. */
#include <string.h>

#include "base/keycode.h"
#include "tools/phone/screen/screen_private.h"
#include "tools/phone/widgets/text_editor.h"
#include "tools/phone/widgets/widget_kinds.h"

/* ---- the field ---- */

/* The focused field; NULL if there is none. */
static const struct widget *focused(const struct phone_screen *screen)
{
    return screen->widget_memory.focus
               ? widget_tree_find(&screen->tree, screen->widget_memory.focus)
               : NULL;
}

static void begin_edit(struct text_editor *editor, const struct widget *field)
{
    text_editor_init(editor, field->text, field->kept.caret,
                     field->kept.anchor);
}

/* The app decides about the text: it is what the app shows next. */
static void end_edit(struct phone_screen *screen, const struct widget *field,
                     struct text_editor *editor)
{
    struct widget_kept *kept = widget_memory_of(&screen->widget_memory, field);
    const char *text = buf_cstr(&editor->text);

    kept->caret = editor->caret;
    kept->anchor = editor->anchor;
    screen->stale = true;
    if (strcmp(text, field->text ? field->text : "") != 0)
        screen_tell(screen,
                    &(struct phone_app_event){.kind = APP_CHANGE,
                                              .action = field->action,
                                              .argument = field->argument,
                                              .text = text});
    text_editor_release(editor);
}

void screen_focus(struct phone_screen *screen, const struct widget *field,
                  int x, int y, bool select)
{
    struct text_editor editor;
    size_t at = field_position(field, x, y);

    text_editor_init(&editor, field->text, at, at);
    if (select)
        text_editor_select_word(&editor, at);
    screen->widget_memory.focus = field->identity;
    end_edit(screen, field, &editor);
    keyboard_show(&screen->keyboard);
}

/* ---- keys ---- */

static void submit(struct phone_screen *screen, const struct widget *field)
{
    keyboard_hide(&screen->keyboard);
    screen->stale = true;
    screen_tell(screen, &(struct phone_app_event){.kind = APP_SUBMIT,
                                                  .action = field->action,
                                                  .argument = field->argument,
                                                  .text = field->text});
}

/* False for a key that fields do not handle. */
static bool edit_by_key(struct text_editor *editor, int key)
{
    switch (key) {
    case KEY_DELETE:
        text_editor_erase_before(editor);
        return true;
    case KEY_FORWARD_DELETE:
        text_editor_erase_behind(editor);
        return true;
    case KEY_CLEAR:
        editor->anchor = 0;
        editor->caret = editor->text.length;
        text_editor_erase_before(editor);
        return true;
    case KEY_LEFT:
        text_editor_move(editor, -1);
        return true;
    case KEY_RIGHT:
        text_editor_move(editor, 1);
        return true;
    case KEY_MOVE_HOME:
        text_editor_move(editor, -(int)editor->text.length);
        return true;
    case KEY_MOVE_END:
        text_editor_move(editor, (int)editor->text.length);
        return true;
    default:
        return false;
    }
}

static bool is_enter(int key)
{
    return key == KEY_ENTER || key == KEY_NUMPAD_ENTER;
}

static void type(struct phone_screen *screen, const char *text)
{
    const struct widget *field = focused(screen);
    struct text_editor editor;

    if (!field) {
        screen_tell(screen,
                    &(struct phone_app_event){.kind = APP_TEXT, .text = text});
        return;
    }
    begin_edit(&editor, field);
    text_editor_insert(&editor, text);
    end_edit(screen, field, &editor);
}

/* True if the focused field handled the key. */
static bool press_in_field(struct phone_screen *screen, int key)
{
    const struct widget *field = focused(screen);
    struct text_editor editor;
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
        text_editor_release(&editor);
    return used;
}

void screen_press_key(struct phone_screen *screen, int key)
{
    if ((key == KEY_BACK || key == KEY_ESCAPE) && screen->keyboard.shown) {
        keyboard_hide(&screen->keyboard);
        screen->stale = true;
        return;
    }
    /* As on Android, the keyboard does not stay on the home screen. */
    if (key == KEY_HOME) {
        screen->widget_memory.focus = 0;
        keyboard_hide(&screen->keyboard);
    }
    if (!press_in_field(screen, key))
        screen_tell(screen,
                    &(struct phone_app_event){.kind = APP_KEY, .key = key});
}

void screen_press_soft_key(struct phone_screen *screen,
                           const struct widget *key)
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

/* Uses the latest tree: typing continues where it ended. */
void screen_key(struct phone_screen *screen, int key)
{
    const char text[] = {keycode_character(key), '\0'};

    pthread_mutex_lock(&screen->lock);
    screen_refresh(screen);
    if (text[0])
        type(screen, text);
    else
        screen_press_key(screen, key);
    screen_note_change(screen);
    pthread_mutex_unlock(&screen->lock);
}

void screen_type(struct phone_screen *screen, const char *text)
{
    pthread_mutex_lock(&screen->lock);
    screen_refresh(screen);
    type(screen, text);
    screen_note_change(screen);
    pthread_mutex_unlock(&screen->lock);
}

static void select_all(struct phone_screen *screen)
{
    const struct widget *field = focused(screen);
    struct text_editor editor;

    if (!field)
        return;
    begin_edit(&editor, field);
    editor.anchor = 0;
    editor.caret = editor.text.length;
    end_edit(screen, field, &editor);
}

void screen_select_all(struct phone_screen *screen)
{
    pthread_mutex_lock(&screen->lock);
    screen_refresh(screen);
    select_all(screen);
    screen_note_change(screen);
    pthread_mutex_unlock(&screen->lock);
}

/* ---- the on-screen keyboard ---- */

void screen_set_keyboard(struct phone_screen *screen, bool visible)
{
    pthread_mutex_lock(&screen->lock);
    screen->no_keyboard = !visible;
    screen->stale = true;
    screen_note_change(screen);
    pthread_mutex_unlock(&screen->lock);
}

bool screen_shows_keyboard(struct phone_screen *screen)
{
    bool shown;

    pthread_mutex_lock(&screen->lock);
    screen_refresh(screen);
    shown = screen->keyboard.shown;
    pthread_mutex_unlock(&screen->lock);
    return shown;
}

int screen_keyboard_top(struct phone_screen *screen)
{
    int top = 0;

    pthread_mutex_lock(&screen->lock);
    screen_refresh(screen);
    if (screen->keyboard.shown)
        top = screen->tree.size.height - screen->tree.keyboard;
    pthread_mutex_unlock(&screen->lock);
    return top;
}
