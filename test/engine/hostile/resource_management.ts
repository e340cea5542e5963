import { filled, type WorstCase } from "../../support/worstCase.ts"

export const worstCases: ReadonlyArray<WorstCase> = [
  {
    rules: ["request_without_timeout", "unclosed_file", "unclosed_file_read"],
    path: "a.py",
    text: (size) =>
      filled(size, "    f = open(p)\n    f.read()\n    requests.get(u)\n    json.load(open(p))\n", [
        "import requests\ndef g():\n",
        ""
      ])
  },
  {
    rules: ["unbounded_cache"],
    path: "a.py",
    text: (size) =>
      filled(size, "    a_cache[url] = 1\n", [
        `${Array.from({ length: 18 }, (_, i) => `cache${i} = {}\n`).join("")}def g(url):\n`,
        ""
      ])
  },
  {
    rules: ["unbounded_cache"],
    path: "a.js",
    text: (size) => filled(size, "cache[ x = global cache", ["const cache = {}\nfunction f() {\n", "}\n"])
  },
  {
    rules: [
      "unclosed_file",
      "unclosed_response",
      "unclosed_connection",
      "request_without_timeout",
      "server_without_timeouts"
    ],
    path: "a.go",
    text: (size) =>
      filled(
        size,
        "f, err := os.Open(p); f.Stat(); r, err := http.Get(u); _ = http.Server{}; q, err := db.Query(s)\n",
        ['package a\nimport "net/http"\nfunc g() {\n', "}\n"]
      )
  },
  {
    rules: ["unclosed_file"],
    path: "A.java",
    text: (size) =>
      filled(size, "FileReader a = new BufferedReader(new FileReader(p)); a.read();\n", [
        "class A { void f() {\n",
        "} }"
      ])
  },
  {
    rules: ["effect_never_cleaned"],
    path: "a.tsx",
    text: (size) => filled(size, 'useEffect(() => { setInterval(f, 1); window.addEventListener("a", f) })\n')
  },
  {
    rules: ["leak_on_return"],
    path: "src/leaks.c",
    text: (size) => filled(size, "void f(int n) {\n" + "int a = open(n); if (a < 0) return;\n".repeat(300) + "}\n")
  },
  {
    rules: ["leak_on_return"],
    path: "src/returns.c",
    text: (size) => filled(size, "if (n) return;\n", ["void f(int n) { char *p = malloc(n);\n", "}\n"])
  }
]
