/* The whole tree in a snapshot: each node, followed by its children. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/phone/files/files_private.h"

#define INODE_MAX ((uint64_t)1 << 62)

/* ---- saving ---- */

static void save_node(const struct file_node *file_node, struct buf *out)
{
    saved_state_put_text(out, file_node->name);
    saved_state_put_u64(out, file_node->inode);
    saved_state_put_u32(out, file_node->mode);
    saved_state_put_u32(out, file_node->uid);
    saved_state_put_u32(out, file_node->gid);
    saved_state_put_u32(out, file_node->device);
    saved_state_put_i64(out, file_node->mtime);
    saved_state_put_u32(out, file_node->area);
    saved_state_put_bool(out, file_node->content != NULL);
    if (file_node->content)
        saved_state_put_bytes(out, file_node->content->data,
                              file_node->content->size);
    saved_state_put_u64(out, file_node->child_count);
    for (size_t i = 0; i < file_node->child_count; i++)
        save_node(file_node->children[i], out);
}

void files_save(struct phone_files *files, struct buf *out)
{
    files_lock(files);
    saved_state_put_u64(out, files->file_tree->next_inode);
    save_node(files->file_tree->root, out);
    files_unlock(files, true);
}

/* ---- loading ---- */

/* The tree being read, and its remaining limits. */
struct reading {
    struct saved_state *in;
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

/* Only files and links have a content. */
static bool is_sound(const struct file_node *file_node, bool has_content)
{
    uint32_t type = file_node->mode & S_IFMT;

    return !(file_node->mode & ~(uint32_t)(S_IFMT | PERMISSIONS)) &&
           file_node->area <= FILES_SHARED && file_node->inode < INODE_MAX &&
           (has_content
                ? type == S_IFREG || type == S_IFLNK
                : type == S_IFDIR || type == S_IFREG || type == S_IFCHR);
}

static void read_content(struct reading *reading, struct file_node *file_node)
{
    struct saved_state *in = reading->in;
    struct saved_state_bytes bytes = saved_state_bytes(in, reading->bytes_left);

    reading->bytes_left -= bytes.size;
    if (file_node_is_link(file_node) &&
        (!bytes.size || bytes.size >= FILES_PATH_MAX ||
         memchr(bytes.data, '\0', bytes.size)))
        saved_state_break(in);
    if (in->trial || in->broken)
        return;
    file_node->content =
        shared_bytes_of(reading->space, bytes.data, bytes.size);
    if (!file_node->content)
        saved_state_break(in);
}

static struct file_node *read_facts(struct reading *reading, size_t depth)
{
    struct saved_state *in = reading->in;
    char name[FILES_NAME_MAX + 1];
    struct file_node *file_node;
    bool has_content;

    saved_state_text(in, name, sizeof(name));
    file_node = file_node_new(name, 0, NULL);
    file_node->inode = saved_state_u64(in);
    file_node->mode = saved_state_u32(in);
    file_node->uid = saved_state_u32(in);
    file_node->gid = saved_state_u32(in);
    file_node->device = saved_state_u32(in);
    file_node->mtime = saved_state_i64(in, INT64_MIN, INT64_MAX);
    file_node->area = (enum files_area)saved_state_u32(in);
    has_content = saved_state_bool(in);
    if (!is_name(name, depth) || !is_sound(file_node, has_content) ||
        !reading->nodes_left)
        saved_state_break(in);
    else
        reading->nodes_left--;
    if (has_content && !in->broken)
        read_content(reading, file_node);
    return file_node;
}

/* Names must be sorted, as in memory: so none occurs twice. */
static bool comes_last(const struct file_node *directory,
                       const struct file_node *child)
{
    return !directory->child_count ||
           strcmp(directory->children[directory->child_count - 1]->name,
                  child->name) < 0;
}

/* depth: directories above this one. */
static struct file_node *read_node(struct reading *reading, size_t depth)
{
    struct saved_state *in = reading->in;
    struct file_node *file_node = read_facts(reading, depth);
    size_t count = saved_state_count(in, reading->nodes_left);

    if (count &&
        (!file_node_is_directory(file_node) || depth == FILES_DEPTH_MAX))
        saved_state_break(in);
    for (size_t i = 0; i < count && !in->broken; i++) {
        struct file_node *child = read_node(reading, depth + 1);

        if (!in->broken && comes_last(file_node, child)) {
            file_node_attach(file_node, child);
        } else {
            saved_state_break(in);
            file_node_free(child);
        }
    }
    return file_node;
}

void files_load(struct phone_files *files, struct saved_state *in)
{
    struct file_tree *file_tree = files->file_tree;
    struct reading reading = {
        .in = in,
        .space = file_tree->space,
        .nodes_left = file_tree->file_node_limit,
        .bytes_left = space_limit(file_tree->space),
    };
    uint64_t next_inode = saved_state_u64(in);
    struct file_node *root = read_node(&reading, 0);

    if (next_inode > INODE_MAX || !file_node_is_directory(root))
        saved_state_break(in);
    if (!in->trial && !in->broken) {
        struct file_node *old;

        files_lock(files);
        old = file_tree->root;
        file_tree->root = root;
        file_tree->file_node_count =
            file_tree->file_node_limit - reading.nodes_left;
        file_tree->next_inode = next_inode;
        files_unlock(files, true);
        root = old;
    }
    file_node_free(root);
}
