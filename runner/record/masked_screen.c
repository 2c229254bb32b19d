#include "runner/record/masked_screen.h"

#include "base/picture/png.h"
#include "process_provider/tree/tree_write.h"
#include "runner/record/record_phone.h"

static bool paint(struct masked_screen *screen,
                  const struct secret_fields *secrets, const struct tree *tree,
                  struct err *err)
{
    struct picture picture = PICTURE_INIT;
    bool done =
        png_decode(buf_cstr(&screen->png), screen->png.length, &picture, err);

    if (done) {
        secret_fields_paint(secrets, tree, &picture);
        buf_clear(&screen->png);
        done = png_encode(&picture, PNG_FAST, &screen->png, err);
    }
    picture_release(&picture);
    return done;
}

static bool mask(struct masked_screen *screen, struct secret_fields *secrets,
                 struct err *err)
{
    if (!secret_fields_mask(secrets, &screen->tree))
        return true;
    buf_clear(&screen->xml);
    tree_write_xml(&screen->tree, &screen->xml);
    if (screen->xml.overflow)
        return err_set(err, ERR_LIMIT, "a tree of more than %zu MiB",
                       RECORD_XML_MAX >> 20);
    return !screen->png.length || paint(screen, secrets, &screen->tree, err);
}

bool masked_screen_make(struct masked_screen *screen,
                        struct secret_fields *secrets,
                        const struct observation *seen, struct err *err)
{
    *screen = (struct masked_screen){.png = BUF_INIT(RECORD_PNG_MAX),
                                     .xml = BUF_INIT(RECORD_XML_MAX),
                                     .tree = TREE_INIT};
    if (!seen->has_tree && secrets->on_screen)
        return true;
    buf_append(&screen->png, buf_cstr(&seen->png), seen->png.length);
    if (!seen->has_tree)
        return true;
    buf_append(&screen->xml, buf_cstr(&seen->xml), seen->xml.length);
    screen->has_tree =
        tree_read(&screen->tree, buf_cstr(&seen->xml), seen->xml.length, err);
    return screen->has_tree && mask(screen, secrets, err);
}

void masked_screen_release(struct masked_screen *screen)
{
    buf_release(&screen->png);
    buf_release(&screen->xml);
    tree_release(&screen->tree);
    screen->has_tree = false;
}
