import { ruleSet } from "../../core/tool/AuditTool.ts"

const small = { effort: "small", risk: "low" } as const

export const rules = ruleSet({
  request_without_timeout: {
    languages: ["go", "python"],
    title: "HTTP request may wait for ever",
    description:
      "Without a timeout a server that accepts the connection and never answers keeps this thread or goroutine for ever; a few " +
      "such requests and the pool is used up. Pass one (`timeout=10`, `http.Client{Timeout: 10 * time.Second}`), or a " +
      "context with a deadline.",
    cwe: [400],
    confidence: 0.82,
    priority: "P2",
    ...small
  },
  server_without_timeouts: {
    languages: ["go"],
    title: "HTTP server waits for slow clients without limit",
    description:
      "Without `ReadHeaderTimeout` (or `ReadTimeout`) a client that sends its headers byte by byte holds its connection as " +
      "long as it likes, and a few thousand of them take the server down. Start it from an `http.Server` with timeouts set.",
    cwe: [400],
    confidence: 0.65,
    priority: "P2",
    ...small
  },
  unclosed_file: {
    languages: ["csharp", "go", "java", "python"],
    title: "File is opened and never closed",
    description:
      "Each run leaves an open file behind until the collector happens to come by: buffered data may not be written, and " +
      "under load the process runs out of descriptors. Open it with `with`, `using` or try-with-resources, or `defer` its Close.",
    cwe: [772],
    confidence: 0.82,
    priority: "P2",
    ...small
  },
  unclosed_response: {
    languages: ["go"],
    title: "Response body is never closed",
    description:
      "A body that is not closed keeps its connection from being used again, so every request opens another one until there " +
      "are no more. Write `defer resp.Body.Close()` directly after checking the error, also where the body is not read.",
    cwe: [772],
    confidence: 0.85,
    priority: "P1",
    ...small
  },
  unclosed_connection: {
    languages: ["csharp", "go", "java"],
    title: "Database connection or cursor is never closed",
    description:
      "Connections come from a pool, and one that is not given back is lost to everybody else: after as many calls as the pool " +
      "is large, all requests wait. Close it in every case: `using`, try-with-resources, or `defer rows.Close()`.",
    cwe: [772],
    confidence: 0.8,
    priority: "P1",
    ...small
  },
  unbounded_cache: {
    languages: ["javascript", "python"],
    title: "Cache of the module only grows",
    description:
      "Entries are added for ever new keys and nothing takes any out, so the process grows until it is killed, faster when a " +
      "client chooses the keys. Bound it (an LRU with a maximum, a time to live), or key it by something finite.",
    cwe: [770],
    confidence: 0.6,
    priority: "P3",
    ...small
  },
  effect_never_cleaned: {
    languages: ["javascript"],
    title: "Timer or listener outlives its component",
    description:
      "Each time the component is mounted one more of these is left behind: it keeps the old component in memory and goes on " +
      "setting its state. Return a function from the effect that takes it away again (`clearInterval`, " +
      "`removeEventListener`).",
    cwe: [401],
    confidence: 0.88,
    priority: "P2",
    ...small
  }
})

export type RuleId = keyof typeof rules
