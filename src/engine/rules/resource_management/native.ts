import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import type { Analysis, State } from "../../languages/native/Analysis.ts"
import { type Declared, type NativeFunction, nativeFunctions, plain } from "../../languages/native/functions.ts"
import { neverReturns } from "../../languages/native/noReturn.ts"
import { walkPaths } from "../../languages/native/paths.ts"
import { assignedName, calledName, followedVariables, nullTest } from "../../languages/native/variables.ts"
import { declaredName } from "../../languages/syntax/c.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import type { RuleId } from "./rules.ts"

const OPEN = 1
/** Closed, never opened, or failed to open. */
const NOTHING = 2
/** Kept by someone else: stored, returned or handed on. */
const KEPT = 4

const MAX_CALLS = 1_000
const opensFile = /^(?:fopen|fdopen|popen|tmpfile|opendir|fmemopen)$/
const opensDescriptor = /^(?:open|openat|creat|socket|accept4?|epoll_create1?|memfd_create|mkstemp|inotify_init1?)$/
const allocates = /^(?:malloc|calloc|strdup|strndup)$/
const closes = /^(?:fclose|pclose|closedir|close|free)$/

/** Functions that use what they are given and keep nothing. */
const borrows =
  /^(?:f(?:gets|puts|printf|scanf|read|write|seeko?|tello?|getc|putc|eof|error|flush|ileno|stat|sync|truncate|cntl|chmod|chown)|getc|putc|rewind|getline|setvbuf|vfprintf|read|write|pread|pwrite|lseek|ioctl|readdir|rewinddir|send|sendto|recv|recvfrom|bind|listen|connect|setsockopt|getsockopt|getsockname|shutdown|str(?:len|n?cmp|n?casecmp)|memcmp|printf|snprintf|sprintf|perror|strerror|memset|memcpy|memmove|strcpy|strncpy|strcat|atoi|unlink|stat|access)$/

const opener = (name: string): boolean => opensFile.test(name) || opensDescriptor.test(name) || allocates.test(name)

/** Comparisons of a descriptor, and whether it failed to open where they hold. */
const descriptorTests: Readonly<Record<string, boolean>> = {
  "< 0": true,
  "== -1": true,
  "<= -1": true,
  ">= 0": false,
  "!= -1": false,
  "> -1": false,
  "> 0": false,
  "== INVALID_SOCKET": true,
  "!= INVALID_SOCKET": false
}

class Resources implements Analysis {
  private readonly tree: FlatTree
  private readonly followed: ReadonlyMap<string, Declared>
  private readonly descriptors: ReadonlySet<string>
  private readonly report: (name: string, node: number) => void

  constructor(
    tree: FlatTree,
    followed: ReadonlyMap<string, Declared>,
    descriptors: ReadonlySet<string>,
    report: (name: string, node: number) => void
  ) {
    this.descriptors = descriptors
    this.tree = tree
    this.followed = followed
    this.report = report
  }

  private set(state: State, name: string, bits: number): State {
    return !this.followed.has(name) || state.get(name) === bits ? state : new Map(state).set(name, bits)
  }

  declare(state: State, declarator: number): State {
    const node = declaredName(this.tree, declarator)
    return node === NONE ? state : this.set(state, this.tree.textOf(node), NOTHING)
  }

  assign(state: State, target: number, value: number): State {
    const { tree } = this
    const isDeclarator = tree.kind(target).endsWith("declarator")
    const node = isDeclarator ? declaredName(tree, target) : plain(tree, target)
    // `shelf->log = log = fopen(…)`: the inner variable is stored.
    const inner = tree.is(plain(tree, value), "assignment_expression") ? assignedName(tree, value) : null
    const before = inner === null ? state : this.set(state, inner, KEPT)
    if (!tree.is(node, "identifier")) return before
    const isOpened = opener(calledName(tree, value))
    const isNothing = tree.is(plain(tree, value), "null", "number_literal", "unary_expression")
    return this.set(before, tree.textOf(node), isOpened ? OPEN : isNothing ? NOTHING : KEPT)
  }

