#include "tools/benchmark/loads/dump_maker.h"

#include <stdio.h>

#define NODES_OF_FRAME 4
#define NODES_OF_ROW 4
#define ROW_HEIGHT 180

static void open_node(struct buf *dump, const char *class_name, const char *id,
                      const char *text, bool clickable)
{
    buf_printf(dump,
               "<node index=\"0\" text=\"%s\" "
               "resource-id=\"com.example.shop:id/%s\" class=\"%s\" "
               "package=\"com.example.shop\" content-desc=\"\" "
               "checkable=\"false\" checked=\"false\" clickable=\"%s\" "
               "enabled=\"true\" focusable=\"%s\" focused=\"false\" "
               "scrollable=\"false\" long-clickable=\"false\" "
               "password=\"false\" selected=\"false\"",
               text, id, class_name, clickable ? "true" : "false",
               clickable ? "true" : "false");
}

static void add_row(struct buf *dump, unsigned row)
{
    unsigned top = 200 + row * ROW_HEIGHT % 2000;
    char text[64];

    open_node(dump, "android.widget.LinearLayout", "row", "", true);
    buf_printf(dump, " bounds=\"[0,%u][1080,%u]\">", top, top + ROW_HEIGHT);
    snprintf(text, sizeof(text), "Wireless mouse &amp; pad %u", row);
    open_node(dump, "android.widget.TextView", "title", text, false);
    buf_printf(dump, " bounds=\"[200,%u][900,%u]\" />", top, top + 90);
    snprintf(text, sizeof(text), "&#165;%u.99", row % 500);
    open_node(dump, "android.widget.TextView", "price", text, false);
    buf_printf(dump, " bounds=\"[200,%u][900,%u]\" />", top + 90, top + 180);
    open_node(dump, "android.widget.ImageView", "btn_like_icon", "", true);
    buf_printf(dump, " bounds=\"[950,%u][1050,%u]\" /></node>", top + 40,
               top + 140);
}

void dump_make(struct buf *dump, unsigned count)
{
    buf_text(dump, "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"
                   "<hierarchy rotation=\"0\">");
    for (int i = 0; i < NODES_OF_FRAME - 1; i++) {
        open_node(dump, "android.widget.FrameLayout", "frame", "", false);
        buf_text(dump, " bounds=\"[0,0][1080,2400]\">");
    }
    open_node(dump, "androidx.recyclerview.widget.RecyclerView", "list", "",
              false);
    buf_text(dump, " bounds=\"[0,200][1080,2400]\">");
    for (unsigned i = 0; i < (count - NODES_OF_FRAME) / NODES_OF_ROW; i++)
        add_row(dump, i);
    for (int i = 0; i < NODES_OF_FRAME; i++)
        buf_text(dump, "</node>");
    buf_text(dump, "</hierarchy>");
}
