/* The filters that look at a pixel's neighbours, for pixel_filter*.c only. */
#ifndef TOOLS_PHONE_PICTURES_PIXEL_FILTER_PRIVATE_H
#define TOOLS_PHONE_PICTURES_PIXEL_FILTER_PRIVATE_H

#include "tools/phone/pictures/pixel_filter.h"

/* All four bytes of a pixel are blurred. Both fail with ERR_LIMIT. */
MUST_USE bool pixel_filter_blur(struct picture *picture, int radius,
                                struct err *err);
MUST_USE bool pixel_filter_sharpen(struct picture *picture, int amount,
                                   struct err *err);

#endif
