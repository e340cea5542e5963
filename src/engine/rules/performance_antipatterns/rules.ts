import { ruleSet } from "../../core/tool/AuditTool.ts"

const small = { effort: "small", risk: "low" } as const

export const rules = ruleSet({
  copied_accumulator: {
    languages: ["javascript", "python"],
    title: "Quadratic time: accumulator copied in each iteration",
    description:
      "Ten thousand elements take fifty million copies, and the program seems to hang. Each iteration copies everything " +
      "collected before it, so the work grows with the square of the number of elements. Add to the one result (`push`, " +
      "`append`, setting a key), or build it with `map`, `flatMap` or `Object.fromEntries`.",
    example: {
      path: "src/byId.js",
      bad: "export const byId = (rows) => rows.reduce((all, row) => ({ ...all, [row.id]: row }), {})\n",
      good: "export const byId = (rows) => Object.fromEntries(rows.map((row) => [row.id, row]))\n"
    },
    cwe: [407],
    confidence: 0.65,
    priority: "P3",
    ...small
  },
  sync_in_handler: {
    languages: ["javascript"],
    title: "Blocking synchronous call in a request handler (no-sync)",
    description:
      "All requests wait while one of them is served. Node runs them on one thread, and a synchronous read, process or key " +
      "derivation blocks it. Use the asynchronous form and await it, or do the work once at start.",
    example: {
      path: "src/server.js",
      bad: 'import express from "express"\nimport fs from "node:fs"\n\nconst app = express()\napp.get("/terms", (req, res) => {\n  res.send(fs.readFileSync("terms.html", "utf8"))\n})\n',
      good: 'import express from "express"\nimport { readFile } from "node:fs/promises"\n\nconst app = express()\napp.get("/terms", async (req, res) => {\n  res.send(await readFile("terms.html", "utf8"))\n})\n'
    },
    cwe: [1050],
    confidence: 0.86,
    priority: "P2",
    ...small
  },
  string_built_in_loop: {
    languages: ["csharp", "go", "java"],
    title: "Quadratic time: string concatenation in a loop",
    description:
      "Long texts take seconds to build. Strings are immutable, so each iteration copies the text into a new string, and the " +
      "work grows with the square of its length. Collect it in a `StringBuilder` (`strings.Builder`), or join a list at " +
      "the end.",
    example: {
      path: "src/Ledger.java",
      bad: 'class Ledger {\n  String lines(List<String> names) {\n    String text = "";\n    for (String name : names) {\n      text += name;\n    }\n    return text;\n  }\n}\n',
      good: "class Ledger {\n  String lines(List<String> names) {\n    StringBuilder text = new StringBuilder();\n    for (String name : names) {\n      text.append(name);\n    }\n    return text.toString();\n  }\n}\n"
    },
    cwe: [1046],
    confidence: 0.65,
    priority: "P3",
    ...small
  },
  regex_in_loop: {
    languages: ["csharp", "go", "java", "rust"],
    title: "Regular expression compiled in a loop",
    description:
      "The loop takes many times longer than matching needs. The pattern is constant, but it is compiled again in each " +
      "iteration. Compile it once, in a package variable or a static field.",
    example: {
      path: "match.go",
      bad: 'package a\n\nimport "regexp"\n\nfunc Match(names []string) (found []string) {\n\tfor _, name := range names {\n\t\tif regexp.MustCompile(`^[a-z]+$`).MatchString(name) {\n\t\t\tfound = append(found, name)\n\t\t}\n\t}\n\treturn found\n}\n',
      good: 'package a\n\nimport "regexp"\n\nvar word = regexp.MustCompile(`^[a-z]+$`)\n\nfunc Match(names []string) (found []string) {\n\tfor _, name := range names {\n\t\tif word.MatchString(name) {\n\t\t\tfound = append(found, name)\n\t\t}\n\t}\n\treturn found\n}\n'
    },
    cwe: [1050],
    confidence: 0.88,
    priority: "P3",
    ...small
  },
  json_clone_in_loop: {
    languages: ["javascript"],
    title: "Deep clone through JSON in a loop",
    description:
      "The loop is slow, and dates, undefined and maps do not survive the copy. Each iteration serialises an object to text " +
      "and parses it again. Use `structuredClone`, or copy the parts that change.",
    example: {
      path: "src/copies.js",
      bad: "export function copies(rows) {\n  const found = []\n  for (const row of rows) found.push(JSON.parse(JSON.stringify(row)))\n  return found\n}\n",
      good: "export function copies(rows) {\n  const found = []\n  for (const row of rows) found.push(structuredClone(row))\n  return found\n}\n"
    },
    cwe: [1050],
    confidence: 0.45,
    priority: "P3",
    ...small
  },
  list_head_in_loop: {
    languages: ["python"],
    title: "Quadratic time: list.pop(0) in a loop",
    description:
      "Long lists take minutes to process. A list moves all its elements when the first is removed, so the loop takes time " +
      "with the square of the length. Use `collections.deque`, or iterate over the list in the other direction.",
    example: {
      path: "src/queue.py",
      bad: "def drain(items):\n    queue = list(items)\n    while queue:\n        send(queue.pop(0))\n",
      good: "from collections import deque\n\n\ndef drain(items):\n    queue = deque(items)\n    while queue:\n        send(queue.popleft())\n"
    },
    cwe: [407],
    confidence: 0.6,
    priority: "P3",
    ...small
  },
  filtered_to_find_one: {
    languages: ["csharp", "javascript"],
    title: "Whole collection filtered to find one element",
    description:
      "The search takes as long as the whole collection needs, even when the first element matches. `filter` visits every " +
      "element and creates a new collection, of which one element or the size is used. Use `some` or `find` (`Any`, " +
      "`FirstOrDefault`), which stop at the first match.",
    example: {
      path: "src/open.js",
      bad: 'export const hasOpen = (orders) => orders.filter((order) => order.state === "open").length > 0\n',
      good: 'export const hasOpen = (orders) => orders.some((order) => order.state === "open")\n'
    },
    cwe: [1050],
    confidence: 0.66,
    priority: "P3",
    ...small
  },
  map_searched_by_key: {
    languages: ["java"],
    title: "Inefficient map iteration with keySet (WMI_WRONG_MAP_ITERATOR)",
    description:
      "The loop takes longer than necessary on large maps. It iterates over the keys and looks up each value again, which " +
      "costs a hash and a comparison per iteration. Iterate over `entrySet()`.",
    example: {
      path: "src/Ledger.java",
      bad: "class Ledger {\n  void show(Map<String, Integer> totals) {\n    for (String name : totals.keySet()) {\n      print(name, totals.get(name));\n    }\n  }\n}\n",
      good: "class Ledger {\n  void show(Map<String, Integer> totals) {\n    for (Map.Entry<String, Integer> entry : totals.entrySet()) {\n      print(entry.getKey(), entry.getValue());\n    }\n  }\n}\n"
    },
    cwe: [1050],
    confidence: 0.65,
    priority: "P3",
    ...small
  }
})

export type RuleId = keyof typeof rules
