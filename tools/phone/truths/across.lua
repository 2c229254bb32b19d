-- When the tasks are done that carry something from one app into another.
local shop, chat, mail = use("shop"), use("chat"), use("mail")

local truths = {}

local with_friends, new_note = outcome.with_friends, outcome.new_note
local message_clauses = outcome.message_clauses
local note_clauses = outcome.note_clauses

-- ---- prices ----

-- Was a product's page open, or a short list with it?
local function price_seen(id, to)
    return held("shop", function(app)
        local state = app.state
        local list = on_screen(app, "results") and
                     shop.found(state, state.filters) or {}
        return on_screen(app, "product", id) or
               #list <= 4 and #table.filter(list, function(product)
                   return product.id == id
               end) > 0
    end, to)
end

-- A price whose cents are not round.
local function a_product(name)
    return table.filter(random(name).shuffle(shop.products), function(product)
        return product.price % 10 > 0 and product.price < 100000
    end)[1]
end

truths.price = {
    facts = function()
        local product = a_product("price task")
        local wrong = shop.products[product.id % #shop.products + 1]
        local price = decimal(product.price)
        local name = t(product.name)
        return with_friends({ id = product.id, name = name, price = price,
            money = money(product.price), near = wrong.id,
            near_name = t(wrong.name), short = price,
            text = t({ en = name .. " costs " .. price,
                       zh = name .. "卖" .. price .. "元" }),
            wrong_text = t({ en = name .. " costs ", zh = name .. "卖" }) ..
                decimal(product.price + 100) }, "price friends")
    end,
    clauses = function(fact)
        return message_clauses(fact, function(to)
            return price_seen(fact.id, to)
        end, function(text)
            return outcome.mentions(text, tonumber(fact.price))
        end)
    end,
}

-- The products of a kind, the cheapest first, and what it is called.
local function kind_of_product(name)
    local category = random(name).pick(shop.kinds)
    local kind = category[random(name, "kind").int(1, #category)]
    local products = table.filter(shop.products, function(product)
        return product.name.en:find(kind.en)
    end)
    return kind, table.sort(products, function(a, b)
        return a.price < b.price
    end)
end

truths.cheapest = {
    facts = function()
        local kind, products = kind_of_product("cheapest gift")
        local fact = with_friends({ kind = t(kind) }, "cheapest friends")
        for i, key in ipairs{ "a", "b", "c" } do
            fact[key], fact[key .. "_id"] = t(products[i].name),
                                            products[i].id
        end
        fact.text = t({ en = "Take the ", zh = "买" }) .. fact.a
        fact.short, fact.wrong_text = fact.a, fact.b
        return fact
    end,
    clauses = function(fact)
        return message_clauses(fact, function(to)
            return held("shop", function(app)
                local state = app.state
                local list = on_screen(app, "results") and
                             shop.found(state, state.filters) or {}
                local seen = table.filter(list, function(product)
                    return product.id == fact.a_id or
                           product.id == fact.b_id or
                           product.id == fact.c_id
                end)
                return #seen == 3 and #list <= state.shown
            end, to)
        end, function(text)
            return says(text, fact.a) and not says(text, fact.b) and
                   not says(text, fact.c)
        end)
    end,
}

-- ---- what was noted ----

truths.wifi = {
    facts = function()
        local some = random("wifi task").shuffle(use("notes").wifi)
        local code, wrong = some[1].code, some[2].code
        local said = t({ en = "The password is ", zh = "密码是 " })
        return with_friends({ id = some[1].id, place = t(some[1].place),
            code = code, near = some[2].id, text = said .. code,
            short = code, wrong_text = said .. wrong,
            title = t(use("notes").notes[some[1].id].title) }, "wifi friends")
    end,
    clauses = function(fact)
        return message_clauses(fact, function(to)
            return happened("notes.open " .. fact.id, nil, to)
        end, function(text)
            return says(text, fact.code)
        end)
    end,
}

-- A bill that some people can share to the cent.
local function shared_bill()
    local notes = use("notes")
    local places = random("half task").shuffle(table.keys(notes.bills))
    for _, place in ipairs(places) do
        for people = 2, 9 do
            if notes.bills[place].amount % people == 0 then
                return notes.bills[place], people,
                       notes.bills[places[1] == place and places[2] or
                                   places[1]]
            end
        end
    end
    return notes.bills[1], 1, notes.bills[2]
end

truths.share = {
    facts = function()
        local bill, people, other = shared_bill()
        local ledger = use("pay").ledger
        local some = random("share people").shuffle{ 1, 3, 4, 5, 6, 8 }
        local part = bill.amount // people
        return { id = bill.id, month = t(bill.month), people = people,
                 title = t(use("notes").notes[bill.id].title),
                 near = other.id, amount = decimal(bill.amount),
                 money = money(bill.amount), part = decimal(part),
                 part_money = money(part),
                 wrong = decimal(other.amount // people),
                 person_id = some[1], person = t(ledger.people[some[1]].name),
                 other_id = some[2], other = t(ledger.people[some[2]].name) }
    end,
    clauses = function(fact)
        local state = ended("pay")
        local asked = state and state.asked or {}
        return {
            { "looked_up", happened("notes.open " .. fact.id, nil,
                                    last("pay.review request *")) },
            { "person", #table.filter(asked, function(one)
                return one.person == fact.person_id
            end) > 0 },
            { "part", #asked == 0 or #table.filter(asked, function(one)
                return decimal(one.cents) == fact.part
            end) > 0 },
            { "once", #asked < 2 },
        }
    end,
}

-- ---- mail ----

truths.seat = {
    facts = function()
        local function journey(fits)
            return table.filter(mail.messages, function(one)
                return one.kind == "journey" and fits(one)
            end)[1]
        end
        local change = journey(function(one) return one.changed end)
        local older = journey(function(one)
            return one.city == change.city and not one.changed
        end)
        local function place(one)
            return t({ en = "Coach " .. one.coach .. ", seat " .. one.seat,
                       zh = one.coach .. "号车厢" .. one.seat .. "号座位" })
        end
        return with_friends({ city = t(change.city), id = change.id,
            coach = change.coach, seat = change.seat, older = older.id,
            text = place(change), wrong_text = place(older),
            short = change.coach .. "-" .. change.seat }, "seat friends")
    end,
    clauses = function(fact)
        return message_clauses(fact, function(to)
            return happened("mail.open " .. fact.id, nil, to)
        end, function(text)
            return outcome.mentions(text, fact.coach) and
                   outcome.mentions(text, fact.seat)
        end)
    end,
}

-- ---- numbers to call ----

local singular = {
    cafe = { en = "café", zh = "咖啡馆" }, bank = { en = "bank", zh = "银行" },
    pharmacy = { en = "pharmacy", zh = "药店" },
    market = { en = "supermarket", zh = "超市" },
}

-- A kind whose nearest place is closed, if there is one: its nearest open
-- place, and another open one.
local function open_place()
    local maps = use("maps")
    local function places(kind, open_now)
        return maps.found({ open_now = open_now, rating = 0 }, "distance", "",
                          kind)
    end
    local chosen
    for _, kind in ipairs(random("call task").shuffle{ "bank", "pharmacy",
                                                       "market", "cafe" }) do
        local open = places(kind, true)
        if #open > 1 then
            chosen = chosen or { kind, open[1], open[2] }
            if places(kind, false)[1] ~= open[1] then
                return kind, open[1], open[2]
            end
        end
    end
    return table.unpack(chosen)
end

local function with_digits(fact, number)
    local digits = number:replace("-", "")
    fact.number, fact.digits = number, digits
    for place = 1, #digits do
        fact["d" .. place] = digits:sub(place, place)
    end
    return fact
end

truths.call = {
    facts = function()
        local kind, place, other = open_place()
        return with_digits({ kind = kind, what = t(singular[kind]),
            id = place.id, name = t(place.name), near = other.id,
            near_name = t(other.name),
            last_wrong = (tonumber(place.call:sub(-1)) + 1) % 10,
            near_digits = other.call:replace("-", "") }, place.call)
    end,
    clauses = function(fact)
        return {
            { "looked_up", held("maps", function(app)
                return on_screen(app, "place", fact.id) and app.state.number
            end, last("dialer.call *")) },
            { "called", outcome.called(fact.number) },
            { "no_other", not outcome.called_other(fact.number) },
        }
    end,
}

truths.contact = {
    facts = function()
        local some = random("contact task").shuffle(chat.people)
        local person, other = some[1], some[2]
        local last_digit = (tonumber(person.phone:sub(-1)) + 1) % 10
        return { id = person.id, name = t(person.name), phone = person.phone,
                 near = other.id, near_name = t(other.name),
                 near_phone = other.phone,
                 wrong_phone = person.phone:sub(1, -2) .. last_digit }
    end,
    clauses = function(fact)
        local made = outcome.contacts()
        local person = made[1] or { name = "", mobile = "", work = "" }
        return {
            { "looked_up", saw("chat", last("dialer.save"), "person",
                                       fact.id) },
            { "name", says(t(person.name), fact.name) },
            { "number", outcome.same_number(person.mobile, fact.phone) or
              outcome.same_number(person.work, fact.phone) },
            { "once", #made == 1 },
        }
    end,
}

-- ---- how long something takes ----

truths.episode = {
    facts = function()
        local music = use("music")
        for _, show in ipairs(random("episode task").shuffle(music.shows)) do
            local list = music.episodes_of({ episode_order = "newest" }, show)
            local minutes = list[1].minutes
            if minutes < 60 and list[2].minutes < 60 then
                return { show = t(show.name), show_id = show.id,
                         minutes = minutes, m1 = minutes // 10,
                         m2 = minutes % 10, w1 = list[2].minutes // 10,
                         w2 = list[2].minutes % 10,
                         near = show.id % #music.shows + 1,
                         near_name = t(music.shows[show.id % #music.shows +
                                                   1].name) }
            end
        end
    end,
    clauses = function(fact)
        local timer = outcome.timer()
        return {
            { "looked_up", saw("music", last("clock.timer_set *"),
                                       "show", fact.show_id) },
            { "timer", timer and timer.length == fact.minutes * 60 },
        }
    end,
}

-- ---- dates and times ----

-- Does a text name the day, with its month?
local function names_day(text, day)
    local _, month, of_month = dates.parts(day)
    return outcome.mentions(text, of_month) and
           (says(text, dates.month_name(day):sub(1, 3)) or
            outcome.mentions(text, month))
end

truths.concert = {
    facts = function()
        local music = use("music")
        local artist = random("concert task").pick(music.artists)
        local next_one, later = artist.tour[1], artist.tour[2]
        local today = dates.today()
        local function about(concert)
            return t({ en = t(concert.city) .. ", ", zh = t(concert.city) }) ..
                   dates.short(today + concert.days)
        end
        return with_friends({ artist = t(artist.name), artist_id = artist.id,
            day = today + next_one.days, city = t(next_one.city),
            of_month = select(3, dates.parts(today + next_one.days)),
            near = artist.id % #music.artists + 1,
            text = t({ en = "The next one is in ", zh = "下一场在" }) ..
                about(next_one),
            short = about(next_one), wrong_text = about(later) },
            "concert friends")
    end,
    clauses = function(fact)
        return message_clauses(fact, function(to)
            return held("music", function(app)
                return on_screen(app, "artist", fact.artist_id) and
                       app.state.tour_open
            end, to)
        end, function(text)
            return says(text, fact.city) and names_day(text, fact.day)
        end)
    end,
}

local function with_time(fact, minute)
    fact.minute_of_day, fact.time = minute, dates.time(minute)
    fact.hour, fact.minute = fact.time:sub(1, 2), fact.time:sub(4, 5)
    return fact
end

truths.arrival = {
    facts = function()
        local stays = use("stays")
        local trips = stays.first_trips()
        local listing = stays.listings[trips[1].listing]
        local leaving = dates.time(listing.check_out)
        return with_time({ city = t(listing.city.name), id = listing.id,
            name = t(listing.name), near = trips[2].listing,
            alarm_id = use("clock").first_state().next_id,
            wrong_hour = leaving:sub(1, 2), wrong_minute = leaving:sub(4, 5),
            }, listing.check_in)
    end,
    clauses = function(fact)
        return {
            { "looked_up", happened("stays.open " .. fact.id, nil,
                                    last("clock.alarm_set *")) },
            { "alarm", outcome.alarm(fact.minute_of_day) },
        }
    end,
}

-- ---- words ----

truths.word = {
    facts = function()
        local dictionary = use("dictionary")
        local entry = random("word task").pick(dictionary.entries)
        local wrong = dictionary.related(entry, false)[1]
        local meaning = t(entry.meaning)
        meaning = meaning:starts("to ") and meaning:sub(4) or meaning
        local function about(language)
            return t({ en = "From " .. t(language) .. ": " .. meaning,
                       zh = "源自" .. t(language) .. "，意思是" .. meaning })
        end
        return with_friends({ word = entry.word, id = entry.id,
            meaning = meaning, language = t(entry.from), near = wrong.id,
            near_word = wrong.word, text = about(entry.from),
            short = meaning .. t({ en = ", ", zh = "，" }) .. t(entry.from),
            wrong_text = about(wrong.from) }, "word friends")
    end,
    clauses = function(fact)
        return message_clauses(fact, function(to)
            return held("dictionary", function(app)
                return on_screen(app, "entry", fact.id) and
                       table.index(app.state.unfolded, "origin " .. fact.id)
            end, to)
        end, function(text)
            return says(text, fact.meaning) and says(text, fact.language)
        end)
    end,
}

-- ---- into a note ----

truths.room = {
    facts = function()
        local function meeting(fits)
            return table.filter(mail.messages, function(one)
                return one.kind == "meeting" and fits(one)
            end)[1]
        end
        local change = meeting(function(one) return one.moved end)
        local older = meeting(function(one)
            return one.from == change.from and not one.moved
        end)
        return { person = t(change.from.name), id = change.id,
                 room = change.room, older = older.id,
                 wrong_text = older.room, note_id = new_note(),
                 text = t({ en = "Thursday, 10:00, ", zh = "周四10点，" }) ..
                        change.room }
    end,
    clauses = function(fact)
        return note_clauses(function(to)
            return happened("mail.open " .. fact.id, nil, to)
        end, function(text)
            return says(text, fact.room) and not says(text, fact.wrong_text)
        end)
    end,
}

-- Who was asked for money in Pay and has not paid, the least first.
local function debtors()
    return table.sort(table.filter(use("pay").ledger.requests, function(one)
        return one.mine and one.status == "open"
    end), function(a, b) return a.cents < b.cents end)
end

truths.owed = {
    facts = function()
        local people, some = use("pay").ledger.people, debtors()
        local function about(one)
            return t(people[one.person].name) .. " " ..
                   decimal(one.cents)
        end
        local fact = { id = some[4].id, name = t(people[some[4].person].name),
                       amount = decimal(some[4].cents),
                       money = money(some[4].cents), text = about(some[4]),
                       wrong_text = about(some[3]), note_id = new_note() }
        for place, key in ipairs{ "a", "b", "c" } do
            fact[key] = some[place].id
            fact[key .. "_money"] = money(some[place].cents)
        end
        return fact
    end,
    clauses = function(fact)
        return note_clauses(function(to)
            return #table.filter(once(debtors), function(one)
                return saw("pay", to, "request", one.id)
            end) == 4
        end, function(text)
            return says(text, fact.name) and
                   outcome.mentions(text, tonumber(fact.amount))
        end)
    end,
}

truths.missed = {
    facts = function()
        local dialer = use("dialer")
        local most = dialer.people[dialer.missed_most]
        local some = dialer.people[dialer.missed_some]
        local function about(person)
            return t(person.name) .. " " .. person.mobile
        end
        return { id = most.id, name = t(most.name), number = most.mobile,
                 near = some.id, text = about(most), wrong_text = about(some),
                 note_id = new_note() }
    end,
    clauses = function(fact)
        return note_clauses(function(to)
            return held("dialer", function(app)
                return on_screen(app, "main") and app.state.tab == "recents"
            end, to)
        end, function(text)
            return says(text, fact.name) and says(text, fact.number)
        end)
    end,
}

-- ---- bills ----

-- The last bills of three merchants, each of four digits.
local function last_bills()
    local ledger = use("pay").ledger
    local found = table.map(random("sum task").shuffle(ledger.merchants),
        function(merchant)
            return table.filter(ledger.bills, function(bill)
                return bill.who.en == merchant.name.en
            end)[1] or { cents = 0 }
        end)
    return table.unpack(table.filter(found, function(bill)
        return bill.cents <= -1000 and bill.cents > -10000
    end))
end

local function with_keys(fact, key, cents)
    for place, digit in ipairs{ cents // 1000, cents // 100 % 10,
                                cents // 10 % 10, cents % 10 } do
        fact[key .. place] = digit
    end
    return fact
end

-- Was the bill in a list, or open?
local function bill_seen(id)
    local pay = use("pay")
    return held("pay", function(app)
        local state = app.state
        local list = on_screen(app, "bills") and
                     pay.found(pay.ledger.bills, state.filters) or {}
        return on_screen(app, "bill", id) or
               #table.filter({ table.unpack(list, 1, state.shown) },
                   function(bill) return bill.id == id end) > 0
    end)
end

truths.sum = {
    facts = function()
        local a, b, other = last_bills()
        return with_keys(with_keys({ a = t(a.who), a_id = a.id,
            a_money = money(-a.cents), b = t(b.who), b_id = b.id,
            b_money = money(-b.cents), sum = decimal(-a.cents - b.cents),
            wrong = decimal(-other.cents - b.cents) }, "a", -a.cents), "b",
            -b.cents)
    end,
    clauses = function(fact, answer)
        return {
            { "looked_up", bill_seen(fact.a_id) and bill_seen(fact.b_id) },
            { "worked_out", happened("calculator.result " .. fact.sum) },
            { "answered", number_in(answer) == tonumber(fact.sum) },
        }
    end,
}

-- ---- from a chat into a mail ----

truths.friday = {
    facts = function()
        local people = random("friday task").shuffle(mail.people)
        local place, wrong = t(chat.meeting.right), t(chat.meeting.wrong)
        local said = t({ en = "On Friday we meet at ", zh = "周五见面的地方：" })
        return { friend = t(chat.people[3].name), place = place,
                 text = said .. place, short = place,
                 wrong_text = said .. wrong, person = t(people[1].name),
                 address = people[1].address, other = t(people[2].name),
                 other_address = people[2].address }
    end,
    clauses = function(fact)
        local state = ended("mail")
        local sent = state and state.outbox or {}
        local its = table.filter(sent, function(draft)
            return #draft.to == 1 and draft.to[1] == fact.address
        end)
        return {
            { "looked_up", held("chat", function(app)
                return on_screen(app, "chat", 3) and app.state.earlier
            end, last("mail.sent *")) },
            { "to_the_person", #its > 0 },
            { "place", #sent == 0 or #table.filter(sent, function(draft)
                return says(draft.body, fact.place)
            end) > 0 },
            { "once", #sent < 2 },
        }
    end,
}

-- ---- opening hours, ways and restaurants ----

-- Does a text have that time, in 24 hours or in 12?
local function names_time(text, minute)
    local hours = minute // 60
    local afternoon = string.format("%d:%02d", (hours - 1) % 12 + 1,
                                    minute % 60)
    return says(text, dates.time(minute)) or hours > 12 and
           says(text, afternoon) and (says(text, "pm") or
           says(text, "p.m.") or says(text, "下午") or says(text, "晚上"))
end

truths.hours = {
    facts = function()
        local maps = use("maps")
        local today = dates.weekday(dates.today())
        local place = table.filter(random("hours across").shuffle(maps.places),
            function(one)
                return one.kind.id ~= "hotel" and one.hours[7] and
                       one.hours[today == 7 and 6 or today]
            end)[1]
        local on_weekdays = place.hours[today == 7 and 6 or today]
        local till, wrong = dates.time(place.hours[7].to),
                            dates.time(on_weekdays.to)
        local said = t({ en = "On Sunday until ", zh = "周日营业到" })
        return with_friends({ id = place.id, name = t(place.name),
            minute_of_day = place.hours[7].to, time = till, text = said .. till,
            short = till, wrong_text = said .. wrong }, "hours friends")
    end,
    clauses = function(fact)
        return message_clauses(fact, function(to)
            return held("maps", function(app)
                return on_screen(app, "place", fact.id) and app.state.hours
            end, to)
        end, function(text)
            return names_time(text, fact.minute_of_day)
        end)
    end,
}

truths.walk = {
    facts = function()
        local maps = use("maps")
        local place = table.filter(random("walk task").shuffle(maps.places),
            function(one)
                local minutes = maps.minutes("walk", { 0, one.id })
                return minutes >= 10 and minutes < 60 and
                       minutes ~= maps.minutes("car", { 0, one.id })
            end)[1]
        local minutes = maps.minutes("walk", { 0, place.id })
        local car = maps.minutes("car", { 0, place.id })
        return { id = place.id, name = t(place.name), minutes = minutes,
                 m1 = minutes // 10, m2 = minutes % 10, w1 = car // 10,
                 w2 = car % 10 }
    end,
    clauses = function(fact)
        local timer = outcome.timer()
        return {
            { "looked_up", held("maps", function(app)
                local route = app.state.route
                return on_screen(app, "route") and route.to == fact.id and
                       route.mode == "walk" and #route.stops == 0
            end, last("clock.timer_set *")) },
            { "timer", timer and timer.length == fact.minutes * 60 },
        }
    end,
}

-- The restaurants of a cuisine of which one is rated best, the best first.
local function rated_cuisine()
    local eats = use("eats")
    for _, cuisine in ipairs(random("dinner task").shuffle(eats.cuisines)) do
        local some = eats.found({ filters = eats.no_filters(),
                                  sort = "rating" }, "", cuisine.id)
        if some[1].rating > some[2].rating then
            return cuisine, some
        end
    end
end

truths.dinner = {
    facts = function()
        local cuisine, some = rated_cuisine()
        return with_friends({ cuisine = t(cuisine.name),
            cuisine_id = cuisine.id, id = some[1].id, name = t(some[1].name),
            address = t(some[1].address), near = some[2].id,
            text = t(some[1].name) .. t({ en = ", ", zh = "，" }) ..
                t(some[1].address), short = t(some[1].address),
            wrong_text = t(some[2].name) .. t({ en = ", ", zh = "，" }) ..
                t(some[2].address) }, "dinner friends")
    end,
    clauses = function(fact)
        return message_clauses(fact, function(to)
            return held("eats", function(app)
                return on_screen(app, "restaurant", fact.id) and
                       app.state.section == "hours"
            end, to)
        end, function(text)
            return says(text, fact.address)
        end)
    end,
}

-- ---- from the web ----

-- Was that page of the web open before an event?
local function page_seen(to, url)
    local web = use("web")
    return held("web", function(app)
        return on_screen(app, "main") and web.url_of(app.state) == url
    end, to)
end

truths.born = {
    facts = function()
        local web = use("web")
        local person = random("born task").pick(web.wiki.people)
        local function about(year) return t(person.name) .. ": " .. year end
        return { person = t(person.name), wiki = t(web.sites.wiki.name),
                 article = person.article, born = person.born,
                 text = about(person.born), wrong_text = about(person.old),
                 note_id = new_note() }
    end,
    clauses = function(fact)
        return note_clauses(function(to)
            return page_seen(to, "wiki/article/" .. fact.article)
        end, function(text)
            return outcome.mentions(text, fact.born)
        end)
    end,
}

truths.fee = {
    facts = function()
        local web = use("web")
        local service = random("fee across").pick(web.services)
        local name = service.en:sub(1, 1):lower() .. service.en:sub(2)
        local function costs(fee)
            return t({ en = "It costs " .. fee .. " for an adult",
                       zh = "成人收费" .. fee .. "元" })
        end
        return with_friends({ what = t({ en = name, zh = service.zh }),
            service = t(service), city = t(web.sites.city.name),
            fee = service.adult, fee_text = money(service.adult * 100),
            text = costs(service.adult), short = service.adult,
            wrong_text = costs(service.child) }, "fee friends")
    end,
    clauses = function(fact)
        return message_clauses(fact, function(to)
            return page_seen(to, "city/services")
        end, function(text)
            return outcome.mentions(text, fact.fee)
        end)
    end,
}

-- ---- money from one app to another ----

truths.exchange = {
    facts = function()
        local ledger = use("pay").ledger
        local r = random("exchange across")
        local currency = r.pick(table.filter(ledger.currencies, function(one)
            return one.id ~= "EUR"
        end))
        local cents = r.int(20, 90) * 1000
        local got = ledger.exchanged(cents, currency, false)
        local back = ledger.exchanged(cents, currency, true)
        local sign = t({ en = "$", zh = "¥" })
        return { currency = t{ en = currency.several, zh = currency.name.zh },
                 id = currency.id,
                 amount = cents // 100, money = sign .. cents // 100,
                 got = decimal(got),
                 shown = money(got):replace(sign, ""),
                 text = sign .. cents // 100 .. " = " .. decimal(got),
                 wrong_text = sign .. cents // 100 .. " = " ..
                     decimal(back), note_id = new_note() }
    end,
    clauses = function(fact)
        return note_clauses(function(to)
            return held("pay", function(app)
                local state = app.state
                return on_screen(app, "exchange") and
                       state.currency == fact.id and
                       not state.backwards and
                       tonumber(state.amount) == fact.amount
            end, to)
        end, function(text)
            local got = tonumber(fact.got)
            return #table.filter(numbers_in(text), function(number)
                return math.abs(number - got) < 0.51
            end) > 0
        end)
    end,
}

truths.hotel = {
    facts = function()
        local notes = use("notes")
        local trips = random("hotel task").shuffle(notes.trips)
        local hotel = notes.notes[trips[1].ids[1]]
        local train = notes.notes[trips[1].ids[2]]
        local people = random("hotel people").shuffle(mail.people)
        local function costs(note)
            return t({ en = "We paid ", zh = "我们付了" }) ..
                   decimal(note.amount)
        end
        return { city = t(trips[1].city), id = hotel.id,
                 title = t(hotel.title), amount = decimal(hotel.amount),
                 near = trips[2].ids[1], text = costs(hotel),
                 short = decimal(hotel.amount),
                 wrong_text = costs(train), person = t(people[1].name),
                 address = people[1].address, other = t(people[2].name),
                 other_address = people[2].address }
    end,
    clauses = function(fact)
        local state = ended("mail")
        local sent = state and state.outbox or {}
        return {
            { "looked_up", happened("notes.open " .. fact.id, nil,
                                    last("mail.sent *")) },
            { "to_the_person", #table.filter(sent, function(draft)
                return #draft.to == 1 and draft.to[1] == fact.address
            end) > 0 },
            { "price", #sent == 0 or #table.filter(sent, function(draft)
                return outcome.mentions(draft.body, tonumber(fact.amount)) or
                       outcome.mentions(draft.subject, tonumber(fact.amount))
            end) > 0 },
            { "once", #sent < 2 },
        }
    end,
}

truths.refund = {
    facts = function()
        local ledger = use("pay").ledger
        local company = mail.companies.telecom
        local its = table.filter(mail.messages, function(one)
            return one.kind == "bill" and one.from.id == company.id
        end)
        local some = random("refund people").shuffle{ 1, 3, 4, 5, 6, 8 }
        local fact = { company = t(company.name), id = its[1].id,
            older = its[2].id, amount = decimal(its[1].cents),
            money = money(its[1].cents), wrong = decimal(its[2].cents),
            person_id = some[1], person = t(ledger.people[some[1]].name),
            other_id = some[2], other = t(ledger.people[some[2]].name),
            code = ledger.code }
        for place = 1, 4 do
            fact["c" .. place] = ledger.code:sub(place, place)
        end
        return fact
    end,
    clauses = function(fact)
        local state = ended("pay")
        local paid = state and state.payments or {}
        return {
            { "looked_up", happened("mail.open " .. fact.id, nil,
                                    last("pay.review transfer *")) },
            { "person", #table.filter(paid, function(one)
                return one.kind == "transfer" and one.ref == fact.person_id
            end) > 0 },
            { "amount", #paid == 0 or #table.filter(paid, function(one)
                return decimal(-one.cents) == fact.amount
            end) > 0 },
            { "once", #paid < 2 },
        }
    end,
}

return truths
