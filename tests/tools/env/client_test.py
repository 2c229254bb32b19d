"""The Python client against a real `proctor env`: client_test.py PROCTOR CLIENTS."""

import io
import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import unittest

PROCTOR, CLIENTS = sys.argv[1:3]
sys.path.insert(0, CLIENTS)
import proctor  # noqa: E402


class ClientTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.run_folder = os.path.join(cls.folder, "run")
        cls.server = proctor.Server(
            [PROCTOR, "env", "--record", cls.run_folder])

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def test_1_an_episode_has_the_shape_of_gymnasium(self):
        with proctor.Env("settings.dark", self.server, tree="elements") as env:
            obs, info = env.reset(seed=5)
            self.assertEqual(info["seed"], 5)
            self.assertEqual(obs["package"], "com.android.settings")
            total = 0.0
            for name in ("Display", "Dark"):
                index = next(item["index"] for item in obs["elements"]
                             if name in item["name"])
                obs, reward, terminated, truncated, info = env.step(
                    {"action": "click", "index": index})
                total += reward
                self.assertFalse(terminated or truncated)
            self.assertEqual(total, 1)
            *_, terminated, truncated, info = env.step("complete()")
            self.assertTrue(terminated)
            self.assertTrue(info["met"])

    def test_2_a_fork_goes_on_alone(self):
        with proctor.Env("shop.cheapest", self.server) as env:
            env.reset(options={"split": "test", "index": 2})
            with env.fork() as copy:
                obs, *_ = copy.step({"action": "home"})
                self.assertNotEqual(obs["package"], "org.proctor.shop")
                self.assertEqual(env.observe()["package"], "org.proctor.shop")

    def test_3_errors_are_raised(self):
        env = proctor.Env("no.such.task", self.server)
        with self.assertRaises(proctor.ProctorError) as caught:
            env.reset()
        self.assertEqual(caught.exception.code, "invalid")
        self.assertTrue(any(task["id"] == "shop.cheapest"
                            for task in self.server.tasks()))
        self.assertTrue(any(action["action"] == "click"
                            for action in self.server.actions()))

    def test_4_threads_share_a_server(self):
        seen = {}

        def play(seed):
            with proctor.Env("settings.dark", self.server) as env:
                env.reset(seed=seed, options={"reward": "none"})
                seen[seed] = env.step({"action": "back"})[4]["seed"]

        threads = [threading.Thread(target=play, args=(i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(seen, {i: i for i in range(4)})

    def test_5_an_agent_answers_each_line(self):
        lines = [json.dumps({"step": i, "steps_left": 2 - i}) + "\n"
                 for i in range(2)]
        out = io.StringIO()
        proctor.run_agent(
            lambda see: "swipe\nup" if see["step"] else {"action": "back"},
            lines, out)
        self.assertEqual(out.getvalue(), '{"action": "back"}\nswipe up\n')

    def test_6_runs_become_rows(self):
        self.server.close()
        table = proctor.rows(self.run_folder)
        first = next(row for row in table if row["ending"] == "complete")
        self.assertEqual(first["task"], "settings.dark")
        verdict = {"judge": "rules", "outcome": "success",
                   "needs": [{"met": True}, {"met": False}]}
        path = os.path.join(self.run_folder, first["episode"],
                            "verdict.rules-1.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(verdict, file)
        table = proctor.rows(self.run_folder)
        judged = next(row for row in table if "outcome.rules" in row)
        self.assertEqual(judged["outcome.rules"], "success")
        self.assertEqual(judged["met.rules"], 0.5)


class Socket:
    """As much of a WebSocket client as the tests need."""

    def __init__(self, port, extra=""):
        self.file = socket.create_connection(("127.0.0.1", port), 60)
        self.stream = self.file.makefile("rb")
        self.file.sendall((
            "GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Key: "
            "dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n" +
            extra + "\r\n").encode())
        self.status = self.stream.readline().split()
        while self.stream.readline() not in (b"\r\n", b""):
            pass

    def send(self, text):
        data = text.encode()
        head = (struct.pack("!BB", 0x81, 0x80 | len(data))
                if len(data) < 126 else
                struct.pack("!BBH", 0x81, 0xfe, len(data)))
        self.file.sendall(head + bytes(4) + data)  # a mask of zeros

    def receive(self):
        data = b""
        final = False
        while not final:
            head = self.stream.read(2)
            if len(head) < 2 or head[0] & 0x0f == 8:
                return None
            final = bool(head[0] & 0x80)
            length = head[1] & 0x7f
            if length == 126:
                length, = struct.unpack("!H", self.stream.read(2))
            elif length == 127:
                length, = struct.unpack("!Q", self.stream.read(8))
            data += self.stream.read(length)
        return json.loads(data)

    def ask(self, **message):
        self.send(json.dumps(message))
        return self.receive()

    def close(self):
        self.stream.close()
        self.file.close()


class OpenEnvTest(unittest.TestCase):
    def setUp(self):
        self.process = subprocess.Popen(
            [PROCTOR, "env", "--listen", "0", "--max-envs", "2"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.port = int(self.process.stdout.readline())

    def tearDown(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()

    def test_a_connection_is_an_environment(self):
        client = Socket(self.port)
        self.assertEqual(client.status[1], b"101")
        answer = client.ask(type="reset", data={
            "seed": 5, "episode_id": "x", "task": "settings.dark",
            "tree": "elements", "screen": "base64"})
        self.assertEqual(answer["type"], "observation")
        self.assertEqual(sorted(answer["data"]),
                         ["done", "observation", "reward"])
        seen = answer["data"]["observation"]
        self.assertEqual(seen["metadata"]["seed"], 5)
        index = next(item["index"] for item in seen["elements"]
                     if "Display" in item["name"])
        answer = client.ask(type="step", data={
            "action": "click", "index": index, "metadata": {}})
        self.assertFalse(answer["data"]["done"])
        answer = client.ask(type="step", data={"text": "complete()"})
        self.assertTrue(answer["data"]["done"])
        answer = client.ask(type="state")
        self.assertEqual(answer["type"], "state")
        self.assertEqual(answer["data"]["step_count"], 2)
        client.send(json.dumps({"type": "close"}))
        self.assertIsNone(client.receive())
        client.close()

    def test_mistakes_have_the_codes_of_openenv(self):
        client = Socket(self.port)
        for text, code in (("{", "INVALID_JSON"), ("[]", "VALIDATION_ERROR"),
                           ('{"type": "jump"}', "UNKNOWN_TYPE"),
                           ('{"type": "state"}', "VALIDATION_ERROR"),
                           ('{"type": "step", "data": {"action": "fly"}}',
                            "VALIDATION_ERROR")):
            client.send(text)
            answer = client.receive()
            self.assertEqual((answer["type"], answer["data"]["code"]),
                             ("error", code))
        client.close()

    def test_environments_end_with_their_connections(self):
        for _ in range(4):
            clients = [Socket(self.port) for _ in range(2)]
            for client in clients:
                answer = client.ask(type="reset",
                                    data={"task": "settings.dark"})
                while answer["type"] == "error":  # the last ones are closing
                    self.assertEqual(answer["data"]["code"],
                                     "CAPACITY_REACHED")
                    answer = client.ask(type="reset",
                                        data={"task": "settings.dark"})
                client.close()

    def test_pages_of_browsers_are_refused(self):
        client = Socket(self.port, "Origin: https://example.org\r\n")
        self.assertNotIn(b"101", client.status)
        client.close()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
