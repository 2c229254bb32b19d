-- When the tasks are done that take many steps in several apps.
local chat, mail, notes = use("chat"), use("mail"), use("notes")
local shop, dictionary = use("shop"), use("dictionary")

local truths = {}

-- The digits of an amount of at most 999.99, with leading zeros.
local function with_digits(fact, key, cents)
    local digits = string.format("%05d", cents)
    for place = 1, 5 do
        fact[key .. place] = digits:sub(place, place)
    end
    return fact
end

-- As the calculator writes a result.
local function written(cents) return string.format("%.12g", cents / 100) end

-- Does that hold for all of a list?
local function every(list, holds)
    return #table.filter(list, holds) == #list
end

-- ---- sums ----

truths.trip = {
    facts = function()
        local trip = random("long trip").pick(notes.trips)
        local fact = outcome.with_friends({ city = t(trip.city),
            total = written(trip.total), note_id = outcome.new_note() },
            "trip friends")
        for place, key in ipairs{ "a", "b", "c" } do
            local note = notes.notes[trip.ids[place]]
            fact[key], fact[key .. "_title"] = note.id, t(note.title)
            with_digits(fact, key, note.amount)
        end
        local two = trip.total - notes.notes[trip.ids[3]].amount
        local said = t({ en = "The trip cost ", zh = "一共花了" })
        fact.text, fact.short = said .. fact.total, fact.total
        fact.wrong_text = said .. written(two)
        return fact
    end,
    clauses = function(fact)
        local clauses = outcome.message_clauses(fact, function(to)
            return every({ fact.a, fact.b, fact.c }, function(id)
                return happened("notes.open " .. id, nil, to)
            end)
        end, function(text)
            return outcome.mentions(text, tonumber(fact.total))
        end)
        table.insert(clauses, { "worked_out",
            happened("calculator.result " .. fact.total) })
        return clauses
    end,
}

truths.bills = {
    facts = function()
        local company = mail.companies.energy
        local its = table.filter(mail.messages, function(one)
            return one.kind == "bill" and one.from.id == company.id
        end)
        local fact = { company = t(company.name), note_id = outcome.new_note() }
        local total = 0
        for place, key in ipairs{ "a", "b", "c" } do
            fact[key], fact[key .. "_money"] = its[place].id,
                                               money(its[place].cents)
            with_digits(fact, key, its[place].cents)
            total = total + its[place].cents
        end
        local said = fact.company .. ": "
        fact.total, fact.text = written(total), said .. written(total)
        fact.wrong_text = said .. written(total - its[3].cents)
        return fact
    end,
    clauses = function(fact)
        local clauses = outcome.note_clauses(function(to)
            return every({ fact.a, fact.b, fact.c }, function(id)
                return happened("mail.open " .. id, nil, to)
            end)
        end, function(text)
            return outcome.mentions(text, tonumber(fact.total))
        end)
        table.insert(clauses, { "worked_out",
            happened("calculator.result " .. fact.total) })
        return clauses
    end,
}

-- ---- the same for several people ----

truths.phonebook = {
    facts = function()
        local some = random("phone book").shuffle(chat.people)
        local fact = {}
        for place, key in ipairs{ "a", "b", "c", "d" } do
            fact[key .. "_id"], fact[key] = some[place].id, t(some[place].name)
            fact[key .. "_phone"] = some[place].phone
        end
        return fact
    end,
    clauses = function(fact)
        local made = outcome.contacts()
        local keys = { "a", "b", "c" }
        local function saved(key)
            return #table.filter(made, function(person)
                return says(t(person.name), fact[key]) and
                       (outcome.same_number(person.mobile,
                                            fact[key .. "_phone"]) or
                        outcome.same_number(person.work,
                                            fact[key .. "_phone"]))
            end) > 0
        end
        return {
            { "looked_up", every(keys, function(key)
                return saw("chat", last("dialer.save"), "person",
                                   fact[key .. "_id"])
            end) },
            { "first", saved("a") },
            { "second", saved("b") },
            { "third", saved("c") },
            { "nothing_else", #made <= 3 },
        }
    end,
}