  read(state: State, node: number): State {
    const name = this.tree.textOf(node)
    return !state.has(name) || this.isOnlyUsed(node) ? state : this.set(state, name, KEPT)
  }

  /** Compared, or handed to a function that keeps nothing. */
  private isOnlyUsed(node: number): boolean {
    const { tree } = this
    let at = node
    while (tree.is(tree.parent(at), "parenthesized_expression", "cast_expression")) at = tree.parent(at)
    const parent = tree.parent(at)
    if (tree.is(parent, "binary_expression"))
      return /^(?:[!=]=|[<>]=?|&&|\|\|)$/.test(tree.textOf(tree.child(parent, "operator")))
    if (tree.is(parent, "unary_expression", "if_statement", "while_statement", "condition_clause")) return true
    if (tree.is(parent, "field_expression", "subscript_expression", "pointer_expression")) {
      let above = tree.parent(parent)
      while (tree.is(above, "parenthesized_expression")) above = tree.parent(above)
      return !tree.is(above, "pointer_expression") && tree.child(parent, "argument") === at
    }
    if (!tree.is(parent, "argument_list")) return false
    const call = tree.parent(parent)
    const name = calledName(tree, call)
    const isReturned =
      /^(?:str|mem)/.test(name) && !/cmp$|^strlen$/.test(name) && !tree.is(tree.parent(call), "expression_statement")
    return closes.test(name) || (borrows.test(name) && !isReturned)
  }

  call(state: State, node: number): State | null {
    const { tree } = this
    const name = calledName(tree, node)
    const args = tree.namedChildren(tree.child(node, "arguments"))
    if (neverReturns(name, tree.textOf(args[0] ?? NONE))) return null
    const closed = closes.test(name) && args[0] !== undefined ? assignedName(tree, args[0]) : null
    return closed === null ? state : this.set(state, closed, NOTHING)
  }

  refine(state: State, condition: number, holds: boolean): State | null {
    const test = this.failureTest(condition)
    const bits = test === null ? undefined : state.get(test.name)
    if (test === null || bits === undefined) return this.withUnknownTest(state, condition)
    if (test.isFailure === holds)
      return bits === OPEN || (bits & OPEN) !== 0 ? this.set(state, test.name, NOTHING) : state
    return bits === NOTHING ? null : this.set(state, test.name, bits & ~NOTHING || KEPT)
  }

  /** Compared with something else: whether it is open is not known. */
  private withUnknownTest(state: State, condition: number): State {
    const { tree } = this
    const at = plain(tree, condition)
    const sides = tree.is(at, "binary_expression") ? [tree.child(at, "left"), tree.child(at, "right")] : []
    const name = sides.map((side) => assignedName(tree, side)).find((one) => one !== null && state.has(one)) ?? null
    return name !== null && state.has(name) ? this.set(state, name, KEPT) : state
  }

  /** `fd < 0`, `fd == -1`, `p == NULL`. */
  private failureTest(condition: number): { readonly name: string; readonly isFailure: boolean } | null {
    const { tree } = this
    const at = plain(tree, condition)
    if (tree.is(at, "binary_expression")) {
      for (const side of ["left", "right"] as const) {
        const name = assignedName(tree, tree.child(at, side))
        if (name !== null && this.descriptors.has(name)) return this.descriptorTest(at, name, side === "left")
      }
    }
    const test = nullTest(tree, condition)
    if (test === null || this.descriptors.has(test.name)) return null
    return { name: test.name, isFailure: test.isNull }
  }

  private descriptorTest(
    node: number,
    name: string,
    isLeft: boolean
  ): { readonly name: string; readonly isFailure: boolean } | null {
    const { tree } = this
    const value = tree.textOf(plain(tree, tree.child(node, isLeft ? "right" : "left"))).replace(/^\(\w+\)\s*/, "")
    const operator = tree.textOf(tree.child(node, "operator"))
    const turned = isLeft ? operator : operator.replace(/[<>]/, (sign) => (sign === "<" ? ">" : "<"))
    const isFailure = descriptorTests[`${turned} ${value}`]
    return isFailure === undefined ? null : { name, isFailure }
  }

