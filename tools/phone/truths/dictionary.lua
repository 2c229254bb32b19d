-- When the tasks in Dictionary are done.
local dictionary = use("dictionary")
local entries = dictionary.entries

local truths = {}

-- Was the word's page open before an event, if one is given, with that card
-- unfolded, if one is named?
local function seen(id, part, to)
    for _, event in ipairs(all("dictionary.*", nil, to)) do
        local app = afterwards(event)
        if on_screen(app, "entry", id) and
           (not part or table.index(app.state.unfolded, part .. " " .. id))
        then
            return true
        end
    end
    return false
end

local function shuffled(name)
    return random(name).shuffle(entries)
end

local function words_of(state, id)
    for _, list in ipairs(state and state.lists or {}) do
        if list.id == id then
            return list.words
        end
    end
    return {}
end

local function least_used(list)
    return table.sort(table.join(list), function(a, b)
        return a.uses < b.uses
    end)
end

-- ---- answers ----

truths.origin = {
    facts = function()
        local entry, other = table.unpack(shuffled("origin task"))
        local wrong = dictionary.related(entry, false)[1]
        return { word = entry.word, id = entry.id, language = t(entry.from),
                 wrong = t(wrong.from), other = other.id,
                 other_word = other.word }
    end,
    clauses = function(fact, answer)
        return {
            { "origin_seen", seen(fact.id, "origin") },
            { "answered", says(answer, fact.language) },
        }
    end,
}

truths.older = {
    facts = function()
        local a, b = table.unpack(shuffled("older task"))
        local first = a.since < b.since and a or b
        local second = first == a and b or a
        return { a = a.word, a_id = a.id, b = b.word, b_id = b.id,
                 word = first.word, wrong = second.word, a_year = a.since,
                 b_year = b.since }
    end,
    clauses = function(fact, answer)
        return {
            { "both_origins_seen", seen(fact.a_id, "origin") and
              seen(fact.b_id, "origin") },
            { "answered", says(answer, fact.word) and
              not says(answer, fact.wrong) },
        }
    end,
}

truths.quote = {
    facts = function()
        local entry, other = table.unpack(shuffled("quote task"))
        local quote, wrong = entry.quotes[3], entry.quotes[1]
        return { word = entry.word, id = entry.id, year = quote.year,
                 who = t(quote.who), wrong = t(wrong.who), other = other.id,
                 other_word = other.word }
    end,
    clauses = function(fact, answer)
        return {
            { "quotations_seen", seen(fact.id, "quotes") },
            { "answered", says(answer, fact.who) },
        }
    end,
}

truths.common = {
    facts = function()
        local entry = shuffled("common task")[1]
        local rare, common = table.unpack(
            least_used(dictionary.related(entry, false)))
        return { word = entry.word, id = entry.id, common = common.word,
                 common_id = common.id, rare = rare.word, rare_id = rare.id,
                 common_uses = common.uses, rare_uses = rare.uses }
    end,
    clauses = function(fact, answer)
        return {
            { "both_seen", seen(fact.common_id) and seen(fact.rare_id) },
            { "answered", says(answer, fact.common) and
              not says(answer, fact.rare) },
        }
    end,
}

truths.meaning = {
    facts = function()
        local entry = shuffled("meaning task")[1]
        local others = dictionary.related(entry, false)
        return { meaning = t(entry.meaning), language = t(entry.from),
                 word = entry.word, id = entry.id, wrong = others[1].word,
                 other = others[1].id }
    end,
    clauses = function(fact, answer)
        return {
            { "origin_seen", seen(fact.id, "origin") },
            { "answered", says(answer, fact.word) },
        }
    end,
}

