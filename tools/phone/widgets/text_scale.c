/*
 * Since Android 14 the sizes of texts do not all grow alike: twice as large as
 * a heading is wider than the screen, so that large texts grow less than small
 * ones. The curves are those of its FontScaleConverterFactory.
 */
#include "tools/phone/widgets/text_scale.h"

#include <stddef.h>

#include "base/macros.h"

#define LINEAR_BELOW 1.03F /* up to here all texts grow alike */
#define SIZES 9

static const float sizes[SIZES] = {8, 10, 12, 14, 18, 20, 24, 30, 100};

struct curve {
    float scale;
    float scaled[SIZES];
};

static const struct curve curves[] = {
    {1.0F, {8, 10, 12, 14, 18, 20, 24, 30, 100}},
    {1.15F, {9.2F, 11.5F, 13.8F, 16.4F, 19.8F, 21.8F, 25.2F, 30, 100}},
    {1.3F, {10.4F, 13, 15.6F, 18.8F, 21.6F, 23.6F, 26.4F, 30, 100}},
    {1.5F, {12, 15, 18, 22, 24, 26, 28, 30, 100}},
    {1.8F, {14.4F, 18, 21.6F, 24.4F, 27.6F, 30.8F, 32.8F, 34.8F, 100}},
    {2.0F, {16, 20, 24, 26, 30, 34, 36, 38, 100}},
};

static float between(float at, float from, float to, float low, float high)
{
    return low + (high - low) * (at - from) / (to - from);
}

static float on_curve(const struct curve *curve, float size)
{
    size_t i = 1;

    if (size <= sizes[0])
        return size * curve->scaled[0] / sizes[0];
    if (size >= sizes[SIZES - 1])
        return size;
    while (sizes[i] < size)
        i++;
    return between(size, sizes[i - 1], sizes[i], curve->scaled[i - 1],
                   curve->scaled[i]);
}

float text_scale_apply(float size, float scale)
{
    size_t i = 1;

    if (scale < LINEAR_BELOW || scale > curves[ARRAY_LEN(curves) - 1].scale)
        return size * scale;
    while (curves[i].scale < scale)
        i++;
    return between(scale, curves[i - 1].scale, curves[i].scale,
                   on_curve(&curves[i - 1], size), on_curve(&curves[i], size));
}
