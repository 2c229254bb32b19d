/*
 * A prompt with placeholders:
 *
 *     {goal}     the instruction of the task
 *     {process}  the descriptions of all steps
 *     {answer}   the agent's answer
 *
 * Everything else is sent verbatim. <goal> and <process>, as in the paper, are
 * placeholders as well.
 */
#ifndef JUDGE_MODEL_PROMPT_TEXT_H
#define JUDGE_MODEL_PROMPT_TEXT_H

#include "base/buf.h"
#include "judge/evidence/episode_evidence.h"

/* Fill in text for an episode, and append it. Values are quoted. */
void prompt_text_fill(const char *text, const struct episode_evidence *evidence,
                      struct buf *out);

#endif
