// node failing_store.mjs FOLDER: an S3 store in FOLDER/store with the bucket
// "farm" and the key "key-id-7c1e", "secret-4b9d", which checks signatures (AWS
// Signature Version 4), contents and clocks. It fails as FOLDER/failure says:
//
//     pass        nothing fails
//     busy N      the next N requests get 503
//     cut N       the next N requests with content are cut off in the middle
//     cut-reply N the next N objects are cut off in the middle
//     hold        requests with content stop in the middle, and stay open
//     slow        10,000 bytes every 10 milliseconds
//
// Prints its port, and a line for each failure.
import { createHash, createHmac } from "node:crypto";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";

const folder = process.argv[2];
const KEY_ID = "key-id-7c1e";
const SECRET = "secret-4b9d";
const PIECE = 10000;
const SKEW_MAX_MS = 15 * 60 * 1000;

// ---- failures ----

let known = "";
let left = 0; // how often it still fails

function failure() {
    const text = fs.readFileSync(folder + "/failure", "utf8").trim();

    if (text !== known) {
        known = text;
        left = Number(text.split(" ")[1] ?? Infinity);
    }
    return left > 0 ? text.split(" ")[0] : "pass";
}

function fails(kind) {
    if (failure() !== kind)
        return false;
    left--;
    console.log(kind);
    return true;
}

// ---- signatures ----

const hash = (data) => createHash("sha256").update(data).digest("hex");
const hmac = (key, data) => createHmac("sha256", key).update(data).digest();

// The parts of "AWS4-HMAC-SHA256 Credential=…, SignedHeaders=…, Signature=…".
function readAuthorization(text) {
    const match = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/
        .exec(text ?? "");

    return match && {
        keyId: match[1],
        scope: match[2],
        names: match[3].split(";"),
        signature: match[4],
    };
}

function signatureOf(request, { scope, names }) {
    const headers = names.map(
        (name) => `${name}:${(request.headers[name] ?? "").trim()}\n`);
    const canonical = [request.method, request.url, "", headers.join(""),
        names.join(";"), request.headers["x-amz-content-sha256"]].join("\n");
    const text = ["AWS4-HMAC-SHA256", request.headers["x-amz-date"], scope,
        hash(canonical)].join("\n");
    const key = scope.split("/").reduce(hmac, "AWS4" + SECRET);

    return hmac(key, text).toString("hex");
}

function readDate(text) {
    const match = /^(....)(..)(..)T(..)(..)(..)Z$/.exec(text ?? "");

    return match ? Date.UTC(match[1], match[2] - 1, ...match.slice(3)) : NaN;
}

// Why a request is refused: a code of S3; undefined: it is not.
function refusal(request) {
    const given = readAuthorization(request.headers.authorization);
    const date = readDate(request.headers["x-amz-date"]);

    if (!given || !request.headers["x-amz-content-sha256"])
        return "AccessDenied";
    if (!["host", "x-amz-content-sha256", "x-amz-date"].every(
        (name) => given.names.includes(name)))
        return "AccessDenied";
    if (given.scope.split("/")[1] !== "us-east-1")
        return "AuthorizationHeaderMalformed";
    if (given.keyId !== KEY_ID)
        return "InvalidAccessKeyId";
    if (!(Math.abs(Date.now() - date) <= SKEW_MAX_MS))
        return "RequestTimeTooSkewed";
    if (signatureOf(request, given) !== given.signature)
        return "SignatureDoesNotMatch";
    return undefined;
}

// ---- requests ----

function answer(reply, status, code) {
    const text = `<?xml version="1.0"?><Error><Code>${code}</Code>` +
        `<Message>${code}, says the store</Message></Error>`;

    reply.writeHead(status, { Connection: "close" });
    reply.end(code ? text : "");
}

const pause = () => new Promise((done) => setTimeout(done, 10));

// An object is visible when all of it is there.
async function put(request, reply, file) {
    const half = Number(request.headers["content-length"]) / 2;
    const cuts = half > PIECE && fails("cut");
    const holds = half > PIECE && failure() === "hold";
    const pieces = [];
    let length = 0;

    for await (const piece of request) {
        pieces.push(piece);
        length += piece.length;
        if (cuts && length > half)
            return request.socket.destroy();
        if (holds && length > half) {
            console.log("hold");
            return undefined; // it is not read any more
        }
        if (failure() === "slow")
            await pause();
    }
    if (hash(Buffer.concat(pieces)) !== request.headers["x-amz-content-sha256"])
        return answer(reply, 400, "XAmzContentSHA256Mismatch");
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, Buffer.concat(pieces));
    return answer(reply, 200);
}

async function get(reply, file) {
    const content = fs.readFileSync(file);
    const cuts = fails("cut-reply");

    reply.writeHead(200, { "Content-Length": content.length });
    for (let at = 0; at < content.length; at += PIECE) {
        if (cuts && at > content.length / 2)
            return reply.destroy();
        reply.write(content.subarray(at, at + PIECE));
        if (cuts || failure() === "slow")
            await pause();
    }
    return reply.end();
}

async function serve(request, reply) {
    const file = folder + "/store" + request.url;
    const code = refusal(request);

    if (fails("busy"))
        return answer(reply, 503, "SlowDown");
    if (code)
        return answer(reply, 403, code);
    if (!/^\/farm\/[\w./-]+$/.test(request.url) || request.url.includes(".."))
        return answer(reply, 404, "NoSuchBucket");
    if (request.method === "PUT")
        return put(request, reply, file);
    if (!fs.existsSync(file))
        return answer(reply, 404, "NoSuchKey");
    return get(reply, file);
}

const server = http.createServer((request, reply) => {
    serve(request, reply).catch(() => request.socket.destroy());
});

server.listen(0, "127.0.0.1", () => console.log("port", server.address().port));
