-- When the tasks in Pay are done.
local pay = use("pay")
local ledger = pay.ledger
local people, bills, requests = ledger.people, ledger.bills, ledger.requests
local ways, months = ledger.ways, ledger.months

local truths = {}

-- Did f hold for the app after any of its events?
local function seen(f)
    for _, event in ipairs(all("pay.*")) do
        local app = afterwards(event)
        if app and f(app) then
            return true
        end
    end
    return false
end

local function seen_screen(name, id)
    return seen(function(app) return on_screen(app, name, id) end)
end

-- What an instruction and gold need to enter the pass code; w is a wrong
-- first digit.
local function with_code(fact)
    fact.code = ledger.code
    for place = 1, 4 do
        fact["c" .. place] = ledger.code:sub(place, place)
    end
    fact.w = (tonumber(fact.c1) + 1) % 10
    return fact
end

-- Two people whose names are unique.
local function two_people(name)
    local some = random(name).shuffle(table.filter(people, function(one)
        return #table.filter(people, function(other)
            return other.name == one.name
        end) == 1
    end))
    return some[1], some[2], some[3]
end

local function an_amount(name)
    return content.prices(name)(1000, 8000)
end

local function way_name(way)
    return t(way.name) .. " ··" .. way.tail
end

local function payments()
    return ended("pay") and ended("pay").payments or {}
end

-- Was that paid, and how often was anything paid?
local function paid(kind, ref, cents)
    return #table.filter(payments(), function(bill)
        return bill.kind == kind and bill.ref == ref and bill.cents == -cents
    end) > 0
end

local function month_facts(fact, place)
    local day = ledger.first_day(months[place])
    fact.month, fact.month_name = months[place], dates.month_name(day)
    fact.month_year = dates.month(day)
    fact.other_month = months[place + 1]
    fact.other_month_year = dates.month(ledger.first_day(months[place + 1]))
    return fact
end

-- Were all bills of that month listed, with filters that f accepts?
local function listed(month, f)
    return seen(function(app)
        local state = app.state
        local filters = state.filters
        return on_screen(app, "bills") and filters.month == month and
               f(filters) and
               state.shown >= #pay.found(bills, filters)
    end)
end

-- ---- bills and statistics ----

truths.category = {
    facts = function()
        local parts = pay.spent_by_category(bills, months[3], {})
        return month_facts({ category = t(parts[1].category.name),
            wrong = t(parts[2].category.name) }, 3)
    end,
    clauses = function(fact, answer)
        local looked = seen(function(app)
            return on_screen(app, "stats") and
                   app.state.stats_month == fact.month
        end)
        return {
            { "month_looked_at", looked or listed(fact.month, function(filters)
                return filters.direction ~= "in" and filters.category == "" and
                       filters.find == ""
            end) },
            { "answered", says(answer, fact.category) and
              not says(answer, fact.wrong) },
        }
    end,
}

local function spent_parts()
    local parts = pay.spent_by_category(bills, months[2], {})
    local some = random("spent task").shuffle(table.filter(parts,
        function(part)
            return part.cents > 0 and #table.filter(bills, function(bill)
                return bill.category == part.category.id and
                       ledger.month_of(bill.day) == months[2]
            end) > 1
        end))
    return some[1], some[2], parts
end

truths.spent = {
    facts = function()
        local part, other = spent_parts()
        return month_facts({ category = t(part.category.name),
            id = part.category.id, spent = decimal(part.cents),
            spent_money = money(part.cents), wrong = decimal(other.cents),
            other = other.category.id,
            other_category = t(other.category.name) }, 2)
    end,
    clauses = function(fact, answer)
        local _, _, parts = once(spent_parts)
        local place
        for i, part in ipairs(parts) do
            place = part.category.id == fact.id and i or place
        end
        local filtered = seen(function(app)
            local filters = app.state.filters
            return on_screen(app, "bills") and filters.month == fact.month and
                   filters.category == fact.id and filters.find == "" and
                   filters.direction ~= "in"
        end)
        local in_statistics = seen(function(app)
            return on_screen(app, "stats") and
                   app.state.stats_month == fact.month and
                   (place <= 3 or app.state.all_categories)
        end)
        return {
            { "summed_up", filtered or in_statistics },
            { "answered", number_in(answer) == tonumber(fact.spent) },
        }
    end,
}

