/*
 * Tables that describe a struct and its JSON object: one table of members
 * reads, writes and releases the struct, visits its texts, and suggests the
 * right member for a misspelt one.
 *
 *     static const struct json_member members[] = {
 *         {"name", TEXT_AT(struct task_probe, name), .rule = &task_rule_name,
 *          .needed = true},
 *         {"unchanged", BOOL_AT(struct task_probe, unchanged)},
 *     };
 *     const struct struct_json probe_struct_json = {
 *         .size = sizeof(struct task_probe), .members = members,
 *         .count = ARRAY_LEN(members)};
 *
 * The macros check at compile time that a member's kind fits its field.
 */
#ifndef TASKS_JSON_STRUCT_JSON_H
#define TASKS_JSON_STRUCT_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"
#include "base/macros.h"
#include "tasks/json/bilingual_text.h"
#include "tasks/json/text_list.h"
#include "tasks/json/text_rule.h"

#define STRUCT_JSON_TEXTS_MAX 64 /* in one list */
#define STRUCT_JSON_ITEMS_MAX 64

enum member_kind {
    MEMBER_TEXT,
    MEMBER_TEXTS,          /* a string, or an array of them */
    MEMBER_BILINGUAL_TEXT, /* a string, or one per language */
    MEMBER_INT,
    MEMBER_NUMBER,
    MEMBER_BOOL,
    MEMBER_NAME,  /* an enum, by name */
    MEMBER_STATE, /* true or false, or not given */
    MEMBER_PART,  /* a struct inside the struct */
    MEMBER_OWN,   /* a separate struct, or NULL */
    MEMBER_LIST,  /* list of structs */
    MEMBER_ODD,   /* with its own functions */
};

struct struct_json;
struct json_member;
struct struct_json_walk;

/*
 * Functions for members that no kind covers. thing is the struct that has it.
 */
struct member_ops {
    void (*init)(const struct json_member *member,
                 void *thing); /* NULL: empty */
    bool (*read)(const struct json_member *member, const struct json *json,
                 void *thing, struct err *err);
    /* Add it under its name, unless it has the default value. */
    void (*write)(const struct json_member *member, const void *thing,
                  struct cJSON *into);
    /* NULL: there is nothing to free. */
    void (*release)(const struct json_member *member, void *thing);
    /* Pass the texts to the walk; NULL: there are none. */
    bool (*walk)(const struct json_member *member,
                 struct struct_json_walk *walk, void *thing, struct err *err);
};

struct json_member {
    const char *name;
    const char
        *old_name; /* in files of version 1: read, never written; or NULL */
    size_t offset;
    size_t count_offset;          /* of LIST */
    const struct text_rule *rule; /* of TEXT, TEXTS, BILINGUAL_TEXT */
    double default_value;         /* of INT, NUMBER, NAME; not written */
    double min;                   /* of INT, NUMBER */
    double max;                   /* the same; of TEXTS, LIST how many, or 0 */
    const char *const *names;     /* of NAME: NULL for a value without a name */
    size_t name_count;
    const struct struct_json *struct_json; /* of PART, OWN, LIST */
    const struct member_ops *ops;          /* of ODD */
    unsigned which;                        /* of ODD: for its functions only */
    enum member_kind kind;
    bool needed;
    bool array; /* TEXTS: must be an array */
};

struct struct_json {
    size_t size;
    const struct json_member *members;
    size_t count;
    /*
     * The member that a plain value stands for: {"needs": ["a"]} is {"needs":
     * [{"say": "a"}]}. NULL: none.
     */
    const struct json_member *brief;
    const struct json_member *brief_number; /* the same for a plain number */
    /* Checks that involve several members; may be NULL. */
    bool (*check)(const struct json *json, void *thing, struct err *err);
};

#define STRUCT_JSON_MEMBERS_MAX 64

/* offsetof, compiled only if the field has exactly that type. */
/* NOLINTBEGIN(bugprone-macro-parentheses): a type has none around it */
#define FIELD_OF(type_, field_, must_)                                         \
    _Generic(((type_ *)NULL)->field_, must_ : offsetof(type_, field_))
