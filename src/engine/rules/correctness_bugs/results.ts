import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { binaryAt } from "../../languages/code/binaries.ts"
import { declaredType } from "../../languages/code/declaredTypes.ts"
import { syntaxOf } from "../../languages/syntax/languages.ts"
import type { Call } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { bare } from "../../structure/sameCode.ts"
import { type Check, isScript, languages, quoted, spanOf } from "./Check.ts"
import { inspectException } from "./exceptions/notThrown.ts"
import type { RuleId } from "./rules.ts"

const isText = (tree: FlatTree, node: number | undefined): boolean =>
  node !== undefined &&
  tree.is(node, "string", "template_string", "string_literal", "encapsed_string", "concatenated_string")

const javaImmutable: ReadonlyArray<readonly [type: RegExp, methods: RegExp]> = [
  [/^String$/, /^(?:trim|strip\w*|replace|replaceAll|replaceFirst|toUpperCase|toLowerCase|concat|substring|repeat)$/],
  [/^Big(?:Decimal|Integer)$/, /^(?:add|subtract|multiply|divide|negate|setScale|abs|pow|mod|remainder)$/],
  [
    /^(?:Local(?:Date|Time|DateTime)|ZonedDateTime|OffsetDateTime|Instant|Duration|Period)$/,
    /^(?:plus|minus|with|truncatedTo|negated)\w*$/
  ]
]

type IsIdle = (file: SourceFile, tree: FlatTree, call: Call) => boolean

const isIdleScript: IsIdle = (_file, tree, { receiver, method, args }) => {
  if (receiver === null) return false
  if (/^(?:toUpperCase|toLowerCase)$/.test(method)) return args.length !== 1
  if (/^(?:padStart|padEnd)$/.test(method)) return true
  return (
    /^replace(?:All)?$/.test(method) &&
    args.length === 2 &&
    tree.is(args[0]!, "regex", "string") &&
    isText(tree, args[1])
  )
}

const pythonTime = /^(?:year|month|day|hour|minute|second|microsecond|tzinfo)$/

/** `replace` of a text takes no named argument; the one of a table may work in place. */
const isIdlePythonReplace = (tree: FlatTree, { args, named }: Call): boolean =>
  args.length === 2
    ? named.size === 0 && isText(tree, args[0]) && isText(tree, args[1])
    : args.length === 0 && named.size > 0 && [...named.keys()].every((name) => pythonTime.test(name))

const isIdlePython: IsIdle = (file, tree, call) => {
  const { receiver, method, callee, args, named } = call
  if (receiver === null) return /^(?:sorted|reversed)$/.test(callee) && args.length > 0
  // The text class of rich has methods of these names that work in place.
  if (/\bText\b/.test(file.text)) return false
  if (method === "replace") return isIdlePythonReplace(tree, call)
  if (/^(?:lower|upper)$/.test(method)) return named.size === 0 && args.length === 0
  return /^[lr]?strip$/.test(method) && named.size === 0 && (args.length === 0 || isText(tree, args[0]))
}

const isIdleJava: IsIdle = (file, tree, { receiver, receiverNode, method }) => {
  if (!tree.is(receiverNode, "identifier") || receiver === null) return false
  const type = declaredType(file, receiver)
  return type !== null && javaImmutable.some(([types, methods]) => types.test(type) && methods.test(method))
}

const isIdleCsharp: IsIdle = (file, tree, { receiver, receiverNode, method }) =>
  tree.is(receiverNode, "identifier") &&
  receiver !== null &&
  /^[sS]tring$/.test(declaredType(file, receiver) ?? "") &&
  /^(?:Trim\w*|Replace|ToUpper\w*|ToLower\w*|Substring|Insert|Remove|PadLeft|PadRight)$/.test(method)

