-- When the tasks in Sports are done.
local sports = use("sports")
local leagues, teams, players = sports.leagues, sports.teams, sports.players
local matches = sports.matches

local truths = {}

local function minute() return math.floor(now()) // 60 end

local function find(list, holds)
    return table.filter(list or {}, holds)[1]
end

local function name_of(team) return t(teams[team].name) end

-- Did a page show its tab of that name?
local function saw_tab(screen, id, tab, name, fits)
    return held("sports", function(app)
        return on_screen(app, screen, id) and app.state[tab] == name and
               (not fits or fits(app.state))
    end)
end

local function saw_table(league, venue)
    return saw_tab("league", league, "league_tab", "table_tab",
        function(state) return state.venue == venue end)
end

local function saw_leaders(league, order)
    return saw_tab("league", league, "league_tab", "scorers",
        function(state) return state.leaders == order end)
end

local function saw_unfolded(player, part)
    return held("sports", function(app)
        return on_screen(app, "player", player) and
               table.index(app.state.unfolded, part)
    end)
end

local function saw_events(match)
    return saw_tab("match", match, "match_tab", "events")
end

-- ---- following ----

local function follow_of(state, kind, id)
    return find(state and state.follows, function(one)
        return one.kind == kind and one.id == id
    end)
end

local alert_names = { "kick_off", "line_ups", "goals", "final" }

local function has_alerts(follow, wanted)
    for _, name in ipairs(alert_names) do
        if not follow or follow[name] ~= wanted[name] then
            return false
        end
    end
    return true
end

-- Is nothing else followed than at first, and with the same notifications?
local function others_as_before(state, kind, id)
    local before = sports.first_follows()
    local list = table.filter(state and state.follows or {}, function(one)
        return one.kind ~= kind or one.id ~= id
    end)
    return #list == #before and not find(before, function(one)
        return not has_alerts(follow_of(state, one.kind, one.id), one)
    end)
end

-- Both synonyms of a notification's name, one of which a skin shows.
local function add_wordings(fact, name, alert)
    local both = sports.words["alert_" .. alert][t{ en = "en", zh = "zh" }]
    fact[name], fact[name .. "_too"] = both[1], both[2]
end

local phrases = { kick_off = { en = "when they kick off", zh = "开赛" },
                  goals = { en = "when there is a goal", zh = "进球" },
                  final = { en = "when it is over", zh = "完场" } }

truths.follow = {
    facts = function()
        local r = random("follow task")
        local some = r.shuffle{ "kick_off", "goals", "final" }
        local first = leagues[1].first
        local team = teams[first + r.int(0, 3)]
        local other = find(teams, function(one)
            return one.city == team.city and one.league == 3
        end)
        local fact = { id = team.id, team = t(team.name),
            other = other.id, other_team = t(other.name),
            league = leagues[1].id, league_name = t(leagues[1].name),
            wanted = some[1], off1 = some[2], off2 = some[3],
            phrase = t(phrases[some[1]]) }
        add_wordings(fact, "wanted_text", some[1])
        add_wordings(fact, "off1_text", some[2])
        add_wordings(fact, "off2_text", some[3])
        return fact
    end,
    clauses = function(fact)
        local state = ended("sports")
        local follow = follow_of(state, "team", fact.id)
        return {
            { "followed", follow },
            { "wanted", not follow or
              follow.line_ups and follow[fact.wanted] },
            { "nothing_else", not follow or
              not follow[fact.off1] and not follow[fact.off2] },
            { "no_other", not state or
              others_as_before(state, "team", fact.id) },
        }
    end,
}

-- ---- reminders ----

