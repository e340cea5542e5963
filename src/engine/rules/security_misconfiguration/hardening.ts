import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit, Match } from "../../core/tool/AuditTool.ts"
import { assignments, calls } from "../../languages/syntax/vocabulary.ts"
import { isConditional, rangeAt, siblingsOf } from "./context.ts"
import type { RuleId } from "./rules.ts"

export const mentionsHardening = /helmet|webPreferences|webSecurity|serve-index|serveIndex/

const valuable =
  /^(?:contentSecurityPolicy|frameguard|xFrameOptions|hsts|strictTransportSecurity|noSniff|xContentTypeOptions)$/

/** Protection of a framework that the code disables. */
export const hardeningOff = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  for (const { node, name, value } of assignments(file)) {
    if (!tree.is(node, "pair") || value < 0) continue
    const match = disabledProtection(file, node, name, tree.textOf(value).slice(0, 12))
    if (match !== null) emit({ ...rangeAt(file, node), ...match })
  }
  if (!/serve-index/.test(file.text)) return
  for (const call of calls(file)) {
    if (call.callee !== "serveIndex" || call.args.length === 0 || isConditional(file, call.node)) continue
    const message = "`serveIndex` lists the files of a folder to all visitors."
    emit({ ...rangeAt(file, call.node), rule: "directory_listing", message })
  }
}

const disabledProtection = (
  file: SourceFile,
  node: number,
  name: string,
  value: string
): Pick<Match<RuleId>, "rule" | "message"> | null => {
  if (name === "nodeIntegration") {
    if (value !== "true" || siblingsOf(file, node).get("contextIsolation") !== "false") return null
    const message = "`nodeIntegration` without `contextIsolation` lets any script of the page run programs."
    return { rule: "electron_isolation_off", message }
  }
  if (value !== "false" || isConditional(file, node)) return null
  if (valuable.test(name) && isOfHelmet(file, node))
    return { rule: "headers_switched_off", message: `\`helmet\` is configured without \`${name}\`.` }
  if (name !== "webSecurity") return null
  const message = "`webSecurity: false` lets pages of the window read every site and file."
  return { rule: "electron_isolation_off", message }
}

const isOfHelmet = (file: SourceFile, pair: number): boolean => {
  const tree = file.tree!
  const call = tree.parent(tree.parent(tree.parent(pair)))
  return /^(?:\w+\.)?(?:helmet|fastifyHelmet|register\(\s*(?:fastifyHelmet|helmet)\b)/.test(
    tree.textOf(call).slice(0, 60)
  )
}
