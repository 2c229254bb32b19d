#include "tools/phone/adbd/host_trust.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include "base/deadline.h"
#include "base/mem.h"

#define FILE_MODE 0640U
#define SYSTEM 1000U
#define SHELL 2000U

#define MD5_SIZE 16U

/* A prompt about one key, which several connections may wait for. */
struct pending_prompt {
    char line[KEY_PUBLIC_TEXT_MAX];
    bool always;
    bool answered;
    bool allowed;
    size_t waiting; /* waiting connections */
    struct pending_prompt *next;
};

struct host_trust {
    struct phone_files *root; /* borrowed */
    enum phone_trust mode;
    pthread_mutex_t lock; /* guards everything below */
    pthread_cond_t changed;
    struct pending_prompt *first; /* the one on the screen */
    size_t count;
    bool paused; /* no prompts are shown */
    bool unseen; /* trust_changed has to report a change */
};

struct host_trust *trust_open(struct phone_files *root, enum phone_trust mode)
{
    struct host_trust *trust = mem_new(1, sizeof(*trust));

    trust->root = root;
    trust->mode = mode;
    pthread_mutex_init(&trust->lock, NULL);
    deadline_cond_init(&trust->changed);
    return trust;
}

void trust_close(struct host_trust *trust)
{
    if (!trust)
        return;
    pthread_cond_destroy(&trust->changed);
    pthread_mutex_destroy(&trust->lock);
    free(trust);
}

static void set_paused(struct host_trust *trust, bool paused)
{
    pthread_mutex_lock(&trust->lock);
    trust->paused = paused;
    pthread_cond_broadcast(&trust->changed);
    pthread_mutex_unlock(&trust->lock);
}

void trust_pause(struct host_trust *trust)
{
    set_paused(trust, true);
}

void trust_resume(struct host_trust *trust)
{
    set_paused(trust, false);
}

/* ---- the file ---- */

void trust_look(void *context, struct keyring *known)
{
    struct host_trust *trust = context;
    struct shared_bytes *text;
    int number;

    if (!files_open(trust->root, TRUST_FILE, &text, &number))
        return;
    keyring_parse(known, (const char *)text->data, text->size);
    shared_bytes_drop(text);
}

/* One line per computer: the text behind it is not part of the key. */
static void copy_line(char line[KEY_PUBLIC_TEXT_MAX], const char *text)
{
    size_t length = 0;

    while (length < KEY_PUBLIC_TEXT_MAX - 1 &&
           (unsigned char)text[length] >= ' ')
        length++;
    snprintf(line, KEY_PUBLIC_TEXT_MAX, "%.*s", (int)length, text);
}

void trust_add(struct host_trust *trust, const char *text)
{
    struct keyring known = KEYRING_INIT;
    struct buf stored = BUF_INIT(KEY_PUBLIC_TEXT_MAX + 1);
    char line[KEY_PUBLIC_TEXT_MAX];
    int number;

    trust_look(trust, &known);
    copy_line(line, text);
    buf_printf(&stored, "%s\n", line);
    if (known.count < KEYRING_MAX &&
        files_append(trust->root, TRUST_FILE, buf_cstr(&stored), stored.length,
                     FILE_MODE, &number))
        (void)!files_set_owner(trust->root, TRUST_FILE, SYSTEM, SHELL,
                               &number); /* the file belongs to the system */
    buf_release(&stored);
    keyring_release(&known);
}

void trust_add_all(struct host_trust *trust, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");

        if (length)
            trust_add(trust, text);
        text += length + (text[length] == '\n');
    }
}

/* ---- prompts; with the lock held ---- */

static void see(struct host_trust *trust)
{
    trust->unseen = true;
    pthread_cond_broadcast(&trust->changed);
}

/* The prompt about this key, if another connection waits for it already. */
static struct pending_prompt *find_or_add(struct host_trust *trust,
                                          const char *line)
{
    struct pending_prompt **link = &trust->first;

    while (*link && strcmp((*link)->line, line) != 0)
        link = &(*link)->next;
    if (!*link && trust->count < TRUST_PROMPTS_MAX) {
        *link = mem_new(1, sizeof(**link));
        snprintf((*link)->line, sizeof((*link)->line), "%s", line);
        trust->count++;
        see(trust);
    }
    return *link;
}

