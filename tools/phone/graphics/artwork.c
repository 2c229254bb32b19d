#include "tools/phone/graphics/artwork.h"

#include <string.h>

#include "base/macros.h"
#include "tools/phone/graphics/theme.h"

#define LAYERS_MAX 9

/* Size of the motif, in percent of the picture's shorter side. */
#define MOTIF_PART 74
#define DISC_PART 86 /* size of the disc behind it */

/* Colours chosen by the seed; all others are literal. */
enum colour_slot {
    MAIN = 1, /* 0 ends a motif */
    DEEP,     /* a darker shade */
    PALE,     /* a lighter shade */
    OTHER,    /* a matching second colour */
    DARK,
    GRAY,
    LIGHT,
    GROUND, /* behind the motif */
    DISC,
    SLOTS,
};

struct artwork_layer {
    uint32_t color; /* or a slot of the above */
    float pen;      /* 0: filled */
    const char *outline;
};

struct artwork {
    const char *name;
    struct artwork_layer layers[LAYERS_MAX];
};

/* Colours of food. */
#define BREAD 0xffe0a458
#define CRUST 0xffc07c34
#define LEAF 0xff5fa04e
#define LEAF_DEEP 0xff3f7d3a
#define MEAT 0xff8a4b32
#define TOMATO 0xffd9483b
#define YOLK 0xfff6b93b
#define RICE 0xfffaf6ec
#define CREAM 0xfffff3dc
#define CHEESE 0xffffcf5c
#define COFFEE 0xff6b4226
#define SALMON 0xffff8a65
#define NORI 0xff2f3b35

#define SHADOW                                                                 \
    {                                                                          \
        0x26000000, 0,                                                         \
            "M3 21.4 C3 19.9 21 19.9 21 21.4 C21 22.9 3 22.9 3 21.4 Z"         \
    }
#define BOWL                                                                   \
    "M2.6 12 L21.4 12 C21.4 17.6 17.6 20.8 12 20.8 C6.4 20.8 2.6 "             \
    "17.6 2.6 12 Z"

