/* Checks proposed from one gold, on other ways: items, texts, forms, editors.
 */
#include "judge/gold/propose.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "judge/gold/gold_set.h"
#include "judge/judge.h"
#include "tests/judge/episode_maker.h"

static struct episode_maker maker;

#define CLICK(text) "{\"do\":\"click\",\"at\":{\"text\":\"" text "\"}}"
#define KEY_CLICK(text)                                                        \
    "{\"do\":\"click\",\"at\":{\"text\":\"" text "\"},\"key_step\":true}"
#define KEY_TYPE(text)                                                         \
    "{\"do\":\"type\",\"text\":\"" text "\",\"key_step\":true}"
#define GOLD(kind, steps)                                                      \
    "\"kind\":\"" kind "\",\"needs\":[{\"say\":\"do it\"}],\"gold\":[" steps   \
    ",{\"do\":\"complete\"}]"

/* Propose checks from a gold, and judge another way. */
static void compare(const char *asked, const char *task, void (*do_gold)(void),
                    void (*do_other)(void), enum outcome outcome)
{
    struct gold_set one = GOLD_SET_INIT;
    const struct judge_options options = {.kind = JUDGE_CHECKLIST,
                                          .gold_set = &one};
    struct judge checklist;
    struct verdict verdict;
    struct err err;

    episode_begin_asked(&maker, asked, task);
    do_gold();
    if (!gold_set_add(&one, maker.folder, NULL, &err))
        fail_msg("%s", err.text);
    episode_remove(&maker);
    episode_begin_asked(&maker, asked, task);
    do_other();
    judge_init(&checklist, &options);
    if (!judge_episode(&checklist, maker.folder, &verdict, &err))
        fail_msg("%s", err.text);
    if (verdict.outcome != outcome)
        fail_msg("%s: %s", outcome_name(verdict.outcome), verdict.reason);
    verdict_release(&verdict);
    judge_release(&checklist);
    gold_set_release(&one);
    episode_remove(&maker);
}

/* ---- texts ---- */

#define SENDING "Find out where we meet on Friday and send it to Ada"
#define SEND_IT                                                                \
    GOLD("process", KEY_CLICK("Felix Jensen") "," KEY_TYPE(                    \
                        "We meet at 165 Mill Lane") "," KEY_CLICK("Send"))
#define CHATS "title: Chats\nrow: Felix Jensen\nrow: Tara Adler\n"
#define CHAT "title: Felix Jensen\ntext: It is 165 Mill Lane on Friday\n"
#define WRITING "title: Ada\n*field: \nrow: Send\n"
#define WROTE(text) "title: Ada\n*field: " text "\nrow: Send\n"
#define SENT(text) "title: Ada\ntext: " text "\n*field: \nrow: Send\n"

static void send_text(const char *text, const char *wrote, const char *sent)
{
    static const struct action back = {.kind = ACTION_BACK};

    episode_tap(&maker, CHATS, 1);
    episode_act(&maker, CHAT, &back, NULL);
    episode_type(&maker, WRITING, text);
    episode_tap(&maker, wrote, 2);
    episode_complete(&maker, sent);
}

static void send_in_a_sentence(void)
{
    send_text("We meet at 165 Mill Lane", WROTE("We meet at 165 Mill Lane"),
              SENT("We meet at 165 Mill Lane"));
}

static void send_the_address_alone(void)
{
    send_text("165 Mill Lane", WROTE("165 Mill Lane"), SENT("165 Mill Lane"));
}

static void send_another_address(void)
{
    send_text("We meet at 28 Mill Lane", WROTE("We meet at 28 Mill Lane"),
              SENT("We meet at 28 Mill Lane"));
}

static void what_was_looked_up_may_be_put_into_other_words(void **state)
{
    (void)state;
    compare(SENDING, SEND_IT, send_in_a_sentence, send_the_address_alone,
            OUTCOME_SUCCESS);
    compare(SENDING, SEND_IT, send_in_a_sentence, send_another_address,
            OUTCOME_FAILURE);
}

/* ---- items ---- */

#define WISHED "Put the best of them on my list"
#define WISH                                                                   \
    GOLD("process", CLICK("Sadota Notebook") "," KEY_CLICK("Add to wish "      \
                                                           "list"))
#define APPS                                                                   \
    "title: Apps\nrow: Sadota Notebook | 4.5 stars\n"                          \
    "row: Tridelis Notes | 4.1 stars\n"
#define APP(name, button) "text: " name "\nrow: " button "\ntext: of " name "\n"

static void wish_sadota(void)
{
    episode_tap(&maker, APPS, 1);
    episode_tap(&maker, APP("Sadota Notebook", "Add to wish list"), 1);
    episode_complete(&maker, APP("Sadota Notebook", "Remove from wish list"));
}

static void wish_tridelis(void)
{
    episode_tap(&maker, APPS, 2);
    episode_tap(&maker, APP("Tridelis Notes", "Add to wish list"), 1);
    episode_complete(&maker, APP("Tridelis Notes", "Remove from wish list"));
}

