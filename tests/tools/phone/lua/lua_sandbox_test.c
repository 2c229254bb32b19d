#include "tools/phone/lua/lua_sandbox.h"

#include <lauxlib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "tools/phone/lua/lua_json.h"

#define MEMORY ((size_t)4 << 20)

static struct lua_sandbox *open_sandbox(void)
{
    const struct lua_sandbox_limits limits = {.memory = MEMORY,
                                              .steps = 300000};
    struct err err = ERR_INIT;
    struct lua_sandbox *sandbox;

    assert_true(lua_sandbox_open(&limits, &sandbox, &err));
    return sandbox;
}

/* A script, and what it returns as JSON. */
struct script {
    const char *text;
    size_t length;
    struct buf result;
};

static void run_script(lua_State *lua, void *context)
{
    struct script *script = context;

    lua_sandbox_load(lua, "test.lua", script->text, script->length);
    lua_call(lua, 0, 1);
    buf_clear(&script->result);
    if (!lua_isnil(lua, -1))
        lua_json_write(lua, -1, "result", &script->result);
}

static void expect(struct lua_sandbox *sandbox, const char *text,
                   const char *result)
{
    struct script script = {text, strlen(text), BUF_INIT(1 << 20)};
    struct err err = ERR_INIT;

    if (!lua_sandbox_run(sandbox, run_script, &script, &err))
        fail_msg("%s: %s", text, err.text);
    assert_string_equal(buf_cstr(&script.result), result);
    buf_release(&script.result);
}

static void expect_error(struct lua_sandbox *sandbox, const char *text,
                         enum err_code code, const char *why)
{
    struct script script = {text, strlen(text), BUF_INIT(1 << 20)};
    struct err err = ERR_INIT;

    if (lua_sandbox_run(sandbox, run_script, &script, &err))
        fail_msg("%s: no error", text);
    if (!strstr(err.text, why))
        fail_msg("%s: %s", text, err.text);
    assert_int_equal(err.code, code);
    buf_release(&script.result);
}

static void dangerous_functions_are_missing(void **state)
{
    static const char *const names[] = {
        "io",
        "os",
        "package",
        "debug",
        "require",
        "load",
        "loadstring",
        "loadfile",
        "dofile",
        "pcall",
        "xpcall",
        "coroutine",
        "setmetatable",
        "rawset",
        "rawget",
        "rawequal",
        "getmetatable",
        "next",
        "_G",
        "print",
        "math.random",
        "math.randomseed",
        "string.dump",
        "string.gsub",
        "string.match",
        "string.gmatch",
        "string.pack",
        "string.unpack",
        "table.move",
        "collectgarbage",
        "utf8.charpattern",
    };
    struct lua_sandbox *sandbox = open_sandbox();
    char text[80];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        snprintf(text, sizeof(text), "return %s == nil", names[i]);
        expect(sandbox, text, "true");
    }
    lua_sandbox_close(sandbox);
}

