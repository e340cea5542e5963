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

/** Blocks and lambdas next to the functions, in document order. */
const withClosures = (file: SourceFile, tree: FlatTree, kinds: ReadonlyArray<string>): ReadonlyArray<FunctionInfo> => {
  const closures = [...tree.of(...kinds)]
    .filter((node) => !tree.is(tree.parent(node), "lambda"))
    .map((node): FunctionInfo => {
      const inner = tree.is(node, "lambda") ? tree.child(node, "body") : node
      return {
        node,
        name: null,
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
  private readonly tree: FlatTree

  constructor(file: SourceFile, tree: FlatTree, closureKinds: ReadonlyArray<string> = []) {
    this.tree = tree
    const roots: Array<FunctionInfo> = []
    let end = -1
    for (const info of closureKinds.length === 0 ? functions(file) : withClosures(file, tree, closureKinds)) {
      this.byNode.set(info.node, info)
      if (tree.start(info.node) < end || info.body === NONE) continue
      end = tree.end(info.node)
      roots.push(info)
      if (info.name === null) continue
      const owner = this.className(info.node)
      const name = owner === null || info.name.includes(".") ? info.name : `${owner}.${info.name}`
      this.names.set(info.node, name)
      this.methods.add(info.name)
      if (!this.byName.has(name)) this.byName.set(name, info)
      const overload = `${name}/${info.parameters.length}`
      if (!this.overloads.has(overload)) this.overloads.set(overload, info)
    }
    this.roots = roots
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
    return owner <= 0 || name === NONE ? null : this.tree.textOf(name)
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
