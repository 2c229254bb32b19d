-- Replacements of Lua functions that the sandbox lacks: their time is linear
-- in their arguments, and they are deterministic.
local next = ...

-- Merge sort: equal elements keep their order.
local function merge(list, before, first, middle, last)
    local left = {}
    for i = first, middle do
        left[#left + 1] = list[i]
    end
    local i, j, at = 1, middle + 1, first
    while i <= #left do
        if j <= last and before(list[j], left[i]) then
            list[at], j = list[j], j + 1
        else
            list[at], i = left[i], i + 1
        end
        at = at + 1
    end
end

local function sort(list, before, first, last)
    if first < last then
        local middle = (first + last) // 2
        sort(list, before, first, middle)
        sort(list, before, middle + 1, last)
        merge(list, before, first, middle, last)
    end
end

local function less(a, b)
    return a < b
end

function table.sort(list, before)
    sort(list, before or less, 1, #list)
    return list
end

-- Numbers come before texts, and false before true.
local function key_before(a, b)
    local a_type, b_type = type(a), type(b)
    if a_type ~= b_type then
        return a_type < b_type
    elseif a_type == "boolean" then
        return not a and b
    end
    return a < b
end

function table.keys(t)
    local keys = {}
    for key in next, t do
        local kind = type(key)
        if kind ~= "number" and kind ~= "string" and kind ~= "boolean" then
            error("a " .. kind .. " is a key, which has no order", 3)
        end
        keys[#keys + 1] = key
    end
    return table.sort(keys, key_before)
end

function pairs(t)
    local keys = table.keys(t)
    local i = 0
    return function()
        local key
        repeat
            i = i + 1
            key = keys[i]
        until key == nil or t[key] ~= nil
        return key, t[key]
    end
end

function table.map(list, change)
    local changed = {}
    for i, value in ipairs(list) do
        changed[#changed + 1] = change(value, i)
    end
    return changed
end

function table.filter(list, wanted)
    local kept = {}
    for _, value in ipairs(list) do
        if wanted(value) then
            kept[#kept + 1] = value
        end
    end
    return kept
end

function table.index(list, wanted)
    for i, value in ipairs(list) do
        if value == wanted then
            return i
        end
    end
end

function table.has(list, wanted)
    return table.index(list, wanted) ~= nil
end

-- The table in a list whose field has that value, and its place. The field is
-- "id" unless another name is given.
function table.find(list, wanted, name)
    for i, value in ipairs(list) do
        if value[name or "id"] == wanted then
            return value, i
        end
    end
end

-- Put a value into a list, or take it out.
function table.toggle(list, wanted)
    local place = table.index(list, wanted)
    if place then
        table.remove(list, place)
    else
        table.insert(list, wanted)
    end
end

-- A new list with the elements of several lists.
function table.join(...)
    local joined = {}
    for _, list in ipairs{...} do
        for _, value in ipairs(list) do
            joined[#joined + 1] = value
        end
    end
    return joined
end

-- A deep copy of plain data.
function table.copy(value)
    if type(value) ~= "table" then
        return value
    end
    local copied = {}
    for key, inner in next, value do
        copied[key] = table.copy(inner)
    end
    return copied
end

function string.split(text, separator)
    if separator == "" then
        error("nothing separates nothing", 2)
    end
    local parts, from = {}, 1
    while true do
        local first, last = text:find(separator, from)
        parts[#parts + 1] = text:sub(from, (first or 0) - 1)
        if not first then
            return parts
        end
        from = last + 1
    end
end

function string.replace(text, old, new)
    return table.concat(text:split(old), new)
end

function string.starts(text, prefix)
    return text:sub(1, #prefix) == prefix
end

function string.trim(text)
    local first, last = 1, #text
    while first <= last and text:byte(first) <= 32 do
        first = first + 1
    end
    while last >= first and text:byte(last) <= 32 do
        last = last - 1
    end
    return text:sub(first, last)
end

-- Counts characters, not bytes.
function utf8.sub(text, first, last)
    local length = utf8.len(text)
    if first < 0 then
        first = math.max(length + first + 1, 1)
    end
    last = last or length
    if last < 0 then
        last = length + last + 1
    end
    last = math.min(last, length)
    if first > last then
        return ""
    end
    return text:sub(utf8.offset(text, first), utf8.offset(text, last + 1) - 1)
end
