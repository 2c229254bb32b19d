-- Restaurants: search, filters, menus, reviews and hours, and an order.

local words = {
    search = { en = { "Search restaurants and dishes", "What would you eat?" },
               zh = { "搜索餐厅和菜品", "想吃点什么？" } },
    discover = { en = { "Discover", "Explore" }, zh = { "发现", "首页" } },
    orders = { en = { "Orders", "My orders" }, zh = { "订单", "我的订单" } },
    saved = { en = { "Saved", "Favourites" }, zh = { "收藏", "我的收藏" } },
    near = { en = { "Restaurants near you", "Around you" },
             zh = { "附近餐厅", "周边美食" } },
    results = { en = "Restaurants: %d", zh = "%d 家餐厅" },
    none = { en = "No restaurant found", zh = "没有找到餐厅" },
    loading = { en = "Loading more…", zh = "正在加载…" },
    recent = { en = { "Recent searches", "Search history" },
               zh = { "最近搜索", "搜索历史" } },
    clear = { en = "Clear", zh = "清除" },
    ad = { en = { "Sponsored", "Ad" }, zh = { "广告", "推广" } },
    ad_text = { en = "First order free of charge", zh = "首单免费" },
    ad_page = { en = "You are leaving Eats. This page has nothing to do with "
                    .. "your order.",
                zh = "您已离开本应用。此页面与您的订单无关。" },
    close = { en = "Close", zh = "关闭" },
    sort = { en = { "Sort", "Order by" }, zh = { "排序", "排列" } },
    filter = { en = { "Filters", "Refine" }, zh = { "筛选", "过滤" } },
    recommended = { en = { "Recommended", "Best match" },
                    zh = { "综合推荐", "智能排序" } },
    rating = { en = { "Rating", "Best rated" }, zh = { "评分最高", "好评优先" } },
    distance = { en = { "Distance", "Nearest first" },
                 zh = { "距离最近", "离我最近" } },
    fastest = { en = { "Delivery time", "Fastest" },
                zh = { "送达最快", "配送速度" } },
    open_now = { en = { "Open now", "Open" }, zh = { "营业中", "正在营业" } },
    takeout = { en = { "Takeout", "Takeaway" }, zh = { "外卖", "可外卖" } },
    any_rating = { en = "Any rating", zh = "不限评分" },
    stars_up = { en = "%s and up", zh = "%s 分以上" },
    cuisine = { en = { "Cuisine", "Kind of food" }, zh = { "菜系", "品类" } },
    all_cuisines = { en = "All", zh = "全部" },
    chosen = { en = "%d selected", zh = "已选 %d 个" },
    reset = { en = { "Reset", "Clear all" }, zh = { "重置", "全部清除" } },
    show = { en = { "Show results", "Apply" }, zh = { "查看结果", "应用" } },
    done = { en = "Done", zh = "完成" },
    open_until = { en = "Open until %s", zh = "营业至 %s" },
    opens_at = { en = "Closed, opens %s", zh = "休息中，%s 开门" },
    closed = { en = "Closed", zh = "休息" },
    minutes = { en = "%d min", zh = "%d 分钟" },
    dine_in = { en = "Dine-in only", zh = "仅堂食" },
    save = { en = "Save", zh = "收藏" },
    unsave = { en = "Remove from saved", zh = "取消收藏" },
    menu = { en = "Menu", zh = { "菜单", "点餐" } },
    reviews = { en = { "Reviews", "Ratings" }, zh = { "评价", "点评" } },
    hours = { en = { "Hours", "Info" }, zh = { "营业时间", "商家信息" } },
    dishes = { en = { "Dishes", "Food" }, zh = { "菜品", "美食" } },
    drinks = { en = "Drinks", zh = "饮品" },
    count_sold = { en = "%d sold", zh = "月售 %d" },
    newest = { en = { "Newest first", "Latest" }, zh = { "最新", "最新评价" } },
    helpful = { en = { "Most helpful", "Top reviews" },
                zh = { "最有帮助", "最有用" } },
    found_helpful = { en = "%d people found this helpful",
                      zh = "%d 人觉得有帮助" },
    days_ago = { en = "%d days ago", zh = "%d 天前" },
    today = { en = "Today", zh = "今天" },
    add = { en = { "Add to order", "Add" }, zh = { "加入订单", "选好了" } },
    quick_add = { en = "Add %s", zh = "添加%s" },
    more = { en = "Increase quantity", zh = "增加数量" },
    fewer = { en = "Decrease quantity", zh = "减少数量" },
    size = { en = { "Size", "Portion" }, zh = { "份量", "规格" } },
    regular = { en = "Regular", zh = "标准" },
    large = { en = "Large", zh = "大份" },
    view_order = { en = { "View order", "Go to order" },
                   zh = { "查看订单", "去结算" } },
    your_order = { en = { "Your order", "Checkout" },
                   zh = { "确认订单", "您的订单" } },
    other = { en = "Start a new order?", zh = "重新点餐？" },
    other_text = { en = "Your order from %s will be discarded.",
                   zh = "在%s点的菜品将被清空。" },
    fresh = { en = "New order", zh = "重新点餐" },
    delivery = { en = { "Delivery", "Deliver to me" },
                 zh = { "商家配送", "送餐上门" } },
    pickup = { en = { "Pick up", "Collect it myself" },
               zh = { "到店自取", "自取" } },
    subtotal = { en = "Subtotal", zh = "小计" },
    fee = { en = "Delivery fee", zh = "配送费" },
    free = { en = "Free", zh = "免费" },
    total = { en = "Total", zh = "合计" },
    place = { en = { "Place order", "Submit order" },
              zh = { "提交订单", "确认下单" } },
    sure = { en = "Place this order?", zh = "确认提交订单？" },
    cancel = { en = "Cancel", zh = "取消" },
    confirm = { en = { "Confirm", "Yes, order" }, zh = { "确认", "确定" } },
    thanks = { en = { "Thank you for your order", "Order placed" },
               zh = { "下单成功", "商家已接单" } },
    order_number = { en = "Order %s", zh = "订单号 %s" },
    items = { en = "Items: %d", zh = "共 %d 份" },
    empty = { en = "Nothing here yet", zh = "暂无内容" },
    up = { en = "Navigate up", zh = "转到上一层级" },
}

