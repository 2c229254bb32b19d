-- What several apps were left with, and what was looked at on the way: for
-- truths of tasks that use more than one app.

outcome = {}

-- Is the number somewhere in a text?
function outcome.mentions(text, number)
    for _, one in ipairs(numbers_in(text)) do
        if math.abs(one - number) < 0.001 then
            return true
        end
    end
    return false
end

-- ---- Chats ----

-- Was that written into a chat? `fits` gets the text of each message.
function outcome.sent(chat, fits)
    local state = ended("chat")
    local found = false
    for _, message in ipairs(state and state.chats[chat].sent or {}) do
        found = found or fits(message.text)
    end
    return found
end

function outcome.sent_to_others(chats)
    local state = ended("chat")
    for number, own in ipairs(state and state.chats or {}) do
        if #own.sent > 0 and not table.index(chats, number) then
            return true
        end
    end
    return false
end

-- The last message to a chat.
function outcome.sending(chat)
    return last("chat.sent " .. chat .. " *")
end

-- Two people with whom there is a chat of the same number: the one to write
-- to, and another.
function outcome.with_friends(fact, name)
    local people = use("chat").people
    local some = random(name).shuffle{ 1, 2, 4, 5, 6, 7, 8 }
    fact.friend_id, fact.friend = some[1], t(people[some[1]].name)
    fact.other_id, fact.other = some[2], t(people[some[2]].name)
    return fact
end

-- Was the friend alone written to, after something had been looked up?
function outcome.message_clauses(fact, looked_up, fits)
    return {
        { "looked_up", looked_up(outcome.sending(fact.friend_id)) },
        { "sent", outcome.sent(fact.friend_id, fits) },
        { "no_other", not outcome.sent_to_others({ fact.friend_id }) },
    }
end

-- ---- Notes ----

-- The number that the first new note gets.
function outcome.new_note() return #use("notes").notes + 1 end

-- What is new in Notes, each as one text.
function outcome.notes()
    local state = ended("notes")
    local known = #use("notes").notes
    return table.map(table.filter(state and state.notes or {}, function(note)
        return note.id > known and not note.trashed
    end), function(note)
        return table.concat(table.join({ t(note.title), t(note.body) },
            table.map(note.items, function(item)
                return t(item.text)
            end)), "\n")
    end)
end

-- Is there a new note of which that holds?
function outcome.noted(fits)
    return #table.filter(outcome.notes(), fits) > 0
end

function outcome.noting()
    return last{ "notes.text *", "notes.title *", "notes.added *" }
end

-- Is one new note about it, written after something had been looked up?
function outcome.note_clauses(looked_up, fits)
    return {
        { "looked_up", looked_up(outcome.noting()) },
        { "noted", #outcome.notes() == 0 or outcome.noted(fits) },
        { "once", #outcome.notes() == 1 },
    }
end

-- Does a line of a text have all of these?
function outcome.has_line(text, parts)
    return #table.filter(text:split("\n"), function(line)
        return #table.filter(parts, function(part)
            return says(line, part)
        end) == #parts
    end) > 0
end

-- ---- Clock ----

-- Is an alarm for that minute of the day switched on?
function outcome.alarm(minute)
    local state = ended("clock")
    return #table.filter(state and state.alarms or {}, function(alarm)
        return alarm.on and alarm.hour * 60 + alarm.minute == minute
    end) > 0
end

-- The timer that was started last, if it is running.
function outcome.timer()
    local state = ended("clock")
    local timer = state and state.timers[1]
    return timer and timer.running and timer or nil
end

-- ---- Phone ----

local function digits(number)
    return (number:replace(" ", ""):replace("-", ""))
end

function outcome.called(number)
    local state = ended("dialer")
    for _, one in ipairs(state and state.placed or {}) do
        if digits(one) == digits(number) then
            return true
        end
    end
    return false
end

function outcome.called_other(number)
    local state = ended("dialer")
    return #table.filter(state and state.placed or {}, function(one)
        return digits(one) ~= digits(number)
    end) > 0
end

-- Contacts that were added.
function outcome.contacts()
    local state = ended("dialer")
    local known = #use("dialer").people
    return table.filter(state and state.people or {}, function(person)
        return person.id > known
    end)
end

function outcome.same_number(one, other)
    return digits(one) == digits(other)
end
