import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { type Api, ApiNames, type Signature } from "./Api.ts"

const functionKinds = [
  "function_declaration",
  "generator_function_declaration",
  "function_signature",
  "function_expression",
  "generator_function",
  "arrow_function"
] as const
const classKinds = ["class_declaration", "abstract_class_declaration", "class"] as const

/** Names that begin so are private by convention. */
const isInternal = (name: string): boolean => name.startsWith("_") || name.startsWith("#") || name === ""

const unquoted = (text: string): string => text.replace(/^["'`]|["'`]$/g, "")

/** Reads one file; a value may be declared at one location and exported at another. */
class Reader {
  private readonly tree: FlatTree
  private readonly out: ApiNames
  /** Whether the compiler rejects a call with more arguments than a function has parameters. */
  private readonly isTyped: boolean
  private readonly declared = new Map<string, number>()
  /** Names of the object that `require` returns. */
  private readonly exportsNames = new Set(["exports", "module.exports"])

  constructor(tree: FlatTree, isTyped: boolean) {
    this.tree = tree
    this.out = new ApiNames(tree)
    this.isTyped = isTyped
  }

  read(): Api {
    const { tree } = this
    const statements = tree.namedChildren(0)
    for (const statement of statements)
      for (const [name, node] of this.declarationsOf(statement)) this.declared.set(name, node)
    for (const statement of statements) {
      if (tree.is(statement, "export_statement")) this.exported(statement, "")
      else if (tree.is(statement, "expression_statement")) this.expression(tree.namedChildren(statement)[0] ?? NONE)
      else if (tree.is(statement, "lexical_declaration", "variable_declaration")) this.declaredAsExports(statement)
    }
    this.assignedMembers()
    return this.out.of(null)
  }

  /** Names that a statement declares, with what they stand for. */
  private declarationsOf(statement: number): ReadonlyArray<readonly [string, number]> {
    const { tree } = this
    if (tree.is(statement, "export_statement", "ambient_declaration")) {
      const inner = tree.child(statement, "declaration")
      return (inner === NONE ? tree.namedChildren(statement) : [inner]).flatMap((one) => this.declarationsOf(one))
    }
    if (tree.is(statement, "lexical_declaration", "variable_declaration")) {
      return tree
        .namedChildren(statement)
        .filter((one) => tree.is(one, "variable_declarator"))
        .flatMap((one) => this.boundNames(tree.child(one, "name")).map((name) => [tree.textOf(name), one] as const))
    }
    const name = tree.child(statement, "name")
    return name === NONE ? [] : [[tree.textOf(name), statement]]
  }

  /** Identifiers that a pattern binds. */
  private boundNames(pattern: number): ReadonlyArray<number> {
    const { tree } = this
    if (tree.is(pattern, "identifier", "shorthand_property_identifier_pattern")) return [pattern]
    if (tree.is(pattern, "pair_pattern")) return this.boundNames(tree.child(pattern, "value"))
    if (tree.is(pattern, "object_assignment_pattern", "assignment_pattern"))
      return this.boundNames(tree.child(pattern, "left"))
    return tree.is(pattern, "object_pattern", "array_pattern", "rest_pattern")
      ? tree.namedChildren(pattern).flatMap((one) => this.boundNames(one))
      : []
  }

  private exported(statement: number, prefix: string): void {
    const { tree, out } = this
    const source = tree.child(statement, "source")
    const isDefault = tree.childOfKind(statement, "default") !== NONE
    const declaration = tree.child(statement, "declaration")
    const clause = tree.childOfKind(statement, "export_clause")
    const namespace = tree.childOfKind(statement, "namespace_export")
    const value = tree.child(statement, "value")
    if (isDefault) this.value("default", declaration === NONE ? value : declaration)
    else if (declaration !== NONE) this.declaration(declaration, prefix)
    else if (clause !== NONE) {
      const module = source === NONE ? null : unquoted(tree.textOf(source))
      for (const one of tree.namedChildren(clause)) this.specifier(one, module)
    } else if (namespace !== NONE) {
      const name = tree.namedChildren(namespace)[0] ?? NONE
      out.add(unquoted(tree.textOf(name)), name)
    } else if (source !== NONE) out.stars.push(unquoted(tree.textOf(source)))
    else for (const one of tree.namedChildren(statement)) this.value("default", one)
  }

  private specifier(node: number, module: string | null): void {
    const { tree, out } = this
    const name = tree.textOf(tree.child(node, "name"))
    const alias = tree.child(node, "alias")
    const outer = unquoted(alias === NONE ? name : tree.textOf(alias))
    const local = this.declared.get(name)
    if (module !== null) out.handOn(outer, node, { module, name: unquoted(name) })
    else if (local === undefined) out.add(outer, node)
    else this.value(outer, local)
  }

  private declaration(node: number, prefix: string): void {
    const { tree, out } = this
    if (tree.is(node, "internal_module", "module")) {
      const name = `${prefix}${tree.textOf(tree.child(node, "name"))}`
      out.add(name, node)
      for (const one of tree.namedChildren(tree.child(node, "body"))) {
        if (tree.is(one, "export_statement")) this.exported(one, `${name}.`)
      }
      return
    }
    for (const [name, declared] of this.declarationsOf(node)) {
      if (!isInternal(name)) this.value(`${prefix}${name}`, declared)
    }
  }

  /** Adds a name with what the node that it stands for shows: parameters of a function, members of a class. */
  private value(name: string, node: number): void {
    const { tree, out } = this
    if (node === NONE) return
    const required = this.requiredModule(node)
    if (required !== null) out.handOn(name, node, { module: required, name: "default" })
    else if (tree.is(node, "ambient_declaration")) this.declaration(node, "")
    else if (tree.is(node, "variable_declarator")) this.variable(name, node)
    else if (tree.is(node, ...functionKinds)) out.add(name, node, this.signatureOf(node))
    else if (tree.is(node, ...classKinds, "interface_declaration", "enum_declaration")) this.type(name, node)
    else if (tree.is(node, "identifier")) this.reference(name, node)
    else {
      out.add(name, node)
      const entries = name === "default" && tree.is(node, "object") ? tree.namedChildren(node) : []
      for (const entry of entries) this.entry(entry, "default.")
    }
  }

  private variable(name: string, node: number): void {
    const { tree, out } = this
    const value = tree.child(node, "value")
    const isShown =
      value !== NONE && (tree.is(value, ...functionKinds, ...classKinds) || this.requiredModule(value) !== null)
    if (isShown) this.value(name, value)
    else out.add(name, node, this.functionType(tree.child(node, "type")))
  }

  private reference(name: string, node: number): void {
    const declared = this.declared.get(this.tree.textOf(node))
    if (declared === undefined || this.isCircular(name, node)) this.out.add(name, node)
    else this.value(name, declared)
  }

  private isCircular(name: string, node: number): boolean {
    return this.out.names.has(name) && this.out.names.get(name)?.start === this.tree.start(node)
  }

  private functionType(annotation: number): Signature | null {
    const { tree } = this
    const type = annotation === NONE ? NONE : tree.childOfKind(annotation, "function_type")
    return type === NONE ? null : this.signatureOf(type)
  }

  private type(name: string, node: number): void {
    const { tree, out } = this
    out.add(name, node)
    const heritage = tree.childOfKind(node, "class_heritage", "extends_type_clause")
    if (heritage !== NONE) out.inherits(name, tree.textOf(heritage))
    const members = tree.namedChildren(tree.child(node, "body"))
    for (const member of members) this.member(name, member)
    const isClass = tree.is(node, ...classKinds)
    if (isClass && heritage === NONE && !out.names.has(`${name}.constructor`)) {
      out.add(`${name}.constructor`, node, { required: 0, most: this.isTyped ? 0 : Number.POSITIVE_INFINITY })
    }
  }

  private member(type: string, node: number): void {
    const { tree, out } = this
    if (tree.is(node, "property_identifier", "string")) return out.add(`${type}.${unquoted(tree.textOf(node))}`, node)
    const isPrivate = /^private\b/.test(tree.textOf(tree.childOfKind(node, "accessibility_modifier")))
    const name = tree.child(node, "name")
    if (name === NONE || isPrivate || tree.is(name, "computed_property_name") || tree.is(node, "index_signature"))
      return
    const written = unquoted(tree.textOf(name))
    if (isInternal(written)) return
    const isAccessor = /^(?:(?:public|protected|static|override|readonly)\s+)*(?:get|set)\s/.test(
      tree.text.slice(tree.start(node), tree.start(name))
    )
    const value = tree.child(node, "value")
    const callable = tree.is(value, ...functionKinds) ? value : node
    const hasParameters = !isAccessor && tree.child(callable, "parameters") !== NONE
    out.add(`${type}.${written}`, node, hasParameters ? this.signatureOf(callable) : null)
  }

  private signatureOf(node: number): Signature {
    const { tree } = this
    const list = tree.child(node, "parameters")
    const parameters = list === NONE ? [tree.child(node, "parameter")] : tree.namedChildren(list)
    const own = parameters.filter(
      (one) => one !== NONE && !tree.isComment(one) && !tree.is(tree.child(one, "pattern"), "this")
    )
    const isRest = (one: number) => tree.is(one, "rest_pattern") || tree.is(tree.child(one, "pattern"), "rest_pattern")
    const isOptional = (one: number) =>
      tree.is(one, "optional_parameter", "assignment_pattern") || tree.child(one, "value") !== NONE
    const required = own.findLastIndex((one) => !isRest(one) && !isOptional(one)) + 1
    return { required, most: !this.isTyped || own.some(isRest) ? Number.POSITIVE_INFINITY : own.length }
  }

  // CommonJS from here on.

  /** `const app = module.exports = {}` */
  private declaredAsExports(statement: number): void {
    const { tree } = this
    for (const one of tree.namedChildren(statement)) {
      const value = tree.child(one, "value")
      if (tree.is(value, "assignment_expression") && this.expression(value)) {
        this.exportsNames.add(tree.textOf(tree.child(one, "name")))
      }
    }
  }

  /** Whether the expression assigns to what the module exports. */
  private expression(node: number): boolean {
    const { tree } = this
    if (tree.is(node, "call_expression")) return this.call(node)
    if (!tree.is(node, "assignment_expression")) return false
    const left = tree.child(node, "left")
    const right = tree.child(node, "right")
    const target = tree.textOf(left).replace(/\s+/g, "")
    const value = this.assignedValue(right)
    const isInner = tree.is(right, "assignment_expression") && this.expression(right)
    if (this.exportsNames.has(target)) {
      if (!isInner) this.whole(value)
      return true
    }
    if (isInner && tree.is(left, "identifier")) this.exportsNames.add(target)
    const member = /^(exports|module\.exports)\.([\w$]+)$/.exec(target)?.[2]
    if (member !== undefined && member !== "__esModule" && !isInternal(member)) this.value(member, value)
    return isInner
  }

  /** The last value of `a = b = value`. */
  private assignedValue(node: number): number {
    let value = node
    while (this.tree.is(value, "assignment_expression")) value = this.tree.child(value, "right")
    return value
  }

  /** `module.exports = value` */
  private whole(value: number): void {
    const { tree, out } = this
    const required = this.requiredModule(value)
    if (required !== null) out.stars.push(required)
    else if (tree.is(value, "object")) for (const entry of tree.namedChildren(value)) this.entry(entry, "")
    else {
      this.value("default", value)
      if (tree.is(value, "identifier")) this.exportsNames.add(tree.textOf(value))
    }
  }

  private entry(node: number, prefix: string): void {
    const { tree, out } = this
    if (tree.is(node, "spread_element")) {
      const required = this.requiredModule(tree.namedChildren(node)[0] ?? NONE)
      if (required === null) out.isOpen = true
      else out.stars.push(required)
      return
    }
    if (tree.is(node, "shorthand_property_identifier")) {
      const name = tree.textOf(node)
      return this.value(`${prefix}${name}`, this.declared.get(name) ?? node)
    }
    const key = tree.child(node, tree.is(node, "pair") ? "key" : "name")
    if (key === NONE || tree.is(key, "computed_property_name")) return
    const name = unquoted(tree.textOf(key))
    if (isInternal(name)) return
    if (tree.is(node, "method_definition")) out.add(`${prefix}${name}`, node, this.signatureOf(node))
    else this.value(`${prefix}${name}`, tree.child(node, "value"))
  }

  private requiredModule(node: number): string | null {
    const { tree } = this
    return tree.is(node, "call_expression")
      ? (/^require\(\s*["'`]([^"'`]+)["'`]\s*\)$/.exec(tree.textOf(node))?.[1] ?? null)
      : null
  }

  /** What compilers make of `export`. */
  private call(node: number): boolean {
    const { tree, out } = this
    const callee = tree.textOf(tree.child(node, "function")).replace(/\s+/g, "")
    const [first = NONE, second = NONE] = tree.namedChildren(tree.child(node, "arguments"))
    if (/(?:^|[._])_*exportStar$/i.test(callee)) {
      const required = this.requiredModule(first)
      if (required === null) out.isOpen = true
      else out.stars.push(required)
    } else if (this.exportsNames.has(tree.textOf(first))) {
      // Helpers such as `defineGetter(req, "ip", …)` have the same form.
      const name = tree.is(second, "string") ? unquoted(tree.textOf(second)) : null
      if (name === null) out.isOpen = true
      else if (name !== "__esModule") out.add(name, node)
    }
    return false
  }

  /** `app.use = function () {}` where `app` is what is exported, and `Foo.prototype.bar = …` of an exported `Foo`. */
  private assignedMembers(): void {
    const { tree } = this
    for (const statement of tree.namedChildren(0)) {
      const node = tree.is(statement, "expression_statement") ? (tree.namedChildren(statement)[0] ?? NONE) : NONE
      if (tree.is(node, "assignment_expression")) this.assignedMember(node)
    }
  }

  private assignedMember(node: number): void {
    const { tree, out } = this
    const target = tree.textOf(tree.child(node, "left")).replace(/\s+/g, "")
    const [, object = "", prototype, member = ""] = /^([\w$]+)(\.prototype)?\.([\w$]+)$/.exec(target) ?? []
    if (isInternal(member) || object === "exports" || object === "module") return
    const isWhole = this.exportsNames.has(object)
    const value = this.assignedValue(tree.child(node, "right"))
    if (prototype === undefined && isWhole) this.value(member, value)
    else if (prototype !== undefined && out.names.has(object)) this.value(`${object}.${member}`, value)
    else if (prototype !== undefined && isWhole) this.value(`default.${member}`, value)
  }
}

export const javascriptApi = (tree: FlatTree): Api => new Reader(tree, false).read()
export const typescriptApi = (tree: FlatTree): Api => new Reader(tree, true).read()