local day_names = {
    { en = "Monday", zh = "周一" }, { en = "Tuesday", zh = "周二" },
    { en = "Wednesday", zh = "周三" }, { en = "Thursday", zh = "周四" },
    { en = "Friday", zh = "周五" }, { en = "Saturday", zh = "周六" },
    { en = "Sunday", zh = "周日" },
}

-- ---- cuisines ----

-- For each, dishes with prices in cents and pictures.
local cuisines = {
    { id = "noodles", name = { en = "Noodles", zh = "面食" },
      place = { en = "Noodle House", zh = "面馆" }, low = 700, high = 1900,
      { en = "Beef Noodles", zh = "牛肉面", art = "noodles" },
      { en = "Noodles in Broth", zh = "阳春面", art = "soup" },
      { en = "Sesame Noodles", zh = "麻酱拌面", art = "noodles" },
      { en = "Fried Noodles", zh = "炒面", art = "noodles" },
      { en = "Cucumber Salad", zh = "拍黄瓜", art = "salad" } },
    { id = "dumplings", name = { en = "Dumplings", zh = "饺子" },
      place = { en = "Dumplings", zh = "饺子馆" }, low = 600, high = 1600,
      { en = "Pork Dumplings", zh = "猪肉水饺", art = "dumplings" },
      { en = "Leek Dumplings", zh = "韭菜煎饺", art = "dumplings" },
      { en = "Shrimp Dumplings", zh = "虾饺", art = "dumplings" },
      { en = "Wonton Soup", zh = "馄饨汤", art = "soup" },
      { en = "Steamed Rice", zh = "米饭", art = "rice" } },
    { id = "rice", name = { en = "Rice dishes", zh = "盖饭" },
      place = { en = "Rice Bowl", zh = "饭铺" }, low = 700, high = 1800,
      { en = "Curry Rice", zh = "咖喱饭", art = "rice" },
      { en = "Egg Fried Rice", zh = "蛋炒饭", art = "rice" },
      { en = "Roast Duck Rice", zh = "烧鸭饭", art = "rice" },
      { en = "Tofu Rice", zh = "豆腐盖饭", art = "rice" },
      { en = "Egg Drop Soup", zh = "蛋花汤", art = "soup" } },
    { id = "sushi", name = { en = "Sushi", zh = "寿司" },
      place = { en = "Sushi", zh = "寿司店" }, low = 900, high = 3900,
      { en = "Salmon Nigiri", zh = "三文鱼寿司", art = "sushi" },
      { en = "Tuna Roll", zh = "金枪鱼卷", art = "sushi" },
      { en = "Avocado Roll", zh = "牛油果卷", art = "sushi" },
      { en = "Miso Soup", zh = "味噌汤", art = "soup" },
      { en = "Seaweed Salad", zh = "海藻沙拉", art = "salad" } },
    { id = "pizza", name = { en = "Pizza", zh = "披萨" },
      place = { en = "Pizzeria", zh = "披萨店" }, low = 900, high = 2400,
      { en = "Pizza Margherita", zh = "玛格丽特披萨", art = "pizza" },
      { en = "Mushroom Pizza", zh = "蘑菇披萨", art = "pizza" },
      { en = "Salami Pizza", zh = "萨拉米披萨", art = "pizza" },
      { en = "Four Cheese Pizza", zh = "四重芝士披萨", art = "pizza" },
      { en = "Garden Salad", zh = "田园沙拉", art = "salad" } },
    { id = "burgers", name = { en = "Burgers", zh = "汉堡" },
      place = { en = "Burgers", zh = "汉堡店" }, low = 700, high = 1900,
      { en = "Cheeseburger", zh = "芝士汉堡", art = "burger" },
      { en = "Chicken Burger", zh = "鸡肉汉堡", art = "burger" },
      { en = "Veggie Burger", zh = "素汉堡", art = "burger" },
      { en = "French Fries", zh = "薯条", art = "fries" },
      { en = "Coleslaw", zh = "卷心菜沙拉", art = "salad" } },
    { id = "hotpot", name = { en = "Hot pot", zh = "火锅" },
      place = { en = "Hot Pot", zh = "火锅店" }, low = 1400, high = 4400,
      { en = "Spicy Hot Pot", zh = "麻辣火锅", art = "soup" },
      { en = "Tomato Hot Pot", zh = "番茄火锅", art = "soup" },
      { en = "Mushroom Hot Pot", zh = "菌汤火锅", art = "soup" },
      { en = "Hand-pulled Noodles", zh = "手工面", art = "noodles" },
      { en = "Fish Dumplings", zh = "鱼饺", art = "dumplings" } },
    { id = "barbecue", name = { en = "Barbecue", zh = "烧烤" },
      place = { en = "Grill", zh = "烧烤店" }, low = 500, high = 2100,
      { en = "Lamb Skewers", zh = "羊肉串", art = "skewers" },
      { en = "Chicken Skewers", zh = "鸡肉串", art = "skewers" },
      { en = "Grilled Mushrooms", zh = "烤蘑菇", art = "skewers" },
      { en = "Grilled Tofu", zh = "烤豆腐", art = "skewers" },
      { en = "Cold Noodles", zh = "冷面", art = "noodles" } },
    { id = "healthy", name = { en = "Healthy", zh = "轻食" },
      place = { en = "Greens", zh = "轻食店" }, low = 800, high = 1900,
      { en = "Chicken Salad", zh = "鸡胸沙拉", art = "salad" },
      { en = "Quinoa Bowl", zh = "藜麦碗", art = "rice" },
      { en = "Greek Salad", zh = "希腊沙拉", art = "salad" },
      { en = "Pumpkin Soup", zh = "南瓜汤", art = "soup" },
      { en = "Rice Paper Rolls", zh = "越南春卷", art = "sushi" } },
    { id = "cafe", name = { en = "Café", zh = "咖啡" },
      place = { en = "Coffee", zh = "咖啡馆" }, low = 300, high = 1100,
      { en = "Cheesecake", zh = "芝士蛋糕", art = "cake" },
      { en = "Carrot Cake", zh = "胡萝卜蛋糕", art = "cake" },
      { en = "Flat White", zh = "澳白咖啡", art = "coffee" },
      { en = "Cappuccino", zh = "卡布奇诺", art = "coffee" },
      { en = "Avocado Salad", zh = "牛油果沙拉", art = "salad" } },
    { id = "tea", name = { en = "Tea", zh = "茶饮" },
      place = { en = "Tea Room", zh = "茶馆" }, low = 300, high = 900,
      { en = "Milk Tea", zh = "奶茶", art = "tea" },
      { en = "Lemon Tea", zh = "柠檬茶", art = "tea" },
      { en = "Oolong Tea", zh = "乌龙茶", art = "tea" },
      { en = "Matcha Cake", zh = "抹茶蛋糕", art = "cake" },
      { en = "Sesame Balls", zh = "麻团", art = "dumplings" } },
    { id = "desserts", name = { en = "Desserts", zh = "甜品" },
      place = { en = "Sweets", zh = "甜品店" }, low = 300, high = 1200,
      { en = "Vanilla Ice Cream", zh = "香草冰淇淋", art = "ice_cream" },
      { en = "Mango Sorbet", zh = "芒果雪葩", art = "ice_cream" },
      { en = "Chocolate Cake", zh = "巧克力蛋糕", art = "cake" },
      { en = "Red Bean Soup", zh = "红豆汤", art = "soup" },
      { en = "Rice Pudding", zh = "米布丁", art = "rice" } },
}

