/* Rectangles of pixels; right and bottom are exclusive. */
#ifndef BASE_PICTURE_BOX_H
#define BASE_PICTURE_BOX_H

#include <stdbool.h>

struct box {
    int left;
    int top;
    int right;
    int bottom;
};

static inline int box_width(struct box box)
{
    return box.right - box.left;
}

static inline int box_height(struct box box)
{
    return box.bottom - box.top;
}

static inline bool box_is_empty(struct box box)
{
    return box.right <= box.left || box.bottom <= box.top;
}

static inline bool box_holds(struct box box, int x, int y)
{
    return x >= box.left && x < box.right && y >= box.top && y < box.bottom;
}

static inline struct box box_inset(struct box box, int by)
{
    return (struct box){box.left + by, box.top + by, box.right - by,
                        box.bottom - by};
}

/* The smallest box that contains both. */
static inline struct box box_join(struct box a, struct box b)
{
    return (struct box){
        a.left < b.left ? a.left : b.left,
        a.top < b.top ? a.top : b.top,
        a.right > b.right ? a.right : b.right,
        a.bottom > b.bottom ? a.bottom : b.bottom,
    };
}

/* The intersection; may be empty. */
static inline struct box box_meet(struct box a, struct box b)
{
    return (struct box){
        a.left > b.left ? a.left : b.left,
        a.top > b.top ? a.top : b.top,
        a.right < b.right ? a.right : b.right,
        a.bottom < b.bottom ? a.bottom : b.bottom,
    };
}

#endif
