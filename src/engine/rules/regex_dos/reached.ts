import type { SourceFile } from "../../core/files/SourceFile.ts"
import { readsRequest } from "../../dataflow/fromRequest.ts"
import { taintLanguageOf } from "../../dataflow/languages/languages.ts"
import { carriedValues } from "../../languages/code/carriedValues.ts"
import { assignmentsTo } from "../../languages/code/lastAssigned.ts"
import { syntaxOf } from "../../languages/syntax/languages.ts"
import { compact } from "../../languages/syntax/Syntax.ts"
import { literalValue, unwrap } from "../../languages/syntax/strings.ts"
import { assignments, type Call, calls, type FunctionInfo } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { isBounded } from "./bounds.ts"
import { isExported } from "./exported.ts"

/** How the text comes here. */
export interface Reach {
  /** From a request, or from any caller of the function. */
  readonly kind: "request" | "parameter"
  /** Whether code of another package may call the function. */
  readonly isExported: boolean
  /** The text is a piece of a longer one: what it was split at, which it cannot hold. */
  readonly separators: ReadonlyArray<string>
}

const fromRequest: Reach = { kind: "request", isExported: true, separators: [] }

/** Numbers and the like take no long text; shorter texts are cut before. */
const short =
  /\.(?:slice|substring|substr)\([^()]*,|\.(?:slice|substring|substr)\(\s*-|\.(?:trunc\w*|take|first|length|charAt|at|codePointAt|toFixed|getTime|charCodeAt)\(|\.length$|\[\s*:?\s*\d*:\d+\s*\]|\bsubstr\(/

/** Their text is the program's own. */
const ownText =
  /^(?:this|self|cls|\$this|super|process|window|document|os|sys|navigator|module|__filename|__dirname|location|Math|Date|import)$/

/** What programs print and report of themselves, by the names of parameters. */
const ownOutput = /^(?:std(?:out|err)(?:Text|String|Data)?|stack(?:trace)?|err|error|exception)$/i

/** Functions without a receiver whose result holds what they are given. */
const carriers =
  /^(?:String|str|unicode|decodeURI(?:Component)?|unescape|\w*(?:[tT]rim|[sS]trip|[nN]ormali[sz]e|[cC]lean|[dD]ecode|[lL]ower|[tT]oString|[uU]nquote|[eE]scape)\w*|strval|strtolower|stripslashes|urldecode|rawurldecode|html_entity_decode)$/

/** Methods that call a function with each piece of their receiver. */
const pieceMethods =
  /^(?:map|forEach|filter|some|every|find|flatMap|reduce|each|collect|select|reject|any\?|all\?|replace|replaceAll|gsub)$/

/** Methods that call a function with what happens, not with a text that a caller chose. */
const eventMethods =
  /^(?:on|once|addEventListener|addListener|off|emit|then|catch|subscribe|readFile\w*|describe|it|test|use|get|post|put|delete|patch|all|route|define|module|controller|factory|service|directive|run|config)$/

/** The text of a function is the program's own. */
const functionText = /^(?:fn|func|function|callback|cb|handler|ctor|constructor|method|klass|type)\.toString\(\)$/

/** What a callback does with each piece says nothing about the length of the whole. */
const isShort = (text: string): boolean => short.test(text) && !/=>|\bfunction\b/.test(text)

/** `pattern.exec(text)` returns pieces of its argument, where other methods return some of their receiver. */
const holdsItsArgument = ({ method, args }: Call): boolean => method === "exec" && args[0] !== undefined

const MAX_DEPTH = 7

/** Calls of a function that are followed back to where their text comes from. */
const MAX_CALLERS = 5

class Tracer {
  private readonly file: SourceFile

  constructor(file: SourceFile) {
    this.file = file
  }

  trace(expression: number, depth = 0): Reach | null {
    if (depth > MAX_DEPTH || expression === NONE) return null
    const { file } = this
    const node = unwrap(file, expression)
    const text = compact(file.tree!.textOf(node))
    // Of two values each is short or long by itself.
    if (file.tree!.is(node, "ternary_expression", "conditional_expression")) return this.parts(node, depth)
    if (isShort(text) || functionText.test(text)) return null
    if (readsRequest(file, text)) return fromRequest
    return this.call(node, depth) ?? this.parts(node, depth) ?? this.name(node, text, depth)
  }

  /** `String(name)`, `name.trim()`, `text.split("\n")`; null for anything else. */
  private call(node: number, depth: number): Reach | null {
    const { file } = this
    const syntax = syntaxOf(file.language)!
    const call = file.tree!.is(node, ...syntax.callKinds) ? syntax.callAt(file.tree!, node) : null
    if (call === null) return null
    if (call.receiverNode === NONE) {
      return carriers.test(call.method) && call.args[0] !== undefined ? this.trace(call.args[0], depth + 1) : null
    }
    const whole = this.trace(holdsItsArgument(call) ? call.args[0]! : call.receiverNode, depth + 1)
    if (whole === null || call.method !== "split") return whole
    const separator = call.args[0] === undefined ? null : this.separator(call.args[0])
    return separator === null ? whole : { ...whole, separators: [...whole.separators, separator] }
  }

  /** What a text is split at: a text, or the source of a pattern between slashes. */
  private separator(node: number): string | null {
    const text = this.file.tree!.textOf(node)
    return this.file.tree!.is(node, "regex") ? text : literalValue(this.file, node)
  }

  private parts(node: number, depth: number): Reach | null {
    for (const part of carriedValues(this.file, node)) {
      const found = part === node ? null : this.trace(part, depth + 1)
      if (found !== null) return found
    }
    return null
  }

  private name(node: number, text: string, depth: number): Reach | null {
    const own = /^(?:this\.|self\.|\$this->|@)([A-Za-z_]\w*)/.exec(text)
    if (own !== null) return this.field(own[0], depth)
    const root = /^\$?[A-Za-z_][\w$]*/.exec(text)?.[0]
    if (root === undefined || ownText.test(root)) return null
    const values = this.valuesOf(root, node)
    const byParameter = this.parameter(node, root, values, depth)
    if (byParameter !== undefined) return byParameter
    const origins = values.length > 0 ? values : [this.unpacked(node, root)]
    for (const origin of origins) {
      const found = origin === NONE || origin === node ? null : this.trace(origin, depth + 1)
      if (found !== null) return found
    }
    return null
  }

  /** What a name is first given in the function around a node, and what it is given last before it. */
  private valuesOf(name: string, node: number): ReadonlyArray<number> {
    const { file } = this
    const tree = file.tree!
    const kinds = syntaxOf(file.language)!.functionKinds
    const owner = tree.enclosing(node, ...kinds)
    const values = assignmentsTo(file, name).filter(({ node: at, value }) => {
      if (at > node || value === NONE || tree.contains(value, node)) return false
      const around = tree.enclosing(at, ...kinds)
      return around === NONE || around === owner || (owner !== NONE && tree.contains(around, owner))
    })
    return [...new Set([values[0], values.at(-1)])].flatMap((given) => given?.value ?? [])
  }

  /** A field that some function of the class is given. */
  private field(target: string, depth: number): Reach | null {
    for (const { value } of assignmentsTo(this.file, target).slice(0, 3)) {
      const found = this.trace(value, depth + 2)
      if (found !== null) return found
    }
    return null
  }

  /** How a name's text comes here when a function around it has a parameter of that name; else undefined. */
  private parameter(
    subject: number,
    root: string,
    assigned: ReadonlyArray<number>,
    depth: number
  ): Reach | null | undefined {
    const { file } = this
    const tree = file.tree!
    const syntax = syntaxOf(file.language)!
    const bare = root.replace(/^\$/, "")
    let at = tree.enclosing(subject, ...syntax.functionKinds)
    for (let level = 0; at !== NONE && level < 4; level++, at = tree.enclosing(at, ...syntax.functionKinds)) {
      const info = syntax.functionAt(tree, at)
      const index = info?.parameters.findIndex(({ name }) => isNamed(name, bare)) ?? -1
      if (info !== null && index >= 0) return this.bound(info, index, subject, root, depth)
      // What the function itself declares hides the parameters of those around it.
      if (assigned.some((value) => tree.contains(at, value))) return undefined
    }
    return undefined
  }

  private bound(info: FunctionInfo, index: number, subject: number, root: string, depth: number): Reach | null {
    const { file } = this
    if (ownOutput.test(root)) return null
    const role = taintLanguageOf(file.language)?.parameter(file, info, info.parameters[index]!, index)
    if (role?.clean === true || isBounded(file, info, root, subject)) return null
    // Who starts the program chooses its arguments.
    if (role?.source?.startsWith("arguments:") === true) return null
    if (role?.source !== undefined) return fromRequest
    const caller = this.callerOf(info)
    if (caller === null) return this.fromCallers(info, index, depth)
    if (pieceMethods.test(caller.method)) return this.trace(caller.receiverNode, depth + 1)
    // A function that is registered under a name is called with what others hand in.
    const isRegistered = !eventMethods.test(caller.method) && literalValue(file, caller.args[0] ?? NONE) !== null
    return isRegistered ? { kind: "parameter", isExported: false, separators: [] } : null
  }

  /** What strangers hand to the function, or to another one of the file that hands it on. */
  private fromCallers(info: FunctionInfo, index: number, depth: number): Reach {
    const { file } = this
    const own: Reach = { kind: "parameter", isExported: isExported(file, info), separators: [] }
    if (own.isExported || info.name === null) return own
    const { name } = info
    const given = calls(file).filter(({ node }) => !file.tree!.contains(info.node, node))
    const handed = given.filter(({ method, args }) => method === name && args[index] !== undefined)
    const pieces = given.filter((call) => this.isCalledWithPieces(call, name, index))
    const texts = [...handed.map(({ args }) => args[index]!), ...pieces.map(({ receiverNode }) => receiverNode)]
    for (const text of texts.slice(0, MAX_CALLERS)) {
      const reach = this.trace(text, depth + 2)
      if (reach?.isExported === true) return reach
    }
    return own
  }

  /** `lines.map(parseLine)`, `lines.reduce(collect, {})`: the function is handed on by its name, for each piece. */
  private isCalledWithPieces({ method, receiverNode, args }: Call, name: string, index: number): boolean {
    const isPiece = pieceMethods.test(method) && index === (method === "reduce" ? 1 : 0)
    return isPiece && receiverNode !== NONE && args[0] !== undefined && this.file.tree!.textOf(args[0]) === name
  }

  /** The call that a function without a name of its own is given to. */
  private callerOf({ node }: FunctionInfo) {
    const { file } = this
    const tree = file.tree!
    const syntax = syntaxOf(file.language)!
    const holder = tree.parent(node)
    if (!tree.is(holder, "arguments", "argument_list", "argument")) return null
    const call = tree.enclosing(node, ...syntax.callKinds)
    const found = call === NONE ? null : syntax.callAt(tree, call)
    return found?.receiverNode === NONE ? null : found
  }

  private loopsAround(node: number): ReadonlyArray<number> {
    const tree = this.file.tree!
    const loop = tree.enclosing(node, ...loopKinds)
    const comprehension = tree.enclosing(node, ...comprehensions)
    return [
      ...(loop === NONE ? [] : [loop]),
      ...(comprehension === NONE ? [] : [tree.childOfKind(comprehension, "for_in_clause")])
    ].filter((found) => found !== NONE)
  }

  /** The value that a name is taken out of: `for (const line of text.split("\n"))`, `const { name } = options`. */
  private unpacked(node: number, name: string): number {
    const tree = this.file.tree!
    for (const loop of this.loopsAround(node)) {
      const held = tree.textOf(firstField(tree, loop, "left", "name"))
      if (new RegExp(`(?:^|\\W)${escaped(name)}$`).test(held)) return firstField(tree, loop, "right", "value")
    }
    const pattern = new RegExp(`[{,[\\s:]${escaped(name)}\\s*(?:[,}\\]=])`)
    const before = assignments(this.file).filter(
      ({ target, node: at }) => at < node && /^[{[]/.test(target) && pattern.test(target)
    )
    return before.at(-1)?.value ?? NONE
  }
}

const loopKinds = ["for_in_statement", "for_statement", "foreach_statement", "enhanced_for_statement"]
const comprehensions = ["list_comprehension", "generator_expression", "set_comprehension", "dictionary_comprehension"]

const firstField = (tree: FlatTree, node: number, ...fields: ReadonlyArray<string>): number =>
  fields.map((field) => tree.child(node, field)).find((child) => child !== NONE) ?? NONE

const escaped = (name: string): string => name.replaceAll("$", "\\$")

/** The parameter itself, or one that is taken out of an object: `{ name, size = 1 }`. */
const isNamed = (parameter: string, name: string): boolean =>
  parameter.replace(/^\$/, "") === name ||
  (/^[{[]/.test(parameter) && new RegExp(`[{,[\\s:]${escaped(name)}\\s*(?:[,}\\]=])`).test(parameter))

export const reachedBy = (file: SourceFile, subject: number): Reach | null => new Tracer(file).trace(subject)
