/*
 * serve_page.mjs BROWSER PROCTOR FOLDER: the pages of proctor serve, as a
 * person uses them.
 */
import assert from "node:assert/strict";
import {chmod, readFile, stat, writeFile} from "node:fs/promises";
import http from "node:http";
import {browser, elements, endTests, goHome, open, openPhone, pixels, pointOf,
        runTests, settled, shell, start, startServer, tap, until}
    from "./serve_browser.mjs";

const server = await startServer("--device", "phone");

/* What a client without a browser gets. */
function get(path, headers = {}) {
    return new Promise((resolve, reject) => {
        const request = http.get(server.origin + path,
                                 {headers, agent: false}, (answer) => {
            let body = "";
            answer.on("data", (data) => { body += data; });
            answer.on("end", () => resolve({status: answer.statusCode, body,
                                            headers: answer.headers}));
        });
        request.on("upgrade", (answer, socket) => {
            socket.destroy();
            resolve({status: answer.statusCode, body: "",
                     headers: answer.headers});
        });
        /* Some refusals of an upgrade only close the connection. */
        request.on("error", (error) => headers.upgrade
            ? resolve({status: 400, body: "", headers: {}}) : reject(error));
    });
}

/* The cookie of a session. */
async function login() {
    const answer = await get("/?token=" + server.token);
    assert.equal(answer.status, 303);
    const cookie = answer.headers["set-cookie"][0];
    assert.match(cookie, /HttpOnly/i);
    assert.match(cookie, /SameSite=Strict/i);
    return cookie.split(";")[0];
}

const UPGRADE = {"connection": "Upgrade", "upgrade": "websocket",
                 "sec-websocket-version": "13",
                 "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ=="};

const isWide = (page) => page.evaluate(
    () => document.documentElement.scrollWidth > window.innerWidth);