  leave(state: State, node: number): void {
    for (const [name, bits] of state) if (bits === OPEN) this.report(name, node)
  }
}

/** Where a variable is opened, for the message and for what kind of thing it is. */
const openingOf = (fn: NativeFunction, tree: FlatTree, name: string): string | null => {
  for (const { node, method } of fn.calls) {
    if (!opener(method)) continue
    let at = node
    while (tree.is(tree.parent(at), "cast_expression", "parenthesized_expression")) at = tree.parent(at)
    const parent = tree.parent(at)
    const target = tree.is(parent, "init_declarator")
      ? declaredName(tree, tree.child(parent, "declarator"))
      : tree.child(parent, "left")
    if (target !== NONE && tree.textOf(target) === name) return method
  }
  return null
}

/** `if ((pid = fork()) < 0) return -1;`: a program that cannot start another process ends. */
const isFailedFork = (tree: FlatTree, node: number): boolean => {
  const branch = tree.enclosing(node, "if_statement")
  return (
    branch !== NONE &&
    /\bv?fork\s*\(|\bpid\w*\s*(?:<|==)\s*(?:0|-1)\b/.test(tree.textOf(tree.child(branch, "condition")))
  )
}

/** `FileCloser closer(in);`: the destructor of an object releases what it was given. */
const hasGuard = (file: SourceFile, { body }: NativeFunction, name: string): boolean =>
  file.language === "cpp" &&
  new RegExp(`\\b[A-Z]\\w*(?:<[^;{}()]*>)?\\s+\\w+\\s*[({]\\s*${name}\\s*[,)}]`).test(file.tree!.textOf(body))

const inspectFunction = (file: SourceFile, fn: NativeFunction, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  const openings = new Map<string, string>()
  const followed = followedVariables(tree, fn, ({ name, isParameter, isArray, type }) => {
    const method = isParameter || isArray || /\bauto\b|_ptr\b/.test(type) ? null : openingOf(fn, tree, name)
    if (method === null || hasGuard(file, fn, name)) return false
    openings.set(name, method)
    return true
  })
  if (followed.size === 0) return
  const descriptors = new Set([...openings].filter(([, method]) => opensDescriptor.test(method)).map(([name]) => name))
  const reported = new Set<string>()
  const report = (name: string, node: number): void => {
    if (!tree.is(node, "return_statement") || reported.has(`${name} ${node}`) || isFailedFork(tree, node)) return
    // `CHECK_DO(p = malloc(n), { return ENOMEM; })`: only the macro knows when the block runs.
    if (tree.enclosing(node, "argument_list") !== NONE) return
    reported.add(`${name} ${node}`)
    const method = openings.get(name)!
    const what = allocates.test(method) ? "not freed" : "not closed"
    const message = `\`${name}\`, from \`${method}\`, is ${what} on the way to this return, and nothing else keeps it.`
    emit({
      rule: "leak_on_return",
      start: tree.start(node),
      end: tree.end(node),
      message,
      noun: `\`${name}\``,
      identifiers: [name, method]
    })
  }
  walkPaths(tree, fn, new Resources(tree, followed, descriptors, report), new Map())
}

/** Files, descriptors and memory that a function of C or C++ opens and forgets on an early return. */
export const inspectNativeLeaks = (file: SourceFile, emit: Emit<RuleId>): void => {
  for (const fn of nativeFunctions(file)) {
    // What a program still holds when it ends is released by the system.
    const isMain = /^(?:main|\w+_main)$/.test(fn.info.name ?? "")
    if (isMain || fn.calls.length > MAX_CALLS || !fn.calls.some(({ method }) => opener(method))) continue
    inspectFunction(file, fn, emit)
  }
}
