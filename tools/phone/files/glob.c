#include "tools/phone/files/glob.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"

/*
 * Is c in the set behind "["? *end is set behind its "]". False, with *end
 * NULL, if the set is not closed: then "[" is an ordinary character.
 */
static bool set_holds(const char *set, unsigned char c, const char **end)
{
    bool negated = *set == '!' || *set == '^';
    const char *next = set + negated;
    bool found = false;

    do {
        unsigned char low;
        unsigned char high;

        if (*next == '\\' && next[1])
            next++;
        low = high = (unsigned char)*next;
        if (!low) {
            *end = NULL;
            return false;
        }
        next++;
        if (next[0] == '-' && next[1] && next[1] != ']') {
            high = (unsigned char)next[1];
            next += 2;
        }
        found |= low <= c && c <= high;
    } while (*next != ']');
    *end = next + 1;
    return found != negated;
}

/* Match one character, and set *next behind its pattern. */
static bool match_one(const char *pattern, char c, const char **next)
{
    const char *end;
    bool held;

    *next = pattern + 1;
    if (*pattern == '?')
        return true;
    if (*pattern == '[') {
        held = set_holds(pattern + 1, (unsigned char)c, &end);
        if (end) {
            *next = end;
            return held;
        }
    }
    if (*pattern == '\\' && pattern[1]) {
        *next = pattern + 2;
        return pattern[1] == c;
    }
    return *pattern == c;
}

/* Only the last "*" is tried again: the time is never exponential. */
bool glob_match(const char *pattern, const char *text)
{
    const char *star = NULL;
    const char *retry = NULL;
    const char *next;

    while (*text) {
        if (*pattern == '*') {
            star = ++pattern;
            retry = text;
        } else if (*pattern && match_one(pattern, *text, &next)) {
            pattern = next;
            text++;
        } else if (star) {
            pattern = star;
            text = ++retry;
        } else {
            return false;
        }
    }
    return !pattern[strspn(pattern, "*")];
}

bool glob_is_pattern(const char *pattern)
{
    return strpbrk(pattern, "*?[\\") != NULL;
}

/* A running search. */
struct glob_search {
    struct phone_files *files;
    struct phone_glob *glob;
    char path[FILES_PATH_MAX + 2]; /* the path so far */
    size_t hidden; /* length of its prefix that is not part of the pattern: the
                      directory */
    char *pattern; /* owned; each run of slashes is one NUL */
    const char *end; /* of pattern */
    bool slash;      /* only directories match */
    size_t work;
    size_t bytes; /* bytes of the paths found */
    char name[FILES_PATH_MAX + 1];
};

/* Append a name to the path; false if it is too long to exist. */
static bool extend(struct glob_search *search, size_t *length, const char *name)
{
    size_t size = strlen(name);
    size_t at = *length;

    if (at > 0 && search->path[at - 1] != '/')
        search->path[at++] = '/';
    if (at + size > FILES_PATH_MAX)
        return false;
    memcpy(search->path + at, name, size + 1);
    *length = at + size;
    return true;
}

/* Go on with a name of the pattern without special characters. */
static void unescape(char *name, const char *pattern)
{
    while (*pattern) {
        if (*pattern == '\\' && pattern[1])
            pattern++;
        *name++ = *pattern++;
    }
    *name = '\0';
}

static bool add_if_there(struct glob_search *search, size_t length, int *number)
{
    struct phone_glob *glob = search->glob;
    struct files_stat stat;
    int ignored;

    if (!files_stat(search->files, search->path, search->slash, &stat,
                    &ignored) ||
        (search->slash && !S_ISDIR(stat.mode)))
        return true;
    search->bytes += length + 2;
    if (search->bytes > GLOB_BYTES_MAX) {
        *number = E2BIG;
        return false;
    }
    if (search->slash && length > 1)
        memcpy(search->path + length, "/", 2);
    if (!(glob->count & (glob->count - 1)))
        glob->paths =
            mem_resize(glob->paths, glob->count * 2 + 1, sizeof(*glob->paths));
    glob->paths[glob->count++] = mem_dup(search->path + search->hidden);
    return true;
}

