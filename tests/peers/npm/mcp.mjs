// mcp.mjs PROCTOR FOLDER: the official MCP clients use `proctor mcp`: over
// standard input and output and over HTTP, in sessions (SDK 1) and without them
// (SDK 2), with all tools, with a scored task, and with clients that misbehave.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import http from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { Client as SessionClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as SessionStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as SessionHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio";

const [proctor, folder] = process.argv.slice(2);
const identity = { name: "proctor-test", version: "1.0.0" };
const tokenFile = join(folder, "token");

function modernClient() {
    return new ModernClient(identity, { versionNegotiation: { mode: "auto" } });
}

/* ---- results ---- */

function textOf(result) {
    return result.content.filter(item => item.type === "text").map(item => item.text).join("\n");
}

async function call(client, name, args = {}) {
    return client.callTool({ name, arguments: args });
}

// Call a tool that must succeed; returns its text.
async function good(client, name, args) {
    const result = await call(client, name, args);
    assert.ok(!result.isError, `${name}: ${textOf(result)}`);
    return textOf(result);
}

// Call a tool that must report an error; returns its text.
async function bad(client, name, args) {
    const result = await call(client, name, args);
    assert.equal(result.isError, true, `${name}: ${textOf(result)}`);
    return textOf(result);
}

async function indexOf(client, name) {
    const list = await good(client, "list_elements");
    const line = list.split("\n").find(item => item.includes(`'${name}'`));
    assert.ok(line, `${name} in ${list}`);
    return Number.parseInt(line, 10);
}

function imageOf(result) {
    const image = result.content.find(item => item.type === "image");
    assert.ok(image);
    return { type: image.mimeType, bytes: Buffer.from(image.data, "base64") };
}

/* ---- what is tried ---- */

async function tryTools(client) {
    const { tools } = await client.listTools();
    const names = tools.map(tool => tool.name);
    for (const name of ["tap", "double_tap", "long_press", "swipe", "drag", "scroll", "type", "clear",
        "press_key", "open_app", "list_apps", "list_phones", "screenshot", "list_elements", "wait",
        "finish", "mobile_take_screenshot"])
        assert.ok(names.includes(name), name);

    assert.match(await good(client, "list_phones"), /"platform":"android"/);
    const picture = await call(client, "screenshot", { max_size: 600 });
    assert.equal(imageOf(picture).type, "image/jpeg");
    assert.deepEqual([...imageOf(picture).bytes.subarray(0, 2)], [0xff, 0xd8]);
    assert.match(textOf(picture), /multiply positions in the picture by 4\.0000/);
    assert.equal(imageOf(await call(client, "screenshot", { format: "png" })).type, "image/png");
    assert.match(await good(client, "list_apps"), /com\.android\.settings/);

    assert.match(await good(client, "tap", { index: await indexOf(client, "Settings") }), /tapped/);
    assert.match(await bad(client, "tap", { index: 1 }), /list them again/);
    assert.match(await good(client, "scroll", { direction: "down" }), /scroll/);
    assert.match(await good(client, "swipe", { direction: "down" }), /swiped/);
    assert.match(await good(client, "swipe", { x: 540, y: 1800, x2: 540, y2: 900 }), /swiped/);
    assert.match(await good(client, "drag", { x: 540, y: 900, x2: 540, y2: 1800 }), /dragged/);
    assert.match(await good(client, "tap", { index: await indexOf(client, "Search settings") }), /tapped/);
    assert.match(await good(client, "type", { text: "Dark 暗" }), /typed 'Dark 暗'/);
    assert.match(await good(client, "clear"), /clear/);
    assert.match(await good(client, "type", { text: "wifi", submit: true }), /typed/);
    assert.match(await good(client, "press_key", { key: "back" }), /Back/);
    assert.match(await good(client, "open_app", { text: "Clock" }), /opened/);
    assert.match(await good(client, "double_tap", { x: 540, y: 1200 }), /double/);
    assert.match(await good(client, "long_press", { x: 540, y: 1200, milliseconds: 800 }), /pressed/);
    assert.match(await good(client, "press_key", { key: "enter" }), /Enter/);
    assert.match(await good(client, "press_key", { key: "recents" }), /./);
    const home = await call(client, "press_key", { key: "home", screenshot: true });
    assert.equal(imageOf(home).type, "image/jpeg");
    assert.match(await good(client, "key", { text: "VOLUME_UP" }), /VOLUME_UP/);
    assert.match(await good(client, "wait", { milliseconds: 300 }), /waited/);
    assert.match(await bad(client, "tap", {}), /needs x and y, or index/);
    assert.match(await good(client, "finish", { answer: "7" }), /No task/);
    await assert.rejects(call(client, "no_such_tool"));
}

