-- When the open-ended tasks across apps are done: several outcomes are right,
-- and each clause is a condition that all of them meet.
local truths = {}

-- What is right, as name1, name2, … and id1, id2, …; those that are missing
-- repeat the first, so that a check can list them all.
local function with_options(fact, list, count)
    for place = 1, count do
        local one = list[place] or list[1]
        fact["id" .. place], fact["name" .. place] = one.id, t(one.name)
    end
    return fact
end

local function ids_of(list)
    return table.map(list, function(one) return one.id end)
end

local function all_in(list, some)
    return #table.filter(some, function(one)
        return not table.has(list, one)
    end) == 0
end

-- Does a text name one of those things?
local function names_one(text, things)
    return #table.filter(things, function(one)
        return says(text, t(one.name))
    end) > 0
end

-- ---- a quiet evening ----

local EVENING = 3000

-- Open restaurants that deliver, each with a dish that is within the budget.
local function evening_meals()
    local eats = use("eats")
    local meals = {}
    for _, one in ipairs(random("evening task").shuffle(eats.restaurants)) do
        local dishes = table.filter(one.menu, function(dish)
            return not dish.drink and dish.price >= 500 and
                   dish.price + one.fee <= EVENING
        end)
        if one.takeout and #dishes > 0 and eats.closes_at(one) then
            table.insert(meals, { id = one.id, name = one.name,
                                  dish = dishes[1].id })
        end
    end
    return meals
end

truths.evening = {
    facts = function()
        local music = use("music")
        local meals = evening_meals()
        local albums = random("evening album").shuffle(table.filter(
            music.releases, function(one) return one.kind == "album" end))
        return { limit = money(EVENING):sub(1, -4), a = meals[1].id,
                 a_name = t(meals[1].name), a_dish = meals[1].dish,
                 b = meals[2].id, b_name = t(meals[2].name),
                 b_dish = meals[2].dish, album = t(albums[1].title),
                 album_id = albums[1].id, song = albums[2].songs[1],
                 song_name = t(music.songs[albums[2].songs[1]].title) }
    end,
    clauses = function()
        local ordered = all("eats.ordered *")
        local state = ended("music")
        return {
            { "ordered", #ordered > 0 },
            { "once", #ordered < 2 },
            { "within_budget", #table.filter(ordered, function(event)
                return event.args[3] > EVENING
            end) == 0 },
            { "music", state and state.player.playing and
              state.player.kind == "song" },
        }
    end,
}

-- ---- a present ----

-- The products of a category without sizes that are well rated and below a
-- limit, and one that is not.
local function presents()
    local shop = use("shop")
    for _, category in ipairs(random("present task").shuffle(shop.kinds)) do
        for _, limit in ipairs{ 5000, 8000, 12000 } do
            local its = table.filter(shop.products, function(one)
                return one.category == category.id
            end)
            local right = table.filter(its, function(one)
                return one.rating >= 40 and one.price < limit
            end)
            if not category.sizes and #right > 1 and #right < #its then
                return category, limit, right, table.filter(its,
                    function(one) return not table.has(right, one) end)[1]
            end
        end
    end
end

truths.present = {
    facts = function()
        local category, limit, right, wrong = presents()
        local fact = outcome.with_friends({ category = t(category.name),
            category_id = category.id, limit = money(limit):sub(1, -4),
            wrong_id = wrong.id, wrong_name = t(wrong.name) },
            "present friends")
        return with_options(fact, right, 9)
    end,
    clauses = function(fact)
        local _, _, right = once(presents)
        local products = use("shop").products
        local state = ended("shop")
        local cart = state and state.cart or {}
        return {
            { "in_the_cart", #cart > 0 },
            { "fits", #table.filter(cart, function(line)
                return not table.has(ids_of(right), line.product)
            end) == 0 },
            { "one", #cart == 0 or #cart == 1 and cart[1].count == 1 },
            { "sent", outcome.sent(fact.friend_id, function(text)
                return #cart == 0 or #table.filter(cart, function(line)
                    return says(text, t(products[line.product].name))
                end) > 0
            end) },
            { "no_other", not outcome.sent_to_others({ fact.friend_id }) },
        }
    end,
}

-- ---- a place to meet ----

local function good_cafes()
    local maps = use("maps")
    local cafes = maps.found({ open_now = false, rating = 0 }, "rating", "",
                             "cafe")
    local least = cafes[2].rating >= 40 and cafes[#cafes].rating < 40 and 40 or
                  cafes[2].rating
    return least, table.filter(cafes, function(one)
        return one.rating >= least
    end), cafes[#cafes]
end

truths.cafe = {
    facts = function()
        local least, right, wrong = good_cafes()
        local fact = outcome.with_friends({ wrong_id = wrong.id,
            wrong_name = t(wrong.name),
            least = string.format("%.1f", least / 10) }, "cafe friends")
        return with_options(fact, right, 7)
    end,
    clauses = function(fact)
        local _, right = once(good_cafes)
        local places = use("maps").places
        local state = ended("maps")
        local chosen = table.filter(state and state.lists.want or {},
            function(id) return places[id].kind.id ~= "hotel" end)
        return {
            { "listed", #chosen > 0 },
            { "fits", all_in(ids_of(right), chosen) },
            { "sent", outcome.sent(fact.friend_id, function(text)
                return #chosen == 0 or names_one(text, table.map(chosen,
                    function(id) return places[id] end))
            end) },
            { "no_other", not outcome.sent_to_others({ fact.friend_id }) },
        }
    end,
}

-- ---- a place to stay ----

-- The city and the places there that take pets and have two bedrooms.
local function dog_places()
    local stays = use("stays")
    local filters = stays.no_filters()
    filters.amenities, filters.bedrooms = { "pets" }, 2
    local saved = stays.first_saved()
    for _, city in ipairs(random("dog trip").shuffle(stays.cities)) do
        local plan = stays.no_plan()
        plan.city = city.id
        local right = stays.found(plan, filters, "rating")
        local wrong = table.filter(stays.listings, function(one)
            return one.city.id == city.id and not table.has(saved, one.id) and
                   not table.has(right, one)
        end)
        if #right > 1 and #wrong > 0 and #table.filter(right, function(one)
            return table.index(saved, one.id)
        end) == 0 then
            return city, right, wrong[1]
        end
    end
end

truths.dog = {
    facts = function()
        local city, right, wrong = dog_places()
        return with_options({ city = t(city.name), city_id = city.id,
            wrong_id = wrong.id, wrong_name = t(wrong.name),
            note_id = outcome.new_note() }, right, 7)
    end,
    clauses = function()
        local stays = use("stays")
        local _, right = once(dog_places)
        local state = ended("stays")
        local chosen = table.filter(state and state.saved or {}, function(id)
            return not table.has(stays.first_saved(), id)
        end)
        return {
            { "saved", #chosen > 0 },
            { "fits", all_in(ids_of(right), chosen) },
            { "noted", outcome.noted(function(text)
                return #chosen == 0 or names_one(text, table.map(chosen,
                    function(id) return stays.listings[id] end))
            end) },
        }
    end,
}

