-- When the tasks in Store are done.
local store = use("store")
local apps = store.apps

local truths = {}

local function final()
    local app = in_the_end("store")
    return app and app.state
end

local function ever(holds, to)
    return held("store", holds, to)
end

-- Was that screen on top?
local function seen(to, name, ...)
    local wanted = { ... }
    return ever(function(app)
        return on_screen(app, name, table.unpack(wanted))
    end, to)
end

local function with_id(list, id)
    return table.filter(list, function(one) return one.id == id end)[1]
end

local function has(list, value)
    return table.index(list, value) ~= nil
end

local function name_of(id) return t(apps[id].name) end

-- ---- what was installed and removed ----

-- Installed, or on its way.
local function is_here(state, id)
    return with_id(state.installed, id) ~= nil or
           with_id(state.jobs, id) ~= nil
end

-- Apps that were not there at first.
local function new_apps(state)
    return table.filter(apps, function(app)
        return not with_id(store.installed, app.id) and is_here(state, app.id)
    end)
end

local function gone_apps(state)
    return table.filter(store.installed, function(one)
        return not with_id(state.installed, one.id)
    end)
end

-- Updates that were pending at first, and are not any more, or are on their way.
local function updated(state)
    return table.filter(store.pending, function(id)
        return not has(state.pending, id) or with_id(state.jobs, id) ~= nil
    end)
end

-- When the app began to be installed or updated for the last time.
local function started(id)
    local calls = table.map({ "get", "accept", "pay", "update" },
        function(name) return "store." .. name .. " " .. id end)
    calls[#calls + 1] = "store.update_all"
    local found
    for _, event in ipairs(all(calls)) do
        if with_id(afterwards(event).state.jobs, id) and
           not with_id(before(event).state.jobs, id) then
            found = event
        end
    end
    return found
end

local function only(list, wanted)
    return table.index(list, wanted) ~= nil and #list == 1
end

-- ---- what an app asks for ----

local asking = table.filter(store.kinds, function(kind) return kind.asks end)

local function asked_for(id, to)
    return seen(to, "permissions", id) or seen(to, "needs", id)
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
        local state = final()
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
            { "newest_found", ever(function(app)
                local state = app.state
                return on_screen(app, "reviews", fact.id) and
                       (state.review_sort == "newest" or
                        state.review_stars == 1) and
                       has(state.unfolded, fact.id .. "-" .. fact.review)
            end) },
            { "answered", says(answer, fact.word) },
        }
    end,
}

-- ---- updates ----

local function update_size(id) return apps[id].versions[1].size end

truths.light = {
    facts = function()
        local order = table.sort(table.join(store.pending), function(a, b)
            return update_size(a) < update_size(b)
        end)
        return { limit = update_size(order[4]) // 10, a = order[1],
                 b = order[2], c = order[3], d = order[4],
                 a_name = name_of(order[1]), b_name = name_of(order[2]),
                 c_name = name_of(order[3]),
                 others = table.concat({ name_of(order[4]), name_of(order[5]),
                                         name_of(order[6]) }, "\n") }
    end,
    clauses = function(fact)
        local state = final()
        local list = state and updated(state) or {}
        return {
            { "small_ones", has(list, fact.a) and has(list, fact.b) and
              has(list, fact.c) },
            { "nothing_else", #table.filter(list, function(id)
                return update_size(id) >= fact.limit * 10
            end) == 0 },
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
        local state = final()
        local gone = state and gone_apps(state) or {}
        local removed = last{ "store.uninstall " .. fact.id,
                              "store.uninstall_selected" }
        return {
            { "compared", ever(function(app)
                return on_screen(app, "manage") and
                       app.state.manage_sort == "by_use"
            end, removed) },
            { "removed", with_id(gone, fact.id) },
            { "nothing_else", #table.filter(gone, function(one)
                return one.id ~= fact.id
            end) == 0 },
        }
    end,
}

return truths