static const struct artwork motifs[] = {
    /* products */
    {"headphones",
     {SHADOW,
      {DARK, 1.9F, "M4.8 14 L4.8 11 C4.8 1.4 19.2 1.4 19.2 11 L19.2 14"},
      {MAIN, 0, "R2.4 12 5.4 8.6 2.2 R16.2 12 5.4 8.6 2.2"},
      {DEEP, 0, "R6 12.6 2.4 7.4 1.1 R15.6 12.6 2.4 7.4 1.1"},
      {PALE, 0.7F, "M4 14.4 L4 16.6 M20 14.4 L20 16.6"}}},
    {"phone",
     {SHADOW,
      {DARK, 0, "R6.2 1.6 11.6 20 2.2"},
      {MAIN, 0, "R7 2.4 10 18.4 1.6"},
      {PALE, 0,
       "M7 9 C10 6.6 13.4 12 17 8.6 L17 19.2 C17 20.1 16.3 20.8 15.4 "
       "20.8 L8.6 20.8 C7.7 20.8 7 20.1 7 19.2 Z"},
      {OTHER, 0, "O13.6 6 1.7"},
      {DARK, 0, "O12 3.6 0.6"}}},
    {"laptop",
     {SHADOW,
      {DARK, 0, "R4 4.4 16 12 1.2"},
      {MAIN, 0, "R4.8 5.2 14.4 10.2 0.6"},
      {PALE, 0, "M4.8 12 C8 8.6 12 14.4 19.2 9 L19.2 15.4 L4.8 15.4 Z"},
      {GRAY, 0, "M2.4 17 L21.6 17 L20.4 19.4 L3.6 19.4 Z"},
      {DARK, 0, "R10 17 4 0.9 0.4"}}},
    {"watch",
     {{MAIN, 0, "R8 1.4 8 21.2 2"},
      {DEEP, 0, "R8 5.4 8 1 0 R8 17.6 8 1 0"},
      {DARK, 0, "R5.4 6 13.2 12 3.6"},
      {LIGHT, 0, "R6.6 7.2 10.8 9.6 2.6"},
      {DARK, 1, "M12 9.4 L12 12.2 L14.2 13.4"},
      {OTHER, 0, "O12 12.2 0.8"},
      {GRAY, 0, "R18.6 10.8 1 2.6 0.4"}}},
    {"shoe",
     {SHADOW,
      {MAIN, 0,
       "M2.6 8 C4 9.6 7 9.4 8.4 6.6 L15.6 13.2 C18 14.4 21 14.6 21.4 "
       "17.4 L2.6 17.4 Z"},
      {DEEP, 0, "M2.6 12.4 C6 12.8 8 14.6 9 17.4 L2.6 17.4 Z"},
      {LIGHT, 0,
       "M2.4 17.2 L21.8 17.2 C21.8 19.4 21 20.4 19.4 20.4 L4 20.4 "
       "C2.8 20.4 2.4 19.4 2.4 17.2 Z"},
      {LIGHT, 0.9F,
       "M9.4 10.2 L11.4 8.4 M11.4 12 L13.4 10.2 M13.2 13.8 L15 12"},
      {OTHER, 1, "M4.4 14.6 C8 14.6 11 16.4 15 15.4"}}},
    {"shirt",
     {{MAIN, 0,
       "M8.4 3 C9.4 5.4 14.6 5.4 15.6 3 L22 6.4 L19.6 11.4 L17.6 10.6 "
       "L17.6 21 L6.4 21 L6.4 10.6 L4.4 11.4 L2 6.4 Z"},
      {DEEP, 0,
       "M6.4 10.6 L6.4 21 L8.4 21 L8 9.4 Z M17.6 10.6 L17.6 21 L15.6 "
       "21 L16 9.4 Z"},
      {PALE, 0, "M8.4 13 L15.6 13 L15.6 14.4 L8.4 14.4 Z"},
      {OTHER, 0, "M8.4 15.4 L15.6 15.4 L15.6 16.8 L8.4 16.8 Z"},
      {LIGHT, 0.9F, "M8.4 3.2 C9.4 5.8 14.6 5.8 15.6 3.2"}}},
    {"backpack",
     {SHADOW,
      {DARK, 1.3F, "M9 5 L9 3.4 C9 1.6 15 1.6 15 3.4 L15 5"},
      {MAIN, 0, "M5 20.8 L5 10 C5 2.6 19 2.6 19 10 L19 20.8 Z"},
      {DEEP, 0, "R7 13.4 10 7.4 1.4 R2.6 12.6 2.6 7 1.2 R18.8 12.6 2.6 7 1.2"},
      {PALE, 0.8F, "M9 15.6 L15 15.6 M7.6 9.6 L16.4 9.6"},
      {OTHER, 0, "R11 8.6 2 3 0.6"}}},
    {"lamp",
     {SHADOW,
      {0x66ffe9a8, 0, "M5.6 11 L18.4 11 L22 20.4 L2 20.4 Z"},
      {DARK, 1.3F, "M12 11 L12 20"},
      {MAIN, 0, "M8.4 2.6 L15.6 2.6 L19.2 11.4 L4.8 11.4 Z"},
      {PALE, 0, "M8.4 2.6 L10.4 2.6 L8.2 11.4 L4.8 11.4 Z"},
      {DARK, 0, "R7.4 19.4 9.2 1.8 0.9"}}},
    {"mug",
     {SHADOW,
      {DEEP, 1.9F, "M16 9 C21.6 8.6 21.6 16 15.6 15.6"},
      {MAIN, 0,
       "M4.4 5.6 L16.6 5.6 L16.6 16.4 C16.6 19 15 20.8 12.6 20.8 L8.4 "
       "20.8 C6 20.8 4.4 19 4.4 16.4 Z"},
      {PALE, 0, "M4.4 5.6 L7 5.6 L7 18.8 C5.2 18.4 4.4 17.4 4.4 16.4 Z"},
      {OTHER, 0, "M4.4 10 L16.6 10 L16.6 13 L4.4 13 Z"},
      {COFFEE, 0,
       "M4.4 5.6 C4.4 4.2 16.6 4.2 16.6 5.6 C16.6 7 4.4 7 4.4 5.6 "
       "Z"}}},
    {"bottle",
     {SHADOW,
      {DARK, 0, "R10 1.6 4 3.4 0.8"},
      {MAIN, 0,
       "M9.6 5 L14.4 5 C14.4 7.8 17.4 8.6 17.4 12 L17.4 19 C17.4 20.2 "
       "16.6 21 15.4 21 L8.6 21 C7.4 21 6.6 20.2 6.6 19 L6.6 12 C6.6 "
       "8.6 9.6 7.8 9.6 5 Z"},
      {PALE, 0, "R8 11.4 1.3 7.8 0.6"},
      {LIGHT, 0, "R6.6 12.8 10.8 4.8 0"},
      {OTHER, 0, "O12 15.2 1.6"}}},
    {"book",
     {SHADOW,
      {DEEP, 0, "R4.4 2.6 15 18.4 1.4"},
      {LIGHT, 0, "R5.4 17.4 13.6 2.8 0.8"},
      {MAIN, 0,
       "M5.8 2.6 L18 2.6 C18.8 2.6 19.4 3.2 19.4 4 L19.4 17.6 L4.4 "
       "17.6 L4.4 4 C4.4 3.2 5 2.6 5.8 2.6 Z"},
      {PALE, 0, "R4.4 2.6 2.2 15 0.6"},
      {LIGHT, 0, "R8.8 6 8 1.4 0.6 R8.8 8.6 5.4 1.1 0.5"},
      {OTHER, 0, "O13 13.4 2.2"}}},
    {"camera",
     {SHADOW,
      {DARK, 0, "M8.4 3.8 L15.6 3.8 L17 6.6 L7 6.6 Z"},
      {DARK, 0, "R2.4 6 19.2 14.4 2"},
      {MAIN, 0, "R2.4 9.4 19.2 7.6 0"},
      {LIGHT, 0, "O12 13.2 5.4"},
      {DARK, 0, "O12 13.2 4.5"},
      {OTHER, 0, "O12 13.2 2.8"},
      {PALE, 0, "O13 12 0.9"},
      {YOLK, 0, "O18.8 7.8 0.8"}}},
    {"speaker",
     {SHADOW,
      {DARK, 0, "R5.6 2 12.8 19 3"},
      {MAIN, 0, "R6.6 3 10.8 17 2.2"},
      {DEEP, 0, "O12 14.4 4.4"},
      {DARK, 0, "O12 14.4 3"},
      {OTHER, 0, "O12 14.4 1.2"},
      {DEEP, 0, "O12 6.8 2.2"},
      {DARK, 0, "O12 6.8 1.1"}}},
    {"chair",
     {SHADOW,
      {DARK, 1.2F,
       "M7 15.6 L5.4 21 M17 15.6 L18.6 21 M10 15.6 L9.6 20 M14 15.6 "
       "L14.4 20"},
      {MAIN, 0, "R6.4 2.6 11.2 10.4 3"},
      {PALE, 0, "R8 4.2 3 7 1.4"},
      {DEEP, 0, "R4.8 12.2 14.4 4 1.8"}}},
    {"plant",
     {SHADOW,
      {LEAF_DEEP, 0,
       "M12 14 C4 12.6 3.4 6.4 5 3.4 C10 4.6 12 9 12 14 Z M12 14 "
       "C20 12.6 20.6 6.4 19 3.4 C14 4.6 12 9 12 14 Z"},
      {LEAF, 0, "M12 14.4 C7.8 10 8.8 4.6 12 1.6 C15.2 4.6 16.2 10 12 14.4 Z"},
      {LEAF_DEEP, 0.6F, "M12 14 L12 4.4"},
      {MAIN, 0, "M6.6 13.6 L17.4 13.6 L16 21 L8 21 Z"},
      {DEEP, 0, "R5.8 12.6 12.4 2.4 0.8"}}},
    {"keyboard",
     {SHADOW,
      {DARK, 0, "R1.6 7 20.8 12 1.8"},
      {MAIN, 0,
       "R3 8.4 2.2 2.2 0.4 R6 8.4 2.2 2.2 0.4 R9 8.4 2.2 2.2 0.4 R12 "
       "8.4 2.2 2.2 0.4 R15 8.4 2.2 2.2 0.4"},
      {OTHER, 0, "R18 8.4 3 2.2 0.4"},
      {LIGHT, 0,
       "R3 11.6 3 2.2 0.4 R7 11.6 2.2 2.2 0.4 R10 11.6 2.2 2.2 0.4 "
       "R13 11.6 2.2 2.2 0.4 R16 11.6 5 2.2 0.4"},
      {PALE, 0, "R3 14.8 3 2.2 0.4 R7 14.8 10 2.2 0.4 R18 14.8 3 2.2 0.4"}}},
    {"mouse",
     {SHADOW,
      {MAIN, 0, "R6.4 2.6 11.2 18.4 5.6"},
      {DEEP, 0, "M6.4 10 L17.6 10 L17.6 11 L6.4 11 Z"},
      {PALE, 0, "R8 13 1.4 5 0.7"},
      {DARK, 0, "R11.2 4.6 1.6 4 0.8"}}},
    {"toy",
     {SHADOW,
      {MAIN, 0, "O6.4 5.6 2.8 O17.6 5.6 2.8"},
      {MAIN, 0, "O12 9.2 6"},
      {DEEP, 0, "O12 17 5"},
      {PALE, 0, "O12 11.4 2.8"},
      {PALE, 0, "O12 17.4 2.8"},
      {DARK, 0, "O9.6 8 0.8 O14.4 8 0.8 O12 10.6 0.9"}}},
    {"umbrella",
     {SHADOW,
      {DARK, 1.2F, "M12 3 L12 18 C12 21.4 16 21.4 16 18.6"},
      {MAIN, 0,
       "M2 12.6 C2.6 1 21.4 1 22 12.6 C20 10.8 17.4 10.8 15.4 12.6 "
       "C13.6 10.8 10.4 10.8 8.6 12.6 C6.6 10.8 4 10.8 2 12.6 Z"},
      {PALE, 0,
       "M8.6 12.6 C8.6 8 10 5 12 4 C14 5 15.4 8 15.4 12.6 C13.6 10.8 "
       "10.4 10.8 8.6 12.6 Z"}}},

    /* food */
    {"noodles",
     {SHADOW,
      {CREAM, 1.2F,
       "M6 11.6 C5 8 8 8 7.4 5.4 M9.4 11.6 C8.4 8 11.4 8 10.8 4.6 "
       "M12.8 11.6 C11.8 8 14.8 8 14.2 5.4 M16.2 11.6 C15.2 9 18 8 "
       "17.6 6"},
      {YOLK, 0, "M3.4 12 C3.4 9.4 20.6 9.4 20.6 12 Z"},
      {RICE, 0, "O15.6 10.8 1.9"},
      {YOLK, 0, "O15.6 10.8 0.9"},
      {LEAF, 0, "O8 10.8 1 O10.4 11 0.8 O11.6 9.8 0.7"},
      {MAIN, 0, BOWL},
      {PALE, 0,
       "M2.6 12 L21.4 12 C21.4 13 21.3 13.6 21.1 14.4 L2.9 14.4 C2.7 "
       "13.6 2.6 13 2.6 12 Z"},
      {DARK, 0.8F, "M13 9.4 L20.6 2 M14.6 9.8 L22 3.4"}}},
    {"rice",
     {SHADOW,
      {RICE, 0, "M3.6 12.2 C4 4.4 20 4.4 20.4 12.2 Z"},
      {MEAT, 0, "O9 8.8 1.6 O12.4 7.6 1.6 O15.2 9.2 1.6"},
      {LEAF, 0, "O7 10.6 1.1 O17.4 10.8 1.1 O12.2 10.4 1.1"},
      {YOLK, 0, "O10.6 10.6 0.9"},
      {MAIN, 0, BOWL},
      {OTHER, 0, "M3 14.4 L21 14.4 L20.6 16 L3.4 16 Z"}}},
    {"soup",
     {SHADOW,
      {0x55ffffff, 1,
       "M8.6 7 C7.6 5.4 9.6 4.4 8.6 2.8 M12 7 C11 5.4 13 4.4 12 "
       "2.8 M15.4 7 C14.4 5.4 16.4 4.4 15.4 2.8"},
      {TOMATO, 0, "M3.2 12 C3.2 9.2 20.8 9.2 20.8 12 Z"},
      {CREAM, 0, "O9 11 1 O14.6 10.8 1.2"},
      {LEAF, 0, "O11.8 10.6 0.9 O16.8 11.2 0.7 O7 11.2 0.7"},
      {MAIN, 0, BOWL},
      {DEEP, 0, "R8.4 20 7.2 1.4 0.7"}}},
    {"pizza",
     {{CRUST, 0, "O12 12 10"},
      {CHEESE, 0, "O12 12 8.5"},
      {TOMATO, 0, "O8.6 8.8 1.9 O15 8 1.9 O9 15.6 1.9 O15.8 14.6 1.9"},
      {MEAT, 0, "O12 11.8 1.2 O6.6 12.6 0.9 O17.6 11.2 0.9"},
      {LEAF, 0, "O11.6 7.4 0.9 O12.6 16.8 0.9 O6.8 15 0.7 O13.8 11 0.7"},
      {GROUND, 0.7F, "M12 12 L12 1.6 M12 12 L20.8 17 M12 12 L3.2 17"}}},
    {"burger",
     {SHADOW,
      {BREAD, 0, "M3 10.4 C3 1.4 21 1.4 21 10.4 Z"},
      {CREAM, 0,
       "O8.4 6.6 0.5 O12 5.2 0.5 O15.6 6.6 0.5 O10.2 8.2 0.5 O14 8.2 "
       "0.5"},
      {LEAF, 0,
       "M2.2 11.4 C2.2 10 21.8 10 21.8 11.4 C21.8 13 19 13.6 17.4 12.4 "
       "C15.6 13.8 13.8 13.8 12 12.4 C10.2 13.8 8.4 13.8 6.6 12.4 C5 "
       "13.6 2.2 13 2.2 11.4 Z"},
      {CHEESE, 0, "M3.4 13.6 L20.6 13.6 L16.6 16.2 L12.6 13.8 Z"},
      {MEAT, 0, "R2.8 14 18.4 3 1.5"},
      {BREAD, 0,
       "M3.2 17.2 L20.8 17.2 C20.8 20 19.6 20.8 17.4 20.8 L6.6 20.8 "
       "C4.4 20.8 3.2 20 3.2 17.2 Z"}}},
    {"sushi",
     {SHADOW,
      {MEAT, 0, "R1.6 17.6 20.8 2.6 1"},
      {RICE, 0, "R2.6 10 8.8 7.6 2.6 R13.2 9.4 8 8.4 4"},
      {SALMON, 0, "M2 11.4 C2 6.6 12 6.6 12 11.4 C12 12.6 2 12.6 2 11.4 Z"},
      {CREAM, 0.6F, "M4.4 10.6 L5.6 8.4 M7 10.8 L8 8.2 M9.6 10.6 L10.2 8.8"},
      {NORI, 0, "R13 11.4 8.4 6.2 1"},
      {RICE, 0,
       "M13 11.4 C13 9.4 21.4 9.4 21.4 11.4 C21.4 13.2 13 13.2 13 11.4 "
       "Z"},
      {SALMON, 0, "O17.2 11.3 1.1"}}},
    {"salad",
     {SHADOW,
      {LEAF_DEEP, 0, "O7 9.6 4 O12 7.6 4.4 O17 9.6 4"},
      {LEAF, 0, "O9.4 9.4 3.2 O14.8 9 3.2 O5.6 11 2 O18.6 11 2"},
      {TOMATO, 0, "O8.4 8.6 1.6 O15.6 10 1.6"},
      {YOLK, 0, "O12 9.2 1.2 O17 7.8 0.9"},
      {MAIN, 0, BOWL},
      {PALE, 0, "M4 14.6 C5.4 18.4 8.4 20 11 20.4 C7 18.8 5.4 16.8 5 14.6 Z"}}},
    {"dumplings",
     {SHADOW,
      {BREAD, 0, "R1.8 14 20.4 6 1.6"},
      {CRUST, 0.7F, "M2 16 L22 16 M2 18 L22 18"},
      {CREAM, 0,
       "M2.6 14.2 C2.6 8 10.8 8 10.8 14.2 Z M13.2 14.2 C13.2 8 21.4 8 "
       "21.4 14.2 Z"},
      {RICE, 0,
       "M7.6 11.4 C7.6 4.6 16.4 4.6 16.4 11.4 C16.4 14.4 7.6 14.4 7.6 "
       "11.4 Z"},
      {0xffd9c6a5, 0.6F,
       "M12 6.6 L10.4 9.6 M12 6.6 L12 9.8 M12 6.6 L13.6 9.6 "
       "M6.6 10 L5.6 12 M17.4 10 L18.4 12"}}},
    {"cake",
     {SHADOW,
      {CREAM, 0, "M3 11 L14 5.4 C19 6.4 21.4 8.6 21.4 11 Z"},
      {MAIN, 0, "R3 11 18.4 9.8 0.6"},
      {CREAM, 0, "R3 14.6 18.4 1.8 0"},
      {PALE, 0,
       "M3 11 L21.4 11 L21.4 12.4 C19.6 14 18.4 14 16.8 12.6 C15.2 14 "
       "13.8 14 12.2 12.6 C10.6 14 9.2 14 7.6 12.6 C6 14 4.6 14 3 12.4 "
       "Z"},
      {TOMATO, 0, "O14 5.2 2.2"},
      {LEAF, 0.8F, "M14 3.2 C14.4 2 15.4 1.6 16.4 1.8"}}},
    {"coffee",
     {SHADOW,
      {DARK, 0, "R6.4 2.4 11.2 2.4 1 R5.4 4.4 13.2 2 0.8"},
      {LIGHT, 0, "M6.2 6.4 L17.8 6.4 L16.4 21 L7.6 21 Z"},
      {MAIN, 0, "M6.7 10.4 L17.3 10.4 L16.6 17.4 L7.4 17.4 Z"},
      {PALE, 0, "O12 13.8 2.2"},
      {DEEP, 0.9F, "M10.8 15.4 C12.6 14.4 11.4 13.2 13.2 12.2"}}},
    {"tea",
     {SHADOW,
      {OTHER, 1.2F, "M13 6 L15.4 0.9"},
      {0xffe9c9a0, 0, "M6 6 L18 6 L16.2 21 L7.8 21 Z"},
      {0xffd3a06a, 0, "M6.5 10 L17.5 10 L16.2 21 L7.8 21 Z"},
      {0xff3a2618, 0,
       "O9.2 18.8 1 O11.6 19.4 1 O14 18.8 1 O10.4 16.8 1 O12.9 "
       "17.2 1 O14.8 16.6 0.9"},
      {LIGHT, 0, "R5.4 4.8 13.2 2 1"},
      {MAIN, 0, "R9 11 6 3 1.2"}}},
    {"skewers",
     {{CRUST, 0.9F, "M4 21 L14 2.4 M10 21.8 L20 3.2"},
      {MEAT, 0, "O7.2 15 2.2 O11.8 6.4 2.2 O13.2 15.8 2.2 O17.8 7.2 2.2"},
      {TOMATO, 0, "O9.4 10.8 1.9 O15.4 11.6 1.9"},
      {LEAF, 0, "O8.2 13 1.2 O10.7 8.5 1.2 O14.3 13.7 1.2 O16.7 9.3 1.2"}}},
    {"fries",
     {SHADOW,
      {CHEESE, 0,
       "R6.6 4 1.9 11 0.4 R9 2.4 1.9 12 0.4 R11.4 3.4 1.9 11 0.4 "
       "R13.8 2 1.9 12 0.4 R16 4.4 1.9 10 0.4"},
      {YOLK, 0, "R7.8 5.6 1.7 9 0.4 R12.6 5 1.7 9 0.4 R15 6 1.5 8 0.4"},
      {MAIN, 0, "M5 9.6 C8 12.4 16 12.4 19 9.6 L17.4 21 L6.6 21 Z"},
      {LIGHT, 0, "O12 16.4 2.2"}}},
    {"ice_cream",
     {{BREAD, 0, "M6.4 12 L17.6 12 L12 22.4 Z"},
      {CRUST, 0.6F,
       "M8 14.6 L13.6 19.4 M10.6 12.4 L15.2 16.4 M16 14.6 L10.4 "
       "19.4 M13.4 12.4 L8.8 16.4"},
      {MAIN, 0, "O8.4 9.6 3.8"},
      {PALE, 0, "O15.4 9.6 3.8"},
      {OTHER, 0, "O12 5.8 4"},
      {TOMATO, 0, "O12.4 1.9 1.3"}}},

    /* places and people */
    {"restaurant",
     {SHADOW,
      {LIGHT, 0, "R3.4 7 17.2 14 0.4"},
      {DARK, 0, "R10.2 13.4 4.4 7.6 0.4"},
      {OTHER, 0, "R5 13.4 3.8 4 0.4 R16 13.4 3.4 4 0.4"},
      {MAIN, 0, "M3 4 L21 4 L22.2 9.4 L1.8 9.4 Z"},
      {LIGHT, 0,
       "M6.6 4 L9.8 4 L9.4 9.4 L5.6 9.4 Z M14.2 4 L17.4 4 L18.4 9.4 "
       "L14.6 9.4 Z"},
      {DEEP, 0,
       "M1.8 9.4 L5.6 9.4 C5.6 11.8 1.8 11.8 1.8 9.4 Z M9.4 9.4 L14.6 "
       "9.4 C14.6 11.8 9.4 11.8 9.4 9.4 Z M18.4 9.4 L22.2 9.4 C22.2 "
       "11.8 18.4 11.8 18.4 9.4 Z"},
      {YOLK, 0, "O13.4 17.4 0.5"}}},
    {"house",
     {SHADOW,
      {DEEP, 0, "R16 4.4 2.4 5 0.3"},
      {LIGHT, 0, "R4.6 10 14.8 11 0.4"},
      {MAIN, 0, "M12 2.6 L22 11.4 L2 11.4 Z"},
      {DARK, 0, "R10.4 14.6 3.6 6.4 0.4"},
      {OTHER, 0, "R6 13.4 3 3.4 0.4 R15.4 13.4 3 3.4 0.4"},
      {LEAF, 0, "O3.8 19.4 2 O20.4 19.6 1.8"}}},
    {"cabin",
     {SHADOW,
      {LEAF_DEEP, 0, "M3.4 4 L7 13 L-0.2 13 Z M20.6 4 L24.2 13 L17 13 Z"},
      {CRUST, 0, "R5.4 11.4 13.2 9.6 0.4"},
      {0x33000000, 0,
       "R5.4 13.6 13.2 0.6 0 R5.4 16 13.2 0.6 0 R5.4 18.4 "
       "13.2 0.6 0"},
      {MAIN, 0, "M12 3.4 L20.8 12 L3.2 12 Z"},
      {DARK, 0, "R10.6 15 2.8 6 0.3"},
      {YOLK, 0, "R7 14 2.2 2.4 0.3 R14.8 14 2.2 2.4 0.3"}}},
    {"flat",
     {SHADOW,
      {DEEP, 0, "R12.6 6.4 7.4 14.6 0.5"},
      {MAIN, 0, "R4 2.6 9.4 18.4 0.5"},
      {LIGHT, 0,
       "R5.6 4.6 2.2 2.4 0.3 R9.6 4.6 2.2 2.4 0.3 R5.6 8.8 2.2 "
       "2.4 0.3 R9.6 8.8 2.2 2.4 0.3 R5.6 13 2.2 2.4 0.3 R9.6 "
       "13 2.2 2.4 0.3"},
      {PALE, 0, "R15 9 3 1.6 0.3 R15 12.4 3 1.6 0.3 R15 15.8 3 1.6 0.3"},
      {DARK, 0, "R7.4 17.2 2.6 3.8 0.3"},
      {OTHER, 0, "O21.4 18.6 1.7"}}},
    {"skyline",
     {{OTHER, 0, "O17.4 6 2.6"},
      {PALE, 0, "R2 9 5 11 0.3 R16.4 10 5.4 10 0.3"},
      {MAIN, 0, "R6.6 5 4.4 15 0.3"},
      {DEEP, 0, "M11.6 8.4 L14.2 5.4 L16.8 8.4 L16.8 20 L11.6 20 Z"},
      {LIGHT, 0,
       "R7.8 7 0.8 1.4 0 R9.2 7 0.8 1.4 0 R7.8 10.4 0.8 1.4 0 "
       "R9.2 10.4 0.8 1.4 0 R13.8 11 0.9 1.4 0"},
      {DARK, 0, "R1.4 20 21.2 0.9 0.3"}}},
    {"landscape",
     {{OTHER, 0, "O17 7 2.6"},
      {PALE, 0, "M1 19 L8.4 8 L14 16 L17 12 L23 19 Z"},
      {MAIN, 0, "M1 19 L6 13 L11 19 Z"},
      {DEEP, 0, "M9 19 L16.4 12.4 L23 19 Z"},
      {LIGHT, 0, "M6.6 10.6 L8.4 8 L10.2 10.6 L8.4 12 Z"}}},
    {"portrait",
     {{MAIN, 0, "M3.4 22 C3.4 15.6 20.6 15.6 20.6 22 Z"},
      {0xffeab38d, 0, "R9.8 13 4.4 5 2"},
      {0xfff2c6a0, 0, "O12 9.6 5"},
      {DARK, 0,
       "M6.6 10 C5.4 2.4 18.6 2.4 17.4 10 C16 6.6 12.6 8 9.6 6.8 C8.4 "
       "7.2 7.2 8.4 6.6 10 Z"},
      {DARK, 0, "O10.2 9.8 0.6 O13.8 9.8 0.6"},
      {TOMATO, 0.7F, "M10.6 12.2 C11.4 13 12.6 13 13.4 12.2"}}},
    {"band",
     {{MAIN, 0, "M0 22 C0 14.6 10.4 14.6 10.4 22 Z"},
      {0xffeab38d, 0, "O5.2 11.4 3.1"},
      {OTHER, 0, "M13.6 22 C13.6 14.6 24 14.6 24 22 Z"},
      {0xffd9a37c, 0, "O18.8 11.4 3.1"},
      {DARK, 0,
       "M15.5 11 C15 5.6 22.6 5.6 22.1 11 C20.6 9 17 9 15.5 11 Z "
       "M2 10.6 C1.6 6 8.8 6 8.4 10.6 C7 8.8 3.4 8.8 2 10.6 Z"},
      {DEEP, 0, "M5.4 24 C5.4 14.4 18.6 14.4 18.6 24 Z"},
      {0xfff2c6a0, 0, "O12 10 3.9"},
      {DARK, 0,
       "M7.8 9.8 C7 2.6 17 2.6 16.2 9.8 C14.4 7.4 9.6 7.4 7.8 9.8 "
       "Z"}}},
};

