#include "runner/mask.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void mask_init(struct mask *mask)
{
    *mask = (struct mask){.count = 0};
    pthread_mutex_init(&mask->lock, NULL);
}

void mask_release(struct mask *mask)
{
    for (size_t i = 0; i < mask->count; i++) {
        explicit_bzero(mask->secrets[i], strlen(mask->secrets[i]));
        free(mask->secrets[i]);
    }
    mask->count = 0;
    pthread_mutex_destroy(&mask->lock);
}

static bool has(const struct mask *mask, const char *secret)
{
    for (size_t i = 0; i < mask->count; i++) {
        if (!strcmp(mask->secrets[i], secret))
            return true;
    }
    return false;
}

void mask_add(struct mask *mask, const char *secret)
{
    pthread_mutex_lock(&mask->lock);
    if (secret && strlen(secret) >= MASK_SHORTEST && !has(mask, secret) &&
        mask->count < MASK_SECRETS_MAX)
        mask->secrets[mask->count++] = mem_dup(secret);
    pthread_mutex_unlock(&mask->lock);
}

void mask_text(struct mask *mask, char *text, size_t length)
{
    pthread_mutex_lock(&mask->lock);
    for (size_t i = 0; i < mask->count; i++) {
        size_t size = strlen(mask->secrets[i]);
        char *at = text;

        while ((at = memmem(at, length - (size_t)(at - text), mask->secrets[i],
                            size))) {
            memset(at, '*', size);
            at += size;
        }
    }
    pthread_mutex_unlock(&mask->lock);
}

void mask_buf(struct mask *mask, struct buf *text)
{
    if (text->length)
        mask_text(mask, text->data, text->length);
}

void mask_err(struct mask *mask, struct err *err)
{
    mask_text(mask, err->text, strlen(err->text));
}
