import type { Model } from "../Model.ts"

/** What a Ruby program is started with, and what it reads. */
export const system: Model = {
  name: "system",
  mentions: /\bARGV\b|\bARGF\b|\$stdin\b|\bSTDIN\b|\bTCPS(?:erver|ocket)\b/,
  sources: [
    { kind: "arguments", path: /^ARGV$/ },
    { kind: "environment", path: /^ENV$/ },
    { kind: "stdin", path: /^(?:ARGF|\$stdin|STDIN)$|^(?:Kernel\.)?(?:gets|readline|readlines)\(\)$/ },
    {
      kind: "socket",
      path: /^TCPS(?:ocket|erver)\.(?:new|open)(?:\(\))?(?:\.accept(?:\(\))?)?\.(?:gets|read|recv|readline)\(\)$/
    },
    { kind: "file", path: /^(?:File|IO)\.(?:read|readlines|binread)\(\)$/ }
  ]
}
