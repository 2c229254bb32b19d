// Packets in place of bytes, which @yume-chan/adb leaves to its users.
import net from "node:net";
import { Duplex } from "node:stream";

import { AdbPacket, AdbPacketSerializeStream } from "@yume-chan/adb";
import {
    MaybeConsumable,
    StructDeserializeStream,
    WrapReadableStream,
} from "@yume-chan/stream-extra";

function connect(port) {
    return new Promise((resolve, reject) => {
        const socket = net.connect(port, "127.0.0.1", () => {
            socket.setNoDelay(true);
            resolve(Duplex.toWeb(socket));
        });
        socket.once("error", reject);
    });
}

export async function connection(port) {
    const { readable, writable } = await connect(port);
    const writer = writable.getWriter();
    const packets = new AdbPacketSerializeStream();

    packets.readable.pipeTo(
        new MaybeConsumable.WritableStream({
            write: (bytes) => writer.write(bytes),
            close: () => writer.close(),
        }),
    );
    return {
        readable: new WrapReadableStream(readable).pipeThrough(
            new StructDeserializeStream(AdbPacket),
        ),
        writable: packets.writable,
    };
}
