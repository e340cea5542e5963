import type { SourceKind } from "../../core/tool/AuditTool.ts"
import { type FlatTree, NONE } from "../tree/FlatTree.ts"
import { type Declared, type NativeFunction, plain, variableAt } from "./functions.ts"
import { calledName } from "./variables.ts"

/** Where a text comes from, and what the code calls it. */
export interface Origin {
  readonly kind: SourceKind
  readonly name: string
  readonly node: number
}

/** What a web server hands to the programs that it starts. */
const requestVariable =
  /^"(?:QUERY_STRING|PATH_INFO|PATH_TRANSLATED|REQUEST_\w+|HTTP_\w+|REMOTE_(?:USER|IDENT)|CONTENT_TYPE|SCRIPT_NAME)"$/

/** Calls that fill the buffer they are given: which argument it is, and from where. */
const readers: Readonly<Record<string, readonly [argument: number, kind: SourceKind]>> = {
  recv: [1, "socket"],
  recvfrom: [1, "socket"],
  SSL_read: [1, "socket"],
  gets: [0, "stdin"],
  getline: [0, "stdin"],
  fgets: [0, "stdin"],
  scanf: [1, "stdin"],
  fscanf: [2, "file"],
  fread: [0, "file"]
}

/** Calls that write into their first argument what the others hold, from this argument on. */
const writers: Readonly<Record<string, number>> = {
  sprintf: 2,
  snprintf: 3,
  asprintf: 2,
  strcpy: 1,
  strcat: 1,
  strncpy: 1,
  strncat: 1,
  strlcpy: 1,
  strlcat: 1,
  stpcpy: 1
}

const bareName = (tree: FlatTree, node: number | undefined): string =>
  node === undefined ? "" : tree.textOf(plain(tree, node)).replace(/^&\s*/, "")

const isText = ({ type, pointers, isArray }: Declared): boolean =>
  (/\bchar$/.test(type) && pointers + (isArray ? 1 : 0) === 1) || /\b(?:std::)?string$/.test(type)

/** Calls that look up by a text what the program has under that name, and those that cut a part out of it. */
const lookup = /(?:^|_)(?:get|find|lookup|search)_[a-z]/
const ofParts = /base|name|path|file|ext|dir|sub|part|field|token|line|env/
const asNumber = /^(?:strn?len|ato(?:i|l|ll|f)|strto(?:l|ul|ll|ull|d|f|imax|umax))$/

const MAX_STEPS = 6

/** Follows texts through the variables and buffers of one function. */
export class Origins {
  private readonly tree: FlatTree
  private readonly fn: NativeFunction
  private readonly seen = new Set<string>()

  constructor(tree: FlatTree, fn: NativeFunction) {
    this.tree = tree
    this.fn = fn
  }

  /** The least trusted of the origins of an expression; null where there is none from outside of the function. */
  of(node: number): Origin | null {
    this.seen.clear()
    return this.within(node, node, 0)
  }

  private within(node: number, before: number, steps: number): Origin | null {
    if (node === NONE || steps > MAX_STEPS) return null
    const { tree } = this
    const direct = this.direct(plain(tree, node))
    if (direct !== null) return direct
    let found: Origin | null = null
    const keys = this.keysIn(node)
    for (const name of tree.within(node, "identifier")) {
      if (tree.fieldOf(name) === "function" || keys.has(name)) continue
      found = lessTrusted(found, this.ofVariable(name, before, steps))
    }
    return found
  }

  /** `find_filter(list, name)`, `atoi(text)`: what comes back does not hold the text. */
  private keysIn(node: number): ReadonlySet<number> {
    const { tree } = this
    const keys = new Set<number>()
    let end = NONE
    for (const call of tree.within(node, "call_expression")) {
      // What is inside of another one is known already.
      if (call <= end) continue
      const callee = calledName(tree, call)
      if (!asNumber.test(callee) && (!lookup.test(callee) || ofParts.test(callee))) continue
      end = tree.lastDescendant(call)
      for (const name of tree.within(call, "identifier")) keys.add(name)
    }
    return keys
  }

  /** `argv[1]` and `getenv("X")`. */
  private direct(node: number): Origin | null {
    const { tree, fn } = this
    const text = tree.textOf(node).slice(0, 60)
    if (/^argv\s*\[/.test(text) && fn.declared.get("argv")?.[0]?.isParameter === true)
      return { kind: "arguments", name: text, node }
    if (!/^(?:secure_)?getenv$/.test(calledName(tree, node))) return null
    const variable = tree.textOf(tree.namedChildren(tree.child(node, "arguments"))[0] ?? NONE)
    return { kind: requestVariable.test(variable) ? "request" : "environment", name: text, node }
  }

  private ofVariable(node: number, before: number, steps: number): Origin | null {
    const { tree, fn } = this
    const variable = variableAt(tree, fn, node)
    if (variable === null || variable.isStatic || !isText(variable) || this.seen.has(variable.name)) return null
    this.seen.add(variable.name)
    const written = lessTrusted(this.written(variable, before, steps), this.assigned(variable, before, steps))
    if (written !== null || !variable.isParameter || steps === 0) return written
    return { kind: "parameter", name: variable.name, node: variable.node }
  }

  /** What calls before a node write into the variable. */
  private written({ name }: Declared, before: number, steps: number): Origin | null {
    const { tree, fn } = this
    let found: Origin | null = null
    for (const { node, method, args } of fn.calls) {
      if (node >= before) break
      const reader = readers[method]
      if (reader !== undefined && bareName(tree, args[reader[0]]) === name)
        found = lessTrusted(found, { kind: reader[1], name, node })
      const from = writers[method]
      if (from === undefined || bareName(tree, args[0]) !== name) continue
      for (const argument of args.slice(from)) found = lessTrusted(found, this.within(argument, node, steps + 1))
    }
    return found
  }

  private assigned({ name, value }: Declared, before: number, steps: number): Origin | null {
    const { tree, fn } = this
    let found = value === NONE ? null : this.within(value, value, steps + 1)
    for (const node of tree.within(fn.body, "assignment_expression")) {
      if (node >= before) break
      if (tree.textOf(tree.child(node, "left")) !== name) continue
      found = lessTrusted(found, this.within(tree.child(node, "right"), node, steps + 1))
    }
    return found
  }
}

const trust: ReadonlyArray<SourceKind> = [
  "request",
  "message",
  "socket",
  "stdin",
  "arguments",
  "environment",
  "file",
  "database",
  "parameter"
]

const lessTrusted = (a: Origin | null, b: Origin | null): Origin | null => {
  if (a === null || b === null) return a ?? b
  return trust.indexOf(b.kind) < trust.indexOf(a.kind) ? b : a
}

/** How a source is called in messages. */
export const originText = ({ kind, name }: Origin): string => {
  const from: Partial<Record<SourceKind, string>> = {
    request: "from the request",
    socket: "read from a socket",
    stdin: "read from the standard input",
    file: "read from a file",
    arguments: "a program argument",
    environment: "from the environment",
    parameter: "a parameter"
  }
  return `\`${name}\`, ${from[kind] ?? kind},`
}
