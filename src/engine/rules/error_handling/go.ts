import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { hasReason, isCommented } from "./comments.ts"
import type { RuleId } from "./rules.ts"

/** Calls whose last result is an error, and whose effect the code afterwards relies on. */
const effectful =
  /^(?:(?:json|xml|yaml|toml|proto|bson|msgpack|asn1)\.Unmarshal|(?:os|ioutil)\.WriteFile|os\.(?:Rename|Truncate|Link|CopyFS)|http\.(?:ListenAndServe(?:TLS)?|Serve)|binary\.Read|(?:\w+\.)*tx\.Commit|(?:json|xml|gob|yaml)\.NewDecoder\(.{1,200}\)\.Decode|(?:\w+\.)*(?:row|rows)\.Scan|gob\.NewEncoder\(.{1,200}\)\.Encode)$/
/** The few calls after which `_ =` is not a decision but a loss. */
const decisive = /^(?:(?:\w+\.)*tx\.Commit|(?:os|ioutil)\.WriteFile)$/
const hasSqlTransactions = /"(?:database\/sql|github\.com\/jmoiron\/sqlx|github\.com\/jackc\/pgx[\w/.]*)"/
/** Calls whose first result is nil or empty when the error is not. */
const getting =
  /^(?:http\.(?:Get|Post|PostForm|Head)|os\.(?:Open|Create|OpenFile|ReadFile|ReadDir)|ioutil\.(?:ReadFile|ReadAll|ReadDir)|io\.ReadAll|sql\.Open|(?:\w+\.)*(?:db|tx)\.(?:Query|QueryContext|Exec|ExecContext|Begin|BeginTx)|net\.(?:Dial|DialTimeout|Listen)|tls\.(?:Dial|LoadX509KeyPair)|(?:\w+\.)*(?:client|httpClient|http\.DefaultClient)\.Do|grpc\.Dial|x509\.(?:ParseCertificate|ParsePKCS1PrivateKey|ParsePKCS8PrivateKey)|zip\.OpenReader|gzip\.NewReader)$/

const calleeOf = (tree: FlatTree, node: number): string =>
  tree.is(node, "call_expression") ? tree.textOf(tree.child(node, "function")).slice(0, 300).replace(/\s+/g, "") : ""

const isExplained = (file: SourceFile, node: number): boolean => {
  const tree = file.tree!
  return hasReason(file, tree.start(node), tree.start(node), tree.end(node))
}

const parts = (tree: FlatTree, list: number): ReadonlyArray<number> =>
  tree.is(list, "expression_list") ? tree.namedChildren(list) : [list]

/** Tidying up after another error, or a helper that runs beside the program. */
const isSecondary = (tree: FlatTree, node: number): boolean => {
  for (let up = tree.parent(node); up !== NONE; up = tree.parent(up)) {
    if (tree.is(up, "go_statement", "defer_statement")) return true
    if (tree.is(up, "if_statement") && /\berr\w*\s*!=\s*nil/i.test(tree.textOf(tree.child(up, "condition"))))
      return true
    if (tree.is(up, "function_declaration", "method_declaration")) break
  }
  return /"\/(?:proc|sys)\//.test(tree.textOf(node))
}

const inspectStatements = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const node of tree.of("expression_statement")) {
    const call = tree.namedChildren(node)[0] ?? NONE
    const callee = calleeOf(tree, call)
    if (!effectful.test(callee) || isExplained(file, node) || isSecondary(tree, node)) continue
    if (callee.endsWith(".Commit") && !hasSqlTransactions.test(file.text)) continue
    emit({
      rule: "ignored_error",
      start: tree.start(node),
      end: tree.end(node),
      message: `The error that \`${callee}\` returns is not checked.`
    })
  }
}

/** A value that is compared with nil, or whose length is, has been checked. */
const isChecked = (file: SourceFile, tree: FlatTree, node: number, name: string): boolean =>
  new RegExp(`\\b${name}\\s*(?:==|!=)\\s*nil|len\\(${name}\\)`).test(
    file.text.slice(tree.end(node), tree.end(node) + 300)
  )

