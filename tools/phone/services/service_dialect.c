#include "tools/phone/services/service_dialect.h"

#define COMMANDS "The commands and default sources are:\n"

static const struct service_dialect current = {
    .input_usage =
        "Usage: input [<source>] [-d DISPLAY_ID] <command> [<arg>...]\n"
        "\n" COMMANDS "      text <string> (Default: keyboard)\n"
        "      keyevent [--longpress|--doubletap|--async] "
        "<key code number or name> ... (Default: keyboard)\n"
        "      tap <x> <y> (Default: touchscreen)\n"
        "      swipe <x1> <y1> <x2> <y2> [duration(ms)] "
        "(Default: touchscreen)\n"
        "      draganddrop <x1> <y1> <x2> <y2> [duration(ms)] "
        "(Default: touchscreen)\n"
        "      press (Default: trackball)\n"
        "      roll <dx> <dy> (Default: trackball)\n"
        "      keycombination [-t duration(ms)] <key code 1> <key code 2> ... "
        "(Default: keyboard)\n"
        "      motionevent <DOWN|UP|MOVE|CANCEL> <x> <y> "
        "(Default: touchscreen)\n",
    .delivered = "Warning: Activity not started, intent has been delivered to "
                 "currently running top-most instance.",
};

static const struct service_dialect old = {
    .input_usage = "Usage: input [<source>] <command> [<arg>...]\n"
                   "\n"
                   "The sources are: \n"
                   "      trackball\n"
                   "      joystick\n"
                   "      touchnavigation\n"
                   "      mouse\n"
                   "      keyboard\n"
                   "      gamepad\n"
                   "      touchpad\n"
                   "      dpad\n"
                   "      stylus\n"
                   "      touchscreen\n"
                   "\n" COMMANDS "      text <string> (Default: touchscreen)\n"
                   "      keyevent [--longpress] <key code number or name> ... "
                   "(Default: keyboard)\n"
                   "      tap <x> <y> (Default: touchscreen)\n"
                   "      swipe <x1> <y1> <x2> <y2> [duration(ms)] "
                   "(Default: touchscreen)\n"
                   "      press (Default: trackball)\n"
                   "      roll <dx> <dy> (Default: trackball)\n",
    .delivered = "Warning: Activity not started, its current task has been "
                 "brought to the front",
    .no_exceptions = true,
    .this_time = true,
};

const struct service_dialect *service_dialect(
    const struct android_level *android)
{
    return android->toolbox ? &old : &current;
}