/* Covers of music fill the whole picture, except for its corners. */
static const struct artwork covers[] = {
    {"cover_rings",
     {{MAIN, 0, "O12 12 9.6"},
      {PALE, 0, "O12 12 7.4"},
      {DEEP, 0, "O12 12 5.2"},
      {OTHER, 0, "O12 12 3"},
      {LIGHT, 0, "O12 12 1"}}},
    {"cover_dunes",
     {{OTHER, 0, "O16.4 7.4 3.2"},
      {PALE, 0, "M0 13 C6 8 9 17 24 10.4 L24 21 L0 21 Z"},
      {MAIN, 0, "M0 16 C8 12 13 20 24 14.4 L24 21 L0 21 Z"},
      {DEEP, 0, "M0 19 C8 16.4 15 21 24 18 L24 21 L0 21 Z"}}},
    {"cover_blocks",
     {{MAIN, 0, "R3 3 8.4 8.4 0.6"},
      {OTHER, 0, "R12.6 3 8.4 8.4 4.2"},
      {DEEP, 0, "M3 21 L3 12.6 L11.4 21 Z"},
      {PALE, 0, "M11.4 12.6 L11.4 21 L3 12.6 Z"},
      {DARK, 0, "R12.6 12.6 8.4 3.4 0.6"},
      {MAIN, 0, "R12.6 17.6 8.4 3.4 0.6"}}},
    {"cover_waves",
     {{DEEP, 1.5F, "M0 7 C4 2 8 12 12 7 C16 2 20 12 24 7"},
      {MAIN, 1.5F, "M0 11 C4 6 8 16 12 11 C16 6 20 16 24 11"},
      {OTHER, 1.5F, "M0 15 C4 10 8 20 12 15 C16 10 20 20 24 15"},
      {PALE, 1.5F, "M0 19 C4 14 8 24 12 19 C16 14 20 24 24 19"}}},
    {"cover_sun",
     {{OTHER, 0, "O12 10 6.2"},
      {PALE, 0.8F,
       "M12 1 L12 2.8 M3 10 L4.8 10 M21 10 L19.2 10 M5.6 3.6 L6.9 4.9 M18.4 "
       "3.6 L17.1 4.9"},
      {MAIN, 0, "M0 14 L24 14 L24 20.6 L0 20.6 Z"},
      {LIGHT, 0.7F,
       "M8 15.6 L16 15.6 M9.4 17.4 L14.6 17.4 M10.6 19.2 L13.4 "
       "19.2"}}},
    {"cover_leaves",
     {{MAIN, 0, "M12 22 C2 18 3 8 6 3 C12 7 15 14 12 22 Z"},
      {DEEP, 0, "M12 22 C10 13 14 6 20 4 C22 11 20 18 12 22 Z"},
      {LIGHT, 0.6F,
       "M12 21 C10.4 14 8.6 9 6.6 5 M12 21 C14 14 16.4 9.4 19.2 "
       "6"},
      {OTHER, 0, "O12.4 5 1.7"}}},
};

