#include "tools/phone/theme.h"

const struct theme theme_light = {
    .surface = 0xfffdfbff,
    .raised = 0xfff1effa,
    .sunken = 0xffe5e3f0,
    .ink = 0xff1b1b21,
    .faint = 0xff5b5d72,
    .accent = 0xff4355b9,
    .on_accent = 0xffffffff,
    .outline = 0xffc7c5d0,
    .scrim = 0x66000000,
    .on_wallpaper = 0xff1f2340,
    .sky_top = 0xffcfdcff,
    .sky_bottom = 0xfffde7dc,
    .hills = {0xffe9d3e6, 0xffc9c0e8, 0xffa5aee0},
};

const struct theme theme_dark = {
    .surface = 0xff131316,
    .raised = 0xff26262d,
    .sunken = 0xff36363f,
    .ink = 0xffe4e1e9,
    .faint = 0xffb0aebb,
    .accent = 0xffbac3ff,
    .on_accent = 0xff08218a,
    .outline = 0xff46464f,
    .scrim = 0x99000000,
    .on_wallpaper = 0xfff3f1ff,
    .sky_top = 0xff12162e,
    .sky_bottom = 0xff4a3560,
    .hills = {0xff33284f, 0xff241f42, 0xff171731},
};
