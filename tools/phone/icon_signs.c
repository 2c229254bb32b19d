/* Signs that apps put on what can be pressed; drawn in the ink of that. */
#include "tools/phone/icon_signs.h"

#include "base/macros.h"

#define PEN 2.0F

/* clang-format off */
#define DRAWN(name_, outline_) {name_, {.layers = {{outline_, PEN, 0}}}}
#define FILLED(name_, outline_) {name_, {.layers = {{outline_, 0, 0}}}}

const struct icon_sign icon_signs[] = {
    /* moving */
    DRAWN("back", "M20 12 L4.5 12 M11.5 5 L4.5 12 L11.5 19"),
    DRAWN("forward", "M4 12 L19.5 12 M12.5 5 L19.5 12 L12.5 19"),
    DRAWN("up", "M6 15 L12 9 L18 15"),
    DRAWN("down", "M6 9 L12 15 L18 9"),
    DRAWN("left", "M15 6 L9 12 L15 18"),
    DRAWN("right", "M9 6 L15 12 L9 18"),
    DRAWN("menu", "M3.5 6.5 L20.5 6.5 M3.5 12 L20.5 12 M3.5 17.5 L20.5 17.5"),
    FILLED("more", "O12 5.5 2 O12 12 2 O12 18.5 2"),
    FILLED("home", "M12 3 L2.5 11.5 L5.5 11.5 L5.5 20 L10 20 L10 14.5 "
                   "L14 14.5 L14 20 L18.5 20 L18.5 11.5 L21.5 11.5 Z"),

    /* doing */
    DRAWN("add", "M12 5 L12 19 M5 12 L19 12"),
    DRAWN("minus", "M5 12 L19 12"),
    DRAWN("check", "M4.5 12.5 L9.5 17.5 L19.5 7"),
    DRAWN("delete", "M4.5 6.5 L19.5 6.5 M9 6 L9 3.8 L15 3.8 L15 6 "
                    "M6.5 7 L7.3 20.2 L16.7 20.2 L17.5 7"),
    DRAWN("backspace", "M8.5 5 L21.5 5 L21.5 19 L8.5 19 L2.5 12 Z "
                       "M11.5 9 L17.5 15 M17.5 9 L11.5 15"),
    DRAWN("edit", "M4 20 L5 15.5 L16 4.5 L19.5 8 L8.5 19 Z"),
    DRAWN("filter", "M3 6.5 L21 6.5 M6.5 12 L17.5 12 M10 17.5 L14 17.5"),
    DRAWN("sort", "M7.5 20 L7.5 4.5 M3.5 8.5 L7.5 4.5 L11.5 8.5 "
                  "M16.5 4 L16.5 19.5 M12.5 15.5 L16.5 19.5 L20.5 15.5"),
    DRAWN("share", "M8 11 L16 6.5 M8 13 L16 17.5 O6 12 2.2 O18 5.4 2.2 "
                   "O18 18.6 2.2"),
    DRAWN("refresh", "M19 12 C19 21.5 5 21.5 5 12 C5 4.5 14 2.5 17.5 7.5 "
                     "M18.5 3 L18.5 8.5 L13 8.5"),
    FILLED("play", "M7 4.5 L19.5 12 L7 19.5 Z"),
    FILLED("pause", "R6 5 4.4 14 1 R13.6 5 4.4 14 1"),
    FILLED("stop", "R6 6 12 12 1.5"),
    DRAWN("flag", "M6 21 L6 4 L18 4 L15.5 8.5 L18 13 L6 13"),
    DRAWN("mic", "R9 3 6 11 3 M5.5 11.5 C5.5 20 18.5 20 18.5 11.5 M12 18 "
                 "L12 21.5"),
    DRAWN("photo", "R3 5 18 15 3 O12 12.5 3.6 M8.5 5 L10 3 L14 3 L15.5 5"),

    /* things */
    DRAWN("alarm", "O12 13 7.5 M12 8.5 L12 13 L15 15 M4 6.5 L7 3.8 M20 6.5 "
                   "L17 3.8"),
    DRAWN("world", "O12 12 9 M3 12 L21 12 M12 3 C6.5 8 6.5 16 12 21 "
                   "C17.5 16 17.5 8 12 3"),
    DRAWN("timer", "M6.5 3.5 L17.5 3.5 M6.5 20.5 L17.5 20.5 M7.5 4 "
                   "C7.5 9 12 10.5 12 12 C12 13.5 7.5 15 7.5 20 M16.5 4 "
                   "C16.5 9 12 10.5 12 12 C12 13.5 16.5 15 16.5 20"),
    DRAWN("stopwatch", "O12 13.5 7.5 M9.5 2.8 L14.5 2.8 M12 9 L12 13.5 "
                       "M18 6.5 L19.5 5"),
    DRAWN("cart", "M2.5 4 L5.5 4 L8 15.5 L18.5 15.5 L21 7 L6.3 7 O9 19.5 0.8 "
                  "O17.5 19.5 0.8"),
    DRAWN("bag", "M5 8 L19 8 L20 20.5 L4 20.5 Z M8.5 10.5 L8.5 7 "
                 "C8.5 2.6 15.5 2.6 15.5 7 L15.5 10.5"),
    DRAWN("heart", "M12 20 C4 14 2.5 11 3 8 C3.6 4.2 9 3 12 7.5 "
                   "C15 3 20.4 4.2 21 8 C21.5 11 20 14 12 20 Z"),
    FILLED("heart_full", "M12 20.5 C4 14.5 2 11 2.5 8 C3.2 3.6 9 2.4 12 6.8 "
                         "C15 2.4 20.8 3.6 21.5 8 C22 11 20 14.5 12 20.5 Z"),
    FILLED("star", "M12 2.5 L14.9 8.6 L21.5 9.5 L16.7 14.1 L17.9 20.7 "
                   "L12 17.5 L6.1 20.7 L7.3 14.1 L2.5 9.5 L9.1 8.6 Z"),
    DRAWN("star_empty", "M12 3.5 L14.6 9 L20.5 9.8 L16.2 14 L17.3 19.8 "
                        "L12 17 L6.7 19.8 L7.8 14 L3.5 9.8 L9.4 9 Z"),
    DRAWN("person", "O12 8 4 M4 20.5 C4.5 13.5 19.5 13.5 20 20.5"),
    DRAWN("place", "M12 21.5 C6.5 15 5 12 5 9.5 C5 0.5 19 0.5 19 9.5 "
                   "C19 12 17.5 15 12 21.5 Z O12 9.5 2.4"),
    DRAWN("info", "O12 12 9 M12 11 L12 16.5 M12 7.6 L12 7.7"),
    DRAWN("help", "O12 12 9 M9.2 9.6 C9.2 5.6 14.8 5.6 14.8 9.4 "
                  "C14.8 11.6 12 11.6 12 13.8 M12 16.8 L12 16.9"),
    DRAWN("lock", "R5 10.5 14 10 2 M8 10 L8 7 C8 2 16 2 16 7 L16 10"),
    DRAWN("bell", "M4.5 17.5 L19.5 17.5 C17.5 15.5 18 13 17.5 9.5 "
                  "C16.8 3 7.2 3 6.5 9.5 C6 13 6.5 15.5 4.5 17.5 Z M10.5 20.8 "
                  "L13.5 20.8"),
    DRAWN("label", "M3.5 6 L15.5 6 L20.5 12 L15.5 18 L3.5 18 Z"),
    DRAWN("calendar", "R4 5 16 15.5 2 M4 9.8 L20 9.8 M8.5 2.8 L8.5 6.5 "
                      "M15.5 2.8 L15.5 6.5"),
    DRAWN("truck", "M2 6 L14 6 L14 17 L2 17 Z M14 10 L18.5 10 L22 13.5 L22 17 "
                   "L14 17 O6.5 18 1.6 O17.5 18 1.6"),
    DRAWN("bluetooth", "M7 7.5 L17 16.5 L12 21 L12 3 L17 7.5 L7 16.5"),
    DRAWN("volume", "M4 9.5 L7.5 9.5 L12.5 5 L12.5 19 L7.5 14.5 L4 14.5 Z "
                    "M16 9 C17.8 10.8 17.8 13.2 16 15"),
    DRAWN("display", "O12 12 4.2 M12 2.5 L12 4.5 M12 19.5 L12 21.5 M2.5 12 "
                     "L4.5 12 M19.5 12 L21.5 12 M5.3 5.3 L6.7 6.7 M17.3 17.3 "
                     "L18.7 18.7 M5.3 18.7 L6.7 17.3 M17.3 6.7 L18.7 5.3"),
    DRAWN("battery", "R7 5 10 16 2 M10 2.8 L14 2.8"),
    DRAWN("storage", "R3 4.5 18 6.5 2 R3 13 18 6.5 2 M7 7.8 L7 7.9 M7 16.2 "
                     "L7 16.3"),
    DRAWN("apps", "R4 4 6 6 1.5 R14 4 6 6 1.5 R4 14 6 6 1.5 R14 14 6 6 1.5"),
    DRAWN("language", "M3.5 5.5 L14.5 5.5 M9 3 L9 5.5 M12.5 5.5 C11.5 10 8 13 "
                      "4 14.5 M5.8 8.5 C7.5 11.5 10 13.5 12.5 14.5 M12.5 21 "
                      "L17 10.5 L21.5 21 M14.2 17.5 L19.8 17.5"),
};
/* clang-format on */

const size_t icon_sign_count = ARRAY_LEN(icon_signs);
