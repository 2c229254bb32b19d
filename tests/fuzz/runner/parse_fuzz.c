/* Replies of models: each gives an action or a reason. */
#include <stdlib.h>
#include <string.h>

#include "runner/parse/reply_parser.h"
#include "tests/fuzz/fuzz.h"

static bool is_on_screen(bool known, struct action_point point,
                         struct extent screen)
{
    return !known || (point.x >= 0 && point.x < screen.width && point.y >= 0 &&
                      point.y < screen.height);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct reply_parse_options options = {
        .picture = {1092, 2408},
        .screen = {1080, 2400},
    };
    struct action action = {.kind = ACTION_CLICK};
    const struct model_family *family = NULL;
    struct err err = ERR_INIT;

    if (!reply_parse((const char *)data, size, &options, &action, &family,
                     &err)) {
        if (err.code != ERR_INVALID || !err.text[0])
            abort();
        return 0;
    }
    if (!family ||
        !is_on_screen(action.has_from, action.from, options.screen) ||
        !is_on_screen(action.has_to, action.to, options.screen))
        abort();
    action_release(&action);
    return 0;
}