static void limits_stop_a_script_at_its_line(void **state)
{
    static const struct {
        const char *text;
        const char *why;
    } cases[] = {
        {"while true do end", "test.lua:1: it takes too long"},
        {"\n\nrepeat until false", "test.lua:3: it takes too long"},
        {"local function f() return f() end f()", "takes too long"},
        {"local function f() return f() + 1 end f()", "test.lua:1: "},
        {"for i = 1, math.huge do end", "takes too long"},
        {"local t = {} for i = 1, math.huge do t[i] = i end", "test.lua:1: "},
        {"local t = {}\nfor i = 1, math.huge do\nt[i] = {}\nend",
         "test.lua:3: the memory limit is reached"},
        {"local s = 'x'\nwhile true do\ns = s .. s\nend", "a text is too long"},
        {"local t = {} for i = 1, 1e9 do t[i] = ('x'):rep(60000) .. i end",
         "test.lua:1: it "},
        {"local t = {}\nfor i = 1, 60000 do t[i] = 'xxxxxxxx' end\n"
         "while true do local s = table.concat(t) end",
         "too"},
        {"local s = ('x'):rep(60000) while true do local b = s < s .. 'y' end",
         "takes too long"},
        {"table.sort({1, 2, 3}, function() while true do end end)",
         "takes too long"},
        {"local t = {} for i = 1, 2000 do t = {t} end return t", "too deep"},
        {"local f = function() end for i = 1, 1e9 do local g = f\n"
         "f = function() return g() end end",
         "test.lua:1: it "},
    };
    struct lua_sandbox *sandbox = open_sandbox();

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct script script = {cases[i].text, strlen(cases[i].text),
                                BUF_INIT(1 << 20)};
        struct err err = ERR_INIT;

        assert_false(lua_sandbox_run(sandbox, run_script, &script, &err));
        if (!strstr(err.text, cases[i].why))
            fail_msg("%s: %s", cases[i].text, err.text);
        buf_release(&script.result);
        expect(sandbox, "return 1 + 1", "2"); /* it is still usable */
    }
    lua_sandbox_close(sandbox);
}

static void calls_that_would_never_end_are_refused(void **state)
{
    static const char *const uses[] = {
        "table.insert(t, 1, 1)",
        "table.remove(t, 1)",
        "return table.concat(t)",
    };
    struct lua_sandbox *sandbox = open_sandbox();
    struct buf text = BUF_INIT(4096);
    size_t fake;

    (void)state;
    /* A table with room for 64 keys, none of which is in its list. */
    buf_text(&text, "local t = {");
    for (int i = 0; i < 64; i++)
        buf_printf(&text, "n%d = nil, ", i);
    buf_text(&text, "} for i = 0, 61 do t[1 << i] = 1 end ");
    fake = text.length;
    expect_error(sandbox, "return (''):rep(1 << 60)", ERR_INVALID, "too long");
    expect_error(sandbox, "return ('x'):rep(1 << 60)", ERR_INVALID, "too long");
    expect_error(sandbox, "return ('x'):rep(3, ('y'):rep(50000))", ERR_INVALID,
                 "too long");
    for (size_t i = 0; i < ARRAY_LEN(uses); i++) {
        buf_truncate(&text, fake);
        buf_text(&text, uses[i]);
        expect_error(sandbox, buf_cstr(&text), ERR_INVALID,
                     "the list is too long");
    }
    buf_release(&text);
    lua_sandbox_close(sandbox);
}

/*
 * Each does much in few steps. All of them are ended by the limit of steps, and
 * together take no longer than a few calls may.
 */
static void work_in_c_costs_steps(void **state)
{
    static const char *const uses[] = {
        "local n = s:find('y')",
        "local n = s:byte(1, -1)",
        "local n = s:lower()",
        "local n = tonumber(s)",
        "local n = utf8.len(s)",
        "local n = utf8.offset(s, -1)",
        "local n = select(-1, table.unpack(t))",
        "local n = table.pack(table.unpack(t))",
        "local n = #table.concat(t)",
        "table.insert(t, 1, table.remove(t))",
        "table.insert(t, table.remove(t, 1))",
        "local n = string.format('%s', s) == s",
    };
    struct lua_sandbox *sandbox = open_sandbox();
    char text[256];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(uses); i++) {
        snprintf(text, sizeof(text),
                 "local s, t = ('x'):rep(65000), {}\n"
                 "for i = 1, 20000 do t[i] = 1 end\n"
                 "for i = 1, 2000 do\n%s\nend",
                 uses[i]);
        expect_error(sandbox, text, ERR_LIMIT, "test.lua:4: it takes too long");
    }
    lua_sandbox_close(sandbox);
}

