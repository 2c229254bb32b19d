-- When the tasks in Phone are done.
local dialer = use("dialer")
local people = dialer.people

local truths = {}

local function digits_of(number) return (number:replace(" ", "")) end

-- Who was called, in order, as digits.
local function placed(state)
    return table.map(state and state.placed or {}, digits_of)
end

local function only_called(state, number)
    local numbers = placed(state)
    return #numbers > 0 and #table.filter(numbers, function(one)
        return one ~= digits_of(number)
    end) == 0
end

local function find(state, id)
    return state and table.find(state.people, id)
end

local function name(id) return t(people[id].name) end

-- Was the tab of calls shown before this event, or at all?
local function recents_seen(event)
    return happened("dialer.tab recents", nil, event)
end

-- ---- calling ----

truths.work = {
    facts = function()
        local some = random("work task").shuffle{ 2, 4, 6, 8, 10, 12, 14, 16 }
        return { id = some[1], name = name(some[1]),
                 number = people[some[1]].work,
                 mobile = people[some[1]].mobile, other = some[2],
                 other_number = people[some[2]].work }
    end,
    clauses = function(fact)
        local state = ended("dialer")
        return {
            { "called", table.index(placed(state), digits_of(fact.number)) },
            { "no_other", not state or #state.placed == 0 or
              only_called(state, fact.number) },
        }
    end,
}

truths.missed = {
    facts = function()
        local most, some = dialer.missed_most, dialer.missed_some
        return { id = most, name = name(most), number = people[most].mobile,
                 other = some, other_name = name(some),
                 other_number = people[some].mobile }
    end,
    clauses = function(fact)
        local state = ended("dialer")
        local call = first("dialer.call " .. fact.number)
        return {
            { "looked_up", recents_seen(call) },
            { "called", call },
            { "no_other", not state or #state.placed == 0 or
              only_called(state, fact.number) },
        }
    end,
}

-- ---- the calls ----

-- The last call from a person, and their own call to them after it.
local function last_from(id)
    for _, call in ipairs(dialer.calls) do
        if call.kind == "incoming" and call.number == people[id].mobile then
            return call
        end
    end
end

local function last_to(id)
    for _, call in ipairs(dialer.calls) do
        if call.kind == "outgoing" and call.number == people[id].mobile then
            return call
        end
    end
end

local function clock_in(answer, minute)
    local text = dates.time(minute)
    local short = text:sub(1, 1) == "0" and text:sub(2) or text
    local hours = minute // 60
    local afternoon = string.format("%d:%02d", (hours - 1) % 12 + 1,
                                    minute % 60)
    return says(answer, short) or hours > 12 and says(answer, afternoon) and
           (says(answer, "pm") or says(answer, "下午") or
            says(answer, "晚上") or says(answer, "p.m."))
end

truths.when = {
    facts = function()
        local id = random("when task").pick{ dialer.talked[3],
            dialer.talked[4], dialer.talked[5], dialer.talked[7] }
        local call, own = last_from(id), last_to(id)
        return { id = id, name = name(id), number = people[id].mobile,
                 minute = call.minute, time = dates.time(call.minute),
                 own_time = dates.time(own.minute),
                 wrong = dates.time(call.minute + 1) }
    end,
    clauses = function(fact, answer)
        return {
            { "looked_up", happened("dialer.history " .. fact.number) },
            { "answered", clock_in(answer, fact.minute) },
        }
    end,
}

-- The newest call that went out.
truths.favourite = {
    facts = function()
        local calls = table.filter(dialer.calls, function(call)
            return call.kind == "outgoing"
        end)
        local function owner(number)
            return table.filter(people, function(person)
                return person.mobile == number or person.work == number
            end)[1]
        end
        local last_one = owner(calls[1].number)
        local other = table.filter(dialer.calls, function(call)
            return call.kind == "incoming"
        end)[1]
        local other_one = owner(other.number)
        return { id = last_one.id, name = t(last_one.name),
                 other = other_one.id, other_name = t(other_one.name) }
    end,
    clauses = function(fact)
        local state = ended("dialer")
        local starred = state and state.favourites or {}
        local known = table.join(dialer.favourites, { fact.id })
        return {
            { "looked_up", recents_seen(last("dialer.star *")) },
            { "starred", table.index(starred, fact.id) },
            { "no_other", #table.filter(starred, function(id)
                return not table.has(known, id)
            end) == 0 and (not state or #table.filter(dialer.favourites,
                function(id)
                    return not table.has(starred, id)
                end) == 0) },
        }
    end,
}

-- ---- blocked numbers ----

local function blocked_in(state)
    return table.map(state and state.blocked or dialer.blocked, digits_of)
end

local function all_in(list, some)
    return #table.filter(some, function(one)
        return not table.has(list, digits_of(one))
    end) == 0
end

truths.block = {
    facts = function()
        return { number = dialer.strangers[1], near = dialer.strangers[2] }
    end,
    clauses = function(fact)
        local now_blocked = blocked_in(ended("dialer"))
        return {
            { "blocked", table.index(now_blocked, digits_of(fact.number)) },
            { "no_other", all_in(now_blocked, dialer.blocked) and
              #now_blocked <= #dialer.blocked + 1 and
              not table.has(now_blocked, digits_of(fact.near)) },
        }
    end,
}

truths.unblock = {
    facts = function()
        return { id = 5, name = name(5), number = people[5].mobile,
                 other_number = dialer.blocked[1] }
    end,
    clauses = function(fact)
        local state = ended("dialer")
        local now_blocked = blocked_in(state)
        return {
            { "looked_up", happened("dialer.person " .. fact.id) },
            { "unblocked", state and not table.has(now_blocked,
                digits_of(fact.number)) },
            { "no_other", #now_blocked >= #dialer.blocked - 1 and
              table.index(now_blocked, digits_of(fact.other_number)) },
        }
    end,
}

-- ---- contacts ----

truths.save = {
    facts = function()
        local r = random("save task")
        local firms = r.shuffle{ { en = "Boiler service", zh = "锅炉维修" },
                                 { en = "Piano tuner", zh = "钢琴调音" },
                                 { en = "Bike repair", zh = "修自行车" } }
        return { number = dialer.strangers[1], near = dialer.strangers[2],
                 name = t(firms[1]), wrong = t(firms[2]) }
    end,
    clauses = function(fact)
        local state = ended("dialer")
        local new = table.filter(state and state.people or {},
            function(person) return person.id > #people end)
        local one = new[1] or { mobile = "", work = "", name = "" }
        return {
            { "number", digits_of(one.mobile) == digits_of(fact.number) or
              digits_of(one.work) == digits_of(fact.number) },
            { "name", one.name == fact.name },
            { "once", #new < 2 },
        }
    end,
}

truths.change = {
    facts = function()
        local r = random("change task")
        local some = r.shuffle{ 2, 4, 6, 8, 10, 12, 14, 16 }
        return { id = some[1], name = name(some[1]), other = some[2],
                 other_name = name(some[2]), work = people[some[1]].work,
                 mobile = people[some[1]].mobile,
                 number = string.format("0170 555 %04d", r.int(1000, 9999)) }
    end,
    clauses = function(fact)
        local state = ended("dialer")
        local one = find(state, fact.id)
        local others = table.filter(people, function(person)
            local own = find(state, person.id)
            return person.id ~= fact.id and
                   (not own or own.mobile ~= person.mobile)
        end)
        return {
            { "mobile", one and digits_of(one.mobile) ==
              digits_of(fact.number) },
            { "work_kept", not one or one.work == fact.work },
            { "no_other", not state or #others == 0 },
        }
    end,
}

return truths
