/* The size of a screen or picture, in pixels. */
#ifndef BASE_EXTENT_H
#define BASE_EXTENT_H

struct extent {
    int width;
    int height;
};

#endif
