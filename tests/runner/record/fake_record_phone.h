/*
 * A phone for tests of the recorder, without a phone: a screen of one button
 * per line and a field, whose picture and tree depend on how often it was
 * acted on.
 */
#ifndef TESTS_RUNNER_RECORD_FAKE_RECORD_PHONE_H
#define TESTS_RUNNER_RECORD_FAKE_RECORD_PHONE_H

#include "runner/record/record_phone.h"

#define FAKE_WIDTH 120
#define FAKE_HEIGHT 240

struct fake_record_phone {
    struct record_phone phone; /* first */
    int acts;                  /* the state: actions so far */
    int states[RECORD_SLOTS];
    int64_t now_ms;
    bool password;     /* the field is a password field */
    bool focused;      /* the field has the focus */
    const char *field; /* what the field shows; NULL: nothing */
    const char *hint;  /* of the field; NULL: none */
    int keyboard_top;
    bool keyboard; /* the tree ends above a keyboard, at 150 */
    bool no_tree;
};

/* With snapshots, or without. */
void fake_record_phone_init(struct fake_record_phone *phone, bool snapshots);

/* Where the button "Step N" of the current screen, and the field, are. */
struct action_point fake_record_phone_button(void);
struct action_point fake_record_phone_field(void);

#endif
