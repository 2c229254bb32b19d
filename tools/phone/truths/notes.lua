-- When the tasks in Notes are done.
local notes = use("notes")

local truths = {}

local function find(state, id)
    return state and table.find(state.notes, id)
end

local function title(id) return t(notes.notes[id].title) end

-- Was the note on the screen?
local function was_read(id)
    return happened("notes.open " .. id)
end

-- Those of the notes at first that are not as they were, by a function.
local function differing(state, is_same, but)
    return table.filter(notes.notes, function(note)
        local own = find(state, note.id)
        return not table.has(but, note.id) and
               (own == nil or not is_same(own, note))
    end)
end

-- ---- writing ----

truths.create = {
    facts = function()
        local r = random("create task")
        local titles = r.shuffle{
            { en = "Birthday dinner", zh = "生日聚餐" },
            { en = "Spare key", zh = "备用钥匙" },
            { en = "Bicycle", zh = "自行车" },
            { en = "School play", zh = "学校演出" } }
        return { title = t(titles[1]), other = t(titles[2]),
                 new_id = #notes.notes + 1, text = t(r.pick{
                    { en = "Ask Clara before Friday", zh = "周五之前问一下欣怡" },
                    { en = "It is under the blue pot", zh = "在蓝色花盆下面" },
                    { en = "Bring the long ladder", zh = "带上长梯子" } }) }
    end,
    clauses = function(fact)
        local state = ended("notes")
        local new = table.filter(state and state.notes or {}, function(note)
            return note.id >= fact.new_id
        end)
        local one = new[1] or {}
        return {
            { "title", says(one.title, fact.title) and
              #one.title == #fact.title },
            { "text", one.body and says(one.body, fact.text) or
              #table.filter(one.items or {}, function(item)
                  return item.text == fact.text
              end) == 1 },
            { "kept", #new > 0 and not one.trashed },
            { "once", #new < 2 },
        }
    end,
}

-- ---- one note ----

truths.pin = {
    facts = function()
        local some = random("pin task").shuffle(notes.wifi)
        return { id = some[1].id, place = t(some[1].place),
                 title = title(some[1].id), other = some[2].id,
                 other_title = title(some[2].id) }
    end,
    clauses = function(fact)
        local state = ended("notes")
        local note = find(state, fact.id)
        return {
            { "pinned", note and note.pinned and not note.trashed },
            { "no_other", state and #table.filter(state.notes, function(one)
                return one.pinned and one.id ~= fact.id
            end) == 0 },
        }
    end,
}

