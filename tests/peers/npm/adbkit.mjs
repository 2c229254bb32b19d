// adbkit.mjs PORT: @devicefarmer/adbkit, through an adb server, uses the
// built-in phone at that port. adbkit.mjs SERVER_PORT SERIAL: the same through a
// server that shows the phone already.
import assert from "node:assert/strict";
import { Readable } from "node:stream";

import adbkit from "@devicefarmer/adbkit";

const port = Number(process.argv[2]);
const serial = process.argv[3];
const client = adbkit.Adb.createClient({
    port: serial ? port : Number(process.env.PROCTOR_PEER_SERVER_PORT),
});
const device = client.getDevice(serial ?? `127.0.0.1:${port}`);

async function bytesOf(stream) {
    const parts = [];

    for await (const part of stream) parts.push(part);
    return Buffer.concat(parts);
}

async function textOf(command) {
    return (await bytesOf(await device.shell(command))).toString();
}

async function useShell() {
    assert.equal(await textOf("echo one two | wc -w"), "2\n");
    assert.equal((await device.getProperties())["ro.product.model"], "proctor phone");
    assert.equal((await device.getFeatures())["android.hardware.wifi"] !== null, true);
}

async function useFiles() {
    const sent = Buffer.alloc(1_000_000, "adbkit ");
    const push = await device.push(Readable.from([sent], { objectMode: false }), "/sdcard/adbkit");

    await new Promise((resolve, reject) => {
        push.once("end", resolve);
        push.once("error", reject);
    });
    assert.ok(sent.equals(await bytesOf(await device.pull("/sdcard/adbkit"))));
    assert.equal((await device.stat("/sdcard/adbkit")).size, 1_000_000);
    const names = (await device.readdir("/sdcard")).map((entry) => entry.name);
    assert.ok(names.includes("adbkit"));
}

async function useScreen() {
    const png = await bytesOf(await device.screencap());

    assert.equal(png.subarray(1, 4).toString(), "PNG");
}

async function useForwards() {
    await device.forward("tcp:7009", "tcp:7");
    assert.equal((await device.listForwards()).length, 1);
    const echo = await device.openTcp(7);
    echo.write("ping");
    const [answer] = await once(echo, "data");
    assert.equal(answer.toString(), "ping");
    echo.end();
    await device.reverse("tcp:5001", "tcp:7009");
    assert.equal((await device.listReverses())[0].remote, "tcp:5001");
    assert.equal(await textOf("echo around | nc localhost 5001"), "around\n");
}

async function useLog() {
    const log = await device.openLogcat();
    const [entry] = await once(log, "entry");

    assert.ok(entry.tag);
    log.end();
}

function once(emitter, name) {
    return new Promise((resolve, reject) => {
        emitter.once(name, (...values) => resolve(values));
        emitter.once("error", reject);
    });
}

// The server does not wait until the phone has accepted its key.
if (!serial) await client.connect("127.0.0.1", port).catch(() => {});
await device.waitForDevice();
// adbkit waits forever for a log whose first bytes come together with OKAY,
// as those of a fast server may.
const uses = [useShell, useFiles, useScreen, useForwards];
for (const use of serial ? uses : [...uses, useLog]) {
    await use();
    console.log(`@devicefarmer/adbkit: ${use.name}`);
}
process.exit(0);