/** A constructor of readers of a text in memory, also around one: reading such a reader does not fail. */
const ofMemory = /\b(?:strings\.NewReader|bytes\.New(?:Reader|Buffer|BufferString))\(/

/** The variables of a function that hold nothing but such readers. */
const memoryReadersIn = (file: SourceFile, fn: number): ReadonlySet<string> => {
  const tree = file.tree!
  const found = new Set<string>()
  const others = new Set<string>()
  for (const one of tree.within(fn, "short_var_declaration", "assignment_statement")) {
    const isOne = ofMemory.test(tree.textOf(tree.child(one, "right")))
    ;(isOne ? found : others).add(tree.textOf(tree.child(one, "left")))
  }
  for (const name of others) found.delete(name)
  return found
}

const readsMemory = (file: SourceFile, tree: FlatTree, call: number): boolean => {
  const source = tree.namedChildren(tree.child(call, "arguments"))[0] ?? NONE
  if (!tree.is(source, "identifier")) return ofMemory.test(tree.textOf(source))
  const fn = tree.enclosing(call, "function_declaration", "method_declaration", "func_literal")
  return fn !== NONE && file.memoAt(fn, memoryReadersIn).has(tree.textOf(source))
}

/** What a failed answer says only adds to an error that is reported anyway. */
const describesFailure = (tree: FlatTree, node: number): boolean => {
  for (let up = tree.parent(node); up !== NONE; up = tree.parent(up)) {
    if (tree.is(up, "if_statement") && /\.StatusCode\b/.test(tree.textOf(tree.child(up, "condition"))))
      return /\breturn\b[^\n]*(?:[Ee]rr|fmt\.)/.test(tree.textOf(tree.child(up, "consequence")))
    if (tree.is(up, "function_declaration", "method_declaration"))
      return /Err(?:or)?(?![a-z])/.test(tree.textOf(tree.child(up, "name")))
  }
  return false
}

const inspectBlank = (file: SourceFile, tree: FlatTree, node: number, emit: Emit<RuleId>): void => {
  const targets = parts(tree, tree.child(node, "left")).map((target) => tree.textOf(target))
  const values = parts(tree, tree.child(node, "right"))
  if (values.length !== 1 || targets.at(-1) !== "_") return
  const callee = calleeOf(tree, values[0]!)
  const isBlank = targets.every((target) => target === "_")
  if (!(isBlank ? decisive : getting).test(callee) || isExplained(file, node) || isSecondary(tree, node)) return
  if (callee.endsWith(".Commit") && !hasSqlTransactions.test(file.text)) return
  if (callee.endsWith(".ReadAll") && (readsMemory(file, tree, values[0]!) || describesFailure(tree, node))) return
  const name = targets[0]!
  if (!isBlank && isChecked(file, tree, node, name)) return
  const outcome = isBlank ? "and the code relies on its effect" : `and \`${name}\` is used without a check`
  emit({
    rule: isBlank ? "discarded_error" : "ignored_error",
    start: tree.start(node),
    end: tree.end(node),
    message: `The error that \`${callee}\` returns is discarded, ${outcome}.`
  })
}

const inspectBlanks = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const node of tree.of("short_var_declaration", "assignment_statement")) inspectBlank(file, tree, node, emit)
}

/** Statement that sets `err` from a call, as a statement of its own. */
const setsError = (tree: FlatTree, statement: number): boolean => {
  if (!tree.is(statement, "short_var_declaration", "assignment_statement")) return false
  const left = parts(tree, tree.child(statement, "left"))
  const right = parts(tree, tree.child(statement, "right"))
  return (
    right.length === 1 &&
    tree.is(right[0]!, "call_expression") &&
    left.some((target) => tree.is(target, "identifier") && tree.textOf(target) === "err")
  )
}

const mentions = (tree: FlatTree, node: number): boolean => {
  // A bare `return` gives back the named results, this one among them.
  if ([...tree.within(node, "return_statement")].some((one) => tree.namedChildren(one).length === 0)) return true
  const text = tree.textOf(node)
  if (!text.includes("err")) return false
  return [...tree.within(node, "identifier")].some((one) => tree.textOf(one) === "err")
}

/** Labels, jumps and deferred functions are not followed. */
const jumps = ["return_statement", "labeled_statement", "goto_statement", "defer_statement"]

/** `path, err := find(…); if len(path) > 0`: another result of the call says whether it succeeded. */
const asksOtherResult = (tree: FlatTree, pending: number, statement: number): boolean => {
  if (pending === NONE || !tree.is(statement, "if_statement")) return false
  const others = parts(tree, tree.child(pending, "left"))
    .map((target) => tree.textOf(target))
    .filter((name) => name !== "err" && name !== "_")
  const condition = tree.child(statement, "condition")
  return [...tree.within(condition, "identifier")].some((one) => others.includes(tree.textOf(one)))
}

const reportOverwrite = (tree: FlatTree, statement: number, emit: Emit<RuleId>): void => {
  const callee = calleeOf(tree, parts(tree, tree.child(statement, "right"))[0]!).slice(0, 80)
  emit({
    rule: "overwritten_error",
    start: tree.start(statement),
    end: tree.end(statement),
    message: `The \`err\` that \`${callee}\` returns is overwritten before it is checked.`
  })
}

const inspectOverwrites = (tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const list of tree.of("statement_list")) {
    let pending = NONE
    for (const statement of tree.namedChildren(list)) {
      if (setsError(tree, statement)) {
        const isOverwritten = pending !== NONE && !mentions(tree, tree.child(statement, "right"))
        if (isOverwritten) reportOverwrite(tree, pending, emit)
        pending = statement
      } else if (tree.is(statement, ...jumps) || mentions(tree, statement) || asksOtherResult(tree, pending, statement))
        pending = NONE
    }
  }
}

const inspectEmptyChecks = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const node of tree.of("if_statement")) {
    const block = tree.child(node, "consequence")
    if (tree.end(block) - tree.start(block) > 60 || tree.namedChildren(block).length > 0) continue
    const condition = tree.child(node, "condition")
    if (!/^\w*[eE]rr\s*!=\s*nil$/.test(tree.textOf(condition)) || tree.child(node, "alternative") !== NONE) continue
    const end = tree.end(block)
    if (isExplained(file, node) || isCommented(file, tree.start(block), end)) continue
    emit({
      rule: "empty_handler",
      start: tree.start(node),
      end: tree.start(block),
      message: "The error is checked, but the branch that handles it is empty."
    })
  }
}

export const inspectGo = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree
  if (tree === null) return
  inspectStatements(file, tree, emit)
  inspectBlanks(file, tree, emit)
  if (file.text.includes("err")) {
    inspectOverwrites(tree, emit)
    inspectEmptyChecks(file, tree, emit)
  }
}
