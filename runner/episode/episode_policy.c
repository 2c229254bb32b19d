#include "runner/episode/episode_policy.h"

#define EQUAL_ACTIONS 5 /* ProBench, "early stop" */
#define PROBENCH_STEPS 15

/* ProBench's action space: AITW's without HOME, and WAIT. */
#define PROBENCH_ACTIONS                                                       \
    (UINT32_C(1) << ACTION_CLICK | UINT32_C(1) << ACTION_SWIPE |               \
     UINT32_C(1) << ACTION_TYPE | UINT32_C(1) << ACTION_ENTER |                \
     UINT32_C(1) << ACTION_BACK | UINT32_C(1) << ACTION_WAIT |                 \
     UINT32_C(1) << ACTION_COMPLETE)

static const struct episode_policy presets[POLICY_PRESETS] = {
    [POLICY_DEFAULT] =
        {
            .equal_actions = EQUAL_ACTIONS,
            .equal_percent = 1,
            .ask_again = true,
        },
    [POLICY_PROBENCH] =
        {
            .actions = PROBENCH_ACTIONS,
            .steps = PROBENCH_STEPS,
            .equal_actions = EQUAL_ACTIONS,
            .equal_on_any_screen = true,
            .tree_first = true,
        },
};

static const char *const preset_names[POLICY_PRESETS] = {
    [POLICY_DEFAULT] = "default",
    [POLICY_PROBENCH] = "probench",
};

const char *policy_preset_name(enum policy_preset preset)
{
    return preset_names[preset];
}

void policy_init(struct episode_policy *policy, enum policy_preset preset)
{
    *policy = presets[preset];
}
