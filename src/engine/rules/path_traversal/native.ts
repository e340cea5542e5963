import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { type NativeFunction, nativeFunctions } from "../../languages/native/functions.ts"
import { Origins, originText } from "../../languages/native/origins.ts"
import type { RuleId } from "./rules.ts"

const MAX_CALLS = 1_000
const opening = /^(?:fopen|open|openat|creat|freopen|opendir|unlink|remove|mkdir|rename|chmod)$/
const checking = /realpath|canonical|basename|sanit|valid|is_safe|safe_path|strstr|normalize/i

/** Only what a stranger sends: paths from arguments and settings are the purpose of most programs. */
const isForeign = (kind: string): boolean => kind === "request" || kind === "socket"

const inspectFunction = (file: SourceFile, fn: NativeFunction, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  for (const call of fn.calls) {
    if (call.receiver !== null || !opening.test(call.method)) continue
    const path = call.args[call.method === "openat" ? 1 : 0]
    const origin = path === undefined ? null : new Origins(tree, fn).of(path)
    if (
      path === undefined ||
      origin === null ||
      !isForeign(origin.kind) ||
      fn.calls.some(({ method }) => checking.test(method))
    )
      continue
    emit({
      rule: "untrusted_path",
      start: tree.start(call.node),
      end: tree.end(call.node),
      message: `${originText(origin)} becomes part of the path that \`${call.method}\` uses.`,
      noun: `\`${call.method}\``,
      source: origin.kind,
      identifiers: [call.method],
      steps: [
        { start: tree.start(origin.node), end: tree.end(origin.node), note: `source: ${origin.name.slice(0, 60)}` },
        { start: tree.start(path), end: tree.end(path), note: `passed to \`${call.method}\`` }
      ]
    })
  }
}

/** Paths that C and C++ build from what strangers send, within one function. */
export const inspectNativePaths = (file: SourceFile, emit: Emit<RuleId>): void => {
  if (!/\b(?:getenv|recv|recvfrom|SSL_read)\s*\(/.test(file.text)) return
  for (const fn of nativeFunctions(file)) if (fn.calls.length <= MAX_CALLS) inspectFunction(file, fn, emit)
}
