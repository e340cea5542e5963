import type { Language } from "../../core/files/Language.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Emit } from "../../core/tool/AuditTool.ts"
import { calls, enclosingFunction } from "../../languages/syntax/vocabulary.ts"
import { excerpt, span } from "../../languages/tree/excerpt.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import type { RuleId } from "./rules.ts"

interface Dialect {
  readonly print: RegExp
  /** Text that shows that this very file has a logger and uses it. */
  readonly logger: RegExp
}

const script: Dialect = {
  print: /^console\.(?:log|info|debug|dir)$/,
  logger:
    /\b(?:logger|log|logging|winston|pino|bunyan|log4js|this\.logger|this\.log|req\.log|request\.log|fastify\.log|app\.log)\.(?:info|error|warn|debug|trace|verbose|fatal)\(/
}
const dialects: Partial<Record<Language, Dialect>> = {
  javascript: script,
  typescript: script,
  python: {
    print: /^print$/,
    logger: /\b_?(?:logger|log|LOG|LOGGER|logging)\.(?:info|error|warning|debug|exception|critical)\(/
  },
  go: {
    print: /^fmt\.Print(?:ln|f)?$/,
    logger:
      /\b(?:log|slog|logger|logrus|zap|zerolog|klog|l\.log|s\.logger|logger\w*)\.(?:Print\w*|Info\w*|Error\w*|Warn\w*|Debug\w*|Fatal\w*)\(/
  },
  java: {
    print: /^System\.(?:out|err)\.print(?:ln|f)?$/,
    logger: /\b(?:log|logger|LOG|LOGGER|_log)\.(?:info|error|warn|debug|trace)\(/
  }
}

/** Programs for a terminal, where printing is the point. */
const forTerminal =
  /(?:^|[/_.-])(?:cli|bin|cmd|commands?|scripts?|tools?|console|main|__main__|manage|setup|build|gulpfile|gruntfile|webpack|vite|rollup|migrations?|seed(?:s|er|ers)?|examples?|demo|benchmarks?|dev|debug|repl|test\w*|management|install\w*|config|print\w*|report\w*|tasks?|jobs?\/bin)(?:[/_.-]|$)/i
const inTerminal =
  /\bcommander\b|\byargs\b|process\.argv|\bargparse\b|\bclick\b|\btyper\b|\boptparse\b|spf13\/cobra|urfave\/cli|picocli|flag\.Parse\(|#!\/|\binput\(|readline|\bchalk\b|\binquirer\b|isatty|curses|sys\.stdout/
const inBrowser =
  /\b(?:window|document)\.\w|\bfrom ["'](?:react|vue|svelte|@angular\/core|jquery)|\brequire\(["'](?:react|vue|jquery)["']\)|\bdefine\(|\bjQuery\b|\$\(/

const quiet = /debug|verbose|dump|print|show|usage|help|main|__main__|display|repr|banner|dry_?run|cli/i

export const prints = (file: SourceFile, emit: Emit<RuleId>): void => {
  const dialect = dialects[file.language]
  if (dialect === undefined || forTerminal.test(file.path)) return
  if (!dialect.logger.test(file.text) || inTerminal.test(file.text)) return
  if (dialect === script && inBrowser.test(file.text)) return
  if (file.language === "go" && /^package main\b/m.test(file.text)) return
  const tree = file.tree!
  const found = calls(file).filter((call) => {
    if (!dialect.print.test(call.callee) || call.named.has("file")) return false
    // Behind a switch, or in a function for people, it is meant.
    const around = tree.enclosing(call.node, "if_statement")
    const condition = around === NONE ? "" : tree.textOf(tree.child(around, "condition")).slice(0, 200)
    return !quiet.test(condition) && !quiet.test(enclosingFunction(file, call.node)?.name ?? "")
  })
  const [first] = found
  if (first === undefined || found.length > 5) return
  const also = found.length === 1 ? "" : ` (and ${found.length - 1} more in this file)`
  emit({
    rule: "print_beside_logger",
    ...span(tree, first.node),
    message: `${excerpt(tree, first.node)}${also} goes past the logger that this file uses elsewhere.`
  })
}

export const mentionsPrint = /\bconsole\.(?:log|info|debug|dir)\(|\bprint\(|\bfmt\.Print|\bSystem\.(?:out|err)\./
