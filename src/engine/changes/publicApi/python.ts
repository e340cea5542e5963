import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { type Api, ApiNames, type Signature } from "./Api.ts"

/** Methods that callers use without naming them. */
const protocol = /^__(?:init|call|enter|exit|iter|next|len|getitem|setitem|contains|aenter|aexit|aiter|anext)__$/

const isPublicName = (name: string): boolean => !name.startsWith("_") || protocol.test(name)

/** A module or package whose name begins with an underscore is its neighbours' affair. */
const isPrivateModule = (path: string): boolean => /(?:^|\/)_(?!_init__\.py)[^/]*(?:\.pyi?$|\/)/.test(path)

class Reader {
  private readonly tree: FlatTree
  private readonly out: ApiNames
  private readonly isPackage: boolean
  /** What the module itself imports: a name that it assigns where an import fails is none of its own. */
  private readonly importedNames = new Set<string>()
  /** Names that `__all__` lists; null where it lists none, or not as a literal. */
  private listed: Set<string> | null = null

  constructor(tree: FlatTree, path: string) {
    this.tree = tree
    this.out = new ApiNames(tree)
    this.isPackage = /(?:^|\/)__init__\.pyi?$/.test(path)
  }

  read(): Api {
    const statements = this.reachable(0)
    for (const statement of statements) this.list(statement)
    for (const statement of statements) this.statement(statement, "")
    return this.out.of(null)
  }

  /** Statements of a block, and of the branches at its level: what is there on one platform is there. */
  private reachable(block: number): ReadonlyArray<number> {
    const { tree } = this
    return tree.namedChildren(block).flatMap((statement): ReadonlyArray<number> => {
      if (!tree.is(statement, "if_statement", "try_statement", "with_statement")) return [statement]
      return tree
        .namedChildren(statement)
        .flatMap((part) =>
          tree.is(part, "block") ? [part] : tree.namedChildren(part).filter((one) => tree.is(one, "block"))
        )
        .flatMap((inner) => this.reachable(inner))
    })
  }

