// The ways through tasks of the built-in phone, for any framework. `phone` has:
//   elements()  what the screen shows: [{ text, description, id, x, y }], where
//               x and y are the middle
//   tap(x, y), type(text), enter()
const DEADLINE_MS = 60000;
const POLL_MS = 200;

const words = {
    en: {
        display: "Display",
        dark: "Dark theme",
        search: "Search products",
        query: /Search the shop for (.+?), sort/,
        cheapestFirst: "Price: low to high",
        buy: "Buy now",
    },
    zh: {
        display: "显示",
        dark: "深色主题",
        search: "搜索商品",
        query: /搜索(.+?)，/,
        cheapestFirst: "价格从低到高",
        buy: "立即购买",
    },
}[process.env.PROCTOR_LANGUAGE];

// The first element for which `fits`, as soon as the screen shows it and
// nothing for which `hides`.
async function seen(phone, what, fits, hides = () => false) {
    const end = Date.now() + DEADLINE_MS;

    for (;;) {
        const elements = await phone.elements();
        const found = elements.find(fits);

        if (found && !elements.some(hides)) return found;
        if (Date.now() > end) throw new Error(`the screen does not show ${what}`);
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
}

const withText = (text) => (element) => element.text === text;
const withId = (id) => (element) => element.id === `org.proctor.shop:id/${id}`;

async function tap(phone, what, fits, hides) {
    const { x, y } = await seen(phone, what, fits, hides);

    await phone.tap(x, y);
}

async function useDarkTheme(phone) {
    await tap(phone, "its display settings", withText(words.display));
    await tap(phone, "the dark theme", withText(words.dark));
}

async function openCheapest(phone) {
    const query = words.query.exec(process.env.PROCTOR_INSTRUCTION)[1];

    await tap(phone, "a search field", withText(words.search));
    await seen(phone, "the page of the search", withId("search_input"));
    await phone.type(query);
    await seen(phone, "the query", withText(query));
    await phone.enter();
    await tap(phone, "how results are sorted", withId("sort"));
    await tap(phone, "the order by price", withText(words.cheapestFirst));
    await tap(phone, "a product", withId("product_name"), withId("sheet_title"));
    await seen(phone, "the page of the product", withText(words.buy));
}

const ways = { "settings.dark": useDarkTheme, "shop.cheapest": openCheapest };

// Do the task that proctor has given this program.
export async function doTask(phone) {
    await ways[process.env.PROCTOR_TASK](phone);
}
