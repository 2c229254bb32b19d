// bench_yume.mjs PORT: @yume-chan/adb, on an open connection to a device that
// asks for no key.
import { Adb, AdbDaemonTransport } from "@yume-chan/adb";

import { obey } from "./commands.mjs";
import { connection } from "./yume_connection.mjs";

const adb = new Adb(
    await AdbDaemonTransport.authenticate({
        serial: "device",
        connection: await connection(Number(process.argv[2])),
        credentialStore: { generateKey: () => null, *iterateKeys() {} },
    }),
);

await obey({
    shell: async () => (await adb.createSocketAndWait("shell:echo")).length,
    frame: async () => (await adb.subprocess.noneProtocol.spawnWait("frame")).length,
});