// The names and arguments of mobile-mcp.
async function tryAliases(client) {
    const { devices } = JSON.parse(await good(client, "mobile_list_available_devices"));
    const device = devices[0].id;

    await good(client, "mobile_press_button", { device, button: "HOME" });
    assert.match(await good(client, "mobile_get_screen_size", { device }), /1080x2400/);
    assert.match(await good(client, "mobile_get_orientation", { device }), /portrait/);
    assert.match(await good(client, "mobile_list_apps", { device }), /com\.android\.deskclock/);
    await good(client, "mobile_launch_app", { device, packageName: "com.android.settings" });
    assert.match(await good(client, "mobile_get_foreground_app", { device }), /com\.android\.settings/);
    const list = await good(client, "mobile_list_elements_on_screen", { device });
    const ref = list.split("\n").find(line => line.includes("'Display'")).split(" ")[0];
    assert.match(ref, /^@e\d+$/);
    assert.match(await good(client, "mobile_click_on_screen_at_coordinates", { device, ref }), /Display/);
    await good(client, "mobile_swipe_on_screen", { device, direction: "up", x: 540, y: 1800, distance: 400 });
    await good(client, "mobile_double_tap_on_screen", { device, x: 540, y: 2300 });
    await good(client, "mobile_long_press_on_screen_at_coordinates", { device, x: 540, y: 2300, duration: 700 });
    await good(client, "mobile_press_button", { device, button: "BACK" });
    const elements = await good(client, "mobile_list_elements_on_screen", { device, format: "json" });
    const search = JSON.parse(elements).find(item => item.text === "Search settings").coordinates;
    await good(client, "mobile_click_on_screen_at_coordinates",
        { device, x: search.x + search.width / 2, y: search.y + search.height / 2 });
    await good(client, "mobile_type_keys", { device, text: "dark", submit: true });
    assert.equal(imageOf(await call(client, "mobile_take_screenshot", { device, scale: 0.5 })).type, "image/jpeg");
    await good(client, "mobile_terminate_app", { device, packageName: "com.android.settings" });
    await good(client, "mobile_open_url", { device, url: "http://example.com/" });
    assert.match(await bad(client, "mobile_get_screen_size", { device: "another" }), /there is no phone/);
}

async function tryTask(client, run) {
    assert.match(await good(client, "get_task"), /dark theme/);
    assert.match(await good(client, "tap", { index: await indexOf(client, "Display") }), /Steps left: \d+/);
    assert.match(await good(client, "tap", { index: await indexOf(client, "Dark theme") }), /Dark theme/);
    const end = await good(client, "finish", { success: true });
    assert.match(end, /Verdict by the rules: success/);
    assert.match(await bad(client, "press_key", { key: "home" }), /The episode is over/);
    const episode = join(run, "episodes/settings.dark/0/0");
    assert.equal(JSON.parse(readFileSync(join(episode, "truth.json"))).met, true);
}

/* ---- over HTTP ---- */

async function startHttp(args) {
    const child = spawn(proctor, ["mcp", "--http", "0", "--token-file", tokenFile, ...args],
        { stdio: ["ignore", "pipe", "inherit"] });
    const lines = createInterface({ input: child.stdout });

    // A test that fails leaves no server behind.
    process.on("exit", () => child.kill("SIGKILL"));
    const { value: port } = await lines[Symbol.asyncIterator]().next();
    const token = readFileSync(tokenFile, "utf8").trim();

    return {
        port: Number(port),
        token,
        url: new URL(`http://127.0.0.1:${port}/mcp`),
        requestInit: { headers: { Authorization: `Bearer ${token}` } },
        ended: new Promise(resolve => child.on("exit", resolve)),
        kill: () => child.kill("SIGTERM"),
    };
}

// A request with any headers at all; resolves to its status.
function request(server, { method = "POST", path = "/mcp", headers = {}, body = "" }) {
    return new Promise((resolve, reject) => {
        const sent = http.request({
            host: "127.0.0.1", port: server.port, path, method, agent: false,
            headers: {
                Host: `127.0.0.1:${server.port}`,
                Authorization: `Bearer ${server.token}`,
                "Content-Type": "application/json",
                "Content-Length": Buffer.byteLength(body),
                ...headers,
            },
        }, answer => {
            let text = "";
            answer.on("data", part => { text += part; });
            answer.on("end", () => resolve({ status: answer.statusCode, text }));
        });
        sent.on("error", reject);
        sent.end(body);
    });
}

const initialize = JSON.stringify({
    jsonrpc: "2.0", id: 1, method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: identity },
});
const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
};

