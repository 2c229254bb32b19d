// yume.mjs PORT: @yume-chan/adb, directly connected, uses the built-in phone.
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";

import { Adb, AdbDaemonTransport } from "@yume-chan/adb";
import { ReadableStream } from "@yume-chan/stream-extra";

import { connection } from "./yume_connection.mjs";

const port = Number(process.argv[2]);
const key = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs8", format: "der" },
    publicKeyEncoding: { type: "spki", format: "der" },
});
const credentialStore = {
    generateKey: () => ({ buffer: key.privateKey, name: "yume@peer" }),
    *iterateKeys() {
        yield { buffer: key.privateKey, name: "yume@peer" };
    },
};

async function open() {
    return new Adb(
        await AdbDaemonTransport.authenticate({
            serial: "phone",
            connection: await connection(port),
            credentialStore,
        }),
    );
}

async function bytesOf(stream) {
    const parts = [];

    for await (const part of stream) parts.push(part);
    return Buffer.concat(parts);
}

async function useShell(adb) {
    const { shellProtocol, noneProtocol } = adb.subprocess;
    const said = await shellProtocol.spawnWaitText("echo out; echo err >&2; exit 7");

    assert.deepEqual([said.stdout, said.stderr, said.exitCode], ["out\n", "err\n", 7]);
    assert.equal(await adb.getProp("ro.product.model"), "proctor phone");
    const png = await noneProtocol.spawnWait("screencap -p");
    assert.equal(Buffer.from(png).subarray(1, 4).toString(), "PNG");
}

async function useFiles(adb) {
    const sync = await adb.sync();
    const sent = Buffer.alloc(3_000_000, "proctor ");

    await sync.write({
        filename: "/data/local/tmp/yume",
        file: new ReadableStream({
            start(controller) {
                controller.enqueue(new Uint8Array(sent));
                controller.close();
            },
        }),
    });
    assert.ok(sent.equals(await bytesOf(sync.read("/data/local/tmp/yume"))));
    const names = (await sync.readdir("/data/local/tmp")).map((entry) => entry.name);
    assert.ok(names.includes("yume"));
    assert.equal((await sync.stat("/data/local/tmp/yume")).size, 3_000_000n);
    await sync.dispose();
}

async function useScreen(adb) {
    const frame = await adb.framebuffer();

    assert.deepEqual([frame.width, frame.height], [1080, 2400]);
    assert.equal(frame.data.length, 1080 * 2400 * 4);
}

async function useSockets(adb) {
    const echo = await adb.createSocket("tcp:7");
    const writer = echo.writable.getWriter();
    const reader = echo.readable.getReader();

    await writer.write(new TextEncoder().encode("ping"));
    assert.equal(Buffer.from((await reader.read()).value).toString(), "ping");
    await echo.close();
}

async function answerInCapitals(socket) {
    const writer = socket.writable.getWriter();
    const { value } = await socket.readable.getReader().read();

    await writer.write(Buffer.from(Buffer.from(value).toString().toUpperCase()));
    await socket.close();
}

// A program on the phone reaches us. The socket opens when the handler is done.
async function useReverse(adb) {
    const address = await adb.reverse.add("tcp:0", (socket) => {
        answerInCapitals(socket);
    });
    const at = address.split(":")[1];
    const said = await adb.subprocess.shellProtocol.spawnWaitText(
        `echo hello | nc localhost ${at}`,
    );

    assert.equal(said.stdout, "HELLO\n");
    assert.equal((await adb.reverse.list()).length, 1);
    await adb.reverse.removeAll();
    assert.equal((await adb.reverse.list()).length, 0);
}

let adb = await open();

assert.equal(adb.banner.model, "proctor phone");
assert.ok(adb.canUseFeature("delayed_ack"));
for (const use of [useShell, useFiles, useScreen, useSockets, useReverse]) {
    await use(adb);
    console.log(`@yume-chan/adb: ${use.name}`);
}
await Promise.allSettled([adb.power.reboot(), adb.disconnected]);
adb = await open();
assert.equal(
    (await adb.subprocess.shellProtocol.spawnWaitText("settings get global boot_count")).stdout,
    "2\n",
);
console.log("@yume-chan/adb: reboot");
process.exit(0);
