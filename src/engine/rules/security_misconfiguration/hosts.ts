import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { qualifiedName } from "../../languages/code/qualifiedName.ts"
import { literalValue, unwrap } from "../../languages/syntax/strings.ts"
import { type Call, calls } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { isConditional, isForDevelopment, rangeAt } from "./context.ts"
import type { RuleId } from "./rules.ts"

export const mentionsHostSettings = /0\.0\.0\.0|\bchmod|\bumask|Chmod|mktemp|tempnam|tmpnam|\/tmp\//

const literalText = (file: SourceFile, node: number | undefined): string | null =>
  node === undefined || node === NONE ? null : literalValue(file, unwrap(file, node))

const report = (file: SourceFile, call: Call, rule: RuleId, noun: string, message: string, emit: Emit<RuleId>): void =>
  emit({ ...rangeAt(file, call.node), rule, noun, message })

/** Permission bits of a number as languages write it: `0o777`, `0777`, `511`. */
const bitsOf = (file: SourceFile, node: number | undefined): number | null => {
  if (node === undefined || node === NONE) return null
  const text = file
    .tree!.textOf(unwrap(file, node))
    .replaceAll("_", "")
    .replace(/^(?:os|fs)\.FileMode\((.*)\)$/, "$1")
  const written = /^["']?0?o?([0-7]{3,4})["']?$/i.exec(text)?.[1]
  if (written !== undefined && /^["']?0|o|^["']/i.test(text)) return Number.parseInt(written, 8)
  const names = text.match(/S_I[RWX](?:WX)?[UGO]|S_IW(?:OTH|GRP)|S_IRWXO/g)
  if (names === null) return null
  return names.some((name) => /IWOTH|IRWXO/.test(name)) ? 0o002 : 0
}

const WRITABLE_BY_OTHERS = 0o002
const STICKY = 0o1000

const isOpenToAll = (bits: number | null): bits is number =>
  bits !== null && (bits & WRITABLE_BY_OTHERS) !== 0 && (bits & STICKY) === 0

/** Changes of a mode; that of a new file is limited by the process's mask. */
const modeTakers: ReadonlyArray<readonly [call: RegExp, position: number]> = [
  [/^(?:os\.f?chmod|chmod)$/, 1],
  [/^os\.Chmod$/, 1],
  [/^(?:\w+\.)*fs(?:\/promises)?\.(?:promises\.)?[fl]?chmod(?:Sync)?$/, 1],
  [/^(?:File|FileUtils)\.chmod(?:_R)?$/, 0]
]

const worldWritable = (file: SourceFile, call: Call, name: string, emit: Emit<RuleId>): void => {
  const taker = modeTakers.find(([pattern]) => pattern.test(name))
  if (taker === undefined) return
  const bits = bitsOf(file, call.args[taker[1]]) ?? bitsOf(file, call.named.get("mode"))
  // A socket is opened to other accounts so that they can connect.
  if (!isOpenToAll(bits) || /sock/i.test(file.tree!.textOf(call.node))) return
  const message = `\`${call.callee.slice(0, 60)}\` lets every account of the machine write (mode ${bits.toString(8)}).`
  report(file, call, "world_writable", `\`${call.callee.slice(0, 60)}\``, message, emit)
}

const noMask = (file: SourceFile, call: Call, name: string, emit: Emit<RuleId>): void => {
  if (!/^(?:os\.umask|umask|process\.umask|syscall\.Umask|File\.umask)$/.test(name)) return
  if (!/^0(?:o?0+)?$/.test(file.tree!.textOf(call.args[0] ?? NONE))) return
  // Set for a moment and put back: the old mask is kept.
  const tree = file.tree!
  if (/assign|declar/.test(tree.kind(tree.parent(call.node)))) return
  const message = `\`${call.callee}(0)\` lets every account of the machine write to the files that the program creates.`
  report(file, call, "world_writable", `\`${call.callee}\``, message, emit)
}

const predictableNames =
  /^(?:tempfile\.mktemp|os\.tempnam|os\.tmpnam|tempnam|tmpnam|Dir::Tmpname\.make_tmpname|(?:System\.IO\.)?Path\.GetTempFileName)$/
const writers =
  /^(?:open|io\.open|fs\.(?:writeFile|appendFile|createWriteStream|open)(?:Sync)?|os\.(?:Create|WriteFile|OpenFile)|ioutil\.WriteFile|io\/ioutil\.WriteFile|file_put_contents|fopen|File\.(?:open|write|new)|FileWriter|FileOutputStream|java\.io\.File(?:Writer|OutputStream))$/

const opensToWrite = (file: SourceFile, call: Call, name: string): boolean => {
  if (!/^(?:open|io\.open|fopen|File\.open|File\.new)$/.test(name)) return writers.test(name)
  const mode = literalText(file, call.args[1] ?? call.named.get("mode"))
  return mode !== null && /^[wa]/.test(mode)
}

const temporaryFile = (file: SourceFile, call: Call, name: string, emit: Emit<RuleId>): void => {
  const isFunction = predictableNames.test(name) && name !== "tempnam" && !/GetTempFileName$/.test(name)
  const path = opensToWrite(file, call, name) ? literalText(file, call.args[0]) : null
  if (!isFunction && !(path !== null && /^\/(?:var\/)?tmp\/[\w./-]+$/.test(path))) return
  const what = isFunction
    ? "returns a name that another account can take first"
    : "writes to a fixed name that another account can take first"
  report(
    file,
    call,
    "predictable_temporary_file",
    `\`${path ?? call.callee}\``,
    `\`${call.callee.slice(0, 60)}\` ${what}.`,
    emit
  )
}

const binders =
  /^(?:(?:app|server|application|socketio|httpd|http|s|sock|socket|self\.(?:sock|socket|server))\.(?:run|bind|listen|run_app)|uvicorn\.run|web\.run_app|waitress\.serve|serve|(?:http\.server\.)?HTTPServer|(?:socketserver\.)?\w*(?:TCP|UDP)Server|net(?:\/http)?\.Listen(?:AndServe(?:TLS)?|TCP|UDP|Packet)?|http\.ListenAndServe|tls\.Listen|crypto\/tls\.Listen|TCPServer\.new|(?:java\.net\.)?(?:InetSocketAddress|ServerSocket))$/
const everywhere = /^(?:tcp:\/\/)?(?:0\.0\.0\.0|\[?::\]?)(?::\d+)?$/

/** Arguments and the parts of tuples among them. */
const hostsOf = (file: SourceFile, call: Call): ReadonlyArray<number> =>
  [...call.args, ...call.named.values()].flatMap((node) =>
    file.tree!.is(node, "tuple") ? file.tree!.namedChildren(node) : [node]
  )

const allInterfaces = (file: SourceFile, call: Call, name: string, emit: Emit<RuleId>): void => {
  if (!binders.test(name) || isForDevelopment(file.path)) return
  const host = hostsOf(file, call)
    .map((node) => literalText(file, node))
    .find((text) => text !== null && everywhere.test(text))
  if (host === undefined || host === null || isConditional(file, call.node)) return
  const message = `\`${call.callee.slice(0, 60)}\` listens on every network interface (\`${host}\`), not only on those that are meant.`
  report(file, call, "all_interfaces", `\`${call.callee.slice(0, 60)}\``, message, emit)
}

/** What the program opens to others on its machine or its network. */
export const hostSettings = (file: SourceFile, emit: Emit<RuleId>): void => {
  for (const call of calls(file)) {
    const name = qualifiedName(file, call)
    worldWritable(file, call, name, emit)
    noMask(file, call, name, emit)
    temporaryFile(file, call, name, emit)
    allInterfaces(file, call, name, emit)
  }
}
