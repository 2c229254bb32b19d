-- The words of Dictionary: rare ones, with their meaning, origin, first use
-- and quotations. A word is known by its place in the list.

local languages = {
    { en = "Latin", zh = "拉丁语" }, { en = "Greek", zh = "希腊语" },
    { en = "Old Norse", zh = "古诺尔斯语" }, { en = "Arabic", zh = "阿拉伯语" },
    { en = "Persian", zh = "波斯语" }, { en = "French", zh = "法语" },
    { en = "Dutch", zh = "荷兰语" }, { en = "Welsh", zh = "威尔士语" },
    { en = "Sanskrit", zh = "梵语" }, { en = "Portuguese", zh = "葡萄牙语" },
}

local parts = { adjective = { en = "adjective", zh = "形容词" },
                verb = { en = "verb", zh = "动词" } }

-- Meanings and their opposites.
local meanings = {
    { part = "adjective", { en = "very quick", zh = "非常快的" },
      { en = "very slow", zh = "非常慢的" } },
    { part = "adjective", { en = "full of courage", zh = "充满勇气的" },
      { en = "easily frightened", zh = "容易害怕的" } },
    { part = "adjective", { en = "pleasantly warm", zh = "温暖宜人的" },
      { en = "bitterly cold", zh = "寒冷刺骨的" } },
    { part = "adjective", { en = "generous with money", zh = "出手大方的" },
      { en = "unwilling to spend", zh = "舍不得花钱的" } },
    { part = "adjective", { en = "talking a lot", zh = "话很多的" },
      { en = "saying little", zh = "话很少的" } },
    { part = "verb", { en = "to praise highly", zh = "大加赞扬" },
      { en = "to mock", zh = "嘲笑" } },
    { part = "verb", { en = "to put in order", zh = "整理好" },
      { en = "to make a mess of", zh = "弄得一团糟" } },
    { part = "verb", { en = "to walk without hurry", zh = "慢慢地走" },
      { en = "to run away in fear", zh = "惊慌逃跑" } },
    { part = "verb", { en = "to hide carefully", zh = "小心藏起来" },
      { en = "to show openly", zh = "展示给所有人看" } },
    { part = "verb", { en = "to begin with energy", zh = "干劲十足地开始" },
      { en = "to give up tiredly", zh = "疲惫地放弃" } },
}

local quotes = {
    { en = "Few had expected anything so %s.", zh = "没有人料到会这样（%s）。" },
    { en = "They called it %s, and were right.", zh = "他们称之为 %s，说得没错。" },
    { en = "What is %s today was not so then.", zh = "今天所谓的 %s，当时并非如此。" },
    { en = "Let others be %s if they like.", zh = "别人要 %s，随他们去吧。" },
}

local OF_ONE_MEANING = 3

-- ---- words ----

local starts = { "bra", "cal", "dro", "fen", "gla", "hur", "jas", "kel", "lum",
                 "mor", "nas", "ost", "pel", "quin", "ros", "sab", "tur",
                 "ulv", "ver", "wim", "yar", "zel" }
local middles = { "a", "e", "i", "o", "u" }
local ends = { "dor", "fic", "gant", "lent", "mish", "nard", "pid", "quel",
               "rant", "sile", "tive", "vane" }

local function new_word(r, taken)
    local word
    repeat
        word = r.pick(starts) .. r.pick(middles) .. r.pick(ends)
    until not table.index(taken, word)
    taken[#taken + 1] = word
    return word
end

local function make_quotes(r, since)
    local years, list = {}, {}
    for i = 1, 4 do
        list[i] = { year = content.new_number(r, since, 2019, years),
                    who = content.person(r), text = quotes[i] }
    end
    return table.sort(list, function(a, b) return a.year < b.year end)
end

local function make_entries()
    local r, taken, years, ranks = random("words"), {}, {}, {}
    local list = {}
    for group, meaning in ipairs(meanings) do
        for side = 1, 2 do
            local languages_left = r.shuffle(languages)
            for i = 1, OF_ONE_MEANING do
                local since = content.new_number(r, 1180, 1930, years)
                list[#list + 1] = { word = new_word(r, taken), group = group,
                    side = side, part = parts[meaning.part],
                    kind = meaning.part, meaning = meaning[side],
                    from = languages_left[i], since = since,
                    uses = content.new_number(r, 12, 990, ranks),
                    quotes = make_quotes(r, since) }
            end
        end
    end
    table.sort(list, function(a, b) return a.word < b.word end)
    for id, entry in ipairs(list) do
        entry.id = id
    end
    return list
end

local entries = make_entries()

-- The most common first; opposite ones if that is true.
local function related(entry, opposite)
    local side = opposite and 3 - entry.side or entry.side
    return table.sort(table.filter(entries, function(other)
        return other.group == entry.group and other.side == side and
               other ~= entry
    end), function(a, b) return a.word < b.word end)
end

-- Words that are in the list at first, of both kinds.
local function first_list()
    local chosen = random("list").shuffle(entries)
    local list, counts = {}, { adjective = 0, verb = 0 }
    for _, entry in ipairs(chosen) do
        if counts[entry.kind] < 2 + (entry.kind == "verb" and 1 or 0) then
            counts[entry.kind] = counts[entry.kind] + 1
            list[#list + 1] = entry.id
        end
    end
    return list
end

return { entries = entries, related = related, languages = languages,
         first_list = first_list() }
