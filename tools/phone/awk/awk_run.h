/* The state of a running awk program. */
#ifndef TOOLS_PHONE_AWK_AWK_RUN_H
#define TOOLS_PHONE_AWK_AWK_RUN_H

#include "tools/phone/awk/awk_parse.h"
#include "tools/phone/awk/awk_value.h"
#include "tools/phone/toybox/cmd.h"

#define AWK_FIELDS_MAX 32768U
#define AWK_FILES_MAX 8U

enum awk_flow {
    AWK_FLOW_ON,
    AWK_FLOW_BREAK,
    AWK_FLOW_CONTINUE,
    AWK_FLOW_NEXT,
    AWK_FLOW_EXIT,
};

struct awk_file {
    char *name;         /* owned */
    struct sh_out *out; /* owned */
};

struct awk {
    struct command_call *call;
    struct awk_program *program; /* borrowed */
    struct awk_value *variables; /* owned; by slot */
    struct awk_array *arrays;    /* owned; by slot */
    size_t array_bytes;
    size_t variable_bytes;    /* of the texts in variables */
    size_t field_bytes;       /* the same of fields */
    size_t paid;              /* to the account of the call */
    struct buf record;        /* $0 */
    struct awk_value *fields; /* owned: $1 and so on */
    size_t field_count;
    size_t field_capacity;
    struct regex
        *splitter; /* owned: compiled from FS if that is a regular expression */
    char *splitter_text;   /* owned */
    struct regex *dynamic; /* owned: compiled from a text last */
    char *dynamic_text;    /* owned */
    struct awk_file files[AWK_FILES_MAX];
    uint64_t random;
    double seed;
    enum awk_flow flow;
    int status;
    bool broken; /* an error was printed */
};

void awk_init(struct awk *awk, struct command_call *call,
              struct awk_program *program);
void awk_release(struct awk *awk);

/*
 * Pay for the memory that is in use now, or get back what is free. The program
 * ends where there is not enough.
 */
void awk_pay(struct awk *awk);

/* Print a message, unless one was printed before, and end the program. */
void awk_break(struct awk *awk, const char *why);

/* Set $0 and split it into fields. */
void awk_set_record(struct awk *awk, const char *line, size_t length);

/* Get and set $0 or a field. Setting one updates the others. */
struct awk_value awk_field(struct awk *awk, double index);
void awk_set_field(struct awk *awk, double index,
                   const struct awk_value *value);

/* Split text at separator (NULL: FS) and call take for each piece. */
typedef void awk_piece_fn(void *context, const char *text, size_t length);
void awk_split(struct awk *awk, const char *text, const char *separator,
               awk_piece_fn *take, void *context);

/* Set a variable; setting NF changes the fields. */
void awk_set_variable(struct awk *awk, size_t slot,
                      const struct awk_value *value);

/*
 * The compiled text, borrowed. NULL if it is invalid; the program is then
 * broken.
 */
struct regex *awk_pattern(struct awk *awk, const char *text);

/* awk_eval.c */
struct awk_value awk_eval(struct awk *awk, const struct awk_node *node);
char *awk_eval_text(struct awk *awk, const struct awk_node *node);
double awk_eval_number(struct awk *awk, const struct awk_node *node);
bool awk_eval_true(struct awk *awk, const struct awk_node *node);
void awk_assign(struct awk *awk, const struct awk_node *place,
                const struct awk_value *value);

/* The key of an array element from its expressions; the caller frees it. */
char *awk_eval_key(struct awk *awk, const struct awk_node *keys);

/* awk_call.c: the built-in functions. */
struct awk_value awk_call(struct awk *awk, const struct awk_node *node);

/* awk_run.c: one statement, and the rules for the current record. */
void awk_run(struct awk *awk, const struct awk_node *node);
void awk_run_rules(struct awk *awk, enum awk_when when);

#endif
