-- When the tasks in Mail are done.
local mail = use("mail")

local truths = {}

-- Messages of a kind, the newest first.
local function of_kind(kind, fits)
    return table.filter(mail.messages, function(message)
        return message.kind == kind and (not fits or fits(message))
    end)
end

local function has_opened(id)
    return happened("mail.open " .. id)
end

-- Messages that were put into a folder in which they were not.
local function moved_into(state, folder)
    return table.filter(mail.messages, function(message)
        return state.box[message.id].folder == folder and
               message.folder ~= folder
    end)
end

-- ---- automatic replies ----

truths.away = {
    facts = function()
        local r = random("away task")
        local from = dates.today() + r.int(3, 9)
        local to = from + r.int(4, 9)
        return { from_day = from, to_day = to, from = dates.long(from),
                 to = dates.long(to), from_short = dates.short(from),
                 to_short = dates.short(to), later_day = to + 1,
                 next_day = from + 1,
                 text = t(r.pick{
                    { en = "I am travelling and will write later",
                      zh = "我在外出差，稍后回复" },
                    { en = "I am on holiday without a phone",
                      zh = "我正在休假，不便查看邮件" },
                    { en = "Please ask my colleagues meanwhile",
                      zh = "有事请先联系我的同事" } }) }
    end,
    clauses = function(fact)
        local state = ended("mail")
        local away = state and state.away or {}
        return {
            { "switched_on", away.on },
            { "first_day", away.from == fact.from_day },
            { "last_day", away.to == fact.to_day },
            { "text", says(away.text, fact.text) },
            { "contacts_only", away.contacts },
        }
    end,
}

-- ---- what a message says ----

truths.code = {
    facts = function()
        local code, older = table.unpack(of_kind("code"))
        return { bank = t(mail.companies.bank.name), id = code.id,
                 code = code.code, older_id = older.id, wrong = older.code }
    end,
    clauses = function(fact, answer)
        return {
            { "newest_read", has_opened(fact.id) },
            { "answered", number_in(answer) == tonumber(fact.code) },
        }
    end,
}

truths.seat = {
    facts = function()
        local change = of_kind("journey", function(one)
            return one.changed
        end)[1]
        local older = of_kind("journey", function(one)
            return one.city == change.city and not one.changed
        end)[1]
        local other = of_kind("journey", function(one)
            return one.city ~= change.city
        end)[1]
        return { city = t(change.city), id = change.id, seat = change.seat,
                 older_id = older.id, wrong = older.seat,
                 other_id = other.id, other_seat = other.seat }
    end,
    clauses = function(fact, answer)
        return {
            { "change_read", has_opened(fact.id) },
            { "answered", number_in(answer) == fact.seat },
        }
    end,
}

truths.room = {
    facts = function()
        local change = of_kind("meeting", function(one)
            return one.moved
        end)[1]
        local older = of_kind("meeting", function(one)
            return one.from == change.from and not one.moved
        end)[1]
        local other = of_kind("meeting", function(one)
            return one.from ~= change.from
        end)[1]
        return { person = t(change.from.name), id = change.id,
                 room = change.room, older_id = older.id, wrong = older.room,
                 other_id = other.id, other_room = other.room }
    end,
    clauses = function(fact, answer)
        return {
            { "change_read", has_opened(fact.id) },
            { "answered", says(answer, fact.room) and
              not says(answer, fact.wrong) },
        }
    end,
}

-- ---- what it all costs ----

