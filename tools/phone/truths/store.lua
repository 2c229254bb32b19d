-- When the tasks in Store are done.
local store = use("store")
local apps = store.apps

local truths = {}

local function name_of(id) return t(apps[id].name) end

-- ---- what was installed and removed ----

-- Installed, or on its way.
local function is_here(state, id)
    return table.find(state.installed, id) ~= nil or
           table.find(state.jobs, id) ~= nil
end

-- Apps that were not there at first.
local function new_apps(state)
    return table.filter(apps, function(app)
        return not table.find(store.installed, app.id) and
               is_here(state, app.id)
    end)
end

local function gone_apps(state)
    return table.filter(store.installed, function(one)
        return not table.find(state.installed, one.id)
    end)
end

-- Updates that were pending at first, and now are done or on their way.
local function updated(state)
    return table.filter(store.pending, function(id)
        return not table.has(state.pending, id) or
               table.find(state.jobs, id) ~= nil
    end)
end

-- When the app began to be installed or updated for the last time.
local function started(id)
    local calls = table.map({ "get", "accept", "pay", "update" },
        function(name) return "store." .. name .. " " .. id end)
    calls[#calls + 1] = "store.update_all"
    local found
    for _, event in ipairs(all(calls)) do
        if table.find(afterwards(event).state.jobs, id) and
           not table.find(before(event).state.jobs, id) then
            found = event
        end
    end
    return found
end

-- ---- what an app asks for ----

local asking = table.filter(store.kinds, function(kind) return kind.asks end)

local function asked_for(id, to)
    return saw("store", to, "permissions", id) or saw("store", to, "needs", id)
end

truths.private = {
    facts = function()
        local kind = random("private task").pick(asking)
        local free = table.sort(table.filter(store.apps_of(kind.id),
            function(app) return app.price == 0 and app.compatible end),
            function(a, b) return a.rating > b.rating end)
        return { kind = kind.id, what = t(kind.one), kind_name = t(kind.name),
                 first = free[1].id, second = free[2].id, id = free[3].id,
                 copy = free[4].id, name = t(free[3].name),
                 first_name = t(free[1].name), second_name = t(free[2].name) }
    end,
    clauses = function(fact)
        local state = ended("store")
        local start = started(fact.id)
        return {
            { "compared", asked_for(fact.first, start) and
              asked_for(fact.second, start) },
            { "installed", state and is_here(state, fact.id) },
            { "nothing_else", not state or #table.filter(new_apps(state),
                function(app) return app.id ~= fact.id end) == 0 },
        }
    end,
}

-- ---- what the newest bad review says ----

local function one_star(app)
    return table.sort(table.filter(store.reviews_of(app), function(review)
        return review.stars == 1
    end), function(a, b) return a.days < b.days end)
end

truths.complaint = {
    facts = function()
        local kind = random("complaint task").pick(store.kinds)
        local app = apps[kind.first]
        local bad = one_star(app)
        return { id = app.id, name = t(app.name), review = bad[1].id,
                 word = t(bad[1].word), text = t(bad[1].text),
                 said = t(bad[1].text), other = bad[2].id,
                 wrong = t(bad[2].text) }
    end,
    clauses = function(fact, answer)
        return {
            { "newest_found", held("store", function(app)
                local state = app.state
                return on_screen(app, "reviews", fact.id) and
                       (state.review_sort == "newest" or
                        state.review_stars == 1) and
                       table.has(state.unfolded, fact.id .. "-" .. fact.review)
            end) },
            { "answered", says(answer, fact.word) },
        }
    end,
}

-- ---- updates ----

local function update_size(id) return apps[id].versions[1].size end

-- As on the screen.
local function size_text(tenths)
    return string.format("%d.%d MB", tenths // 10, tenths % 10)
end

truths.light = {
    facts = function()
        local order = table.sort(table.join(store.pending), function(a, b)
            return update_size(a) < update_size(b)
        end)
        return { limit = update_size(order[4]) // 10, a = order[1],
                 b = order[2], c = order[3], d = order[4],
                 a_size = size_text(update_size(order[1])),
                 b_size = size_text(update_size(order[2])),
                 c_size = size_text(update_size(order[3])) }
    end,
    clauses = function(fact)
        local state = ended("store")
        local list = state and updated(state) or {}
        return {
            { "small_ones", table.has(list, fact.a) and
              table.has(list, fact.b) and table.has(list, fact.c) },
            { "nothing_else", #table.filter(list, function(id)
                return update_size(id) >= fact.limit * 10
            end) == 0 },
        }
    end,
}

