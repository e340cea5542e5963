import type { SourceFile } from "../../../core/files/SourceFile.ts"
import type { Emit } from "../../../core/tool/AuditTool.ts"
import type { Analysis, State } from "../../../languages/native/Analysis.ts"
import { type Declared, type NativeFunction, plain } from "../../../languages/native/functions.ts"
import { neverReturns } from "../../../languages/native/noReturn.ts"
import { walkPaths } from "../../../languages/native/paths.ts"
import { assignedName, calledName, followedVariables, nullTest } from "../../../languages/native/variables.ts"
import { declaredName } from "../../../languages/syntax/c.ts"
import { functions } from "../../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../../languages/tree/FlatTree.ts"
import { quoted } from "../Check.ts"
import type { RuleId } from "../rules.ts"
import { nativeMatch } from "./CallSite.ts"

const UNSET = 1
const FREED = 2
const NULL = 4
/** From an allocator that returns NULL when memory is exhausted, not compared yet. */
const FRESH = 8
const OTHER = 16

const arithmetic =
  /^(?:(?:const|volatile|register|unsigned|signed|long|short) ?)*(?:int|char|long|short|unsigned|signed|float|double|bool|_Bool|s?size_t|off_t|time_t|pid_t|u?int(?:8|16|32|64|ptr|max)_t|u_int\d*)?$/

const releases = /^(?:free|cfree|kfree|kvfree|vfree|fclose|closedir|pclose)$/
const allocators = /^(?:malloc|calloc|strdup|strndup)$/
const asserting = /assert|ASSERT|^(?:(?:[A-Z\d]+_)*D?CHECK\w*|BUG_ON|REQUIRE|INSIST|ENSURE)$/

const library =
  /^(?:str(?:len|n?cpy|n?cat|n?cmp|n?casecmp|r?chr|str|dup|tol|toul)|mem(?:cpy|move|set|cmp|chr)|f?puts|fwrite|fread|write|read|send|recv|unlink|open|fopen|atoi)$/

const isFollowed = ({ name, type, pointers, isArray }: Declared): boolean =>
  !isArray && !/^(?:bool|int|char)$/.test(name) && (pointers > 0 || (type !== "" && arithmetic.test(type)))

/** Words of the file's macros, each between blanks: what they name they may assign. */
const macroWords = (file: SourceFile): string => {
  const tree = file.tree!
  const values = [...tree.of("preproc_def", "preproc_function_def")].map((node) =>
    tree.textOf(tree.child(node, "value"))
  )
  return ` ${values.join(" ").replace(/\W+/g, "  ")} `
}

/** Names of the file's macros that make names of what they are given, each between blanks. */
const pastingMacros = (file: SourceFile): string => {
  const tree = file.tree!
  const names = [...tree.of("preproc_function_def")]
    .filter((node) => tree.textOf(tree.child(node, "value")).includes("##"))
    .map((node) => tree.textOf(tree.child(node, "name")))
  return ` ${names.join("  ")} `
}

/** `#define malloc(n) checked(n)`: what the file calls so is another function. */
const definesAllocators = (file: SourceFile): boolean =>
  /^[ \t]*#[ \t]*define[ \t]+(?:malloc|calloc|strdup|strndup)\b/m.test(file.text)

const namesOf = (file: SourceFile): ReadonlySet<string> => new Set(functions(file).map(({ name }) => name ?? ""))

/** Names that code assigns, or hands to what may be a macro that assigns them. */
const changedIn = (tree: FlatTree, node: number): ReadonlySet<string> => {
  const names = new Set<string>()
  for (const one of tree.within(node, "assignment_expression", "update_expression")) {
    const target = tree.child(one, tree.is(one, "update_expression") ? "argument" : "left")
    if (tree.is(target, "identifier")) names.add(tree.textOf(target))
  }
  for (const list of tree.within(node, "argument_list")) {
    for (const argument of tree.namedChildren(list))
      if (tree.is(argument, "identifier")) names.add(tree.textOf(argument))
  }
  return names
}

