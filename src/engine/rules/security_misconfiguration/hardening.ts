import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { assignments, calls } from "../../languages/syntax/vocabulary.ts"
import { isConditional, rangeAt, siblingsOf } from "./context.ts"
import type { RuleId } from "./rules.ts"

export const mentionsHardening = /helmet|webPreferences|webSecurity|serve-index|serveIndex/

const valuable =
  /^(?:contentSecurityPolicy|frameguard|xFrameOptions|hsts|strictTransportSecurity|noSniff|xContentTypeOptions)$/

/** Protection that a framework gives and the code takes away. */
export const hardeningOff = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  for (const given of assignments(file)) {
    if (!tree.is(given.node, "pair") || given.value < 0) continue
    const value = tree.textOf(given.value).slice(0, 12)
    if (
      valuable.test(given.name) &&
      value === "false" &&
      isOfHelmet(file, given.node) &&
      !isConditional(file, given.node)
    ) {
      const message = `\`helmet\` is told to leave out \`${given.name}\`.`
      emit({ ...rangeAt(file, given.node), rule: "headers_switched_off", message })
    } else if (given.name === "webSecurity" && value === "false" && !isConditional(file, given.node)) {
      const message = "`webSecurity: false` lets pages of the window read every site and file."
      emit({ ...rangeAt(file, given.node), rule: "electron_isolation_off", message })
    } else if (given.name === "nodeIntegration" && value === "true") {
      if (siblingsOf(file, given.node).get("contextIsolation") !== "false") continue
      const message = "`nodeIntegration` without `contextIsolation` lets any script of the page run programs."
      emit({ ...rangeAt(file, given.node), rule: "electron_isolation_off", message })
    }
  }
  if (!/serve-index/.test(file.text)) return
  for (const call of calls(file)) {
    if (
      !/^(?:serveIndex|index|directory)$/.test(call.callee) ||
      isConditional(file, call.node) ||
      call.args.length === 0
    )
      continue
    if (call.callee !== "serveIndex") continue
    emit({
      ...rangeAt(file, call.node),
      rule: "directory_listing",
      message: "`serveIndex` lists the files of a folder to everybody."
    })
  }
}

const isOfHelmet = (file: SourceFile, pair: number): boolean => {
  const tree = file.tree!
  const call = tree.parent(tree.parent(tree.parent(pair)))
  return /^(?:\w+\.)?(?:helmet|fastifyHelmet|register\(\s*(?:fastifyHelmet|helmet)\b)/.test(
    tree.textOf(call).slice(0, 60)
  )
}
