import type { SourceFile } from "../../core/files/SourceFile.ts"

interface Form {
  readonly path: RegExp
  /** The first group that matches is the expression that is rendered without escaping. */
  readonly pattern: RegExp
}

/** Runs of other characters are bounded, so that a text of opening tags takes linear time. */
const forms: ReadonlyArray<Form> = [
  {
    path: /\.(?:erb|rhtml)$/,
    pattern:
      /<%==[ \t]*([^%<>\n]{1,160})%>|<%=[ \t]*raw[ (]+([^%<>\n]{1,160})%>|<%=[ \t]*([^%<>\n]{1,160})\.html_safe[ \t]*-?%>/g
  },
  {
    path: /\.haml$/,
    pattern:
      /^[ \t]*(?:[%.#][\w.#-]{1,80}(?:\{[^{}\n]{0,160}\})?)?!=[ \t]*([^\n]{1,160})$|=[ \t]*raw[ (]+([^\n]{1,160}?)\)?$|=[ \t]*([^=\n]{1,160})\.html_safe[ \t]*$/gm
  },
  {
    path: /\.slim$/,
    pattern:
      /^[ \t]*(?:[\w.#-]{1,80}[ \t]*)?==[ \t]*([^\n]{1,160})$|=[ \t]*raw[ (]+([^\n]{1,160}?)\)?$|=[ \t]*([^=\n]{1,160})\.html_safe[ \t]*$/gm
  },
  { path: /\.blade\.php$/, pattern: /\{!![ \t]*([^{}!\n]{1,160})!!\}/g },
  { path: /\.twig$/, pattern: /\{\{-?[ \t]*([^{}\n]{1,160}\|[ \t]*raw)\b[^{}\n]{0,40}\}\}/g },
  {
    path: /\.(?:html|htm|jinja2?|j2|njk|nunjucks|liquid)$/,
    pattern: /\{\{-?[ \t]*([^{}\n]{1,160}\|[ \t]*safe)\b[^{}\n]{0,40}\}\}/g
  },
  { path: /\.(?:html|htm|tmpl|gohtml)$/, pattern: /\{\{-?[ \t]*([^{}\n]{1,160}\|[ \t]*safeHTML)\b[^{}\n]{0,40}\}\}/g },
  { path: /\.(?:html|htm|xhtml)$/, pattern: /\bth:utext="[ \t]*\$\{([^{}"\n]{1,160})\}[ \t]*"/g },
  { path: /\.(?:vue|html|htm)$/, pattern: /\s(?:v-html|x-html)="([^"\n]{1,160})"/g },
  { path: /\.svelte$/, pattern: /\{@html[ \t]+([^{}\n]{1,160})\}/g },
  { path: /\.ejs$/, pattern: /<%-[ \t]*([^%<>\n]{1,160})%>/g },
  {
    path: /\.(?:pug|jade)$/,
    pattern: /^[ \t]*(?:[\w.#-]{1,80}(?:\([^()\n]{0,160}\))?)?!=[ \t]*([^\n]{1,160})$|!\{([^{}\n]{1,160})\}/gm
  },
  {
    path: /\.(?:hbs|handlebars|mustache|hjs)$/,
    pattern: /\{\{\{[ \t]*([^{}\n#>/]{1,160})\}\}\}|\{\{&[ \t]*([^{}\n]{1,160})\}\}/g
  },
  {
    path: /\.(?:cshtml|razor|vbhtml)$/,
    pattern:
      /@\(?Html\.Raw\(([^()\n]{1,160}(?:\([^()\n]{0,80}\)[^()\n]{0,80})?)\)|\(MarkupString\)[ \t]*\(?([\w.@[\]"]{1,160})/g
  },
  {
    path: /\.(?:jsp|jspf|tag)$/,
    pattern:
      /<%=[ \t]*([^%<>\n]{1,160})%>|<c:out[^<>\n]{0,160}?\bvalue="\$\{([^{}"\n]{1,160})\}"[^<>\n]{0,160}?\bescapeXml="false"|(?<!<[a-z]{1,6}:[^<>]{0,200})\$\{[ \t]*((?:param|paramValues|header|cookie)[.[][^{}\n]{1,160})\}/g
  },
  { path: /\.(?:ftl|ftlh)$/, pattern: /\$\{([^{}\n]{1,160}\?no_esc)\}/g }
]

export const isTemplate = (path: string): boolean => forms.some((form) => form.path.test(path))

/** A value that a template renders as it is. */
export interface RawOutput {
  readonly expression: string
  /** Name that the template is given: `user` of `user.bio`. */
  readonly root: string
  readonly start: number
  readonly end: number
}

const words = /^(?:-?\s*)?(?:[$@]|Model\.|ViewBag\.|ViewData\["|@?Model\.)?([A-Za-z_]\w*)/

/** What makes a value harmless, or comes from the program itself. */
const cleaned =
  /sanitiz|sanitis|purif|escape|\be\(|\bh\(|strip_?tags|clean|markdown|md\b|format|truncate|linkify|highlight|json|nl2br|simple_format|\bt[ (]|\bt\.|\$t\(|trans|i18n|l10n|__\(|include|partial|render|yield|block|content_for|csrf|asset|url|path|link|errors?\b|form\b|form\.|Form::|html\b|icon|svg|count|sanit|auto_link|antiforgery|layout|css|style|script|head|foot|menu|widget|nav|paginat|toc\b|embed|analytics|nonce|static|attrs?\b|component|slot|super|caller\(|self\.|loop\.|config|settings?\b|site\.|theme|locale|messages?\.get|button|_tag\b|tag\(|d3|math|latex|body\b|contents?$|children|Html\.|serialize|dump|stringify|captcha/i

/** Names of values that come from visitors. */
const visitorInput =
  /(?:\bold\(|\bcomment(?:->|\.)(?:text|body|content|message)\b|\buser(?:->|\.)(?:\w*name|bio|about|signature)\b)/i

const request =
  /\brequest\.(?:args|form|values|GET|POST|params|query|cookies|query_params|getParameter\(|getHeader\()|\bparams\[\s*[:'"]|\$_(?:GET|POST|REQUEST|COOKIE)\b|\b(?:request|Request::|Input::)(?:\(\)->)?(?:input|get|query)\(|\breq\.(?:query|body|params)\b|^(?:param|paramValues|header|cookie)[.[]|\$route\.(?:query|params)\b|Request\.(?:Query|Form|Params)\b/

/** Names that a template is given by its controller, without the object that holds them. */
const holder = /^(?:@?\(?)?(?:ViewBag\.|ViewData\[|\$this->|locals\.)/

/** A field of a record, such as `profile.about` and `$entry['title']`; not what a test such as `isOpen()` returns. */
const recordField =
  /^[$@]{0,2}[A-Za-z_]\w*(?:(?:\??\.|->)\w+|\[\w+\])*(?:(?:\??\.|->)(?!is[A-Z_]|has[A-Z_])[A-Za-z_]\w*(?:\(\))?|\[\s*["'][^"']+["']\s*\])\s*(?:\||$)/

/** Names of texts that visitors of many programs write. */
const visitorText =
  /^[$@]{0,2}(?:comments?|bio|biography|about|signature|reviews?|feedback|repl(?:y|ies)|nick_?name|user_?name|display_?name|(?:search_?)?(?:query|term|keywords?)|search)\s*(?:\||$)/i

/** Whether a value may be one that the program keeps for others. Other names are nearly always markup that it composed. */
const mayBeOfOthers = (expression: string): boolean => {
  const bare = expression.replace(/^(?:-|raw\b)?\s*/, "")
  return visitorText.test(bare) || (!holder.test(bare) && recordField.test(bare))
}

/** How sure it is that a visitor chooses the value: by reading a request, by its name, or not at all. */
export type Origin = "request" | "visitor" | "unknown"

const bareOf = (expression: string): string =>
  expression.replace(/\|\s*(?:safe(?:HTML)?|raw)\b.*$/, "").replace(/\?no_esc$/, "")

/** Whether an expression is a literal, escapes or sanitizes its value, or is markup of the program itself. */
export const isHarmless = (expression: string): boolean => {
  const bare = bareOf(expression)
  if (request.test(bare)) return /sanitiz|sanitis|purif|escape|clean|encode|\be\(|\bh\(/i.test(bare)
  return (/^["'`\d(]/.test(expression) && !request.test(expression)) || cleaned.test(bare)
}

/** Where the value comes from as far as the expression shows; null for what is harmless or the program's own. */
export const originOf = (expression: string): Origin | null => {
  if (isHarmless(expression)) return null
  const bare = bareOf(expression)
  if (request.test(bare)) return "request"
  if (visitorInput.test(bare)) return "visitor"
  return mayBeOfOthers(bare) ? "unknown" : null
}

/** Values that a template renders without escaping. */
export const rawOutputs = (file: SourceFile): ReadonlyArray<RawOutput> =>
  forms
    .filter(({ path }) => path.test(file.path))
    .flatMap(({ pattern }) =>
      [...file.text.matchAll(pattern)].flatMap((match): ReadonlyArray<RawOutput> => {
        const expression =
          match
            .slice(1)
            .find((group) => group !== undefined)
            ?.trim() ?? ""
        const root = words.exec(expression)?.[1]
        const start = match.index + (match[0].length - match[0].trimStart().length)
        return root === undefined && !request.test(expression)
          ? []
          : [{ expression, root: root ?? "", start, end: match.index + match[0].length }]
      })
    )
