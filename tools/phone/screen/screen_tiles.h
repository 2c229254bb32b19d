/*
 * The content of the screen, without drawing it: a hash of the widgets in each
 * tile. It shows whether something changed and where, at a fraction of the cost
 * of comparing frames.
 *
 * The row of tiles at the top, where the status bar and its clock are, is left
 * out.
 */
#ifndef TOOLS_PHONE_SCREEN_SCREEN_TILES_H
#define TOOLS_PHONE_SCREEN_SCREEN_TILES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/picture/box.h"

struct phone_screen;

#define SCREEN_TILES_ACROSS 16
#define SCREEN_TILES_DOWN 32

struct phone_tiles {
    int width; /* of the screen in pixels */
    int height;
    uint32_t hashes[SCREEN_TILES_DOWN][SCREEN_TILES_ACROSS];
};

/* Read the tiles of the current screen. */
void screen_tiles_read(struct phone_screen *screen, struct phone_tiles *tiles);

/*
 * Are both different? where (may be NULL) gets the box around all changes, in
 * pixels; the whole screen when the sizes differ.
 */
bool screen_tiles_differ(const struct phone_tiles *a,
                         const struct phone_tiles *b, struct box *where);

/* A hash of all tiles. */
uint64_t screen_tiles_digest(const struct phone_tiles *tiles);

#endif
