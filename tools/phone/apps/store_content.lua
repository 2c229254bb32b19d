-- What Store sells: apps of several kinds, each kind with a copy of its best
-- known app; their developers, versions, permissions and reviews; and what the
-- owner of the phone has installed and bought. Sizes are in tenths of a
-- megabyte, ratings in tenths of a star, prices in cents, ages in days.

local wording = include("store_wording")
local kinds, groups = wording.kinds, wording.groups

local PER_KIND = 7 -- apps, the last of which is a copy of the first
local REVIEWS = 18

local apps, developers = {}, {}

local function both(format, ...)
    local parts = { ... }
    local made = {}
    for _, language in ipairs{ "en", "zh" } do
        made[language] = string.format(format[language],
            table.unpack(table.map(parts, function(part)
                return type(part) == "table" and part[language] or part
            end)))
    end
    return made
end

-- ---- names ----

local cores = {}

-- An invented name that is part of no other.
local function new_core(r)
    local core
    local function clashes(other)
        return other.en:lower():find(core.en:lower()) or
               core.en:lower():find(other.en:lower()) or
               other.zh:find(core.zh) or core.zh:find(other.zh)
    end
    repeat
        core = content.brand(r)
    until #table.filter(cores, clashes) == 0
    cores[#cores + 1] = core
    return core
end

local function make_developers(r, count)
    for id = 1, count do
        local core = new_core(r)
        developers[id] = { id = id, name = both(r.pick(wording.firms), core),
            mail = r.pick{ "help", "hello", "support", "team" } ..
                   r.int(2, 98) .. "@" .. core.en:lower() .. ".example",
            site = core.en:lower() .. ".example",
            address = content.address(r) }
    end
end

-- ---- figures ----

-- Percents of five, four, … stars, with that average.
local function histogram(r, tenths)
    local missing = 500 - tenths * 10
    local ones = r.int(48, 62) * missing // 400
    local twos = r.int(6, 11) * missing // 300
    local threes = r.int(9, 14) * missing // 200
    local fours = missing - ones * 4 - twos * 3 - threes * 2
    return { 100 - ones - twos - threes - fours, fours, threes, twos, ones }
end

local tiers = { 500000000, 100000000, 50000000, 10000000, 5000000, 1000000,
                500000, 100000, 50000, 10000 }

local function data_safety(r)
    local collected = {}
    for _, kind in ipairs(wording.data) do
        if r.chance(0.4) then
            collected[#collected + 1] = kind
        end
    end
    return { shared = r.chance(0.4), collected = collected,
             encrypted = r.chance(0.8), deletable = r.chance(0.6) }
end

-- From the newest to the oldest; each change is in one of them only. The first
-- two changes of the list are the newest version's.
local function make_versions(r, days, changes)
    local major, minor = r.int(2, 9), r.int(5, 12)
    local versions = {}
    for place = 1, 5 do
        versions[place] = { days = days,
            name = major .. "." .. minor .. "." .. r.int(0, 9),
            size = r.int(40, 640),
            changes = { changes[place * 2 - 1], changes[place * 2] } }
        days, minor = days + r.int(20, 60), minor - 1
    end
    return versions
end

local function make_permissions(r, kind)
    local asked = {}
    for _, group in ipairs(groups) do
        if table.index(kind.needs, group.id) or
           group.id ~= "contacts" and r.chance(0.22) then
            asked[#asked + 1] = group.id
        end
    end
    return asked
end

-- ---- apps ----

local cents = content.prices("store")

local function new_app(r, kind, parts)
    local app = parts
    app.id, app.kind = #apps + 1, kind.id
    app.size = content.new_number(r, 90, 1900, kind.sizes)
    app.age = r.pick(kind.ages)
    app.days = r.int(2, 90)
    app.versions = make_versions(r, app.days, r.shuffle(wording.changes))
    app.version = app.versions[1].name
    app.released = app.days + r.int(400, 2400)
    app.permissions = make_permissions(r, kind)
    app.safety = data_safety(r)
    app.stars = histogram(r, app.rating)
    app.ratings = math.max(app.downloads // r.int(40, 90), 210)
    app.heat, app.gross = r.int(1, 1 << 30), r.int(1, 1 << 30)
    app.seed = r.int(1, 99999)
    app.android = r.int(7, 12)
    apps[app.id] = app
end

-- The first is best known, and the last named like it, by another developer.
local function fill_kind(kind)
    local r = random("kind", kind.id)
    local marks = r.shuffle{ 49, 48, 47, 46, 45, 44, 43, 42, 41, 40 }
    local nouns, texts = r.shuffle(kind.nouns), r.shuffle(kind.texts)
    local makers = r.shuffle(developers)
    local paid = { [r.int(2, 3)] = true, [r.int(4, 5)] = true }
    local choice = r.int(2, 6)
    kind.sizes = {}
    kind.first = #apps + 1
    for place = 1, PER_KIND do
        local copy = place == PER_KIND
        local first = apps[kind.first]
        local core = copy and first.core or new_core(r)
        local noun = copy and first.noun or nouns[place]
        new_app(r, kind, { core = core, noun = noun, copy = copy,
            name = copy and both(r.pick(wording.copies), core, noun) or
                   both({ en = "%s %s", zh = "%s%s" }, core, noun),
            developer = makers[place].id, text = texts[place],
            rating = copy and r.int(33, 38) or marks[place],
            downloads = place == 1 and tiers[r.int(1, 2)] or
                        copy and tiers[r.int(8, 10)] or tiers[r.int(3, 8)],
            price = paid[place] and cents(129, 1499) or 0,
            ads = copy or not paid[place] and r.chance(0.5),
            extras = copy or r.chance(0.5),
            choice = place == choice or place == 1 and r.chance(0.5),
            compatible = place ~= 6 })
    end
end

-- The best free ones ask for contacts; the one after them, the modest one, does
-- not. So what they ask for matters.
local function give_contacts(kind)
    local r = random("contacts", kind.id)
    local free = table.sort(table.filter(apps, function(app)
        return app.kind == kind.id and app.price == 0 and app.compatible
    end), function(a, b) return a.rating > b.rating end)
    for place, app in ipairs(free) do
        app.modest = place == 3
        if not app.modest then
            table.insert(app.permissions, 1, "contacts")
        end
    end
end

local function apps_of(kind)
    return table.filter(apps, function(app) return app.kind == kind end)
end

-- ---- reviews ----

local function one_review(r, stars, complaint, days, helpful, people)
    local who = content.another_person(r, people)
    people[#people + 1] = who
    local text = complaint and
        both({ en = "%s %s %s", zh = "%s%s%s" }, r.pick(wording.openings),
             r.pick(complaint.texts), r.pick(wording.closings)) or
        stars == 3 and r.pick(wording.mixed) or r.pick(wording.praise)
    return { who = who, stars = stars, text = text, days = days,
             helpful = helpful, word = complaint and complaint.word,
             reply = stars <= 2 and r.chance(0.6) and
                     r.pick(wording.replies) or nil }
end

-- Complaints are all different; so are ages and helpful votes.
local function reviews_of(app)
    local r = random("reviews", app.id)
    local complaints, people = r.shuffle(wording.complaints), {}
    local days, helpful, reviews = {}, {}, {}
    for place = 1, REVIEWS do
        local stars = place <= 4 and 1 or place <= 6 and 2 or
                      place <= 8 and 3 or r.pick{ 4, 5, 5 }
        reviews[place] = one_review(r, stars, complaints[place <= 6 and place
            or 0], content.new_number(r, 1, 240, days),
            content.new_number(r, 0, 900, helpful), people)
        reviews[place].id = place
    end
    return reviews
end

-- ---- what the owner has ----

-- Those of a kind that may be installed. Free ones are left to be chosen where
-- all apps of a kind ask for something.
local function candidates(r, kind)
    local some = table.filter(r.shuffle(apps_of(kind.id)), function(app)
        return not app.modest and not app.copy and app.compatible and
               app.id ~= kind.first and (app.price > 0 or not kind.asks)
    end)
    return table.sort(some, function(a, b)
        return a.price == 0 and b.price > 0
    end)
end

local function make_installed(r)
    local used, total, installed = {}, {}, {}
    for place, kind in ipairs(kinds) do
        for _, app in ipairs{ table.unpack(candidates(r, kind), 1,
                                           1 + place % 2) } do
            local size = content.new_number(r, app.size + 80, app.size + 7700,
                                            total)
            installed[#installed + 1] = { id = app.id, data = size - app.size,
                used = content.new_number(r, 0, 150, used), auto = true }
        end
    end
    return r.shuffle(installed)
end

-- Of those installed; their newest version is not here yet. No two of these
-- versions have a change in common.
local function make_pending(r, installed)
    local pending, sizes = {}, {}
    local changes = r.shuffle(wording.changes)
    for place = 1, 6 do
        local app = apps[installed[place].id]
        local pair = { changes[place * 2 - 1], changes[place * 2] }
        local others = table.filter(r.shuffle(wording.changes),
            function(change) return not table.index(pair, change) end)
        app.days = r.int(1, 9)
        app.versions = make_versions(r, app.days, table.join(pair, others))
        app.versions[1].size = content.new_number(r, 3, 88, sizes) * 10 +
                               r.int(1, 9)
        app.version = app.versions[1].name
        pending[place] = app.id
    end
    return pending
end

-- Three apps, the first of them yesterday, and three things within apps.
local function make_orders(r, installed)
    local orders, days = {}, {}
    local paid = table.filter(installed, function(one)
        return apps[one.id].price > 0
    end)
    local others = table.filter(r.shuffle(apps), function(app)
        return app.extras and app.price == 0 and not app.copy
    end)
    for place = 1, 3 do
        local app = apps[paid[place].id]
        orders[place] = { app = app.id, cents = app.price,
            days = place == 1 and 1 or content.new_number(r, 5, 120, days) }
        orders[place + 3] = { app = others[place].id, extra = true,
            cents = cents(199, 2999),
            days = content.new_number(r, 5, 120, days) }
    end
    table.sort(orders, function(a, b) return a.days < b.days end)
    for place, order in ipairs(orders) do
        order.id = place
        order.number = string.format("ST.%04d-%04d-%04d", r.int(1000, 9999),
                                     r.int(1000, 9999), r.int(1000, 9999))
    end
    return orders
end

-- A yearly one can cost less than a monthly one.
local function make_subscriptions(r)
    local some = table.filter(r.shuffle(apps), function(app)
        return app.extras and app.price == 0 and not app.copy
    end)
    local made = {}
    for place = 1, 3 do
        local yearly = place == 2
        made[place] = { id = some[place].id, yearly = yearly,
            cents = yearly and cents(2400, 3600) or cents(300, 1900),
            renews = r.int(3, 27) }
    end
    return made
end

-- ---- everything ----

make_developers(random("developers"), 24)
for _, kind in ipairs(kinds) do
    fill_kind(kind)
    give_contacts(kind)
end

local installed = make_installed(random("installed"))

return { apps = apps, kinds = kinds, groups = groups,
         developers = developers, reviews_of = reviews_of, apps_of = apps_of,
         installed = installed, balance = cents(700, 2500),
         owner = content.person(random("owner")),
         pending = make_pending(random("pending"), installed),
         orders = make_orders(random("orders"), installed),
         subscriptions = make_subscriptions(random("subscriptions")) }
