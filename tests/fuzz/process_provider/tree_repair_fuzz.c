/* A repaired text is well-formed according to libxml2. */
#include "process_provider/tree/tree_repair.h"

#include <libxml/parser.h>

#include "tests/fuzz/fuzz.h"

static bool is_well_formed(const struct buf *xml)
{
    xmlParserCtxtPtr parser = xmlNewParserCtxt();
    xmlDocPtr document;
    bool sound;

    fuzz_expect(parser != NULL);
    document =
        xmlCtxtReadMemory(parser, xml->data, (int)xml->length, NULL, NULL,
                          XML_PARSE_NONET | XML_PARSE_HUGE | XML_PARSE_NOERROR |
                              XML_PARSE_NOWARNING);
    sound = parser->wellFormed;
    xmlFreeDoc(document);
    xmlFreeParserCtxt(parser);
    return sound;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf xml = BUF_INIT(4 * TREE_SIZE_MAX);
    struct tree_repairs repairs = {{0}};
    struct err err;

    if (tree_repair((const char *)data, size, &xml, &repairs, &err))
        fuzz_expect(is_well_formed(&xml));
    buf_release(&xml);
    return 0;
}
