import type { SourceFile } from "../core/files/SourceFile.ts"
import { assignmentsTo } from "../languages/code/lastAssigned.ts"
import { syntaxOf } from "../languages/syntax/languages.ts"
import { compact } from "../languages/syntax/Syntax.ts"
import { NONE } from "../languages/tree/FlatTree.ts"
import { taintLanguageOf } from "./languages/languages.ts"

const request =
  /^(?:\w+\()?(?:(?:this\.|self\.)?(?:req|request)(?:\.(?:query|params|body|headers|cookies|url|originalUrl|args|form|values|json|data|GET|POST|query_params|GET|META)\b|\.(?:get|header|param|getParameter|getHeader|getQueryString)\()|ctx\.(?:query|params|request\.(?:body|query))\b|\$_(?:GET|POST|REQUEST|COOKIE)\b|Request\.(?:Query|Form|Headers|Cookies)\b|\$request->(?:input|get|query|post|cookie|header|all)\()/
const railsRequest = /^(?:params(?:\[|\.(?:fetch|require|permit)\b)|cookies\[)/

/** Whether an expression, on one line, reads a request. */
export const readsRequest = (file: SourceFile, text: string): boolean =>
  request.test(text) || (file.language === "ruby" && railsRequest.test(text))

const MAX_DEPTH = 3

/** Whether a value is read from a request, or was given to a variable that is. Bounded, and within one file. */
export const comesFromRequest = (file: SourceFile, node: number, depth = 0): boolean => {
  if (node === NONE || depth > MAX_DEPTH) return false
  const tree = file.tree!
  const text = compact(tree.textOf(node))
  if (readsRequest(file, text)) return true
  if (!/^[$@]?\w{1,60}$/.test(text)) return false
  const syntax = syntaxOf(file.language)!
  const holder = tree.enclosing(node, ...syntax.functionKinds)
  const info = holder === NONE ? null : syntax.functionAt(tree, holder)
  const index = info?.parameters.findIndex(({ name }) => name.replace(/^\$/, "") === text.replace(/^\$/, "")) ?? -1
  if (info !== null && index >= 0) {
    const role = taintLanguageOf(file.language)?.parameter(file, info, info.parameters[index]!, index)
    return role?.source !== undefined && role.clean !== true
  }
  const given = assignmentsTo(file, text).filter(
    ({ node: at, value }) =>
      at < node &&
      value !== NONE &&
      !tree.contains(value, node) &&
      tree.enclosing(at, ...syntax.functionKinds) === holder
  )
  const last = given.at(-1)
  return last !== undefined && comesFromRequest(file, last.value, depth + 1)
}
