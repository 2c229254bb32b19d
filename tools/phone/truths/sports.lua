-- When the tasks in Sports are done.
local sports = use("sports")
local leagues, teams, players = sports.leagues, sports.teams, sports.players
local matches = sports.matches

local truths = {}

local function final() return outcome.of("sports") end

local function minute() return math.floor(now()) // 60 end

local function find(list, holds)
    return table.filter(list or {}, holds)[1]
end

local function name_of(team) return t(teams[team].name) end

-- Did a page show its tab of that name?
local function saw_tab(screen, id, tab, name, fits)
    return outcome.ever("sports", function(app)
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
    return outcome.ever("sports", function(app)
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
        return { id = team.id, team = t(team.name), city = team.city,
                 other = other.id, other_team = t(other.name),
                 league = leagues[1].id, league_name = t(leagues[1].name),
                 wanted = some[1], off1 = some[2], off2 = some[3],
                 phrase = t(phrases[some[1]]) }
    end,
    clauses = function(fact)
        local state = final()
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
                 team = home, team_name = name_of(home),
                 rival_name = name_of(home + 1), wrong = wrong.id,
                 home_name = name_of(match.home),
                 away_name = name_of(match.away), round = match.round,
                 league = 1, league_name = t(leagues[1].name) }
    end,
    clauses = function(fact)
        return is_only_reminder(final(), fact.id, 60)
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

return truths
