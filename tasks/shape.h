/*
 * JSON objects and the structs that hold them, described once: a table of
 * members reads, writes and releases a thing, finds the texts in it, and knows
 * which word a misspelt one was meant to be.
 *
 *     static const struct member members[] = {
 *         {"name", TEXT_AT(struct task_probe, name), .rule = &rule_name,
 *          .needed = true},
 *         {"unchanged", BOOL_AT(struct task_probe, unchanged)},
 *     };
 *     const struct shape probe_shape = {.size = sizeof(struct task_probe),
 *         .members = members, .count = ARRAY_LEN(members)};
 *
 * The macros see to it that a member's kind is that of its field.
 */
#ifndef TASKS_SHAPE_H
#define TASKS_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"
#include "base/macros.h"
#include "tasks/phrasing.h"
#include "tasks/rule.h"
#include "tasks/texts.h"

#define SHAPE_TEXTS_MAX 64 /* in one list */
#define SHAPE_ITEMS_MAX 64

enum member_kind {
    MEMBER_TEXT,
    MEMBER_TEXTS,    /* a string, or an array of them */
    MEMBER_PHRASING, /* a string, or one per language */
    MEMBER_INT,
    MEMBER_NUMBER,
    MEMBER_BOOL,
    MEMBER_NAME,  /* an enum, by name */
    MEMBER_STATE, /* true or false, if it matters */
    MEMBER_PART,  /* a struct in the struct */
    MEMBER_OWN,   /* a struct of its own, or NULL */
    MEMBER_LIST,  /* of structs */
    MEMBER_ODD,   /* with functions of its own */
};

struct shape;
struct member;
struct shape_walk;

/* How an odd member is dealt with. thing is the struct that has it. */
struct member_ops {
    void (*init)(const struct member *member, void *thing); /* NULL: empty */
    bool (*read)(const struct member *member, const struct json *json,
                 void *thing, struct err *err);
    /* Add it under its name, unless it is as usual. */
    void (*write)(const struct member *member, const void *thing,
                  struct cJSON *into);
    /* NULL: there is nothing to free. */
    void (*release)(const struct member *member, void *thing);
    /* Show it the texts; NULL: there are none. */
    bool (*walk)(const struct member *member, struct shape_walk *walk,
                 void *thing, struct err *err);
};

struct member {
    const char *name;
    size_t offset;
    size_t count_offset;      /* of LIST */
    const struct rule *rule;  /* of TEXT, TEXTS, PHRASING */
    double usual;             /* of INT, NUMBER, NAME: what is not written */
    double min;               /* of INT, NUMBER */
    double max;               /* the same; of TEXTS, LIST how many, or 0 */
    const char *const *names; /* of NAME: NULL for one that cannot be said */
    size_t name_count;
    const struct shape *shape;    /* of PART, OWN, LIST */
    const struct member_ops *ops; /* of ODD */
    unsigned which;               /* of ODD: for its functions alone */
    enum member_kind kind;
    bool needed;
    bool array; /* TEXTS: an array it must be */
};

struct shape {
    size_t size;
    const struct member *members;
    size_t count;
    /*
     * The member that a value stands for which is no object of these members:
     * {"needs": ["a"]} is {"needs": [{"say": "a"}]}. NULL: there is none.
     */
    const struct member *brief;
    const struct member *brief_number; /* the same for a number */
    /* What no single member tells; may be NULL. */
    bool (*check)(const struct json *json, void *thing, struct err *err);
};

#define SHAPE_MEMBERS_MAX 64

/* offsetof, compiled only if the field has exactly that type. */
/* NOLINTBEGIN(bugprone-macro-parentheses): a type has none around it */
#define FIELD_OF(type_, field_, must_)                                         \
    _Generic(((type_ *)NULL)->field_, must_ : offsetof(type_, field_))
/* NOLINTEND(bugprone-macro-parentheses) */
#define FIELD_AT(type_, field_, must_) .offset = FIELD_OF(type_, field_, must_)

