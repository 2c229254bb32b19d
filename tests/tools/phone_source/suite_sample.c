#include "tests/tools/phone_source/suite_sample.h"

#include <stdlib.h>
#include <string.h>

#define PHONES_OF_A_SAMPLE 6
/* Every so many right ways are in a sample. */
#define RIGHT_WAYS_STEP 8

static const char *const locales[] = {"en", "zh"};

/* The choices of one sample are independent of each other. */
enum choice { CHOICE_PHONE, CHOICE_WRONG_WAY, CHOICE_RIGHT_WAY, CHOICE_TASK };

/* The finalizer of SplitMix64. */
static uint64_t mix(uint64_t value)
{
    value += 0x9e3779b97f4a7c15U;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
    return value ^ (value >> 31);
}

static size_t choose(const struct suite_sample *sample, enum choice choice,
                     size_t of, size_t count)
{
    uint64_t value = mix(sample->number + (uint64_t)choice);

    return (size_t)(mix(value + of) % count);
}

static void add_phone(struct suite_sample *sample, uint64_t seed, unsigned skin,
                      const char *locale)
{
    sample->phones[sample->phone_count++] =
        (struct suite_phone){.seed = seed, .skin = skin, .locale = locale};
}

static void add_all_phones(struct suite_sample *sample)
{
    for (unsigned i = 0; i < SUITE_SAMPLE_PHONES_MAX; i++)
        add_phone(sample, 1 + i % SUITE_SAMPLE_SEEDS,
                  i / SUITE_SAMPLE_SEEDS % SUITE_SAMPLE_SKINS,
                  locales[i / SUITE_SAMPLE_SEEDS / SUITE_SAMPLE_SKINS]);
}

/* Different ones, since 7 has no factor in common with their number. */
static void add_some_phones(struct suite_sample *sample)
{
    struct suite_sample all = {.phone_count = 0};
    size_t first = choose(sample, CHOICE_PHONE, 0, SUITE_SAMPLE_PHONES_MAX);

    add_all_phones(&all);
    for (size_t i = 0; i < PHONES_OF_A_SAMPLE; i++)
        sample->phones[sample->phone_count++] =
            all.phones[(first + 7 * i) % all.phone_count];
}

static bool read_phone(const char *text, struct suite_sample *sample)
{
    char *after_seed, *after_skin = NULL;
    uint64_t seed = strtoull(text, &after_seed, 10);
    unsigned long skin =
        *after_seed == ',' ? strtoul(after_seed + 1, &after_skin, 10) : 0;

    if (*after_seed != ',' || *after_skin != ',')
        return false;
    for (size_t i = 0; i < 2; i++) {
        if (!strcmp(after_skin + 1, locales[i]))
            add_phone(sample, seed, (unsigned)skin, locales[i]);
    }
    return sample->phone_count > 0;
}

bool suite_sample_read(struct suite_sample *sample)
{
    const char *number = getenv("PROCTOR_SAMPLE");
    const char *phone = getenv("PROCTOR_SUITE_PHONE");
    char *end = "";

    *sample = (struct suite_sample){.prefix = getenv("PROCTOR_SUITE_TASKS")};
    if (number)
        sample->number = strtoull(number, &end, 16);
    if (*end)
        return false;
    sample->everything = sample->prefix || phone || getenv("PROCTOR_FULL");
    if (phone)
        return read_phone(phone, sample);
    if (sample->prefix) {
        add_phone(sample, 0, 0, "en");
        add_phone(sample, 1, 0, "zh");
        add_phone(sample, 2, 1, "en");
        add_phone(sample, 5, 3, "zh");
    } else if (sample->everything) {
        add_all_phones(sample);
    } else {
        add_some_phones(sample);
    }
    return true;
}

bool suite_sample_has_task(const struct suite_sample *sample,
                           const struct task *task)
{
    return !sample->prefix ||
           !strncmp(task->id, sample->prefix, strlen(sample->prefix));
}

/* A task has all of its turns on one phone. */
bool suite_sample_has_gold(const struct suite_sample *sample,
                           const struct suite *suite, const struct task *task,
                           size_t phone)
{
    size_t index = (size_t)(task - suite->tasks);

    if (!suite_sample_has_task(sample, task))
        return false;
    return sample->everything ||
           (index + sample->number) % sample->phone_count == phone;
}

/* How many wrong ways the task of this way has, and how many of them precede
 * it. */
static size_t count_wrong(const struct task_ways *ways, size_t way,
                          size_t *before)
{
    size_t count = 0;

    for (size_t i = 0; i < ways->count; i++) {
        if (i == way)
            *before = count;
        count += ways->items[i].task == ways->items[way].task &&
                 !task_way_meant_right(ways->items[i].class_);
    }
    return count;
}

bool suite_sample_has_way(const struct suite_sample *sample,
                          const struct suite *suite,
                          const struct task_ways *ways, size_t way,
                          size_t phone)
{
    const struct task *task = ways->items[way].task;
    size_t index = (size_t)(task - suite->tasks);
    size_t before = 0;
    size_t count;

    if (!suite_sample_has_gold(sample, suite, task, phone))
        return false;
    if (sample->everything)
        return true;
    if (task_way_meant_right(ways->items[way].class_))
        return !choose(sample, CHOICE_RIGHT_WAY, way, RIGHT_WAYS_STEP);
    count = count_wrong(ways, way, &before);
    return choose(sample, CHOICE_WRONG_WAY, index, count) == before;
}

bool suite_sample_is_among(const struct suite_sample *sample,
                           const struct suite *suite, const struct task *task,
                           size_t at_most)
{
    size_t first = choose(sample, CHOICE_TASK, 0, suite->count);
    size_t index = (size_t)(task - suite->tasks);

    return suite_sample_has_task(sample, task) &&
           (sample->everything ||
            (index + suite->count - first) % suite->count < at_most);
}
