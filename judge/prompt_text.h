/*
 * What a model is asked: a text with places to be filled in.
 *
 *     {goal}     what the agent was asked to do
 *     {process}  what each step did, in words
 *     {answer}   what the agent answered
 *
 * Everything else is sent word for word. <goal> and <process>, as the paper
 * has them, stand for the same.
 */
#ifndef JUDGE_PROMPT_TEXT_H
#define JUDGE_PROMPT_TEXT_H

#include "base/buf.h"
#include "judge/dossier.h"

/* Fill text in for an episode, and append it. What is filled in is quoted. */
void prompt_text_fill(const char *text, const struct dossier *dossier,
                      struct buf *out);

#endif