const tests = {
    async "nothing is given without the token"() {
        for (const path of ["/", "/app.js", "/ws", "/screenshot/1.png",
                            "/?token=wrong", "/?token="])
            assert.ok([401, 403].includes((await get(path)).status), path);
        assert.ok([401, 403].includes((await get("/ws", UPGRADE)).status));
    },

    async "another host or origin is refused, with a session, too"() {
        const cookie = await login();
        const own = {cookie, origin: server.origin};
        assert.equal((await get("/", {cookie})).status, 200);
        assert.equal((await get("/ws", {...UPGRADE, ...own})).status, 101);
        for (const headers of [
            {cookie, host: "evil.example"},
            {cookie, host: "evil.example:" + new URL(server.origin).port}])
            assert.ok((await get("/", headers)).status >= 400);
        for (const origin of ["http://evil.example", "null",
                              "http://127.0.0.1:1"])
            assert.ok((await get("/ws", {...UPGRADE, ...own, origin}))
                .status >= 400, origin);
        assert.ok((await get("/ws", {...UPGRADE, ...own,
                                     host: "evil.example"})).status >= 400);
    },

    async "another site's page can neither read nor tap"() {
        const site = http.createServer((request, answer) => {
            answer.setHeader("content-type", "text/html");
            answer.end("<!doctype html><title>other</title>");
        });
        await new Promise((resolve) => site.listen(0, "127.0.0.1", resolve));
        const {page, context, close} = await openPhone(server.url);
        const before = await settled(page);
        const other = await context.newPage();
        await other.goto("http://localhost:" + site.address().port);
        const result = await other.evaluate(async (origin) => {
            const socket = await new Promise((resolve) => {
                const made = new WebSocket(origin.replace("http", "ws") + "/ws");
                made.onopen = () => resolve("open");
                made.onerror = () => resolve("refused");
            });
            const read = await fetch(origin + "/", {credentials: "include"})
                .then(() => "read", () => "refused");
            const framed = await new Promise((resolve) => {
                const frame = document.createElement("iframe");
                frame.src = origin + "/";
                frame.onload = () => {
                    let text = "";
                    try {
                        text = frame.contentDocument.title;
                    } catch {
                        text = "";
                    }
                    resolve(text.includes("proctor") ? "read" : "refused");
                };
                document.body.append(frame);
            });
            return {socket, read, framed};
        }, server.origin);
        assert.deepEqual(result, {socket: "refused", read: "refused",
                                  framed: "refused"});
        assert.equal(await pixels(page), before);
        await other.close();
        site.close();
        await close();
    },

    async "a tap, back and home change the screen"() {
        const {page, close} = await openPhone(server.url);
        const home = await settled(page);
        await page.getByText("It is not in use.").waitFor();
        await tap(page, 0.16, 0.2); // Settings
        await until("the app to open", async () =>
            await pixels(page) !== home);
        assert.match(await page.locator(".driver").innerText(), /You drive/);
        assert.ok((await elements(page)).includes("Settings"));
        await page.locator(".inspect input").uncheck();
        await page.locator("[aria-label=Back]").click();
        await until("the home screen", async () => await pixels(page) === home);
        await tap(page, 0.16, 0.2);
        await until("the app again", async () => await pixels(page) !== home);
        await page.locator("[aria-label=Home]").click();
        await until("the home screen", async () => await pixels(page) === home);
        await close();
    },

    async "a drag scrolls, and so does the wheel"() {
        const {page, close} = await openPhone(server.url);
        const home = await goHome(page);
        await tap(page, 0.84, 0.2); // Shop
        await until("the app to open", async () => await pixels(page) !== home);
        const top = await settled(page);
        await page.mouse.move(...await pointOf(page, 0.5, 0.8));
        await page.mouse.down();
        await page.mouse.move(...await pointOf(page, 0.5, 0.3), {steps: 12});
        await page.mouse.up();
        await until("it to scroll", async () => await pixels(page) !== top);
        await settled(page);
        await page.mouse.move(...await pointOf(page, 0.5, 0.4));
        await until("it to scroll back", async () => {
            await page.mouse.wheel(0, -600);
            return await settled(page) === top;
        });
        await page.locator("[aria-label=Home]").click();
        await until("the home screen", async () => await pixels(page) === home);
        await close();
    },

    async "text of any script reaches the phone"() {
        const {page, close} = await openPhone(server.url);
        const home = await goHome(page);
        await tap(page, 0.5, 0.925); // the search field
        await until("the search to open", async () =>
            await pixels(page) !== home);
        await settled(page);
        await tap(page, 0.5, 0.08);
        await page.keyboard.type("ab");
        await page.keyboard.insertText("你好");
        await page.keyboard.press("Backspace");
        await until("the text", async () =>
            (await elements(page)).some((name) => name === "ab你"));
        await page.locator(".text-form input").fill("ñ👍");
        await page.locator(".text-form input").press("Enter");
        await until("more text", async () =>
            (await elements(page)).some((name) => name === "ab你ñ👍"));
        await goHome(page);
        await close();
    },

    async "the tree shows what is where, and what a tap would be"() {
        const {page, close} = await openPhone(server.url);
        await goHome(page);
        const names = await elements(page);
        for (const name of ["Settings", "Clock", "Shop"])
            assert.ok(names.includes(name), names.join());
        await page.mouse.move(...await pointOf(page, 0.16, 0.2));
        await page.locator(".node-box.hot").waitFor();
        await page.mouse.click(...await pointOf(page, 0.16, 0.2));
        assert.match(await page.locator(".node-words").innerText(), /Settings/);
        assert.match(await page.locator(".selector").innerText(), /Settings/);
        // Inspecting does not touch the phone.
        assert.ok((await elements(page)).includes("Clock"));
        await close();
    },

    async "the shell answers with output and status"() {
        const {page, close} = await openPhone(server.url);
        assert.equal(await shell(page, "echo one; echo 二"), "one\n二");
        assert.equal(await shell(page, "false"), "status 1");
        await close();
    },

    async "the phone rotates, and taps go to the right place"() {
        const {page, close} = await openPhone(server.url);
        await goHome(page);
        const ratio = () => page.locator("canvas.screen").evaluate(
            (canvas) => canvas.width / canvas.height);
        assert.ok(await ratio() < 1);
        await page.getByRole("button", {name: "Rotate"}).click();
        await until("landscape", async () => await ratio() > 1);
        await settled(page);
        assert.equal(await isWide(page), false);
        await page.getByRole("button", {name: "Rotate"}).click();
        await until("portrait", async () => await ratio() < 1);
        await close();
    },

    async "pictures have the pixels that their place shows, and not many more"() {
        const {page, close} = await openPhone(server.url);
        const widths = () => page.locator("canvas.screen").evaluate(
            (canvas) => [canvas.width, canvas.clientWidth]);
        const fits = async () => {
            const [pixels, shown] = await widths();
            return pixels >= shown && pixels < 2 * shown;
        };
        await until("a small picture", fits);
        const [small] = await widths();
        await page.setViewportSize({width: 1280, height: 2000});
        await until("a large picture", async () =>
            await fits() && (await widths())[0] > small);
        await close();
    },

    async "a screenshot is a PNG of the whole screen"() {
        const {page, close} = await openPhone(server.url);
        const [download] = await Promise.all([
            page.waitForEvent("download"),
            page.getByRole("button", {name: "Screenshot"}).click()]);
        const stream = await download.createReadStream();
        const chunks = [];
        for await (const chunk of stream)
            chunks.push(chunk);
        const png = Buffer.concat(chunks);
        assert.equal(png.subarray(1, 4).toString(), "PNG");
        assert.ok(png.readUInt32BE(16) >= 720, "its width");
        await close();
    },

    async "volume, recent apps, lock, paste and a copied selector work"() {
        const {page, close} = await openPhone(server.url, {
            permissions: ["clipboard-read", "clipboard-write"]});
        const press = (name) => page.getByRole("button", {name}).click();
        const says = (command, words) => until(words + " by " + command,
            async () => (await shell(page, command)).includes(words));
        const volume = "settings get system volume_music";
        await goHome(page);
        const before = Number(await shell(page, volume));
        await press("Louder");
        await says(volume, String(before + 1));
        await press("Quieter");
        await says(volume, String(before));
        const awake = "dumpsys power | grep mWakefulness=";
        await press("Lock");
        await says(awake, "Asleep");
        await press("Lock");
        await says(awake, "Awake");
        await goHome(page);
        await elements(page);
        await page.locator(".nodes li", {hasText: "Settings"}).first().click();
        const selector = await page.locator(".selector").innerText();
        await press("Copy selector");
        await page.getByText("Selector copied").waitFor();
        assert.equal(await page.evaluate(() => navigator.clipboard.readText()),
                     selector);
        await press("Tap it");
        await until("the app to open", async () =>
            (await elements(page)).includes("Search settings"));
        await page.getByRole("button", {name: "Recent apps"}).click();
        await until("recent apps", async () =>
            (await elements(page)).includes("Clear all"));
        const home = await goHome(page);
        await tap(page, 0.5, 0.925); // the search field
        await until("the search to open", async () =>
            await pixels(page) !== home);
        await settled(page);
        await tap(page, 0.5, 0.08);
        await page.evaluate(() => navigator.clipboard.writeText("粘贴 👍"));
        await press("Paste");
        await until("the text", async () =>
            (await elements(page)).includes("粘贴 👍"));
        await goHome(page);
        await close();
    },

    async "a tap on a picture of before is refused, and the page says so"() {
        const {page, close} = await openPhone(server.url);
        await goHome(page);
        /* From now on the page paints nothing. */
        await page.evaluate(() => {
            window.createImageBitmap = () => new Promise(() => {});
        });
        const before = await pixels(page);
        await shell(page, "am start -n com.android.settings/.Settings");
        await until("the app to open", async () =>
            (await shell(page, "dumpsys window | grep mCurrentFocus"))
                .includes("settings"));
        await until("a refusal", async () => {
            await tap(page, 0.16, 0.2);
            return page.getByText("the screen has changed").first()
                .isVisible();
        });
        assert.equal(await pixels(page), before);
        await close();
    },

    async "one of two tabs drives, and the other takes over"() {
        const first = await openPhone(server.url);
        const second = await openPhone(server.url, {context: first.context});
        await first.page.locator("[aria-label=Home]").click();
        await first.page.getByText("You drive this phone.").waitFor();
        await second.page.getByText("Driven by another page.").waitFor();
        const before = await settled(second.page);
        await tap(second.page, 0.16, 0.2);
        await second.page.locator(".toast.bad").first().waitFor();
        assert.equal(await settled(second.page), before);
        await second.page.getByRole("button", {name: "Take over"}).click();
        await second.page.getByText("You drive this phone.").waitFor();
        await first.page.getByText("Driven by another page.").waitFor();
        await second.page.getByRole("button", {name: "Release"}).click();
        await first.page.getByText("It is not in use.").waitFor();
        await second.close();
        await first.close();
    },

    async "a page that is opened later knows who drives"() {
        const first = await openPhone(server.url);
        await first.page.locator("[aria-label=Home]").click();
        await first.page.getByText("You drive this phone.").waitFor();
        await settled(first.page);
        for (let i = 0; i < 3; i++) {
            const second = await openPhone(server.url,
                                           {context: first.context});
            await second.page.getByText("Driven by another page.").waitFor();
            await second.close();
        }
        await first.page.getByRole("button", {name: "Release"}).click();
        await first.close();
    },

    async "a closed tab drives no longer"() {
        const first = await openPhone(server.url);
        const second = await openPhone(server.url, {context: first.context});
        await second.page.locator("[aria-label=Home]").click();
        await first.page.getByText("Driven by another page.").waitFor();
        await second.close();
        await first.page.getByText("It is not in use.").waitFor();
        await first.close();
    },

    async "a reload shows the same phone again"() {
        const {page, close} = await openPhone(server.url);
        const before = await settled(page);
        await page.reload();
        await page.locator(".device[data-frame]").waitFor();
        await until("the picture", async () => await pixels(page) === before);
        assert.ok(!page.url().includes("token"));
        await close();
    },

    async "all modules are loaded at once"() {
        const {page, close} = await openPhone(server.url);
        const [loaded, named] = await page.evaluate(() => [
            performance.getEntriesByType("resource").map(({name}) => name)
                .filter((name) => name.endsWith(".js")),
            Array.from(document.querySelectorAll(
                "link[rel=modulepreload], script"), (node) =>
                node.href || node.src)]);
        assert.deepEqual(loaded.sort(), named.sort());
        await close();
    },

    async "the screen is asked for once, before the page is built"() {
        for (const [options, hash, watches] of [
            [{}, server.hash, 1],
            [{viewport: {width: 2560, height: 1440}}, server.hash, 1],
            [{viewport: {width: 390, height: 844}, deviceScaleFactor: 3},
             server.hash, 1],
            [{viewport: {width: 360, height: 1600}}, server.hash, 1],
            [{viewport: {width: 1280, height: 400}}, server.hash, 1],
            [{}, "#/phone/none", 2], /* which the page asks for again */
            [{}, "#/recordings", 0]]) {
            const {page, close} = await open(server.url.split("#")[0] + hash,
                                             options);
            const built = page.locator(".device[data-frame], " +
                ".curtain:has-text('no phone'), h1:has-text('Recordings')")
                .first();
            const messages = [];
            await built.waitFor();
            page.on("websocket", (socket) => {
                socket.on("framesent", ({payload}) =>
                    messages.push(JSON.parse(payload)));
                socket.on("framereceived", ({payload}) =>
                    messages.push(typeof payload === "string"
                        ? JSON.parse(payload) : {}));
            });
            await page.reload();
            await built.waitFor();
            const asked = messages.filter((message) => message.do === "watch");
            assert.equal(asked.length, watches, JSON.stringify([options, hash]));
            assert.equal(messages[0].do === "watch", watches > 0);
            await close();
        }
    },

    async "an address that is typed wrong says that there is no such phone"() {
        const {page, close} = await open(server.origin + "/?token=" +
                                         server.token + "#/phone/%");
        await page.locator(".curtain", {hasText: "no phone"}).waitFor();
        assert.equal(await page.locator("#link").innerText(), "live");
        await close();
    },

    async "a page that is left while it loads watches nothing"() {
        const {page, close} = await openPhone(server.url);
        const left = page.waitForEvent("websocket").then((socket) =>
            socket.waitForEvent("framesent", ({payload}) =>
                JSON.parse(payload).do === "unwatch"));
        await page.addInitScript(() => {
            const WebSocketOf = window.WebSocket;
            window.WebSocket = class extends WebSocketOf {
                send(data) {
                    super.send(data);
                    /* The watch is on its way; the list is not there yet. */
                    history.replaceState(null, "", "#/recordings");
                }
            };
        });
        await page.reload();
        await left;
        await page.locator("h1", {hasText: "Recordings"}).waitFor();
        await close();
    },

    async "nothing is sent while nothing changes"() {
        const {page, context, close} = await openPhone(server.url);
        await goHome(page);
        const session = await context.newCDPSession(page);
        let bytes = 0;
        await session.send("Network.enable");
        session.on("Network.webSocketFrameReceived", ({response}) => {
            if (response.opcode === 2)
                bytes += response.payloadData.length;
        });
        // A minute of the status bar may end meanwhile, but not each time.
        await until("silence", async () => {
            bytes = 0;
            await page.waitForTimeout(1500);
            return bytes === 0;
        });
        await close();
    },

    async "pages fit from 390 to 2560 pixels, light and dark"() {
        const {page, close} = await openPhone(server.url);
        const atEachWidth = async (what, check = () => {}) => {
            for (const width of [390, 820, 1280, 2560]) {
                await page.setViewportSize({width, height: 844});
                assert.equal(await isWide(page), false, what + " " + width);
                await check(width);
            }
        };
        await atEachWidth("phone", async (width) => {
            const box = await page.locator(".device").boundingBox();
            assert.ok(box.width >= 180 && box.x >= 0 &&
                      box.x + box.width <= width, "device at " + width);
            assert.ok(await page.locator(".tabs").evaluate(
                (tabs) => tabs.scrollWidth <= tabs.clientWidth),
                      "tabs at " + width);
        });
        await page.goto(server.origin + "/#/");
        await page.locator(".phone-card").first().waitFor();
        await atEachWidth("phones");
        await page.goto(server.origin + "/#/wall");
        await page.locator(".wall .device[data-frame]").waitFor();
        await atEachWidth("wall", async (width) => /* which of them is it? */
            assert.ok(await page.locator(".wall .serial").isVisible(),
                      "serial at " + width));
        for (const colorScheme of ["light", "dark"]) {
            await page.emulateMedia({colorScheme});
            const back = await page.evaluate(() =>
                getComputedStyle(document.body).backgroundColor);
            const dark = Number(/\d+/.exec(back)[0]) < 60;
            assert.equal(dark, colorScheme === "dark");
        }
        await close();
    },

    async "fingers work on a narrow page"() {
        const {page, close} = await openPhone(server.url, {
            viewport: {width: 390, height: 844}, hasTouch: true,
            isMobile: true});
        const home = await goHome(page);
        await page.evaluate(() => scrollTo(0, 0));
        await page.touchscreen.tap(...await pointOf(page, 0.16, 0.2));
        await until("the app to open", async () => await pixels(page) !== home);
        await page.locator("[aria-label=Back]").tap();
        await until("the home screen", async () =>
            (await elements(page)).includes("Search apps"));
        await close();
    },

    async "all can be done by keys"() {
        const {page, close} = await open(server.origin + "/?token=" +
                                         server.token);
        await page.locator(".phone-card .open").first().waitFor();
        const focus = (locator) => until("the focus", async () => {
            await page.keyboard.press("Tab");
            return locator.evaluate((node) => node === document.activeElement);
        });
        await focus(page.locator(".phone-card .open").first());
        await page.keyboard.press("Enter");
        await page.locator(".stage .device[data-frame]").waitFor();
        await focus(page.locator("textarea.keys"));
        await page.keyboard.press("Control+Alt+KeyH");
        await until("the home screen", async () =>
            (await elements(page)).includes("Search apps"));
        await page.locator(".inspect input").uncheck();
        const home = await settled(page);
        await page.locator("textarea.keys").focus();
        await focus(page.locator("#tab-tree"));
        await page.keyboard.press("Tab");
        await page.keyboard.press("Space"); // show the elements
        await page.locator(".nodes li").first().waitFor();
        await page.keyboard.press("Tab");
        const chosen = () => page.evaluate(
            () => document.activeElement.querySelector("b")?.textContent);
        await until("Settings", async () => {
            await page.keyboard.press("ArrowDown");
            return await chosen() === "Settings";
        });
        await page.keyboard.press("Enter");
        await until("the app to open", async () => await pixels(page) !== home);
        // Out of the screen again: there is no trap.
        await page.locator("textarea.keys").focus();
        await page.keyboard.press("Escape");
        await until("the home screen", async () => await pixels(page) === home);
        await page.keyboard.press("Tab");
        assert.equal(await page.locator("textarea.keys").evaluate(
            (node) => node === document.activeElement), false);
        await close();
    },

    async "a watching page cannot act"() {
        const only = await startServer("--device", "phone", "--read-only");
        const {page, close} = await openPhone(only.url);
        const before = await settled(page);
        assert.match(await page.locator(".driver").innerText(),
                     /only watches/);
        await page.locator("#tab-picture").click();
        assert.ok(await page.locator(".rung input").first().isDisabled());
        await tap(page, 0.16, 0.2);
        await page.locator("[aria-label=Back]").click();
        await page.locator(".toast.bad").first().waitFor();
        assert.equal(await settled(page), before);
        await page.goto(only.origin + "/#/");
        await page.locator(".phone-card").first().waitFor();
        assert.equal(await page.locator(".add").isVisible(), false);
        await close();
        await only.stop();
    },

    async "a built-in phone is started and thrown away"() {
        const all = await startServer();
        const {page, close} = await open(all.url);
        await page.getByRole("button", {name: "Built-in phone"}).click();
        await page.locator("dialog[open] [name=seed]").fill("7");
        await page.locator("dialog[open] [name=locale]").selectOption("zh");
        await page.locator("dialog[open] [name=dark]").check();
        await page.locator("dialog[open] [type=submit]").click();
        await page.locator(".stage .device[data-frame]").waitFor();
        assert.ok((await elements(page)).includes("设置"));
        const name = decodeURIComponent(/phone\/(.*)$/.exec(page.url())[1]);
        await page.goto(all.origin + "/#/");
        const card = page.locator(".phone-card", {hasText: name});
        await card.locator(".device[data-frame]").waitFor();
        assert.match(await card.innerText(), /Android 14/);
        assert.match(await card.innerText(), /ready/);
        await card.getByRole("button", {name: "Throw away"}).click();
        await card.waitFor({state: "detached"});
        await close();
        await all.stop();
    },

    async "a page that shows one phone alone adds none"() {
        const {page, close} = await open(server.origin + "/?token=" +
                                         server.token);
        await page.locator(".phone-card").first().waitFor();
        assert.equal(await page.locator(".add").isVisible(), false);
        await close();
    },

    async "a page that is left at once watches nothing"() {
        const {page, close} = await openPhone(server.url);
        const watches = new Set();
        const asked = new Set();
        const left = new Set();
        page.on("websocket", (socket) => {
            socket.on("framesent", ({payload}) => {
                const message = JSON.parse(payload);
                if (message.do === "watch")
                    asked.add(message.id);
                if (message.do === "unwatch")
                    left.add(message.watch);
            });
            socket.on("framereceived", ({payload}) => {
                const message = typeof payload === "string"
                    ? JSON.parse(payload) : {};
                if (asked.delete(message.id) && message.watch)
                    watches.add(message.watch);
            });
        });
        await page.reload();
        await page.locator(".device[data-frame]").waitFor();
        await page.evaluate(async () => {
            for (const place of ["#/wall", "#/", location.hash, "#/wall",
                                 "#/phone/none"]) {
                history.replaceState(null, "", place);
                dispatchEvent(new Event("hashchange"));
                await import("./phones.js"); /* as the page itself does */
                await new Promise((resolve) => setTimeout(resolve));
            }
        });
        await page.locator(".curtain", {hasText: "no phone"}).waitFor();
        await until("all watches to end", () =>
            !asked.size && watches.size > 3 && watches.size === left.size);
        await close();
    },

    async "pictures that cannot be decoded do not stop the screen"() {
        const own = await startServer("--device", "phone");
        const {page, close} = await open(own.origin + "/?token=" + own.token);
        let seen = 0;
        await page.addInitScript(() => {
            const decode = window.createImageBitmap;
            window.createImageBitmap = (...args) => window.decodes
                ? decode(...args) : Promise.reject(new Error("not a picture"));
        });
        page.on("websocket", (socket) =>
            socket.on("framesent", ({payload}) => {
                seen += JSON.parse(payload).do === "seen";
            }));
        const hash = decodeURIComponent(own.hash);
        await page.goto(own.origin + "/" + hash);
        await page.reload();
        await page.getByText("cannot be shown").first().waitFor();
        const rotate = page.getByRole("button", {name: "Rotate"});
        await until("more pictures", async () => {
            await rotate.click();
            return seen > 3;
        });
        await page.evaluate(() => { window.decodes = true; });
        await until("a picture", async () => {
            await rotate.click();
            return page.locator(".device[data-frame]").isVisible();
        });
        await close();
        await own.stop();
    },

    async "a decoder that fails is replaced at the next key frame"() {
        const {page, close} = await open(server.origin + "/?token=" +
                                         server.token);
        const log = await page.evaluate(async () => {
            const log = [];
            let last = null;
            window.EncodedVideoChunk = class {
                constructor(init) {
                    Object.assign(this, init);
                }
            };
            window.VideoDecoder = class {
                constructor(calls) {
                    this.calls = calls;
                    last = this;
                    log.push("opened");
                }
                configure() {
                    this.decodeQueueSize = 0;
                    this.state = "configured";
                }
                decode(chunk) {
                    if (chunk.timestamp === 40)
                        throw new Error("data");
                    log.push(chunk.type + " " + chunk.timestamp);
                }
                close() {
                    this.state = "closed";
                }
            };
            const {Video} = await import("./video.js");
            const video = new Video(
                (picture, frame) => log.push("painted " + frame.number),
                (frame) => log.push("skipped " + frame.number),
                (words) => log.push("failed: " + words));
            const take = (flags, number, bytes = [1]) => video.take(
                {flags, number, time: 10 * number,
                 bytes: new Uint8Array(bytes)});
            take(1, 0, [0, 0, 1, 103, 66, 0, 30]);
            take(2, 1);
            take(0, 2);
            last.calls.output({timestamp: 10, close() {}});
            last.state = "closed";
            last.calls.error(new Error("broken"));
            log.push(String(take(0, 3))); // waits for a key frame
            take(2, 4);
            take(2, 5);
            take(1, 0, [0, 0, 1, 103, 66, 0, 31]);
            return log;
        });
        assert.deepEqual(log, [
            "opened", "key 10", "delta 20", "painted 1", "skipped 2",
            "failed: broken", "false", "opened", "skipped 4", "failed: data",
            "opened", "key 50", "skipped 5"]);
        await close();
    },

    async "the pairing dialog has a QR code, and says what is wrong"() {
        const all = await startServer();
        const {page, close} = await open(all.url);
        await page.getByRole("button", {name: "Pair", exact: true}).click();
        await page.locator(".qr path").waitFor();
        await page.locator("dialog[open] [name=address]").fill("127.0.0.1:9");
        await page.locator("dialog[open] [name=code]").fill("123456");
        await page.locator("dialog[open] [type=submit]").click();
        await until("a reason", async () =>
            (await page.locator("dialog[open] .trouble").innerText()).length);
        await page.keyboard.press("Escape");
        await close();
        await all.stop();
    },
};

