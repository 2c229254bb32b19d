-- When the tasks in Darkroom are done: the picture that was exported looks as
-- it should, and the layers that it was made of are as the task asks.
local darkroom = use("darkroom")
local document = darkroom.document
local photos = document.photos

local truths = {}

-- Pixels of the same changes are the same, whatever way they were made; a value
-- that is one step of its slider off is less alike than this.
local SSIM, PSNR = 0.98, 38

-- ---- what was exported ----

local function state()
    local app = in_the_end("darkroom")
    return app and app.state
end

-- The last export of a photo or project.
local function export_of(id)
    for _, one in ipairs(state() and state().exports or {}) do
        if one.open == id then
            return one
        end
    end
end

local function is_alike(path, wanted, mask, outside)
    local ssim, psnr = likeness(path, wanted, mask, outside)
    return ssim >= SSIM and psnr >= PSNR
end

local function layers_of(id, kind)
    local one = export_of(id)
    return one and table.filter(one.doc.layers, function(layer)
        return layer.kind == kind
    end) or {}
end

-- The pixels of the photo that was opened are what they were.
local function is_untouched(id)
    for _, layer in ipairs(layers_of(id, "photo")) do
        if layer.id == 1 then
            return #layer.steps == 0
        end
    end
    return false
end

-- ---- facts ----

local function shuffled(name)
    return random(name).shuffle(photos)
end

-- The facts of a photo, for the instruction.
local function facts_of(photo, other)
    local lower = photo.subject.en:lower()
    return { id = photo.id, subject = t{ en = lower, zh = photo.subject.zh },
             place = t(photo.place), scene = photo.scene,
             file = darkroom.file_name(photo), other = other.id,
             other_file = darkroom.file_name(other) }
end

local function some_facts(name, clean)
    local some = shuffled(name)
    if clean then
        some = table.filter(some, function(photo)
            return photo.spots == 0
        end)
    end
    return facts_of(some[1], some[2])
end

