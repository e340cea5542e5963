import type { SourceFile } from "../../core/files/SourceFile.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { storesRecords } from "../joining/recordClasses.ts"
import { recordName, recordOwner } from "../values/records.ts"
import {
  CUT,
  FIELD,
  isTainted,
  isWhole,
  join,
  PATH,
  SOURCE,
  SPREAD,
  sanitised,
  tainted,
  taintsOf,
  unknown,
  type Value,
  withoutConstant,
  withType
} from "../values/Value.ts"
import { isValidatedField } from "./calls/expressValidator.ts"
import { evaluate } from "./evaluate.ts"
import { clip, originAt, type Run } from "./Run.ts"

const cleanProperties = new Set(["length", "size", "count", "status", "statusCode", "name.length", "byteLength"])

const MAX_PATH = 140

export const extendPath = (path: string | null, part: string): string | null =>
  path === null || path.length > MAX_PATH ? null : `${path}.${part}`

/** A value read from an untrusted place. */
export const sourceAt = (run: Run, node: number, path: string, name?: string): Value => {
  const shown = clip(name ?? run.tree.textOf(node))
  const origin = originAt(run, node, { kind: "source", name: shown, path, index: SOURCE, property: "" })
  return tainted({ origin, trail: null, safe: run.language.safeAtSource(path) }, path)
}

/** `import` compiled to `require`: what a package exports by default is the package itself. */
const isDefault = (object: Value, name: string): boolean =>
  name === "default" && /^@?[\w-]+(?:\/[\w-]+)*$/.test(object.type ?? "") && !isTainted(object)

/** A property of a value: what was put there, a source, the field of a class, or a part of something tainted. */
export const memberOf = (run: Run, node: number, object: Value, name: string): Value => {
  if (isDefault(object, name)) return object
  const found = object.fields === null ? null : fromFields(run, node, object, object.fields, name)
  if (found !== null) return found
  const value = fromWhole(run, node, object, name)
  if (name === "pathname" && resolvesDots.test(object.type ?? "")) return sanitised(value, PATH)
  return cutOff.test(name) && isTainted(object) ? sanitised(value, CUT) : value
}

/** What was put into an object under a name, or under one that is not known; null when there is nothing of it. */
const fromFields = (
  run: Run,
  node: number,
  object: Value,
  fields: ReadonlyMap<string, Value>,
  name: string
): Value | null => {
  const known = fields.get(name)
  const loose = fields.get("*")
  const spread = known === undefined && name !== "*" ? fields.get(SPREAD) : undefined
  if (spread !== undefined) {
    const value = fromWhole(run, node, spread, name)
    return withoutConstant(loose === undefined ? value : join(loose, value))
  }
  if (known !== undefined) return withoutConstant(loose === undefined ? known : join(known, loose))
  // How many there are says nothing of what they are.
  if (loose === undefined || name === "length") return null
  // What was put under some name says nothing of the others.
  const other = fromWhole(run, node, object, name)
  return withoutConstant(isTainted(other) ? join(loose, other) : loose)
}

/** `form.getName()` of an object that a request fills, whose class says only which field it returns. */
export const accessed = (run: Run, node: number, receiver: Value | null, value: Value): Value => {
  const origin = value.holes[0]?.origin
  const isField = receiver !== null && isTainted(receiver) && isWhole(value) && origin?.kind === "field"
  return isField ? memberOf(run, node, withType(receiver, null), origin.property) : value
}

/** `params[:size]`, `req.query.status`: who sends a request names what is in it, unlike `name.size`. */
const isSentName = ({ type }: Value, name: string): boolean =>
  name !== "length" &&
  /^(?:http:|\$_|flask\.|message:).*(?:\b|_)(?:query|params|body|GET|POST|REQUEST|COOKIE|cookies|args|form|values)$/.test(
    type ?? ""
  )

