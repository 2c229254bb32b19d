#include "runner/record/keyboard_top.h"

#include "process_provider/describe/unnamed_target.h"

int keyboard_top(const struct tree *tree, int reported)
{
    if (reported > 0)
        return reported;
    return tree ? unnamed_target_keyboard_top(tree) : 0;
}
