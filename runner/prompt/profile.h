/*
 * A profile: how to prompt a family of models, the size of its pictures, its
 * coordinates and its notation. Profiles are JSON files: docs/profiles.md lists
 * their members.
 */
#ifndef RUNNER_PROMPT_PROFILE_H
#define RUNNER_PROMPT_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/sha256.h"
#include "runner/parse/coords.h"
#include "runner/parse/model_family.h"
#include "tasks/json/text_list.h"
#include "tasks/task/action.h"

#define PROFILE_TEXT_MAX ((size_t)256 * 1024)
#define PROFILE_FILE_MAX ((size_t)1 << 20)

enum profile_format {
    PROFILE_PNG,
    PROFILE_JPEG,
    PROFILE_FORMATS,
};

/* The picture as sent; 0: no such limit. */
struct profile_picture {
    int max_side;
    int max_pixels;
    int min_pixels;
    int multiple;    /* both sides are multiples of it: smart_resize */
    int patch;       /* side of a square that counts as a token, in pixels */
    int max_patches; /* the most squares of a picture */
    unsigned format; /* an enum profile_format */
    int quality;     /* JPEG quality */
    char *detail;    /* the parameter `detail` of OpenAI's APIs; NULL: none */
};

enum profile_layout {
    PROFILE_SINGLE, /* one message, with the past as lines of text */
    PROFILE_TURNS, /* a conversation: a screenshot, a reply, a screenshot, … */
    PROFILE_LAYOUTS,
};

struct profile_history {
    unsigned layout; /* an enum profile_layout */
    int turns;       /* the last so many steps are turns, older ones lines */
    int screens;     /* how many past screenshots are sent */
    int lines;       /* how many past steps are sent as lines; -1: all */
    char *line;      /* the template of a line */
    char *none;      /* text when there is no past step */
    char *omitted;   /* text in place of an omitted picture */
};

/* Negative, or 0 for tokens, top_p and top_k: the model's default. */
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
    const struct model_family *family;
    char *coords_name; /* NULL: the family's */
    enum coords coords;
    unsigned typing;         /* an enum model_family_typing */
    char *api;               /* the only API it is for; NULL: any */
    struct text_list models; /* parts of the names of its models */
    struct profile_picture picture;
    struct profile_history history;
    struct profile_sampling sampling;
    char *system;                /* NULL: none */
    char *prompt;                /* the first message */
    char *step;                  /* the message of a later turn; NULL: none */
    char *notice;                /* what was wrong with the last reply */
    char *result;                /* the result of a tool call; NULL: none */
    char *actions[ACTION_KINDS]; /* how each action is written; NULL: not
                                    available */
    char *tools;                 /* JSON; NULL: none */
    char *extra;                 /* JSON; NULL: none */
    struct text_list headers;    /* "name: value" */
    char hash[SHA256_HEX_SIZE];  /* of the whole profile, prompts included */
};

void profile_release(struct profile *profile);

/*
 * Load a profile: a built-in one by name, or a file, whose path contains a '/'
 * or ends in ".json". On failure (ERR_NOT_FOUND with the available names,
 * ERR_INVALID with the position, or as file_load) profile is unchanged.
 */
MUST_USE bool profile_load(const char *name, struct profile *profile,
                           struct err *err);

/* The same from a text; files that it names are in folder. */
MUST_USE bool profile_parse(const char *text, size_t length, const char *folder,
                            struct profile *profile, struct err *err);

/* The name of the built-in profile for a model, by API and model name. */
const char *profile_for_model(const char *api, const char *model);

/* The names of the built-in profiles, in order; NULL after the last. */
const char *profile_name(size_t i);

/* The size at which a screenshot is sent. */
struct extent profile_picture_size(const struct profile_picture *picture,
                                   struct extent screen);

#endif