const fromWhole = (run: Run, node: number, object: Value, name: string): Value => {
  if (isValidatedField(run.file, object.type, name)) return unknown("clean")
  const path = extendPath(object.type, name)
  if (path !== null && run.language.sources.test(path)) return sourceAt(run, node, path)
  if (object.type?.startsWith("self:")) return heldField(run, node, object.type.slice(5), name)
  if (object.type?.startsWith("local:")) {
    const known = fieldOf(run, object.type.slice(6), name)
    if (!isTainted(object) || known.type === "number") return known
  }
  if (!isTainted(object) || (cleanProperties.has(name) && !isSentName(object, name))) return unknown(path)
  if (object.type?.startsWith("local:") === true && run.language.cleanMember?.test(name) === true) return unknown(path)
  if (path !== null && run.language.cleanParts?.test(path) === true) return unknown(path)
  return part(run, node, object, name, path)
}

/** `new URL(text)` takes `..` out of a path, encoded or not, as long as the slashes beside them are none that is encoded. */
const resolvesDots = /^(?:url\.)?URL$/

/** Parts of an address behind its path, and of a text that was split behind the first: they begin as they are sent. */
const cutOff = /^(?:query|searchParams|[1-9]\d*)$/

/** `req.query.name` is shown as such, not as `req.query`; an argument's property is shown with its own name. */
const part = (run: Run, node: number, object: Value, name: string, path: string | null): Value => {
  if (!isWhole(object) || object.rest.length > 0) {
    const taints = taintsOf(object)
    return { ...tainted(taints[0]!, path), rest: taints.slice(1) }
  }
  const taint = object.holes[0]!
  const { origin } = taint
  const isKept = taint.trail === null || origin.kind === "result" || recordName(origin.path) !== null
  if (!isKept || !/^[\w$]+$/.test(name)) return tainted(taint, path)
  const named = originAt(run, node, {
    kind: origin.kind,
    index: origin.index,
    path: origin.kind === "parameter" ? "" : origin.path,
    name: clip(origin.name === "" ? name : `${origin.name}.${name}`),
    property: origin.kind === "source" ? "" : origin.property === "" ? name : `${origin.property}.${name}`
  })
  return tainted({ ...taint, origin: named }, path)
}

const fieldWrites =
  /(?:\bthis\.|\bself\.|@|\$this->)(#?\w+)\s*(?:\[[^\]\n]*\]\s*)*(?:[.+|&?]{0,2}=(?![=>~])|<<|\.(?:push|append|add|set)\()/g

/** Names of fields that code gives values. */
export const writtenFieldsIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(fieldWrites)].map((match) => match[1]!)

/** Names of fields that some method of the file assigns. */
const writtenFields = (file: SourceFile): ReadonlySet<string> => new Set(writtenFieldsIn(file.text))

/** A field of the object itself: whatever any method of its class writes to it. */
const heldField = (run: Run, node: number, className: string, name: string): Value => {
  const known = fieldOf(run, className, name)
  if (known.callable !== null || known.type === "number" || run.frame.info === null) return known
  const isStored = storesRecords(run.file, className)
  if (!isStored && !run.file.memo(writtenFields, writtenFields).has(name)) return known
  const shown = clip(run.tree.textOf(node))
  const path = isStored ? recordOwner(className) : className
  const origin = originAt(run, node, { kind: "field", name: shown, path, index: FIELD, property: name })
  return { ...tainted({ origin, trail: null, safe: 0 }), type: known.type }
}

/** What the class says of a field: its declared type, or what it is assigned anywhere in the file. */
export const fieldOf = (run: Run, className: string, name: string): Value => {
  const key = `${className}.${name}`
  const known = run.fieldTypes.get(key)
  if (known !== undefined) return known ?? unknown(null)
  run.fieldTypes.set(key, null)
  const method = run.index.named(key)
  const found =
    method === undefined
      ? typedField(run, className, name)
      : { ...unknown(), callable: { node: method.node, scope: null } }
  run.fieldTypes.set(key, found)
  return found
}

const declarationKinds = [
  "public_field_definition",
  "field_definition",
  "field_declaration",
  "required_parameter",
  "assignment_expression",
  "assignment",
  "property_declaration",
  "property_promotion_parameter"
]

const typedField = (run: Run, className: string, name: string): Value => {
  const { tree } = run
  const owner = run.index.classNode(className)
  const within = owner === NONE ? goStruct(run, className) : owner
  if (within === NONE) return unknown()
  for (const node of tree.within(within, ...declarationKinds)) {
    if (declaredName(run, node) !== name || tree.is(tree.parent(node), "initializer_expression")) continue
    const constant = constantField(run, node)
    if (constant !== null) return constant
    const type = declaredFieldType(run, node) ?? initialType(run, node)
    if (type !== null) return unknown(type)
  }
  return unknown()
}

