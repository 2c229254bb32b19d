#include "tasks/json/text_rule.h"

#include <string.h>

bool text_rule_check(const struct text_rule *rule, const char *text,
                     struct err *err)
{
    if (!*text)
        return err_set(err, ERR_INVALID, "is empty");
    if (strlen(text) > rule->max)
        return err_set(err, ERR_INVALID, "longer than %zu bytes", rule->max);
    return !rule->check || rule->check(text, err);
}