/*
 * How much the picture differs from a lossless screenshot: the mean of all
 * colours of all pixels, of 255.
 */
const difference = (page, phone) => page.evaluate(async (serial) => {
    const socket = await import("./socket.js");
    const {url} = await socket.ask({do: "screenshot", phone: serial});
    const bitmap = await createImageBitmap(await (await fetch(url)).blob());
    const shown = document.querySelector("canvas.screen");
    const canvas = new OffscreenCanvas(shown.width, shown.height);
    const context = canvas.getContext("2d");
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    const expected = context.getImageData(0, 0, canvas.width, canvas.height);
    context.drawImage(shown, 0, 0);
    const {data} = context.getImageData(0, 0, canvas.width, canvas.height);
    let sum = 0;
    for (let i = 0; i < data.length; i++)
        sum += Math.abs(data[i] - expected.data[i]);
    return sum / data.length;
}, phone);

/* A phone of another program, which has been connected, and its page. */
async function openRemotePhone() {
    const phone = await start(["phone", "--realtime", "--port", "0"],
                              /^(\d+)$/);
    const serial = "127.0.0.1:" + phone.found[1];
    const all = await startServer();
    const {page, close} = await open(all.url);
    await page.getByRole("button", {name: "Connect"}).click();
    await page.locator("dialog[open] [name=address]").fill(serial);
    await page.locator("dialog[open] [type=submit]").click();
    const card = page.locator(".phone-card", {hasText: serial});
    await card.getByText("ready").waitFor();
    await card.locator(".open").click();
    await page.locator(".stage .device[data-frame]").waitFor();
    return {page, serial, close: async () => {
        await close();
        await all.stop();
        await phone.stop();
    }};
}

