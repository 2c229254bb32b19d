-- What it means to have done the tasks in the shop.
local shop = use("shop")

local truths = {}

-- Products that a search in either language finds.
local function called(...)
    local names = { ... }
    return table.filter(shop.products, function(product)
        for _, name in ipairs(names) do
            if shop.matches(product, name) then
                return true
            end
        end
        return false
    end)
end

local function cheapest(list)
    return table.sort(list, function(a, b) return a.price < b.price end)[1]
end

-- ---- the cheapest headphones, by sorting ----

truths.cheapest = {
    facts = function()
        local product = cheapest(called("headphones"))
        return { id = product.id, name = t(product.name) }
    end,
    clauses = function(fact)
        local opened = last("shop.open *")
        local was = opened and before(opened)
        local listed = was and table.map(shop.found(was.state,
                                                    was.state.filters),
                                         function(one) return one.id end) or {}
        return {
            { "searched", was and screen_of(was) == "results" and
                #listed == #called("headphones") and
                table.index(listed, fact.id) },
            { "sorted", was and was.state.sort == "price_asc" },
            { "opened", opened and opened.args[1] == fact.id },
        }
    end,
}

return truths