/* Remove a prompt that is no longer needed. */
static void withdraw(struct host_trust *trust, struct pending_prompt *prompt)
{
    struct pending_prompt **link = &trust->first;

    while (*link && *link != prompt)
        link = &(*link)->next;
    if (!*link)
        return;
    *link = prompt->next;
    trust->count--;
    see(trust);
}

static bool await_answer(struct host_trust *trust,
                         struct pending_prompt *prompt)
{
    struct timespec until = deadline_timespec(deadline_in_ms(TRUST_PROMPT_MS));
    int late = 0;
    bool allowed;

    prompt->waiting++;
    while (!late && !prompt->answered && !trust->paused)
        late = pthread_cond_timedwait(&trust->changed, &trust->lock, &until);
    allowed = prompt->answered && prompt->allowed;
    if (--prompt->waiting == 0) {
        withdraw(trust, prompt);
        free(prompt);
    }
    return allowed;
}

/* ---- the user's decision ---- */

static bool ask_on_screen(struct host_trust *trust, const char *line)
{
    struct pending_prompt *prompt;
    bool allowed;

    pthread_mutex_lock(&trust->lock);
    prompt = trust->paused ? NULL : find_or_add(trust, line);
    allowed = prompt && await_answer(trust, prompt);
    pthread_mutex_unlock(&trust->lock);
    return allowed;
}

bool trust_ask(void *context, const char *text)
{
    struct host_trust *trust = context;
    char line[KEY_PUBLIC_TEXT_MAX];

    copy_line(line, text);
    switch (trust->mode) {
    case PHONE_TRUSTS_ALL:
        return true;
    case PHONE_ACCEPTS:
        trust_add(trust, line);
        return true;
    case PHONE_REFUSES:
        return false;
    case PHONE_ASKS:
        return ask_on_screen(trust, line);
    }
    return false;
}

/* As phones show it: of the key's bytes without its comment. */
static void fingerprint_of(const char *line, char text[TRUST_FINGERPRINT_SIZE])
{
    uint8_t key[KEY_PUBLIC_TEXT_MAX];
    size_t letters = strcspn(line, " ");
    size_t padding = letters && line[letters - 1] == '=' ? 1 : 0;
    uint8_t digest[MD5_SIZE] = {0};
    int size = EVP_DecodeBlock(key, (const unsigned char *)line, (int)letters);

    if (size > 0)
        (void)EVP_Digest(key, (size_t)size - padding, digest, NULL, EVP_md5(),
                         NULL);
    for (size_t i = 0; i < MD5_SIZE; i++)
        snprintf(text + 3 * i, TRUST_FINGERPRINT_SIZE - 3 * i, "%02X%s",
                 digest[i], i + 1 < MD5_SIZE ? ":" : "");
}

bool trust_prompt(struct host_trust *trust, struct trust_prompt *prompt)
{
    bool asked;

    pthread_mutex_lock(&trust->lock);
    asked = trust->first;
    if (asked) {
        prompt->always = trust->first->always;
        fingerprint_of(trust->first->line, prompt->fingerprint);
    }
    pthread_mutex_unlock(&trust->lock);
    return asked;
}

void trust_toggle(struct host_trust *trust)
{
    pthread_mutex_lock(&trust->lock);
    if (trust->first)
        trust->first->always = !trust->first->always;
    pthread_mutex_unlock(&trust->lock);
}

void trust_answer(struct host_trust *trust, bool allow)
{
    struct pending_prompt *prompt;

    pthread_mutex_lock(&trust->lock);
    prompt = trust->first;
    if (prompt) {
        if (allow && prompt->always)
            trust_add(trust, prompt->line);
        prompt->answered = true;
        prompt->allowed = allow;
        withdraw(trust, prompt);
    }
    pthread_mutex_unlock(&trust->lock);
}

bool trust_changed(struct host_trust *trust)
{
    bool unseen;

    pthread_mutex_lock(&trust->lock);
    unseen = trust->unseen;
    trust->unseen = false;
    pthread_mutex_unlock(&trust->lock);
    return unseen;
}
