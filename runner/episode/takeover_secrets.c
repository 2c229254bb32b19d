#include "runner/episode/takeover_secrets.h"

#include <string.h>

#include "base/keycode.h"
#include "base/picture/png.h"
#include "process_provider/describe/unnamed_target.h"
#include "process_provider/tree/tree_write.h"

void takeover_secrets_release(struct takeover_secrets *secrets)
{
    secret_fields_release(&secrets->fields);
}

/* ---- screens ---- */

/* Paint over the masked fields; without a tree over all of the picture. */
static void paint(const struct takeover_secrets *secrets,
                  const struct observation *seen, struct picture *picture)
{
    if (seen->has_tree) {
        secret_fields_paint(&secrets->fields, &seen->tree, picture);
        return;
    }
    for (uint32_t y = 0; y < picture->height; y++)
        memset(picture_row(picture, y), 0xff, (size_t)4 * picture->width);
}

static bool mask_picture(const struct takeover_secrets *secrets,
                         struct observation *seen, struct err *err)
{
    struct picture picture = PICTURE_INIT;
    bool done;

    if (!seen->png.length)
        return true;
    done = png_decode(buf_cstr(&seen->png), seen->png.length, &picture, err);
    buf_clear(&seen->png);
    if (done) {
        paint(secrets, seen, &picture);
        done = png_encode(&picture, PNG_FAST, &seen->png, err);
    }
    picture_release(&picture);
    return done;
}

static bool rewrite_tree(struct observation *seen, struct err *err)
{
    buf_clear(&seen->xml);
    tree_write_xml(&seen->tree, &seen->xml);
    if (!seen->xml.overflow)
        return true;
    return err_set(err, ERR_LIMIT, "the masked tree is too large");
}

bool takeover_secrets_mask_screen(struct takeover_secrets *secrets,
                                  struct observation *seen, struct err *err)
{
    if (!secrets->active)
        return true;
    if (!seen->has_tree) {
        if (!secrets->fields.on_screen)
            return true;
        observation_doubt(seen, "painted over: it has no tree, and may show a "
                                "password");
        return mask_picture(secrets, seen, err);
    }
    if (!secret_fields_mask(&secrets->fields, &seen->tree))
        return true;
    if (rewrite_tree(seen, err) && mask_picture(secrets, seen, err))
        return true;
    buf_clear(&seen->png);
    seen->has_tree = false;
    return false;
}

/* ---- actions ---- */

static bool is_letter_key(const struct action *action)
{
    int key;

    return action->kind == ACTION_KEY && action->text &&
           keycode_parse(action->text, &key) && keycode_character(key);
}

static bool is_keyboard_touch(const struct observation *seen,
                              const struct action *action)
{
    return seen->has_tree &&
           (action_is_gesture(action->kind) || action->kind == ACTION_RAW) &&
           action->has_from &&
           unnamed_target_is_keyboard(&seen->tree, action->from.y);
}

bool takeover_secrets_mask_action(const struct takeover_secrets *secrets,
                                  const struct observation *seen, bool late,
                                  struct action *action)
{
    const struct action typing = {.kind = ACTION_TYPE};

    if (action->kind != ACTION_TYPE && !is_letter_key(action) &&
        !is_keyboard_touch(seen, action))
        return false;
    if (!late &&
        !secret_fields_get_text(&secrets->fields,
                                seen->has_tree ? &seen->tree : NULL, &typing))
        return false;
    secret_fields_hide_typing(action);
    return true;
}
