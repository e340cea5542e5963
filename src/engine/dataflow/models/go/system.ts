import type { Model } from "../Model.ts"

/** What a Go program is started with, and what it reads. */
export const system: Model = {
  name: "system",
  mentions: /\bos\.(?:Args|Stdin)\b|\bflag\.(?:Arg|Args|String)\(|"archive\/(?:zip|tar)"/,
  sources: [
    {
      kind: "arguments",
      path: /^os\.Args$|^flag\.(?:Arg|Args|String)\(\)$|^github\.com\/spf13\/pflag\.(?:Arg|Args|String)\(\)$/
    },
    { kind: "environment", path: /^os\.(?:Getenv|LookupEnv|ExpandEnv)\(\)$/ },
    { kind: "stdin", path: /^os\.Stdin$/ },
    { kind: "file", path: /^(?:os|io\/ioutil|ioutil)\.ReadFile\(\)$|^archive\/(?:zip|tar)\.[\w.()]{0,80}\bName$/ },
    { kind: "database", path: /^database\/sql\b[\w.()/]*\.Query(?:Row)?(?:Context)?\(\)$/ }
  ],
  propagators: [{ path: /^bufio\.New(?:Reader|Scanner)$/ }, { path: /^database\/sql\b.*\.Scan$/, how: "fills" }]
}
