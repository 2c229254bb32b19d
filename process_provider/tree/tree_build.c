#include <string.h>

#include "base/macros.h"
#include "base/mem.h"
#include "process_provider/tree/tree_attribute.h"
#include "process_provider/tree/tree_private.h"

#define WINDOWS_MAX 256
#define ATTRIBUTES_KNOWN 32

/* A dump on its way into a tree. */
struct builder {
    struct tree *tree;
    struct tree_store *store;
    uint32_t parent; /* the innermost open node */
    uint32_t window;
    size_t depth;
    bool is_node[TREE_DEPTH_MAX]; /* of each open element */
    bool has_orders;              /* some node has an order of drawing */
    /* The last value of each: the next node often has the same. */
    struct tree_value last[TREE_TEXTS];
    /* Its class, and the role of that class. */
    const char *last_class;
    enum role last_role;
    /* Nodes have the same attributes in the same order, most of the time. */
    struct {
        const void *name; /* libxml2's, which is the same for the same name */
        const struct tree_attribute *attribute;
    } known[ATTRIBUTES_KNOWN];
    bool failed;
    struct err err;
};

static void fail(struct builder *builder, enum err_code code, const char *why)
{
    if (!builder->failed)
        (void)err_set(&builder->err, code, "%s", why);
    builder->failed = true;
    xmlStopParser(builder->store->parser);
}

/* Attributes. */

static const char *share_value(struct builder *builder, enum tree_text kind,
                               struct tree_value value)
{
    struct tree_value *last = &builder->last[kind];

    if (last->length != value.length ||
        memcmp(last->text, value.text, value.length) != 0) {
        last->text =
            tree_texts_share(&builder->store->texts, value.text, value.length);
        last->length = value.length;
    }
    return last->text;
}

/* Find an attribute by its place in the tag, where it mostly was before. */
static const struct tree_attribute *know_attribute(struct builder *builder,
                                                   int place, const void *name)
{
    if (place >= ATTRIBUTES_KNOWN)
        return tree_attribute_find(name);
    if (builder->known[place].name != name) {
        builder->known[place].name = name;
        builder->known[place].attribute = tree_attribute_find(name);
    }
    return builder->known[place].attribute;
}

static const char **text_of(struct tree_node *node, uint32_t which)
{
    switch ((enum tree_text)which) {
    case TEXT_TEXT:
        return &node->text;
    case TEXT_DESCRIPTION:
        return &node->description;
    case TEXT_ID:
        return &node->id;
    case TEXT_CLASS:
        return &node->class_name;
    case TEXT_PACKAGE:
        return &node->package;
    case TEXT_HINT:
    case TREE_TEXTS:
        break;
    }
    return &node->hint;
}

static void set_attribute(struct builder *builder, struct tree_node *node,
                          const struct tree_attribute *attribute,
                          struct tree_value value)
{
    switch (attribute->kind) {
    case ATTRIBUTE_TEXT:
        if (value.length)
            *text_of(node, attribute->which) =
                share_value(builder, (enum tree_text)attribute->which, value);
        break;
    case ATTRIBUTE_FLAG:
        if (value.length == 4)
            node->flags |= (uint16_t)attribute->which;
        break;
    case ATTRIBUTE_NOT_FLAG:
        if (value.length == 5)
            node->flags |= (uint16_t)attribute->which;
        break;
    case ATTRIBUTE_BOUNDS:
        node->bounds = tree_value_bounds(value);
        break;
    case ATTRIBUTE_ORDER:
        node->order = tree_value_int(value, 0);
        break;
    }
}

/* Elements. */

static void add_window(struct builder *builder, struct tree_window window)
{
    struct tree *tree = builder->tree;
    struct tree_store *store = builder->store;

    if (tree->window_count == WINDOWS_MAX) {
        fail(builder, ERR_LIMIT, "there are too many windows");
        return;
    }
    if (tree->window_count == store->window_capacity) {
        store->window_capacity = store->window_capacity * 2 + 8;
        tree->windows = mem_resize(tree->windows, store->window_capacity,
                                   sizeof(*tree->windows));
    }
    builder->window = tree->window_count;
    tree->windows[tree->window_count++] = window;
}

/* The attributes as libxml2 has them: name, prefix, URI, value, its end. */
#define SAX_FIELDS 5

static struct tree_value sax_value(const xmlChar **fields)
{
    return (struct tree_value){(const char *)fields[3],
                               (size_t)(fields[4] - fields[3])};
}

static void start_window(struct builder *builder, const xmlChar **fields,
                         int count)
{
    struct tree_window window = {.title = ""};

    for (int i = 0; i < count; i++, fields += SAX_FIELDS) {
        struct tree_value value = sax_value(fields);

        if (!strcmp((const char *)fields[0], "title"))
            window.title = tree_texts_share(&builder->store->texts, value.text,
                                            value.length);
        else if (!strcmp((const char *)fields[0], "layer"))
            window.layer = tree_value_int(value, 0);
    }
    add_window(builder, window);
}

static void start_hierarchy(struct builder *builder, const xmlChar **fields,
                            int count)
{
    for (int i = 0; i < count; i++, fields += SAX_FIELDS) {
        if (!strcmp((const char *)fields[0], "rotation"))
            builder->tree->rotation = tree_value_int(sax_value(fields), -1);
    }
}

static struct tree_node *new_node(struct builder *builder)
{
    struct tree *tree = builder->tree;
    struct tree_store *store = builder->store;

