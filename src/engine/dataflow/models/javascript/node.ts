import type { Model } from "../Model.ts"

/** What a Node program is started with, and what it reads. */
export const node: Model = {
  name: "node",
  mentions:
    /\b(?:ws|wss|socket|sock|client|conn|connection)\.on\(["'`]|\bhandler\b[^\n]{0,40}\(\s*event\b|\bcreate(?:Secure)?Server\([^\n;]{0,60}\([\w$]+, ?[\w$]+\)|\.on\(["'`](?:request|stream)["'`]|\bprocess\.(?:argv|stdin)\b|\byargs\b|\.opts\(\)/,
  sources: [
    {
      kind: "arguments",
      path: /^process\.argv$|^yargs(?:\/yargs)?\b[\w.()]*\.(?:argv|parse\(\)|parseSync\(\))$|^commander\b[\w.()]*\.(?:opts\(\)|args)$|^util\.parseArgs\(\)$/
    },
    { kind: "environment", path: /^process\.env$/ },
    { kind: "stdin", path: /^process\.stdin\.(?:read\(\)|on\(\))$|^(?:prompt|readline-sync\.\w+)\(\)$/ },
    { kind: "socket", path: /^socket:message$/ },
    { kind: "message", path: /^message:event$/ }
  ],
  propagators: [{ path: /^(?:minimist|yargs-parser|mri|getopts|arg|command-line-args)(?:\.default)?$/ }]
}
