import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { declaredType } from "../../languages/code/declaredTypes.ts"
import { calls } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { bare } from "../../structure/sameCode.ts"
import { type Check, languages, quoted, spanOf } from "./Check.ts"
import type { RuleId } from "./rules.ts"

const inspectOptionals = (tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const node of tree.of("null_literal")) {
    if (!tree.is(tree.parent(node), "return_statement")) continue
    const method = tree.enclosing(node, "method_declaration", "lambda_expression", "class_body")
    if (
      !tree.is(method, "method_declaration") ||
      !/^(?:java\.util\.)?Optional(?:<|$)/.test(tree.textOf(tree.child(method, "type")))
    )
      continue
    const name = tree.textOf(tree.child(method, "name"))
    const message = `\`${name}\` returns an \`Optional\`, so callers do not expect null; return \`Optional.empty()\`.`
    emit({
      rule: "null_optional",
      ...spanOf(tree, tree.parent(node)),
      message,
      identifiers: [name],
      noun: `\`${name}\``
    })
  }
}

const shared = /^(?:Integer|Long|Short|Byte|Character|Boolean|Double|Float|String)$/

const inspectLocks = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const node of tree.of("synchronized_statement").subarray(0, 200)) {
    const lock = bare(tree, tree.namedChildren(node)[0] ?? NONE)
    const type = tree.is(lock, "string_literal")
      ? "String"
      : declaredType(file, tree.textOf(lock).replace(/^this\./, ""))
    if (type === null || !shared.test(type) || isOwnString(file, tree, lock)) continue
    const message = `${quoted(tree, lock)} is a \`${type}\`, of which unrelated code may hold the same object, and which an assignment replaces.`
    emit({ rule: "lock_on_value", ...spanOf(tree, lock), message })
  }
}

/** `new String()` and `x.intern()` give an object whose identity is meant. */
const isOwnString = (file: SourceFile, tree: FlatTree, lock: number): boolean =>
  tree.is(lock, "identifier") &&
  new RegExp(`\\b${tree.textOf(lock)}\\s*=\\s*(?:new\\s+String\\(|[^;\\n]*\\.intern\\(\\))`).test(file.text)

const inspectHashes = (tree: FlatTree, emit: Emit<RuleId>): void => {
  const named = [...tree.of("method_declaration")].filter((n) => tree.textOf(tree.child(n, "name")) === "equals")
  for (const method of named.slice(0, 100)) {
    if (tree.textOf(tree.child(method, "name")) !== "equals" || tree.child(method, "body") === NONE) continue
    const parameters = tree.namedChildren(tree.child(method, "parameters"))
    const owner = tree.parent(tree.parent(method))
    if (
      parameters.length !== 1 ||
      !/^(?:final\s+)?(?:@\w+\s+)?(?:java\.lang\.)?Object\b/.test(tree.textOf(parameters[0]!))
    )
      continue
    if (!tree.is(owner, "class_declaration") || tree.child(owner, "superclass") !== NONE) continue
    const siblings = tree.namedChildren(tree.child(owner, "body")).map((n) => tree.textOf(tree.child(n, "name")))
    if (siblings.includes("hashCode") || /hashCode|UnsupportedOperation/.test(tree.textOf(tree.child(method, "body"))))
      continue
    const header = tree.text.slice(tree.start(owner), tree.start(tree.child(owner, "body")))
    if (/@(?:EqualsAndHashCode|Data|Value)\b|\babstract\b|Comparator</.test(header)) continue
    const name = tree.textOf(tree.child(owner, "name"))
    const message = `\`${name}\` overrides \`equals\` but not \`hashCode\`, so equal objects are not found in hash maps and sets.`
    emit({
      rule: "equals_without_hash_code",
      ...spanOf(tree, tree.child(method, "name")),
      message,
      identifiers: [name],
      noun: `\`${name}\``
    })
  }
}

export const javaChecks: Check = {
  languages: languages("java"),
  inspect: (file, tree, emit) => {
    if (file.text.includes("Optional")) inspectOptionals(tree, emit)
    inspectLocks(file, tree, emit)
    if (file.text.includes(" equals(")) inspectHashes(tree, emit)
  }
}

const positions = /^\\?(?:strpos|stripos|strrpos|mb_strpos|mb_stripos)$/

export const phpChecks: Check = {
  languages: languages("php"),
  inspect: (file, tree, emit) => {
    for (const { node, callee } of calls(file)) {
      if (!positions.test(callee)) continue
      const parent = tree.parent(node)
      const isNegated = tree.is(parent, "unary_op_expression") && tree.textOf(parent).startsWith("!")
      const isCondition =
        tree.is(parent, "parenthesized_expression") &&
        tree.is(tree.parent(parent), "if_statement", "while_statement", "else_if_clause")
      const isLoose =
        tree.is(parent, "binary_expression") &&
        /^\s*[!=]=\s*false$|^false\s*[!=]=\s*$/i.test(tree.textOf(parent).replace(tree.textOf(node), ""))
      if (!isNegated && !isCondition && !isLoose) continue
      const message = `\`${callee}\` returns 0 where the text is found at the beginning, which counts as false here; compare with \`!== false\`.`
      emit({ rule: "position_as_boolean", ...spanOf(tree, node), message, identifiers: [callee.replace("\\", "")] })
    }
  }
}

/** `{ let _ = lock.lock(); }` waits until others are done: nothing follows that the lock could guard. */
const isLastOfBlock = (tree: FlatTree, node: number): boolean => {
  for (let next = tree.nextSibling(node); next !== NONE; next = tree.nextSibling(next))
    if (tree.isNamed(next) && !tree.isComment(next)) return false
  return true
}

export const rustChecks: Check = {
  languages: languages("rust"),
  inspect: (file, tree, emit) => {
    if (!file.text.includes(".lock()")) return
    for (const node of tree.of("let_declaration")) {
      const text = tree.textOf(node)
      if (
        text.length > 200 ||
        !/^let\s+_\s*=\s*[^;{]*\.lock\(\)(?:\.await)?(?:\.(?:unwrap|expect)\([^().;]*\)|\?)?;$/.test(text)
      )
        continue
      if (isLastOfBlock(tree, node)) continue
      const message = `\`_\` keeps nothing, so the lock of ${quoted(tree, node)} is released at once; bind it to \`_guard\`.`
      emit({ rule: "lock_dropped_at_once", ...spanOf(tree, node), message })
    }
  }
}
