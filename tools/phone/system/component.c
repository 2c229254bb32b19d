#include "tools/phone/system/component.h"

#include <stdio.h>
#include <string.h>

struct phone_component component_of(const char *package, const char *class)
{
    struct phone_component component;

    snprintf(component.package, sizeof(component.package), "%s", package);
    snprintf(component.class, sizeof(component.class), "%s%s",
             class[0] == '.' ? component.package : "", class);
    return component;
}

bool component_parse(const char *text, struct phone_component *component)
{
    const char *slash = strchr(text, '/');
    size_t length = slash ? (size_t)(slash - text) : 0;
    char package[COMPONENT_PACKAGE_SIZE];

    if (!length || !slash[1] || length >= sizeof(package) ||
        length + strlen(slash) >= COMPONENT_CLASS_SIZE)
        return false;
    memcpy(package, text, length);
    package[length] = '\0';
    *component = component_of(package, slash + 1);
    return true;
}

const char *component_short(const struct phone_component *component,
                            char text[static COMPONENT_TEXT_SIZE])
{
    size_t length = strlen(component->package);
    bool inside = !strncmp(component->class, component->package, length) &&
                  component->class[length] == '.';

    snprintf(text, COMPONENT_TEXT_SIZE, "%s/%s", component->package,
             component->class + (inside ? length : 0));
    return text;
}

const char *component_long(const struct phone_component *component,
                           char text[static COMPONENT_TEXT_SIZE])
{
    snprintf(text, COMPONENT_TEXT_SIZE, "%s/%s", component->package,
             component->class);
    return text;
}