/** A field that its declaration gives a constant for good; null for others. */
const constantField = (run: Run, node: number): Value | null => {
  const { tree, file } = run
  if (!/^(?:java|csharp)$/.test(file.language) || !tree.is(node, "field_declaration")) return null
  if (!/^(?:[\w@]+\s+)*?(?:final|const|readonly)\s/.test(tree.textOf(node).slice(0, 100))) return null
  const declarator = tree.within(node, "variable_declarator")[0] ?? NONE
  const given = tree.child(declarator, "value")
  const last = given === NONE ? (tree.namedChildren(declarator).at(-1) ?? NONE) : given
  if (last === NONE || tree.end(last) - tree.start(last) > 200) return null
  const value = evaluated(run, last)
  return value.constant === undefined ? null : value
}

const declaredFieldType = ({ tree, language, file }: Run, node: number): string | null => {
  const own = tree.child(node, "type")
  const type = own === NONE ? tree.child(tree.childOfKind(node, "variable_declaration"), "type") : own
  return type === NONE ? null : language.declaredType(file, tree.textOf(type).replace(/^\s*:\s*/, ""))
}

/** Type of what a field is given; constructors often store a parameter, whose declared type is then the field's. */
const initialType = (run: Run, node: number): string | null => {
  const { tree } = run
  const declarator = tree.child(node, "declarator")
  const value = declarator === NONE ? tree.child(node, "right") : tree.child(declarator, "value")
  const given = value === NONE ? tree.child(node, "value") : value
  return given === NONE ? null : assignedType(run, given)
}

const assignedType = (run: Run, value: number): string | null => {
  const { tree, language, file } = run
  if (tree.is(value, "identifier")) {
    const owner = run.index.rootAt(tree.start(value))
    const parameter = owner?.parameters.find((candidate) => candidate.name === tree.textOf(value))
    if (parameter !== undefined) return parameter.type === null ? null : language.declaredType(file, parameter.type)
  }
  return evaluated(run, value).type
}

/** What an initializer is worth; what flows in it is reported where it runs. */
const evaluated = (run: Run, node: number): Value => {
  const frame = run.frame
  run.frame = { ...frame, flows: [], externals: [], writes: [], pending: new Map(), jumps: null }
  const value = evaluate(run, run.module, node)
  run.frame = frame
  return value
}

const declaredName = (run: Run, node: number): string | null => {
  const { tree } = run
  switch (tree.kind(node)) {
    case "required_parameter":
      return tree.childOfKind(node, "accessibility_modifier", "readonly") === NONE
        ? null
        : tree.textOf(tree.child(node, "pattern"))
    case "field_declaration": {
      const declarator = tree.child(node, "declarator")
      const variables = tree.childOfKind(node, "variable_declaration")
      if (variables !== NONE) return tree.textOf(tree.child(tree.childOfKind(variables, "variable_declarator"), "name"))
      return tree.textOf(tree.child(declarator === NONE ? node : declarator, "name"))
    }
    case "property_promotion_parameter":
      return tree.textOf(tree.child(node, "name")).replace(/^\$/, "")
    case "assignment_expression":
    case "assignment": {
      const left = tree.child(node, "left")
      const text = tree.textOf(left)
      return /^(?:(?:this|self|cls)\.|\$this->)(\w+)$/.exec(text)?.[1] ?? text
    }
    case "property_declaration":
      if (tree.child(node, "name") !== NONE) return tree.textOf(tree.child(node, "name"))
      return tree.textOf(tree.child(tree.childOfKind(node, "property_element"), "name")).replace(/^\$/, "")
    default: {
      const named = tree.child(node, "name")
      return tree.textOf(named === NONE ? tree.child(node, "property") : named)
    }
  }
}

const goStruct = (run: Run, name: string): number => {
  for (const node of run.tree.of("type_spec")) {
    if (run.tree.textOf(run.tree.child(node, "name")) === name) return node
  }
  return NONE
}

export const typed = (value: Value, type: string | null): Value =>
  type === null ? value : type === "number" ? { ...unknown("number"), constant: value.constant } : withType(value, type)