/* NOLINTEND(bugprone-macro-parentheses) */
#define FIELD_AT(type_, field_, must_) .offset = FIELD_OF(type_, field_, must_)

#define TEXT_AT(type_, field_)                                                 \
    .kind = MEMBER_TEXT, FIELD_AT(type_, field_, char *)
#define TEXTS_AT(type_, field_)                                                \
    .kind = MEMBER_TEXTS, FIELD_AT(type_, field_, struct text_list)
#define BILINGUAL_TEXT_AT(type_, field_)                                       \
    .kind = MEMBER_BILINGUAL_TEXT,                                             \
    FIELD_AT(type_, field_, struct bilingual_text)
#define INT_AT(type_, field_) .kind = MEMBER_INT, FIELD_AT(type_, field_, int)
#define NUMBER_AT(type_, field_)                                               \
    .kind = MEMBER_NUMBER, FIELD_AT(type_, field_, double)
#define BOOL_AT(type_, field_)                                                 \
    .kind = MEMBER_BOOL, FIELD_AT(type_, field_, bool)
/* An enum without negative values: its type is unsigned. */
#define NAME_AT(type_, field_, names_)                                         \
    .kind = MEMBER_NAME, FIELD_AT(type_, field_, unsigned), .names = (names_), \
    .name_count = ARRAY_LEN(names_)
/* An enum with three values: not given, no, yes. */
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

/* Is name the name of the member, or its old one? */
bool json_member_is_called(const struct json_member *member, const char *name);

/* Set all members to their defaults. */
void struct_json_init(const struct struct_json *struct_json, void *thing);

/*
 * Read a struct from JSON; the caller releases it. Fails with ERR_INVALID and
 * the position, and leaves the struct as struct_json_init does.
 */
MUST_USE bool struct_json_read(const struct struct_json *struct_json,
                               const struct json *json, void *thing,
                               struct err *err);

/* The struct as JSON, without members that have their defaults. */
struct cJSON *struct_json_write(const struct struct_json *struct_json,
                                const void *thing);

/* Free what it owns, and reset it as struct_json_init does. */
void struct_json_release(const struct struct_json *struct_json, void *thing);

/* Visits each text of a struct and may replace it. */
struct struct_json_walk {
    bool (*text)(struct struct_json_walk *walk, const struct text_rule *rule,
                 char **text, struct err *err);
    bool (*bilingual_text)(struct struct_json_walk *walk,
                           const struct text_rule *rule,
                           struct bilingual_text *bilingual_text,
                           struct err *err);
    void *context;
    struct buf path; /* the current position; BUF_INIT with a limit */
};

/* On failure err names the position. */
MUST_USE bool struct_json_walk(struct struct_json_walk *walk,
                               const struct struct_json *struct_json,
                               void *thing, struct err *err);

/* For odd members: read a text or a name, or handle another member. */
MUST_USE bool struct_json_read_text(const struct json *json,
                                    const struct text_rule *rule,
                                    const char **text, struct err *err);
MUST_USE bool struct_json_read_bilingual_text(
    const struct json *json, const struct text_rule *rule,
    struct bilingual_text *bilingual_text, struct err *err);
/* Fails with a suggestion, or with all valid names. */
MUST_USE bool struct_json_read_name(const struct json *json,
                                    const char *const *names, size_t count,
                                    unsigned *name, struct err *err);
/*
 * Handle one of the members of thing, which keeps what was read, also on
 * failure.
 */
MUST_USE bool struct_json_read_member(const struct json_member *member,
                                      const struct json *json, void *thing,
                                      struct err *err);
void struct_json_write_member(const struct json_member *member,
                              const void *thing, struct cJSON *into,
                              const char *name);
void struct_json_release_member(const struct json_member *member, void *thing);
MUST_USE bool struct_json_walk_member(struct struct_json_walk *walk,
                                      const struct json_member *member,
                                      void *thing, struct err *err);

#endif
