#include "process_provider/tree.h"

#include <libxml/parser.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "process_provider/painting.h"

#define WINDOWS_MAX 256
#define ATTRIBUTES_KNOWN 32

/* What a tree keeps from one dump to the next. */
struct tree_store {
    xmlParserCtxtPtr parser; /* owned */
    char *texts;             /* owned; every text of the tree, NUL-ended */
    size_t used;
    size_t capacity;
    const char **slots; /* owned; texts by their hash */
    size_t slot_count;  /* a power of two */
    size_t filled;
    struct buf repaired;
    uint32_t node_capacity;
    uint32_t painted_capacity;
    uint32_t window_capacity;
    bool is_ordered; /* nodes are painted in another order than they stand */
};

/* Attributes whose values are kept as they are. */
enum attribute_text {
    TEXT_TEXT,
    TEXT_DESCRIPTION,
    TEXT_ID,
    TEXT_CLASS,
    TEXT_PACKAGE,
    TEXT_HINT,
    ATTRIBUTE_TEXTS,
};

struct attribute;

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
    struct {
        const char *text;
        size_t length;
    } last[ATTRIBUTE_TEXTS];
    /* Its class, and what that means. */
    const char *last_class;
    enum role last_role;
    /* Nodes have the same attributes in the same order, most of the time. */
    struct {
        const void *name; /* libxml2's, which is the same for the same name */
        const struct attribute *attribute;
    } known[ATTRIBUTES_KNOWN];
    bool failed;
    struct err err;
};

void tree_release(struct tree *tree)
{
    struct tree_store *store = tree->store;

    if (store) {
        xmlFreeParserCtxt(store->parser);
        buf_release(&store->repaired);
        free(store->texts);
        free((void *)store->slots);
        free(store);
    }
    free(tree->nodes);
    free(tree->windows);
    free(tree->painted);
    free(tree->areas);
    *tree = (struct tree)TREE_INIT;
}

static void fail(struct builder *builder, enum err_code code, const char *why)
{
    if (!builder->failed)
        (void)err_set(&builder->err, code, "%s", why);
    builder->failed = true;
    xmlStopParser(builder->store->parser);
}

/* Texts. */

static size_t hash_text(const char *text, size_t length)
{
    uint64_t hash = length * UINT64_C(0x9e3779b97f4a7c15);
    uint64_t word;

    for (; length >= sizeof(word);
         text += sizeof(word), length -= sizeof(word)) {
        memcpy(&word, text, sizeof(word));
        hash = (hash ^ word) * UINT64_C(0xff51afd7ed558ccd);
        hash ^= hash >> 32;
    }
    word = 0;
    memcpy(&word, text, length);
    hash = (hash ^ word) * UINT64_C(0xff51afd7ed558ccd);
    return (size_t)(hash ^ hash >> 32);
}

static bool text_is(const char *text, const char *other, size_t length)
{
    return !strncmp(text, other, length) && !text[length];
}

static void grow_slots(struct tree_store *store)
{
    const char **old = store->slots;
    size_t old_count = store->slot_count;

    store->slot_count = old_count * 2;
    store->slots = mem_new(store->slot_count, sizeof(*store->slots));
    for (size_t i = 0; i < old_count; i++) {
        size_t at;

        if (!old[i])
            continue;
        at = hash_text(old[i], strlen(old[i])) & (store->slot_count - 1);
        while (store->slots[at])
            at = (at + 1) & (store->slot_count - 1);
        store->slots[at] = old[i];
    }
    free((void *)old);
}

/*
 * The tree's own copy of a text. Each stood between quotes in the dump, so
 * that there is room for all of them with their NULs.
 */
static const char *share_text(struct tree_store *store, const char *text,
                              size_t length)
{
    size_t at;
    char *copy;

    if (!length)
        return "";
    if (store->filled * 2 >= store->slot_count)
        grow_slots(store);
    at = hash_text(text, length) & (store->slot_count - 1);
    for (; store->slots[at]; at = (at + 1) & (store->slot_count - 1)) {
        if (text_is(store->slots[at], text, length))
            return store->slots[at];
    }
    copy = store->texts + store->used;
    memcpy(copy, text, length);
    copy[length] = '\0';
    store->used += length + 1;
    store->slots[at] = copy;
    store->filled++;
    return copy;
}

