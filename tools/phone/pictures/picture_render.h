/* The pixels of a document of the picture editor. */
#ifndef TOOLS_PHONE_PICTURES_PICTURE_RENDER_H
#define TOOLS_PHONE_PICTURES_PICTURE_RENDER_H

#include "tools/phone/pictures/picture_document.h"

/*
 * Draw all layers into picture, which becomes opaque: white is behind them.
 * Fails with ERR_LIMIT when there is no memory; picture is then untouched.
 */
MUST_USE bool picture_render(const struct picture_document *document,
                             struct picture *picture, struct err *err);

/*
 * The mask of a layer alone, as large as the document: white where the layer is
 * seen. Fails as picture_render.
 */
MUST_USE bool picture_render_mask(const struct picture_document *document,
                                  size_t layer, struct picture *picture,
                                  struct err *err);

#endif