truths.pack = {
    facts = function()
        local first, second = notes.packing[1], notes.packing[2]
        local fact = { id = first.id, other = second.id,
                       title = title(first.id), other_title = title(second.id),
                       place = t(first.place) }
        local common = {}
        for place, thing in ipairs(first.things) do
            for other_place, other in ipairs(second.things) do
                if other.en == thing.en and other_place > 2 then
                    table.insert(common, { thing, place, other_place })
                end
            end
        end
        common = random("pack task").shuffle(common)
        fact.a, fact.pa, fact.qa = t(common[1][1]), common[1][2], common[1][3]
        fact.b, fact.pb, fact.qb = t(common[2][1]), common[2][2], common[2][3]
        fact.c, fact.pc = t(common[3][1]), common[3][2]
        return fact
    end,
    clauses = function(fact)
        local state = ended("notes")
        local function done(id)
            local places = {}
            local note = find(state, id)
            for place, item in ipairs(note and note.items or {}) do
                if item.done then
                    places[#places + 1] = place
                end
            end
            return places
        end
        local places = done(fact.id)
        return {
            { "both", table.index(places, fact.pa) and
              table.index(places, fact.pb) },
            { "nothing_else", #places < 3 and
              (not state or #done(fact.other) == 2) },
        }
    end,
}

truths.bill = {
    facts = function()
        local some = random("bill task").shuffle(notes.bills)
        return { id = some[1].id, title = title(some[1].id),
                 month = t(some[1].month), price = decimal(some[1].amount),
                 other = some[2].id, other_price = decimal(some[2].amount),
                 water = notes.water[1].id,
                 water_price = decimal(notes.water[1].amount) }
    end,
    clauses = function(fact, answer)
        return {
            { "opened", was_read(fact.id) },
            { "answered", number_in(answer) == tonumber(fact.price) },
        }
    end,
}

-- ---- the trash ----

local function by_change()
    return table.sort(table.filter(notes.notes, function(note)
        return not note.trashed
    end), function(a, b) return a.changed > b.changed end)
end

truths.oldest = {
    facts = function()
        local order = once(by_change)
        return { id = order[1].id, title = title(order[1].id),
                 newest = order[#order].id, second = order[2].id,
                 newest_title = title(order[#order].id) }
    end,
    clauses = function(fact)
        local state = ended("notes")
        local note = find(state, fact.id)
        local sorted = false
        for _, event in ipairs(all("notes.delete *")) do
            local was = before(event).state
            sorted = sorted or was.sort == "oldest" or
                     was.sort == "changed" or was.dates
        end
        return {
            { "sorted", sorted },
            { "deleted", state and (not note or note.trashed) },
            { "no_other", #differing(state, function(own, first)
                return own.trashed == (first.trashed or false)
            end, { fact.id }) == 0 },
        }
    end,
}

truths.locker = {
    facts = function()
        local id = notes.locker.id
        return { id = id, title = title(id), number = notes.locker.number,
                 other = id + 1, other_title = title(id + 1),
                 wrong = notes.locker.number + 1 }
    end,
    clauses = function(fact, answer)
        local state = ended("notes")
        local note = find(state, fact.id)
        return {
            { "restored", note and not note.trashed },
            { "no_other", not state or #differing(state, function(own, first)
                return own.trashed == (first.trashed or false)
            end, { fact.id }) == 0 },
            { "answered", number_in(answer) == fact.number },
        }
    end,
}

-- ---- several notes ----

truths.total = {
    facts = function()
        local trips = random("total task").shuffle(notes.trips)
        local ids = trips[1].ids
        local last_amount = notes.notes[ids[3]].amount
        return { city = t(trips[1].city), other_city = t(trips[2].city),
                 id1 = ids[1], id2 = ids[2], id3 = ids[3],
                 title1 = title(ids[1]), title2 = title(ids[2]),
                 title3 = title(ids[3]), total = decimal(trips[1].total),
                 other1 = trips[2].ids[1],
                 two = decimal(trips[1].total - last_amount) }
    end,
    clauses = function(fact, answer)
        local number = number_in(answer)
        return {
            { "all_read", was_read(fact.id1) and was_read(fact.id2) and
              was_read(fact.id3) },
            { "answered", number and
              math.abs(number - tonumber(fact.total)) < 0.001 },
        }
    end,
}

truths.folder = {
    facts = function()
        local ids = notes.moving
        return { id1 = ids[1], id2 = ids[2], id3 = ids[3],
                 title1 = title(ids[1]), title2 = title(ids[2]),
                 title3 = title(ids[3]), other = notes.groceries,
                 other_title = title(notes.groceries),
                 name = t(random("folder task").pick{
                    { en = "New flat", zh = "新家" },
                    { en = "The big move", zh = "大搬家" },
                    { en = "Boxes and keys", zh = "纸箱和钥匙" } }) }
    end,
    clauses = function(fact)
        local state = ended("notes")
        local made = table.filter(state and state.folders or {},
            function(folder)
                return folder.name == fact.name
            end)
        local ids = table.map(table.filter(state and state.notes or {},
            function(note)
                return made[1] and note.folder == made[1].id and
                       not note.trashed
            end), function(note) return note.id end)
        return {
            { "one_folder", #made == 1 },
            { "all_three", table.index(ids, fact.id1) and
              table.index(ids, fact.id2) and table.index(ids, fact.id3) },
            { "nothing_else", #ids < 4 and
              #differing(state, function(own, first)
                  return own.folder == first.folder
              end, { fact.id1, fact.id2, fact.id3 }) == 0 },
        }
    end,
}

return truths