const struct artwork *artwork_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(motifs); i++) {
        if (!strcmp(motifs[i].name, name))
            return &motifs[i];
    }
    for (size_t i = 0; i < ARRAY_LEN(covers); i++) {
        if (!strcmp(covers[i].name, name))
            return &covers[i];
    }
    return NULL;
}

const char *artwork_name(size_t number)
{
    size_t cover = number - ARRAY_LEN(motifs);

    if (number < ARRAY_LEN(motifs))
        return motifs[number].name;
    return cover < ARRAY_LEN(covers) ? covers[cover].name : NULL;
}

static bool is_cover(const struct artwork *artwork)
{
    for (size_t i = 0; i < ARRAY_LEN(covers); i++) {
        if (artwork == &covers[i])
            return true;
    }
    return false;
}

/* ---- drawing ---- */

static void choose_colors(uint32_t seed, uint32_t colors[SLOTS])
{
    uint32_t mixed = (seed + 1) * 2654435761U;
    float hue = (float)(mixed >> 8 & 0x1ff) * 360 / 512;
    float other = hue + 120 + (float)(mixed >> 17 & 0x7f);
    float ground = hue + 150 + (float)(mixed >> 24 & 0x7f);

    colors[MAIN] = theme_tone(hue, 0.13F, 60);
    colors[DEEP] = theme_tone(hue, 0.11F, 44);
    colors[PALE] = theme_tone(hue, 0.08F, 80);
    colors[OTHER] = theme_tone(other, 0.13F, 70);
    colors[DARK] = theme_tone(hue, 0.02F, 22);
    colors[GRAY] = theme_tone(hue, 0.01F, 74);
    colors[LIGHT] = theme_tone(hue, 0.01F, 97);
    colors[GROUND] = theme_tone(ground, 0.035F, 91);
    colors[DISC] = theme_tone(ground, 0.025F, 95);
}

