import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { lastAssigned } from "../../languages/code/lastAssigned.ts"
import { literalValue } from "../../languages/syntax/strings.ts"
import { assignments, calls } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import type { RuleId } from "./rules.ts"

/** Sanitized, or produced by something that only emits its own markup. */
const cleaned =
  /sanitiz|sanitis|purif|escape|\bxss\b|clean|safe|encode|highlight|prism|hljs|shiki|katex|mathjax|renderToStatic|renderToString|JSON\.stringify|serialize|\bicon|svg|\bcss\b|style|schema|jsonld|json_ld|ld\+json|\bt\(|i18n|translate|intl|formatMessage|localize|getText|__\(|\bLinkify|sprintf|theme|\bscript|nonce|gtag|analytics|require\(|import|logo|critical|emoji|copyright|markdownToHtml|md\.render|compiled|static|remarkable|\.render\(/i

const MAX_EXPRESSION = 400

const isCleaned = (file: SourceFile, node: number, depth = 0): boolean => {
  const tree = file.tree!
  if (node === NONE || literalValue(file, node) !== null || tree.is(node, "number", "undefined", "null")) return true
  const text = tree.textOf(node).slice(0, MAX_EXPRESSION)
  if (cleaned.test(text)) return true
  if (!tree.is(node, "identifier") || depth > 2) return false
  const value = lastAssigned(file, text, node)
  return value !== NONE && isCleaned(file, value, depth + 1)
}

export const mentionsProp = /dangerouslySetInnerHTML/

export const unescapedProps = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  if (/sanitiz|sanitis|purify/i.test(file.text)) return
  for (const { name, node, value } of assignments(file)) {
    if (name !== "__html" || value === NONE || isCleaned(file, value)) continue
    const element = tree.enclosing(node, "jsx_opening_element", "jsx_self_closing_element")
    if (/^<(?:script|style|noscript|Script|Head)\b/.test(tree.textOf(element).slice(0, 12))) continue
    const text = tree.textOf(value).replace(/\s+/g, " ").slice(0, 60)
    const message = `\`${text}\` is rendered as HTML through \`dangerouslySetInnerHTML\` and nothing here sanitizes it.`
    emit({
      start: tree.start(node),
      end: tree.end(node),
      rule: "unescaped_prop",
      message,
      identifiers: ["dangerouslySetInnerHTML"]
    })
  }
}

export const mentionsAutoescape = /\bautoescape\b|\bnoEscape\b/

/** Jinja escapes nothing by default, but only an explicit switch shows that it is on purpose. */
export const autoescapeOff = (file: SourceFile, emit: Emit<RuleId>): void =>
  file.language === "python" ? jinjaAutoescape(file, emit) : scriptAutoescape(file, emit)

const jinjaAutoescape = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  if (!/\bjinja2\b/.test(file.text) || !/\.html|text\/html|<html|HttpResponse|flask/i.test(file.text)) return
  for (const call of calls(file)) {
    const value = call.named.get("autoescape")
    if (value === undefined || tree.textOf(value) !== "False" || !/Environment$/.test(call.callee)) continue
    const message = `\`${call.callee}\` renders templates whose values are not escaped.`
    emit({ start: tree.start(value), end: tree.end(value), rule: "autoescape_off", message })
  }
}

const scriptAutoescape = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  if (!/nunjucks|handlebars/i.test(file.text) || !/\.html|\.njk|\.hbs|express|<\w+>/.test(file.text)) return
  for (const { name, node, value } of assignments(file)) {
    const isOff =
      (name === "autoescape" && tree.textOf(value) === "false") ||
      (name === "noEscape" && tree.textOf(value) === "true")
    if (!isOff || !tree.is(node, "pair")) continue
    const call = tree.textOf(tree.parent(tree.parent(tree.parent(node)))).slice(0, 80)
    if (!/nunjucks|[hH]andlebars|[hH]bs|configure|Environment|compile/.test(call)) continue
    const message = `\`${tree.textOf(node)}\` renders templates whose values are not escaped.`
    emit({ start: tree.start(node), end: tree.end(node), rule: "autoescape_off", message })
  }
}