truths.rarest = {
    facts = function()
        local list = least_used(table.map(dictionary.first_list,
            function(id) return entries[id] end))
        local fact = { word = list[1].word, second = list[2].word }
        for i, id in ipairs(dictionary.first_list) do
            fact["w" .. i] = id
            fact["word" .. i] = entries[id].word
        end
        return fact
    end,
    clauses = function(fact, answer)
        local opened = table.filter(dictionary.first_list, function(id)
            return seen(id)
        end)
        return {
            { "all_seen", #opened == #dictionary.first_list },
            { "answered", says(answer, fact.word) },
        }
    end,
}

-- ---- what is kept ----

truths.opposite = {
    facts = function()
        local entry = table.filter(shuffled("opposite task"), function(one)
            return #table.filter(dictionary.related(one, true), function(other)
                return table.has(dictionary.first_list, other.id)
            end) == 0
        end)[1]
        local chosen, wrong = table.unpack(random("opposite").shuffle(
            dictionary.related(entry, true)))
        return { word = entry.word, id = entry.id, answer = chosen.word,
                 answer_id = chosen.id, language = t(chosen.from),
                 wrong = wrong.id, wrong_word = wrong.word,
                 list = t{ en = "For the exam", zh = "考试用" } }
    end,
    clauses = function(fact)
        local its = words_of(ended("dictionary"), 1)
        local saved = last("dictionary.in_list 1 " .. fact.answer_id .. " true")
        local added = table.filter(its, function(id)
            return id ~= fact.answer_id and
                   not table.has(dictionary.first_list, id)
        end)
        return {
            { "opposites_seen", seen(fact.id, "opposites", saved) },
            { "saved", table.has(its, fact.answer_id) },
            { "nothing_else", #added == 0 },
        }
    end,
}

truths.verbs = {
    facts = function()
        local verbs = table.filter(dictionary.first_list, function(id)
            return entries[id].kind == "verb"
        end)
        local rest = table.filter(dictionary.first_list, function(id)
            return entries[id].kind ~= "verb"
        end)
        return { list = t{ en = "For the exam", zh = "考试用" },
                 a = verbs[1], b = verbs[2], c = verbs[3], other = rest[1],
                 a_word = entries[verbs[1]].word,
                 b_word = entries[verbs[2]].word,
                 c_word = entries[verbs[3]].word,
                 other_word = entries[rest[1]].word }
    end,
    clauses = function(_)
        local its = words_of(ended("dictionary"), 1)
        local verbs = table.filter(its, function(id)
            return entries[id].kind == "verb"
        end)
        local gone = table.filter(dictionary.first_list, function(id)
            return entries[id].kind ~= "verb" and not table.has(its, id)
        end)
        return {
            { "no_verbs", ended("dictionary") and #verbs == 0 },
            { "others_kept", #gone == 0 },
        }
    end,
}

truths.list = {
    facts = function()
        local a, b, c = table.unpack(table.filter(shuffled("list task"),
            function(entry)
                return not table.has(dictionary.first_list, entry.id)
            end))
        return { a = a.id, b = b.id, c = c.id, a_word = a.word,
                 b_word = b.word, c_word = c.word,
                 name = t(random("list name").pick{
                    { en = "For my letter", zh = "写信用" },
                    { en = "Words for Ben", zh = "给小本的单词" },
                    { en = "Crossword", zh = "填字游戏" } }) }
    end,
    clauses = function(fact)
        local state = ended("dictionary")
        local new = table.filter(state and state.lists or {}, function(list)
            return list.id > 1
        end)
        local its = new[1] or { name = "", words = {} }
        return {
            { "name", #new == 1 and says(its.name, fact.name) },
            { "first", table.has(its.words, fact.a) },
            { "second", table.has(its.words, fact.b) },
            { "nothing_else", #its.words <= 2 },
        }
    end,
}

truths.note = {
    facts = function()
        local entry, other = table.unpack(shuffled("note task"))
        return { word = entry.word, id = entry.id, other = other.id,
                 other_word = other.word,
                 text = t(random("note text").pick{
                    { en = "Use it in the speech", zh = "演讲里要用" },
                    { en = "Ask the teacher", zh = "去问老师" },
                    { en = "Grandma says this", zh = "奶奶常说这个词" } }) }
    end,
    clauses = function(fact)
        local state = ended("dictionary")
        local notes = state and state.notes or {}
        local its = table.filter(notes, function(note)
            return note.word == fact.id
        end)[1]
        return {
            { "its_note", its and says(its.text, fact.text) },
            { "no_other_note", #notes <= 1 },
        }
    end,
}

truths.settings = {
    clauses = function()
        local state = ended("dictionary")
        return {
            { "american", state and state.accent == "american" },
            { "no_reminder", state and not state.notice },
            { "type_kept", not state or not state.large },
        }
    end,
}

return truths
