/*
 * Screens of episodes that never happened: copies of recorded screens on which
 * the effect of a step is missing, or happened to another element. They are
 * guesses from the recorded trees; nothing is carried out.
 */
#ifndef JUDGE_GOLD_TWIN_SCREEN_H
#define JUDGE_GOLD_TWIN_SCREEN_H

#include "process_provider/tree/tree.h"
#include "tasks/json/text_list.h"

/*
 * A copy whose nodes can be changed; its texts stay those of tree, which must
 * outlive it. The caller releases and frees it.
 */
struct tree *twin_screen_copy(const struct tree *tree);

/*
 * Take the difference between both screens back on a later screen: states and
 * texts become what they were, new texts vanish. What vanished does not come
 * back.
 */
void twin_screen_revert(struct tree *screen, const struct tree *before,
                        const struct tree *after);

/*
 * What a later step makes of a text that the step between both screens had
 * changed, such as a sum, is not known: such texts stay as they were before.
 */
void twin_screen_stall(struct tree *screen, const struct tree *before,
                       const struct tree *after);

/*
 * Exchange two elements of tree on a later screen: each text of one becomes
 * that of the other, and so their states are exchanged as well.
 */
void twin_screen_exchange(struct tree *screen, const struct tree *tree,
                          uint32_t one, uint32_t other);

/* Replace a whole text by another, which must outlive the screen. */
void twin_screen_replace(struct tree *screen, const char *text,
                         const char *other);

/*
 * Append another text of the same form to other, which is empty: each digit is
 * another one; a text without digits is reversed.
 */
void twin_screen_other_text(const char *text, struct buf *other);

/*
 * Change the numbers of texts that none of the known screens shows: another
 * page has other numbers. texts owns the new ones, and must outlive screen.
 */
void twin_screen_renumber(struct tree *screen, const struct tree *const *known,
                          size_t count, struct text_list *texts);

/*
 * Another element that could have been touched instead: of the same kind, with
 * another name, the nearest one in the same list or group. TREE_NONE: there is
 * none.
 */
uint32_t twin_screen_other(const struct tree *tree, uint32_t node);

#endif
