#include "tools/phone/screen/screen_tiles.h"

#include <string.h>

#include "tools/phone/screen/screen_private.h"

/* FNV-1a, of 32 bits a tile and 64 for all. */
#define HASH_BASIS UINT32_C(2166136261)
#define HASH_PRIME UINT32_C(16777619)
#define DIGEST_BASIS UINT64_C(14695981039346656037)
#define DIGEST_PRIME UINT64_C(1099511628211)

#define FIRST_ROW 1

static uint32_t hash_number(uint32_t hash, uint32_t number)
{
    return (hash ^ number) * HASH_PRIME;
}

static uint32_t hash_float(uint32_t hash, float number)
{
    uint32_t bits;

    memcpy(&bits, &number, sizeof(bits));
    return hash_number(hash, bits);
}

/* Four bytes at a time; the length tells apart what ends in zeros. */
static uint32_t hash_text(uint32_t hash, const char *text)
{
    size_t length = text ? strlen(text) : 0;
    uint32_t part;

    hash = hash_number(hash, (uint32_t)length);
    for (; length >= sizeof(part); length -= sizeof(part)) {
        memcpy(&part, text, sizeof(part));
        hash = hash_number(hash, part);
        hash ^= hash >> 15U; /* what differs in high bits spreads, too */
        text += sizeof(part);
    }
    part = 0;
    if (length)
        memcpy(&part, text, length);
    return hash_number(hash, part);
}

static uint32_t hash_box(uint32_t hash, struct box box)
{
    hash = hash_number(hash, (uint32_t)box.left);
    hash = hash_number(hash, (uint32_t)box.top);
    hash = hash_number(hash, (uint32_t)box.right);
    return hash_number(hash, (uint32_t)box.bottom);
}

/* Kinds, icons and artwork are constants: their addresses tell them apart. */
static uint32_t hash_constant(uint32_t hash, const void *constant)
{
    uint64_t address = (uint64_t)(uintptr_t)constant;

    return hash_number(hash_number(hash, (uint32_t)address),
                       (uint32_t)(address >> 32U));
}

static uint32_t hash_look(uint32_t hash, const struct widget_look *look)
{
    hash = hash_constant(hash, look->icon);
    hash = hash_constant(hash, look->artwork);
    hash = hash_number(hash, look->background);
    hash = hash_number(hash, look->outline);
    hash = hash_number(hash, look->ink);
    hash = hash_float(hash, look->text_size);
    return hash_number(hash, (uint32_t)look->seed);
}

/* Everything of a widget that can be seen, or that a user could tell. */
static uint32_t hash_widget(const struct widget *widget)
{
    uint32_t hash = hash_constant(HASH_BASIS, widget->kind);

    hash = hash_text(hash, widget->text);
    hash = hash_text(hash, widget->hint);
    hash = hash_text(hash, widget->description);
    hash = hash_text(hash, widget->package);
    hash = hash_number(hash, widget->flags);
    hash = hash_look(hash, &widget->look);
    hash = hash_float(hash, widget->range.value);
    hash = hash_number(hash, (uint32_t)widget->kept.scroll);
    return hash_box(hash, widget->bounds);
}

static int tile_of(int at, int side, int tiles)
{
    int tile = (int)((int64_t)at * tiles / side);

    return tile < 0 ? 0 : tile >= tiles ? tiles - 1 : tile;
}

static void add_widget(struct phone_tiles *tiles, const struct widget *widget)
{
    const struct box seen = widget_visible(widget);
    uint32_t hash;
    int left, top, right, bottom;

    if (box_is_empty(seen))
        return;
    hash = hash_widget(widget);
    left = tile_of(seen.left, tiles->width, SCREEN_TILES_ACROSS);
    right = tile_of(seen.right - 1, tiles->width, SCREEN_TILES_ACROSS);
    top = tile_of(seen.top, tiles->height, SCREEN_TILES_DOWN);
    bottom = tile_of(seen.bottom - 1, tiles->height, SCREEN_TILES_DOWN);
    for (int y = top < FIRST_ROW ? FIRST_ROW : top; y <= bottom; y++) {
        for (int x = left; x <= right; x++)
            tiles->hashes[y][x] = hash_number(tiles->hashes[y][x], hash);
    }
}

static void read_tree(const struct widget_tree *tree, struct phone_tiles *tiles)
{
    *tiles = (struct phone_tiles){.width = tree->size.width,
                                  .height = tree->size.height};
    for (const struct widget *window = tree->first; window;
         window = window->next) {
        for (const struct widget *at = window; at;
             at = widget_after(at, window))
            add_widget(tiles, at);
    }
}

void screen_tiles_read(struct phone_screen *screen, struct phone_tiles *tiles)
{
    pthread_mutex_lock(&screen->lock);
    screen_refresh(screen);
    if (!screen->tiled)
        read_tree(&screen->tree, &screen->tiles);
    screen->tiled = true;
    *tiles = screen->tiles;
    pthread_mutex_unlock(&screen->lock);
}

static void join_tile(struct box *where, int x, int y,
                      const struct phone_tiles *tiles)
{
    const struct box tile = {
        .left = x * tiles->width / SCREEN_TILES_ACROSS,
        .top = y * tiles->height / SCREEN_TILES_DOWN,
        .right = (x + 1) * tiles->width / SCREEN_TILES_ACROSS,
        .bottom = (y + 1) * tiles->height / SCREEN_TILES_DOWN,
    };

    *where = box_is_empty(*where) ? tile : box_join(*where, tile);
}

/* The area in which the tiles of two screens of one size differ. */
static struct box join_different(const struct phone_tiles *a,
                                 const struct phone_tiles *b)
{
    struct box all = {0};

    if (!memcmp(a->hashes[FIRST_ROW], b->hashes[FIRST_ROW],
                (SCREEN_TILES_DOWN - FIRST_ROW) * sizeof(a->hashes[0])))
        return all;
    for (int y = FIRST_ROW; y < SCREEN_TILES_DOWN; y++) {
        if (!memcmp(a->hashes[y], b->hashes[y], sizeof(a->hashes[y])))
            continue;
        for (int x = 0; x < SCREEN_TILES_ACROSS; x++) {
            if (a->hashes[y][x] != b->hashes[y][x])
                join_tile(&all, x, y, b);
        }
    }
    return all;
}

bool screen_tiles_differ(const struct phone_tiles *a,
                         const struct phone_tiles *b, struct box *where)
{
    struct box all = {.right = b->width, .bottom = b->height};

    if (a->width == b->width && a->height == b->height)
        all = join_different(a, b);
    if (where)
        *where = all;
    return !box_is_empty(all);
}

uint64_t screen_tiles_digest(const struct phone_tiles *tiles)
{
    uint64_t digest = DIGEST_BASIS;

    for (int y = FIRST_ROW; y < SCREEN_TILES_DOWN; y++) {
        for (int x = 0; x < SCREEN_TILES_ACROSS; x++)
            digest = (digest ^ tiles->hashes[y][x]) * DIGEST_PRIME;
    }
    return digest;
}
