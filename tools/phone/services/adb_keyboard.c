#include "tools/phone/services/adb_keyboard.h"

#include <string.h>

#include "base/base64.h"
#include "base/keycode.h"
#include "base/utf8.h"
#include "tools/phone/system/input_methods.h"

#define TEXT_MAX ((size_t)1 << 20)

static void type_text(struct screen_context *phone, const char *text)
{
    if (text && *text)
        screen_command_type(phone, text);
}

static void type_base64(struct screen_context *phone, const char *letters)
{
    struct base64_decoder decoder = {0};
    struct buf text = BUF_INIT(TEXT_MAX);

    for (; letters && *letters; letters++)
        base64_take(&decoder, *letters, &text);
    type_text(phone, buf_cstr(&text));
    buf_release(&text);
}

/* Code points, separated by ','. */
static void type_characters(struct screen_context *phone, const char *list)
{
    struct buf text = BUF_INIT(TEXT_MAX);

    utf8_append_numbers(list ? list : "", &text);
    type_text(phone, buf_cstr(&text));
    buf_release(&text);
}

static void press(struct screen_context *phone, const char *code)
{
    int key;

    if (code && keycode_parse(code, &key))
        screen_key(phone->screen, key);
}

void adb_keyboard_receive(struct screen_context *phone,
                          const struct phone_intent *intent)
{
    const char *action = intent->action ? intent->action : "";
    const char *message = intent_extra(intent, "msg");

    if (!input_methods_is_current(phone->handset, INPUT_METHODS_ADB) ||
        !input_methods_exist(phone->handset, INPUT_METHODS_ADB))
        return;
    if (!strcmp(action, "ADB_INPUT_TEXT"))
        type_text(phone, message);
    else if (!strcmp(action, "ADB_INPUT_B64"))
        type_base64(phone, message);
    else if (!strcmp(action, "ADB_INPUT_CHARS"))
        type_characters(phone, intent_extra(intent, "chars"));
    else if (!strcmp(action, "ADB_INPUT_CODE"))
        press(phone, intent_extra(intent, "code"));
    else if (!strcmp(action, "ADB_EDITOR_CODE"))
        screen_key(phone->screen, KEY_ENTER);
    else if (!strcmp(action, "ADB_CLEAR_TEXT"))
        screen_key(phone->screen, KEY_CLEAR);
}
