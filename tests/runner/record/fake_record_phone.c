#include "tests/runner/record/fake_record_phone.h"

#include <stdio.h>
#include <string.h>

#define BUTTON "[10,20][110,60]"
#define FIELD "[10,100][110,140]"

struct action_point fake_record_phone_button(void)
{
    return (struct action_point){60, 40};
}

struct action_point fake_record_phone_field(void)
{
    return (struct action_point){60, 120};
}

static int64_t fake_now_ms(struct record_phone *phone)
{
    return ((struct fake_record_phone *)phone)->now_ms++;
}

/* Every state has its own color. */
static bool draw(const struct fake_record_phone *self, struct picture *picture,
                 struct err *err)
{
    if (!picture_resize(picture, FAKE_WIDTH, FAKE_HEIGHT, err))
        return false;
    for (uint32_t y = 0; y < FAKE_HEIGHT; y++) {
        uint8_t *row = picture_row(picture, y);

        for (uint32_t x = 0; x < FAKE_WIDTH; x++) {
            row[x * 4] = (uint8_t)(self->acts * 7);
            row[x * 4 + 1] = (uint8_t)(self->acts >> 5);
            row[x * 4 + 2] = (uint8_t)(x + y);
            row[x * 4 + 3] = 255;
        }
    }
    return true;
}

static bool fake_capture(struct record_phone *phone,
                         struct record_screen *screen, struct err *err)
{
    struct fake_record_phone *self = (struct fake_record_phone *)phone;

    buf_clear(&screen->png);
    buf_clear(&screen->xml);
    if (!draw(self, &screen->picture, err))
        return false;
    if (!self->no_tree)
        buf_printf(&screen->xml,
                   "<?xml version='1.0'?><hierarchy rotation=\"0\">"
                   "<node index=\"0\" text=\"\" class=\"android.view.View\" "
                   "package=\"com.example\" bounds=\"[0,0][120,240]\">"
                   "<node index=\"0\" class=\"android.view.View\" "
                   "resource-id=\"android:id/content\" "
                   "package=\"com.example\" bounds=\"[0,0][120,%d]\">"
                   "<node index=\"0\" text=\"Step %d\" "
                   "class=\"android.widget.Button\" package=\"com.example\" "
                   "clickable=\"true\" bounds=\"" BUTTON "\"/>"
                   "<node index=\"1\" text=\"%s\" hint=\"%s\" "
                   "resource-id=\"com.example:id/field\" "
                   "class=\"android.widget.EditText\" package=\"com.example\" "
                   "clickable=\"true\" focusable=\"true\" focused=\"%s\" "
                   "password=\"%s\" bounds=\"" FIELD "\"/>"
                   "</node></node></hierarchy>",
                   self->keyboard ? 150 : FAKE_HEIGHT, self->acts,
                   self->field ? self->field : "", self->hint ? self->hint : "",
                   self->focused ? "true" : "false",
                   self->password ? "true" : "false");
    snprintf(screen->package, sizeof(screen->package), "com.example");
    screen->keyboard_top = self->keyboard_top;
    screen->at_ms = fake_now_ms(phone);
    return true;
}

static bool fake_perform(struct record_phone *phone,
                         const struct action *action, struct record_done *done,
                         struct err *err)
{
    struct fake_record_phone *self = (struct fake_record_phone *)phone;

    (void)action, (void)err;
    done->doubt[0] = '\0';
    self->acts++;
    return true;
}

static bool fake_save(struct record_phone *phone, unsigned slot,
                      struct err *err)
{
    struct fake_record_phone *self = (struct fake_record_phone *)phone;

    (void)err;
    self->states[slot] = self->acts;
    return true;
}

static bool fake_restore(struct record_phone *phone, unsigned slot,
                         struct err *err)
{
    struct fake_record_phone *self = (struct fake_record_phone *)phone;

    (void)err;
    self->acts = self->states[slot];
    return true;
}

static void fake_close(struct record_phone *phone)
{
    (void)phone;
}

void fake_record_phone_init(struct fake_record_phone *phone, bool snapshots)
{
    static const struct record_phone_ops with_snapshots = {
        .now_ms = fake_now_ms,
        .capture = fake_capture,
        .observe = fake_capture,
        .perform = fake_perform,
        .save = fake_save,
        .restore = fake_restore,
        .close = fake_close,
    };
    static const struct record_phone_ops without = {
        .now_ms = fake_now_ms,
        .capture = fake_capture,
        .observe = fake_capture,
        .perform = fake_perform,
        .close = fake_close,
    };

    *phone = (struct fake_record_phone){
        .phone = {.ops = snapshots ? &with_snapshots : &without,
                  .serial = "fake",
                  .width = FAKE_WIDTH,
                  .height = FAKE_HEIGHT}};
}
