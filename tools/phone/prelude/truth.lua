-- What truths are written with: docs/phone-apps.md describes it.
local phone = ...

-- Everything is worded as the phone words it.
phone.frame.stand{ locale = phone.locale }

-- ---- the apps ----

local defined = {}

-- What an app knows, as its file tells under `knows`; its functions find the
-- chance that the app has, which depends on its name.
function use(name)
    if defined[name] then
        return defined[name]
    end
    phone.name = name
    local knows = {}
    for key, value in pairs(phone.define(name).knows or {}) do
        if type(value) == "function" then
            knows[key] = function(...)
                phone.name = name
                local result = value(...)
                phone.name = "truth"
                return result
            end
        else
            knows[key] = value
        end
    end
    phone.name = "truth"
    defined[name] = knows
    return knows
end

-- ---- what happened ----

-- '*' stands for any text.
local function fits(pattern, text)
    local parts = pattern:split("*")
    if #parts == 1 then
        return pattern == text
    end
    if not text:starts(parts[1]) then
        return false
    end
    local at = #parts[1] + 1
    for i = 2, #parts - 1 do
        local first, last = text:find(parts[i], at)
        if not first then
            return false
        end
        at = last + 1
    end
    local tail = parts[#parts]
    return #text - #tail + 1 >= at and text:sub(#text - #tail + 1) == tail
end

-- Each event as it was: { call = "shop.sort price_asc", app = "shop",
-- name = "sort", args = { "price_asc" }, number =, time = }.
events = table.map(phone.events, function(event)
    local point = event.event:find(".")
    event.app = event.event:sub(1, point - 1)
    event.name = event.event:sub(point + 1)
    event.call = table.concat(table.join({ event.event },
                                         table.map(event.args, tostring)), " ")
    return event
end)

-- Those that fit: a text, or a list of texts any of which will do; between
-- two events, where they are given.
function all(pattern, from, to)
    local patterns = type(pattern) == "table" and pattern or { pattern }
    return table.filter(events, function(event)
        if from and event.number <= from.number or
           to and event.number >= to.number then
            return false
        end
        for _, one in ipairs(patterns) do
            if fits(one, event.call) then
                return true
            end
        end
        return false
    end)
end

function first(pattern, from, to)
    return all(pattern, from, to)[1]
end

function last(pattern, from, to)
    local found = all(pattern, from, to)
    return found[#found]
end

function happened(pattern, from, to)
    return first(pattern, from, to) ~= nil
end

-- ---- how things were ----

-- What an app is: { state =, stack = { { "main" }, { "results" } } }, before
-- an event, after it, and in the end; nil while it is not open.
function before(event)
    return phone.state(event.app, event.number, false)
end

function afterwards(event)
    return phone.state(event.app, event.number, true)
end

function in_the_end(app)
    return phone.state(app, math.maxinteger, false)
end

-- Is its screen of that name on top, with what it was given?
function on_screen(app, name, ...)
    local top = app and app.stack[#app.stack] or {}
    for i, part in ipairs{ name, ... } do
        if top[i] ~= part then
            return false
        end
    end
    return #top > 0
end

-- The package of the app that is seen in the end.
front = phone.front

-- Call a function as if it were then.
function at(event, f, ...)
    local now_is = phone.now
    phone.now = function() return event.time / 1000 end
    local result = f(...)
    phone.now = now_is
    return result
end

permitted = phone.permitted

-- ---- answers ----

-- The only number in a text, however its thousands are written; nil when
-- there is none, or more than one.
function number_in(text)
    local digits, numbers = "", {}
    for i = 1, #(text or "") + 1 do
        local c = text and text:sub(i, i) or ""
        local goes_on = (c == "." or c == ",") and digits ~= "" and
                        ("0123456789"):find(text:sub(i + 1, i + 1)) and
                        i < #text
        if c ~= "" and ("0123456789"):find(c) or goes_on then
            digits = digits .. c
        elseif digits ~= "" then
            numbers[#numbers + 1] = tonumber((digits:replace(",", "")))
            digits = ""
        end
    end
    return #numbers == 1 and numbers[1] or nil
end

-- Does an answer say that, whatever else it says?
function says(answer, text)
    local function plain(some)
        return (some:lower():replace(" ", ""))
    end
    return answer ~= nil and plain(answer):find(plain(text)) ~= nil
end

-- ---- being asked ----

local function facts_of(truth)
    return truth.facts and truth.facts() or {}
end

local asked = {}

function asked.facts(truths, name)
    local truth = truths[name]
    if not truth then
        return nil
    end
    local facts = {}
    for key, value in pairs(facts_of(truth)) do
        facts[key] = tostring(value)
    end
    return facts
end

function asked.judge(truths, name, answer)
    local truth = truths[name]
    if not truth then
        return nil
    end
    local clauses = table.map(truth.clauses(facts_of(truth), answer),
        function(clause)
            return { name = clause[1], met = clause[2] and true or false }
        end)
    local met = #clauses > 0
    for _, clause in ipairs(clauses) do
        met = met and clause.met
    end
    return { clauses = clauses, met = met }
end

return asked
