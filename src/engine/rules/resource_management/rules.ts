import { ruleSet } from "../../core/tool/AuditTool.ts"

const small = { effort: "small", risk: "low" } as const

export const rules = ruleSet({
  request_without_timeout: {
    languages: ["go", "python"],
    title: "HTTP request without a timeout (Bandit B113)",
    description:
      "A server that accepts the connection and never responds blocks this thread or goroutine for ever, and a few such " +
      "requests exhaust the pool. The request has no timeout. Pass one (`timeout=10`, `http.Client{Timeout: 10 * " +
      "time.Second}`), or a context with a deadline.",
    example: {
      path: "src/prices.py",
      bad: "import requests\n\n\ndef price(name):\n    return requests.get(url(name)).json()\n",
      good: "import requests\n\n\ndef price(name):\n    return requests.get(url(name), timeout=10).json()\n"
    },
    cwe: [400, 1088],
    confidence: 0.82,
    priority: "P2",
    ...small
  },
  server_without_timeouts: {
    languages: ["go"],
    title: "HTTP server without timeouts: Slowloris (gosec G112)",
    description:
      "A client that sends its headers byte by byte holds its connection as long as it likes, and a few thousand such " +
      "connections make the server unavailable. The server sets neither `ReadHeaderTimeout` nor `ReadTimeout`. Start it " +
      "from an `http.Server` with these timeouts.",
    example: {
      path: "serve.go",
      bad: 'package a\n\nimport "net/http"\n\nfunc Serve(handler http.Handler) error {\n\treturn http.ListenAndServe(":8080", handler)\n}\n',
      good: 'package a\n\nimport (\n\t"net/http"\n\t"time"\n)\n\nfunc Serve(handler http.Handler) error {\n\tserver := &http.Server{Addr: ":8080", Handler: handler, ReadHeaderTimeout: 5 * time.Second}\n\treturn server.ListenAndServe()\n}\n'
    },
    cwe: [400],
    confidence: 0.65,
    priority: "P2",
    ...small
  },
  leak_on_return: {
    languages: ["c", "cpp"],
    title: "Resource leak on an early return",
    description:
      "Each time the function takes this return it loses a file, a descriptor or memory, until the process has no more. What it " +
      "opened is neither released on the way nor kept anywhere. Release it before returning, or go to a common exit that does.",
    example: {
      path: "src/load.c",
      bad: 'int load(const char *path, char *out)\n{\n    FILE *in = fopen(path, "r");\n    if (in == NULL)\n        return -1;\n    if (fgets(out, 80, in) == NULL)\n        return -1;\n    fclose(in);\n    return 0;\n}\n',
      good: 'int load(const char *path, char *out)\n{\n    FILE *in = fopen(path, "r");\n    if (in == NULL)\n        return -1;\n    int failed = fgets(out, 80, in) == NULL;\n    fclose(in);\n    return failed ? -1 : 0;\n}\n'
    },
    cwe: [772, 401],
    confidence: 0.78,
    priority: "P2",
    ...small
  },
  unclosed_file: {
    languages: ["csharp", "go", "java", "python"],
    title: "Resource leak: file not closed",
    description:
      "Under load the process runs out of file descriptors, and buffered data may not be written. The file is opened and " +
      "closed only when the garbage collector finalises it. Open it with `with`, `using` or try-with-resources, or " +
      "`defer` its Close.",
    example: {
      path: "src/stock.py",
      bad: "def names(path):\n    rows = open(path)\n    return [row.strip() for row in rows]\n",
      good: "def names(path):\n    with open(path) as rows:\n        return [row.strip() for row in rows]\n"
    },
    cwe: [772],
    confidence: 0.82,
    priority: "P2",
    ...small
  },
  unclosed_file_read: {
    languages: ["python"],
    title: "Resource leak: file not closed after reading",
    description:
      "Under load the process may run out of file descriptors. The file is opened inside an expression that reads it, so " +
      "only the garbage collector closes it. Open it with `with`, or use `Path.read_text`.",
    example: {
      path: "src/stock.py",
      bad: "def text(path):\n    return open(path).read()\n",
      good: "def text(path):\n    with open(path) as file:\n        return file.read()\n"
    },
    cwe: [772],
    confidence: 0.75,
    priority: "P3",
    ...small
  },
  unclosed_response: {
    languages: ["go"],
    title: "Resource leak: HTTP response body not closed (bodyclose)",
    description:
      "Each request opens another connection until there are none left. A body that is not closed keeps its connection from " +
      "being used again. Write `defer resp.Body.Close()` directly after the error check, also where the body is not read.",
    example: {
      path: "fetch.go",
      bad: 'package a\n\nimport (\n\t"io"\n\t"net/http"\n)\n\nfunc Fetch(client *http.Client, url string) ([]byte, error) {\n\tresp, err := client.Get(url)\n\tif err != nil {\n\t\treturn nil, err\n\t}\n\treturn io.ReadAll(resp.Body)\n}\n',
      good: 'package a\n\nimport (\n\t"io"\n\t"net/http"\n)\n\nfunc Fetch(client *http.Client, url string) ([]byte, error) {\n\tresp, err := client.Get(url)\n\tif err != nil {\n\t\treturn nil, err\n\t}\n\tdefer resp.Body.Close()\n\treturn io.ReadAll(resp.Body)\n}\n'
    },
    cwe: [772],
    confidence: 0.85,
    priority: "P1",
    ...small
  },
  unclosed_connection: {
    languages: ["csharp", "go", "java"],
    title: "Resource leak: database connection or cursor not closed",
    description:
      "After as many calls as the connection pool has entries, all requests wait. A connection that is not closed never " +
      "returns to the pool. Close it on every path: `using`, try-with-resources, or `defer rows.Close()`.",
    example: {
      path: "rows.go",
      bad: 'package a\n\nimport "database/sql"\n\nfunc Names(db *sql.DB) (names []string, err error) {\n\trows, err := db.Query("SELECT name FROM t")\n\tif err != nil {\n\t\treturn nil, err\n\t}\n\tfor rows.Next() {\n\t\tnames = append(names, "one")\n\t}\n\treturn names, nil\n}\n',
      good: 'package a\n\nimport "database/sql"\n\nfunc Names(db *sql.DB) (names []string, err error) {\n\trows, err := db.Query("SELECT name FROM t")\n\tif err != nil {\n\t\treturn nil, err\n\t}\n\tdefer rows.Close()\n\tfor rows.Next() {\n\t\tnames = append(names, "one")\n\t}\n\treturn names, nil\n}\n'
    },
    cwe: [772],
    confidence: 0.8,
    priority: "P1",
    ...small
  },
  unbounded_cache: {
    languages: ["javascript", "python"],
    title: "Unbounded cache (memory leak)",
    description:
      "The process grows until it is killed, faster when a client chooses the keys. Entries are added to this module-level " +
      "cache for new keys and none is ever removed. Bound the cache (an LRU with a maximum, a time to live), or use a " +
      "finite set of keys.",
    example: {
      path: "src/pages.js",
      bad: "const pageCache = new Map()\n\nexport function page(url) {\n  if (!pageCache.has(url)) pageCache.set(url, render(url))\n  return pageCache.get(url)\n}\n",
      good: "const pageCache = new LRUCache({ max: 500 })\n\nexport function page(url) {\n  if (!pageCache.has(url)) pageCache.set(url, render(url))\n  return pageCache.get(url)\n}\n"
    },
    cwe: [770, 401],
    confidence: 0.6,
    priority: "P3",
    ...small
  },
  effect_never_cleaned: {
    languages: ["javascript"],
    title: "Memory leak: React effect without cleanup",
    description:
      "Each time the component is mounted, another timer or listener is left behind, which keeps the old component in memory " +
      "and continues to set its state. The effect does not remove it. Return a cleanup function from the effect " +
      "(`clearInterval`, `removeEventListener`).",
    example: {
      path: "src/Clock.tsx",
      bad: 'import { useEffect, useState } from "react"\n\nexport const Clock = () => {\n  const [now, setNow] = useState(0)\n  useEffect(() => {\n    setInterval(() => setNow(Date.now()), 1000)\n  }, [])\n  return <p>{now}</p>\n}\n',
      good: 'import { useEffect, useState } from "react"\n\nexport const Clock = () => {\n  const [now, setNow] = useState(0)\n  useEffect(() => {\n    const timer = setInterval(() => setNow(Date.now()), 1000)\n    return () => clearInterval(timer)\n  }, [])\n  return <p>{now}</p>\n}\n'
    },
    cwe: [401],
    confidence: 0.88,
    priority: "P2",
    ...small
  }
})

export type RuleId = keyof typeof rules