/* Steps do not measure this: each passes on all arguments there are. */
static void cpu_time_is_limited(void **state)
{
    const struct lua_sandbox_limits limits = {.time = 20000000};
    struct err err = ERR_INIT;
    struct lua_sandbox *sandbox;

    (void)state;
    assert_true(lua_sandbox_open(&limits, &sandbox, &err));
    expect_error(sandbox,
                 "local t = {} for i = 1, 100000 do t[i] = 1 end\n"
                 "local function f() end local function g(...)\n"
                 "while true do f(...) end end\ng(table.unpack(t))",
                 ERR_LIMIT, "test.lua:3: it takes too long");
    expect_error(sandbox, "while true do end", ERR_LIMIT,
                 "test.lua:1: it takes too long");
    expect(sandbox, "return 1 + 1", "2");
    lua_sandbox_close(sandbox);
}

static void a_stop_from_outside_ends_a_script(void **state)
{
    atomic_bool stop = true;
    const struct lua_sandbox_limits limits = {.stop = &stop};
    struct err err = ERR_INIT;
    struct lua_sandbox *sandbox;

    (void)state;
    stop = false;
    assert_true(lua_sandbox_open(&limits, &sandbox, &err));
    expect(sandbox, "for i = 1, 10000 do end return 1", "1");
    stop = true;
    expect_error(sandbox, "while true do end", ERR_LIMIT,
                 "test.lua:1: the phone is switched off");
    lua_sandbox_close(sandbox);
}

static void no_format_gives_an_address(void **state)
{
    static const char *const formats[] = {"%p", "%20p", "%-20p", "%%%p",
                                          "%s%5p"};
    struct lua_sandbox *sandbox = open_sandbox();
    char text[64];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
        snprintf(text, sizeof(text), "return string.format('%s', 'x', 'y')",
                 formats[i]);
        expect_error(sandbox, text, ERR_INVALID, "there are no addresses");
    }
    expect(sandbox, "return string.format('%%p %5.1f%%', 2)", "\"%p   2.0%\"");
    lua_sandbox_close(sandbox);
}

/* Text before a function of Lua hides neither its name nor its line. */
static void an_error_in_a_guarded_function_names_it(void **state)
{
    struct lua_sandbox *sandbox = open_sandbox();

    (void)state;
    expect_error(sandbox, "\nreturn string.sub(nil, 1)", ERR_INVALID,
                 "test.lua:2: bad argument #1 to 'sub'");
    expect_error(sandbox, "\nreturn table.concat({{}})", ERR_INVALID,
                 "test.lua:2: invalid value");
    lua_sandbox_close(sandbox);
}

static void binary_chunks_are_refused(void **state)
{
    struct lua_sandbox *sandbox = open_sandbox();
    struct script script = {LUA_SIGNATURE "T\0\x19\x93\r\n\x1a\n", 12,
                            BUF_INIT(64)};
    struct err err = ERR_INIT;

    (void)state;
    assert_false(lua_sandbox_run(sandbox, run_script, &script, &err));
    assert_non_null(strstr(err.text, "binary"));
    lua_sandbox_close(sandbox);
}

static void an_error_names_the_line(void **state)
{
    struct lua_sandbox *sandbox = open_sandbox();

    (void)state;
    expect_error(sandbox, "\nlocal x = nil\nreturn x.y", ERR_INVALID,
                 "test.lua:3: attempt to index a nil value (local 'x')");
    expect_error(sandbox, "\nerror('no more')", ERR_INVALID,
                 "test.lua:2: no more");
    expect_error(sandbox, "error({})", ERR_INVALID, "no text");
    expect_error(sandbox, "return 1 +", ERR_INVALID, "test.lua:1: ");
    lua_sandbox_close(sandbox);
}

