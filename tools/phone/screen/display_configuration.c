#include "tools/phone/screen/display_configuration.h"

#include <stdio.h>

struct phone_size display_configuration_size(
    const struct screen_display *display)
{
    struct phone_size size = display->size;

    if (display->rotation % 2)
        size = (struct phone_size){size.height, size.width};
    return size;
}

void display_configuration_print(const struct screen_display *display,
                                 const char *type, struct buf *text)
{
    static const char *const locales[] = {"en_US", "zh_CN_#Hans"};
    struct phone_size size = display_configuration_size(display);
    int width = size.width * 160 / display->density;
    int height = size.height * 160 / display->density;
    char bounds[64];

    snprintf(bounds, sizeof(bounds), "Rect(0, 0 - %d, %d)", size.width,
             size.height);
    buf_printf(text,
               "{1.0 310mcc260mnc [%s] ldltr sw%ddp w%ddp h%ddp %ddpi nrml "
               "long %s%s finger -keyb/v/h -nav/h winConfig={ mBounds=%s "
               "mAppBounds=%s mMaxBounds=%s mDisplayRotation=ROTATION_%d "
               "mWindowingMode=fullscreen mActivityType=%s "
               "mAlwaysOnTop=undefined mRotation=ROTATION_%d} s.1 "
               "fontWeightAdjustment=0}",
               locales[display->locale], width < height ? width : height, width,
               height, display->density, width < height ? "port" : "land",
               display->dark ? " night" : "", bounds, bounds, bounds,
               display->rotation * 90, type, display->rotation * 90);
}