/* A centered square of that many percent of the shorter side. */
static struct box square_in(struct box box, int percent)
{
    int width = box_width(box);
    int height = box_height(box);
    int size = (width < height ? width : height) * percent / 100;
    int left = box.left + (width - size) / 2;
    int top = box.top + (height - size) / 2;

    return (struct box){left, top, left + size, top + size};
}

void artwork_draw(const struct artwork *artwork, uint32_t seed,
                  struct phone_fonts *fonts, struct canvas *canvas,
                  struct box box, float radius)
{
    struct box disc = square_in(box, DISC_PART);
    struct box motif = square_in(box, is_cover(artwork) ? 100 : MOTIF_PART);
    uint32_t colors[SLOTS] = {0};

    if (box_is_empty(motif))
        return;
    choose_colors(seed, colors);
    canvas_round(canvas, box, radius, colors[GROUND]);
    if (!is_cover(artwork))
        canvas_round(canvas, disc, (float)box_width(disc) / 2, colors[DISC]);
    for (int i = 0; i < LAYERS_MAX && artwork->layers[i].outline; i++) {
        const struct artwork_layer *layer = &artwork->layers[i];

        fonts_draw_shape(
            fonts, (struct font_shape){layer->outline, layer->pen}, canvas,
            (struct font_place){motif.left, motif.top}, box_width(motif),
            layer->color < SLOTS ? colors[layer->color] : layer->color);
    }
}
