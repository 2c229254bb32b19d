/*
 * The text that a person typed, from the content of the fields before and
 * after: exact for any script and keyboard, whatever keys were used. Pure.
 *
 *     empty field, now "milk"         type "milk"
 *     "milk", now "milk, eggs"        type ", eggs"
 *     any other change of a content   type the whole content, replacing it
 *     "milk", now empty               clear
 *
 * uiautomator shows the hint of an empty field as its text. Where the dump does
 * not tell them apart, the content is replaced, which is right in both cases.
 */
#ifndef RUNNER_HAND_FIELD_TEXT_H
#define RUNNER_HAND_FIELD_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "process_provider/tree/tree.h"
#include "tasks/json/text_list.h"
#include "tasks/task/action.h"

/* The known fields of a recording. */
struct field_memory {
    struct text_list secrets; /* fields that were password fields once */
    struct text_list hints;   /* what fields showed before a text was typed */
};

void field_memory_release(struct field_memory *memory);

/* Learn from a tree that was seen. */
void field_memory_see(struct field_memory *memory, const struct tree *tree);

struct field_change {
    uint32_t before; /* the field in the tree before */
    uint32_t after;  /* and in the one after */
    bool is_secret;  /* a password field: the action's text is "" */
    /*
     * TYPE or CLEAR; owned. Without a point where the field had the focus, else
     * with a point in it.
     */
    struct action action;
};

#define FIELD_CHANGES_MAX 8

struct field_changes {
    struct field_change items[FIELD_CHANGES_MAX];
    size_t count;
    bool is_incomplete; /* there were more, or a text was too long */
};

void field_changes_release(struct field_changes *changes);

/*
 * The fields that are in both trees and whose content differs, in the order of
 * the tree after. The caller releases them.
 */
void field_text_compare(struct field_memory *memory, const struct tree *before,
                        const struct tree *after,
                        struct field_changes *changes);

/*
 * After a key of the keyboard: was the content of the focused field submitted?
 * It was if the field is gone, or empty now and not before.
 */
bool field_text_submitted(const struct field_memory *memory,
                          const struct tree *before, const struct tree *after);

#endif
