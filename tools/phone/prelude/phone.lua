-- The framework of apps: it holds an app's state and the stack of its screens,
-- builds the top screen, and passes events to the app's handlers.
-- docs/phone-apps.md describes what is defined here for apps.
local phone = ...
local next = phone.next

local app            -- the result of the app's file
local self           -- everything that is saved: plain data
local around         -- what the screen depends on; nil unless one is being built
local wakes = false  -- the time to wake the app has changed
local modal          -- the top window must be answered
local actions = {}   -- actions of the last built screen, by number

-- ---- hashes ----

local function mix(x)
    x = (x ~ x >> 30) * 0xbf58476d1ce4e5b9
    x = (x ~ x >> 27) * 0x94d049bb133111eb
    return x ~ x >> 31
end

-- A 64-bit number that depends on every argument.
local function hash(...)
    local sum = 0x9e3779b97f4a7c15
    for _, part in ipairs{...} do
        local text = tostring(part)
        for i = 1, #text do
            sum = (sum ~ text:byte(i)) * 0x100000001b3
        end
        sum = mix(sum + #text)
    end
    return sum
end

-- Random numbers that depend only on the arguments and the phone's seed.
function random(...)
    local state = hash(phone.seed, phone.name, ...)
    local r = {}

    function r.bits()
        state = state + 0x9e3779b97f4a7c15
        return mix(state)
    end

    function r.int(low, high)
        return low + (r.bits() >> 1) % (high - low + 1)
    end

    function r.real()
        return (r.bits() >> 11) / (1 << 53)
    end

    function r.chance(part)
        return r.real() < part
    end

    function r.pick(list)
        return list[r.int(1, #list)]
    end

    function r.shuffle(list)
        local shuffled = table.join(list)
        for i = #shuffled, 2, -1 do
            local j = r.int(1, i)
            shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
        end
        return shuffled
    end

    return r
end

-- ---- skins ----

skin = phone.skin

-- One of count, by skin: the first for the default skin.
local function choice(name, count)
    return skin == 0 and 1 or 1 + (hash(skin, name) >> 1) % count
end

function shuffle_by_skin(list)
    if skin == 0 then
        return list
    end
    local order = {}
    for i = 1, #list do
        order[i] = i
    end
    table.sort(order, function(a, b)
        return hash(skin, #list, a) < hash(skin, #list, b)
    end)
    return table.map(order, function(i) return list[i] end)
end

-- A control with an icon and a text shows only one of them.
function icon_or_text(control)
    local text = control.text or control[1]
    if choice("icon " .. (control.id or ""), 2) == 1 then
        control.text, control[1] = nil, nil
        control.description = text
        return icon_button(control)
    end
    control.icon = nil
    return text_button(control)
end

-- Ids in the style of other developers.
local id_styles = {
    function(id, kind) return id end,
    function(id, kind)
        local prefixes = { button = "btn_", text = "tv_", icon = "iv_",
                           field = "et_", list = "rv_", row = "ll_",
                           column = "ll_" }
        return (prefixes[kind] or "view_") .. id
    end,
    function(id)
        return string.format("%s%03x", "a", hash(skin, id) & 0xfff)
    end,
    function(id, kind) return id .. "_" .. kind end,
}

local function skinned_id(id, kind)
    if id:find(":") then
        return id
    end
    return id_styles[1 + skin % #id_styles](id, kind)
end

-- ---- texts ----

local toolkit = {} -- what makes widgets of tables: lua_widgets.h

-- One of a list of synonyms.
function toolkit.synonym(list)
    return list[choice(list[1], #list)]
end

-- { en = ..., zh = ... } in the phone's language; a list has synonyms.
local function in_language(text)
    if type(text) == "table" then
        local said = text[around.locale] or text.en
        return type(said) == "table" and toolkit.synonym(said) or said
    elseif type(text) == "number" then
        return tostring(text)
    end
    return text
end

function t(text)
    if not around then
        error("t is for screens: keep the table, and let them choose", 2)
    end
    return in_language(text)
end

-- ---- widgets ----

toolkit.id = skinned_id

local builtin = {}

-- "name" or { "name", argument, ... }
local function as_action(handler)
    return type(handler) == "string" and { handler } or handler
end

-- ---- time ----

-- Seconds since 1970, on the phone's clock.
function now()
    return phone.now()
end

-- Call a handler after that many seconds. Returns a number for cancel.
function after(seconds, ...)
    local timer = { at = now() + seconds, id = self.next_timer,
                    action = { ... } }
    self.next_timer = self.next_timer + 1
    table.insert(self.timers, timer)
    table.sort(self.timers, function(a, b) return a.at < b.at end)
    wakes = true
    return timer.id
end

function cancel(id)
    self.timers = table.filter(self.timers, function(timer)
        return timer.id ~= id
    end)
    wakes = true
end

-- The phone wakes the app once, for the first timer. An app that is only
-- opened to check a snapshot never gets here.
local function set_wake()
    if not wakes then
        return
    end
    local first = self.timers[1] and self.timers[1].at
    if self.snack and self.snack.till > now() then
        first = math.min(first or math.huge, self.snack.till)
    end
    phone.wake(first and math.max(first - now(), 0))
    wakes = false
end

local call

-- True when there was one.
local function fire_timers()
    local due = now()
    local fired = false
    while self.timers[1] and self.timers[1].at <= due do
        local timer = table.remove(self.timers, 1)
        wakes = true
        fired = true
        call(timer.action)
    end
    return fired
end

-- ---- navigation ----

local function checked_screen(name)
    if not app.screens[name] then
        error("there is no screen " .. tostring(name), 3)
    end
end

function go(name, ...)
    checked_screen(name)
    if #self.stack >= 32 then
        table.remove(self.stack, 1)
    end
    table.insert(self.stack, { name, ... })
end

function back()
    if #self.stack > 1 then
        table.remove(self.stack)
        return true
    end
    return false
end

-- Leave all screens but the first, and go on from there.
function home(name, ...)
    self.stack = { self.stack[1] }
    if name then
        go(name, ...)
    end
end

function replace(name, ...)
    checked_screen(name)
    self.stack[#self.stack] = { name, ... }
end

function current()
    return table.unpack(self.stack[#self.stack])
end

-- A message at the bottom of the screen, for a while; optionally with a
-- button.
function snack(text, label, ...)
    self.snack = { text = text, label = label, action = { ... },
                   till = now() + 4 }
    wakes = true
end

builtin.go = function(_, ...) go(...) end
builtin.back = function() back() end
builtin.home = function(_, ...) home(...) end
builtin.replace = function(_, ...) replace(...) end
builtin.nothing = function() end

-- ---- the phone ----

log = phone.log
redraw = phone.redraw
event = phone.event
launch = phone.launch
finish = phone.finish

-- A setting of the phone: "system", "screen_off_timeout". Always a text.
setting = phone.setting
function set_setting(space, name, value)
    if around then
        error("a screen changes nothing", 2)
    end
    phone.set_setting(space, name, value)
end

property = phone.property

-- Documents of pictures, shown and saved: lua_pictures.h.
render = phone.picture
save_picture = phone.save_picture
save_data = phone.save_data
photo_spots = phone.spots

-- What another file of apps/ returns: a part of an app.
include = phone.include

-- Only for system apps, which may change other apps.
packages = phone.packages
permit = phone.permit
force_stop = phone.force_stop

-- The drawing area in dp; top and bottom belong to the system.
function display()
    if not around then
        error("display is for screens", 2)
    end
    return around
end

-- ---- events ----

function call(action, ...)
    local name = action[1]
    local handler = app.handlers and app.handlers[name] or builtin[name]
    local arguments = table.join({ table.unpack(action, 2) }, { ... })
    event(name, table.unpack(arguments))
    handler(self.state, table.unpack(arguments))
end

local function snack_pressed()
    local action = self.snack.action
    self.snack = nil
    if action[1] then
        call(action)
    end
end

-- Handle an event by its name; true if it was handled.
local uses = {}

function uses.click(action)
    local widget = actions[action] or {}
    if widget.on_click then
        call(as_action(widget.on_click))
    elseif widget.on_change and widget.checked ~= nil then
        call(as_action(widget.on_change), not widget.checked)
    else
        return false
    end
    return true
end

local function use_widget(attribute)
    return function(action, ...)
        local widget = actions[action] or {}
        if widget[attribute] then
            call(as_action(widget[attribute]), ...)
        end
        return widget[attribute] ~= nil
    end
end

uses.long_click = use_widget("on_long_click")
uses.change = use_widget("on_change")
uses.submit = use_widget("on_submit")

-- Scrolling is frequent, and not recorded in the truth. A handler that changed
-- nothing returns false, so that nothing is built again.
function uses.scroll(action, left)
    local widget = actions[action] or {}
    local wanted = as_action(widget.on_scroll)
    return wanted ~= nil and
           app.handlers[wanted[1]](self.state, left,
                                   table.unpack(wanted, 2)) ~= false
end

function uses.back()
    return app.on_back and app.on_back(self.state) or back()
end

-- A tap outside of a dialog or sheet, which may have to be answered.
function uses.outside()
    return not modal and back()
end

function uses.text(text)
    return app.on_text ~= nil and app.on_text(self.state, text) ~= false
end

function uses.key(key)
    return app.on_key ~= nil and app.on_key(self.state, key) == true
end

function uses.timer()
    return true
end

function uses.start(intent)
    if app.on_start then
        app.on_start(self.state, intent)
    end
    return true
end

local frame = {}

-- The events that using a widget causes, as in the truth, one per line.
function frame.calls(number)
    local widget = actions[number] or {}
    local lines = {}
    local function add(action, ...)
        local words = table.join(as_action(action), { ... })
        words[1] = phone.name .. "." .. words[1]
        lines[#lines + 1] = table.concat(table.map(words, tostring), " ")
    end
    if widget.on_click then
        add(widget.on_click)
    elseif widget.on_change and widget.checked ~= nil then
        add(widget.on_change, not widget.checked)
    elseif widget.on_change then
        add(widget.on_change)
    end
    if widget.on_long_click then
        add(widget.on_long_click)
    end
    return table.concat(lines, "\n")
end

function frame.use(name, ...)
    local fired = fire_timers()
    local used = uses[name](...)
    set_wake()
    return used or fired
end

-- ---- building ----

local function snack_bar()
    return column{ width = "fill", height = "fill", down = "end",
        padding_bottom = around.bottom,
        snackbar{ self.snack.text, id = "snackbar",
            self.snack.label and button{ self.snack.label,
                id = "snackbar_action", on_click = "snack" } or false } }
end

builtin.snack = snack_pressed

function frame.build(surroundings)
    local windows = {}
    fire_timers() -- they may change what a screen may not
    around = surroundings
    actions = {}
    for i = #self.stack, 1, -1 do
        local name = self.stack[i][1]
        local tree = app.screens[name](self.state,
                                       table.unpack(self.stack[i], 2))
        if not (type(tree) == "table" and tree.kind) then
            error("screen " .. name .. " gives no widget", 0)
        end
        if #windows == 0 then
            modal = tree.modal == true
        end
        table.insert(windows, 1, tree)
        if not tree.window then
            break
        end
    end
    if self.snack and self.snack.till > now() then
        windows[1] = stack{ width = "fill", height = "fill", windows[1],
                            snack_bar() }
    end
    toolkit.actions = actions
    set_wake()
    around = nil
    return windows, toolkit
end

-- Truths run in place of screens, and build none.
function frame.stand(surroundings)
    around = surroundings
end

-- ---- start ----

local function check(field, kind)
    if type(app[field]) ~= kind then
        error(field .. " is to be a " .. kind, 0)
    end
end

function frame.open(definition)
    app = definition
    if type(app) ~= "table" then
        error("the file returns no app", 0)
    end
    check("package", "string")
    check("name", "table")
    check("screens", "table")
    if not app.screens.main then
        error("there is no screen main", 0)
    end
    self = { state = {}, stack = { { "main" } }, timers = {}, next_timer = 1 }
    if type(app.state) == "function" then
        self.state = app.state()
    elseif app.state then
        self.state = table.copy(app.state)
    end
    if app.on_open then
        app.on_open(self.state)
    end
    toolkit.handlers = table.copy(builtin)
    for name, handler in next, app.handlers or {} do
        toolkit.handlers[name] = handler
    end
    return app.hue
end

-- The app was opened for this intent. Changes nothing of the phone: checking a
-- snapshot opens apps, too.
frame.start = uses.start

function frame.save()
    return self
end

function frame.load(saved)
    self = saved
    actions, wakes = {}, false
end

return frame
