/* How large texts are at a font scale. */
#ifndef TOOLS_PHONE_WIDGETS_TEXT_SCALE_H
#define TOOLS_PHONE_WIDGETS_TEXT_SCALE_H

/* A size in sp as dp, at a scale of 1 for texts as they are designed. */
float text_scale_apply(float size, float scale);

#endif
