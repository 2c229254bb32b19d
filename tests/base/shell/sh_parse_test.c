/* Tokens and syntax trees of shell scripts. */
#include "base/shell/sh_parse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"

/* Tokens as text: words in angle brackets, operators as they are. */
static void write_tokens(const char *text, struct buf *out)
{
    struct sh_lex lex;
    struct sh_token token;
    struct err err = ERR_INIT;

    sh_lex_init(&lex, text, strlen(text));
    for (;;) {
        if (!sh_lex_next(&lex, &token, &err)) {
            buf_printf(out, "!%s", err.text);
            return;
        }
        if (token.kind == SH_TOKEN_END)
            return;
        if (token.kind == SH_TOKEN_WORD)
            buf_printf(out, "<%.*s>", (int)token.text.length, token.text.data);
        else if (token.kind == SH_TOKEN_NEWLINE)
            buf_text(out, "\\n");
        else
            buf_printf(out, "%.*s", (int)token.text.length, token.text.data);
    }
}

static void lines_are_cut_into_tokens(void **state)
{
    static const struct {
        const char *text;
        const char *tokens;
    } examples[] = {
        {"", ""},
        {" a\tb ", "<a><b>"},
        {"a;b&c&&d||e|f", "<a>;<b>&<c>&&<d>||<e>|<f>"},
        {"a>b 2>>c <d 2>&1 >|e", "<a>><b>2>><c><<d>2>&<1>>|<e>"},
        {"a2>b", "<a2>><b>"},
        {"(a)\nb", "(<a>)\\n<b>"},
        {"'a b'\"c d\"\\ e", "<'a b'\"c d\"\\ e>"},
        {"$(a b) ${c d} `e f`", "<$(a b)><${c d}><`e f`>"},
        {"$(a $(b \")\") ) \"$(c \"d e\")\"",
         "<$(a $(b \")\") )><\"$(c \"d e\")\">"},
        {"$((1 + (2)))x", "<$((1 + (2)))x>"},
        {"a #b c\nd#e", "<a>\\n<d#e>"},
        {"a\\\n b", "<a\\\n><b>"},
        {"$ $", "<$><$>"},
        {"'a", "!no closing quote"},
        {"\"a", "!no closing quote"},
        {"`a", "!no closing quote"},
        {"$(a", "!no closing quote"},
        {"a\\", "!no closing quote"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(examples); i++) {
        struct buf out = BUF_INIT(4096);

        write_tokens(examples[i].text, &out);
        assert_string_equal(buf_cstr(&out), examples[i].tokens);
        buf_release(&out);
    }
}

static void write_node(const struct sh_node *node, struct buf *out);

static void write_nodes(const struct sh_node *node, const char *between,
                        struct buf *out)
{
    for (; node; node = node->next) {
        write_node(node, out);
        if (node->background)
            buf_text(out, "&");
        if (node->next && node->next->joint == SH_JOINT_AND)
            buf_text(out, " && ");
        else if (node->next && node->next->joint == SH_JOINT_OR)
            buf_text(out, " || ");
        else if (node->next)
            buf_text(out, between);
    }
}

static void write_words(const struct sh_word *word, struct buf *out)
{
    for (; word; word = word->next)
        buf_printf(out, "%.*s%s", (int)word->text.length, word->text.data,
                   word->next ? " " : "");
}

/* A tree as text, with brackets around each node. */
static void write_kind(const struct sh_node *node, struct buf *out)
{
    switch (node->kind) {
    case SH_NODE_SIMPLE:
        write_words(node->assignments, out);
        buf_text(out, node->assignments && node->words ? ": " : "");
        write_words(node->words, out);
        break;
    case SH_NODE_PIPELINE:
        buf_text(out, "[");
        write_nodes(node->body, " | ", out);
        buf_text(out, "]");
        break;
    case SH_NODE_LIST:
        buf_text(out, "{");
        write_nodes(node->body, "; ", out);
        buf_text(out, "}");
        break;
    case SH_NODE_SUBSHELL:
        buf_text(out, "(");
        write_nodes(node->body, "; ", out);
        buf_text(out, ")");
        break;
    case SH_NODE_IF:
        buf_text(out, "if ");
        write_node(node->condition, out);
        write_node(node->body, out);
        if (node->otherwise)
            write_node(node->otherwise, out);
        break;
    case SH_NODE_LOOP:
        buf_text(out, node->until ? "until " : "while ");
        write_node(node->condition, out);
        write_node(node->body, out);
        break;
    case SH_NODE_FOR:
        buf_printf(out, "for %.*s (", (int)node->name.length, node->name.data);
        write_words(node->words, out);
        buf_text(out, ")");
        write_node(node->body, out);
        break;
    case SH_NODE_CASE:
        buf_printf(out, "case %.*s ", (int)node->name.length, node->name.data);
        write_nodes(node->body, " ", out);
        break;
    case SH_NODE_BRANCH:
        buf_text(out, "(");
        write_words(node->words, out);
        buf_text(out, ")");
        write_node(node->body, out);
        break;
    case SH_NODE_TEST:
        buf_text(out, "[[");
        write_words(node->words, out);
        buf_text(out, "]]");
        break;
    case SH_NODE_FUNCTION:
        buf_printf(out, "%.*s() <%.*s>", (int)node->name.length,
                   node->name.data, (int)node->text.length, node->text.data);
        break;
    }
}

static void write_node(const struct sh_node *node, struct buf *out)
{
    buf_text(out, node->negated ? "!" : "");
    write_kind(node, out);
    for (const struct sh_redirect *at = node->redirects; at; at = at->next)
        buf_printf(out, " %d%s%.*s", at->fd,
                   at->kind == SH_REDIRECT_READ     ? "<"
                   : at->kind == SH_REDIRECT_WRITE  ? ">"
                   : at->kind == SH_REDIRECT_APPEND ? ">>"
                   : at->kind == SH_REDIRECT_HERE   ? "<<"
                   : at->kind == SH_REDIRECT_STRING ? "<<<"
                                                    : "&",
                   (int)at->target.length, at->target.data);
}

static void lines_become_trees(void **state)
{
    static const struct {
        const char *text;
        const char *tree;
    } examples[] = {
        {"", "{}"},
        {"a b", "{a b}"},
        {"a; b\nc", "{a; b; c}"},
        {"a && b || c; d", "{a && b || c; d}"},
        {"a | b | c", "{[a | b | c]}"},
        {"! a | b", "{![a | b]}"},
        {"! ! a", "{a}"},
        {"a && b & c", "{a& && b&; c}"},
        {"X=1 Y=2 a Z=3", "{X=1 Y=2: a Z=3}"},
        {"X=1", "{X=1}"},
        {">f", "{ 1>f}"},
        {"a <b >c 2>>d 2>&1", "{a 0<b 1>c 2>>d 2&1}"},
        {"(a; b) >c", "{(a; b) 1>c}"},
        {"{ a; b; } | c", "{[{a; b} | c]}"},
        {"if a; then b; fi", "{if {a}{b}}"},
        {"if a; then b; elif c; then d; else e; fi", "{if {a}{b}if {c}{d}{e}}"},
        {"while a; do b; done <c", "{while {a}{b} 0<c}"},
        {"until a\ndo\nb\ndone", "{until {a}{b}}"},
        {"for x in a $b; do c; done", "{for x (a $b){c}}"},
        {"for x; do c; done", "{for x (){c}}"},
        {"for x do c; done", "{for x (){c}}"},
        {"while do done", "{while {}{}}"},
        {"case a in b) c;; (d|e) f; g;; esac", "{case a (b){c} (d e){f; g}}"},
        {"case a in\nb)\nc\n;;\n*) d\nesac", "{case a (b){c} (*){d}}"},
        {"case a in esac", "{case a }"},
        {"case a in b);; esac; c", "{case a (b){}; c}"},
        {"f() { a; b; }; f", "{f() <{ a; b; }>; f}"},
        {"f()\n(a)\nf", "{f() <(a)>; f}"},
        {"function f { a; } >b", "{f() <{ a; } >b>}"},
        {"a <<E\nx y\nE\nb", "{a 0<<x y\n; b}"},
        {"a <<-'E'; b\n\tx\n\tE\nc", "{a 0<<x\n; b; c}"},
        {"a <<E <<F\n1\nE\n2\nF\n", "{a 0<<1\n 0<<2\n}"},
        {"a <<<b", "{a 0<<<b}"},
        {"[[ a && ( b < c ) ]] && d", "{[[a && ( b < c )]] && d}"},
        {"((i++)); b", "{let \"i++\"; b}"},
        {"for x in; do c; done", "{for x (){c}}"},
        {"echo if then fi do done }", "{echo if then fi do done }}"},
        {"a |\n\nb &&\n c", "{[a | b] && c}"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(examples); i++) {
        struct sh_tree tree = SH_TREE_INIT(NULL);
        struct buf out = BUF_INIT(4096);
        struct err err = ERR_INIT;
        bool incomplete;

        if (!sh_parse(examples[i].text, strlen(examples[i].text), &tree,
                      &incomplete, &err))
            fail_msg("%s: %s", examples[i].text, err.text);
        assert_false(incomplete);
        write_node(tree.root, &out);
        assert_string_equal(buf_cstr(&out), examples[i].tree);
        buf_release(&out);
        sh_tree_release(&tree);
    }
}

static void syntax_errors_are_reported(void **state)
{
    static const struct {
        const char *text;
        const char *error;
        bool incomplete;
    } examples[] = {
        {";", "syntax error: unexpected ';'", false},
        {"a ;; b", "syntax error: unexpected ';;'", false},
        {"| a", "syntax error: unexpected '|'", false},
        {"a | | b", "syntax error: unexpected '|'", false},
        {"a >", "syntax error: unexpected EOF", true},
        {"a > ;", "syntax error: unexpected ';'", false},
        {"a <<E", "here document 'E' unclosed", true},
        {"a < <b", "syntax error: unexpected '<'", false},
        {"a)", "syntax error: unexpected ')'", false},
        {"f() { a; ", "syntax error: unexpected EOF", true},
        {"if a; fi", "syntax error: unexpected 'fi'", false},
        {"if a; then", "syntax error: unexpected EOF", true},
        {"if ; then b; fi", "syntax error: unexpected ';'", false},
        {"for 1 in a; do b; done", "syntax error: unexpected '1'", false},
        {"for x in; b; done", "syntax error: unexpected 'b'", false},
        {"case a in b c) d;; esac", "syntax error: unexpected 'c'", false},
        {"case a in b) c", "syntax error: unexpected EOF", true},
        {"f()", "syntax error: unexpected EOF", true},
        {"f( a", "syntax error: unexpected 'a'", false},
        {"a <<E\nb", "here document 'E' unclosed", true},
        {"if a; then fi", "syntax error: unexpected 'fi'", false},
        {"while a; done", "syntax error: unexpected 'done'", false},
        {"}", "syntax error: unexpected '}'", false},
        {"a &&", "syntax error: unexpected EOF", true},
        {"!", "syntax error: unexpected EOF", true},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(examples); i++) {
        struct sh_tree tree = SH_TREE_INIT(NULL);
        struct err err = ERR_INIT;
        bool incomplete;

        if (sh_parse(examples[i].text, strlen(examples[i].text), &tree,
                     &incomplete, &err))
            fail_msg("%s makes sense", examples[i].text);
        assert_int_equal(err.code, ERR_INVALID);
        assert_string_equal(err.text, examples[i].error);
        assert_int_equal(incomplete, examples[i].incomplete);
        sh_tree_release(&tree);
    }
}

static void invalid_utf8_is_harmless(void **state)
{
    static const char text[] = "a\0b \0\0; c\0";
    struct sh_tree tree = SH_TREE_INIT(NULL);
    struct buf out = BUF_INIT(4096);
    struct err err = ERR_INIT;
    bool incomplete;

    (void)state;
    assert_true(sh_parse(text, sizeof(text) - 1, &tree, &incomplete, &err));
    write_node(tree.root, &out);
    assert_string_equal(buf_cstr(&out), "{a b; c}");
    buf_release(&out);
    sh_tree_release(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_cut_into_tokens),
        cmocka_unit_test(lines_become_trees),
        cmocka_unit_test(syntax_errors_are_reported),
        cmocka_unit_test(invalid_utf8_is_harmless),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
