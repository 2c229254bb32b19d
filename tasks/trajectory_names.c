#include "tasks/trajectory_private.h"

#include <string.h>

static const char *const actor_names[ACTOR_KINDS] = {
    [ACTOR_AGENT] = "agent",
    [ACTOR_HUMAN] = "human",
    [ACTOR_GOLD] = "gold",
    [ACTOR_SCRIPT] = "script",
};

static const char *const block_names[BLOCK_KINDS] = {
    [BLOCK_NONE] = "none",   [BLOCK_REPLY] = "reply", [BLOCK_SPACE] = "space",
    [BLOCK_GUARD] = "guard", [BLOCK_PHONE] = "phone",
};

static const char *const ending_names[ENDING_KINDS] = {
    [ENDING_NONE] = "none",     [ENDING_COMPLETE] = "complete",
    [ENDING_FAIL] = "fail",     [ENDING_ANSWER] = "answer",
    [ENDING_BUDGET] = "budget", [ENDING_REPEATED] = "repeated",
    [ENDING_VOID] = "void",
};

const char *trajectory_actor_name(enum trajectory_actor actor)
{
    return actor_names[actor];
}

const char *trajectory_block_name(enum trajectory_block block)
{
    return block_names[block];
}

const char *trajectory_ending_name(enum trajectory_ending ending)
{
    return ending_names[ending];
}

bool trajectory_actor_find(const char *name, enum trajectory_actor *actor)
{
    for (int i = 0; i < ACTOR_KINDS; i++) {
        if (!strcmp(actor_names[i], name)) {
            *actor = (enum trajectory_actor)i;
            return true;
        }
    }
    return false;
}

bool trajectory_block_find(const char *name, enum trajectory_block *block)
{
    for (int i = 0; i < BLOCK_KINDS; i++) {
        if (!strcmp(block_names[i], name)) {
            *block = (enum trajectory_block)i;
            return true;
        }
    }
    return false;
}

bool trajectory_ending_find(const char *name, enum trajectory_ending *ending)
{
    for (int i = 0; i < ENDING_KINDS; i++) {
        if (!strcmp(ending_names[i], name)) {
            *ending = (enum trajectory_ending)i;
            return true;
        }
    }
    return false;
}