truths.fix = {
    facts = function()
        local some = random("fix task").shuffle(store.pending)
        local app = apps[some[1]]
        return { id = app.id, name = t(app.name),
                 change = t(app.versions[1].changes[2]),
                 other = some[2], third = some[3],
                 size = size_text(update_size(app.id)) }
    end,
    clauses = function(fact)
        local state = ended("store")
        local list = state and updated(state) or {}
        return {
            { "read", held("store", function(app)
                return on_screen(app, "updates") and
                       table.has(app.state.unfolded, "update-" .. fact.id) or
                       on_screen(app, "app", fact.id) or
                       on_screen(app, "versions", fact.id)
            end, started(fact.id)) },
            { "updated", table.has(list, fact.id) },
            { "nothing_else", #table.filter(list, function(id)
                return id ~= fact.id
            end) == 0 },
        }
    end,
}

truths.quiet = {
    clauses = function()
        local state = ended("store") or {}
        return {
            { "wifi", state.auto_update == "wifi" },
            { "quiet", state.notify_updates == false },
            { "nothing_else", state.auto_update == nil or
              state.downloads_over == "any" and not state.deals and
              state.ask_purchase and state.personal },
        }
    end,
}

-- ---- making room ----

truths.unused = {
    facts = function()
        local order = table.sort(table.join(store.installed), function(a, b)
            return a.used > b.used
        end)
        local largest = table.sort(table.join(store.installed),
            function(a, b)
                return apps[a.id].size + a.data > apps[b.id].size + b.data
            end)
        local big = largest[1].id == order[1].id and largest[2] or largest[1]
        return { id = order[1].id, name = name_of(order[1].id),
                 second = order[2].id, big = big.id,
                 second_name = name_of(order[2].id) }
    end,
    clauses = function(fact)
        local state = ended("store")
        local gone = state and gone_apps(state) or {}
        local removed = last{ "store.uninstall " .. fact.id,
                              "store.uninstall_selected" }
        return {
            { "compared", held("store", function(app)
                return on_screen(app, "manage") and
                       app.state.manage_sort == "by_use"
            end, removed) },
            { "removed", table.find(gone, fact.id) ~= nil },
            { "nothing_else", #table.filter(gone, function(one)
                return one.id ~= fact.id
            end) == 0 },
        }
    end,
}

-- ---- the original and its copy ----

local function copy_of(app)
    return table.filter(store.apps_of(app.kind), function(one)
        return one.copy
    end)[1]
end

truths.real = {
    facts = function()
        local app = apps[random("real task").pick(asking).first]
        local copy = copy_of(app)
        return { id = app.id, core = t(app.core), name = t(app.name),
                 copy = copy.id, copy_name = t(copy.name),
                 downloads = shortened(app.downloads) .. "+",
                 copy_downloads = shortened(copy.downloads) .. "+" }
    end,
    clauses = function(fact)
        local state = ended("store")
        local start = started(fact.id)
        local function looked_at(id)
            return saw("store", start, "app", id) or
                   saw("store", start, "about", id)
        end
        return {
            { "compared", looked_at(fact.id) and looked_at(fact.copy) },
            { "installed", state and is_here(state, fact.id) },
            { "nothing_else", not state or #table.filter(new_apps(state),
                function(app) return app.id ~= fact.id end) == 0 },
        }
    end,
}

-- ---- the wish list ----

truths.wish = {
    facts = function()
        local kind = random("wish task").pick(store.kinds)
        local ranked = store.chart("paid", kind.id)
        return { kind = kind.id, what = t(kind.one), id = ranked[1].id,
                 name = t(ranked[1].name), second = ranked[2].id,
                 free = store.chart("free", kind.id)[1].id }
    end,
    clauses = function(fact)
        local state = ended("store")
        local wishes = state and state.wishes or {}
        local wished = last("store.wish " .. fact.id .. " true")
        return {
            { "ranked", held("store", function(app)
                local is = app.state
                return on_screen(app, "main") and is.tab == "charts" and
                       is.chart == "paid" and
                       (is.chart_kind == fact.kind or is.chart_kind == "all")
            end, wished) },
            { "wished", table.has(wishes, fact.id) },
            { "nothing_else", #table.filter(wishes, function(id)
                return id ~= fact.id
            end) == 0 },
        }
    end,
}

-- ---- money ----

local function decimal(cents) return string.format("%.12g", cents / 100) end

