import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { type NativeFunction, nativeFunctions } from "../../languages/native/functions.ts"
import { Origins, originText } from "../../languages/native/origins.ts"
import type { Call } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import type { RuleId } from "./rules.ts"

const MAX_CALLS = 1_000

/** A name that says that the text is made safe for a shell. */
const quoting = /quote|escape|sanit|valid|whitelist|allowlist|isalnum|isdigit|strspn|strpbrk|strcspn/i

/** The command line that a call hands to a shell; NONE where it does not. */
const commandLine = (file: SourceFile, { method, receiver, args }: Call): number => {
  if (receiver !== null && receiver !== "std") return NONE
  if (method === "system" || method === "popen") return args[0] ?? NONE
  if (!/^execl[pe]?$/.test(method)) return NONE
  const flag = args.findIndex((arg) => file.tree!.textOf(arg) === '"-c"')
  return flag < 0 ? NONE : (args[flag + 1] ?? NONE)
}

const inspectFunction = (file: SourceFile, fn: NativeFunction, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  for (const call of fn.calls) {
    const line = commandLine(file, call)
    const origin = line === NONE ? null : new Origins(tree, fn).of(line)
    if (origin === null || fn.calls.some(({ method }) => quoting.test(method))) continue
    const isParameter = origin.kind === "parameter"
    const message = isParameter
      ? `The command line that \`${call.method}\` passes to a shell is built from \`${origin.name}\`.`
      : `${originText(origin)} becomes part of the command line that \`${call.method}\` passes to a shell.`
    emit({
      rule: isParameter ? "built_command" : "untrusted_command",
      start: tree.start(call.node),
      end: tree.end(call.node),
      message,
      noun: `\`${call.method}\``,
      source: origin.kind,
      identifiers: [call.method],
      steps: [
        { start: tree.start(origin.node), end: tree.end(origin.node), note: `source: ${origin.name.slice(0, 60)}` },
        { start: tree.start(line), end: tree.end(line), note: `passed to \`${call.method}\`` }
      ]
    })
  }
}

/** Command lines that C and C++ build from what comes from outside, within one function. */
export const inspectNativeCommands = (file: SourceFile, emit: Emit<RuleId>): void => {
  if (!/\b(?:system|popen|execl\w?)\s*\(/.test(file.text)) return
  for (const fn of nativeFunctions(file)) if (fn.calls.length <= MAX_CALLS) inspectFunction(file, fn, emit)
}