static void nothing_depends_on_addresses_or_hashes(void **state)
{
    static const char *const order =
        "local t = {} for i = 1, 40 do t['k' .. i * 7919 % 101] = i end\n"
        "local s = '' for key in pairs(t) do s = s .. key end return s";
    struct script scripts[2] = {
        {order, strlen(order), BUF_INIT(4096)},
        {order, strlen(order), BUF_INIT(4096)},
    };
    struct err err = ERR_INIT;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(scripts); i++) {
        struct lua_sandbox *sandbox = open_sandbox();

        assert_true(lua_sandbox_run(sandbox, run_script, &scripts[i], &err));
        expect(sandbox, "return tostring({})", "\"table\"");
        expect(sandbox, "return tostring(pairs)", "\"function\"");
        expect_error(sandbox, "return ('%s'):format({})", ERR_INVALID,
                     "format");
        expect_error(sandbox, "return ('%%%-20.3p'):format('x')", ERR_INVALID,
                     "addresses");
        expect_error(sandbox, "return ('%p'):format('x')", ERR_INVALID,
                     "address");
        expect_error(sandbox, "for k in pairs{[{}] = 1} do end", ERR_INVALID,
                     "order");
        lua_sandbox_close(sandbox);
    }
    assert_string_equal(buf_cstr(&scripts[0].result),
                        buf_cstr(&scripts[1].result));
    buf_release(&scripts[0].result);
    buf_release(&scripts[1].result);
}

static void replacement_functions_work(void **state)
{
    static const char *const cases[][2] = {
        {"return ('a,b,,c'):split(',')", "[\"a\",\"b\",\"\",\"c\"]"},
        {"return ('  x y '):trim()", "\"x y\""},
        {"return ('1.5'):replace('.', ',')", "\"1,5\""},
        {"return {('x.y'):find('.')}", "[2,2]"},
        {"return {('xyx'):find('x', 2)}", "[3,3]"},
        {"return {('x'):find('', 9)}", "[]"},
        {"return ('shop'):starts('sh')", "true"},
        {"return utf8.sub('天地玄黄', 2, 3)", "\"地玄\""},
        {"return utf8.sub('天地玄黄', -1)", "\"黄\""},
        {"return utf8.sub('天', 1, -2)", "\"\""},
        {"return table.sort({3, 1, 2})", "[1,2,3]"},
        {"return table.sort({'b1', 'a2', 'a1', 'b0'},\n"
         "function(a, b) return a:byte() < b:byte() end)",
         "[\"a2\",\"a1\",\"b1\",\"b0\"]"},
        {"return table.keys{b = 1, a = 2, [2] = 3, [1] = 4}",
         "[1,2,\"a\",\"b\"]"},
        {"return table.map({1, 2}, function(x) return x * 2 end)", "[2,4]"},
        {"return table.filter({1, 2, 3}, function(x) return x ~= 2 end)",
         "[1,3]"},
        {"return table.join({1}, {}, {2, 3})", "[1,2,3]"},
        {"return table.index({'x', 'y'}, 'y')", "2"},
        {"return (table.find({{id = 4}, {id = 7, of = 'x'}}, 7)).of", "\"x\""},
        {"return select(2, table.find({{id = 4}, {id = 7}}, 7))", "2"},
        {"return (table.find({{of = 'x', to = 3}}, 'x', 'of')).to", "3"},
        {"return table.find({{id = 4}}, 5)", ""},
        {"local a = {b = {1}} local c = table.copy(a) c.b[1] = 2 return a.b",
         "[1]"},
        {"local s = 0 for i, v in ipairs{5, 6} do s = s + i * v end return s",
         "17"},
    };
    struct lua_sandbox *sandbox = open_sandbox();

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        expect(sandbox, cases[i][0], cases[i][1]);
    lua_sandbox_close(sandbox);
}

/* ---- JSON ---- */

static void read_again(lua_State *lua, void *context)
{
    struct script *script = context;

    lua_json_read(lua, script->text, script->length);
    buf_clear(&script->result);
    lua_json_write(lua, -1, "value", &script->result);
}