local function largest_bills()
    local filters = pay.no_filters()
    filters.month, filters.direction = months[2], "out"
    filters.order = "largest"
    return pay.found(bills, filters)
end

truths.largest = {
    facts = function()
        local some = largest_bills()
        local second
        for _, bill in ipairs(some) do
            second = second or bill.who.en ~= some[1].who.en and bill
        end
        return month_facts({ who = t(some[1].who), wrong = t(second.who),
            amount = "−" .. money(-some[1].cents), id = some[1].id }, 2)
    end,
    clauses = function(fact, answer)
        return {
            { "sorted", listed(fact.month, function(filters)
                return filters.direction ~= "in" and filters.category == "" and
                       filters.find == ""
              end) or seen(function(app)
                local filters = app.state.filters
                return on_screen(app, "bills") and
                       filters.month == fact.month and
                       filters.order == "largest" and
                       filters.direction ~= "in"
              end) },
            { "answered", says(answer, fact.who) and
              not says(answer, fact.wrong) },
        }
    end,
}

-- Merchants of whom there are several bills, as a list of these bills.
local function regular_bills(name)
    local list = {}
    for _, merchant in ipairs(random(name).shuffle(ledger.merchants)) do
        local some = table.filter(bills, function(bill)
            return bill.who == merchant.name
        end)
        if #some > 1 and some[1].day > some[2].day then
            list[#list + 1] = some
        end
    end
    return list
end

truths.receipt = {
    facts = function()
        local some = regular_bills("receipt task")[1]
        return { merchant = t(some[1].who), id = some[1].id,
                 number = some[1].number, older = some[2].id,
                 wrong = some[2].number }
    end,
    clauses = function(fact, answer)
        return {
            { "receipt_seen", seen_screen("receipt", fact.id) },
            { "answered", says(answer, fact.number) },
        }
    end,
}

truths.split = {
    facts = function()
        local some = regular_bills("split task")[1]
        local a, b, c = two_people("split people")
        return { merchant = t(some[1].who), id = some[1].id,
                 older = some[2].id, a = a.id, b = b.id, c = c.id,
                 a_name = t(a.name), b_name = t(b.name), c_name = t(c.name),
                 each = money(-some[1].cents // 3) }
    end,
    clauses = function(fact)
        local splits = ended("pay") and ended("pay").splits or {}
        local made = splits[#splits] or { with = {} }
        return {
            { "the_bill", made.bill == fact.id },
            { "both_take_part", table.index(made.with, fact.a) and
              table.index(made.with, fact.b) },
            { "no_other", #made.with < 3 },
            { "once", #splits < 2 },
        }
    end,
}

-- ---- transfers ----

truths.transfer = {
    facts = function()
        local cents = an_amount("transfer task")
        local twins = random("twins").shuffle({ people[2], people[7] })
        return with_code{ name = t(twins[1].name), tail = twins[1].tail,
            id = twins[1].id, other = twins[2].id, other_tail = twins[2].tail,
            amount = decimal(cents), money = money(cents),
            wrong = decimal(cents + 100), wrong_money = money(cents + 100),
            text = t(random("transfer note").pick{
                { en = "For the cake", zh = "蛋糕钱" },
                { en = "Your share", zh = "你的那份" },
                { en = "Taxi home", zh = "打车回家" } }) }
    end,
    clauses = function(fact)
        local list = payments()
        local made = list[1] or {}
        return {
            { "to_the_account", made.kind == "transfer" and
              made.ref == fact.id },
            { "amount", made.cents and
              decimal(-made.cents) == fact.amount },
            { "note", made.note and says(made.note, fact.text) },
            { "once", #list < 2 },
        }
    end,
}

truths.card = {
    facts = function()
        local cents = an_amount("card task")
        local person, other = two_people("card people")
        local cards = random("card").shuffle(table.filter(ways, function(way)
            return way.tail
        end))
        return with_code{ name = t(person.name), id = person.id,
            other = other.id, amount = decimal(cents), money = money(cents),
            bank = t(cards[1].name), way = cards[1].id,
            way_name = way_name(cards[1]), other_way = cards[2].id,
            other_way_name = way_name(cards[2]) }
    end,
    clauses = function(fact)
        local list = payments()
        local made = list[1] or {}
        return {
            { "to_the_person", made.ref == fact.id },
            { "amount", made.cents and
              decimal(-made.cents) == fact.amount },
            { "by_card", made.way == fact.way },
            { "once", #list < 2 },
        }
    end,
}

truths.owe = {
    facts = function()
        local open, settled, other = requests[3], requests[2], requests[1]
        return with_code{ name = t(people[open.person].name), id = open.id,
            person = open.person, settled = settled.id, other = other.id,
            money = money(open.cents), amount = decimal(open.cents),
            wrong = decimal(settled.cents), wrong_money =
            money(settled.cents), other_money = money(other.cents) }
    end,
    clauses = function(fact)
        local cents = requests[fact.id].cents
        return {
            { "request_seen", seen_screen("request", fact.id) },
            { "paid", paid("owed", fact.id, cents) or
              paid("transfer", fact.person, cents) },
            { "nothing_else", #payments() < 2 },
        }
    end,
}

truths.packet = {
    facts = function()
        local cents = an_amount("packet task")
        local person, other = two_people("packet people")
        return with_code{ name = t(person.name), id = person.id,
            other = other.id, amount = decimal(cents), money = money(cents),
            text = t(random("greeting").pick{
                { en = "Happy birthday", zh = "生日快乐" },
                { en = "Good luck", zh = "祝你好运" },
                { en = "Congratulations", zh = "恭喜恭喜" } }) }
    end,
    clauses = function(fact)
        local list = payments()
        local made = list[1] or {}
        return {
            { "red_packet", made.kind == "packet" },
            { "to_the_person", made.ref == fact.id },
            { "amount", made.cents and
              decimal(-made.cents) == fact.amount },
            { "greeting", made.note and says(made.note, fact.text) },
            { "once", #list < 2 },
        }
    end,
}

-- ---- requests ----

truths.request = {
    facts = function()
        local cents = an_amount("request task")
        local person, other = two_people("request people")
        return { name = t(person.name), id = person.id, other = other.id,
            other_name = t(other.name), amount = decimal(cents),
            money = money(cents), wrong = decimal(cents + 1000),
            text = t(random("request note").pick{
                { en = "Museum tickets", zh = "博物馆门票" },
                { en = "Lunch yesterday", zh = "昨天的午饭" },
                { en = "The new tent", zh = "新帐篷" } }) }
    end,
    clauses = function(fact)
        local asked = ended("pay") and ended("pay").asked or {}
        local made = asked[#asked] or {}
        return {
            { "the_person", made.person == fact.id },
            { "amount", made.cents and decimal(made.cents) == fact.amount },
            { "note", made.note and says(made.note, fact.text) },
            { "once", #asked < 2 },
        }
    end,
}

-- Those that are open, the largest one last.
local function owed_to_me()
    return table.sort(table.filter(requests, function(one)
        return one.mine and one.status == "open"
    end), function(a, b) return a.cents < b.cents end)
end

truths.remind = {
    facts = function()
        local some = owed_to_me()
        local fact = { id = some[4].id, name = t(people[some[4].person].name),
                       money = money(some[4].cents) }
        for place, name in ipairs{ "a", "b", "c" } do
            fact[name] = some[place].id
            fact[name .. "_money"] = money(some[place].cents)
        end
        return fact
    end,
    clauses = function(fact)
        local opened = table.filter(once(owed_to_me), function(one)
            return seen_screen("request", one.id)
        end)
        local reminded = ended("pay") and ended("pay").reminded or {}
        return {
            { "all_compared", #opened == 4 },
            { "reminded", table.index(reminded, fact.id) },
            { "no_other", #reminded < 2 },
        }
    end,
}

-- ---- mini-programs ----

truths.exchange = {
    facts = function()
        local r = random("exchange task")
        local some = r.shuffle(table.filter(ledger.currencies, function(one)
            return one.id ~= "EUR"
        end))
        local cents = r.int(20, 90) * 1000
        local got = ledger.exchanged(cents, some[1], false)
        return { currency = t{ en = some[1].several, zh = some[1].name.zh },
            id = some[1].id, other = some[2].id, amount = tostring(cents // 100),
            money = t{ en = "$", zh = "¥" } .. cents // 100,
            got = decimal(got),
            shown = money(got):replace(t{ en = "$", zh = "¥" }, ""),
            wrong = decimal(ledger.exchanged(cents, some[1], true)) }
    end,
    clauses = function(fact, answer)
        local number = number_in(answer)
        return {
            { "converted", seen(function(app)
                local state = app.state
                return on_screen(app, "exchange") and
                       state.currency == fact.id and not state.backwards and
                       tonumber(state.amount) == tonumber(fact.amount)
            end) },
            { "answered", number and
              math.abs(number - tonumber(fact.got)) < 0.51 },
        }
    end,
}

truths.topup = {
    facts = function()
        local person, other = two_people("top-up people")
        local cents = random("top-up").pick{ 2000, 10000, 20000 }
        return with_code{ name = t(person.name), id = person.id,
            other = other.id, phone = person.phone, money = money(cents),
            cents = cents, wrong = cents == 20000 and 10000 or 20000 }
    end,
    clauses = function(fact)
        local made = payments()[1] or {}
        return {
            { "the_number", made.kind == "topup" and
              says(made.ref, fact.phone) },
            { "amount", made.cents == -fact.cents },
            { "once", #payments() < 2 },
        }
    end,
}

truths.power = {
    facts = function()
        local meter, other = ledger.meters[2], ledger.meters[3]
        return with_code{ id = meter.id, other = other.id,
            due = decimal(meter.due), due_money = money(meter.due),
            other_due = decimal(other.due) }
    end,
    clauses = function(fact)
        local made = payments()[1] or {}
        return {
            { "the_flat", made.kind == "power" and made.ref == fact.id },
            { "all_that_is_due", made.cents and
              decimal(-made.cents) == fact.due },
            { "once", #payments() < 2 },
        }
    end,
}

local function near_bikes()
    return table.sort(table.copy(ledger.bikes), function(a, b)
        return a.metres < b.metres
    end)
end

truths.bike = {
    facts = function()
        local some = near_bikes()
        return { a = some[1].id, b = some[2].id, id = some[3].id,
            further = some[4].id, code = some[3].code, a_code = some[1].code,
            b_code = some[2].code, battery = some[3].battery }
    end,
    clauses = function(fact)
        local sorted = seen(function(app)
            return on_screen(app, "bikes") and
                   app.state.bike_order == "nearest"
        end)
        local opened = table.filter(ledger.bikes, function(bike)
            return seen_screen("bike", bike.id)
        end)
        return {
            { "by_distance", sorted or #opened == #ledger.bikes },
            { "nearer_ones_seen", seen_screen("bike", fact.a) and
              seen_screen("bike", fact.b) },
            { "rented", ended("pay") and ended("pay").ride == fact.id },
        }
    end,
}

-- ---- settings ----

truths.settings = {
    facts = function()
        return { limit = money(200000), cents = 200000, wrong = 500000 }
    end,
    clauses = function(fact)
        local state = ended("pay")
        return {
            { "limit", state and state.limit == fact.cents },
            { "hidden", state and state.hidden },
            { "others_kept", not state or not state.small and state.offers },
        }
    end,
}

truths.order = {
    facts = function()
        return { bank = t(ways[4].name), id = ways[4].id, other = ways[3].id,
                 way_name = way_name(ways[4]),
                 other_name = way_name(ways[3]) }
    end,
    clauses = function(fact)
        local state = ended("pay")
        return {
            { "card_first", state and state.order[1] == fact.id },
            { "balance_next", not state or
              state.order[1] == "balance" or state.order[2] == "balance" },
        }
    end,
}

-- The cheapest first; a yearly price is spread over twelve months.
local function autos_by_price()
    local function monthly(auto)
        return auto.yearly and auto.cents // 12 or auto.cents
    end
    return table.sort(table.copy(ledger.autos), function(a, b)
        return monthly(a) < monthly(b)
    end)
end

truths.auto = {
    facts = function()
        local some = autos_by_price()
        local fact = { id = some[4].id, name = t(some[4].name),
                       money = money(some[4].cents) }
        for place, name in ipairs{ "a", "b", "c" } do
            fact[name] = some[place].id
            fact[name .. "_money"] = money(some[place].cents)
            fact[name .. "_name"] = t(some[place].name)
        end
        return fact
    end,
    clauses = function(fact)
        local opened = table.filter(ledger.autos, function(auto)
            return seen_screen("auto", auto.id)
        end)
        local stopped = ended("pay") and ended("pay").stopped or {}
        return {
            { "all_compared", #opened == 4 },
            { "stopped", table.index(stopped, fact.id) },
            { "others_kept", #stopped < 2 },
        }
    end,
}

return truths
