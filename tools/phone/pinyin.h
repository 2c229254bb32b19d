/* Chinese words and characters by their sound. */
#ifndef PHONE_PINYIN_H
#define PHONE_PINYIN_H

#include <stddef.h>

#define PINYIN_WORD 32 /* bytes of a word, with its NUL */

struct pinyin_word {
    char text[PINYIN_WORD];
    size_t letters; /* of what was typed that it stands for */
};

/*
 * What letters (a to z) may stand for: first words of all of them, then those
 * that begin with them, then characters for as many as make one. Returns how
 * many there are, at most most.
 */
size_t pinyin_find(const char *letters, struct pinyin_word *words, size_t most);

#endif
