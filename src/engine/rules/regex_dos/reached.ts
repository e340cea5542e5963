import type { SourceFile } from "../../core/files/SourceFile.ts"
import { taintLanguageOf } from "../../dataflow/languages/languages.ts"
import { lastAssigned } from "../../languages/code/lastAssigned.ts"
import { syntaxOf } from "../../languages/syntax/languages.ts"
import { compact } from "../../languages/syntax/Syntax.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"

const request =
  /^(?:\w+\()?(?:(?:this\.|self\.)?(?:req|request)(?:\.(?:query|params|body|headers|cookies|url|originalUrl|args|form|values|json|data|GET|POST|query_params|GET|META)\b|\.(?:get|header|param|getParameter|getHeader|getQueryString)\()|ctx\.(?:query|params|request\.(?:body|query))\b|\$_(?:GET|POST|REQUEST|COOKIE)\b)/
const railsRequest = /^(?:params(?:\[|\.(?:fetch|require|permit)\b)|cookies\[)/

/** How the text comes here: from a request, from any caller of the function, or from nowhere that is known. */
export type Reached = "request" | "parameter" | null

/** Numbers and the like take no long text; shorter texts are cut before. */
const short = /\.(?:slice|substring|substr|trunc\w*|take|first)\(|\[\s*:?\s*\d*:\d+\s*\]|\bsubstr\(/

/** How a name's text comes here when a function around it, a few levels up, has a parameter of that name; else undefined. */
const reachedByParameter = (file: SourceFile, subject: number, name: string): Reached | undefined => {
  const tree = file.tree!
  const syntax = syntaxOf(file.language)!
  const bare = name.replace(/^\$/, "")
  let at = tree.enclosing(subject, ...syntax.functionKinds)
  for (let level = 0; at !== NONE && level < 4; level++) {
    const info = syntax.functionAt(tree, at)
    const index = info?.parameters.findIndex((parameter) => parameter.name.replace(/^\$/, "") === bare) ?? -1
    if (info !== null && index >= 0) {
      const role = taintLanguageOf(file.language)?.parameter(file, info, info.parameters[index]!, index)
      if (role?.clean === true) return null
      return role?.source !== undefined ? "request" : "parameter"
    }
    at = tree.enclosing(at, ...syntax.functionKinds)
  }
  return undefined
}

export const reachedBy = (file: SourceFile, subject: number, depth = 0): Reached => {
  const text = compact(file.tree!.textOf(subject))
  if (short.test(text)) return null
  if (request.test(text) || (file.language === "ruby" && railsRequest.test(text))) return "request"
  const root = /^\$?[A-Za-z_][\w$]*/.exec(text)?.[0]
  if (root === undefined || /^(?:this|self|cls|\$this|super|process|window|document|os|sys|navigator)$/.test(root))
    return null
  const byParameter = reachedByParameter(file, subject, root)
  if (byParameter !== undefined) return byParameter
  if (depth > 2) return null
  const value = lastAssigned(file, root, subject)
  return value === NONE || value === subject ? null : reachedBy(file, value, depth + 1)
}
