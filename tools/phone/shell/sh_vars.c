#include "tools/phone/shell/sh_vars.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Bytes that a variable counts for in addition to its text. */
#define VAR_COST sizeof(struct sh_var)

static size_t cost(const char *name, const char *value)
{
    return VAR_COST + strlen(name) + strlen(value) + 2;
}

static void var_release(struct sh_var *var)
{
    free(var->name);
    free(var->value);
}

void sh_vars_release(struct sh_vars *vars)
{
    for (size_t i = 0; i < vars->count; i++)
        var_release(&vars->vars[i]);
    free(vars->vars);
    memory_account_return(vars->memory_account, vars->bytes);
    *vars = (struct sh_vars)SH_VARS_INIT(vars->memory_account);
}

bool sh_vars_copy(struct sh_vars *to, const struct sh_vars *from)
{
    if (!memory_account_take(to->memory_account, from->bytes))
        return false;
    to->bytes = from->bytes;
    to->count = from->count;
    to->vars = mem_new(from->count + 1, sizeof(*to->vars));
    for (size_t i = 0; i < from->count; i++) {
        to->vars[i] = (struct sh_var){
            .name = mem_dup(from->vars[i].name),
            .value = mem_dup(from->vars[i].value),
            .exported = from->vars[i].exported,
        };
    }
    return true;
}

/* The index of name, or the one to insert it at. */
static size_t place(const struct sh_vars *vars, const char *name, bool *found)
{
    size_t low = 0;
    size_t high = vars->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(vars->vars[middle].name, name);

        if (order == 0) {
            *found = true;
            return middle;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *found = false;
    return low;
}

const char *sh_vars_get(const struct sh_vars *vars, const char *name)
{
    bool found;
    size_t at = place(vars, name, &found);

    return found ? vars->vars[at].value : NULL;
}

static void insert(struct sh_vars *vars, size_t at, const char *name,
                   const char *value)
{
    size_t behind = vars->count - at;

    vars->vars = mem_resize(vars->vars, vars->count + 1, sizeof(*vars->vars));
    memmove(vars->vars + at + 1, vars->vars + at, behind * sizeof(*vars->vars));
    vars->vars[at] =
        (struct sh_var){.name = mem_dup(name), .value = mem_dup(value)};
    vars->count++;
}

bool sh_vars_set(struct sh_vars *vars, const char *name, const char *value)
{
    bool found;
    size_t at = place(vars, name, &found);
    size_t freed = found ? cost(name, vars->vars[at].value) : 0;
    size_t needed = cost(name, value);
    char *copy;

    if (vars->bytes - freed + needed > SH_VARS_BYTES_MAX ||
        !memory_account_take(vars->memory_account, needed))
        return false;
    memory_account_return(vars->memory_account, freed);
    vars->bytes += needed - freed;
    if (!found) {
        insert(vars, at, name, value);
        return true;
    }
    copy = mem_dup(value); /* value may be the old value */
    free(vars->vars[at].value);
    vars->vars[at].value = copy;
    return true;
}

void sh_vars_unset(struct sh_vars *vars, const char *name)
{
    bool found;
    size_t at = place(vars, name, &found);
    size_t freed;

    if (!found)
        return;
    freed = cost(name, vars->vars[at].value);
    vars->bytes -= freed;
    memory_account_return(vars->memory_account, freed);
    var_release(&vars->vars[at]);
    vars->count--;
    memmove(vars->vars + at, vars->vars + at + 1,
            (vars->count - at) * sizeof(*vars->vars));
}

void sh_vars_export(struct sh_vars *vars, const char *name)
{
    bool found;
    size_t at = place(vars, name, &found);

    if (found)
        vars->vars[at].exported = true;
}

bool sh_vars_is_exported(const struct sh_vars *vars, const char *name)
{
    bool found;
    size_t at = place(vars, name, &found);

    return found && vars->vars[at].exported;
}