async function tryHostile(server) {
    const expect = async (status, what) => {
        const answer = await request(server, what);
        assert.equal(answer.status, status, JSON.stringify(what.headers) + answer.text);
        return answer.text;
    };

    await expect(401, { headers: { Authorization: "Bearer wrong" }, body: initialize });
    await expect(401, { headers: { Authorization: `Basic ${server.token}` }, body: initialize });
    await expect(403, { headers: { Origin: "http://evil.example" }, body: initialize });
    await expect(403, { headers: { Host: "evil.example" }, body: initialize });
    await expect(403, { headers: { "Sec-Fetch-Site": "cross-site" }, body: initialize });
    await expect(200, { headers: { Origin: "http://localhost:6274" }, body: initialize });
    await expect(404, { path: "/other", body: initialize });
    await expect(405, { method: "GET" });
    await expect(415, { headers: { "Content-Type": "text/plain" }, body: initialize });
    await expect(400, { body: "{" });
    await expect(400, { body: "[".repeat(100000) });
    await expect(400, { body: `[${initialize}]` });
    await expect(400, { body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' });
    await expect(404, {
        headers: { "Mcp-Session-Id": "0".repeat(32) },
        body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    });
    // The connection may be closed before all of it is sent.
    const large = await request(server, { body: "x".repeat(2 << 20) }).catch(error => error);
    assert.ok(large.status === 413 || ["EPIPE", "ECONNRESET"].includes(large.code), String(large.status));
    // The headers of a stateless request must repeat its body.
    const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: meta } });
    const repeated = { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list" };
    await expect(200, { headers: repeated, body: list });
    assert.match(await expect(400, { headers: { ...repeated, "Mcp-Method": "tools/call" }, body: list }), /-32020/);
    assert.match(await expect(400, { body: list }), /-32020/);
    const flood = await Promise.all(Array.from({ length: 400 }, () =>
        request(server, { method: "GET" }).catch(() => ({ status: 0 }))));
    assert.ok(flood.some(answer => answer.status === 429), "a flood is slowed down");
}

// A client on standard input that sends garbage gets errors, and is still served.
async function tryGarbage() {
    const child = spawn(proctor, ["mcp", "--device", "phone"], { stdio: ["pipe", "pipe", "inherit"] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async () => JSON.parse((await lines.next()).value);

    child.stdin.write("not json\n");
    assert.equal((await next()).error.code, -32700);
    child.stdin.write(`${"x".repeat(3 << 20)}\n`);
    assert.equal((await next()).error.code, -32600);
    child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n');
    assert.equal((await next()).error.code, -32600);
    child.stdin.write(`${initialize}\n`);
    assert.equal((await next()).result.protocolVersion, "2025-11-25");
    child.stdin.end();
    assert.equal(await new Promise(resolve => child.on("exit", resolve)), 0);
}

/* ---- all of it ---- */

async function overStdio(client, Transport, args, work) {
    const transport = new Transport({ command: proctor, args: ["mcp", ...args], stderr: "inherit" });

    await client.connect(transport);
    await work(client);
    await client.close();
}

async function overHttp(client, Transport, server, work) {
    const transport = new Transport(server.url, { requestInit: server.requestInit });

    await client.connect(transport);
    await work(client, transport);
    await client.close();
}

async function step(name, work) {
    const begun = Date.now();

    await work();
    console.log(`${name}: ${Date.now() - begun} ms`);
}

const phone = ["--device", "phone", "--locale", "en"];
const task = run => ["--task", "settings.dark", "--locale", "en", "--out", join(folder, run)];

await step("tools over stdio, in a session", () =>
    overStdio(new SessionClient(identity), SessionStdio, phone, tryTools));
await step("mobile-mcp's names over stdio", () =>
    overStdio(new SessionClient(identity), SessionStdio, phone, tryAliases));
await step("a task over stdio, in a session", () =>
    overStdio(new SessionClient(identity), SessionStdio, task("session"), client =>
        tryTask(client, join(folder, "session"))));
await step("tools over stdio, without a session", () =>
    overStdio(modernClient(), ModernStdio, phone, async client => {
        assert.equal(client.getNegotiatedProtocolVersion(), "2026-07-28");
        await tryTools(client);
    }));
await step("garbage over stdio", tryGarbage);

const server = await startHttp(phone);
await step("tools over HTTP, in a session", () =>
    overHttp(new SessionClient(identity), SessionHttp, server, async (client, transport) => {
        assert.match(transport.sessionId, /^[0-9a-f]{32}$/);
        await tryTools(client);
        await transport.terminateSession();
    }));
await step("mobile-mcp's names over HTTP, without a session", () =>
    overHttp(modernClient(), ModernHttp, server, async client => {
        assert.equal(client.getNegotiatedProtocolVersion(), "2026-07-28");
        await tryAliases(client);
    }));
await step("hostile requests over HTTP", () => tryHostile(server));
server.kill();
assert.equal(await server.ended, 130);

const scored = await startHttp(task("http"));
await step("a task over HTTP, in a session", () =>
    overHttp(new SessionClient(identity), SessionHttp, scored, async (client, transport) => {
        await tryTask(client, join(folder, "http"));
        await transport.terminateSession();
    }));
assert.equal(await scored.ended, 0);
