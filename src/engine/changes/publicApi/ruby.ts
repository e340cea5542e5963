import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { type Api, ApiNames, type Signature } from "./Api.ts"

const accessors = new Set(["attr_reader", "attr_writer", "attr_accessor"])

/** Calls that define methods of names that are not in the code. */
const definesByName = new Set(["delegate", "def_delegators", "define_method"])

const signatureOf = (tree: FlatTree, list: number): Signature => {
  let required = 0
  let most = 0
  for (const parameter of tree.namedChildren(list)) {
    if (tree.is(parameter, "splat_parameter", "hash_splat_parameter", "forward_parameter"))
      most = Number.POSITIVE_INFINITY
    else if (tree.is(parameter, "optional_parameter")) most++
    else if (tree.is(parameter, "keyword_parameter")) {
      most++
      if (tree.child(parameter, "value") === NONE) required++
    } else if (!tree.is(parameter, "block_parameter")) {
      required++
      most++
    }
  }
  return { required, most }
}

const symbolOf = (tree: FlatTree, node: number): string => tree.textOf(node).replace(/^[:"']+|["']$/g, "")

type Visibility = "public" | "private" | "protected"

class Reader {
  private readonly tree: FlatTree
  private readonly out: ApiNames
  private readonly hidden = new Set<string>()

  constructor(tree: FlatTree) {
    this.tree = tree
    this.out = new ApiNames(tree)
  }

  read(): Api {
    const { out, hidden } = this
    this.body(0, "", false)
    for (const name of hidden) {
      const known = out.names.get(name)
      if (known !== undefined) out.names.set(name, { ...known, isPublic: false })
    }
    return out.of("")
  }

  /** Statements of a class or module; `isSingleton` inside of `class << self`. */
  private body(parent: number, type: string, isSingleton: boolean): void {
    let visibility: Visibility = "public"
    const { tree } = this
    for (const node of tree.namedChildren(parent)) {
      const word = tree.is(node, "identifier") ? tree.textOf(node) : ""
      if (word === "public" || word === "private" || word === "protected") visibility = word
      else if (word === "module_function") this.out.isOpen = true
      else this.statement(node, type, isSingleton, visibility === "public")
    }
  }

  private statement(node: number, type: string, isSingleton: boolean, isPublic: boolean): void {
    const { tree, out } = this
    switch (tree.kind(node)) {
      case "module":
      case "class":
        return this.type(node, type)
      case "singleton_class":
        return this.body(tree.child(node, "body"), type, true)
      case "method":
        return this.method(node, type, isSingleton ? "." : "#", isPublic)
      case "singleton_method":
        return this.method(node, type, ".", true)
      case "alias":
        return type === ""
          ? undefined
          : out.add(`${type}#${tree.textOf(tree.child(node, "name"))}`, node, null, isPublic)
      case "assignment":
        return this.constant(node, type)
      case "call":
        return this.call(node, type, isSingleton ? "." : "#", isPublic)
    }
  }

  private type(node: number, outer: string): void {
    const { tree, out } = this
    const written = tree.textOf(tree.child(node, "name"))
    const name = outer === "" ? written : `${outer}::${written}`
    out.add(name, node)
    const superclass = tree.child(node, "superclass")
    if (superclass !== NONE) out.inherits(name, tree.textOf(superclass))
    this.body(tree.child(node, "body"), name, false)
  }

  /** Methods outside of all classes are private ones of every object. */
  private method(node: number, type: string, mark: "#" | ".", isPublic: boolean): void {
    const { tree, out } = this
    if (type === "") return
    const name = tree.textOf(tree.child(node, "name"))
    const signature = signatureOf(tree, tree.child(node, "parameters"))
    if (name === "initialize") out.add(`${type}.new`, node, signature)
    else out.add(`${type}${mark}${name}`, node, signature, isPublic)
  }

  private constant(node: number, type: string): void {
    const { tree, out } = this
    const left = tree.child(node, "left")
    if (tree.is(left, "constant")) out.add(type === "" ? tree.textOf(left) : `${type}::${tree.textOf(left)}`, left)
  }

  private call(node: number, type: string, mark: "#" | ".", isPublic: boolean): void {
    const { tree, out } = this
    const called = tree.textOf(tree.child(node, "method"))
    const list = tree.namedChildren(tree.child(node, "arguments"))
    const [first] = list
    if (type === "" || tree.child(node, "receiver") !== NONE) return
    if (definesByName.has(called)) out.isOpen = true
    else if (accessors.has(called)) for (const one of list) this.accessor(called, one, `${type}${mark}`, isPublic)
    else if (called === "alias_method" && first !== undefined) {
      out.add(`${type}${mark}${symbolOf(tree, first)}`, first, null, isPublic)
    } else if (called === "public" && first !== undefined) this.statement(first, type, mark === ".", true)
    else for (const one of list) this.argument(called, one, type, mark)
  }

  private accessor(called: string, argument: number, prefix: string, isPublic: boolean): void {
    const name = `${prefix}${symbolOf(this.tree, argument)}`
    if (called !== "attr_writer") this.out.add(name, argument, null, isPublic)
    if (called !== "attr_reader") this.out.add(`${name}=`, argument, null, isPublic)
  }

  private argument(called: string, argument: number, type: string, mark: "#" | "."): void {
    const { tree, out, hidden } = this
    switch (called) {
      case "include":
      case "extend":
      case "prepend":
        return out.inherits(type, tree.textOf(argument))
      case "private":
      case "protected":
        return this.hide(argument, type, mark)
      case "private_class_method":
        return this.hide(argument, type, ".")
      case "private_constant":
        hidden.add(`${type}::${symbolOf(tree, argument)}`)
    }
  }

  private hide(argument: number, type: string, mark: "#" | "."): void {
    const { tree } = this
    if (tree.is(argument, "method", "singleton_method")) this.statement(argument, type, mark === ".", false)
    const name = tree.is(argument, "method", "singleton_method")
      ? tree.textOf(tree.child(argument, "name"))
      : symbolOf(tree, argument)
    this.hidden.add(`${type}${mark}${name}`)
  }
}

/** Constants are global, and a class may be opened in several files. */
export const rubyApi = (tree: FlatTree): Api => new Reader(tree).read()