static void same_act_on_another_item_fails(void **state)
{
    (void)state;
    compare(WISHED, WISH, wish_sadota, wish_sadota, OUTCOME_SUCCESS);
    compare(WISHED, WISH, wish_sadota, wish_tridelis, OUTCOME_FAILURE);
}

#define MIRRORED "Turn the sailboat from Brenna around"
#define MIRROR GOLD("state", CLICK("Sailboat · Brenna") "," KEY_CLICK("Mirror"))
#define PHOTOS                                                                 \
    "title: Photos\nrow: Sailboat · Brenna | Sep 30\n"                        \
    "row: Windmill · Norvik | Jul 11\n"
#define EDITOR "title: Editor\nrow: Mirror\n"
#define MIRRORED_EDITOR "title: Editor\nrow: Mirror\ntext: mirrored\n"

static void mirror_the_sailboat(void)
{
    episode_tap(&maker, PHOTOS, 1);
    episode_tap(&maker, EDITOR, 1);
    episode_complete(&maker, MIRRORED_EDITOR);
}

static void mirror_the_windmill(void)
{
    episode_tap(&maker, PHOTOS, 2);
    episode_tap(&maker, EDITOR, 1);
    episode_complete(&maker, MIRRORED_EDITOR);
}

static void item_that_the_instruction_names_must_be_opened(void **state)
{
    (void)state;
    compare(MIRRORED, MIRROR, mirror_the_sailboat, mirror_the_sailboat,
            OUTCOME_SUCCESS);
    compare(MIRRORED, MIRROR, mirror_the_sailboat, mirror_the_windmill,
            OUTCOME_FAILURE);
}

#define READ "Open the latest mail"
#define READING GOLD("process", KEY_CLICK("Work"))
#define MAIL "title: Mail\ntext: The room is Aspen\n"

#define OTHERS                                                                 \
    "row: Home | Ada Novak | 100 KB | Your keys\n"                             \
    "row: Travel | Rosa Brandt | 130 KB | Your ticket\n"

static void open_first(const char *inbox)
{
    episode_tap(&maker, inbox, 1);
    episode_complete(&maker, MAIL);
}

static void open_by_folder(void)
{
    open_first("title: Inbox\nrow: Work | David Khan | 358 KB\n" OTHERS);
}

static void open_by_sender(void)
{
    open_first("title: Inbox\nrow: David Khan | 358 KB | A room\n" OTHERS);
}

static void open_an_older_one(void)
{
    open_first("title: Inbox\nrow: David Khan | 112 KB | A room\n" OTHERS);
}

static void item_may_be_named_by_another_of_its_texts(void **state)
{
    (void)state;
    compare(READ, READING, open_by_folder, open_by_sender, OUTCOME_SUCCESS);
    compare(READ, READING, open_by_folder, open_an_older_one, OUTCOME_FAILURE);
}

/* ---- forms ---- */

#define FILLED "New contact: Ada Novak, 555-0202"
#define FILL                                                                   \
    GOLD("process", KEY_TYPE("Ada Novak") "," CLICK("Phone") "," KEY_TYPE(     \
                        "555-0202") "," KEY_CLICK("Save"))
#define FORM "title: Contact\n*field: Name\nfield: Phone\nrow: Save\n"
#define CONTACTS "title: Contacts\ntext: 12 people\ntext: Ada Novak\n"

static void fill_the_name_first(void)
{
    episode_type(&maker, FORM, "Ada Novak");
    episode_tap(&maker, FORM, 2);
    episode_type(&maker, FORM, "555-0202");
    episode_tap(&maker, FORM, 3);
    episode_complete(&maker, CONTACTS);
}

static void fill_the_number_first(void)
{
    episode_tap(&maker, FORM, 2);
    episode_type(&maker, FORM, "555-0202");
    episode_type(&maker, FORM, "Ada Novak");
    episode_tap(&maker, FORM, 3);
    episode_complete(&maker, CONTACTS);
}

static void save_before_the_number(void)
{
    episode_type(&maker, FORM, "Ada Novak");
    episode_tap(&maker, FORM, 3);
    episode_type(&maker, FORM, "555-0202");
    episode_complete(&maker, CONTACTS);
}

static void fields_of_a_form_are_filled_in_any_order(void **state)
{
    (void)state;
    compare(FILLED, FILL, fill_the_name_first, fill_the_number_first,
            OUTCOME_SUCCESS);
    compare(FILLED, FILL, fill_the_name_first, save_before_the_number,
            OUTCOME_FAILURE);
}

#define GROUPED "Start a group named Film night"
#define GROUP                                                                  \
    GOLD("state", CLICK("New group") "," KEY_TYPE("Film night") "," KEY_CLICK( \
                      "Create"))