  private list(statement: number): void {
    const { tree } = this
    const assignment = tree.is(statement, "expression_statement") ? (tree.namedChildren(statement)[0] ?? NONE) : NONE
    if (!tree.is(assignment, "assignment", "augmented_assignment")) return
    if (tree.textOf(tree.child(assignment, "left")) !== "__all__") return
    const right = tree.child(assignment, "right")
    if (!tree.is(right, "list", "tuple")) {
      this.out.isOpen = true
      return
    }
    this.listed ??= new Set()
    for (const item of tree.namedChildren(right)) {
      if (tree.is(item, "string")) this.listed.add(tree.textOf(item).replace(/^[rbu]*["']+|["']+$/gi, ""))
    }
  }

  private isExported(name: string): boolean {
    return this.listed === null ? isPublicName(name) && !/^__/.test(name) : this.listed.has(name)
  }

  private statement(statement: number, type: string): void {
    const { tree } = this
    switch (tree.kind(statement)) {
      case "decorated_definition":
        return this.decorated(statement, type)
      case "function_definition":
        return this.definition(statement, type, [])
      case "class_definition":
        return this.classDefinition(statement, type)
      case "expression_statement":
        return this.assigned(tree.namedChildren(statement)[0] ?? NONE, type)
      case "import_from_statement":
      case "import_statement":
        return type === "" ? this.imported(statement) : undefined
    }
  }

  private decorated(statement: number, type: string): void {
    const { tree } = this
    const decorators = tree
      .namedChildren(statement)
      .filter((one) => tree.is(one, "decorator"))
      .map((one) => tree.textOf(one).replace(/^@\s*/, ""))
    const definition = tree.child(statement, "definition")
    if (tree.is(definition, "class_definition")) this.classDefinition(definition, type)
    else this.definition(definition, type, decorators)
  }

  private named(name: string, type: string): { readonly full: string; readonly isPublic: boolean } {
    return type === ""
      ? { full: name, isPublic: this.isExported(name) }
      : { full: `${type}.${name}`, isPublic: isPublicName(name) && (this.out.names.get(type)?.isPublic ?? false) }
  }

  private definition(node: number, type: string, decorators: ReadonlyArray<string>): void {
    const { tree, out } = this
    if (decorators.some((name) => /(?:^|\.)overload$/.test(name))) return
    const { full, isPublic } = this.named(tree.textOf(tree.child(node, "name")), type)
    const isValue = decorators.some((name) => /property\b|\.(?:setter|deleter|getter)$/.test(name))
    const isBound = type !== "" && !decorators.some((name) => /^staticmethod\b/.test(name))
    // A decorator of the project may hand on other arguments than it is called with.
    const isKnown = decorators.every((name) =>
      /^(?:staticmethod|classmethod|abstractmethod|abc\.|functools\.(?:cache|lru_cache)|override|final|typing\.)/.test(
        name
      )
    )
    out.add(
      full,
      node,
      isValue || !isKnown ? null : this.signatureOf(tree.child(node, "parameters"), isBound),
      isPublic
    )
  }

  private classDefinition(node: number, type: string): void {
    const { tree, out } = this
    const { full, isPublic } = this.named(tree.textOf(tree.child(node, "name")), type)
    out.add(full, node, null, isPublic)
    const bases = tree.child(node, "superclasses")
    if (bases !== NONE) out.inherits(full, tree.textOf(bases))
    const body = tree.child(node, "body")
    for (const statement of this.reachable(body)) this.statement(statement, full)
    for (const target of tree.within(body, "attribute")) {
      const [, attribute] = /^self\.(\w+)$/.exec(tree.textOf(target)) ?? []
      if (attribute !== undefined && tree.is(tree.parent(target), "assignment", "pattern_list"))
        out.attributes.add(`${full}.${attribute}`)
    }
  }

  private assigned(node: number, type: string): void {
    const { tree, out } = this
    if (!tree.is(node, "assignment")) return
    const left = tree.child(node, "left")
    const targets = tree.is(left, "pattern_list", "tuple_pattern") ? tree.namedChildren(left) : [left]
    for (const target of targets) {
      const { full, isPublic } = this.named(tree.textOf(target), type)
      const isNew = tree.is(target, "identifier") && !out.names.has(full) && !this.importedNames.has(full)
      if (isNew) out.add(full, target, null, isPublic)
    }
    this.assigned(tree.child(node, "right"), type)
  }

  /** What a package imports it hands on; a module does so only by `__all__`, or by `import x as x`. */
  private imported(statement: number): void {
    const { tree, out } = this
    if (tree.childOfKind(statement, "wildcard_import") !== NONE) {
      out.stars.push(tree.textOf(tree.child(statement, "module_name")))
      return
    }
    for (const node of tree.childrenOfField(statement, "name")) {
      const alias = tree.child(node, "alias")
      const imported = tree.textOf(tree.is(node, "aliased_import") ? tree.child(node, "name") : node)
      const name = alias === NONE ? imported : tree.textOf(alias)
      const isFrom = tree.is(statement, "import_from_statement")
      this.importedNames.add(name)
      const isHandedOn = this.listed?.has(name) ?? ((this.isPackage && isFrom) || (name === imported && alias !== NONE))
      if (isHandedOn && isPublicName(name) && !name.includes(".")) out.add(name, node)
    }
  }

  private signatureOf(list: number, isBound: boolean): Signature {
    const { tree } = this
    let required = 0
    let most = 0
    for (const parameter of tree.namedChildren(list)) {
      const inner = tree.is(parameter, "typed_parameter") ? (tree.namedChildren(parameter)[0] ?? NONE) : parameter
      if (tree.is(inner, "list_splat_pattern", "dictionary_splat_pattern")) most = Number.POSITIVE_INFINITY
      else if (tree.is(parameter, "default_parameter", "typed_default_parameter")) most++
      else if (tree.is(inner, "identifier", "tuple_pattern")) {
        required++
        most++
      }
    }
    const bound = isBound && required > 0 ? 1 : 0
    return { required: required - bound, most: most - bound }
  }
}

export const pythonApi = (tree: FlatTree, path: string): Api =>
  isPrivateModule(path) ? new ApiNames(tree).of(null) : new Reader(tree, path).read()
