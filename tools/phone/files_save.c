/* The whole tree in a snapshot: each node, and behind it what is in it. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/phone/files_private.h"

#define INODE_MAX ((uint64_t)1 << 62)

/* ---- saving ---- */

static void save_node(const struct node *node, struct buf *out)
{
    parcel_put_text(out, node->name);
    parcel_put_u64(out, node->inode);
    parcel_put_u32(out, node->mode);
    parcel_put_u32(out, node->uid);
    parcel_put_u32(out, node->gid);
    parcel_put_u32(out, node->device);
    parcel_put_i64(out, node->mtime);
    parcel_put_u32(out, node->area);
    parcel_put_bool(out, node->content != NULL);
    if (node->content)
        parcel_put_bytes(out, node->content->data, node->content->size);
    parcel_put_u64(out, node->child_count);
    for (size_t i = 0; i < node->child_count; i++)
        save_node(node->children[i], out);
}

void files_save(struct files *files, struct buf *out)
{
    files_lock(files);
    parcel_put_u64(out, files->tree->next_inode);
    save_node(files->tree->root, out);
    files_unlock(files, true);
}

/* ---- loading ---- */

/* A tree that is being read, and what it may still take. */
struct reading {
    struct parcel *in;
    struct space *space;
    size_t nodes_left;
    uint64_t bytes_left;
};

static bool is_name(const char *name, size_t depth)
{
    if (!depth)
        return !*name;
    return *name && !strchr(name, '/') && strcmp(name, ".") != 0 &&
           strcmp(name, "..") != 0;
}

/* Files and links have a content, and nothing else has. */
static bool is_sound(const struct node *node, bool has_content)
{
    uint32_t type = node->mode & S_IFMT;

    return !(node->mode & ~(uint32_t)(S_IFMT | PERMISSIONS)) &&
           node->area <= FILES_SHARED && node->inode < INODE_MAX &&
           (has_content
                ? type == S_IFREG || type == S_IFLNK
                : type == S_IFDIR || type == S_IFREG || type == S_IFCHR);
}

static void read_content(struct reading *reading, struct node *node)
{
    struct parcel *in = reading->in;
    struct parcel_bytes bytes = parcel_bytes(in, reading->bytes_left);

    reading->bytes_left -= bytes.size;
    if (node_is_link(node) && (!bytes.size || bytes.size >= FILES_PATH_MAX ||
                               memchr(bytes.data, '\0', bytes.size)))
        parcel_break(in);
    if (in->trial || in->broken)
        return;
    node->content = blob_of(reading->space, bytes.data, bytes.size);
    if (!node->content)
        parcel_break(in);
}

static struct node *read_facts(struct reading *reading, size_t depth)
{
    struct parcel *in = reading->in;
    char name[FILES_NAME_MAX + 1];
    struct node *node;
    bool has_content;

    parcel_text(in, name, sizeof(name));
    node = node_new(name, 0, NULL);
    node->inode = parcel_u64(in);
    node->mode = parcel_u32(in);
    node->uid = parcel_u32(in);
    node->gid = parcel_u32(in);
    node->device = parcel_u32(in);
    node->mtime = parcel_i64(in, INT64_MIN, INT64_MAX);
    node->area = (enum files_area)parcel_u32(in);
    has_content = parcel_bool(in);
    if (!is_name(name, depth) || !is_sound(node, has_content) ||
        !reading->nodes_left)
        parcel_break(in);
    else
        reading->nodes_left--;
    if (has_content && !in->broken)
        read_content(reading, node);
    return node;
}

/* Names must come sorted, as they are kept: so none is there twice. */
static bool comes_last(const struct node *directory, const struct node *child)
{
    return !directory->child_count ||
           strcmp(directory->children[directory->child_count - 1]->name,
                  child->name) < 0;
}

/* depth directories lead here. */
static struct node *read_node(struct reading *reading, size_t depth)
{
    struct parcel *in = reading->in;
    struct node *node = read_facts(reading, depth);
    size_t count = parcel_count(in, reading->nodes_left);

    if (count && (!node_is_directory(node) || depth == FILES_DEPTH_MAX))
        parcel_break(in);
    for (size_t i = 0; i < count && !in->broken; i++) {
        struct node *child = read_node(reading, depth + 1);

        if (!in->broken && comes_last(node, child)) {
            node_attach(node, child);
        } else {
            parcel_break(in);
            node_free(child);
        }
    }
    return node;
}

void files_load(struct files *files, struct parcel *in)
{
    struct tree *tree = files->tree;
    struct reading reading = {
        .in = in,
        .space = tree->space,
        .nodes_left = tree->node_limit,
        .bytes_left = space_limit(tree->space),
    };
    uint64_t next_inode = parcel_u64(in);
    struct node *root = read_node(&reading, 0);

    if (next_inode > INODE_MAX || !node_is_directory(root))
        parcel_break(in);
    if (!in->trial && !in->broken) {
        struct node *old;

        files_lock(files);
        old = tree->root;
        tree->root = root;
        tree->node_count = tree->node_limit - reading.nodes_left;
        tree->next_inode = next_inode;
        files_unlock(files, true);
        root = old;
    }
    node_free(root);
}