local invited = { "a", "b", "c", "d" }

truths.invite = {
    facts = function()
        local eats = use("eats")
        local cuisine, some
        for _, one in ipairs(random("invite task").shuffle(eats.cuisines)) do
            local list = eats.found({ filters = eats.no_filters(),
                                      sort = "rating" }, "", one.id)
            if not cuisine and list[1].rating > list[2].rating then
                cuisine, some = one, list
            end
        end
        local said = t({ en = "Dinner at ", zh = "晚饭地址：" })
        local fact = { cuisine = t(cuisine.name), cuisine_id = cuisine.id,
            id = some[1].id, name = t(some[1].name),
            address = t(some[1].address), near = some[2].id,
            text = said .. t(some[1].address),
            wrong_text = said .. t(some[2].address) }
        local people = random("invite friends").shuffle{ 1, 2, 4, 5, 6, 7, 8 }
        for place, key in ipairs{ "a", "b", "c", "d", "e" } do
            fact[key .. "_id"] = people[place]
            fact[key] = t(chat.people[people[place]].name)
        end
        return fact
    end,
    clauses = function(fact)
        local chats = table.map(invited, function(key)
            return fact[key .. "_id"]
        end)
        return {
            { "looked_up", held("eats", function(app)
                return on_screen(app, "restaurant", fact.id) and
                       app.state.section == "hours"
            end, first("chat.sent *")) },
            { "sent", every(chats, function(number)
                return outcome.sent(number, function(text)
                    return says(text, fact.address)
                end)
            end) },
            { "no_other", not outcome.sent_to_others(chats) },
        }
    end,
}

-- ---- lists ----

-- Is each line of the facts, of two parts, a line of the one new note?
local function has_lines(text, fact, first_part, second_part, count)
    for place = 1, count do
        if not outcome.has_line(text, { tostring(fact[first_part .. place]),
                                        tostring(fact[second_part .. place]) })
        then
            return false
        end
    end
    return true
end

-- What is written for each, and all of it in one text; in wrong1 and wrong2
-- the second parts of the first two are exchanged.
local function with_lines(fact, first_part, second_part, count)
    local lines = {}
    for place = 1, count do
        lines[place] = fact[first_part .. place] .. ": " ..
                       fact[second_part .. place]
        fact["text" .. place] = lines[place]
    end
    fact.text = table.concat(lines, t({ en = ", ", zh = "，" }))
    fact.wrong1 = fact[first_part .. 1] .. ": " .. fact[second_part .. 2]
    fact.wrong2 = fact[first_part .. 2] .. ": " .. fact[second_part .. 1]
    fact.note_id = outcome.new_note()
    return fact
end

local function debtors()
    return table.filter(use("pay").ledger.requests, function(one)
        return one.mine and one.status == "open"
    end)
end

truths.debts = {
    facts = function()
        local people, fact = use("pay").ledger.people, {}
        for place, one in ipairs(debtors()) do
            fact["id" .. place] = one.id
            fact["name" .. place] = t(people[one.person].name)
            fact["amount" .. place] = decimal(one.cents)
            fact["money" .. place] = money(one.cents)
        end
        return with_lines(fact, "name", "amount", 4)
    end,
    clauses = function(fact)
        return outcome.note_clauses(function(to)
            return every(once(debtors), function(one)
                return saw("pay", to, "request", one.id)
            end)
        end, function(text)
            return has_lines(text, fact, "name", "amount", 4)
        end)
    end,
}