static void data_reads_back_from_json(void **state)
{
    static const char *const texts[] = {
        "[]",
        "{\"a\":[1,2.0,-3,0.10000000000000001],\"b\":{\"c\":true}}",
        "\"quotes \\\" and \\\\ and \\u000a and 中文 and \\u0000\"",
        "9223372036854775807",
        "-9223372036854775808",
        "1e+22",
        "[[[[]]]]",
        "false",
    };
    struct lua_sandbox *sandbox = open_sandbox();

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct script script = {texts[i], strlen(texts[i]), BUF_INIT(4096)};
        struct err err = ERR_INIT;

        if (!lua_sandbox_run(sandbox, read_again, &script, &err))
            fail_msg("%s: %s", texts[i], err.text);
        assert_string_equal(buf_cstr(&script.result), texts[i]);
        buf_release(&script.result);
    }
    lua_sandbox_close(sandbox);
}

static void invalid_json_is_refused(void **state)
{
    static const char *const texts[] = {
        "",           "[",           "[1",     "[1,]",    "{",        "{}",
        "{1:2}",      "{\"a\"}",     "\"",     "\"\\x\"", "nul",      "nan",
        "inf",        "1e999",       "0x10x",  "[1]x",    "\"\xff\"", "-",
        "{\"a\":1,}", "\"\\u0041\"", "\"\n\"", "--1",
    };
    struct lua_sandbox *sandbox = open_sandbox();

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct script script = {texts[i], strlen(texts[i]), BUF_INIT(4096)};
        struct err err = ERR_INIT;

        if (lua_sandbox_run(sandbox, read_again, &script, &err))
            fail_msg("%s was taken", texts[i]);
        buf_release(&script.result);
    }
    lua_sandbox_close(sandbox);
}

static void other_data_is_refused_with_its_position(void **state)
{
    static const char *const cases[][2] = {
        {"return {a = {1, {b = pairs}}}",
         "result.a[2].b: a function is not plain data"},
        {"return {x = 0/0}", "result.x: a number that is not finite"},
        {"return {1, nil, 3, x = 1}", "result: is neither a list"},
        {"return {[2] = 1}", "result: is neither a list"},
        {"return {x = '\\xff'}", "result.x: the text is not UTF-8"},
        {"return {['a\\0b'] = 1}", "result: a name holds a zero"},
        {"local t = {} t.t = t return t", "too deep"},
    };
    struct lua_sandbox *sandbox = open_sandbox();

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        expect_error(sandbox, cases[i][0], ERR_INVALID, cases[i][1]);
    lua_sandbox_close(sandbox);
}

static void a_sandbox_may_be_too_small_to_open(void **state)
{
    (void)state;
    for (size_t memory = 1; memory < 120000; memory += 1013) {
        const struct lua_sandbox_limits limits = {.memory = memory};
        struct lua_sandbox *sandbox = NULL;
        struct err err = ERR_INIT;

        if (lua_sandbox_open(&limits, &sandbox, &err))
            lua_sandbox_close(sandbox);
        else
            assert_int_equal(err.code, ERR_LIMIT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dangerous_functions_are_missing),
        cmocka_unit_test(limits_stop_a_script_at_its_line),
        cmocka_unit_test(calls_that_would_never_end_are_refused),
        cmocka_unit_test(work_in_c_costs_steps),
        cmocka_unit_test(cpu_time_is_limited),
        cmocka_unit_test(a_stop_from_outside_ends_a_script),
        cmocka_unit_test(no_format_gives_an_address),
        cmocka_unit_test(an_error_in_a_guarded_function_names_it),
        cmocka_unit_test(binary_chunks_are_refused),
        cmocka_unit_test(an_error_names_the_line),
        cmocka_unit_test(nothing_depends_on_addresses_or_hashes),
        cmocka_unit_test(replacement_functions_work),
        cmocka_unit_test(data_reads_back_from_json),
        cmocka_unit_test(invalid_json_is_refused),
        cmocka_unit_test(other_data_is_refused_with_its_position),
        cmocka_unit_test(a_sandbox_may_be_too_small_to_open),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
