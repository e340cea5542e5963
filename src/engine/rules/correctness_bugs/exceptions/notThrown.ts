import { escape as escapeRegExp } from "effect/RegExp"
import type { SourceFile } from "../../../core/files/SourceFile.ts"
import type { Emit, Match } from "../../../core/tool/AuditTool.ts"
import { commentAbove } from "../../../languages/code/commentAbove.ts"
import { functions } from "../../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../../languages/tree/FlatTree.ts"
import { spanOf } from "../Check.ts"
import type { RuleId } from "../rules.ts"
import { isExceptionName, isSeenAsException } from "./names.ts"
import { neverRuns, type SharedBranch, sharedBranchAt } from "./sharedBranches.ts"

const functionNames = (file: SourceFile): ReadonlySet<string> =>
  new Set(functions(file).flatMap(({ name }) => name ?? []))

/** In Python a call of a function looks like the creation of an object. */
const isOwnFunction = (file: SourceFile, name: string): boolean => file.memo(functionNames, functionNames).has(name)

/** `Log.FatalError(…)`: a member of a class is a method more often than an exception that is declared in it. */
const ofClass = /(?:^|\.)[A-Z]\w*\.\w+$/

/** How sure it is that a name that ends like an exception's is one: a dialog may be called `DialogError`, too. */
const UNSEEN = 0.6

/** A class of this file that is no exception, by what it extends. */
const isOtherClass = (file: SourceFile, name: string): boolean => {
  const declared = new RegExp(`\\bclass\\s+${escapeRegExp(name.split(".").at(-1)!)}\\b([^{]{0,300})`).exec(file.text)
  return declared !== null && !/(?:Error|Exception|Throwable|Warning)\b/.test(declared[1]!)
}

/** Some exceptions log by their constructor, and who creates one for that says so above it. */
const createdForItself = /\b(?:construct\w*|log(?:s|ged|ging)?|side[- ]effects?|not thrown)\b/i

/** How often such a report is right where valid values come to the branch, too: something is wrong there, but to throw is not the fix. */
const SHARED = 0.75

const consequences: Readonly<Record<SharedBranch, (toThrow: string) => string>> = {
  earlier: (toThrow) =>
    `it has no effect. Values that an earlier condition accepts come to this branch, too: make it one chain of conditions before you ${toThrow} it.`,
  search: (toThrow) =>
    `it has no effect. Every element that is not the one sought comes to this branch: ${toThrow} it after the loop if nothing was found.`,
  continues: () => "it has no effect, and the loop continues with the next element. Log it, or remove it.",
  computed: (toThrow) =>
    `it has no effect. What was computed before comes to this branch, too: test the other condition by itself before you ${toThrow} it.`,
  marked: () => "it has no effect, and what the next statement sets says that something failed. Remove it.",
  answered: () => "it has no effect, and the next statement answers that something failed. Remove it.",
  opened: () => "it has no effect. What opens the file below fails with the same error: remove it."
}

/** An exception without a message is created to load its class ahead of time: `new Error()`, `new LineError("", 1)`. */
const withoutMessage = /\((?:(?:""|''|null)(?:,\s*(?:""|''|null|\d+))*)?\)$/

const MAX_HEAD = 300

/** `LookupError(message)` in the constructor of a class that derives from it: meant is the constructor of the base. */
const isOwnBase = (tree: FlatTree, node: number, name: string): boolean => {
  const holder = tree.enclosing(node, "function_definition")
  if (holder === NONE || tree.textOf(tree.child(holder, "name")) !== "__init__") return false
  const bases = tree.child(tree.enclosing(holder, "class_definition"), "superclasses")
  return bases !== NONE && new RegExp(`\\b${escapeRegExp(name)}\\b`).test(tree.textOf(bases).slice(0, MAX_HEAD))
}

/** What is not there yet, which needs no message: `NotImplementedError()`. */
const ofMissing = /(?:^|\.)(?:NotImplemented|UnsupportedOperation|NotSupported)(?:Error|Exception)$/
const branches = ["if_statement", "elif_clause", "else_clause", "catch_clause", "except_clause"]

/** Alone in a branch, where nothing else says what happens in that case, an exception is meant to be thrown even without a message. */
const isMeant = (tree: FlatTree, node: number, name: string): boolean => {
  const statement = tree.parent(node)
  const block = tree.parent(statement)
  const isAlone = tree.namedChildren(block).filter((one) => !tree.isComment(one)).length === 1
  if (tree.is(block, ...branches)) return tree.fieldOf(statement) !== "condition"
  return isAlone && (ofMissing.test(name) || tree.is(tree.parent(block), ...branches))
}

/** `new Error("…");` as a statement: it is not thrown. */
export const inspectException = (file: SourceFile, tree: FlatTree, node: number, emit: Emit<RuleId>): void => {
  const isNew = tree.is(node, "new_expression", "object_creation_expression")
  const isPythonCall = file.language === "python" && tree.is(node, "call")
  if (!isNew && !isPythonCall) return
  const type = isPythonCall
    ? tree.child(node, "function")
    : tree.child(node, "constructor") !== NONE
      ? tree.child(node, "constructor")
      : (tree.namedChildren(node)[0] ?? NONE)
  const name = tree.textOf(type)
  if (
    !isExceptionName(file, name) ||
    (isPythonCall && (isOwnFunction(file, name) || (ofClass.test(name) && !isSeenAsException(file, name)))) ||
    (!isPythonCall && isOtherClass(file, name)) ||
    (withoutMessage.test(tree.textOf(node).slice(-60)) && !isMeant(tree, node, name)) ||
    createdForItself.test(commentAbove(file, tree.start(node))) ||
    isOwnBase(tree, node, name) ||
    neverRuns(tree, node)
  )
    return
  emit({
    rule: "exception_not_thrown",
    ...spanOf(tree, node),
    identifiers: [name],
    ...claimOf(file, name, sharedBranchAt(file, tree, node, name))
  })
}

/** What is claimed of an exception that is not thrown, and how sure that is where something speaks against it. */
const claimOf = (
  file: SourceFile,
  name: string,
  shared: SharedBranch | null
): Pick<Match, "message" | "confidence"> => {
  const [thrown, toThrow] = file.language === "python" ? (["raised", "raise"] as const) : (["thrown", "throw"] as const)
  const consequence = shared === null ? "execution continues as if nothing had failed." : consequences[shared](toThrow)
  const message = `\`${name}\` is created here and not ${thrown}, so ${consequence}`
  const sure = Math.min(isSeenAsException(file, name) ? 1 : UNSEEN, shared === null ? 1 : SHARED)
  return sure < 1 ? { message, confidence: sure } : { message }
}
