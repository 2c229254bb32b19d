/*
 * Documents of the picture editor. What is read is drawn as well, if its layers
 * are few: the size of a picture bounds what each takes.
 */
#include <stdlib.h>

#include "tests/fuzz/fuzz.h"
#include "tools/phone/pictures/picture_render.h"

#define LAYERS_MAX 2
#define STEPS_MAX 4

static bool is_small(const struct picture_document *document)
{
    if (document->count > LAYERS_MAX)
        return false;
    for (size_t i = 0; i < document->count; i++) {
        if (document->layers[i].steps.count > STEPS_MAX ||
            document->layers[i].mask.steps.count > STEPS_MAX)
            return false;
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct picture_document document;
    struct picture picture = PICTURE_INIT;
    struct err err = ERR_INIT;

    if (!picture_document_parse((const char *)data, size, &document, &err))
        return 0;
    if (is_small(&document) && picture_render(&document, &picture, &err) &&
        ((int)picture.width != document.width ||
         (int)picture.height != document.height))
        abort();
    picture_release(&picture);
    picture_document_release(&document);
    return 0;
}
