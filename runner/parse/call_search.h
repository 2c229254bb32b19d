/*
 * The search for a call in a text. The parsers of tags, lines and calls share
 * it: each looks at the current position.
 */
#ifndef RUNNER_PARSE_CALL_SEARCH_H
#define RUNNER_PARSE_CALL_SEARCH_H

#include "runner/parse/action_call_private.h"

struct call_search {
    struct loose_value_reader reader;
    bool strict;
    bool marked;  /* it is in a tag or after "Action:" */
    int attempts; /* attempts left */
    struct {
        size_t from; /* where a line begins */
        size_t to;   /* and its end; 0: none is known */
    } line;          /* the one that was looked at last */
    struct {
        size_t from;
        size_t at; /* the first '>' at or after from; the length for none */
    } tag_end;     /* the one that was looked for last */
    size_t start;  /* start of the current candidate */
    size_t end;    /* end of the last one found */
    struct action_call *call;
    char *unknown;
    bool found;
    bool cut; /* the last candidate is truncated */
};

bool call_search_one_of(char byte, const char *set);

/* The rest of the text, and of the line. */
struct text_span call_search_rest(const struct call_search *search);
struct text_span call_search_line(struct call_search *search);
size_t call_search_line_start(struct call_search *search, size_t at);

/* Where the first '>' from the position on is; the length if there is none. */
size_t call_search_tag_end(struct call_search *search);

/* Charge for scanning this many bytes again; false: the limit is reached. */
bool call_search_charge(struct call_search *search, size_t bytes);

/*
 * Does the name of the action begin its line? List marks and a heading that
 * ends in a colon may come before it.
 */
bool call_search_begins_line(struct call_search *search);

/* Go back to a position, but keep the budget of values used up. */
void call_search_return(struct call_search *search,
                        struct loose_value_reader before);

void call_search_skip_character(struct call_search *search);

/* The text ends within an action: stop the search. */
void call_search_give_up(struct call_search *search);

bool call_search_has_letters(struct text_span text);

/* Does the verb take a text? */
bool call_search_takes_text(const struct action_verb *verb);

/* Add a text under a key, with XML entities decoded. */
void call_search_add_text(struct cJSON *object, struct text_span key,
                          struct text_span value);

/*
 * Keep a value if it is an action; otherwise free it. Of actions on consecutive
 * lines the first is kept.
 */
bool call_search_keep(struct call_search *search, struct cJSON *value);

/*
 * Keep a verb with a list of arguments without names, with an object of named
 * ones, or with one value (NULL: none). raw is how they were written. Takes
 * ownership.
 */
bool call_search_keep_operands(struct call_search *search,
                               const struct action_verb *verb,
                               struct cJSON *list, struct text_span raw);
bool call_search_keep_arguments(struct call_search *search,
                                const struct action_verb *verb,
                                struct cJSON *arguments);
bool call_search_keep_verb(struct call_search *search,
                           const struct action_verb *verb, struct cJSON *value,
                           struct text_span raw);

/* At a '<': parse a call in tags, or skip the tag. */
void call_search_try_tag(struct call_search *search);

/* After a name: parse pairs of <arg_key> and <arg_value>. */
bool call_search_at_pairs(const struct call_search *search);
void call_search_try_pairs(struct call_search *search, struct text_span name);

/*
 * After a verb: parse an operand as in CLICK <point>[[1, 2]]</point>, click
 * [5], TYPE [text].
 */
bool call_search_try_operand(struct call_search *search,
                             const struct action_verb *verb);

/* After a verb: parse the rest of the line as its operand. */
bool call_search_try_line(struct call_search *search,
                          const struct action_verb *verb);

#endif