const isIdleGo: IsIdle = (_file, _tree, { callee }) =>
  /^strings\.(?:Replace|ReplaceAll|Trim\w*|ToLower|ToUpper|Repeat|Title)$|^fmt\.(?:Sprintf|Errorf|Sprint)$|^errors\.New$/.test(
    callee
  )

const isIdlePhp: IsIdle = (_file, _tree, { callee }) =>
  /^\\?(?:str_replace|trim|rtrim|ltrim|strtolower|strtoupper|substr|ucfirst|array_merge|array_reverse|array_unique|htmlspecialchars|sprintf)$/.test(
    callee
  )

/** Whether a call has no effect but its return value. */
const isIdle: Partial<Record<SourceFile["language"], IsIdle>> = {
  typescript: isIdleScript,
  tsx: isIdleScript,
  javascript: isIdleScript,
  python: isIdlePython,
  java: isIdleJava,
  csharp: isIdleCsharp,
  go: isIdleGo,
  php: isIdlePhp
}

const calleeHints =
  /\.(?:toUpperCase|toLowerCase|pad(?:Start|End)|replace(?:All|First)?|l?r?strip|lower|upper|trim|concat|substring|plus|minus|with|add|subtract|multiply|Trim|Replace|ToUpper|ToLower|Substring|ToLowerInvariant)|sorted\(|reversed\(|strings\.|fmt\.|errors\.|str_replace|strto|array_|trim\(|sprintf|substr|htmlspecialchars|ucfirst/

/** `<?= f() ?>` prints what `f` returns. */
const isEchoed = (file: SourceFile, tree: FlatTree, node: number): boolean =>
  file.language === "php" && /<\?=\s*$/.test(file.text.slice(Math.max(0, tree.start(node) - 20), tree.start(node)))

const inspectCall = (file: SourceFile, tree: FlatTree, node: number, emit: Emit<RuleId>): void => {
  const head = file.text.slice(tree.start(node), Math.min(tree.end(node), tree.start(node) + 300))
  if (!calleeHints.test(head)) return
  const call = syntaxOf(file.language)?.callAt(tree, node) ?? null
  if (call === null || isIdle[file.language]?.(file, tree, call) !== true || isEchoed(file, tree, node)) return
  // In a `try`, calling it may be a way to find out whether it can be called.
  const holder = tree.enclosing(
    node,
    "try_statement",
    "function_definition",
    "method_definition",
    "function_declaration",
    "method_declaration",
    "arrow_function"
  )
  if (tree.is(holder, "try_statement")) return
  const message = `\`${call.callee.slice(0, 60)}\` returns the changed value and leaves the original unchanged; here the result is discarded.`
  emit({ rule: "result_ignored", ...spanOf(tree, node), message, identifiers: [call.method] })
}

const inspectComparison = (file: SourceFile, tree: FlatTree, node: number, emit: Emit<RuleId>): void => {
  const binary = binaryAt(tree, node)
  if (binary === null || !/^[=!]==?$/.test(binary.operator)) return
  if (!isScript(file) && file.language !== "python" && file.language !== "php") return
  const statement = tree.parent(node)
  // The value of the last expression of a block is shown in notebooks and consoles.
  if (file.language === "python" && !tree.is(tree.parent(statement), "block")) return
  if (tree.enclosing(node, "with_statement", "try_statement") !== NONE) return
  const message = `${quoted(tree, node)} compares and discards the result; an assignment, a return or an assertion was probably meant.`
  emit({ rule: "comparison_without_effect", ...spanOf(tree, node), message })
}

export const results: Check = {
  languages: languages("typescript", "tsx", "javascript", "python", "go", "java", "php", "csharp"),
  inspect: (file, tree, emit) => {
    for (const statement of tree.of("expression_statement")) {
      const first = tree.firstChild(statement)
      if (first === NONE) continue
      const node = bare(tree, first)
      inspectCall(file, tree, node, emit)
      inspectException(file, tree, node, emit)
      inspectComparison(file, tree, node, emit)
    }
  }
}
