// yume_server.mjs SERVER_PORT SERIAL: @yume-chan/adb as a client of an adb
// server of ours.
import assert from "node:assert/strict";
import net from "node:net";
import { Duplex } from "node:stream";

import { AdbServerClient } from "@yume-chan/adb";
import { MaybeConsumable, ReadableStream, WrapReadableStream } from "@yume-chan/stream-extra";

const port = Number(process.argv[2]);
const serial = process.argv[3];

// The connector is left to users. Reverse tunnels lead to a given address.
const connector = {
    connect: () =>
        new Promise((resolve, reject) => {
            const socket = net.connect(port, "127.0.0.1", () => {
                const { readable, writable } = Duplex.toWeb(socket);
                const writer = writable.getWriter();

                socket.setNoDelay(true);
                resolve({
                    readable: new WrapReadableStream(readable),
                    writable: new MaybeConsumable.WritableStream({
                        write: (bytes) => writer.write(bytes),
                        close: () => writer.close(),
                    }),
                    close: () => socket.destroy(),
                    closed: new Promise((ended) => socket.once("close", () => ended())),
                });
            });
            socket.once("error", reject);
        }),
    addReverseTunnel: (handler, address) => address,
    removeReverseTunnel: () => {},
    clearReverseTunnels: () => {},
};
const client = new AdbServerClient(connector);

async function useServer() {
    assert.equal(await client.getVersion(), 41);
    const devices = await client.getDevices();

    assert.deepEqual(devices.map((device) => device.serial), [serial]);
    assert.equal(devices[0].model, "proctor_phone");
    assert.ok((await client.getServerFeatures()).includes("shell_v2"));
    const { transportId, features } = await client.getDeviceFeatures({ serial });
    assert.equal(transportId, devices[0].transportId);
    assert.ok(features.includes("stat_v2"));
    await client.waitFor({ serial }, "device");
    await assert.rejects(client.getDeviceFeatures({ serial: "other" }), /not found/);
    await client.killServer();
    assert.equal(await client.getVersion(), 41);
}

async function useTracker() {
    const tracker = await client.trackDevices();

    assert.deepEqual(tracker.current.map((device) => device.serial), [serial]);
    await tracker.stop();
}

async function useShell() {
    const adb = await client.createAdb({ serial });
    const said = await adb.subprocess.shellProtocol.spawnWaitText(
        "echo out; echo err >&2; exit 7",
    );

    assert.deepEqual([said.stdout, said.stderr, said.exitCode], ["out\n", "err\n", 7]);
    const png = await adb.subprocess.noneProtocol.spawnWait("screencap -p");
    assert.equal(Buffer.from(png).subarray(1, 4).toString(), "PNG");
}

async function useFiles() {
    const adb = await client.createAdb({ serial });
    const sync = await adb.sync();
    const sent = Buffer.alloc(3_000_000, "proctor ");
    const parts = [];

    await sync.write({
        filename: "/data/local/tmp/yume",
        file: new ReadableStream({
            start(controller) {
                controller.enqueue(new Uint8Array(sent));
                controller.close();
            },
        }),
    });
    for await (const part of sync.read("/data/local/tmp/yume")) parts.push(part);
    assert.ok(sent.equals(Buffer.concat(parts)));
}

async function useReverse() {
    const adb = await client.createAdb({ serial });
    const greeter = net.createServer((socket) => socket.end("hello\n"));

    await new Promise((listening) => greeter.listen(0, "127.0.0.1", listening));
    await adb.reverse.add("tcp:6100", undefined, `tcp:${greeter.address().port}`);
    assert.equal((await adb.reverse.list())[0].deviceSerial.length > 0, true);
    const said = await adb.subprocess.shellProtocol.spawnWaitText(
        "echo | nc localhost 6100",
    );
    assert.equal(said.stdout, "hello\n");
    await adb.reverse.remove("tcp:6100");
    greeter.close();
}

for (const use of [useServer, useTracker, useShell, useFiles, useReverse]) {
    await use();
    console.log(`@yume-chan/adb, our server: ${use.name}`);
}
process.exit(0);