/* Those that need other programs. */
const others = {
    async "video of scrcpy and screenrecord shows the screen"() {
        const file = process.argv[4] + "/scrcpy-server";
        await writeFile(file, "PK 3.3.4"); // the phone does not run it
        process.env.SCRCPY_SERVER_PATH = file;
        const {page, serial, close} = await openRemotePhone();
        delete process.env.SCRCPY_SERVER_PATH;
        assert.ok(await page.evaluate(async () =>
            (await VideoDecoder.isConfigSupported({codec: "avc1.42c033"}))
                .supported), "this Chromium has no decoder for H.264");
        for (const rung of ["scrcpy", "screenrecord"]) {
            const shows = async (what) => until(what + " by " + rung,
                async () => await difference(page, serial) < 3);
            await goHome(page);
            await page.locator("#tab-picture").click();
            await page.locator(`.rung input[value=${rung}]`).check();
            await page.locator(".panel-picture .note",
                               {hasText: "by " + rung}).waitFor();
            await shows("the home screen");
            await tap(page, 0.16, 0.2); // Settings
            await until("the app to open", async () =>
                !(await elements(page)).includes("Search apps"));
            await page.locator(".inspect input").uncheck();
            await shows("the app");
        }
        await close();
    },

    async "a phone is paired by its digits, and connected"() {
        const phone = await start(["phone", "--pair", "--port", "0"],
                                  /^(\d+) (\d{6})$/);
        const all = await startServer();
        const {page, close} = await open(all.url);
        const pairWith = async (code) => {
            await page.locator("dialog[open] [name=address]")
                .fill("127.0.0.1:" + phone.found[1]);
            await page.locator("dialog[open] [name=code]").fill(code);
            await page.locator("dialog[open] [type=submit]").click();
        };
        await page.getByRole("button", {name: "Pair", exact: true}).click();
        await pairWith(phone.found[2] === "000000" ? "111111" : "000000");
        await page.locator("dialog[open] .trouble:not(:empty)").waitFor();
        await pairWith(phone.found[2]);
        await page.locator(".toast").waitFor();
        await page.locator("dialog[open]").waitFor({state: "detached"});
        await close();
        await all.stop();
        await phone.stop();
    },

    async "proctor phone --open shows its page in the user's browser"() {
        const folder = process.argv[4];
        await writeFile(folder + "/xdg-open",
                        `#!/bin/sh\necho "$1" >${folder}/opened\n`);
        await chmod(folder + "/xdg-open", 0o755);
        process.env.PATH = folder + ":" + process.env.PATH;
        process.env.XDG_RUNTIME_DIR = folder;
        const phone = await start(["phone", "--open", "--port", "0"],
                                  /open (http\S+)/);
        const opened = await until("the browser to start", () =>
            readFile(folder + "/opened", "utf8").catch(() => ""));
        const file = opened.trim();
        // Command lines are no secret: the address is in a file.
        assert.ok(file.startsWith(folder + "/"), file);
        assert.equal((await stat(file)).mode & 0o777, 0o600);
        const context = await browser.newContext(
            {viewport: {width: 1280, height: 900}});
        const page = await context.newPage();
        await page.goto("file://" + file);
        await page.locator(".device[data-frame]").first().waitFor();
        assert.equal(new URL(page.url()).origin,
                     new URL(phone.found[1]).origin);
        assert.ok(!page.url().includes("token"));
        await goHome(page);
        await context.close();
        await phone.stop();
        assert.equal(await stat(file).catch(() => "removed"), "removed");
    },

    async "a phone goes away and comes back"() {
        const first = await start(["phone", "--port", "0"], /^(\d+)$/);
        const port = first.found[1];
        const all = await startServer();
        const {page, close} = await open(all.url);
        await page.getByRole("button", {name: "Connect"}).click();
        await page.locator("dialog[open] [name=address]")
            .fill("127.0.0.1:" + port);
        await page.locator("dialog[open] [type=submit]").click();
        const card = page.locator(".phone-card", {hasText: ":" + port});
        await card.getByText("ready").waitFor();
        await card.locator(".open").click();
        await page.locator(".stage .device[data-frame]").waitFor();
        await first.stop();
        await page.locator(".curtain:visible").waitFor();
        const second = await start(["phone", "--port", port], /^(\d+)$/);
        await page.locator(".curtain").waitFor({state: "hidden"});
        await close();
        await all.stop();
        await second.stop();
    },
};

await runTests({...tests, ...others});
await server.stop();
endTests();