local drinks = {
    { en = "Green Tea", zh = "绿茶", art = "tea" },
    { en = "Iced Coffee", zh = "冰咖啡", art = "coffee" },
    { en = "Lemonade", zh = "柠檬水", art = "bottle" },
    { en = "Soy Milk", zh = "豆浆", art = "mug" },
}

-- A number that was not used before.
local function make_menu(r, price, cuisine)
    local menu, taken = {}, {}
    local function add(dish, low, high, drink)
        table.insert(menu, { id = #menu + 1, name = dish, art = dish.art,
            price = price(low, high), drink = drink,
            sold = content.new_number(r, 20, 2000, taken) })
    end
    for _, dish in ipairs(r.shuffle(cuisine)) do
        add(dish, cuisine.low, cuisine.high, false)
    end
    for i, dish in ipairs(r.shuffle(drinks)) do
        if i <= 2 then
            add(dish, 200, 600, true)
        end
    end
    return menu
end

-- Minutes since midnight for each day of the week; some restaurants close on
-- one day, and some are open past midnight.
local function make_hours(r)
    local from, to = table.unpack(r.pick{
        { r.int(12, 17), r.int(30, 42) },
        { r.int(18, 22), r.int(41, 47) },
        { r.int(32, 36), r.int(49, 53) },
    })
    local rests = r.chance(0.3) and r.int(1, 5) or 0
    local hours = {}
    for day = 1, 7 do
        local later = day > 5 and 1 or 0
        hours[day] = day ~= rests and
            { from = (from + later) * 30, to = (to + later) * 30 }
    end
    return hours
end

local function make_restaurant(r, cuisine, number, distances)
    local price = content.prices("menu " .. cuisine.id .. number)
    local brand = content.brand(r)
    local metres = content.new_number(r, 12, 640, distances) * 10
    return {
        cuisine = cuisine, art = cuisine[1].art,
        name = { en = brand.en .. " " .. cuisine.place.en,
                 zh = brand.zh .. cuisine.place.zh },
        rating = content.rating(r), votes = r.int(40, 3000), metres = metres,
        minutes = 15 + metres // 250 + r.int(0, 9), fee = price(103, 620),
        takeout = r.chance(0.7), hours = make_hours(r),
        address = content.address(r),
        call = string.format("555-%04d", r.int(0, 9999)),
        menu = make_menu(r, price, cuisine),
    }
end

local function make_restaurants()
    local restaurants, distances = {}, {}
    for _, cuisine in ipairs(cuisines) do
        local r = random("cuisine", cuisine.id)
        for number = 1, 3 do
            table.insert(restaurants, make_restaurant(r, cuisine, number,
                                                      distances))
        end
    end
    restaurants = random("order").shuffle(restaurants)
    for id, restaurant in ipairs(restaurants) do
        restaurant.id = id
    end
    return restaurants
end

local restaurants = make_restaurants()
local street = content.address(random("home"))

-- ---- reviews ----

local praise = {
    { en = "The %s is the best in town.", zh = "%s是全城最好吃的。" },
    { en = "We came for the %s and will come again.",
      zh = "专门来吃%s，下次还会来。" },
    { en = "Large portions, friendly people. Try the %s!",
      zh = "份量足，服务热情，推荐%s！" },
    { en = "Still warm when it arrived, above all the %s.",
      zh = "送到还是热的，尤其是%s。" },
}
local blame = {
    { en = "The %s was cold and the wait was long.",
      zh = "等了很久，%s都凉了。" },
    { en = "Too salty for me, and the %s was small.",
      zh = "偏咸，%s份量太少。" },
    { en = "The %s used to be better.", zh = "%s不如以前好吃了。" },
}

