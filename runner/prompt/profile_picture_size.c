/* The size at which screenshots are sent. */
#include <math.h>

#include "runner/prompt/profile.h"

static int at_least_one(double side)
{
    return side < 1 ? 1 : (int)side;
}

static struct extent scaled(struct extent screen, double scale)
{
    return (struct extent){
        at_least_one(nearbyint(screen.width * scale)),
        at_least_one(nearbyint(screen.height * scale)),
    };
}

static int patches_of(struct extent size, int patch)
{
    return ((size.width + patch - 1) / patch) *
           ((size.height + patch - 1) / patch);
}

/* Shrink by a pixel of the long side until the number of patches fits. */
static struct extent fit_patches(const struct profile_picture *picture,
                                 struct extent screen, struct extent size)
{
    int longest = screen.width > screen.height ? screen.width : screen.height;
    int side = size.width > size.height ? size.width : size.height;

    while (side > 1 && patches_of(size, picture->patch) > picture->max_patches)
        size = scaled(screen, (double)--side / longest);
    return size;
}

static int multiple_of(double side, int factor, double (*towards)(double))
{
    double count = towards(side / factor);

    return (count < 1 ? 1 : (int)count) * factor;
}

/* Qwen's smart_resize; nearbyint rounds halves to even, as Python does. */
static struct extent smart(const struct profile_picture *picture,
                           struct extent from)
{
    double width = from.width;
    double height = from.height;
    struct extent size = {multiple_of(width, picture->multiple, nearbyint),
                          multiple_of(height, picture->multiple, nearbyint)};
    double pixels = (double)size.width * size.height;
    double scale = 1;

    if (picture->max_pixels && pixels > picture->max_pixels) {
        scale = sqrt(picture->max_pixels / (width * height));
        size = (struct extent){
            multiple_of(width * scale, picture->multiple, floor),
            multiple_of(height * scale, picture->multiple, floor)};
    } else if (pixels < picture->min_pixels) {
        scale = sqrt(picture->min_pixels / (width * height));
        size = (struct extent){
            multiple_of(width * scale, picture->multiple, ceil),
            multiple_of(height * scale, picture->multiple, ceil)};
    }
    return size;
}

struct extent profile_picture_size(const struct profile_picture *picture,
                                   struct extent screen)
{
    double pixels = (double)screen.width * screen.height;
    int longest = screen.width > screen.height ? screen.width : screen.height;
    struct extent size;
    double scale = 1;

    if (screen.width < 1 || screen.height < 1)
        return screen;
    if (picture->max_side && longest > picture->max_side)
        scale = (double)picture->max_side / longest;
    if (picture->multiple)
        return smart(picture, scaled(screen, scale));
    if (picture->max_pixels && pixels * scale * scale > picture->max_pixels)
        scale = sqrt(picture->max_pixels / pixels);
    size = scaled(screen, scale);
    if (picture->patch && picture->max_patches)
        size = fit_patches(picture, screen, size);
    return size;
}
