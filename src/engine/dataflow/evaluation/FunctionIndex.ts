import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { FunctionInfo } from "../../languages/syntax/Syntax.ts"
import { functions } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"

const classKinds = [
  "class_declaration",
  "class",
  "abstract_class_declaration",
  "class_definition",
  "record_declaration",
  "enum_declaration",
  "interface_declaration",
  "struct_declaration",
  "trait_declaration",
  "module"
]

const MAX_BASES = 8

/** `class A extends B implements C, D`, `class A < B`, `class A : B, C`, `class A(B)`. */
const basesIn = (head: string): ReadonlyArray<string> => {
  const text = head.replace(/<[^<>]*>/g, "")
  const listed = /\bclass\s+\w+\s*(?:<\s*([\w:]+)|\(([^)]*)\)|:\s*([^{]+))/.exec(text)
  const parts = [
    ...[...text.matchAll(/\b(?:extends|implements)\s+([\w\s,.\\$]+?)(?=\bimplements\b|\{|$)/g)].map(
      (match) => match[1]!
    ),
    listed?.[1] ?? listed?.[2] ?? listed?.[3] ?? ""
  ]
  const names = parts
    .flatMap((part) => part.split(","))
    .map((name) => /([A-Za-z_]\w*)\s*$/.exec(name.trim())?.[1] ?? "")
  return [...new Set(names.filter((name) => name !== ""))].slice(0, 6)
}

/** `scope :recent, ->(days) { … }` is called as a method of its class; null for other closures. */
const scopeNameOf = (tree: FlatTree, node: number): string | null => {
  const list = tree.is(node, "lambda") ? tree.parent(node) : NONE
  if (list === NONE || !tree.is(list, "argument_list")) return null
  return (
    /^scope[ (]+:(\w+)\s*,\s*$/.exec(
      tree.text.slice(tree.start(tree.parent(list)), tree.start(node)).slice(0, 120)
    )?.[1] ?? null
  )
}

const declaring = /^(?:helpers|class_methods|included|configure|namespace|concern)$/

/** `helpers do … end`: its methods are called like those of the file. */
const declaresMethods = (tree: FlatTree, node: number): boolean =>
  tree.is(node, "do_block") && declaring.test(tree.textOf(tree.child(tree.parent(node), "method")))

/** Blocks and lambdas next to the functions, in document order. */
const withClosures = (file: SourceFile, tree: FlatTree, kinds: ReadonlyArray<string>): ReadonlyArray<FunctionInfo> => {
  const closures = [...tree.of(...kinds)]
    .filter((node) => !tree.is(tree.parent(node), "lambda") && !declaresMethods(tree, node))
    .map((node): FunctionInfo => {
      const inner = tree.is(node, "lambda") ? tree.child(node, "body") : node
      return {
        node,
        name: scopeNameOf(tree, node),
        parameters: tree.namedChildren(tree.child(node, "parameters")).map((parameter) => {
          const name = tree.child(parameter, "name")
          return { name: tree.textOf(name === NONE ? parameter : name), type: null, node: parameter }
        }),
        body: tree.child(inner, "body"),
        isAsync: false,
        exported: true
      }
    })
  return [...functions(file), ...closures].sort((a, b) => tree.start(a.node) - tree.start(b.node) || a.node - b.node)
}

/** `X.prototype.find = function`, `X.prototype = { find() {} }`, `function X() { this.a = 1 }`. */
const prototypeOf = (tree: FlatTree, { node, name }: FunctionInfo): string | null => {
  if (tree.is(node, "function_declaration", "function_expression") && /^[A-Z]/.test(name ?? "")) return name
  let at = tree.parent(node)
  if (tree.is(at, "pair")) at = tree.parent(at)
  if (tree.is(at, "object")) at = tree.parent(at)
  if (tree.is(at, "arguments")) {
    const first = tree.namedChildren(at)[0] ?? NONE
    return /([\w$]+)\.prototype$/.exec(tree.textOf(first).slice(-80))?.[1] ?? null
  }
  if (!tree.is(at, "assignment_expression")) return null
  return /([\w$]+)\.prototype(?:\.[\w$]+)?$/.exec(tree.textOf(tree.child(at, "left")).slice(0, 120))?.[1] ?? null
}

/** `(function () { … })()` is a scope of the module: its functions are those of the file. */
const isCalledAtOnce = (tree: FlatTree, node: number): boolean => {
  if (!tree.is(node, "function_expression", "arrow_function")) return false
  let at = tree.parent(node)
  while (tree.is(at, "parenthesized_expression")) at = tree.parent(at)
  if (tree.is(at, "member_expression") && /\.(?:call|apply)$/.test(tree.textOf(at).slice(-6))) at = tree.parent(at)
  return tree.is(at, "call_expression") && tree.contains(tree.child(at, "function"), node)
}

/** The functions of a file by node and by name: plain names at the top of the file, `Class.method` in classes. */
export class FunctionIndex {
  readonly byNode = new Map<number, FunctionInfo>()
  /** Functions that lie in no other function. */
  readonly roots: ReadonlyArray<FunctionInfo>
  private readonly byName = new Map<string, FunctionInfo>()
  /** Overloads, by name and number of parameters. */
  private readonly overloads = new Map<string, FunctionInfo>()
  private readonly names = new Map<number, string>()
  private readonly methods = new Set<string>()
  /** Classes made of functions: the class of a constructor function, and of what is put on its prototype. */
  private readonly prototypes = new Map<number, string>()
  /** By the node of a class: a class of many methods is asked for once for each. */
  private readonly bases = new Map<number, ReadonlyArray<string>>()
  private readonly tree: FlatTree

  constructor(file: SourceFile, tree: FlatTree, closureKinds: ReadonlyArray<string> = []) {
    this.tree = tree
    const roots: Array<FunctionInfo> = []
    this.roots = roots
    let end = -1
    for (const info of closureKinds.length === 0 ? functions(file) : withClosures(file, tree, closureKinds)) {
      this.byNode.set(info.node, info)
      if (tree.start(info.node) < end || info.body === NONE || isCalledAtOnce(tree, info.node)) continue
      end = tree.end(info.node)
      roots.push(info)
      this.addRoot(info)
    }
  }

  private addRoot(info: FunctionInfo): void {
    const made = prototypeOf(this.tree, info)
    if (made !== null) this.prototypes.set(info.node, made)
    if (info.name === null) return
    const owner = made === info.name ? null : this.className(info.node)
    const name = owner === null || info.name.includes(".") ? info.name : `${owner}.${info.name}`
    this.names.set(info.node, name)
    this.methods.add(info.name)
    if (!this.byName.has(name)) this.byName.set(name, info)
    const overload = `${name}/${info.parameters.length}`
    if (!this.overloads.has(overload)) this.overloads.set(overload, info)
  }

  /** Of several by one name that which takes so many arguments, or else the first. */
  named(name: string, count = -1): FunctionInfo | undefined {
    return this.overloads.get(`${name}/${count}`) ?? this.byName.get(name)
  }

  /** Is there a method of this name in any class of the file? */
  hasMethod(name: string): boolean {
    return this.methods.has(name)
  }

  /** `find`, `UserRepo.find`; null for what has no name. */
  nameOf(info: FunctionInfo): string | null {
    return this.names.get(info.node) ?? info.name
  }

  className(node: number): string | null {
    const owner = this.tree.enclosing(node, ...classKinds)
    const name = this.tree.child(owner, "name")
    if (owner > 0 && name !== NONE) return this.tree.textOf(name)
    if (this.prototypes.size === 0) return null
    const root = this.prototypes.get(node) === undefined ? this.rootAt(this.tree.start(node)) : null
    return this.prototypes.get(root?.node ?? node) ?? null
  }

  /** Names of the classes and interfaces that the class around a function extends or implements. */
  basesAround(node: number): ReadonlyArray<string> {
    const owner = this.tree.enclosing(node, ...classKinds)
    return owner <= 0 ? [] : this.basesOf(owner)
  }

  private basesOf(owner: number): ReadonlyArray<string> {
    const known = this.bases.get(owner)
    if (known !== undefined) return known
    const found = this.readBases(owner)
    this.bases.set(owner, found)
    return found
  }

  private readBases(owner: number): ReadonlyArray<string> {
    const start = this.tree.start(owner)
    const body = this.tree.child(owner, "body")
    const end = body === NONE ? Math.min(start + 300, this.tree.end(owner)) : this.tree.start(body)
    const head = this.tree.text.slice(start, Math.min(end, start + 600))
    return [...new Set([...basesIn(head), ...this.mixedInto(body)])]
  }

  /** `use RunsCommands;` in PHP, `include Attachments` in Ruby. */
  private mixedInto(body: number): ReadonlyArray<string> {
    return this.tree.namedChildren(body).flatMap((node) => {
      if (!this.tree.is(node, "use_declaration", "call")) return []
      const listed = /^(?:use|include|prepend|extend)[ (]+([\w\\:, ]+?)[ );]*$/.exec(
        this.tree.textOf(node).slice(0, 200)
      )
      return (listed?.[1] ?? "").split(",").flatMap((name) => /(\w+)\s*$/.exec(name)?.[1] ?? [])
    })
  }

  /** A method of a class that this file has, or that it takes from its bases in this file. */
  inherited(name: string, method: string, count: number): FunctionInfo | undefined {
    const searched = [name]
    for (let i = 0; i < searched.length && i < MAX_BASES; i++) {
      const found = this.named(`${searched[i]}.${method}`, count)
      if (found !== undefined) return found
      const owner = this.classNode(searched[i]!)
      if (owner !== NONE) searched.push(...this.basesOf(owner).filter((base) => !searched.includes(base)))
    }
    return undefined
  }

  classNode(name: string): number {
    for (const node of this.tree.of(...classKinds)) {
      if (this.tree.textOf(this.tree.child(node, "name")) === name) return node
    }
    return NONE
  }

  /** The outermost function around an offset. */
  rootAt(offset: number): FunctionInfo | null {
    let low = 0
    let high = this.roots.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.tree.start(this.roots[middle]!.node) <= offset) low = middle + 1
      else high = middle
    }
    const found = this.roots[low - 1]
    return found !== undefined && this.tree.end(found.node) > offset ? found : null
  }
}