static const char *share_value(struct builder *builder,
                               enum attribute_text kind, const char *text,
                               size_t length)
{
    if (builder->last[kind].length != length ||
        memcmp(builder->last[kind].text, text, length) != 0) {
        builder->last[kind].text = share_text(builder->store, text, length);
        builder->last[kind].length = length;
    }
    return builder->last[kind].text;
}

/* Attributes. */

struct value {
    const char *text;
    size_t length;
};

/* A number at *text, which is moved behind it. Large ones are cut. */
static bool read_int(const char **text, const char *end, int32_t *number)
{
    const char *at = *text;
    bool negative = at < end && *at == '-';
    int32_t value = 0;

    at += negative;
    if (at == end || *at < '0' || *at > '9')
        return false;
    for (; at < end && *at >= '0' && *at <= '9'; at++) {
        if (value < 100000000)
            value = value * 10 + (*at - '0');
    }
    *number = negative ? -value : value;
    *text = at;
    return true;
}

static bool read_byte(const char **text, const char *end, char byte)
{
    if (*text == end || **text != byte)
        return false;
    ++*text;
    return true;
}

/* "[0,72][1080,1920]"; anything else is no area. */
static struct tree_rect read_bounds(struct value value)
{
    const char *at = value.text;
    const char *end = at + value.length;
    struct tree_rect rect;

    if (read_byte(&at, end, '[') && read_int(&at, end, &rect.left) &&
        read_byte(&at, end, ',') && read_int(&at, end, &rect.top) &&
        read_byte(&at, end, ']') && read_byte(&at, end, '[') &&
        read_int(&at, end, &rect.right) && read_byte(&at, end, ',') &&
        read_int(&at, end, &rect.bottom) && read_byte(&at, end, ']'))
        return rect;
    return (struct tree_rect){0, 0, 0, 0};
}

static int32_t value_int(struct value value, int32_t otherwise)
{
    const char *at = value.text;
    int32_t number;

    return read_int(&at, value.text + value.length, &number) ? number
                                                             : otherwise;
}

enum attribute_kind {
    ATTRIBUTE_TEXT,
    ATTRIBUTE_FLAG,     /* set by "true" */
    ATTRIBUTE_NOT_FLAG, /* set by "false" */
    ATTRIBUTE_BOUNDS,
    ATTRIBUTE_ORDER,
};

struct attribute {
    const char *name;
    enum attribute_kind kind;
    uint32_t which; /* enum attribute_text or enum tree_flag */
};

/* By length, as most names differ in it. */
static const struct attribute attributes[] = {
    {"id", ATTRIBUTE_TEXT, TEXT_ID},
    {"text", ATTRIBUTE_TEXT, TEXT_TEXT},
    {"hint", ATTRIBUTE_TEXT, TEXT_HINT},
    {"class", ATTRIBUTE_TEXT, TEXT_CLASS},
    {"bounds", ATTRIBUTE_BOUNDS, 0},
    {"enabled", ATTRIBUTE_NOT_FLAG, NODE_DISABLED},
    {"focused", ATTRIBUTE_FLAG, NODE_FOCUSED},
    {"checked", ATTRIBUTE_FLAG, NODE_CHECKED},
    {"package", ATTRIBUTE_TEXT, TEXT_PACKAGE},
    {"password", ATTRIBUTE_FLAG, NODE_PASSWORD},
    {"selected", ATTRIBUTE_FLAG, NODE_SELECTED},
    {"checkable", ATTRIBUTE_FLAG, NODE_CHECKABLE},
    {"clickable", ATTRIBUTE_FLAG, NODE_CLICKABLE},
    {"focusable", ATTRIBUTE_FLAG, NODE_FOCUSABLE},
    {"displayed", ATTRIBUTE_NOT_FLAG, NODE_INVISIBLE},
    {"scrollable", ATTRIBUTE_FLAG, NODE_SCROLLABLE},
    {"description", ATTRIBUTE_TEXT, TEXT_DESCRIPTION},
    {"resource-id", ATTRIBUTE_TEXT, TEXT_ID},
    {"content-desc", ATTRIBUTE_TEXT, TEXT_DESCRIPTION},
    {"drawing-order", ATTRIBUTE_ORDER, 0},
    {"long-clickable", ATTRIBUTE_FLAG, NODE_LONG_CLICKABLE},
    {"visible-to-user", ATTRIBUTE_NOT_FLAG, NODE_INVISIBLE},
};

#define NAME_LENGTH_MAX 15

