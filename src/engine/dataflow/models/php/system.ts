import type { Model } from "../Model.ts"

/** What a PHP program is started with, and what it reads. */
export const system: Model = {
  name: "system",
  mentions: /\$argv\b|\bSTDIN\b|\bgetopt\(|\bsocket_re(?:ad|cv)\(/,
  sources: [
    { kind: "arguments", path: /^\$argv$|^\$_SERVER\.argv$|^\\?getopt\(\)$/ },
    { kind: "environment", path: /^\\?getenv\(\)$|^\$_ENV$/ },
    { kind: "stdin", path: /^\\?readline\(\)$|^STDIN$/ },
    { kind: "socket", path: /^\\?socket_read\(\)$/ },
    {
      kind: "database",
      path: /^\\?(?:mysqli|mysql|pg|sqlite)_fetch_(?:assoc|array|row|object|all)\(\)$|^(?:PDO|mysqli)(?:\(\))?\.(?:query|prepare)\(\)\.(?:fetch\w*)\(\)$/
    }
  ],
  propagators: [{ path: /^\\?(?:fgets|fread|stream_get_contents|stream_get_line|fgetc|fscanf)$/ }]
}