#define HOME_PAGE "title: Chats\nrow: Create a group\ntext: no chats yet\n"
#define GROUP_FORM "title: Group\n*field: Name\nrow: Create\n"
#define GROUP_DONE "title: Film night\ntext: Say hello\n"

static void create_the_group(void)
{
    episode_tap(&maker, HOME_PAGE, 1);
    episode_type(&maker, GROUP_FORM, "Film night");
    episode_tap(&maker, GROUP_FORM, 2);
    episode_complete(&maker, GROUP_DONE);
}

static void only_fill_the_form(void)
{
    episode_tap(&maker, HOME_PAGE, 1);
    episode_type(&maker, GROUP_FORM, "Film night");
    episode_complete(&maker, GROUP_DONE);
}

static void form_is_ended_after_it_was_filled(void **state)
{
    (void)state;
    compare(GROUPED, GROUP, create_the_group, create_the_group,
            OUTCOME_SUCCESS);
    compare(GROUPED, GROUP, create_the_group, only_fill_the_form,
            OUTCOME_FAILURE);
}

/* ---- editors ---- */

#define PAINTED "Set the strength to full and save the picture"
#define PAINT                                                                  \
    GOLD("state", KEY_CLICK("Strong") "," CLICK("Use") "," CLICK("Back"))
#define TOOL "title: Editor\nrow: Strong\nrow: Use\n"
#define UNCHANGED "title: Editor\nrow: Strong\nrow: Use\ntext: plain\n"
#define CHANGED "title: Editor\nrow: Undo\nrow: Strong\nrow: Use\nrow: Back\n"
#define TAKEN_BACK                                                             \
    "title: Editor\nrow: Redo\nrow: Strong\nrow: Use\nrow: Back\n"
#define PICTURES "title: Pictures\ntext: one picture\n"

static void paint(void)
{
    episode_tap(&maker, TOOL, 1);
    episode_tap(&maker, UNCHANGED, 2);
    episode_tap(&maker, CHANGED, 4);
    episode_complete(&maker, PICTURES);
}

static void paint_and_undo(void)
{
    episode_tap(&maker, TOOL, 1);
    episode_tap(&maker, UNCHANGED, 2);
    episode_tap(&maker, CHANGED, 1);
    episode_tap(&maker, TAKEN_BACK, 4);
    episode_complete(&maker, PICTURES);
}

static void paint_undo_and_redo(void)
{
    episode_tap(&maker, TOOL, 1);
    episode_tap(&maker, UNCHANGED, 2);
    episode_tap(&maker, CHANGED, 1);
    episode_tap(&maker, TAKEN_BACK, 1);
    episode_tap(&maker, CHANGED, 4);
    episode_complete(&maker, PICTURES);
}

static void edit_is_undone_by_the_button_that_applying_it_brings(void **state)
{
    (void)state;
    compare(PAINTED, PAINT, paint, paint_and_undo, OUTCOME_FAILURE);
    compare(PAINTED, PAINT, paint, paint_undo_and_redo, OUTCOME_SUCCESS);
}

/* ---- amounts ---- */

#define BOUGHT "Buy the Zenvo"
#define BUY GOLD("process", KEY_CLICK("Buy now"))
#define PIECES(number)                                                         \
    "title: Zenvo\nrow: Decrease quantity\ntext: " number                      \
    "\nrow: Increase quantity\nrow: Buy now\n"
#define BOUGHT_PAGE "title: Thank you\ntext: it is on its way\n"

static void buy_one(void)
{
    episode_tap(&maker, PIECES("1"), 4);
    episode_complete(&maker, BOUGHT_PAGE);
}

static void buy_two(void)
{
    episode_tap(&maker, PIECES("1"), 3);
    episode_tap(&maker, PIECES("2"), 4);
    episode_complete(&maker, BOUGHT_PAGE);
}

static void buy_one_after_all(void)
{
    episode_tap(&maker, PIECES("1"), 3);
    episode_tap(&maker, PIECES("2"), 1);
    episode_tap(&maker, PIECES("1"), 4);
    episode_complete(&maker, BOUGHT_PAGE);
}

static void number_of_pieces_stays_as_gold_left_it(void **state)
{
    (void)state;
    compare(BOUGHT, BUY, buy_one, buy_two, OUTCOME_FAILURE);
    compare(BOUGHT, BUY, buy_one, buy_one_after_all, OUTCOME_SUCCESS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_looked_up_may_be_put_into_other_words),
        cmocka_unit_test(same_act_on_another_item_fails),
        cmocka_unit_test(item_that_the_instruction_names_must_be_opened),
        cmocka_unit_test(item_may_be_named_by_another_of_its_texts),
        cmocka_unit_test(fields_of_a_form_are_filled_in_any_order),
        cmocka_unit_test(form_is_ended_after_it_was_filled),
        cmocka_unit_test(edit_is_undone_by_the_button_that_applying_it_brings),
        cmocka_unit_test(number_of_pieces_stays_as_gold_left_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
