/*
 * How to talk to a family of models: what it is told, how large its pictures
 * are, what its points count, and how it writes. A file of data each:
 * docs/profiles.md has the members.
 */
#ifndef RUNNER_PROFILE_H
#define RUNNER_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/sha256.h"
#include "runner/coords.h"
#include "runner/family.h"
#include "tasks/action.h"
#include "tasks/texts.h"

#define PROFILE_TEXT_MAX ((size_t)256 * 1024)
#define PROFILE_FILE_MAX ((size_t)1 << 20)

enum profile_format {
    PROFILE_PNG,
    PROFILE_JPEG,
    PROFILE_FORMATS,
};

/* The picture as it is sent; 0: no such limit. */
struct profile_picture {
    int max_side;
    int max_pixels;
    int min_pixels;
    int multiple;    /* of which both sides are: smart_resize */
    int patch;       /* pixels of a square that costs a token */
    int max_patches; /* that a picture may have */
    unsigned format; /* an enum profile_format */
    int quality;     /* of JPEG */
    char *detail;    /* that OpenAI's services are asked for; NULL */
};

enum profile_layout {
    PROFILE_SINGLE, /* all in one message, the past as lines of text */
    PROFILE_TURNS,  /* a conversation: a screen, a reply, a screen … */
    PROFILE_LAYOUTS,
};

struct profile_history {
    unsigned layout; /* an enum profile_layout */
    int turns;       /* the last so many are turns, older ones lines */
    int screens;     /* pictures of the past; older ones are left out */
    int lines;       /* the last so many steps as text; -1: all */
    char *line;      /* of one step */
    char *none;      /* when there is none yet */
    char *omitted;   /* in the place of a picture that is left out */
};

/* Negative, or 0 for tokens, top_p and top_k: as the model likes. */
struct profile_sampling {
    double temperature;
    double top_p;
    int top_k;
    int max_tokens;
    int seed;
};

struct profile {
    char *name;
    char *about;
    char *family_name;
    const struct family *family;
    char *coords_name; /* NULL: the family's */
    enum coords coords;
    char *api;           /* the only one it is for; NULL: any */
    struct texts models; /* parts of the names of models it is for */
    struct profile_picture picture;
    struct profile_history history;
    struct profile_sampling sampling;
    char *system;                /* NULL: none */
    char *prompt;                /* the first message */
    char *step;                  /* a later one, in turns; NULL: nothing */
    char *notice;                /* what was wrong with the last reply */
    char *result;                /* what is said of a call; NULL: nothing */
    char *actions[ACTION_KINDS]; /* how each is written; NULL: cannot be */
    char *tools;                 /* JSON; NULL: none */
    char *extra;                 /* JSON; NULL: none */
    struct texts headers;        /* "name: value" */
    char hash[SHA256_HEX_SIZE];  /* of all of it, prompts included */
};

void profile_release(struct profile *profile);

/*
 * Load one: a name of the built-in ones, or the path of a file, which has a
 * '/' in it or ends in ".json". On failure (ERR_NOT_FOUND with what there is,
 * ERR_INVALID with the place, or as file_load) profile is untouched.
 */
MUST_USE bool profile_load(const char *name, struct profile *profile,
                           struct err *err);

/* The same for a text; its files are looked for in folder. */
MUST_USE bool profile_parse(const char *text, size_t length, const char *folder,
                            struct profile *profile, struct err *err);

/* Which built-in one a model is for, by the service's and its own name. */
const char *profile_for(const char *api, const char *model);

/* The names of the built-in ones, in order; NULL after the last. */
const char *profile_name(size_t i);

/* How large a picture of the screen is sent. */
struct extent profile_size(const struct profile_picture *picture,
                           struct extent screen);

#endif
