/* An app for tests: every kind of widget, on a few pages. */
#ifndef TESTS_TOOLS_PHONE_WIDGETS_GALLERY_H
#define TESTS_TOOLS_PHONE_WIDGETS_GALLERY_H

#include <stddef.h>

#include "tools/phone/screen/app.h"

#define GALLERY_PACKAGE "org.proctor.gallery"

enum gallery_page {
    GALLERY_CONTROLS,
    GALLERY_FIELDS,
    GALLERY_LIST,
    GALLERY_SHOP,
    GALLERY_WEB,
    GALLERY_DIALOG,
    GALLERY_SHEET,
    GALLERY_PAGES,
};

/* The last event of the app, and what it shows. */
struct gallery {
    struct phone_app app;
    enum gallery_page page;
    struct phone_app_event event; /* its text is copied below */
    char last_text[256];
    int events;
    int last_action;
    char name[256]; /* in the fields */
    char notes[1024];
    char secret[64];
    float volume;
    bool on;
    int rows; /* of the list */
};

/* A new gallery; its ops close it. */
struct gallery *gallery_open(enum gallery_page page);

#endif
