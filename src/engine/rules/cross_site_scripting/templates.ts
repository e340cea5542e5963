import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import type { RuleId } from "./rules.ts"

interface Form {
  readonly path: RegExp
  /** Group 1 is the expression that is rendered without escaping. */
  readonly pattern: RegExp
}

/** Runs of other characters are bounded, so that a text of opening tags takes linear time. */
const forms: ReadonlyArray<Form> = [
  { path: /\.(?:erb|rhtml)$/, pattern: /<%==[ \t]*([^%<>\n]{1,160})%>|<%=[ \t]*raw[ (]+([^%<>\n]{1,160})%>/g },
  { path: /\.blade\.php$/, pattern: /\{!![ \t]*([^{}!\n]{1,160})!!\}/g },
  { path: /\.twig$/, pattern: /\{\{-?[ \t]*([^{}\n]{1,160}\|[ \t]*raw)\b[^{}\n]{0,40}\}\}/g },
  { path: /\.(?:html|htm|jinja2?|j2)$/, pattern: /\{\{-?[ \t]*([^{}\n]{1,160}\|[ \t]*safe)\b[^{}\n]{0,40}\}\}/g },
  { path: /\.ejs$/, pattern: /<%-[ \t]*([^%<>\n]{1,160})%>/g },
  { path: /\.(?:hbs|handlebars|mustache)$/, pattern: /\{\{\{[ \t]*([^{}\n]{1,160})\}\}\}/g }
]

export const isTemplate = (path: string): boolean => forms.some((form) => form.path.test(path))

/** Names of values that come from visitors. */
const visitorInput =
  /(?:\brequest\.(?:args|form|values|GET|POST|params|query|cookies|query_params)\b|\bparams\[|\$_(?:GET|POST|REQUEST|COOKIE)\b|\bold\(|\b(?:request|Request::|Input::)(?:\(\)->)?(?:input|get|query)\(|\bcomment(?:->|\.)(?:text|body|content|message)\b|\buser(?:->|\.)(?:\w*name|bio|about|signature)\b|\breq\.(?:query|body|params)\b)/i

const cleaned =
  /sanitiz|sanitis|purif|escape|\be\(|\bh\(|strip_tags|clean|markdown|format|truncate|linkify|highlight|json|tojson|to_json|nl2br|simple_format|\bt[ (]|\bt\.|trans|i18n|__\(|include|partial|render|yield|block|content_for|csrf|asset|url|path|link|errors?|form\.|Form::|html\b|icon|svg|count|sanit|auto_link|render/i

/** Template expressions that render visitor input without escaping. */
export const unescapedValues = (file: SourceFile, emit: Emit<RuleId>): void => {
  for (const { path, pattern } of forms) {
    if (!path.test(file.path)) continue
    for (const match of file.text.matchAll(pattern)) {
      const expression = (match[1] ?? match[2] ?? "").trim()
      if (!visitorInput.test(expression) || cleaned.test(expression)) continue
      const message = `\`${expression}\` is rendered without escaping, and its name suggests visitor input.`
      emit({ rule: "unescaped_template_value", start: match.index, end: match.index + match[0].length, message })
    }
  }
}