static bool search_from(struct glob_search *search, size_t length,
                        const char *pattern, int *number);

/* Go on with all matches in the directory at path. */
static bool search_in(struct glob_search *search, size_t length,
                      const char *pattern, int *number)
{
    const char *behind = pattern + strlen(pattern) + 1;
    struct files_list list = FILES_LIST_INIT;
    bool done = true;
    int ignored;

    if (!files_list(search->files, length ? search->path : "/", &list,
                    &ignored))
        return true;
    search->work += list.count;
    for (size_t i = 0; done && i < list.count; i++) {
        const char *name = list.entries[i].name;
        size_t longer = length;

        if ((*name != '.' || *pattern == '.') && glob_match(pattern, name) &&
            extend(search, &longer, name))
            done = search_from(search, longer, behind, number);
    }
    files_list_release(&list);
    return done;
}

/* The path so far matches; go on with the pattern's names from here. */
static bool search_from(struct glob_search *search, size_t length,
                        const char *pattern, int *number)
{
    while (pattern < search->end && !strpbrk(pattern, "*?[")) {
        unescape(search->name, pattern);
        if (!extend(search, &length, search->name))
            return true;
        pattern += strlen(pattern) + 1;
    }
    search->path[length] = '\0';
    search->work += length + 1;
    if (search->work > GLOB_WORK_MAX) {
        *number = E2BIG;
        return false;
    }
    if (pattern >= search->end)
        return add_if_there(search, length, number);
    return search_in(search, length, pattern, number);
}

/* Replace each run of slashes by one NUL, in place. */
static void split(struct glob_search *search)
{
    char *to = search->pattern;

    for (const char *next = to; *next; next++) {
        bool slash = *next == '/';

        if (!slash || to == search->pattern || to[-1])
            *to++ = slash ? '\0' : *next;
        search->slash = slash;
    }
    *to = '\0';
    search->end = to;
}

static int compare_paths(const void *a, const void *b)
{
    const char *const *one = a;
    const char *const *other = b;

    return strcmp(*one, *other);
}

/* Start at a directory; returns the length of its path. */
static size_t begin_at(struct glob_search *search, const char *directory)
{
    size_t length = 0;

    if (!extend(search, &length, directory) || !length)
        return 0;
    if (search->path[length - 1] != '/')
        search->path[length++] = '/';
    return length;
}

bool glob_find(struct phone_files *files, const char *directory,
               const char *pattern, struct phone_glob *glob, int *number)
{
    struct glob_search search = {.files = files, .glob = glob};
    size_t length;
    bool found;

    *glob = (struct phone_glob)GLOB_INIT;
    if (strlen(directory) >= FILES_PATH_MAX) {
        *number = ENAMETOOLONG;
        return false;
    }
    /* A long text without special characters is no path to search for. */
    if (!*pattern || strlen(pattern) > FILES_PATH_MAX)
        return true;
    if (*pattern != '/')
        search.hidden = begin_at(&search, directory);
    else
        search.path[0] = '/';
    length = strlen(search.path);
    search.pattern = mem_dup(pattern + strspn(pattern, "/"));
    split(&search);
    found = search_from(&search, length, search.pattern, number);
    free(search.pattern);
    if (!found) {
        glob_release(glob);
        return false;
    }
    if (glob->count)
        qsort(glob->paths, glob->count, sizeof(*glob->paths), compare_paths);
    return true;
}

void glob_release(struct phone_glob *glob)
{
    for (size_t i = 0; i < glob->count; i++)
        free(glob->paths[i]);
    free(glob->paths);
    *glob = (struct phone_glob)GLOB_INIT;
}
