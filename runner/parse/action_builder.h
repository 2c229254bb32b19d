/*
 * An action that is being built from a call. Shared by action_build.c and the
 * files with the forms of calls.
 */
#ifndef RUNNER_PARSE_ACTION_BUILDER_H
#define RUNNER_PARSE_ACTION_BUILDER_H

#include "runner/parse/action_build.h"
#include "runner/parse/call_duration.h"
#include "runner/parse/call_point.h"

struct action_builder {
    const struct action_call *call;
    const struct model_family *family;
    const struct reply_parse_options *options;
    struct action action;
};

/* Names of arguments, with NULL at the end. */
extern const char *const action_builder_index_names[];
extern const char *const action_builder_text_names[];

/*
 * Set a point of the action, in pixels of the phone; a place that is not known
 * unsets it. Fails with ERR_INVALID for a place outside the screen.
 */
MUST_USE bool action_builder_set_from(struct action_builder *builder,
                                      struct call_point place, struct err *err);
MUST_USE bool action_builder_set_to(struct action_builder *builder,
                                    struct call_point place, struct err *err);

/* Whether x or y comes first in the family's notation. */
struct axis_order action_builder_axis_order(
    const struct action_builder *builder);

/* Set the action's element if the call has one by its number: tap(3). */
void action_builder_find_index(struct action_builder *builder);

/* The time that the call's arguments give, if any. */
struct call_duration action_builder_duration(
    const struct action_builder *builder);

/* ERR_INVALID for a time that is negative or longer than a run allows. */
MUST_USE bool action_builder_set_time(struct action_builder *builder,
                                      struct call_duration duration,
                                      struct err *err);

/* Fail, because the call has no such argument. Always false. */
static inline bool action_builder_lacks(const struct action_builder *builder,
                                        const char *what, struct err *err)
{
    return err_set(err, ERR_INVALID, "%s lacks %s",
                   action_kind_name(builder->action.kind), what);
}

/* An argument as a text, or the argument without a name. NULL: it is none. */
char *action_builder_text_of(const struct cJSON *value);
char *action_builder_unnamed_text(const struct action_builder *builder);

/* One function per form of a call (enum action_verb_form). */
MUST_USE bool action_build_point(struct action_builder *builder,
                                 struct err *err);
MUST_USE bool action_build_path(struct action_builder *builder,
                                struct err *err);
MUST_USE bool action_build_scroll(struct action_builder *builder,
                                  struct err *err);
MUST_USE bool action_build_gesture(struct action_builder *builder,
                                   struct err *err);
MUST_USE bool action_build_field(struct action_builder *builder,
                                 struct err *err);
MUST_USE bool action_build_text(struct action_builder *builder,
                                struct err *err);
void action_build_words(struct action_builder *builder);

#endif
