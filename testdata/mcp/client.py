"""An MCP client in another language: drives "memoria mcp" over its standard input and output.

usage: client.py PROGRAM ENVIRONMENT ITEM

ENVIRONMENT is a JSON list of NAME=VALUE, ITEM the id of "Likes green tea". It uses nothing but
Python's own library, prints "ok" at the end and exits with 1 at the first fault.
"""

import json
import subprocess
import sys
import threading

program, environment, item = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3]
server = subprocess.Popen(
    [program, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    env=dict(v.split("=", 1) for v in environment), encoding="utf-8")
watchdog = threading.Timer(45, server.kill)
watchdog.start()
errors = []
reader = threading.Thread(target=lambda: errors.append(server.stderr.read()))
reader.start()


def fail(text):
    server.kill()
    reader.join()
    watchdog.cancel()
    sys.exit("%s\n%s" % (text, "".join(errors)))


def write(message):
    server.stdin.write(json.dumps(message, ensure_ascii=False) + "\n")
    server.stdin.flush()


last = 0


def ask(method, params):
    global last
    last += 1
    # A text as id: the standard allows numbers and texts.
    write({"jsonrpc": "2.0", "id": "p%d" % last, "method": method, "params": params})
    while True:
        line = server.stdout.readline()
        if not line:
            fail("%s: the server ended" % method)
        message = json.loads(line)
        if message.get("id") == "p%d" % last and "method" not in message:
            if "result" not in message:
                fail("%s: %s" % (method, message))
            return message["result"]


def call(tool, **arguments):
    result = ask("tools/call", {"name": tool, "arguments": arguments})
    if result.get("isError"):
        fail("%s %s: %s" % (tool, arguments, result))
    return "\n".join(part.get("text", "") for part in result["content"])


def expect(condition, text):
    if not condition:
        fail(text)


hello = ask("initialize", {
    "protocolVersion": "2025-03-26", "capabilities": {"roots": {"listChanged": True}, "sampling": {}},
    "clientInfo": {"name": "python", "version": "3"}})
expect(hello["protocolVersion"], "no version: %s" % hello)
write({"jsonrpc": "2.0", "method": "notifications/initialized"})
names = sorted(tool["name"] for tool in ask("tools/list", {})["tools"])
expect(names == ["add_memory", "get_memory", "list_recent_sessions", "search_memories"], "tools: %s" % names)
expect("Likes green tea" in call("search_memories", keyword="tea"), "tea is not found")
expect("乌龙茶 🍵" in call("search_memories", keyword="乌龙茶", limit=3), "乌龙茶 is not found")
expect("Likes green tea" in call("get_memory", id=item), "the item is not read by its id")
call("list_recent_sessions", limit=5)
call("add_memory", content="Plays the ocarina", type="preference", tags=["wind"])
expect("ocarina" not in call("search_memories", keyword="instrument"), "a proposal is served")
uris = sorted(resource["uri"] for resource in ask("resources/list", {})["resources"])
expect(uris == ["memoria://memory.md", "memoria://profile"], "resources: %s" % uris)
for uri in uris:
    expect(ask("resources/read", {"uri": uri})["contents"][0]["uri"] == uri, "%s is not read" % uri)
server.stdin.close()
expect(server.stdout.read() == "", "something after the last answer")
expect(server.wait(timeout=20) == 0, "exit code %s" % server.returncode)
watchdog.cancel()
print("ok")
