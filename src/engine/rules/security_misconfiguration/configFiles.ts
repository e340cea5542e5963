import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { isForDevelopment } from "./context.ts"
import type { RuleId } from "./rules.ts"

interface Setting {
  readonly rule: RuleId
  /** Files it is looked for in. */
  readonly path: RegExp
  /** One line, or one tag. */
  readonly pattern: RegExp
  readonly message: string
}

const properties = /(?:^|\/)(?:application|bootstrap)(?:-[\w-]+)?\.properties$/
const apache =
  /(?:^|\/)(?:\.htaccess|httpd[\w.-]*\.conf|apache2?[\w.-]*\.conf|(?:sites-(?:available|enabled)|conf-available|vhosts?)\/[\w.-]+)$/

const settings: ReadonlyArray<Setting> = [
  {
    rule: "actuator_exposed",
    path: properties,
    pattern: /^[ \t]*management\.endpoints\.web\.exposure\.include[ \t]*[=:][ \t]*["']?\*["']?[ \t]*$/gm,
    message: "Every actuator endpoint is exposed over the web, the environment and heap dumps included."
  },
  {
    rule: "debug_mode",
    path: properties,
    pattern:
      /^[ \t]*server\.error\.include-(?:stacktrace|exception)[ \t]*[=:][ \t]*(?:always|on_trace_param|true)[ \t]*$/gm,
    message: "Responses to failed requests contain the exception or its stack trace."
  },
  {
    rule: "debug_mode",
    path: /(?:^|\/)\.env\.(?:production|prod|staging)$/,
    pattern: /^[ \t]*(?:APP_DEBUG|FLASK_DEBUG|DJANGO_DEBUG|WP_DEBUG)[ \t]*=[ \t]*["']?(?:true|1|on)["']?[ \t]*$/gim,
    message: "Debug output is on in the settings of a deployed system."
  },
  {
    rule: "directory_listing",
    path: /\.conf(?:\.\w+)?$|nginx/,
    pattern: /^[ \t]*autoindex[ \t]+on[ \t]*;/gm,
    message: "nginx lists the files of folders that have no index page."
  },
  {
    rule: "directory_listing",
    path: apache,
    pattern: /^[ \t]*Options[ \t]+(?:[+\w]+[ \t]+){0,6}\+?Indexes\b/gm,
    message: "Apache lists the files of folders that have no index page."
  },
  {
    rule: "debug_mode",
    path: /(?:^|\/)web\.(?:release|prod\w*)?\.?config$/i,
    pattern: /<customErrors\b[^<>]{0,200}\bmode\s*=\s*"Off"|<compilation\b[^<>]{0,200}\bdebug\s*=\s*"true"/g,
    message: "ASP.NET shows error details to anyone who causes an error."
  },
  {
    rule: "directory_listing",
    path: /(?:^|\/)web(?:\.\w+)?\.config$/i,
    pattern: /<directoryBrowse\b[^<>]{0,200}\benabled\s*=\s*"true"/g,
    message: "IIS lists the files of folders that have no default document."
  }
]

export const configuration = (file: SourceFile, emit: Emit<RuleId>): void => {
  if (isForDevelopment(file.path)) return
  for (const { rule, path, pattern, message } of settings) {
    if (!path.test(file.path)) continue
    for (const match of file.text.matchAll(pattern)) {
      const indent = /^\s*/.exec(match[0])![0].length
      emit({ rule, start: match.index + indent, end: match.index + match[0].length, message })
    }
  }
}
