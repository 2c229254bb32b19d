/*
 * Which key steps of one recording may come in another order.
 *
 * Neighbouring key steps are free where both only choose something (a state, an
 * option, an order of a list, a text in a field) and the later one could have
 * been done first: its way starts on the page that the earlier one started on
 * and came back to, and what it starts with is there. Steps that act on what
 * was chosen, such as adding to a cart, keep their order.
 */
#ifndef JUDGE_GOLD_FREE_ORDER_H
#define JUDGE_GOLD_FREE_ORDER_H

#include "judge/evidence/episode_evidence.h"
#include "judge/gold/key_steps.h"

/*
 * Set the group of each key step: equal numbers from 1 may come in any order, 0
 * keeps its place. groups has room for all of them.
 */
void free_order_find(const struct episode_evidence *recording,
                     const struct key_steps *key_steps, int *groups);

/* Put key steps that are free into one layer with those of their group. */
void free_order_merge(const struct episode_evidence *gold,
                      struct key_steps *key_steps);

/*
 * Set these groups in the gold steps of the recording's task, whose key steps
 * are the only ones. Fails as key_steps_find.
 */
MUST_USE bool free_order_apply(struct episode_evidence *recording,
                               struct err *err);

#endif