truths.spent = {
    facts = function()
        local company = mail.companies.telecom
        local some = of_kind("bill", function(one)
            return one.from == company
        end)
        local other = of_kind("bill", function(one)
            return one.from ~= company
        end)[1]
        local sum = 0
        local fact = { company = t(company.name), other_id = other.id }
        for i, bill in ipairs(some) do
            sum = sum + bill.cents
            fact["id" .. i] = bill.id
            fact["amount" .. i] = decimal(bill.cents)
        end
        fact.total = decimal(sum)
        fact.less = decimal(sum - some[#some].cents)
        return fact
    end,
    clauses = function(fact, answer)
        return {
            { "all_read", has_opened(fact.id1) and has_opened(fact.id2) and
              has_opened(fact.id3) },
            { "answered", number_in(answer) == tonumber(fact.total) },
        }
    end,
}

-- ---- unread ones of a label ----

local function has_label(message, label)
    return table.has(message.labels, label)
end

truths.unread = {
    facts = function()
        local some = table.filter(mail.messages, function(message)
            return has_label(message, "bills") and not message.read
        end)
        return { label = t{ en = "Bills", zh = "账单" }, count = #some,
                 more = #some + 1, id = some[1].id }
    end,
    clauses = function(fact, answer)
        local opened = table.filter(all("mail.open *"), function(event)
            local message = mail.messages[event.args[1]]
            return has_label(message, "bills") and not message.read
        end)
        return {
            { "looked_up", happened("mail.go folders") },
            { "left_unread", #opened == 0 },
            { "answered", number_in(answer) == fact.count },
        }
    end,
}

-- ---- the largest attachment ----

local function by_size()
    return table.sort(table.filter(mail.messages, function(message)
        return #message.files > 0
    end), function(a, b) return mail.size(a) > mail.size(b) end)
end

-- Was a message chosen where all sizes are compared?
local function compared(app)
    local place = #app.stack
    if on_screen(app, "message") then
        place = place - 1
    end
    local screen, state = app.stack[place][1], app.state
    local filters = state.filters
    return screen == "storage" or screen == "results" and
           state.order == "largest" and state.query == "" and
           not filters.unread and not filters.starred
end

truths.largest = {
    facts = function()
        local message, other = table.unpack(once(by_size))
        return { id = message.id, file = message.files[1].name,
                 subject = t(message.subject), other = other.id,
                 query = t{ en = "promised", zh = "答应" } }
    end,
    clauses = function(fact)
        local deleted = last("mail.delete " .. fact.id) or
                        last("mail.delete *")
        local state = ended("mail")
        local gone = state and moved_into(state, "trash") or {}
        return {
            { "compared", deleted and compared(before(deleted)) },
            { "deleted", state and state.box[fact.id].folder == "trash" },
            { "nothing_else", #table.filter(gone, function(message)
                return message.id ~= fact.id
            end) == 0 },
        }
    end,
}

-- ---- a label for all from one person ----

truths.label = {
    facts = function()
        local person = mail.people[random("label task").pick{ 7, 9 }]
        local some = of_kind("letter", function(one)
            return one.from == person
        end)
        local other = of_kind("letter", function(one)
            return one.from == mail.people[4]
        end)[1]
        return { person = t(person.name), label = t{ en = "Family",
                 zh = "家人" }, id1 = some[1].id, id2 = some[2].id,
                 subject1 = t(some[1].subject), subject2 = t(some[2].subject),
                 other = other.id, other_person = t(mail.people[4].name) }
    end,
    clauses = function(fact)
        local state = ended("mail")
        local function carries(id)
            return state and table.has(state.box[id].labels, "family")
        end
        local others = state and table.filter(mail.messages, function(one)
            return one.id ~= fact.id1 and one.id ~= fact.id2 and
                   carries(one.id)
        end) or {}
        return {
            { "both", carries(fact.id1) and carries(fact.id2) },
            { "no_others", #others == 0 },
            { "shown", state and state.view == "label:family" and
              on_screen(in_the_end("mail"), "main") },
        }
    end,
}

-- ---- writing ----

local function sent_mails()
    local state = ended("mail")
    return state and state.outbox or {}
end

local function goes_to(mail_sent, address)
    return mail_sent and #mail_sent.to == 1 and mail_sent.to[1] == address and
           #mail_sent.cc == 0
end

truths.reply = {
    facts = function()
        local person = mail.people[5]
        local newest, older = table.unpack(of_kind("letter", function(one)
            return one.from == person
        end))
        local other = of_kind("letter", function(one)
            return one.from ~= person
        end)[1]
        return { person = t(person.name), address = person.address,
                 id = newest.id, subject = t(newest.subject),
                 older = older.id, other = other.id,
                 text = t(random("reply task").pick{
                    { en = "That sounds wonderful", zh = "听起来太好了" },
                    { en = "I will call you tonight", zh = "我今晚给你打电话" },
                    { en = "Thanks, see you soon", zh = "谢谢，回头见" } }) }
    end,
    clauses = function(fact)
        local some = sent_mails()
        local one = some[1]
        return {
            { "answered_the_latest", one and one.of == fact.id and
              one.kind:starts("reply") },
            { "to_nobody_else", goes_to(one, fact.address) },
            { "text", one and says(one.body, fact.text) },
            { "sent_once", #some == 1 },
        }
    end,
}

truths.forward = {
    facts = function()
        local some = of_kind("bill", function(one)
            return one.from == mail.companies.energy
        end)
        local r = random("forward task")
        local person, other = table.unpack(r.shuffle(mail.people))
        return { company = t(mail.companies.energy.name), id = some[1].id,
                 older = some[2].id, amount = decimal(some[1].cents),
                 file = some[1].files[1].name, person = t(person.name),
                 address = person.address, other_person = t(other.name),
                 other_address = other.address }
    end,
    clauses = function(fact)
        local some = sent_mails()
        local one = some[1]
        return {
            { "latest_forwarded", one and one.of == fact.id and
              one.kind == "forward" },
            { "to_the_person", goes_to(one, fact.address) },
            { "with_its_file", one and #one.files > 0 },
            { "sent_once", #some == 1 },
        }
    end,
}

truths.draft = {
    facts = function()
        local person = mail.people[mail.unfinished.to]
        return { person = t(person.name), address = person.address,
                 subject = t(random("draft task").pick{
                    { en = "Your lovely flowers", zh = "谢谢你的花" },
                    { en = "A big thank you", zh = "非常感谢" },
                    { en = "What a surprise", zh = "真是惊喜" } }) }
    end,
    clauses = function(fact)
        local state = ended("mail")
        local one = sent_mails()[1]
        return {
            { "sent", goes_to(one, fact.address) },
            { "text_kept", one and one.unfinished },
            { "subject", one and one.subject == fact.subject },
            { "draft_gone", state and #state.drafts == 0 },
        }
    end,
}

-- ---- folders and files ----

truths.rescue = {
    facts = function()
        local lost = of_kind("lost")[1]
        local junk = of_kind("junk")[1]
        return { person = t(lost.from.name), id = lost.id,
                 subject = t(lost.subject), other = junk.id }
    end,
    clauses = function(fact)
        local state = ended("mail")
        return {
            { "in_the_inbox", state and
              state.box[fact.id].folder == "inbox" },
            { "spam_left_alone", not state or
              #table.filter(of_kind("junk"), function(one)
                  return state.box[one.id].folder ~= "spam"
              end) == 0 },
        }
    end,
}

truths.unsubscribe = {
    facts = function()
        local company = mail.companies[random("news task").pick{
            "books", "garden", "travel" }]
        local some = of_kind("newsletter", function(one)
            return one.from == company
        end)
        local other = of_kind("newsletter", function(one)
            return one.from ~= company
        end)[1]
        return { company = t(company.name), company_id = company.id,
                 id = some[1].id, older = some[2].id, other = other.id,
                 other_id = other.from.id }
    end,
    clauses = function(fact)
        local state = ended("mail")
        local ended = state and state.unsubscribed or {}
        local kept = not state or
            #table.filter({ fact.id, fact.older }, function(id)
                return state.box[id].folder ~= "inbox"
            end) == 0
        return {
            { "unsubscribed", table.index(ended, fact.company_id) },
            { "others_kept", #table.filter(ended, function(id)
                return id ~= fact.company_id
            end) == 0 },
            { "mails_kept", kept },
        }
    end,
}

truths.contract = {
    facts = function()
        local newest, older = table.unpack(of_kind("contract"))
        return { person = t(newest.from.name), deal = t(newest.deal),
                 id = newest.id, file = newest.files[1].name,
                 older = older.id, older_file = older.files[1].name }
    end,
    clauses = function(fact)
        local state = ended("mail")
        local saved = state and state.saved or {}
        return {
            { "saved", table.index(saved, fact.id .. " 1") },
            { "nothing_else", #saved < 2 },
        }
    end,
}

-- ---- settings ----

truths.signature = {
    facts = function()
        local r = random("signature task")
        return { text = t(r.pick{
            { en = "Best wishes from the coast", zh = "来自海边的祝福" },
            { en = "Sent with cold fingers", zh = "寒风中发出" },
            { en = "Have a good day", zh = "祝您愉快" } }) ..
            " " .. r.int(10, 99) }
    end,
    clauses = function(fact)
        local state = ended("mail")
        return {
            { "signature", state and state.signature == fact.text },
            { "nothing_sent", not state or #state.outbox == 0 },
        }
    end,
}

truths.undo = {
    clauses = function()
        local state = ended("mail")
        return {
            { "longest", state and state.undo_time == 30 },
            { "others_kept", not state or state.notify == "all" and
              not state.pictures and state.swipe },
        }
    end,
}

truths.quiet = {
    clauses = function()
        local state = ended("mail")
        return {
            { "contacts_only", state and state.notify == "some" },
            { "others_kept", not state or state.undo_time == 5 and
              not state.pictures and state.swipe },
        }
    end,
}

return truths