local function is_only_reminder(state, match, before)
    local one = find(state and state.reminders, function(reminder)
        return reminder.match == match
    end)
    return {
        { "reminded", one },
        { "in_time", not one or one.before == before },
        { "no_other", not state or #state.reminders <= 1 },
    }
end

-- The matches of two teams that are still to come.
local function coming(team, other)
    return table.filter(sports.matches_of(team), function(match)
        return match.start > minute() and
               (match.home == other or match.away == other)
    end)
end

truths.derby = {
    facts = function()
        local city = random("derby task").int(1, 2)
        local home = leagues[1].first + city * 2 - 2
        local match = coming(home, home + 1)[1]
        local wrong = table.filter(sports.matches_of(home), function(one)
            return one.start > minute() and one.id ~= match.id
        end)[1]
        return { city = t(sports.cities[city]), id = match.id,
                 team = home, team_name = name_of(home), wrong = wrong.id,
                 name = sports.match_name(match),
                 wrong_name = sports.match_name(wrong), league = 1 }
    end,
    clauses = function(fact)
        return is_only_reminder(ended("sports"), fact.id, 60)
    end,
}

-- ---- leaders ----

local function goals_away(player)
    local sum = 0
    for _, entry in ipairs(sports.log_of(players[player], minute())) do
        if matches[entry.match].away == players[player].team then
            sum = sum + entry.goals
        end
    end
    return sum
end

-- Were all matches opened in which he scored away?
local function saw_all_away(player)
    return not find(sports.log_of(players[player], minute()), function(entry)
        return entry.goals > 0 and
               matches[entry.match].away == players[player].team and
               not saw_events(entry.match)
    end)
end

truths.away = {
    facts = function()
        local league, best
        for _, id in ipairs(random("away goals task").shuffle{ 1, 4 }) do
            local list = sports.scorers_of(leagues[id], "goals", minute())
            local one = list[1]
            if not best or goals_away(best.player) == best.goals then
                league, best = leagues[id], one
            end
        end
        local second = sports.scorers_of(league, "goals", minute())[2]
        local away = goals_away(best.player)
        return { league = league.id, league_name = t(league.name),
                 player = best.player, team = players[best.player].team,
                 name = t(players[best.player].name),
                 count = away, total = best.goals, wrong = away + 1,
                 second = second.player,
                 second_name = t(players[second.player].name),
                 second_count = goals_away(second.player) }
    end,
    clauses = function(fact, answer)
        return {
            { "leaders_seen", saw_leaders(fact.league, "goals") },
            { "matches_seen", saw_unfolded(fact.player, "match_log") or
              saw_all_away(fact.player) },
            { "answered", number_in(answer) == fact.count },
        }
    end,
}

-- ---- tonight ----

truths.tonight = {
    facts = function()
        local list = table.sort(table.filter(matches, function(match)
            return match.league == 3 and match.start // 1440 == dates.today()
        end), function(a, b) return a.start > b.start end)
        return { id = list[1].id, name = sports.match_name(list[1]),
                 wrong = list[2].id, wrong_name = sports.match_name(list[2]),
                 league = 3, team = list[1].home }
    end,
    clauses = function(fact)
        return is_only_reminder(ended("sports"), fact.id, 15)
    end,
}

-- ---- tables ----

local measures = {
    points = { en = "picked up the most points", zh = "拿到的积分最多",
               value = function(row) return row.points end },
    scored = { en = "scored the most goals", zh = "进球最多",
               value = function(row) return row.scored end },
    against = { en = "conceded the fewest goals", zh = "丢球最少",
                value = function(row) return row.against end },
}

-- A league and a measure by which one team alone is the best away, and
-- another one over all, if there are such.
local function a_measure()
    local r, fallback = random("travel task"), nil
    for _, id in ipairs(r.shuffle{ 1, 4 }) do
        for _, name in ipairs(r.shuffle{ "points", "scored", "against" }) do
            local value = measures[name].value
            local rows = sports.table_of(leagues[id], "away", name, minute())
            local all = sports.table_of(leagues[id], "all", name, minute())
            local found = { league = leagues[id], name = name, rows = rows,
                            other = all[1].team ~= rows[1].team and
                                    all[1].team or rows[2].team }
            if value(rows[1]) ~= value(rows[2]) then
                fallback = fallback or found
                if all[1].team ~= rows[1].team then
                    return found
                end
            end
        end
    end
    return fallback
end

truths.travel = {
    facts = function()
        local one = a_measure()
        return { league = one.league.id, league_name = t(one.league.name),
                 phrase = t(measures[one.name]), order = one.name,
                 team = name_of(one.rows[1].team),
                 other_team = name_of(one.other) }
    end,
    clauses = function(fact, answer)
        return {
            { "away_seen", saw_table(fact.league, "away") },
            { "answered", says(answer, fact.team) },
        }
    end,
}

truths.behind = {
    facts = function()
        local r = random("behind task")
        local league = leagues[r.pick{ 1, 4 }]
        local rows = sports.table_of(league, "all", "points", minute())
        local row = rows[r.int(4, #rows)]
        local gap = rows[1].points - row.points
        return { league = league.id, league_name = t(league.name),
                 team = name_of(row.team), gap = gap, points = row.points,
                 wrong = gap + 1 }
    end,
    clauses = function(fact, answer)
        return {
            { "table_seen", saw_table(fact.league, "all") },
            { "answered", number_in(answer) == fact.gap },
        }
    end,
}

-- ---- a squad ----

local function age_of(player) return sports.age_of(player, dates.today()) end

-- A squad in the order of age, if the ends of it are alone.
local function by_age(team)
    local squad = table.sort(table.map(team.squad, function(id)
        return players[id]
    end), function(a, b) return a.born > b.born end)
    local count = #squad
    return squad, age_of(squad[1]) ~= age_of(squad[2]),
           age_of(squad[count]) ~= age_of(squad[count - 1])
end

truths.age = {
    facts = function()
        local r = random("age task")
        local some = r.shuffle(table.filter(teams, function(team)
            return team.league < 3
        end))
        for _, team in ipairs(some) do
            local squad, youngest, oldest = by_age(team)
            if youngest or oldest then
                local best = youngest and squad[1] or squad[#squad]
                local wrong = youngest and squad[2] or squad[#squad - 1]
                local twin = find(some, function(one)
                    return one.id ~= team.id
                end)
                return { id = team.id, team = t(team.name),
                         league = team.league, name = t(best.name),
                         player = best.id, wrong_name = t(wrong.name),
                         position = t(sports.words.by_line),
                         phrase = youngest and t{ en = "youngest", zh = "小" }
                                  or t{ en = "oldest", zh = "大" },
                         other = twin.id, other_team = t(twin.name) }
            end
        end
    end,
    clauses = function(fact, answer)
        return {
            { "squad_seen", saw_tab("team", fact.id, "team_tab", "squad") },
            { "answered", says(answer, fact.name) },
        }
    end,
}

-- A number in a squad, and the club before this one.
truths.number = {
    facts = function()
        local r = random("number task")
        local team = teams[leagues[1].first + r.int(0, 9)]
        local some = r.shuffle(team.squad)
        local player = players[some[1]]
        local from = sports.career_of(player).from
        local other = find(some, function(id)
            return sports.career_of(players[id]).from ~= from
        end)
        return { id = team.id, team = t(team.name), number = player.number,
                 player = player.id, name = t(player.name),
                 from = name_of(from), other = other,
                 other_from = name_of(sports.career_of(players[other]).from),
                 other_name = t(players[other].name) }
    end,
    clauses = function(fact, answer)
        return {
            { "transfers_seen", saw_unfolded(fact.player, "transfers") },
            { "answered", says(answer, fact.from) },
        }
    end,
}

-- ---- a match of the past ----

local function count_yellow(match)
    return #table.filter(match.events, function(event)
        return event.kind == "yellow"
    end)
end

truths.cards = {
    facts = function()
        local r = random("cards task")
        local list = r.shuffle(table.filter(matches, function(match)
            return match.league == 1 and sports.is_finished(match, minute())
        end))
        local match = find(list, function(one)
            return count_yellow(one) >= 2
        end)
        local other = find(list, function(one)
            return one.id ~= match.id and one.home == match.home and
                   count_yellow(one) ~= count_yellow(match)
        end) or find(list, function(one)
            return one.id ~= match.id and one.home == match.home
        end)
        return { id = match.id, name = sports.match_name(match),
                 home = match.home, home_name = name_of(match.home),
                 away_name = name_of(match.away),
                 next = coming(match.home, match.away)[1].id,
                 round = match.round, count = count_yellow(match),
                 wrong = count_yellow(match) + 1, other = other.id,
                 other_count = count_yellow(other) }
    end,
    clauses = function(fact, answer)
        return {
            { "match_seen", saw_events(fact.id) },
            { "answered", number_in(answer) == fact.count },
        }
    end,
}

-- ---- whose player sets up the most goals ----

truths.helper = {
    facts = function()
        local found
        for _, id in ipairs(random("helper task").shuffle{ 1, 4 }) do
            local best = sports.scorers_of(leagues[id], "assists",
                                           minute())[1]
            local team = players[best.player].team
            local scorer = sports.scorers_of(leagues[id], "goals",
                                             minute())
            local other = find(scorer, function(one)
                return players[one.player].team ~= team
            end)
            if not found or found.scorer.player == best.player then
                found = { league = leagues[id], best = best, team = team,
                          other = players[other.player].team,
                          scorer = scorer[1] }
            end
        end
        return { league = found.league.id, league_name = t(found.league.name),
                 player = found.best.player, count = found.best.assists,
                 name = t(players[found.best.player].name), id = found.team,
                 team = name_of(found.team), other = found.other,
                 other_team = name_of(found.other) }
    end,
    clauses = function(fact)
        local state = ended("sports")
        return {
            { "leaders_seen", saw_leaders(fact.league, "assists") },
            { "followed", follow_of(state, "team", fact.id) },
            { "no_other", not state or
              others_as_before(state, "team", fact.id) },
        }
    end,
}

-- ---- settings ----

truths.hide = {
    clauses = function()
        local state = ended("sports")
        return {
            { "hidden", state and state.hide_scores },
            { "nothing_else", not state or state.quiet_night and
              state.units == "metric" and state.clock == "24" },
        }
    end,
}

truths.calm = {
    facts = function()
        local list = sports.first_follows()
        local fact = { first = list[1].id, second = list[2].id,
                       first_name = name_of(list[1].id),
                       second_name = name_of(list[2].id) }
        add_wordings(fact, "goals_text", "goals")
        add_wordings(fact, "final_text", "final")
        return fact
    end,
    clauses = function()
        local state = ended("sports")
        local before = sports.first_follows()
        for _, one in ipairs(before) do
            one.goals = false
        end
        return {
            { "no_goals", state and not find(state.follows, function(one)
                return one.goals
            end) },
            { "still_followed", not state or
              not find(before, function(one)
                  return not follow_of(state, one.kind, one.id)
              end) },
            { "others_kept", not state or not find(before, function(one)
                local own = follow_of(state, one.kind, one.id)
                return own and (own.kick_off ~= one.kick_off or
                                own.line_ups ~= one.line_ups or
                                own.final ~= one.final)
            end) },
        }
    end,
}

-- ---- written down in Notes ----

truths.ticket = {
    facts = function()
        local team = leagues[1].first + random("ticket task").int(0, 9)
        local list = table.filter(sports.matches_of(team), function(match)
            return match.start > minute()
        end)
        local match = find(list, function(one) return one.home == team end)
        local wrong = find(list, function(one) return one.away == team end)
        local time = dates.time(match.start % 1440)
        local day = dates.short(match.start // 1440)
        return { id = match.id, team = team, team_name = name_of(team),
                 rival = name_of(match.away), time = time, day = day,
                 time_of_12 = (tonumber(time:sub(1, 2)) + 11) % 12 + 1 ..
                              time:sub(3),
                 text = name_of(match.away) .. t{ en = ", ", zh = "，" } ..
                        day .. " " .. time,
                 wrong_text = name_of(wrong.home) .. t{ en = ", ", zh = "，" }
                              .. dates.short(wrong.start // 1440) .. " " ..
                              dates.time(wrong.start % 1440) }
    end,
    clauses = function(fact)
        local _, _, of_month = dates.parts(matches[fact.id].start // 1440)
        return {
            { "looked_up", held("sports", function(app)
                return on_screen(app, "team", fact.team) and
                       app.state.team_tab == "fixtures" or
                       on_screen(app, "match", fact.id) or
                       on_screen(app, "league", 1) and
                       app.state.league_tab == "fixtures"
            end) },
            { "noted", outcome.noted(function(text)
                return says(text, fact.rival) and
                       (says(text, fact.time) or
                        says(text, fact.time_of_12)) and
                       outcome.mentions(text, of_month)
            end) },
        }
    end,
}

return truths
