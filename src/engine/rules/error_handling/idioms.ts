import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { TryStatement } from "../../languages/code/tryStatements.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { wordsOf } from "../../secrets/shape.ts"

/** Calls that end something that may have ended already. */
const cleanup =
  /^(?:close\w*|destroy\w*|dispose\w*|abort|cancel\w*|end|kill\w*|terminate|unlink\w*|rm|rmSync|rmdir\w*|rmtree|remove\w*|delete(?:Sync|OnExit|IfExists|Recursively|Quietly|File|Directory|Temp\w*)?|stop\w*|shutdown\w*|disconnect\w*|release\w*|unsubscribe|off|clear\w*|clean\w*|cleanUp|tear_?down\w*|quit|exit|detach\w*|unref|unmount|rollback\w*|interrupt|send_signal|wait|join|flush|revoke\w*|unregister\w*|detach\w*|free|finalize|hangup|logout|leave|pause|unwatch\w*|uncache|reset\w*|cleanup\w*|_cleanup\w*|_close\w*|free\w*)$/i
/** Calls that test whether something exists, is supported or can be read. */
const probing =
  /^(?:require|import|__import__|import_module|parse\w*|URL|decodeURI\w*|encodeURI\w*|atob|access\w*|exists\w*|stat\w*|lstat\w*|mkdir\w*|makedirs|mkdirs|getItem|setItem|removeItem|matchMedia|addEventListener|removeEventListener|postMessage|execCommand|Function|eval|defineProperty|setPrototypeOf|captureStackTrace|getContext|focus|blur|scroll\w*|setSelectionRange|play|pushState|replaceState|resolve\w*|forName|getMethod\w*|getDeclared\w*|loadClass|load_module|find_spec|setAccessible|chmod\w*|fchmod|chown\w*|utime\w*|setlocale|setsockopt|setNoDelay|setKeepAlive|setTcpNoDelay|setSoTimeout|getattr|setattr|setproctitle|nice|readlink\w*|realpath\w*|symlink\w*|copyFileSync|sleep|signal|SetConsoleMode|vibrate|prefetch|preload|track\w*|registerProtocolHandler|reconfigure|setFeature|setAttribute|setProperty|tcsetattr|ioctl|getpass|getuser|getlogin|gethostby\w*|gethostname|getfqdn|disable_warnings|stringify|print\w*|\w*[tT]elemetry\w*|copystat|copymode|hide|restore\w*[gG]eometry|save\w*[gG]eometry|setRequestHeader|attachInternals|createTextRange|removeAllRanges|addRange|extend|collapse|select|seek|drop\w*|stderr\w*|metric\w*|increment|incr|gauge|report\w*|beacon|sendBeacon|newInstance|instance|lookup|isAvailable)$/i

const callName = /([\w$]+)\s*(?:\?\.)?(?:!)?\(/g

const namesOf = (text: string): ReadonlyArray<string> =>
  [...text.slice(0, 2_000).matchAll(callName)]
    .map((match) => match[1]!)
    .filter((name) => !/^(?:if|for|while|switch|catch|return|await|function|and|or|not|in)$/.test(name))

const consequences = new Set(
  (
    "save write update insert send publish post put delete execute exec commit upload download move copy rename " +
    "process handle run sync import export migrate register store persist enqueue submit transfer charge pay deploy " +
    "notify mail email encrypt decrypt sign backup perform invoke dispatch deliver flush"
  ).split(" ")
)

const isConsequence = (words: ReadonlyArray<string>): boolean =>
  words.some((word) => consequences.has(word)) && !words.includes("cache")

/** The names of the called functions show that work was to be done. */
export const hasConsequence = (file: SourceFile, attempt: TryStatement): boolean =>
  attempt.statements.some((statement) =>
    namesOf(file.tree!.textOf(statement)).some((name) => isConsequence(wordsOf(name)))
  )

/** Every statement ends or probes something: a failure there needs no action. */
export const isCleanupOrProbe = (file: SourceFile, attempt: TryStatement): boolean => {
  const tree = file.tree!
  // What comes after an optional package depends on it.
  if (/\b(?:require|import)\s*\(|^(?:import|from)\s/.test(tree.textOf(attempt.statements[0] ?? NONE))) return true
  if (/telemetry|analytics|metrics?\b|sentry/i.test(file.text.slice(attempt.start, attempt.start + 600))) return true
  return attempt.statements.every((statement) => {
    const text = tree.textOf(statement)
    if (/^(?:import|from)\s|\bimport\s*\(|(?:local|session)Storage|^del\s|^delete\s/.test(text)) return true
    if (/\b(?:stderr|stdout)\b|^traceback\./.test(text)) return true
    const names = namesOf(text)
    return names.some(
      (name) => cleanup.test(name) || probing.test(name) || /cleanup|clean_up|destroy|teardown/i.test(name)
    )
  })
}

const leaving = [
  "return_statement",
  "break_statement",
  "continue_statement",
  "return",
  "break",
  "next",
  "yield_statement",
  "yield"
]
const assigning = [
  "assignment_expression",
  "assignment",
  "augmented_assignment",
  "augmented_assignment_expression",
  "lexical_declaration",
  "variable_declaration",
  "local_variable_declaration",
  "local_declaration_statement",
  "operator_assignment"
]

/** The attempt leaves the block or sets a value when it succeeds; what follows, or was there before, is the fallback. */
export const hasFallback = (file: SourceFile, attempt: TryStatement): boolean => {
  const tree = file.tree!
  const last = attempt.statements.at(-1)
  if (last === undefined) return true
  if (attempt.statements.some((statement) => tree.within(statement, ...leaving).length > 0)) return true
  // `else:` runs when the attempt succeeds.
  if (tree.childOfKind(attempt.node, "else_clause") !== NONE) return true
  const end = tree.is(last, "expression_statement") ? (tree.namedChildren(last)[0] ?? NONE) : last
  if (tree.is(end, ...assigning)) return true
  return attempt.statements.every((statement) => {
    const inner = tree.is(statement, "expression_statement") ? (tree.namedChildren(statement)[0] ?? NONE) : statement
    return tree.is(inner, ...assigning)
  })
}