#define TEXT_AT(type_, field_)                                                 \
    .kind = MEMBER_TEXT, FIELD_AT(type_, field_, char *)
#define TEXTS_AT(type_, field_)                                                \
    .kind = MEMBER_TEXTS, FIELD_AT(type_, field_, struct texts)
#define PHRASING_AT(type_, field_)                                             \
    .kind = MEMBER_PHRASING, FIELD_AT(type_, field_, struct phrasing)
#define INT_AT(type_, field_) .kind = MEMBER_INT, FIELD_AT(type_, field_, int)
#define NUMBER_AT(type_, field_)                                               \
    .kind = MEMBER_NUMBER, FIELD_AT(type_, field_, double)
#define BOOL_AT(type_, field_)                                                 \
    .kind = MEMBER_BOOL, FIELD_AT(type_, field_, bool)
/* An enum without negative values, which is an unsigned. */
#define NAME_AT(type_, field_, names_)                                         \
    .kind = MEMBER_NAME, FIELD_AT(type_, field_, unsigned), .names = (names_), \
    .name_count = ARRAY_LEN(names_)
/* An enum of three: it does not matter, no, yes. */
#define STATE_AT(type_, field_)                                                \
    .kind = MEMBER_STATE, FIELD_AT(type_, field_, unsigned)
#define PART_AT(type_, field_, must_)                                          \
    .kind = MEMBER_PART, FIELD_AT(type_, field_, must_)
#define OWN_AT(type_, field_, must_)                                           \
    .kind = MEMBER_OWN, FIELD_AT(type_, field_, must_)
#define LIST_AT(type_, field_, count_, must_)                                  \
    .kind = MEMBER_LIST, FIELD_AT(type_, field_, must_),                       \
    .count_offset = FIELD_OF(type_, count_, size_t)
#define ODD_BY(ops_) .kind = MEMBER_ODD, .ops = &(ops_)

/* A thing with nothing in it but what is usual. */
void shape_init(const struct shape *shape, void *thing);

/*
 * Make a thing of JSON; the caller releases it. Fails with ERR_INVALID and the
 * place, and leaves the thing as shape_init does.
 */
MUST_USE bool shape_read(const struct shape *shape, const struct json *json,
                         void *thing, struct err *err);

/* The thing as JSON; what is as usual is left out. */
struct cJSON *shape_write(const struct shape *shape, const void *thing);

/* Free what it owns, and leave it as shape_init does. */
void shape_release(const struct shape *shape, void *thing);

/* Somebody who looks at each text of a thing and may replace it. */
struct shape_walk {
    bool (*text)(struct shape_walk *walk, const struct rule *rule, char **text,
                 struct err *err);
    bool (*phrasing)(struct shape_walk *walk, const struct rule *rule,
                     struct phrasing *phrasing, struct err *err);
    void *context;
    struct buf path; /* where it is; BUF_INIT with a limit */
};

/* On failure err names the place. */
MUST_USE bool shape_walk(struct shape_walk *walk, const struct shape *shape,
                         void *thing, struct err *err);

/*
 * For odd members: a text or a name that fits, or another member's ways.
 */
MUST_USE bool shape_read_text(const struct json *json, const struct rule *rule,
                              const char **text, struct err *err);
MUST_USE bool shape_read_phrasing(const struct json *json,
                                  const struct rule *rule,
                                  struct phrasing *phrasing, struct err *err);
/* Fails with the name that was meant, or with all there are. */
MUST_USE bool shape_read_name(const struct json *json, const char *const *names,
                              size_t count, unsigned *name, struct err *err);
/* One of the members of thing, which keeps what was read, also on failure. */
MUST_USE bool shape_read_member(const struct member *member,
                                const struct json *json, void *thing,
                                struct err *err);
void shape_write_member(const struct member *member, const void *thing,
                        struct cJSON *into, const char *name);
void shape_release_member(const struct member *member, void *thing);
MUST_USE bool shape_walk_member(struct shape_walk *walk,
                                const struct member *member, void *thing,
                                struct err *err);

#endif