-- ---- a farewell ----

truths.farewell = {
    facts = function()
        local people = use("chat").people
        local some = random("farewell task").shuffle(people)
        local fact = { note_id = outcome.new_note(),
                       chat_id = #use("chat").chats + 1,
                       text = t({ en = "Let us plan a farewell!",
                                  zh = "我们来办个送别会吧！" }),
                       list = t({ en = "Cake", zh = "蛋糕" }),
                       wrong_text = t({ en = "Lemonade", zh = "柠檬水" }) }
        for place, key in ipairs{ "who", "b", "c", "d", "e" } do
            fact[key .. "_id"], fact[key] = some[place].id, t(some[place].name)
        end
        return fact
    end,
    clauses = function(fact)
        local state = ended("chat")
        local chat = state and state.chats[fact.chat_id]
        local members = chat and chat.members or {}
        return {
            { "group", all_in(members, { fact.b_id, fact.c_id }) and
              #members > 2 },
            { "secret", not table.has(members, fact.who_id) },
            { "written", not chat or #chat.sent > 0 },
            { "noted", outcome.noted(function(text)
                return says(text, fact.list)
            end) },
        }
    end,
}

-- ---- sleep, and waking up ----

truths.night = {
    facts = function()
        local music = use("music")
        return { name = t(music.playlists[1].name), list = 1,
                 other_name = t(music.playlists[3].name), other = 3,
                 alarm_id = use("clock").first_state().next_id }
    end,
    clauses = function(fact)
        local music, clock = ended("music"), ended("clock")
        local player = music and music.player or {}
        local made = table.filter(clock and clock.alarms or {},
            function(alarm)
                return alarm.id >= fact.alarm_id and alarm.on
            end)
        return {
            { "music", player.playing and player.kind == "song" },
            { "ends", not player.playing or
              player.sleep > 0 and player.sleep <= 30 },
            { "alarm", #made > 0 },
            { "early", #table.filter(made, function(alarm)
                return alarm.hour >= 7 or alarm.hour < 4
            end) == 0 },
        }
    end,
}

-- ---- a new word ----

-- The words from a language that are not on the list.
local function new_words()
    local dictionary = use("dictionary")
    local language = random("new word").pick(dictionary.entries).from
    local known = dictionary.first_list
    local right = table.filter(dictionary.entries, function(entry)
        return entry.from.en == language.en and
               not table.has(known, entry.id)
    end)
    local wrong = table.filter(dictionary.entries, function(entry)
        return entry.from.en ~= language.en and
               not table.has(known, entry.id)
    end)[1]
    return language, right, wrong
end

truths.word = {
    facts = function()
        local language, right, wrong = new_words()
        local fact = { language = t(language), list = t({ en = "For the exam",
            zh = "考试用" }), wrong_id = wrong.id, wrong_word = wrong.word,
            note_id = outcome.new_note() }
        for place = 1, 9 do
            local one = right[place] or right[1]
            fact["id" .. place], fact["name" .. place] = one.id, one.word
        end
        return fact
    end,
    clauses = function()
        local dictionary = use("dictionary")
        local _, right = once(new_words)
        local state = ended("dictionary")
        local chosen = table.filter(state and state.lists[1].words or {},
            function(id)
                return not table.has(dictionary.first_list, id)
            end)
        return {
            { "saved", #chosen > 0 },
            { "fits", all_in(ids_of(right), chosen) },
            { "noted", outcome.noted(function(text)
                return #chosen == 0 or #table.filter(chosen, function(id)
                    return says(text, dictionary.entries[id].word)
                end) > 0
            end) },
        }
    end,
}

-- ---- some fresh air ----

local STROLL = 30

-- Places of a kind that are ten to thirty minutes away on foot, and one that
-- is farther.
local function strolls()
    local maps = use("maps")
    local function minutes(place)
        return maps.minutes("walk", { 0, place.id })
    end
    for _, kind in ipairs(random("stroll task").shuffle{ "cafe", "market",
            "pharmacy", "museum", "bank" }) do
        local its = table.filter(maps.places, function(place)
            return place.kind.id == kind
        end)
        local right = table.filter(its, function(place)
            return minutes(place) >= 10 and minutes(place) <= STROLL
        end)
        local wrong = table.filter(its, function(place)
            return minutes(place) > STROLL and minutes(place) < 60
        end)
        if #right > 1 and #wrong > 0 then
            return kind, right, wrong[1], minutes
        end
    end
end

local singular = {
    cafe = { en = "café", zh = "咖啡馆" }, bank = { en = "bank", zh = "银行" },
    pharmacy = { en = "pharmacy", zh = "药店" },
    market = { en = "supermarket", zh = "超市" },
    museum = { en = "museum", zh = "博物馆" },
}

truths.stroll = {
    facts = function()
        local kind, right, wrong, minutes = strolls()
        local fact = with_options({ kind = kind, what = t(singular[kind]),
            limit = STROLL, wrong_id = wrong.id, wrong_name = t(wrong.name),
            w1 = minutes(wrong) // 10, w2 = minutes(wrong) % 10 }, right, 7)
        for place = 1, 7 do
            local its = minutes(right[place] or right[1])
            fact["minutes" .. place] = its
            fact["m" .. place .. "1"] = its // 10
            fact["m" .. place .. "2"] = its % 10
        end
        return fact
    end,
    clauses = function()
        local _, right, _, minutes = once(strolls)
        local timer = outcome.timer()
        local looked_up = table.filter(use("maps").places, function(place)
            return held("maps", function(app)
                local route = app.state.route
                return on_screen(app, "route") and route.to == place.id and
                       route.mode == "walk"
            end, last("clock.timer_set *"))
        end)
        return {
            { "looked_up", #looked_up > 0 },
            { "fits", #looked_up == 0 or #table.filter(looked_up,
                function(place)
                    return table.index(right, place)
                end) > 0 },
            { "timer", timer and (#looked_up == 0 or #table.filter(looked_up,
                function(place)
                    return minutes(place) * 60 == timer.length
                end) > 0) },
        }
    end,
}

-- ---- something to watch ----

local function short_videos()
    local video = use("video")
    local number = random("watch task").int(1, #video.subjects)
    local its = table.filter(video.videos, function(one)
        return one.subject == number
    end)
    its = table.sort(its, function(a, b) return a.views > b.views end)
    return video.subjects[number], table.filter(its, function(one)
        return one.seconds < 300 and not table.has(video.later, one.id)
    end), its[3]
end

truths.watch = {
    facts = function()
        local subject, right, wrong = short_videos()
        local fact = outcome.with_friends({ subject = t(subject),
            wrong_id = wrong.id, wrong_name = t(wrong.title) },
            "watch friends")
        return with_options(fact, table.map(right, function(one)
            return { id = one.id, name = one.title }
        end), 3)
    end,
    clauses = function(fact)
        local video = use("video")
        local _, right = once(short_videos)
        local state = ended("video")
        local chosen = table.filter(state and state.later or {}, function(id)
            return not table.has(video.later, id)
        end)
        return {
            { "saved", #chosen > 0 },
            { "fits", all_in(ids_of(right), chosen) },
            { "sent", outcome.sent(fact.friend_id, function(text)
                return #chosen == 0 or #table.filter(chosen, function(id)
                    return says(text, t(video.videos[id].title))
                end) > 0
            end) },
            { "no_other", not outcome.sent_to_others({ fact.friend_id }) },
        }
    end,
}

-- ---- a call that was missed ----

truths.callback = {
    facts = function()
        local dialer = use("dialer")
        local fact = { note_id = outcome.new_note() }
        local wrong = dialer.people[dialer.talked[4]]
        for key, one in pairs{ a = dialer.people[dialer.missed_most],
                               b = dialer.people[dialer.missed_some],
                               wrong = wrong } do
            fact[key .. "_id"], fact[key] = one.id, t(one.name)
            fact[key .. "_number"] = one.mobile
        end
        return fact
    end,
    clauses = function(fact)
        local state = ended("dialer")
        local placed = state and state.placed or {}
        local right = { fact.a_number, fact.b_number }
        return {
            { "called", #placed > 0 },
            { "missed", all_in(right, placed) },
            { "noted", outcome.noted(function(text)
                return #placed == 0 or says(text, fact.a) and
                       table.index(placed, fact.a_number) or
                       says(text, fact.b) and
                       table.index(placed, fact.b_number) or
                       says(text, fact.wrong) and
                       table.index(placed, fact.wrong_number)
            end) },
        }
    end,
}

-- ---- money to save ----

-- Automatic payments that cost enough each month, that sum, and a smaller one.
local function savings()
    local autos = table.sort(table.copy(use("pay").ledger.autos),
        function(a, b)
            return (a.yearly and a.cents // 12 or a.cents) >
                   (b.yearly and b.cents // 12 or b.cents)
        end)
    return autos[2].cents, { autos[1], autos[2] }, autos[4]
end

truths.saving = {
    facts = function()
        local least, right, wrong = savings()
        return with_options({ least = money(least), wrong_id = wrong.id,
            wrong_name = t(wrong.name), note_id = outcome.new_note() }, right,
            2)
    end,
    clauses = function()
        local autos = use("pay").ledger.autos
        local _, right = once(savings)
        local state = ended("pay")
        local stopped = state and state.stopped or {}
        return {
            { "stopped", #stopped > 0 },
            { "enough", #stopped == 0 or #table.filter(stopped, function(id)
                return table.index(ids_of(right), id)
            end) > 0 },
            { "one", #stopped < 2 },
            { "noted", outcome.noted(function(text)
                return #stopped == 0 or names_one(text, table.map(stopped,
                    function(id) return autos[id] end))
            end) },
        }
    end,
}

-- ---- from a shop in the web ----

-- Products of a kind that can be delivered, below a limit, and one above it.
local function web_products()
    local web = use("web")
    local kind = random("web present").pick(web.kinds)
    local list = web.listed({ shop_sort = "price_asc", only_stock = true },
                            kind.id)
    local limit = (list[4].price + 99) // 100
    return kind, limit, table.filter(list, function(one)
        return one.price <= limit * 100
    end), list[#list]
end

truths.order = {
    facts = function()
        local web = use("web")
        local kind, limit, right, wrong = web_products()
        return with_options({ what = t({ en = kind.en:lower(), zh = kind.zh }),
            kind = kind.id, limit = money(limit * 100):sub(1, -4),
            shop = t(web.sites.shop.name), wrong_id = wrong.id,
            wrong_name = t(wrong.name), note_id = outcome.new_note() }, right,
            8)
    end,
    clauses = function()
        local products = use("web").products
        local _, _, right = once(web_products)
        local state = ended("web")
        local cart = state and state.cart or {}
        return {
            { "in_the_cart", #cart > 0 },
            { "fits", #table.filter(cart, function(line)
                return not table.has(ids_of(right), line.product)
            end) == 0 },
            { "noted", outcome.noted(function(text)
                return #cart == 0 or #table.filter(cart, function(line)
                    return says(text, t(products[line.product].name))
                end) > 0
            end) },
        }
    end,
}

return truths