/* Where names of each length begin in the table. */
static const uint8_t first_of_length[NAME_LENGTH_MAX + 2] = {
    0, 0, 0, 1, 1, 3, 4, 5, 9, 11, 15, 16, 18, 19, 20, 21, 22,
};

static const struct attribute *find_attribute(const char *name)
{
    size_t length = strlen(name);

    if (length > NAME_LENGTH_MAX)
        return NULL;
    for (size_t i = first_of_length[length]; i < first_of_length[length + 1];
         i++) {
        if (!memcmp(attributes[i].name, name, length))
            return &attributes[i];
    }
    return NULL;
}

/* The same for the place in the tag, where it mostly was before. */
static const struct attribute *know_attribute(struct builder *builder,
                                              int place, const void *name)
{
    if (place >= ATTRIBUTES_KNOWN)
        return find_attribute(name);
    if (builder->known[place].name != name) {
        builder->known[place].name = name;
        builder->known[place].attribute = find_attribute(name);
    }
    return builder->known[place].attribute;
}

static const char **text_of(struct tree_node *node, uint32_t which)
{
    switch ((enum attribute_text)which) {
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
    case ATTRIBUTE_TEXTS:
        break;
    }
    return &node->hint;
}

static void set_attribute(struct builder *builder, struct tree_node *node,
                          const struct attribute *attribute, struct value value)
{
    switch (attribute->kind) {
    case ATTRIBUTE_TEXT:
        if (value.length)
            *text_of(node, attribute->which) =
                share_value(builder, (enum attribute_text)attribute->which,
                            value.text, value.length);
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
        node->bounds = read_bounds(value);
        break;
    case ATTRIBUTE_ORDER:
        node->order = value_int(value, 0);
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

static struct value sax_value(const xmlChar **fields)
{
    return (struct value){(const char *)fields[3],
                          (size_t)(fields[4] - fields[3])};
}

static void start_window(struct builder *builder, const xmlChar **fields,
                         int count)
{
    struct tree_window window = {.title = ""};

    for (int i = 0; i < count; i++, fields += SAX_FIELDS) {
        struct value value = sax_value(fields);

        if (!strcmp((const char *)fields[0], "title"))
            window.title = share_text(builder->store, value.text, value.length);
        else if (!strcmp((const char *)fields[0], "layer"))
            window.layer = value_int(value, 0);
    }
    add_window(builder, window);
}

static void start_hierarchy(struct builder *builder, const xmlChar **fields,
                            int count)
{
    for (int i = 0; i < count; i++, fields += SAX_FIELDS) {
        if (!strcmp((const char *)fields[0], "rotation"))
            builder->tree->rotation = value_int(sax_value(fields), -1);
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

/* Elements without a class and bounds are none of the screen's. */
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
        const struct attribute *attribute =
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

/* Nobody wants libxml2's messages on standard error. */
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

/* libxml2 cannot begin on two threads at once. */
static void begin_parsing(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, xmlInitParser);
}

static struct tree_store *new_store(void)
{
    struct tree_store *store = mem_new(1, sizeof(*store));

    begin_parsing();
    store->parser = xmlNewParserCtxt();
    if (!store->parser)
        mem_out();
    store->slot_count = 1024;
    store->slots = mem_new(store->slot_count, sizeof(*store->slots));
    store->repaired = (struct buf)BUF_INIT(4 * TREE_SIZE_MAX);
    return store;
}

/* Forget the last dump, and have room for the texts of the next. */
static void empty_tree(struct tree *tree, size_t length)
{
    struct tree_store *store = tree->store;

    tree->count = 0;
    tree->window_count = 0;
    tree->painted_count = 0;
    tree->rotation = -1;
    store->used = 0;
    store->filled = 0;
    memset((void *)store->slots, 0, store->slot_count * sizeof(*store->slots));
    if (store->capacity <= length) {
        store->capacity = length + length / 2 + 4096;
        free(store->texts);
        store->texts = mem_new(store->capacity, 1);
    }
}

/*
 * Read XML that may be malformed: then *sound is false. False when there is
 * a reason to refuse it altogether.
 */
static bool read_xml(struct tree *tree, const char *xml, size_t length,
                     bool *sound, struct err *err)
{
    struct builder builder = {
        .tree = tree,
        .store = tree->store,
        .parent = TREE_NONE,
    };
    xmlParserCtxtPtr parser = tree->store->parser;
    xmlSAXHandlerPtr usual = parser->sax;
    xmlSAXHandler handler = callbacks;

    empty_tree(tree, length);
    add_window(&builder, (struct tree_window){.title = ""});
    parser->sax = &handler;
    parser->userData = &builder;
    (void)xmlCtxtReadMemory(parser, xml, (int)length, NULL, NULL,
                            XML_PARSE_NONET | XML_PARSE_HUGE | XML_PARSE_NOENT |
                                XML_PARSE_IGNORE_ENC);
    parser->sax = usual;
    *sound = parser->wellFormed && !builder.failed;
    tree->store->is_ordered = builder.has_orders || tree->window_count > 1;
    if (builder.failed)
        *err = builder.err;
    return !builder.failed;
}

/* The index. */

static void index_tree(struct tree *tree)
{
    struct tree_store *store = tree->store;
    uint32_t kept = 0;

    if (store->painted_capacity < tree->count) {
        store->painted_capacity = store->node_capacity;
        tree->painted = mem_resize(tree->painted, store->painted_capacity,
                                   sizeof(*tree->painted));
        tree->areas = mem_resize(tree->areas, store->painted_capacity,
                                 sizeof(*tree->areas));
    }
    painting_order(tree, store->is_ordered, tree->painted);
    for (uint32_t i = 0; i < tree->count; i++) {
        const struct tree_node *node = &tree->nodes[tree->painted[i]];

        if (!rect_area(&node->bounds) || node->flags & NODE_INVISIBLE)
            continue;
        tree->painted[kept] = tree->painted[i];
        tree->areas[kept++] = node->bounds;
    }
    tree->painted_count = kept;
}

/* What is no dump, in one line. */
static bool fail_no_nodes(const char *bytes, size_t length, struct err *err)
{
    char quote[64];

    text_copy_clean(quote, sizeof(quote), bytes, length);
    return err_set(err, ERR_INVALID, "it has no nodes; it begins \"%s\"",
                   quote);
}

static bool read_repaired(struct tree *tree, const char *bytes, size_t length,
                          struct err *err)
{
    struct buf *repaired = &tree->store->repaired;
    bool sound;

    buf_clear(repaired);
    if (!tree_repair(bytes, length, repaired, &tree->repairs, err) ||
        !read_xml(tree, repaired->data, repaired->length, &sound, err))
        return false;
    return sound || err_set(err, ERR_INVALID, "it is beyond repair");
}

/* Whatever begins with a mark or a zero has to be decoded first. */
static bool may_be_utf8(const char *bytes, size_t length)
{
    return length && bytes[0] > 0 && (length < 2 || bytes[1]);
}

bool tree_read(struct tree *tree, const char *bytes, size_t length,
               struct err *err)
{
    bool done = true;
    bool sound = false;

    if (!tree->store)
        tree->store = new_store();
    memset(&tree->repairs, 0, sizeof(tree->repairs));
    if (length > TREE_SIZE_MAX) {
        empty_tree(tree, 0);
        return err_set(err, ERR_LIMIT, "it has more than %zu MiB",
                       TREE_SIZE_MAX >> 20);
    }
    if (may_be_utf8(bytes, length))
        done = read_xml(tree, bytes, length, &sound, err);
    done = done && (sound || read_repaired(tree, bytes, length, err)) &&
           (tree->count || fail_no_nodes(bytes, length, err));
    if (done)
        index_tree(tree);
    else
        empty_tree(tree, 0);
    return done;
}

bool tree_load(struct tree *tree, const char *path, struct err *err)
{
    struct buf bytes = BUF_INIT(TREE_SIZE_MAX);
    bool done = file_load(path, &bytes, err);

    if (done && !tree_read(tree, buf_cstr(&bytes), bytes.length, err))
        done = err_wrap(err, "%s", path);
    buf_release(&bytes);
    return done;
}

uint32_t tree_next_at(const struct tree *tree, int x, int y, uint32_t *place)
{
    for (; *place < tree->painted_count; ++*place) {
        if (rect_holds(&tree->areas[*place], x, y))
            return tree->painted[(*place)++];
    }
    return TREE_NONE;
}

struct tree_rect tree_screen(const struct tree *tree)
{
    struct tree_rect screen = {0, 0, 0, 0};

    for (uint32_t i = 0; i < tree->count; i = tree->nodes[i].end) {
        const struct tree_rect *bounds = &tree->nodes[i].bounds;

        if (bounds->right > screen.right)
            screen.right = bounds->right;
        if (bounds->bottom > screen.bottom)
            screen.bottom = bounds->bottom;
    }
    return screen;
}
