"""A bot.toml of 60 KB that takes a parser minutes, gigabytes or its stack.

Bound: 60 KB. Run as: FOLDER WAY SECRET.
"""

import sys

folder, way, _ = sys.argv[1:]
BOMBS = {
    "key": "a" + ".a" * 30_000 + " = 1\n",
    "table": "[" + "a." * 30_000 + "a]\n",
    "quoted": '"a"' + '."a"' * 15_000 + " = 1\n",
    "arrays": "x = " + "[" * 30_000 + "]" * 30_000 + "\n",
    "tables": "x = " + "{a=" * 15_000 + "1" + "}" * 15_000 + "\n",
    "keys": "".join(f"k{number} = 1\n" for number in range(6_000)),
    "number": "memory_mib = " + "9" * 60_000 + "\n",
    "hexadecimal": "memory_mib = 0x" + "f" * 60_000 + "\n",
    "string": "x = '''" + "''a" * 20_000,
}
with open(f"{folder}/bot.toml", "a") as file:
    file.write(BOMBS[way])
print("ready", flush=True)
