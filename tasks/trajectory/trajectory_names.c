#include "tasks/trajectory/trajectory_private.h"

#include "base/name_table.h"

static const char *const actor_names[ACTOR_KINDS] = {
    [ACTOR_AGENT] = "agent",
    [ACTOR_HUMAN] = "human",
    [ACTOR_GOLD] = "gold",
    [ACTOR_SCRIPT] = "script",
};

static const char *const block_names[BLOCK_KINDS] = {
    [BLOCK_NONE] = "none",   [BLOCK_REPLY] = "reply", [BLOCK_SPACE] = "space",
    [BLOCK_GUARD] = "guard", [BLOCK_PHONE] = "phone", [BLOCK_PERSON] = "person",
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
    size_t found = name_table_find(actor_names, ACTOR_KINDS, name);

    if (found < ACTOR_KINDS)
        *actor = (enum trajectory_actor)found;
    return found < ACTOR_KINDS;
}

bool trajectory_block_find(const char *name, enum trajectory_block *block)
{
    size_t found = name_table_find(block_names, BLOCK_KINDS, name);

    if (found < BLOCK_KINDS)
        *block = (enum trajectory_block)found;
    return found < BLOCK_KINDS;
}

bool trajectory_ending_find(const char *name, enum trajectory_ending *ending)
{
    size_t found = name_table_find(ending_names, ENDING_KINDS, name);

    if (found < ENDING_KINDS)
        *ending = (enum trajectory_ending)found;
    return found < ENDING_KINDS;
}