local function dusty_facts(name)
    local some = table.filter(shuffled(name), function(photo)
        return photo.spots > 0
    end)
    local fact = facts_of(some[1], some[2])
    local doc = document.new(some[1].id)
    local spots = document.spots(doc)
    fact.spots = #spots
    fact.row, fact.column = document.field_of(doc, spots[1])
    fact.last_row, fact.last_column = document.field_of(doc, spots[#spots])
    return fact
end

local function project_facts(name)
    local project = random(name).pick(document.projects)
    local other = document.projects[project.id % #document.projects + 1]
    return { id = project.id, project = t(project.name), place = "",
             file = darkroom.file_name(project), other = other.id,
             other_file = darkroom.file_name(other),
             text = project.layers[4].text,
             opacity = project.layers[3].opacity,
             other_opacity = other.layers[3].opacity }
end

-- ---- targets ----

local function photo_layer(doc)
    return doc.layers[1]
end

-- The document with the changes, and the mask of its subject.
local function target_of(fact, change)
    local doc = document.new(fact.id)
    change(doc, fact)
    return doc
end

local function subject_of(id)
    local doc = document.new(id)
    photo_layer(doc).mask = document.new_mask(doc, "subject", 0)
    doc.mask_of = 1
    return doc
end

-- A truth from parts: facts(), change(doc, fact) for the target, apart = true
-- to compare subject and background apart, and process(fact, export) with the
-- clauses about the way.
local function truth(name, parts)
    truths[name] = {
        facts = parts.facts,
        pictures = function(fact)
            return { target = target_of(fact, parts.change),
                     subject = parts.apart and subject_of(fact.id) or nil }
        end,
        clauses = function(fact)
            local one = export_of(fact.id)
            local wanted = target_of(fact, parts.change)
            local clauses = { { "exported", one ~= nil } }
            if parts.apart then
                local mask = subject_of(fact.id)
                table.insert(clauses, { "subject", not one or
                    is_alike(one.path, wanted, mask, false) })
                table.insert(clauses, { "background", not one or
                    is_alike(one.path, wanted, mask, true) })
            else
                table.insert(clauses, { "looks", not one or
                    is_alike(one.path, wanted) })
            end
            for _, clause in ipairs(one and parts.process and
                                    parts.process(fact, one) or {}) do
                table.insert(clauses, clause)
            end
            return clauses
        end,
    }
end

local function add_filter(doc, filter)
    table.insert(photo_layer(doc).steps, filter)
end

local function light(brightness)
    return { op = "light", brightness = brightness, contrast = 0 }
end

-- An adjustment, maybe in a part of the picture.
local function add_adjustment(doc, filter, mask)
    document.adjust(doc, filter)
    if mask then
        document.active(doc).mask = document.new_mask(doc, mask, 0)
    end
end

local function has_adjustment(op)
    return function(fact)
        local found = table.filter(layers_of(fact.id, "adjust"),
            function(layer) return layer.op == op end)
        return { { "adjustment_layer", #found > 0 },
                 { "original_kept", is_untouched(fact.id) } }
    end
end

local function original_kept(fact)
    return { { "original_kept", is_untouched(fact.id) } }
end

-- ---- easy ----

truth("mirror", {
    facts = function() return some_facts("mirror task") end,
    change = function(doc)
        document.reshape(doc, { op = "flip", way = "sides" })
    end,
})

truth("turn", {
    facts = function() return some_facts("turn task") end,
    change = function(doc)
        document.reshape(doc, { op = "rotate", quarters = 1 })
    end,
})

truth("square", {
    facts = function() return some_facts("square task") end,
    change = function(doc)
        document.reshape(doc, document.crop(doc, "square", "keep_middle"))
    end,
})

truth("half", {
    facts = function() return some_facts("half task") end,
    change = function(doc)
        document.reshape(doc, document.resize(doc, 50))
    end,
})

truth("gray", {
    facts = function() return some_facts("gray task") end,
    change = function(doc) add_filter(doc, { op = "gray" }) end,
})

truth("bright", {
    facts = function()
        local fact = some_facts("bright task")
        fact.amount = random("bright task").int(4, 9) * 5
        fact.wrong = fact.amount + 10
        return fact
    end,
    change = function(doc, fact) add_filter(doc, light(fact.amount)) end,
})

truth("mosaic", {
    facts = function()
        local fact = some_facts("mosaic task")
        fact.cell = random("mosaic task").int(7, 12) * 2
        fact.wrong = fact.cell - 6
        return fact
    end,
    change = function(doc, fact)
        add_filter(doc, { op = "mosaic", cell = fact.cell })
    end,
})

truth("negative", {
    facts = function() return some_facts("negative task") end,
    change = function(doc) add_filter(doc, { op = "invert" }) end,
})

-- ---- medium ----

truth("adjustment", {
    facts = function()
        local fact = some_facts("adjustment task")
        fact.amount = random("adjustment task").int(4, 9) * 5
        fact.wrong = fact.amount + 10
        return fact
    end,
    change = function(doc, fact) add_adjustment(doc, light(-fact.amount)) end,
    process = has_adjustment("light"),
})

truth("colours_back", {
    facts = function() return some_facts("colours back task") end,
    change = function(doc) add_adjustment(doc, { op = "gray" }) end,
    process = has_adjustment("gray"),
})

truth("smart_mosaic", {
    facts = function()
        local fact = some_facts("smart mosaic task")
        fact.cell = random("smart mosaic task").int(7, 12) * 2
        fact.wrong = fact.cell - 6
        return fact
    end,
    change = function(doc, fact)
        add_filter(doc, { op = "mosaic", cell = fact.cell })
    end,
    process = function(fact)
        local layer = layers_of(fact.id, "photo")[1]
        return { { "smart_filter", layer.smart == true and
                   #layer.filters > 0 and #layer.steps == 0 } }
    end,
})

truth("splash", {
    facts = function() return some_facts("splash task", true) end,
    change = function(doc)
        add_adjustment(doc, { op = "gray" }, "background")
    end,
    apart = true,
    process = original_kept,
})

truth("recolour", {
    facts = function()
        local fact = some_facts("recolour task", true)
        fact.hue = random("recolour task").int(9, 15) * 10
        fact.wrong = fact.hue - 60
        return fact
    end,
    change = function(doc, fact)
        add_adjustment(doc, { op = "hue", hue = fact.hue, saturation = 0 },
                       "subject")
    end,
    apart = true,
    process = original_kept,
})

truth("dust", {
    facts = function() return dusty_facts("dust task") end,
    change = function(doc, fact)
        add_filter(doc, document.heal_step(doc, fact.row, fact.column))
        if fact.spots > 1 then
            add_filter(doc, document.heal_step(doc, fact.last_row,
                                               fact.last_column))
        end
    end,
})

return truths
