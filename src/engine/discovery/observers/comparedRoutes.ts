import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { ObservedRoute } from "../Observed.ts"
import { languageName } from "./languageName.ts"

const MIN_ROUTES = 4

const address = String.raw`[$\w.>:-]{0,30}(?:[uU]r[il]|UR[IL]|[pP]ath|[rR]oute|[eE]ndpoint)\w{0,12}(?:\(\))?`
const path = String.raw`"(\/[\w./*{}-]{0,80})"`

/** A branch that compares the address that was asked for with a path, as C, C++ and Perl write it. */
const comparisons: ReadonlyArray<RegExp> = [
  String.raw`\bstr(?:case)?n?cmp\s*\(\s*${address}\s*,\s*${path}`,
  String.raw`\bstr(?:case)?n?cmp\s*\(\s*${path}\s*,\s*${address}`,
  String.raw`${address}\s*(?:==|\beq\b)\s*${path}`,
  String.raw`${address}\.(?:compare|starts_with|startsWith)\(\s*${path}`
].map((source) => new RegExp(source))

const isBranch = /(?<![\w-])(?:if|elsif)(?![\w-])/
const speaksHttp = /\bHTTP\/1|["']GET["']|\bhttp_?request/i

/** Places of the machine's own rather than addresses. */
const isOfMachine = /^\/(?:dev|proc|sys|tmp|usr|etc|var|bin|sbin|home|lib|opt|run|mnt|root)(?:\/|$)/

/** Addresses that a row of branches distinguishes, where no framework has them declared. */
export const comparedRoutes = (file: SourceFile): ReadonlyArray<ObservedRoute> => {
  const isRead = /^(?:c|cpp)$/.test(file.language) || languageName(file) === "Perl"
  if (!isRead || !speaksHttp.test(file.text)) return []
  const found = new Map<string, ObservedRoute>()
  for (let line = 1; line <= file.lineCount; line++) {
    const text = file.lineText(line)
    if (!isBranch.test(text) || /^\s*(?:\/\/|\*|#)/.test(text)) continue
    const written = comparisons.map((one) => one.exec(text)?.[1]).find((one) => one !== undefined)
    if (written === undefined || isOfMachine.test(written) || found.has(written)) continue
    found.set(written, {
      framework: "comparison of the address",
      method: "ANY",
      path: written,
      handler: null,
      guards: [],
      line,
      end: line
    })
  }
  return found.size < MIN_ROUTES ? [] : [...found.values()]
}
