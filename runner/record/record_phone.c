#include "runner/record/record_phone.h"

void record_screen_init(struct record_screen *screen)
{
    *screen = (struct record_screen){
        .png = BUF_INIT(RECORD_PNG_MAX),
        .picture = PICTURE_INIT,
        .xml = BUF_INIT(RECORD_XML_MAX),
    };
}

void record_screen_release(struct record_screen *screen)
{
    buf_release(&screen->png);
    picture_release(&screen->picture);
    buf_release(&screen->xml);
    record_screen_init(screen);
}

void record_screen_move(struct record_screen *to, struct record_screen *from)
{
    record_screen_release(to);
    *to = *from;
    record_screen_init(from);
}

void record_phone_close(struct record_phone *phone)
{
    if (phone)
        phone->ops->close(phone);
}