/**
 * By a name, from where on some configuration of the function may have assigned it: only the text holds the branches of
 * `#if` that are left out.
 */
const assignedInConfigurations = (tree: FlatTree, body: number): ReadonlyMap<string, number> => {
  const start = tree.start(body)
  const text = tree.text.slice(start, tree.end(body))
  const first = text.search(/^[ \t]*#[ \t]*(?:if|else)/m)
  const found = new Map<string, number>()
  if (first < 0) return found
  for (const { 1: name, index } of text.matchAll(/\b(\w+)\s*=[^=]/g))
    if (!found.has(name!)) found.set(name!, start + Math.max(first, index))
  return found
}

/** Reported for a variable once: what follows a mistake follows from it. */
class Memory implements Analysis {
  private readonly tree: FlatTree
  private readonly followed: ReadonlyMap<string, Declared>
  private readonly emit: Emit<RuleId>
  private readonly isCpp: boolean
  private readonly own: ReadonlySet<string>
  private readonly macros: string
  private readonly body: number
  private readonly pasting: string
  private readonly redefinesAllocators: boolean
  private configured: ReadonlyMap<string, number> | undefined

  constructor(file: SourceFile, body: number, followed: ReadonlyMap<string, Declared>, emit: Emit<RuleId>) {
    this.tree = file.tree!
    this.followed = followed
    this.emit = emit
    this.isCpp = file.language === "cpp"
    this.own = file.memo(namesOf, namesOf)
    this.macros = file.memo(macroWords, macroWords)
    this.body = body
    this.redefinesAllocators = file.memo(definesAllocators, definesAllocators)
    this.pasting = file.memo(pastingMacros, pastingMacros)
  }

  private set(state: State, name: string | null, bits: number): State {
    if (name === null || !this.followed.has(name) || state.get(name) === bits) return state
    return new Map(state).set(name, bits)
  }

  declare(state: State, declarator: number): State {
    const node = declaredName(this.tree, declarator)
    if (node === NONE) return state
    // `Lock held(mutex);` reads like a function's declaration and makes an object.
    const isMade = this.tree.is(declarator, "function_declarator")
    return this.set(state, this.tree.textOf(node), isMade ? OTHER : UNSET)
  }

  assign(state: State, target: number, value: number): State {
    const { tree } = this
    const isDeclarator = tree.kind(target).endsWith("declarator")
    const node = isDeclarator ? declaredName(tree, target) : plain(tree, target)
    if (!tree.is(node, "identifier")) return state
    return this.set(state, tree.textOf(node), this.bitsOf(state, value))
  }

  private bitsOf(state: State, value: number): number {
    const { tree } = this
    const at = plain(tree, value)
    if (tree.is(at, "null")) return NULL
    if (allocators.test(calledName(tree, at))) return this.redefinesAllocators ? OTHER : FRESH
    const name = assignedName(tree, at)
    const known = name === null ? undefined : state.get(name)
    return known === FREED || known === NULL || known === FRESH ? known : OTHER
  }

  read(state: State, node: number): State {
    const { tree } = this
    const name = tree.textOf(node)
    const bits = state.get(name)
    if (bits === undefined || bits === OTHER) return state
    const parent = tree.parent(node)
    if (bits === UNSET) return this.readUnset(state, node, parent)
    if (bits === FRESH && this.isTested(parent)) return this.set(state, name, OTHER)
    const access = this.accessOf(node, parent)
    if (access === NONE) return state
    if (bits === FREED) {
      const message = `\`${name}\` was freed on every path to here, and ${quoted(tree, access)} uses what it pointed to.`
      this.emit(nativeMatch(tree, access, { rule: "use_after_free", message, noun: `\`${name}\`` }))
    } else if (bits === NULL) {
      const message = `\`${name}\` is null on every path to here, and ${quoted(tree, access)} accesses what it points to.`
      this.emit(nativeMatch(tree, access, { rule: "null_dereference", message, noun: `\`${name}\`` }))
    } else if (bits === FRESH) {
      const message = `\`${name}\` was just allocated and is null when memory is exhausted; ${quoted(tree, access)} accesses it without a comparison.`
      this.emit(nativeMatch(tree, access, { rule: "unchecked_allocation", message, noun: `\`${name}\`` }))
    }
    return bits === FREED || bits === NULL || bits === FRESH ? this.set(state, name, OTHER) : state
  }

  /** Its value is compared, in a condition or for later: `ok = p != NULL`, `CHECK(p && q)`. */
  private isTested(parent: number): boolean {
    const operator = this.tree.textOf(this.tree.child(parent, "operator"))
    if (this.tree.is(parent, "binary_expression")) return /^(?:[!=]=|&&|\|\|)$/.test(operator)
    return this.tree.is(parent, "unary_expression") && operator === "!"
  }

  private readUnset(state: State, node: number, parent: number): State {
    const { tree } = this
    const name = tree.textOf(node)
    const after = this.set(state, name, OTHER)
    if (!this.isPlainRead(node, parent)) return after
    const message = `\`${name}\` has no value yet on any path to here, so ${quoted(tree, parent)} depends on what was in memory.`
    this.emit(nativeMatch(tree, node, { rule: "uninitialized_variable", message, noun: `\`${name}\`` }))
    return after
  }

  /** A macro may assign what it is given, and `int x = x` and `(void)x` are ways to quiet compilers. */
  private isPlainRead(node: number, parent: number): boolean {
    const { tree } = this
    if (!/_expression$|^return_statement$/.test(tree.kind(parent))) return false
    if (tree.is(parent, "cast_expression", "comma_expression") || tree.enclosing(node, "argument_list") !== NONE)
      return false
    if (tree.is(parent, "parenthesized_expression") && !/_statement$|_expression$/.test(tree.kind(tree.parent(parent))))
      return false
    if (this.isCpp && tree.is(parent, "binary_expression") && tree.textOf(tree.child(parent, "operator")) === ">>")
      return false
    if (this.macros.includes(` ${tree.textOf(node)} `)) return false
    this.configured ??= assignedInConfigurations(tree, this.body)
    const assigned = this.configured.get(tree.textOf(node))
    return assigned === undefined || assigned >= tree.start(node)
  }

  /** The access to what a pointer points to: `p->x`, `*p`, `p[i]`; NONE where only its value is read. */
  private accessOf(node: number, parent: number): number {
    const { tree } = this
    const operator = tree.textOf(tree.child(parent, "operator"))
    const isAccess =
      (tree.is(parent, "field_expression") && operator === "->" && tree.child(parent, "argument") === node) ||
      (tree.is(parent, "pointer_expression") && operator === "*") ||
      (tree.is(parent, "subscript_expression") && tree.child(parent, "argument") === node)
    const list = tree.enclosing(node, "argument_list")
    const isInMacro = list !== NONE && !/^[a-z_][a-z0-9_]*$/.test(calledName(tree, tree.parent(list)))
    if (!isAccess || isInMacro) return NONE
    for (let up = tree.parent(parent); up !== NONE; up = tree.parent(up)) {
      if (tree.is(up, "pointer_expression") && tree.textOf(tree.child(up, "operator")) === "&") return NONE
      if (!tree.is(up, "field_expression", "subscript_expression", "parenthesized_expression")) break
    }
    return parent
  }

  call(state: State, node: number): State | null {
    const { tree } = this
    const name = calledName(tree, node)
    const args = tree.namedChildren(tree.child(node, "arguments"))
    if (neverReturns(name, tree.textOf(args[0] ?? NONE))) return null
    if (asserting.test(name)) return this.asserted(state, node)
    if (this.isMacro(name)) return this.assigned(state)
    if (releases.test(name) && args.length === 1) return this.release(state, node, args[0]!)
    let at = state
    for (const argument of args) at = this.passed(at, node, argument, name)
    return at
  }

  /** A macro of this file that pastes names together, or one by its capitals, may assign any variable. */
  private isMacro(name: string): boolean {
    return /^[A-Z][A-Z\d_]{2,}$/.test(name) || this.pasting.includes(` ${name} `)
  }

  private assigned(state: State): State {
    let at = state
    for (const [name, bits] of state) if (bits === NULL) at = this.set(at, name, OTHER)
    return at
  }

  private asserted(state: State, node: number): State {
    let at = state
    for (const one of this.tree.within(node, "identifier")) {
      const name = this.tree.textOf(one)
      if (at.has(name)) at = this.set(at, name, OTHER)
    }
    return at
  }

  remove(state: State, node: number): State {
    const operand = this.tree.namedChildren(node).at(-1)
    return operand === undefined ? state : this.release(state, node, operand)
  }

  private release(state: State, node: number, operand: number): State {
    const { tree } = this
    const at = plain(tree, operand)
    if (!tree.is(at, "identifier")) return state
    const name = tree.textOf(at)
    if (state.get(name) === FREED) {
      const message = `\`${name}\` was freed on every path to here, and ${quoted(tree, node)} frees it again.`
      this.emit(nativeMatch(tree, node, { rule: "double_free", message, noun: `\`${name}\`` }))
    }
    return this.set(state, name, FREED)
  }

  /** A freed pointer that a function is given; in C++, and in macros, the function may give it a new value. */
  private passed(state: State, node: number, argument: number, callee: string): State {
    const { tree } = this
    const name = tree.is(plain(tree, argument), "identifier") ? tree.textOf(plain(tree, argument)) : null
    const bits = name === null ? undefined : state.get(name)
    if (name === null || bits === undefined || bits === OTHER) return state
    if (bits === FREED && this.isKnownFunction(callee)) {
      const message = `\`${name}\` was freed on every path to here, and \`${callee}\` is given it.`
      this.emit(nativeMatch(tree, node, { rule: "use_after_free", message, noun: `\`${name}\`` }))
    }
    return bits === NULL && this.isKnownFunction(callee) ? state : this.set(state, name, OTHER)
  }

  /** Not a macro: a function of the C library that reads what it is given, or one of this file. */
  private isKnownFunction(callee: string): boolean {
    return !this.isCpp && (library.test(callee) || this.own.has(callee)) && !/free|release|unref|destroy/i.test(callee)
  }

  refine(state: State, condition: number, holds: boolean): State | null {
    const test = nullTest(this.tree, condition)
    const bits = test === null ? undefined : state.get(test.name)
    if (test === null || bits === undefined || this.followed.get(test.name)!.pointers === 0) return state
    const isNull = test.isNull === holds
    if (bits === FREED || (bits & UNSET) !== 0) return state
    if (isNull) return bits === OTHER || (bits & (NULL | FRESH)) !== 0 ? this.set(state, test.name, NULL) : state
    const rest = bits & ~(NULL | FRESH)
    return bits === NULL ? null : this.set(state, test.name, rest === 0 ? OTHER : rest | (bits === FRESH ? OTHER : 0))
  }

  repeat(state: State, node: number): State {
    let at = state
    for (const name of changedIn(this.tree, node)) {
      const bits = at.get(name)
      if (bits !== undefined) at = this.set(at, name, bits | OTHER)
    }
    return at
  }

  leave(): void {}
}

/** What happens to memory on the paths through a function. */
export const inspectMemory = (file: SourceFile, fn: NativeFunction, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  const followed = followedVariables(tree, fn, isFollowed)
  if (followed.size === 0) return
  const initial = new Map<string, number>()
  for (const [name, { isParameter }] of followed) if (isParameter) initial.set(name, OTHER)
  walkPaths(tree, fn, new Memory(file, fn.body, followed, emit), initial)
}
