-- When the tasks on the calculator are done.
local truths = {}

-- The calculations in order: { text = "2×3", result = "6", event = }.
local function sums()
    return table.map(all("calculator.result *"), function(event)
        local history = afterwards(event).state.history
        local entry = history[#history] or { text = "" }
        return { text = entry.text, event = event, result = event.args[1] }
    end)
end

-- The first of them with one of those texts.
local function worked_out(...)
    for _, sum in ipairs(sums()) do
        if table.index({ ... }, sum.text) then
            return sum
        end
    end
end

-- ---- a result that is used again ----

truths.history = {
    facts = function()
        local r = random("history task")
        local e, b = r.int(3, 4), r.int(6, 9)
        local a = e * r.int(12, 24)
        local c, d = r.int(61, 98), r.int(13, 47)
        return { a = a, b = b, c = c, d = d, e = e, product = a * b,
                 answer = a * b // e, difference = c - d,
                 a1 = a // 10, a2 = a % 10, c1 = c // 10, c2 = c % 10,
                 d1 = d // 10, d2 = d % 10, q1 = a * b // 100,
                 q2 = a * b // 10 % 10, q3 = a * b % 10,
                 wrong = a * b // e + 1 }
    end,
    clauses = function(fact, answer)
        local product = worked_out(fact.a .. "×" .. fact.b,
                                   fact.b .. "×" .. fact.a)
        local difference = worked_out(fact.c .. "−" .. fact.d)
        local recalled
        for _, event in ipairs(all("calculator.recall *")) do
            local entry = before(event).state.history[event.args[1]]
            if entry.result == tostring(fact.product) and
               (not difference or
                event.number > difference.event.number) then
                recalled = event
            end
        end
        local divided = worked_out(fact.product .. "÷" .. fact.e)
        return {
            { "product", product },
            { "difference", difference },
            { "taken_from_the_history", recalled },
            { "divided", divided },
            { "answered", number_in(answer) == fact.answer },
        }
    end,
}

return truths