truths.exam = {
    facts = function()
        local fact = { list = t({ en = "For the exam", zh = "考试用" }) }
        for place, id in ipairs(dictionary.first_list) do
            fact["id" .. place] = id
            fact["word" .. place] = dictionary.entries[id].word
            fact["language" .. place] = t(dictionary.entries[id].from)
        end
        return with_lines(fact, "word", "language", 5)
    end,
    clauses = function(fact)
        return outcome.note_clauses(function(to)
            return every(dictionary.first_list, function(id)
                return held("dictionary", function(app)
                    return on_screen(app, "entry", id) and
                           table.index(app.state.unfolded, "origin " .. id)
                end, to)
            end)
        end, function(text)
            return has_lines(text, fact, "word", "language", 5)
        end)
    end,
}

truths.births = {
    facts = function()
        local web = use("web")
        local some = random("births task").shuffle(web.wiki.people)
        local fact = { wiki = t(web.sites.wiki.name) }
        for place = 1, 5 do
            fact["person" .. place] = t(some[place].name)
            fact["born" .. place] = some[place].born
            fact["article" .. place] = some[place].article
        end
        return with_lines(fact, "person", "born", 5)
    end,
    clauses = function(fact)
        local web = use("web")
        return outcome.note_clauses(function(to)
            return every({ 1, 2, 3, 4, 5 }, function(place)
                local url = "wiki/article/" .. fact["article" .. place]
                return held("web", function(app)
                    return on_screen(app, "main") and
                           web.url_of(app.state) == url
                end, to)
            end)
        end, function(text)
            return has_lines(text, fact, "person", "born", 5)
        end)
    end,
}

-- ---- shopping ----

-- Three kinds of products of which no size is chosen, in different
-- categories, each with its products, the cheapest first.
local function three_kinds()
    local some = table.filter(random("shopping task").shuffle(shop.kinds),
        function(category) return not category.sizes end)
    return table.map({ table.unpack(some, 1, 3) }, function(category)
        local kind = random("shopping kind", category.id).pick{
            category[1], category[2], category[3] }
        local products = table.filter(shop.products, function(product)
            return product.name.en:find(kind.en)
        end)
        return { kind = kind, products = table.sort(products, function(a, b)
            return a.price < b.price
        end) }
    end)
end

-- Were all products of the kind in a list?
local function compared(ids, to)
    return held("shop", function(app)
        local state = app.state
        local list = on_screen(app, "results") and
                     shop.found(state, state.filters) or {}
        return #table.filter({ table.unpack(list, 1, state.shown) },
            function(product)
                return table.index(ids, product.id)
            end) == 3
    end, to)
end

local function kind_ids(one)
    return table.map(one.products, function(product) return product.id end)
end

truths.shopping = {
    facts = function()
        local total, fact = 0, {}
        for place, one in ipairs(three_kinds()) do
            local best, next_best = one.products[1], one.products[2]
            fact["kind" .. place], fact["id" .. place] = t(one.kind), best.id
            fact["name" .. place] = t(best.name)
            fact["near" .. place] = next_best.id
            fact["near_name" .. place] = t(next_best.name)
            total = total + best.price
            fact.wrong = decimal(total + next_best.price)
        end
        local said = t({ en = "It comes to ", zh = "一共" })
        fact.total, fact.wrong_text = decimal(total), said .. fact.wrong
        fact.text, fact.short = said .. fact.total, fact.total
        return outcome.with_friends(fact, "shopping friends")
    end,
    clauses = function(fact)
        local state = ended("shop")
        local cart = state and state.cart or {}
        local ids = { fact.id1, fact.id2, fact.id3 }
        local clauses = outcome.message_clauses(fact, function(to)
            return every(once(three_kinds), function(one)
                return compared(kind_ids(one), to)
            end)
        end, function(text)
            return outcome.mentions(text, tonumber(fact.total))
        end)
        table.insert(clauses, { "in_the_cart", every(ids, function(id)
            return #table.filter(cart, function(line)
                return line.product == id
            end) > 0
        end) })
        table.insert(clauses, { "nothing_else", #table.filter(cart,
            function(line)
                return not table.has(ids, line.product) or line.count ~= 1
            end) == 0 })
        return clauses
    end,
}

return truths
