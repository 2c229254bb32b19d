/* Chinese words and characters by pinyin. */
#ifndef TOOLS_PHONE_SCREEN_PINYIN_H
#define TOOLS_PHONE_SCREEN_PINYIN_H

#include <stddef.h>

#define PINYIN_WORD 32 /* size of a word, with its NUL */

struct pinyin_word {
    char text[PINYIN_WORD];
    size_t letters; /* number of typed letters that it stands for */
};

/*
 * Candidates for letters (a to z): first words for all of them, then words that
 * begin with them, then characters for the first syllable. Returns their
 * number, at most most.
 */
size_t pinyin_find(const char *letters, struct pinyin_word *words, size_t most);

#endif
