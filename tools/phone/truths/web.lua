-- When the tasks in the browser are done.
local web = use("web")

local truths = {}

local wiki, news, products = web.wiki, web.news, web.products
local sites = web.sites

local function shows(app, url)
    return on_screen(app, "main") and web.url_of(app.state) == url
end

local function seen(url, to)
    return held("web", function(app) return shows(app, url) end, to)
end

local function article_url(thing)
    return "wiki/article/" .. thing.article
end

local function copy_url(thing)
    return "copy/article/" .. thing.article
end

-- Bookmarks that were not there at first.
local function new_bookmarks(state)
    return table.filter(state and state.bookmarks or {}, function(url)
        return not table.has(web.bookmarked, url)
    end)
end

local function is_only(list, one)
    return #list == 1 and list[1] == one
end

local function lower_first(text)
    return { en = text.en:sub(1, 1):lower() .. text.en:sub(2), zh = text.zh }
end

-- ---- the twin town ----

truths.twin = {
    facts = function()
        local town = random("twin task").pick(wiki.towns)
        local twin = wiki.towns[town.twin]
        return { town = t(town.name), twin = t(twin.name),
                 wiki = t(sites.wiki.name), article = town.article,
                 twin_article = twin.article, people = twin.population,
                 old = twin.old, wrong = town.population,
                 old_text = web.grouped(twin.old),
                 people_text = web.grouped(twin.population) }
    end,
    clauses = function(fact, answer)
        return {
            { "article_seen", seen("wiki/article/" .. fact.twin_article) },
            { "answered", number_in(answer) == fact.people },
        }
    end,
}

-- ---- looked up without a trace ----

local function is_about(url, person)
    return url == article_url(person) or url == copy_url(person) or
           url:find("/find/") and (says(url, person.name.en) or
                                   says(url, person.name.zh))
end

