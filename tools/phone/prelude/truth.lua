-- Functions for truths: docs/phone-apps.md describes them.
local phone = ...

-- All texts are in the phone's wording.
phone.frame.stand{ locale = phone.locale }

-- ---- the apps ----

local defined = {}

-- What an app exports under `knows`; its functions use the app's own random
-- numbers, which depend on the app's name.
function use(name)
    if defined[name] then
        return defined[name]
    end
    phone.name = name
    local knows = {}
    for key, value in pairs(phone.include(name).knows or {}) do
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

-- ---- what was worked out before ----

-- The past does not change, and truths are asked after every step: what
-- depends on the past alone is worked out once.
local matched    -- by pattern: its events so far
local states     -- by number
local state_count
local results    -- by function, by its argument

local STATES_MAX = 500

local function forget_states()
    states, state_count, results = {}, 0, {}
end

forget_states()

-- f(value), worked out once for each state, or once without a value. f must
-- not be a new function each time, and depend on nothing else that changes.
function once(f, value)
    local key = value == nil and f or value
    local by_key = results[f] or {}
    results[f] = by_key
    if by_key[key] == nil then
        by_key[key] = { f(value) }
    end
    return table.unpack(by_key[key])
end

-- ---- events ----

-- Does a text fit the parts of a pattern, which are separated by '*'?
local function fits(parts, text)
    if #parts == 1 then
        return parts[1] == text
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

-- Each event: { call = "shop.sort price_asc", app = "shop",
-- name = "sort", args = { "price_asc" }, number =, time = }.
events = {}
matched = {}

local function learn(event)
    local point = event.event:find(".")
    event.app = event.event:sub(1, point - 1)
    event.name = event.event:sub(point + 1)
    event.call = table.concat(table.join({ event.event },
                                         table.map(event.args, tostring)), " ")
    events[#events + 1] = event
end

local function new_match(patterns)
    return { parts = table.map(patterns, function(pattern)
        return pattern:split("*")
    end), count = 0, events = {} }
end

local function fits_any(match, text)
    for _, parts in ipairs(match.parts) do
        if fits(parts, text) then
            return true
        end
    end
    return false
end

-- All events that match a text, or any of a list of texts. Not to be changed.
local function matching(pattern)
    local patterns = type(pattern) == "table" and pattern or { pattern }
    local key = table.concat(patterns, "\n")
    local match = matched[key] or new_match(patterns)
    matched[key] = match
    for i = match.count + 1, #events do
        if fits_any(match, events[i].call) then
            match.events[#match.events + 1] = events[i]
        end
    end
    match.count = #events
    return match.events
end

local function is_between(event, from, to)
    return not (from and event.number <= from.number or
                to and event.number >= to.number)
end

-- Only those between two events, if given.
function all(pattern, from, to)
    return table.filter(matching(pattern), function(event)
        return is_between(event, from, to)
    end)
end

function first(pattern, from, to)
    for _, event in ipairs(matching(pattern)) do
        if is_between(event, from, to) then
            return event
        end
    end
end

function last(pattern, from, to)
    local found = matching(pattern)
    for i = #found, 1, -1 do
        if is_between(found[i], from, to) then
            return found[i]
        end
    end
end

function happened(pattern, from, to)
    return first(pattern, from, to) ~= nil
end

-- ---- states ----

local function state_at(app, number, after)
    local moment = phone.moment(app, number, after)
    if not moment then
        return nil
    end
    if states[moment] == nil then
        if state_count >= STATES_MAX then
            forget_states()
        end
        states[moment] = phone.state(moment) or false
        state_count = state_count + 1
    end
    return states[moment] or nil
end

-- The state of an app: { state =, stack = { { "main" }, { "results" } } },
-- before an event, after it, or at the end; nil if it is not open. It is the
-- same table each time: not to be changed.
function before(event)
    return state_at(event.app, event.number, false)
end

function afterwards(event)
    return state_at(event.app, event.number, true)
end

function in_the_end(app)
    return state_at(app, math.maxinteger, false)
end

-- Is its screen of that name on top, with these arguments?
function on_screen(app, name, ...)
    local top = app and app.stack[#app.stack] or {}
    for i, part in ipairs{ name, ... } do
        if top[i] ~= part then
            return false
        end
    end
    return #top > 0
end

-- The state of an app in the end; nil if it is closed.
function ended(name)
    local app = in_the_end(name)
    return app and app.state
end

-- Did that hold for the app at some time, before the event if one is given?
function held(name, holds, to)
    local function fits(app) return app and holds(app) end

    for _, event in ipairs(all(name .. ".*", nil, to)) do
        if fits(before(event)) or fits(afterwards(event)) then
            return true
        end
    end
    -- An event of another app says nothing about this one's state.
    return fits(to and to.app == name and before(to) or
                not to and in_the_end(name)) or false
end

-- Was that screen of the app on top at some time, before the event if there is
-- one?
function saw(name, to, ...)
    local screen = { ... }
    return held(name, function(app)
        return on_screen(app, table.unpack(screen))
    end, to)
end

-- "12.30", as bills and prices are written.
function decimal(cents)
    return string.format("%d.%02d", cents // 100, cents % 100)
end

-- The package of the app in front at the end.
front = ""

-- Call a function with the phone's time of then.
function at(event, f, ...)
    local now_is = phone.now
    phone.now = function() return event.time / 1000 end
    local result = f(...)
    phone.now = now_is
    return result
end

permitted = phone.permitted

-- The SSIM and PSNR of a PNG on the phone and a document (pictures/). A mask is
-- a document whose mask_of names a layer: only what this mask shows counts, or
-- with outside only the rest.
likeness = phone.likeness

-- ---- answers ----

-- All numbers in a text, with any thousands separators.
function numbers_in(text)
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
    return numbers
end

-- The only number in a text; nil if there is none, or more than one.
function number_in(text)
    local numbers = numbers_in(text)
    return #numbers == 1 and numbers[1] or nil
end

-- Does an answer contain that?
function says(answer, text)
    local function plain(some)
        return (some:lower():replace(" ", ""))
    end
    return answer ~= nil and plain(answer):find(plain(text)) ~= nil
end

-- ---- evaluation ----

-- Facts are those of the phone when it was new: they do not change.
local known = {}

local function facts_of(truth)
    known[truth] = known[truth] or truth.facts and truth.facts() or {}
    return known[truth]
end

local asked = {}

-- What happened since the last question, and what is seen now.
function asked.learn(news, package)
    for _, event in ipairs(news) do
        learn(event)
    end
    front = package
end

-- The next call of learn has all events from the first on.
function asked.forget()
    events, matched = {}, {}
    forget_states()
end

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

-- A document that its pictures are compared with; nil if there is none.
function asked.picture(truths, name, which)
    local truth = truths[name]
    return truth and truth.pictures and truth.pictures(facts_of(truth))[which]
end

-- { { "exported", true }, ... } as { { name = "exported", met = true }, ... }
local function named(clauses)
    return table.map(clauses, function(clause)
        return { name = clause[1], met = clause[2] and true or false }
    end)
end

function asked.judge(truths, name, answer)
    local truth = truths[name]
    if not truth then
        return nil
    end
    local clauses = named(truth.clauses(facts_of(truth), answer))
    local met = #clauses > 0
    for _, clause in ipairs(clauses) do
        met = met and clause.met
    end
    return { clauses = clauses, met = met,
             checklist = truth.checklist and
                         named(truth.checklist(facts_of(truth))) or nil }
end

return asked
