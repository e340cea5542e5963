import type { Language } from "../../core/files/Language.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type FunctionInfo, lastName, type Parameter } from "../../languages/syntax/Syntax.ts"
import type { TaintGrammar } from "../TaintLanguage.ts"

/** The script of a worker, which hears only the page that started it. */
const isWorker = (file: SourceFile): boolean =>
  /worker[\w.-]*$/i.test(file.path) ||
  /\bimportScripts\s*\(|\bWorkerGlobalScope\b/.test(file.text) ||
  (/(?:^|[\s;{(,])self\.(?:onmessage\s*=|addEventListener\(\s*["']message)/.test(file.text) &&
    !/\bdocument\./.test(file.text))

/** `addEventListener("message", (event) => …)` that never asks where the message comes from. */
const messageHandler = (file: SourceFile, info: FunctionInfo): boolean => {
  const tree = file.tree!
  const before = file.text.slice(Math.max(0, tree.start(info.node) - 60), tree.start(info.node))
  const isHandler =
    /(?:^|[\s;{(,])(?:window\.|self\.|globalThis\.)?(?:addEventListener\(\s*["']message["']\s*,\s*(?:async\s*)?|onmessage\s*=\s*(?:async\s*)?)$/.test(
      before
    )
  return isHandler && !isWorker(file) && !/\.(?:origin|source)\b/.test(tree.textOf(info.body).slice(0, 4_000))
}

const flaskRoute = /@[\w.]+\.(?:route|get|post)\(/
const restMethod = /@(?:ResponseBody|RestController)\b/

/** Functions whose answer is sent to a browser as it is. */
const answersBrowser = (file: SourceFile, info: FunctionInfo): boolean => {
  const tree = file.tree!
  if (file.language === "python") {
    const parent = tree.parent(info.node)
    if (!tree.is(parent, "decorated_definition")) return false
    const above = file.text.slice(tree.start(parent), tree.start(info.node))
    // What a route of FastAPI answers is JSON unless it says otherwise.
    if (/\bresponse_class\s*=\s*HTMLResponse\b/.test(above)) return true
    return /\bflask\b/.test(file.text.slice(0, 6_000)) && flaskRoute.test(above)
  }
  const head = file.text.slice(tree.start(info.node), tree.start(info.body))
  return (
    /@(?:Get|Post|Request|Put)Mapping\b/.test(head) &&
    !/produces\s*=[^)]*(?:json|JSON|TEXT_PLAIN|text\/plain)/.test(head) &&
    (restMethod.test(head) || /\bString\b/.test(head))
  )
}

/** `add_shortcode('tabs', 'render_tabs')`, `add_shortcode('tabs', [$this, 'tabs'])`. */
const shortcodes = (file: SourceFile): ReadonlySet<string> => {
  const calls = file.text.matchAll(
    /\badd_shortcode\s*\(\s*["'][\w-]+["']\s*,\s*(?:(?:\[|array\s*\()[^,'"]{1,60},\s*)?["']([\w\\:]+)["']/g
  )
  return new Set([...calls].map((match) => match[1]!.slice(match[1]!.lastIndexOf(":") + 1)))
}

/** WordPress puts what a shortcode's function returns into the page. */
const answersPage = (file: SourceFile, info: FunctionInfo): boolean => {
  if (info.name !== null) return file.memo(shortcodes, shortcodes).has(lastName(info.name))
  const start = file.tree!.start(info.node)
  return /\badd_shortcode\s*\(\s*["'][\w-]+["']\s*,\s*$/.test(file.text.slice(Math.max(0, start - 120), start))
}

/** `get "/search" do … end` of Sinatra, as long as it says nothing of another type of content. */
const answersRoute = (file: SourceFile, info: FunctionInfo): boolean => {
  const tree = file.tree!
  if (!tree.is(info.node, "do_block") || !/\bsinatra\b/i.test(file.text.slice(0, 4_000))) return false
  const head = file.text.slice(tree.start(tree.parent(info.node)), tree.start(info.node)).slice(0, 200)
  return /^(?:get|post|put|patch|delete)[ (]+["']\//.test(head) && !/\bcontent_type\b/.test(tree.textOf(info.body))
}

/** What an object says of an error is the code's own text. */
const errorTextMethods = ["get_error_message", "get_error_code", "getMessage", "getCode", "getErrorMessage"]

/** A language with what browsers are sent, and what they send themselves. */
export const withBrowser = (name: Language, language: TaintGrammar): TaintGrammar => {
  if (name === "python" || name === "java") return { ...language, answers: answersBrowser }
  if (name === "ruby") return { ...language, answers: answersRoute }
  if (name === "php") {
    return {
      ...language,
      answers: answersPage,
      roles: { ...language.roles, echo_statement: "construct", print_intrinsic: "construct" },
      cleanMethods: new Set([...language.cleanMethods, ...errorTextMethods])
    }
  }
  if (name !== "javascript") return language
  const parameter = (file: SourceFile, info: FunctionInfo, own: Parameter, index: number) =>
    index === 0 && messageHandler(file, info) ? { type: "dom:message" } : language.parameter(file, info, own, index)
  return { ...language, assignedSinks: true, parameter }
}