local function make_review(r, restaurant, ages, thanks)
    local stars = math.min(restaurant.rating // 10 + r.int(0, 1), 5)
    if r.chance(0.25) then
        stars = r.int(1, 3)
    end
    local said = r.pick(stars >= 4 and praise or blame)
    local dish = r.pick(restaurant.menu)
    return { who = content.person(r), stars = stars,
             text = { en = string.format(said.en, dish.name.en:lower()),
                      zh = string.format(said.zh, dish.name.zh) },
             days = content.new_number(r, 1, 400, ages),
             helpful = content.new_number(r, 0, 180, thanks) }
end

local review_orders = {
    newest = function(a, b) return a.days < b.days end,
    helpful = function(a, b) return a.helpful > b.helpful end,
}

local function sorted_reviews(restaurant, order)
    local r = random("reviews", restaurant.id)
    local reviews, ages, thanks = {}, {}, {}
    for i = 1, r.int(9, 24) do
        reviews[i] = make_review(r, restaurant, ages, thanks)
    end
    return table.sort(reviews, review_orders[order])
end

-- ---- hours ----

local DAY = 24 * 60 -- in minutes, as all times here

-- Monday is 1: January 1, 1970 was a Thursday.
local function weekday(day)
    return (day + 3) % 7 + 1
end

local function minute_now()
    return math.floor(now()) // 60
end

-- When it closes, if it is open; yesterday's hours may last until today.
local function closes_at(restaurant)
    local minute = minute_now()
    for day = minute // DAY - 1, minute // DAY do
        local hours = restaurant.hours[weekday(day)]
        if hours and minute >= day * DAY + hours.from and
           minute < day * DAY + hours.to then
            return hours.to
        end
    end
end

local function opens_next(restaurant)
    local minute = minute_now()
    for day = minute // DAY, minute // DAY + 7 do
        local hours = restaurant.hours[weekday(day)]
        if hours and day * DAY + hours.from > minute then
            return day, hours.from
        end
    end
end

local function time_text(minutes)
    return string.format("%02d:%02d", minutes // 60 % 24, minutes % 60)
end

local function open_text(restaurant)
    local till = closes_at(restaurant)
    if till then
        return string.format(t(words.open_until), time_text(till))
    end
    local day, from = opens_next(restaurant)
    local when = time_text(from)
    if day > minute_now() // DAY then
        when = t(day_names[weekday(day)]) .. " " .. when
    end
    return string.format(t(words.opens_at), when)
end

-- ---- the state ----

local PAGE = 8 -- restaurants or reviews loaded at a time

local function no_filters()
    return { open_now = false, takeout = false, rating = 0, cuisines = {} }
end

local function no_order(restaurant)
    return { restaurant = restaurant, lines = {}, way = "delivery" }
end

local function first_state()
    return { tab = "discover", shown = PAGE, typed = "", recent = {},
             sort = "recommended", filters = no_filters(), section = "menu",
             reviews = "helpful", shown_reviews = PAGE,
             choice = { size = "regular", count = 1 }, order = no_order(0),
             orders = {}, saved = {} }
end

-- ---- searching ----

local search_texts = {} -- by restaurant

local function new_search_text(restaurant)
    local names = { restaurant.name, restaurant.cuisine.name }
    for _, dish in ipairs(restaurant.menu) do
        table.insert(names, dish.name)
    end
    return table.concat(table.map(names, function(name)
        return name.en .. " " .. name.zh
    end), " "):lower()
end

local function search_text(restaurant)
    search_texts[restaurant] = search_texts[restaurant] or
                               new_search_text(restaurant)
    return search_texts[restaurant]
end

local function passes(restaurant, filters)
    return (not filters.open_now or closes_at(restaurant)) and
           (not filters.takeout or restaurant.takeout) and
           restaurant.rating >= filters.rating and
           (#filters.cuisines == 0 or
            table.index(filters.cuisines, restaurant.cuisine.id))
end

local sort_orders = {
    rating = function(a, b)
        if a.rating ~= b.rating then
            return a.rating > b.rating
        end
        return a.votes > b.votes
    end,
    distance = function(a, b) return a.metres < b.metres end,
    fastest = function(a, b) return a.minutes < b.minutes end,
}

local function found(state, query, cuisine)
    local has_words = market.finder(query)
    local list = table.filter(restaurants, function(restaurant)
        return (query == "" or has_words(search_text(restaurant))) and
               (cuisine == "" or restaurant.cuisine.id == cuisine) and
               passes(restaurant, state.filters)
    end)
    local order = sort_orders[state.sort]
    return order and table.sort(list, order) or list
end

-- ---- handlers ----

local handlers = {}

function handlers.tab(state, name) state.tab = name end

function handlers.more(state, left)
    if left >= 300 or state.shown >= #restaurants then
        return false
    end
    state.shown = state.shown + PAGE
end

market.add_search_handlers(handlers)

function handlers.search(state, text)
    local query = text:trim()
    if query == "" then
        return
    end
    state.recent = market.remember(state.recent, query)
    state.shown = PAGE
    home("results", query, "")
end

function handlers.cuisine(state, id)
    state.shown = PAGE
    go("results", "", id)
end

function handlers.sort(state, order)
    state.sort, state.shown = order, PAGE
    back()
end

function handlers.filter(state, name, set)
    state.filters[name], state.shown = set == "on", PAGE
end

function handlers.min_rating(state, tenths)
    state.filters.rating, state.shown = tenths, PAGE
end

function handlers.filter_cuisine(state, id, set)
    local chosen = state.filters.cuisines
    if set == "on" then
        table.insert(chosen, id)
    else
        table.remove(chosen, table.index(chosen, id))
    end
    state.shown = PAGE
end

function handlers.reset_filters(state) state.filters = no_filters() end

function handlers.open(state, id)
    state.section, state.reviews, state.shown_reviews = "menu", "helpful", PAGE
    go("restaurant", id)
end

function handlers.save(state, id)
    table.toggle(state.saved, id)
end

function handlers.section(state, name) state.section = name end

function handlers.reviews(state, order)
    state.reviews, state.shown_reviews = order, PAGE
end

function handlers.more_reviews(state, left)
    if state.section ~= "reviews" or left >= 300 or
       state.shown_reviews >= 3 * PAGE then
        return false
    end
    state.shown_reviews = state.shown_reviews + PAGE
end

-- ---- ordering ----

local LARGER = 206 -- cents: keeps the remainder of the phone's prices

function handlers.dish(state, restaurant, dish)
    state.choice = { size = "regular", count = 1 }
    go("dish", restaurant, dish)
end

function handlers.size(state, size) state.choice.size = size end

function handlers.count(state, by)
    state.choice.count = math.min(math.max(state.choice.count + by, 1), 9)
end

local function find_line(state, dish, size)
    for place, line in ipairs(state.order.lines) do
        if line.dish == dish and line.size == size then
            return line, place
        end
    end
end

-- An order belongs to one restaurant; changing it needs a confirmation.
function handlers.add(state, restaurant, dish, size, count)
    local order = state.order
    if #order.lines > 0 and order.restaurant ~= restaurant then
        go("other", restaurant, dish, size, count)
        return
    end
    if order.restaurant ~= restaurant then
        state.order = no_order(restaurant)
    end
    local line = find_line(state, dish, size)
    if line then
        line.count = math.min(line.count + count, 99)
    else
        table.insert(state.order.lines,
                     { dish = dish, size = size, count = count })
    end
    if current() == "dish" then
        back()
    end
    event("added", restaurant, dish, size, count)
end

function handlers.new_order(state, restaurant, dish, size, count)
    back()
    state.order = no_order(restaurant)
    handlers.add(state, restaurant, dish, size, count)
end

function handlers.line_count(state, dish, size, by)
    local line, place = find_line(state, dish, size)
    line.count = math.min(line.count + by, 99)
    if line.count == 0 then
        table.remove(state.order.lines, place)
    end
end

function handlers.way(state, way) state.order.way = way end

local function line_price(restaurant, line)
    local price = restaurant.menu[line.dish].price
    return (line.size == "large" and price + LARGER or price) * line.count
end

local function bill(state)
    local restaurant = restaurants[state.order.restaurant]
    local sum, count = 0, 0
    for _, line in ipairs(state.order.lines) do
        sum = sum + line_price(restaurant, line)
        count = count + line.count
    end
    local fee = state.order.way == "delivery" and restaurant.fee or 0
    return { sum = sum, count = count, fee = fee, total = sum + fee }
end

function handlers.place(state)
    local owed = bill(state)
    local number = random("number", #state.orders).int(100000, 999999)
    table.insert(state.orders, 1, { number = tostring(number),
        restaurant = state.order.restaurant, total = owed.total,
        count = owed.count, way = state.order.way })
    event("ordered", number, state.order.restaurant, owed.total)
    state.order = no_order(0)
    home("placed")
end

function handlers.finish_order(state)
    state.tab = "orders"
    home()
end

-- ---- parts of the screens ----

local function quiet(said, id, parts)
    parts = parts or {}
    parts[1], parts.id = said, id
    parts.style, parts.ink = "body_small", parts.ink or "on_surface_variant"
    return text(parts)
end

local function stars(restaurant)
    return row{ gap = 4, down = "center",
        icon{ icon = "star", width = 16, height = 16, ink = "primary" },
        text{ string.format("%.1f", restaurant.rating / 10), id = "rating",
            style = "label_large" },
        quiet("(" .. restaurant.votes .. ")", "votes") }
end

local function distance_text(restaurant)
    local metres = restaurant.metres
    return metres < 1000 and metres .. " m" or
           string.format("%.2f km", metres / 1000)
end

local function facts(restaurant)
    return row{ gap = 8, down = "center",
        quiet(distance_text(restaurant), "distance"),
        restaurant.takeout and
            quiet(string.format(t(words.minutes), restaurant.minutes),
                  "delivery_time") or false,
        restaurant.takeout and
            quiet(words.takeout, "takeout", { ink = "tertiary" }) or
            quiet(words.dine_in, "dine_in") }
end

local function open_line(restaurant)
    return quiet(open_text(restaurant), "open_state",
        { ink = closes_at(restaurant) and "primary" or "error" })
end

local function result_row(restaurant)
    return row{ id = "restaurant_item", key = "r" .. restaurant.id,
        width = "fill", gap = 16, padding = 10, padding_left = 16,
        padding_right = 16, down = "center",
        on_click = { "open", restaurant.id },
        art{ art = restaurant.art, seed = restaurant.id, width = 88,
            height = 88 },
        column{ weight = 1, gap = 3,
            text{ restaurant.name, id = "restaurant_name", lines = 1,
                style = "title_medium" },
            row{ gap = 8, down = "center", stars(restaurant),
                quiet(restaurant.cuisine.name, "cuisine") },
            facts(restaurant),
            open_line(restaurant) } }
end

-- An advertisement looks like a restaurant, but is none.
local function ad_row(number)
    local brand = content.brand(random("ad", number))
    return row{ id = "promoted_item", key = "ad" .. number, width = "fill",
        gap = 16, padding = 10, padding_left = 16, padding_right = 16,
        down = "center", on_click = { "go", "ad", number },
        art{ art = "restaurant", seed = number, width = 88, height = 88 },
        column{ weight = 1, gap = 3,
            text{ brand, id = "restaurant_name", lines = 1,
                style = "title_medium" },
            row{ gap = 4, down = "center",
                icon{ icon = "star", width = 16, height = 16,
                    ink = "primary" },
                text{ "5.0", style = "label_large" } },
            quiet(words.ad_text),
            text{ words.ad, style = "label_small", ink = "outline" } } }
end

-- The loaded ones, with an advertisement after the second.
local function result_rows(state, list_of)
    local rows = {}
    for i = 1, math.min(state.shown, #list_of) do
        table.insert(rows, result_row(list_of[i]))
        if i == 2 then
            table.insert(rows, ad_row(#list_of))
        end
    end
    if state.shown < #list_of then
        table.insert(rows, quiet(words.loading, "loading",
            { width = "fill", padding = 16, text_align = "center" }))
    end
    redraw(60)
    return rows
end

local function no_results()
    return text{ words.none, width = "fill", padding = 48,
        text_align = "center", id = "no_results" }
end

-- The button beside it has only an icon.
local function search_box(said)
    return row{ width = "fill", weight = 1, down = "center",
        padding_left = 16, padding_right = 4, padding_bottom = 4,
        search_bar{ id = "search_bar", weight = 1, on_click = "start_search",
            icon{ icon = "search" },
            text{ said, weight = 1, lines = 1, ink = "on_surface_variant" } },
        icon_button{ icon = "filter", id = "filter",
            on_click = { "go", "filter" } } }
end

local function set_filter(filters, name)
    return { "filter", name, filters[name] and "off" or "on" }
end

local function tools(state)
    local function toggle(name)
        return chip{ words[name], id = "chip_" .. name, checkable = true,
            checked = state.filters[name],
            on_click = set_filter(state.filters, name) }
    end
    return carousel{ id = "result_tools", height = 48, gap = 8,
        padding_left = 16, padding_right = 16, down = "center",
        shuffle_by_skin{
            chip{ state.sort == "recommended" and words.sort or
                words[state.sort], icon = "sort", id = "sort",
                selected = state.sort ~= "recommended",
                on_click = { "go", "sort" } },
            toggle("open_now"), toggle("takeout") } }
end

-- ---- the tabs ----

local function cuisine_tile(cuisine)
    return column{ id = "cuisine_tile", key = cuisine.id, width = 72,
        gap = 4, across = "center", on_click = { "cuisine", cuisine.id },
        art{ art = cuisine[1].art, seed = #cuisine.id, width = 56,
            height = 56, radius = 28 },
        text{ cuisine.name, lines = 1, style = "label_medium" } }
end

local function discover_tab(state)
    local list_of = found(state, "", "")
    return {
        row{ width = "fill", gap = 8, padding = 12, padding_left = 16,
            down = "center",
            icon{ icon = "place", ink = "primary", width = 20, height = 20 },
            text{ street, id = "address", style = "title_small" } },
        row{ width = "fill", search_box(words.search) },
        list{ weight = 1, id = "restaurant_list", on_scroll = "more",
            carousel{ id = "cuisines", height = 96, gap = 4, padding_top = 8,
                padding_left = 12, padding_right = 12,
                table.map(shuffle_by_skin(cuisines), cuisine_tile) },
            tools(state),
            text{ words.near, style = "title_medium", padding = 12,
                padding_left = 16 },
            #list_of == 0 and no_results() or result_rows(state, list_of) } }
end

local function nothing_here()
    return text{ words.empty, width = "fill", padding = 48, id = "empty",
        text_align = "center", ink = "on_surface_variant" }
end

local function orders_tab(state)
    return #state.orders == 0 and nothing_here() or
        list{ weight = 1, id = "order_list",
            table.map(state.orders, function(order)
                return item{ restaurants[order.restaurant].name,
                    detail = string.format(t(words.items), order.count) ..
                        " · " .. string.format(t(words.order_number),
                                               order.number),
                    id = "order_item", key = order.number, icon = "bag",
                    on_click = { "open", order.restaurant },
                    text{ money(order.total), style = "title_small" } }
            end) }
end

local function saved_tab(state)
    return #state.saved == 0 and nothing_here() or
        list{ weight = 1, id = "saved_list",
            table.map(state.saved, function(id)
                return result_row(restaurants[id])
            end) }
end

local main_tabs = { discover = discover_tab, orders = orders_tab,
                    saved = saved_tab }
local main_icons = { discover = "food", orders = "bag", saved = "heart" }

-- ---- search screens ----

local screens = {}

function screens.main(state)
    local title = state.tab ~= "discover" and words[state.tab] or nil
    return page{ title = title, back = false,
        column{ width = "fill", weight = 1, main_tabs[state.tab](state) },
        market.tab_bar(words, state.tab, { "discover", "orders", "saved" },
                       main_icons) }
end

-- At first the field has no focus; only the caret shows that.
function screens.search(state)
    return market.search_page(words, state, { icon = "time",
        button = icon_button{ icon = "search", id = "search_button",
            on_click = { "search", state.typed } } })
end

local function find_cuisine(id)
    return table.find(cuisines, id)
end

function screens.results(state, query, cuisine)
    local list_of = found(state, query, cuisine)
    local said = query ~= "" and query or find_cuisine(cuisine).name
    return page{
        row{ width = "fill", down = "center", padding_top = 8,
            icon_button{ icon = "back", on_click = "back",
                description = words.up },
            search_box(said) },
        tools(state),
        quiet(string.format(t(words.results), #list_of), "result_count",
            { padding_left = 16, padding_bottom = 4 }),
        #list_of == 0 and no_results() or
            list{ weight = 1, id = "result_list", on_scroll = "more",
                result_rows(state, list_of) } }
end

function screens.sort(state)
    return market.sort_sheet(words, state.sort,
        { "recommended", "rating", "distance", "fastest" })
end

function screens.filter(state)
    local filters = state.filters
    return sheet{ title = words.filter, id = "filter_sheet",
        table.map(shuffle_by_skin{ "open_now", "takeout" }, function(name)
            return item{ words[name], id = name .. "_row", key = name,
                switch{ checked = filters[name], id = name .. "_switch",
                    description = words[name],
                    on_click = set_filter(filters, name) } }
        end),
        item{ words.cuisine, id = "cuisine_row", icon = "food",
            on_click = { "go", "cuisines" },
            detail = #filters.cuisines == 0 and words.all_cuisines or
                string.format(t(words.chosen), #filters.cuisines),
            icon{ icon = "right", width = 24, height = 24 } },
        flow{ gap = 8, width = "fill", padding_left = 16, padding_right = 16,
            padding_top = 8,
            table.map({ 0, 35, 40, 45 }, function(tenths)
                return chip{ tenths == 0 and words.any_rating or
                    string.format(t(words.stars_up), tenths / 10),
                    id = "rating_" .. tenths, checkable = true,
                    checked = filters.rating == tenths,
                    on_click = { "min_rating", tenths } }
            end) },
        row{ width = "fill", gap = 12, padding = 16, across = "end",
            shuffle_by_skin{
                button{ words.reset, style = "outlined", id = "reset",
                    on_click = "reset_filters" },
                button{ words.show, id = "apply", on_click = "back" } } } }
end

-- A sheet above a sheet.
function screens.cuisines(state)
    local chosen = state.filters.cuisines
    return sheet{ title = words.cuisine, id = "cuisine_sheet",
        list{ width = "fill", height = 360,
            table.map(shuffle_by_skin(cuisines), function(cuisine)
                local on = table.index(chosen, cuisine.id) ~= nil
                return checkbox{ cuisine.name, width = "fill",
                    key = cuisine.id, padding_left = 8, padding_right = 16,
                    id = "cuisine_check", checked = on,
                    on_click = { "filter_cuisine", cuisine.id,
                                 on and "off" or "on" } }
            end) },
        row{ width = "fill", across = "end", padding = 16,
            button{ words.done, id = "done", on_click = "back" } } }
end

function screens.ad(state, number)
    return page{ title = words.ad,
        web{ weight = 1,
            text{ content.brand(random("ad", number)),
                style = "headline_large" },
            text{ words.ad_page },
            button{ words.close, on_click = "back" } } }
end

-- ---- a restaurant ----

local function dish_row(restaurant, dish)
    return row{ id = "dish_item", key = "d" .. dish.id, width = "fill",
        gap = 12, padding = 8, padding_left = 16, padding_right = 8,
        down = "center",
        on_click = restaurant.takeout and
            { "dish", restaurant.id, dish.id } or nil,
        art{ art = dish.art, seed = restaurant.id * 10 + dish.id, width = 64,
            height = 64, radius = 12 },
        column{ weight = 1, gap = 2,
            text{ dish.name, id = "dish_name", style = "body_large" },
            quiet(string.format(t(words.count_sold), dish.sold), "sold"),
            text{ money(dish.price), id = "price", style = "title_small",
                ink = "primary" } },
        restaurant.takeout and icon_button{ icon = "add", id = "quick_add",
            description = string.format(t(words.quick_add), t(dish.name)),
            on_click = { "add", restaurant.id, dish.id, "regular", 1 } } or
            false }
end

local function menu_section(state, restaurant)
    local function part(title, drink)
        return { text{ title, style = "title_medium", padding = 12,
                padding_left = 16 },
            table.map(table.filter(restaurant.menu, function(dish)
                return dish.drink == drink
            end), function(dish) return dish_row(restaurant, dish) end) }
    end
    return { part(words.dishes, false), part(words.drinks, true) }
end

local function review_block(review)
    return column{ width = "fill", gap = 4, padding = 10, padding_left = 16,
        padding_right = 16, id = "review",
        row{ gap = 8, down = "center",
            text{ review.who, style = "title_small", id = "reviewer" },
            rating{ value = review.stars, text_size = 12 } },
        text{ review.text, style = "body_medium", id = "review_text" },
        quiet(string.format(t(words.days_ago), review.days), "review_date"),
        quiet(string.format(t(words.found_helpful), review.helpful),
              "review_helpful") }
end

local function reviews_section(state, restaurant)
    local reviews = sorted_reviews(restaurant, state.reviews)
    local shown = {}
    for i = 1, math.min(state.shown_reviews, #reviews) do
        shown[i] = review_block(reviews[i])
    end
    return { row{ width = "fill", gap = 8, padding = 8, padding_left = 16,
            table.map(shuffle_by_skin{ "helpful", "newest" }, function(order)
                return chip{ words[order], id = "reviews_" .. order,
                    checkable = true, checked = state.reviews == order,
                    on_click = { "reviews", order } }
            end) },
        shown }
end

local function hours_section(state, restaurant)
    local today = weekday(minute_now() // DAY)
    local days = {}
    for day, name in ipairs(day_names) do
        local hours = restaurant.hours[day]
        local style = day == today and "title_small" or "body_medium"
        days[day] = row{ width = "fill", across = "spread", padding = 8,
            padding_left = 16, padding_right = 16, id = "hours_row",
            text{ day == today and t(name) .. " · " .. t(words.today) or name,
                style = style, id = "day" },
            text{ hours and time_text(hours.from) .. "–" ..
                time_text(hours.to) or words.closed, style = style,
                id = "day_hours" } }
    end
    return { days, divider{},
        item{ restaurant.address, icon = "place", id = "restaurant_address" },
        item{ restaurant.call, icon = "call", id = "restaurant_phone" } }
end

local sections = { menu = menu_section, reviews = reviews_section,
                   hours = hours_section }

local function order_bar(state)
    local owed = bill(state)
    return row{ id = "order_bar", width = "fill", padding = 12, gap = 12,
        padding_left = 16, down = "center", background = "surface_container",
        column{ weight = 1,
            quiet(string.format(t(words.items), owed.count), "order_count"),
            text{ money(owed.sum), id = "order_sum",
                style = "title_large" } },
        button{ words.view_order, height = 48, id = "view_order",
            on_click = { "go", "order" } } }
end

local function restaurant_head(restaurant)
    return { column{ width = "fill", padding_left = 16, padding_right = 16,
            art{ art = restaurant.art, seed = restaurant.id,
                height = 140 } },
        column{ width = "fill", gap = 4, padding = 16,
            text{ restaurant.name, id = "restaurant_name",
                style = "headline_small" },
            row{ gap = 8, down = "center", stars(restaurant),
                quiet(restaurant.cuisine.name, "cuisine") },
            facts(restaurant),
            open_line(restaurant) } }
end

function screens.restaurant(state, id)
    local restaurant = restaurants[id]
    local kept = table.index(state.saved, id) ~= nil
    redraw(60)
    return page{ title = "",
        actions = { icon_button{ icon = kept and "heart_full" or "heart",
            id = "save", selected = kept,
            description = kept and words.unsave or words.save,
            on_click = { "save", id } } },
        list{ weight = 1, id = "restaurant_scroll", on_scroll = "more_reviews",
            restaurant_head(restaurant),
            tabs{ table.map({ "menu", "reviews", "hours" }, function(name)
                return tab{ words[name], id = "tab_" .. name,
                    selected = state.section == name,
                    on_click = { "section", name } }
            end) },
            sections[state.section](state, restaurant) },
        state.order.restaurant == id and #state.order.lines > 0 and
            order_bar(state) or false }
end

-- ---- an order ----

function screens.dish(state, id, number)
    local dish = restaurants[id].menu[number]
    local choice = state.choice
    return sheet{ id = "dish_sheet",
        column{ width = "fill", gap = 12, padding = 16,
            row{ width = "fill", gap = 12, down = "center",
                art{ art = dish.art, seed = id * 10 + number, width = 88,
                    height = 88 },
                column{ weight = 1, gap = 4,
                    text{ dish.name, id = "dish_name",
                        style = "title_large" },
                    text{ money(dish.price), id = "price", ink = "primary",
                        style = "title_medium" } } },
            text{ words.size, style = "title_small" },
            row{ width = "fill", gap = 8,
                table.map({ "regular", "large" }, function(size)
                    return chip{ size == "large" and t(words.large) .. " +" ..
                        money(LARGER) or words.regular, id = "size_" .. size,
                        checkable = true, checked = choice.size == size,
                        on_click = { "size", size } }
                end) },
            row{ width = "fill", gap = 16, down = "center",
                market.stepper(words, { count = choice.count, least = 1,
                    fewer = { "count", -1 }, more = { "count", 1 } }),
                button{ words.add, weight = 1, height = 48, id = "add",
                    on_click = { "add", id, number, choice.size,
                                 choice.count } } } } }
end

function screens.other(state, ...)
    local name = t(restaurants[state.order.restaurant].name)
    return dialog{ title = words.other, id = "other_dialog",
        message = string.format(t(words.other_text), name),
        buttons = {
            { words.cancel, id = "cancel", on_click = "back" },
            { words.fresh, id = "new_order",
              on_click = { "new_order", ... } } } }
end

local function order_line(restaurant, line)
    local function by(amount)
        return { "line_count", line.dish, line.size, amount }
    end
    return row{ id = "order_line", key = line.dish .. line.size,
        width = "fill", gap = 12, padding = 8, padding_left = 16,
        padding_right = 16, down = "center",
        column{ weight = 1, gap = 2,
            text{ restaurant.menu[line.dish].name, id = "dish_name",
                style = "body_large" },
            quiet(words[line.size], "size"),
            text{ money(line_price(restaurant, line)), id = "price",
                style = "title_small", ink = "primary" } },
        market.stepper(words, { count = line.count, least = 0,
                                fewer = by(-1), more = by(1) }) }
end

local function amount(label, value, id)
    return row{ width = "fill", across = "spread", padding_left = 16,
        padding_right = 16, padding_top = 8,
        text{ label, style = "body_medium", ink = "on_surface_variant" },
        text{ value, id = id, style = "body_medium" } }
end

local function way_item(state, way)
    return item{ words[way], id = "way_" .. way, key = way,
        on_click = { "way", way },
        radio{ checked = state.order.way == way, clickable = false } }
end

function screens.order(state)
    local restaurant = restaurants[state.order.restaurant]
    local owed = bill(state)
    redraw(60)
    return page{ title = words.your_order,
        list{ weight = 1, id = "order_lines",
            item{ restaurant.name, id = "order_restaurant", icon = "food",
                detail = open_text(restaurant) },
            table.map(state.order.lines, function(line)
                return order_line(restaurant, line)
            end),
            divider{},
            table.map(shuffle_by_skin{ "delivery", "pickup" }, function(way)
                return way_item(state, way)
            end),
            item{ state.order.way == "delivery" and street or
                restaurant.address, icon = "place", id = "order_address" },
            divider{},
            amount(words.subtotal, money(owed.sum), "subtotal"),
            amount(words.fee, owed.fee > 0 and money(owed.fee) or words.free,
                   "fee") },
        row{ width = "fill", padding = 16, gap = 12, down = "center",
            background = "surface_container",
            column{ weight = 1, quiet(words.total),
                text{ money(owed.total), id = "order_total",
                    style = "title_large" } },
            button{ words.place, height = 48, id = "place_order",
                disabled = owed.count == 0 or not closes_at(restaurant),
                on_click = { "go", "confirm" } } } }
end

function screens.confirm(state)
    return market.confirm_dialog(words, bill(state).total)
end

function screens.placed(state)
    local order = state.orders[1]
    return page{
        column{ width = "fill", weight = 1, across = "center",
            down = "center", gap = 16, padding = 24,
            art{ art = restaurants[order.restaurant].art, width = 140,
                height = 140, seed = order.restaurant, radius = 70 },
            text{ words.thanks, style = "headline_small", id = "thanks" },
            text{ string.format(t(words.order_number), order.number),
                id = "order_number", style = "body_large" },
            text{ money(order.total), id = "order_total",
                style = "title_large", ink = "primary" },
            button{ words.done, id = "finish", on_click = "finish_order" } } }
end

return {
    package = "org.proctor.eats",
    name = { en = "Eats", zh = "美食" },
    hue = 145,
    state = first_state,
    screens = screens,
    handlers = handlers,
    knows = { restaurants = restaurants, cuisines = cuisines, found = found,
              reviews = sorted_reviews, closes_at = closes_at,
              no_filters = no_filters, larger = LARGER },
    on_back = function(state)
        if current() == "main" and state.tab ~= "discover" then
            state.tab = "discover"
            return true
        end
        return false
    end,
}
