import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { binaries } from "../../languages/code/binaries.ts"
import { declaredType } from "../../languages/code/declaredTypes.ts"
import { calls } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { bare } from "../../structure/sameCode.ts"
import { type Check, languages, quoted, spanOf } from "./Check.ts"
import type { RuleId } from "./rules.ts"

const boxes = /^(?:java\.lang\.)?(?:Integer|Long|Short|Byte|Character|Double|Float)$/

const isNewString = (tree: FlatTree, node: number): boolean =>
  tree.is(node, "object_creation_expression") && tree.textOf(tree.child(node, "type")) === "String"

/** Identity first and equality after it is a fast path, not a bug; so is code with a remark that it interns. */
const testsEquality = (file: SourceFile, tree: FlatTree, node: number): boolean => {
  let outer = node
  while (
    tree.is(
      tree.parent(outer),
      "binary_expression",
      "parenthesized_expression",
      "unary_expression",
      "ternary_expression"
    )
  )
    outer = tree.parent(outer)
  if (tree.end(outer) - tree.start(outer) < 2_000 && /\.equals\(|compare/.test(tree.textOf(outer))) return true
  const line = file.line(tree.start(node))
  return /intern|NOSONAR|SuppressWarnings|same (?:object|instance)/i.test(
    `${file.lineText(line - 1)} ${file.lineText(line)}`
  )
}

const nameIn = (tree: FlatTree, node: number, name: number): string =>
  `${tree.enclosing(node, "method_declaration", "constructor_declaration")} ${tree.textOf(name)}`

const computeInterned = (file: SourceFile): ReadonlyMap<string, number> => {
  const tree = file.tree!
  const found = new Map<string, number>()
  for (const set of file.text.includes(".intern()") ? tree.of("assignment_expression") : []) {
    if (!tree.textOf(tree.child(set, "right")).endsWith(".intern()")) continue
    const name = nameIn(tree, set, tree.child(set, "left"))
    if (!found.has(name)) found.set(name, tree.end(set))
  }
  return found
}

/** `name = name.intern()` earlier in the same method: then there is one object for each text. */
const isInterned = (file: SourceFile, tree: FlatTree, node: number): boolean => {
  if (!tree.is(node, "identifier")) return false
  const end = file.memo(computeInterned, computeInterned).get(nameIn(tree, node, node))
  return end !== undefined && end < tree.start(node)
}

const inspectIdentity = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const { node, left, operator, right } of binaries(file)) {
    if (operator !== "==" && operator !== "!=") continue
    const [a, b] = [bare(tree, left), bare(tree, right)]
    const hasText = [a, b].filter((n) => tree.is(n, "string_literal") || isNewString(tree, n)).length
    if (hasText === 1 && !tree.is(a, "null_literal") && !tree.is(b, "null_literal")) {
      if (testsEquality(file, tree, node) || isInterned(file, tree, a) || isInterned(file, tree, b)) continue
      const message = `${quoted(tree, node)} tests whether both operands are the same object; strings with the same text usually are not. Use \`equals\`.`
      emit({ rule: "string_identity", ...spanOf(tree, node), message })
      continue
    }
    const type = commonBox(file, tree, a, b)
    if (type === null || testsEquality(file, tree, node)) continue
    const message = `${quoted(tree, node)} compares two \`${type}\` objects by reference, which works only for small values from the cache. Use \`equals\`.`
    emit({ rule: "boxed_identity", ...spanOf(tree, node), message, identifiers: [tree.textOf(a), tree.textOf(b)] })
  }
}

/** The boxed type that two variables are both declared with; null otherwise. */
const commonBox = (file: SourceFile, tree: FlatTree, a: number, b: number): string | null => {
  if (!tree.is(a, "identifier") || !tree.is(b, "identifier")) return null
  const type = declaredType(file, tree.textOf(a))
  return type !== null && boxes.test(type) && type === declaredType(file, tree.textOf(b)) ? type : null
}

const numberLiterals = /^(?:decimal_integer|hex_integer|decimal_floating_point)_literal$/

/** Literals that a type's equals() never accepts. */
const neverEqual = (type: string, literalKind: string, text: string): boolean => {
  switch (type) {
    case "String":
      return (
        numberLiterals.test(literalKind) ||
        literalKind === "character_literal" ||
        literalKind === "true" ||
        literalKind === "false"
      )
    case "Long":
      return literalKind === "string_literal" || (numberLiterals.test(literalKind) && !/[lL]$/.test(text))
    case "Integer":
      return (
        literalKind === "string_literal" ||
        literalKind === "character_literal" ||
        (numberLiterals.test(literalKind) && /[lLdDfF.]/.test(text))
      )
    case "Character":
      return literalKind === "string_literal" || numberLiterals.test(literalKind)
    case "StringBuilder":
    case "StringBuffer":
      return literalKind === "string_literal"
    default:
      return false
  }
}

const receiverType = (file: SourceFile, tree: FlatTree, receiver: number): string | null => {
  if (tree.is(receiver, "string_literal")) return "String"
  return tree.is(receiver, "identifier") ? declaredType(file, tree.textOf(receiver)) : null
}

const inspectEquals = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const { node, method, receiverNode, args } of calls(file)) {
    if (method !== "equals" || args.length !== 1 || receiverNode === NONE) continue
    const type = receiverType(file, tree, receiverNode)
    if (type === null) continue
    const argument = args[0]!
    if (neverEqual(type, tree.kind(argument), tree.textOf(argument))) {
      const message = `A \`${type}\` never equals ${quoted(tree, argument)}, which is of another type, so ${quoted(tree, node)} is always false.`
      emit({ rule: "equals_between_types", ...spanOf(tree, node), message })
    } else if (
      type.endsWith("[]") &&
      tree.is(argument, "identifier") &&
      (declaredType(file, tree.textOf(argument)) ?? "").endsWith("[]")
    ) {
      const message = `${quoted(tree, node)} compares two arrays by reference, not their elements. Use \`Arrays.equals\`.`
      emit({ rule: "equals_between_types", ...spanOf(tree, node), message })
    }
  }
}

export const java: Check = {
  languages: languages("java"),
  inspect: (file, tree, emit) => {
    inspectIdentity(file, tree, emit)
    if (file.text.includes(".equals(")) inspectEquals(file, tree, emit)
  }
}