    if (tree->count == TREE_NODES_MAX) {
        fail(builder, ERR_LIMIT, "there are too many nodes");
        return NULL;
    }
    if (tree->count == store->node_capacity) {
        store->node_capacity = store->node_capacity * 2 + 256;
        tree->nodes =
            mem_resize(tree->nodes, store->node_capacity, sizeof(*tree->nodes));
    }
    return &tree->nodes[tree->count];
}

/* Whatever can be checked is something to choose. */
static void set_role(struct builder *builder, struct tree_node *node)
{
    if (builder->last_class != node->class_name) {
        builder->last_class = node->class_name;
        builder->last_role = role_of_class(node->class_name);
    }
    node->role = builder->last_role;
    /* Stars that only show a rating cannot have the focus. */
    if (node->role == ROLE_SLIDER &&
        !(node->flags & (NODE_CLICKABLE | NODE_FOCUSABLE)))
        node->role = ROLE_NONE;
    node->takes_taps = node->flags & (NODE_CLICKABLE | NODE_CHECKABLE) ||
                       role_is_control(node->role);
    if (node->flags & NODE_CHECKABLE &&
        (node->role == ROLE_NONE || node->role == ROLE_TEXT ||
         node->role == ROLE_IMAGE))
        node->role = ROLE_OPTION;
}

/* Elements without class and bounds are not on the screen. */
static bool start_node(struct builder *builder, const char *name,
                       const xmlChar **fields, int count)
{
    struct tree_node *node = new_node(builder);
    bool is_node = !strcmp(name, "node");

    if (!node)
        return false;
    *node = (struct tree_node){.text = "",
                               .description = "",
                               .id = "",
                               .class_name = "",
                               .package = "",
                               .hint = "",
                               .parent = builder->parent,
                               .window = builder->window};
    for (int i = 0; i < count; i++, fields += SAX_FIELDS) {
        const struct tree_attribute *attribute =
            know_attribute(builder, i, fields[0]);

        if (!attribute)
            continue;
        set_attribute(builder, node, attribute, sax_value(fields));
        is_node = is_node || attribute->kind == ATTRIBUTE_BOUNDS ||
                  (attribute->kind == ATTRIBUTE_TEXT &&
                   attribute->which == TEXT_CLASS);
    }
    if (!is_node)
        return false;
    set_role(builder, node);
    builder->has_orders = builder->has_orders || node->order;
    builder->parent = builder->tree->count++;
    return true;
}

static void start_element(void *context, const xmlChar *name,
                          const xmlChar *prefix, const xmlChar *uri,
                          int namespace_count, const xmlChar **namespaces,
                          int count, int defaulted, const xmlChar **fields)
{
    struct builder *builder = context;
    const char *tag = (const char *)name;
    bool is_node = false;

    (void)prefix;
    (void)uri;
    (void)namespace_count;
    (void)namespaces;
    (void)defaulted;
    if (builder->failed)
        return;
    if (builder->depth == TREE_DEPTH_MAX) {
        fail(builder, ERR_LIMIT, "too many elements inside of each other");
        return;
    }
    if (!strcmp(tag, "window"))
        start_window(builder, fields, count);
    else if (!strcmp(tag, "hierarchy"))
        start_hierarchy(builder, fields, count);
    else
        is_node = start_node(builder, tag, fields, count);
    builder->is_node[builder->depth++] = is_node;
}

static void end_element(void *context, const xmlChar *name,
                        const xmlChar *prefix, const xmlChar *uri)
{
    struct builder *builder = context;

    (void)prefix;
    (void)uri;
    if (builder->failed)
        return;
    if (builder->is_node[--builder->depth]) {
        struct tree_node *node = &builder->tree->nodes[builder->parent];

        node->end = builder->tree->count;
        builder->parent = node->parent;
    } else if (!strcmp((const char *)name, "window")) {
        builder->window = 0;
    }
}

static void refuse_doctype(void *context, const xmlChar *name,
                           const xmlChar *id, const xmlChar *system)
{
    (void)name;
    (void)id;
    (void)system;
    fail(context, ERR_INVALID, "it has a DOCTYPE, which no UI dump has");
}

/* libxml2 must not print messages to standard error. */
static void be_quiet(void *context, xmlErrorPtr error)
{
    (void)context;
    (void)error;
}

static const xmlSAXHandler callbacks = {
    .initialized = XML_SAX2_MAGIC,
    .startElementNs = start_element,
    .endElementNs = end_element,
    .internalSubset = refuse_doctype,
    .serror = be_quiet,
};

bool tree_build(struct tree *tree, const char *xml, size_t length, bool *sound,
                struct err *err)
{
    struct builder builder = {
        .tree = tree,
        .store = tree->store,
        .parent = TREE_NONE,
    };
    xmlParserCtxtPtr parser = tree->store->parser;
    xmlSAXHandlerPtr original = parser->sax;
    xmlSAXHandler handler = callbacks;

    tree_empty(tree, length);
    add_window(&builder, (struct tree_window){.title = ""});
    parser->sax = &handler;
    parser->userData = &builder;
    (void)xmlCtxtReadMemory(parser, xml, (int)length, NULL, NULL,
                            XML_PARSE_NONET | XML_PARSE_HUGE | XML_PARSE_NOENT |
                                XML_PARSE_IGNORE_ENC);
    parser->sax = original;
    *sound = parser->wellFormed && !builder.failed;
    tree->store->is_ordered = builder.has_orders;
    if (builder.failed)
        *err = builder.err;
    return !builder.failed;
}