truths.refund = {
    facts = function()
        local order = table.filter(store.orders, function(one)
            return one.days == 1
        end)[1]
        local other = store.orders[order.id == 1 and 2 or 1]
        return { order = order.id, name = name_of(order.app),
                 other = other.id }
    end,
    clauses = function(fact)
        local state = ended("store")
        local order = state and table.find(state.orders, fact.order) or {}
        return {
            { "refunded", order.refunded },
            { "reason", not order.refunded or order.reason == 1 },
            { "nothing_else", not state or
              #table.filter(state.orders, function(one)
                  return one.refunded and one.id ~= fact.order
              end) == 0 and #state.orders == #store.orders },
        }
    end,
}

truths.spent = {
    facts = function()
        local fact, all_of_them, total = {}, 0, 0
        for place, order in ipairs(store.orders) do
            fact["number" .. place] = order.number
            all_of_them = all_of_them + order.cents
            total = total + (order.extra and 0 or order.cents)
        end
        fact.total, fact.wrong = decimal(total), decimal(all_of_them)
        return fact
    end,
    clauses = function(fact, answer)
        local all_seen = true
        for place in ipairs(store.orders) do
            all_seen = all_seen and saw("store", nil, "order", place)
        end
        return {
            { "all_seen", all_seen },
            { "answered", number_in(answer) == tonumber(fact.total) },
        }
    end,
}

local function per_year(one) return one.cents * (one.yearly and 1 or 12) end

truths.subscription = {
    facts = function()
        local order = table.sort(table.join(store.subscriptions),
            function(a, b) return per_year(a) > per_year(b) end)
        return { id = order[1].id, second = order[2].id, third = order[3].id,
                 cost = money(order[1].cents),
                 second_cost = money(order[2].cents),
                 third_cost = money(order[3].cents),
                 name = name_of(order[1].id) }
    end,
    clauses = function(fact)
        local state = ended("store")
        local ended = table.filter(state and state.subscriptions or {},
            function(one) return one.ended end)
        local cancelled = last("store.unsubscribe " .. fact.id)
        return {
            { "compared", saw("store", cancelled, "subscription", fact.id) and
              saw("store", cancelled, "subscription", fact.second) and
              saw("store", cancelled, "subscription", fact.third) },
            { "cancelled", table.find(ended, fact.id) ~= nil },
            { "nothing_else", #table.filter(ended, function(one)
                return one.id ~= fact.id
            end) == 0 },
        }
    end,
}

-- ---- a review of one's own ----

truths.review = {
    facts = function()
        local r = random("review task")
        local some = r.shuffle(store.installed)
        local texts = r.shuffle{
            { en = "Too slow on my phone", zh = "在我的手机上太慢了" },
            { en = "I miss the old design", zh = "还是旧版界面好看" },
            { en = "Nice, but far too loud", zh = "不错，就是声音太大" } }
        local stars = r.int(2, 4)
        return { id = some[1].id, name = name_of(some[1].id),
                 other = some[2].id, other_name = name_of(some[2].id),
                 stars = stars, wrong = stars - 1,
                 text = t(texts[1]), other_text = t(texts[2]) }
    end,
    clauses = function(fact)
        local state = ended("store")
        local own = state and state.own_reviews or {}
        local one = table.find(own, fact.id)
        return {
            { "posted", one },
            { "stars", not one or one.stars == fact.stars },
            { "text", not one or says(one.text, fact.text) and
              #one.text == #fact.text },
            { "nothing_else", #own == 0 or one and #own == 1 },
        }
    end,
}

-- ---- what one can read about an app ----

truths.mail = {
    facts = function()
        local app = apps[random("mail task").pick(store.kinds).first]
        local copy = copy_of(app)
        return { id = app.id, name = t(app.name), copy = copy.id,
                 developer = app.developer,
                 mail = store.developers[app.developer].mail,
                 wrong = store.developers[copy.developer].mail }
    end,
    clauses = function(fact, answer)
        return {
            { "looked_up", saw("store", nil, "developer", fact.developer) or
              held("store", function(app)
                  return on_screen(app, "app", fact.id) and
                         table.has(app.state.unfolded, "contact")
              end) },
            { "answered", says(answer, fact.mail) },
        }
    end,
}

truths.since = {
    facts = function()
        local r = random("since task")
        local app = apps[r.pick(store.kinds).first]
        local place = r.int(3, 4)
        return { id = app.id, name = t(app.name), place = place,
                 change = t(app.versions[place].changes[1]),
                 version = app.versions[place].name,
                 wrong = app.versions[place - 1].name, before = place - 1 }
    end,
    clauses = function(fact, answer)
        return {
            { "looked_up", held("store", function(app)
                return on_screen(app, "versions", fact.id) and
                       table.has(app.state.unfolded, "version-" .. fact.place)
            end) },
            { "answered", says(answer, fact.version) },
        }
    end,
}

return truths