truths.private = {
    facts = function()
        local r = random("private task")
        local person = wiki.people[r.int(5, #wiki.people)]
        return { person = t(person.name), id = person.id, born = person.born,
                 article = person.article, old = person.old,
                 wiki = t(sites.wiki.name),
                 query = "engine1/find/" .. t(person.name) }
    end,
    clauses = function(fact, answer)
        local person = wiki.people[fact.id]
        local state = ended("web")
        return {
            { "looked_up", held("web", function(app)
                return on_screen(app, "main") and
                       is_about(web.url_of(app.state), person)
            end) },
            { "answered", number_in(answer) == fact.born },
            { "no_trace", state and #table.filter(state.visits,
                function(one) return is_about(one.url, person) end) == 0 },
        }
    end,
}

-- ---- the cheapest that can be had ----

local function compares(app, kind)
    if not shows(app, "shop/kind/" .. kind) then
        return false
    end
    local state = app.state
    return state.shop_sort == "price_asc" or
           state.shop_shown >= #web.listed(state, kind)
end

local function by_price(kind)
    return web.listed({ shop_sort = "price_asc", only_stock = true }, kind)
end

truths.cheapest = {
    facts = function()
        local kind = random("cheapest task").pick(web.kinds)
        local list = by_price(kind.id)
        local rated = web.listed({ shop_sort = "rating", only_stock = true },
                                 kind.id)
        return { what = t(lower_first(kind)), kind_name = t(kind),
                 kind = kind.id, shop = t(sites.shop.name),
                 name = t(list[1].name), id = list[1].id,
                 other = list[2].id, other_name = t(list[2].name),
                 best = rated[1].id == list[1].id and rated[2].id or
                        rated[1].id }
    end,
    clauses = function(fact)
        local state = ended("web")
        local cart = state and state.cart or {}
        local added = last("web.add_cart " .. fact.id)
        local line = cart[1]
        return {
            { "compared", held("web", function(app)
                return compares(app, fact.kind)
            end, added) },
            { "in_cart", line and line.product == fact.id },
            { "nothing_else", #cart == 0 or #cart == 1 and line.count == 1 },
        }
    end,
}

-- ---- a bookmark ----

truths.bookmark = {
    facts = function()
        local river = wiki.rivers[random("bookmark task").int(1, 6)]
        local other = wiki.rivers[river.id % #wiki.rivers + 1]
        return { river = t(river.name), wiki = t(sites.wiki.name),
                 article = river.article, other_article = other.article,
                 other = t(other.name) }
    end,
    clauses = function(fact)
        local list = new_bookmarks(ended("web"))
        return {
            { "kept", table.has(list, "wiki/article/" .. fact.article) },
            { "nothing_else", #list <= 1 },
        }
    end,
}

-- ---- search engine and home page ----

truths.engine = {
    facts = function()
        local place = random("engine task").int(2, 3)
        return { engine = t(sites["engine" .. place].name), place = place,
                 other = 5 - place, news = t(sites.news.name),
                 first_engine = t(sites.engine1.name),
                 other_engine = t(sites["engine" .. (5 - place)].name) }
    end,
    clauses = function(fact)
        local state = ended("web") or {}
        return {
            { "engine", state.engine == fact.place },
            { "home_page", state.home_page == "news/home" },
        }
    end,
}

-- ---- the earliest appointment ----

local citizens = {
    { en = "Nora Winter", zh = "孙晓岚" }, { en = "Theo Lang", zh = "何志远" },
    { en = "Milan Frost", zh = "罗婉清" }, { en = "Eva Sommer", zh = "谢明哲" },
}

local function first_slot(office)
    return web.slots[office][1]
end

truths.appointment = {
    facts = function()
        local r = random("appointment task")
        local service, names = r.pick(web.services), r.shuffle(citizens)
        local order = table.sort({ 1, 2, 3 }, function(a, b)
            return first_slot(a).day < first_slot(b).day
        end)
        local slot = first_slot(order[1])
        local day = dates.today() + slot.day
        local late = first_slot(order[2])
        local fact = { service = t(service),
                       what = t(lower_first(service)), id = service.id,
                       city = t(sites.city.name), name = t(names[1]),
                       other_name = t(names[2]), day = day,
                       day_text = dates.medium(day),
                       time = slot.minutes[1],
                       time_text = dates.time(slot.minutes[1]),
                       later = slot.minutes[2],
                       when = dates.long(day) .. ", " ..
                              dates.time(slot.minutes[1]),
                       late_day = dates.today() + late.day,
                       late_time = late.minutes[1],
                       other_id = web.services[
                           web.services[1] == service and 2 or 1].id }
        for place, prefix in ipairs{ "first", "second", "third" } do
            fact[prefix] = order[place]
            fact[prefix .. "_office"] = t(web.offices[order[place]])
        end
        return fact
    end,
    clauses = function(fact)
        local state = ended("web")
        local bookings = state and state.bookings or {}
        local one = bookings[1] or {}
        local booked = first("web.book")
        local function looked_at(office)
            return held("web", function(app)
                return shows(app, "city/book") and app.state.office == office
            end, booked)
        end
        return {
            { "offices_compared", looked_at(1) and looked_at(2) and
              looked_at(3) },
            { "service", one.service == fact.id },
            { "earliest", one.office == fact.first and one.day == fact.day and
              one.time == fact.time },
            { "name", says(one.name, fact.name) },
            { "once", #bookings <= 1 },
        }
    end,
}

-- ---- a message to the city ----

truths.light = {
    facts = function()
        local r = random("light task")
        local address = content.address(r)
        local phone = "555" .. r.int(10000, 99999)
        return { address = t(address), phone = phone,
                 city = t(sites.city.name),
                 message = t{
                     en = "The street light at " .. address.en .. " is broken.",
                     zh = address.zh .. "的路灯坏了。" },
                 wrong_message = t{ en = "The street light is broken.",
                                    zh = "路灯坏了。" } }
    end,
    clauses = function(fact)
        local state = ended("web")
        local list = state and state.messages or {}
        local one = list[1] or {}
        return {
            { "topic", one.topic == "light" },
            { "address", says(one.text, fact.address) },
            { "call_back", one.reply == "phone" and
              one.phone:replace(" ", ""):find(fact.phone) ~= nil },
            { "once", #list <= 1 },
        }
    end,
}

-- ---- the survey ----

local phrases = {
    weekly = { en = "every week", zh = "每周都去图书馆" },
    monthly = { en = "about once a month", zh = "大概每月去一次图书馆" },
    rarely = { en = "a few times a year", zh = "一年只去几次图书馆" },
    central = { en = "to the central library", zh = "去的是总馆" },
    harbour = { en = "to the branch at the harbour", zh = "去的是港口分馆" },
    bus = { en = "to the library bus", zh = "用的是流动图书车" },
    morning = { en = "in the morning", zh = "早上" },
    evening = { en = "in the evening", zh = "晚上" },
    sunday = { en = "on Sundays", zh = "星期天" },
    games = { en = "games", zh = "游戏" }, films = { en = "films", zh = "影片" },
    quiet = { en = "quiet rooms", zh = "安静的阅览室" },
    courses = { en = "courses", zh = "培训课程" },
}

truths.survey = {
    facts = function()
        local r = random("survey task")
        local often = r.pick{ "weekly", "monthly", "rarely" }
        local branch = r.pick{ "central", "harbour", "bus" }
        local hours = r.pick{ "morning", "evening", "sunday" }
        local age = r.int(27, 57)
        local wishes = r.shuffle{ "games", "films", "quiet", "courses" }
        local function shown(place, id)
            for _, choice in ipairs(web.questions[place].choices) do
                if choice.id == id then
                    return t(choice)
                end
            end
        end
        local function wish(id)
            for _, one in ipairs(web.wishes) do
                if one.id == id then
                    return t(one)
                end
            end
        end
        return { city = t(sites.city.name), often = t(phrases[often]),
                 branch = t(phrases[branch]), hours = t(phrases[hours]),
                 age = age, often_id = often, branch_id = branch,
                 hours_id = hours, a = wishes[1], b = wishes[2],
                 c = wishes[3], wish_a = t(phrases[wishes[1]]),
                 wish_b = t(phrases[wishes[2]]), often_text = shown(1, often),
                 branch_text = shown(2, branch), hours_text = shown(3, hours),
                 a_text = wish(wishes[1]), b_text = wish(wishes[2]),
                 c_text = wish(wishes[3]),
                 other_branch = branch == "bus" and "central" or "bus",
                 other_hours = hours == "sunday" and "morning" or "sunday" }
    end,
    clauses = function(fact)
        local state = ended("web")
        local list = state and state.surveys or {}
        local one = list[1] or { answers = {}, wishes = {} }
        return {
            { "how_often", one.answers.often == fact.often_id },
            { "branch", one.answers.branch == fact.branch_id },
            { "hours", one.answers.hours == fact.hours_id },
            { "age", one.answers.age == "middle" },
            { "wishes", #one.wishes == 2 and table.has(one.wishes, fact.a) and
              table.has(one.wishes, fact.b) },
            { "informed", one.informed },
            { "once", #list == 1 },
        }
    end,
}

-- ---- what the repair costs by now ----

local function stories_of(bridge)
    return table.sort(table.filter(news, function(one)
        return one.kind == "repair" and one.bridge == bridge.id
    end), function(a, b) return a.days < b.days end)
end

-- In millions, or in Chinese in units of ten thousand.
local function cost_text(one)
    return t{ en = string.format("%.1f", one.cost / 10),
              zh = tostring(one.cost * 10) }
end

truths.repair = {
    facts = function()
        local place = random("repair task").int(1, 2)
        local bridge, other = wiki.bridges[place], wiki.bridges[3 - place]
        local list = stories_of(bridge)
        return { bridge = t(bridge.name), news = t(sites.news.name),
                 id = list[1].id, second = list[2].id,
                 cost = cost_text(list[1]), old = cost_text(list[2]),
                 title = t(list[1].title), second_title = t(list[2].title),
                 other_cost = cost_text(stories_of(other)[1]),
                 other = stories_of(other)[1].id }
    end,
    clauses = function(fact, answer)
        return {
            { "newest_read", seen("news/article/" .. fact.id) },
            { "answered", number_in(answer) == tonumber(fact.cost) },
        }
    end,
}

-- ---- all tabs but one ----

truths.tabs = {
    facts = function()
        local river = wiki.rivers[4]
        return { river = t(river.name), url = article_url(river) }
    end,
    clauses = function(fact)
        local state = ended("web")
        local tabs = state and state.tabs or {}
        local kept = table.filter(tabs, function(tab)
            return tab.urls[tab.place] == fact.url
        end)
        return {
            { "kept", #kept >= 1 },
            { "closed", #tabs == 1 },
        }
    end,
}

-- ---- what was read some days ago ----

truths.refind = {
    facts = function()
        local bridge, other = wiki.bridges[5], wiki.bridges[3]
        return { wiki = t(sites.wiki.name), bridge = t(bridge.name),
                 url = article_url(bridge), article = bridge.article,
                 other_article = other.article,
                 river_url = article_url(wiki.rivers[3]) }
    end,
    clauses = function(fact)
        local list = new_bookmarks(ended("web"))
        local marked = last("web.bookmark")
        return {
            { "history_seen", held("web", function(app)
                return on_screen(app, "history")
            end, marked) },
            { "kept", table.has(list, fact.url) },
            { "nothing_else", #list <= 1 },
        }
    end,
}

-- ---- the history of a week ----

truths.week = {
    clauses = function()
        local state = ended("web")
        local left, gone, kept = {}, true, true
        for _, one in ipairs(state and state.visits or {}) do
            left[one.id] = true
        end
        for _, one in ipairs(web.visited) do
            if one.ago < 6 * 86400 then
                gone = gone and not left[one.id]
            elseif one.ago > 8 * 86400 then
                kept = kept and left[one.id]
            end
        end
        return {
            { "week_gone", state and gone },
            { "older_kept", state and kept },
            { "logins_kept", state and #table.filter(state.cookies,
                function(one) return one.site == "city" end) == 1 },
        }
    end,
}

-- ---- the longest of three rivers ----

truths.longest = {
    facts = function()
        local three = random("rivers task").shuffle(wiki.rivers)
        three = { three[1], three[2], three[3] }
        local fact = { wiki = t(sites.wiki.name) }
        for place, prefix in ipairs{ "a", "b", "c" } do
            fact[prefix] = t(three[place].name)
            fact[prefix .. "_article"] = three[place].article
            fact[prefix .. "_length"] = three[place].length
        end
        table.sort(three, function(one, other)
            return one.length > other.length
        end)
        fact.longest, fact.second = t(three[1].name), t(three[2].name)
        return fact
    end,
    clauses = function(fact, answer)
        local function read(article)
            return seen("wiki/article/" .. article)
        end
        local others = 0
        for _, name in ipairs{ fact.a, fact.b, fact.c } do
            others = others + (says(answer, name) and 1 or 0)
        end
        return {
            { "all_three_read", read(fact.a_article) and
              read(fact.b_article) and read(fact.c_article) },
            { "answered", says(answer, fact.longest) and others == 1 },
        }
    end,
}

-- ---- what it would cost in all ----

truths.express = {
    facts = function()
        local r = random("express task")
        local product
        repeat
            product = r.pick(products)
        until product.stock
        local total = 2 * product.price + web.shipping.express
        local function amount(cents)
            return string.format("%.2f", cents / 100)
        end
        return { name = t(product.name), id = product.id,
                 kind = product.kind, shop = t(sites.shop.name),
                 total = amount(total), total_text = money(total),
                 one = amount(product.price + web.shipping.express),
                 standard = amount(2 * product.price +
                                   web.shipping.standard) }
    end,
    clauses = function(fact, answer)
        return {
            { "total_seen", held("web", function(app)
                local state = app.state
                local line = state.cart[1]
                return shows(app, "shop/cart") and #state.cart == 1 and
                       line.product == fact.id and line.count == 2 and
                       state.shipping == "express"
            end) },
            { "answered", number_in(answer) == tonumber(fact.total) },
            { "not_ordered", not happened("web.order") },
        }
    end,
}

-- ---- an order with a code from the newspaper ----

truths.coupon = {
    facts = function()
        local r = random("coupon task")
        local product
        repeat
            product = r.pick(products)
        until product.stock
        local colour = web.colours[r.int(2, 3)]
        local valid, expired
        for _, one in ipairs(news) do
            if one.kind == "coupon" then
                valid, expired = one.valid and one or valid,
                                 one.valid and expired or one
            end
        end
        return { name = t(product.name), id = product.id,
                 kind = product.kind, colour = t(lower_first(colour)),
                 colour_id = colour.id, colour_text = t(colour),
                 shop = t(sites.shop.name), news = t(sites.news.name),
                 buyer = t(r.pick(citizens)), street = t(content.address(r)),
                 code = valid.code, percent = valid.percent,
                 story = valid.id, expired = expired.code,
                 old_story = expired.id }
    end,
    clauses = function(fact)
        local state = ended("web")
        local orders = state and state.orders or {}
        local order = orders[1] or { cart = {} }
        local line = order.cart[1] or {}
        return {
            { "product", #order.cart == 1 and line.product == fact.id and
              line.count == 1 },
            { "colour", line.colour == fact.colour_id },
            { "discount", order.percent == fact.percent },
            { "name", says(order.name, fact.buyer) },
            { "street", says(order.street, fact.street) },
            { "once", #orders <= 1 },
        }
    end,
}

-- ---- a fee ----

truths.fee = {
    facts = function()
        local service = random("fee task").pick(web.services)
        return { what = t(lower_first(service)), service = t(service),
                 city = t(sites.city.name), fee = service.child,
                 adult = service.adult, charged = service.charged,
                 fee_text = money(service.child * 100) }
    end,
    clauses = function(fact, answer)
        return {
            { "fees_seen", seen("city/services") },
            { "answered", number_in(answer) == fact.fee },
        }
    end,
}

-- ---- an article without being followed ----

truths.author = {
    facts = function()
        local one = random("author task").pick(table.filter(news,
            function(some) return some.kind == "festival" end))
        local other = table.filter(news, function(some)
            return some.kind == "festival" and some ~= one
        end)[1]
        return { town = t(wiki.towns[one.town].name),
                 news = t(sites.news.name), id = one.id,
                 title = t(one.title), author = t(one.author),
                 wrong = t(other.author), other = other.id }
    end,
    clauses = function(fact, answer)
        local state = ended("web")
        local choice
        for _, one in ipairs(state and state.cookies or {}) do
            choice = one.site == "news" and one.choice or choice
        end
        return {
            { "cookies_refused", choice == "none" },
            { "article_read", seen("news/article/" .. fact.id) },
            { "answered", says(answer, fact.author) },
        }
    end,
}

-- ---- easier to read ----

truths.readable = {
    clauses = function()
        local state = ended("web") or {}
        return {
            { "larger", state.scale == 150 },
            { "no_popups", state.block_popups },
        }
    end,
}

return truths
