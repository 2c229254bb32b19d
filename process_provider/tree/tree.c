#include "process_provider/tree/tree.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clean_text.h"
#include "base/file.h"
#include "base/mem.h"
#include "process_provider/tree/paint_order.h"
#include "process_provider/tree/tree_private.h"

/* What is kept. */

void tree_release(struct tree *tree)
{
    struct tree_store *store = tree->store;

    if (store) {
        xmlFreeParserCtxt(store->parser);
        buf_release(&store->repaired);
        tree_texts_release(&store->texts);
        free(store);
    }
    free(tree->nodes);
    free(tree->windows);
    free(tree->painted);
    free(tree->areas);
    *tree = (struct tree)TREE_INIT;
}

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
    tree_texts_init(&store->texts);
    store->repaired = (struct buf)BUF_INIT(4 * TREE_SIZE_MAX);
    return store;
}

void tree_empty(struct tree *tree, size_t length)
{
    tree->count = 0;
    tree->window_count = 0;
    tree->painted_count = 0;
    tree->rotation = -1;
    tree->screen = (struct tree_rect){0, 0, 0, 0};
    tree_texts_clear(&tree->store->texts, length);
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
    paint_order(tree, store->is_ordered, tree->painted);
    for (uint32_t i = 0; i < tree->count; i++) {
        const struct tree_node *node = &tree->nodes[tree->painted[i]];

        if (!rect_area(&node->bounds) || node->flags & NODE_INVISIBLE)
            continue;
        tree->painted[kept] = tree->painted[i];
        tree->areas[kept++] = node->bounds;
    }
    tree->painted_count = kept;
}

static void find_screen(struct tree *tree)
{
    struct tree_rect screen = {0, 0, 0, 0};

    for (uint32_t i = 0; i < tree->count; i = tree->nodes[i].end) {
        const struct tree_rect *bounds = &tree->nodes[i].bounds;

        if (bounds->right > screen.right)
            screen.right = bounds->right;
        if (bounds->bottom > screen.bottom)
            screen.bottom = bounds->bottom;
    }
    tree->screen = screen;
}

/* The beginning of a text that is not a dump, in one line. */
static bool fail_no_nodes(const char *bytes, size_t length, struct err *err)
{
    char quote[64];

    clean_text_copy(quote, sizeof(quote), bytes, length);
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
        !tree_build(tree, repaired->data, repaired->length, &sound, err))
        return false;
    return sound || err_set(err, ERR_INVALID, "its XML cannot be repaired");
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
        tree_empty(tree, 0);
        return err_set(err, ERR_LIMIT, "it has more than %zu MiB",
                       TREE_SIZE_MAX >> 20);
    }
    if (may_be_utf8(bytes, length))
        done = tree_build(tree, bytes, length, &sound, err);
    done = done && (sound || read_repaired(tree, bytes, length, err)) &&
           (tree->count || fail_no_nodes(bytes, length, err));
    if (done) {
        index_tree(tree);
        find_screen(tree);
    } else {
        tree_empty(tree, 0);
    }
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
