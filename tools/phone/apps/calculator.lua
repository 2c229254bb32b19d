-- A calculator: arithmetic, powers and roots, angles and logarithms.

local words = {
    history = { en = { "History", "Past results" },
                zh = { "历史记录", "计算记录" } },
    clear_history = { en = { "Clear", "Clear history" },
                      zh = { "清除", "清空记录" } },
    no_history = { en = "No history yet", zh = "暂无历史记录" },
    delete = { en = "Delete", zh = "删除" },
    more = { en = { "More functions", "Scientific" },
             zh = { "更多函数", "科学计算" } },
    less = { en = "Fewer functions", zh = "收起函数" },
    bad = { en = "Format error", zh = "格式错误" },
    zero = { en = "Can't divide by 0", zh = "无法除以 0" },
    range = { en = "Not a number", zh = "不是数字" },
    deleted = { en = "History cleared", zh = "历史记录已清除" },
}

-- ---- arithmetic ----

-- Each function of the grammar returns a value and the next position; on an
-- error nil and the name of a text.
local expression

local function starts(text, at, what)
    return text:sub(at, at + #what - 1) == what
end

local function number(text, at)
    local from = at
    while text:sub(at, at) ~= "" and ("0123456789."):find(text:sub(at, at)) do
        at = at + 1
    end
    if starts(text, at, "E") and at > from then
        local sign = (starts(text, at + 1, "-") or starts(text, at + 1, "+"))
            and 1 or 0
        at = at + 1 + sign
        while text:sub(at, at) ~= "" and ("0123456789"):find(text:sub(at, at)) do
            at = at + 1
        end
    end
    local value = tonumber(text:sub(from, at - 1))
    if not value then
        return nil, "bad"
    end
    return value + 0.0, at
end

local functions = {
    ["sin⁻¹("] = function(x, turn) return math.asin(x) / turn end,
    ["cos⁻¹("] = function(x, turn) return math.acos(x) / turn end,
    ["tan⁻¹("] = function(x, turn) return math.atan(x) / turn end,
    ["sin("] = function(x, turn) return math.sin(x * turn) end,
    ["cos("] = function(x, turn) return math.cos(x * turn) end,
    ["tan("] = function(x, turn) return math.tan(x * turn) end,
    ["ln("] = function(x) return math.log(x) end,
    ["log("] = function(x) return math.log(x, 10) end,
    ["exp("] = function(x) return math.exp(x) end,
    ["("] = function(x) return x end,
}
local function_names = table.keys(functions)

local function atom(text, at, turn)
    if starts(text, at, "π") then
        return math.pi, at + #"π"
    elseif starts(text, at, "e") and not starts(text, at, "exp") then
        return math.exp(1), at + 1
    end
    for _, name in ipairs(function_names) do
        if starts(text, at, name) then
            local value, after = expression(text, at + #name, turn)
            if not value then
                return nil, after
            end
            -- Open parentheses are closed at the end.
            if starts(text, after, ")") then
                after = after + 1
            elseif after <= #text then
                return nil, "bad"
            end
            return functions[name](value, turn), after
        end
    end
    return number(text, at)
end

local function factorial(x)
    if x < 0 or x > 170 or x ~= math.floor(x) then
        return 0 / 0
    end
    local product = 1.0
    for i = 2, math.tointeger(x) do
        product = product * i
    end
    return product
end

local function with_signs(text, at, turn)
    local value, after = atom(text, at, turn)
    while value do
        if starts(text, after, "!") then
            value, after = factorial(value), after + 1
        elseif starts(text, after, "%") then
            value, after = value / 100, after + 1
        elseif starts(text, after, "²") then
            value, after = value * value, after + #"²"
        else
            break
        end
    end
    return value, after
end

local unary

local function power(text, at, turn)
    local value, after = with_signs(text, at, turn)
    if value and starts(text, after, "^") then
        local exponent
        exponent, after = unary(text, after + 1, turn)
        return exponent and value ^ exponent, after
    end
    return value, after
end

function unary(text, at, turn)
    if starts(text, at, "−") then
        local value, after = unary(text, at + #"−", turn)
        return value and -value, after
    elseif starts(text, at, "√") then
        local value, after = unary(text, at + #"√", turn)
        return value and math.sqrt(value), after
    end
    return power(text, at, turn)
end

-- What a factor may begin with that needs no operator before it: 2π, 3(4).
local function is_implied(text, at)
    for _, name in ipairs(function_names) do
        if starts(text, at, name) then
            return true
        end
    end
    return starts(text, at, "π") or starts(text, at, "√") or
           starts(text, at, "e")
end

local function product(text, at, turn)
    local value, after = unary(text, at, turn)
    while value do
        local factor
        if starts(text, after, "×") then
            factor, after = unary(text, after + #"×", turn)
            value = factor and value * factor
        elseif starts(text, after, "÷") then
            factor, after = unary(text, after + #"÷", turn)
            if factor == 0 then
                return nil, "zero"
            end
            value = factor and value / factor
        elseif is_implied(text, after) then
            factor, after = unary(text, after, turn)
            value = factor and value * factor
        else
            break
        end
    end
    return value, after
end

function expression(text, at, turn)
    local value, after = product(text, at, turn)
    while value do
        local term
        if starts(text, after, "+") then
            term, after = product(text, after + 1, turn)
            value = term and value + term
        elseif starts(text, after, "−") then
            term, after = product(text, after + #"−", turn)
            value = term and value - term
        else
            break
        end
    end
    return value, after
end

local function evaluate(text, degrees)
    local value, after = expression(text, 1, degrees and math.pi / 180 or 1.0)
    if not value then
        return nil, after
    elseif after <= #text then
        return nil, "bad"
    elseif value ~= value or value == math.huge or value == -math.huge then
        return nil, "range"
    end
    return value
end

-- As many digits as fit, and at most the precision of a float.
local function written(value)
    local text = string.format("%.12g", value + 0.0)
    local mantissa, exponent = text, ""
    local e = text:find("e")
    if math.abs(value) < 1e-14 then
        return "0"
    end
    if e then
        mantissa = text:sub(1, e - 1)
        exponent = "E" .. math.tointeger(tonumber(text:sub(e + 1)))
    end
    return mantissa:replace("-", "−") .. exponent
end

-- With thousands separators, for display only.
local function grouped(text)
    local whole, rest = text, ""
    local point = text:find(".") or text:find("E")
    if text:find("E") then
        return text
    elseif point then
        whole, rest = text:sub(1, point - 1), text:sub(point)
    end
    local sign = ""
    if whole:starts("−") then
        sign, whole = "−", whole:sub(#"−" + 1)
    end
    while #whole > 3 do
        rest = "," .. whole:sub(-3) .. rest
        whole = whole:sub(1, -4)
    end
    return sign .. whole .. rest
end

-- ---- the state ----

local state = {
    text = "",        -- as typed
    done = false,     -- the text is a result
    wrong = "",       -- name of a text: why there is no result
    degrees = true,
    inverse = false,
    expanded = false,
    history = {},     -- the newest last
}

local handlers = {}

-- Delete the last character, or a whole function name.
local function without_last(text)
    for _, name in ipairs(function_names) do
        if #text >= #name and text:sub(-#name) == name then
            return text:sub(1, -#name - 1)
        end
    end
    return utf8.sub(text, 1, -2)
end

local operators = { ["+"] = true, ["−"] = true, ["×"] = true, ["÷"] = true,
                    ["^"] = true }
local goes_on = { ["%"] = true, ["!"] = true, ["²"] = true }

function handlers.press(state, key)
    local operator = operators[key]
    state.wrong = ""
    if state.done and not operator and not goes_on[key] then
        state.text = ""
    end
    state.done = false
    if #state.text + #key > 200 then
        return
    end
    local last = utf8.sub(state.text, -1)
    if operator and key ~= "−" and (state.text == "" or last == "(") then
        return
    elseif operator and operators[last] and
           not (key == "−" and (last == "×" or last == "÷" or last == "^")) then
        state.text = without_last(state.text)
    end
    state.text = state.text .. key
end

function handlers.parenthesis(state)
    local open = 0
    for _, code in utf8.codes(state.text) do
        if code == 0x28 then
            open = open + 1
        elseif code == 0x29 then
            open = open - 1
        end
    end
    local last = utf8.sub(state.text, -1)
    local closes = open > 0 and not operators[last] and last ~= "("
    handlers.press(state, closes and ")" or "(")
end

function handlers.delete(state)
    state.wrong = ""
    state.done = false
    state.text = without_last(state.text)
end

function handlers.clear(state)
    state.text, state.wrong, state.done = "", "", false
end

function handlers.equals(state)
    local value, why = evaluate(state.text, state.degrees)
    if state.text == "" then
        return
    elseif not value then
        state.wrong = why
        return
    end
    if not state.done then
        table.insert(state.history, { text = state.text,
                                      result = written(value) })
        if #state.history > 50 then
            table.remove(state.history, 1)
        end
    end
    state.text, state.done = written(value), true
    event("result", state.text)
end

function handlers.angle(state) state.degrees = not state.degrees end
function handlers.inverse(state) state.inverse = not state.inverse end
function handlers.expand(state) state.expanded = not state.expanded end

function handlers.recall(state, number)
    state.text, state.done = state.history[number].result, true
    state.wrong = ""
    back()
end

function handlers.clear_history(state)
    state.history = {}
    snack(words.deleted)
end

-- ---- the screens ----

local function key(label, look, action, extra)
    local made = button{ label, on_click = action, weight = 1, height = "fill",
        text_size = look.size or 28, radius = 40, padding = 0,
        style = not look.ground and "plain" or nil,
        background = look.ground, ink = look.ink or "on_surface" }
    for name, value in pairs(extra or {}) do
        made[name] = value
    end
    return made
end

local digit = { ground = "surface_container_highest" }
local operator = { ground = "secondary_container",
                   ink = "on_secondary_container" }
local strong = { ground = "primary", ink = "on_primary" }
local clear = { ground = "tertiary_container", ink = "on_tertiary_container" }
local quiet = { size = 20, ink = "on_surface_variant" }

local function press(label, look, extra)
    return key(label, look, { "press", label }, extra)
end

local function keys(list)
    return row{ width = "fill", weight = 1, gap = 10, list }
end

local function scientific(state)
    local inverse = state.inverse
    local function either(plain, inverted, plain_key, inverted_key)
        return key(inverse and inverted or plain, quiet,
            { "press", inverse and inverted_key or plain_key })
    end
    return {
        row{ width = "fill", height = 52, gap = 4, shuffle_by_skin{
            key(state.degrees and "RAD" or "DEG", quiet, "angle",
                { id = "toggle_mode" }),
            either("sin", "sin⁻¹", "sin(", "sin⁻¹("),
            either("cos", "cos⁻¹", "cos(", "cos⁻¹("),
            either("tan", "tan⁻¹", "tan(", "tan⁻¹("),
        } },
        row{ width = "fill", height = 52, gap = 4,
            key("INV", quiet, "inverse", { id = "toggle_inv",
                selected = inverse,
                ink = inverse and "primary" or "on_surface_variant" }),
            key("e", quiet, { "press", "e" }),
            either("ln", "eˣ", "ln(", "exp("),
            either("log", "10ˣ", "log(", "10^") },
    }
end

local function screen_text(state)
    local value = evaluate(state.text, state.degrees)
    local below = ""
    if state.wrong ~= "" then
        below = words[state.wrong]
    elseif value and not state.done and written(value) ~= state.text then
        below = grouped(written(value))
    end
    local size = utf8.len(state.text) > 12 and 40 or 56
    return column{ id = "display", width = "fill", weight = 1, down = "end",
        across = "end", padding = 24, gap = 12,
        text{ state.done and grouped(state.text) or state.text, id = "formula",
            width = "fill", text_size = size, text_align = "right", lines = 2,
            ink = "on_surface" },
        text{ below, id = "result", width = "fill", text_size = 28,
            text_align = "right", lines = 1,
            ink = state.wrong ~= "" and "error" or "on_surface_variant" } }
end

local function main(state)
    return column{ width = "fill", height = "fill", background = "surface",
        padding_top = display().top, padding_bottom = display().bottom + 8,
        row{ width = "fill", height = 56, across = "end", padding_right = 8,
            down = "center",
            text_button{ words.history, id = "menu_history",
                on_click = { "go", "history" } } },
        screen_text(state),
        column{ id = "pad_basic", width = "fill", weight = 2, gap = 10,
            padding_left = 12, padding_right = 12,
            row{ width = "fill", height = 52, gap = 4,
                press("√", quiet), press("π", quiet), press("^", quiet),
                press("!", quiet),
                row{ weight = 1, height = "fill", across = "center",
                    down = "center",
                    icon_button{ id = "arrow", on_click = "expand",
                        icon = state.expanded and "up" or "down",
                        description = state.expanded and words.less or
                                      words.more } } },
            state.expanded and scientific(state) or {},
            keys{ key("AC", clear, "clear", { id = "clr" }),
                key("( )", operator, "parenthesis", { id = "parens" }),
                press("%", operator), press("÷", operator, { id = "op_div" }) },
            keys{ press("7", digit, { id = "digit_7" }),
                press("8", digit, { id = "digit_8" }),
                press("9", digit, { id = "digit_9" }),
                press("×", operator, { id = "op_mul" }) },
            keys{ press("4", digit, { id = "digit_4" }),
                press("5", digit, { id = "digit_5" }),
                press("6", digit, { id = "digit_6" }),
                press("−", operator, { id = "op_sub" }) },
            keys{ press("1", digit, { id = "digit_1" }),
                press("2", digit, { id = "digit_2" }),
                press("3", digit, { id = "digit_3" }),
                press("+", operator, { id = "op_add" }) },
            keys{ press("0", digit, { id = "digit_0" }),
                press(".", digit, { id = "dec_point" }),
                button{ weight = 1, height = "fill", radius = 40, id = "del",
                    icon = "backspace", padding = 0,
                    background = "surface_container_highest",
                    ink = "on_surface", class = "android.widget.ImageButton",
                    description = words.delete, on_click = "delete" },
                key("=", strong, "equals", { id = "eq" }) } } }
end

local function history_row(entry, number)
    return column{ id = "history_item", width = "fill", padding = 16, gap = 4,
        across = "end", on_click = { "recall", number },
        text{ entry.text, style = "body_large", ink = "on_surface_variant" },
        text{ "= " .. grouped(entry.result), style = "headline_small",
            ink = "on_surface" } }
end

local function history(state)
    local rows = {}
    for i = #state.history, 1, -1 do
        table.insert(rows, history_row(state.history[i], i))
    end
    return page{ title = words.history,
        actions = { text_button{ words.clear_history, id = "clear_history",
            disabled = #rows == 0, on_click = "clear_history" } },
        #rows == 0 and text{ words.no_history, width = "fill", padding = 48,
            text_align = "center", style = "body_large",
            ink = "on_surface_variant" } or list{ weight = 1, id = "history_list",
                rows } }
end

return {
    package = "com.android.calculator2",
    name = { en = "Calculator", zh = "计算器" },
    state = state,
    screens = { main = main, history = history },
    handlers = handlers,

    -- Keys of a hardware keyboard.
    on_text = function(state, text)
        local meaning = { ["*"] = "×", ["/"] = "÷", ["-"] = "−" }
        for _, code in utf8.codes(text) do
            local c = utf8.char(code)
            if c == "=" then
                handlers.equals(state)
            elseif ("0123456789.+-*/^!%()"):find(c) then
                handlers.press(state, meaning[c] or c)
            end
        end
    end,
    on_key = function(state, key)
        if key == 66 or key == 160 then
            handlers.equals(state)
        elseif key == 67 then
            handlers.delete(state)
        else
            return false
        end
        return true
    end,
}
