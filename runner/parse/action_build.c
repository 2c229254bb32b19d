#include "runner/parse/action_build.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/key_press.h"
#include "base/mem.h"
#include "runner/parse/action_builder.h"

static const char *const key_names[] = {
    "button", "key", "keys", "text", "keycode", "value", "keyname", NULL,
};

static const char *const status_names[] = {
    "status", "goalstatus", "success", "value", NULL,
};

static bool make_plain(struct action_builder *builder, struct err *err)
{
    return builder->action.kind != ACTION_WAIT ||
           action_builder_set_time(builder, action_builder_duration(builder),
                                   err);
}

/* Any other key of Android's by its name: "Volume up", not a number. */
static bool is_other_key(const char *name, struct action *action)
{
    char normal[KEY_PRESS_TEXT_MAX];
    struct key_press press;
    struct err ignored;

    if (isdigit((unsigned char)name[0]) || strlen(name) >= sizeof(normal))
        return false;
    snprintf(normal, sizeof(normal), "%s", name);
    for (char *at = normal; *at; at++) {
        if (*at == ' ' || *at == '-')
            *at = '_';
    }
    if (!key_press_parse(normal, &press, &ignored))
        return false;
    key_press_text(&press, normal);
    action->kind = ACTION_KEY;
    action->text = mem_dup(normal);
    return true;
}

/* press(540, 1200) presses the screen, press("enter") a key. */
static bool make_key(struct action_builder *builder, struct err *err)
{
    char *name =
        action_builder_text_of(action_call_argument(builder->call, key_names));
    bool known;

    if (!name)
        name = action_builder_unnamed_text(builder);
    if (!name) {
        builder->action.kind = ACTION_CLICK;
        return action_build_point(builder, err);
    }
    known = action_verb_key(text_span_of(name), &builder->action.kind) ||
            is_other_key(name, &builder->action);
    if (!known && number_list_of_unnamed(builder->call).count >= 2) {
        free(name);
        builder->action.kind = ACTION_CLICK;
        return action_build_point(builder, err);
    }
    if (!known)
        (void)err_set(err, ERR_INVALID, "there is no key \"%.40s\"", name);
    free(name);
    return known;
}

static bool is_status(const char *text, enum action_kind *kind)
{
    return action_verb_status(text_span_of(text), kind);
}

/* terminate(status="failure"), or finish("all done"). */
static bool make_status(struct action_builder *builder)
{
    char *status = action_builder_text_of(
        action_call_argument(builder->call, status_names));
    enum action_kind kind = builder->action.kind;

    action_build_words(builder);
    if (builder->action.text && is_status(builder->action.text, &kind)) {
        free(builder->action.text);
        builder->action.text = NULL;
    }
    if (status)
        (void)is_status(status, &kind);
    builder->action.kind = kind;
    free(status);
    return true;
}

static bool make(struct action_builder *builder, struct err *err)
{
    switch (builder->call->verb->form) {
    case ACTION_VERB_POINT:
        return action_build_point(builder, err);
    case ACTION_VERB_PATH:
        return action_build_path(builder, err);
    case ACTION_VERB_SCROLL:
        return action_build_scroll(builder, err);
    case ACTION_VERB_TEXT:
        return action_build_text(builder, err);
    case ACTION_VERB_WORDS:
        action_build_words(builder);
        return true;
    case ACTION_VERB_PLAIN:
        return make_plain(builder, err);
    case ACTION_VERB_FIELD:
        return action_build_field(builder, err);
    case ACTION_VERB_KEY:
        return make_key(builder, err);
    case ACTION_VERB_STATUS:
        return make_status(builder);
    case ACTION_VERB_GESTURE:
        return action_build_gesture(builder, err);
    }
    return false;
}

/* Are the arguments without a name numbers? */
static bool takes_numbers(const struct action_verb *verb)
{
    return verb->form == ACTION_VERB_POINT || verb->form == ACTION_VERB_PATH ||
           verb->form == ACTION_VERB_SCROLL ||
           verb->form == ACTION_VERB_GESTURE ||
           verb->form == ACTION_VERB_FIELD || verb->form == ACTION_VERB_PLAIN;
}

/* Absurd numbers are mistakes, never a point or an element. */
static bool is_absurd(const struct action_call *call)
{
    return call_point_is_absurd(call) ||
           number_list_of(
               action_call_argument(call, action_builder_index_names))
               .absurd ||
           (takes_numbers(call->verb) && (number_list_of_unnamed(call).absurd ||
                                          call_duration_is_absurd(call)));
}

bool action_build(const struct action_call *call,
                  const struct model_family *family,
                  const struct reply_parse_options *options,
                  struct action *action, struct err *err)
{
    struct action_builder builder = {
        .call = call, .family = family, .options = options};

    if (is_absurd(call))
        return err_set(err, ERR_INVALID,
                       "%s: a number is not finite or far too large",
                       action_kind_name(call->verb->kind));
    builder.action.kind = call->verb->kind;
    if (!make(&builder, err)) {
        action_release(&builder.action);
        return false;
    }
    *action = builder.action;
    return true;
}
