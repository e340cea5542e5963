import { isMap, isSeq, type Node } from "yaml"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Emit } from "../../core/tool/AuditTool.ts"
import { entriesOf, entryOf, itemsOf, rangeOf, scalarOf, textAt, valueAt } from "../../languages/formats/yaml.ts"
import { followed, keyRange, type Operation, type Spec, specOf, targetOf } from "./document.ts"
import type { RuleId } from "./rules.ts"

const templateParams = (path: string): ReadonlyArray<string> =>
  [...path.matchAll(/\{([^{}/]{1,80})\}/g)].map(([, name]) => name!)

interface Declared {
  readonly name: string
  readonly node: Node
}

/** Path parameters of a list, or null when one of them cannot be read here. */
const pathParameters = (spec: Spec, holder: Node | null): ReadonlyArray<Declared> | null => {
  const found: Array<Declared> = []
  for (const item of itemsOf(spec.document, valueAt(spec.document, holder, "parameters"))) {
    const parameter = followed(spec, item)
    if (parameter === undefined || parameter === null) return null
    const name = textAt(spec.document, parameter, "name")
    if (name !== null && textAt(spec.document, parameter, "in") === "path") found.push({ name, node: item })
  }
  return found
}

const checkParameters = (spec: Spec, emit: Emit<RuleId>): void => {
  const byPath = new Map<string, Array<Operation>>()
  for (const operation of spec.operations) {
    const known = byPath.get(operation.path)
    if (known === undefined) byPath.set(operation.path, [operation])
    else known.push(operation)
  }
  for (const pathEntry of spec.paths) {
    const shared = pathParameters(spec, pathEntry.value)
    // A path item may be kept in another file as a whole.
    if (shared === null || textAt(spec.document, pathEntry.value, "$ref") !== null) continue
    const template = templateParams(pathEntry.key)
    for (const operation of byPath.get(pathEntry.key) ?? []) {
      const own = pathParameters(spec, operation.entry.value)
      if (own === null) continue
      reportMissing(operation, template, [...shared, ...own], emit)
      reportUnused(operation.method, pathEntry.key, template, own, emit)
    }
    reportUnused("every method of", pathEntry.key, template, shared, emit)
  }
}

const reportMissing = (
  operation: Operation,
  template: ReadonlyArray<string>,
  declared: ReadonlyArray<Declared>,
  emit: Emit<RuleId>
): void => {
  const names = new Set(declared.map(({ name }) => name))
  const missing = template.filter((name) => !names.has(name))
  if (missing.length === 0) return
  const quoted = missing.map((name) => `\`${name}\``).join(", ")
  emit({
    rule: "undeclared_path_parameter",
    ...keyRange(operation.entry),
    message: `${operation.method} \`${operation.path}\` does not declare ${quoted}, which its path contains.`
  })
}

const reportUnused = (
  method: string,
  path: string,
  template: ReadonlyArray<string>,
  declared: ReadonlyArray<Declared>,
  emit: Emit<RuleId>
): void => {
  for (const { name, node } of declared) {
    if (template.includes(name)) continue
    const range = rangeOf(node)
    emit({
      rule: "unused_path_parameter",
      start: range.start,
      end: Math.min(range.end, range.start + 80),
      message: `${method} \`${path}\` declares the path parameter \`${name}\`, which its path does not contain.`
    })
  }
}

const checkOperations = (spec: Spec, emit: Emit<RuleId>): void => {
  const { document } = spec
  const seen = new Map<string, Operation>()
  for (const operation of spec.operations) {
    const { entry, method, path } = operation
    const id = entryOf(document, entry.value, "operationId")
    const name = id === null ? null : scalarOf(document, id.value)
    const first = name === null ? undefined : seen.get(name)
    if (first !== undefined && id?.value != null) {
      const message = `\`${name}\` is the operationId of ${first.method} \`${first.path}\`, too; clients are generated with one method for both, or not at all.`
      emit({ rule: "duplicate_operation_id", ...rangeOf(id.value), message, identifiers: [name!] })
    } else if (name !== null) seen.set(name, operation)
    const responses = valueAt(document, entry.value, "responses")
    const codes = entriesOf(document, responses).map(({ key }) => key)
    if (isMap(responses) && codes.length > 0 && !codes.some((code) => /^(?:[123]|default$|x-|\$ref$)/i.test(code))) {
      const message = `${method} \`${path}\` says only how it fails (${codes.slice(0, 6).join(", ")}), not what it answers.`
      emit({ rule: "no_success_response", ...keyRange(entry), message })
    }
  }
}

const checkCollisions = (spec: Spec, emit: Emit<RuleId>): void => {
  const seen = new Map<string, string>()
  for (const entry of spec.paths) {
    const shape = entry.key.replace(/\{[^{}]{0,80}\}/g, "{}").replace(/\/+$/, "")
    const other = seen.get(shape)
    if (other !== undefined && other !== entry.key && other.replace(/\/+$/, "") !== entry.key.replace(/\/+$/, "")) {
      const message = `\`${entry.key}\` and \`${other}\` match the same requests.`
      emit({ rule: "colliding_paths", ...keyRange(entry), message })
    } else seen.set(shape, entry.key)
  }
}

const checkSecurity = (spec: Spec, emit: Emit<RuleId>): void => {
  const { document, root } = spec
  const holder = spec.isSwagger2
    ? valueAt(document, root, "securityDefinitions")
    : valueAt(document, root, "components", "securitySchemes")
  if (
    textAt(document, holder, "$ref") !== null ||
    textAt(document, valueAt(document, root, "components"), "$ref") !== null
  )
    return
  const known = new Set(entriesOf(document, holder).map(({ key }) => key))
  const check = (owner: Node | null, where: string): void => {
    for (const requirement of itemsOf(document, valueAt(document, owner, "security"))) {
      for (const { key, keyNode } of entriesOf(document, requirement)) {
        if (known.has(key)) continue
        const message = `${where} asks for the security scheme \`${key}\`, which is not defined.`
        emit({ rule: "undefined_security_scheme", ...rangeOf(keyNode), message })
      }
    }
  }
  check(root, "The document")
  for (const { entry, method, path } of spec.operations) check(entry.value, `${method} \`${path}\``)
}

const composed = [
  "allOf",
  "oneOf",
  "anyOf",
  "$ref",
  "additionalProperties",
  "patternProperties",
  "if",
  "unevaluatedProperties",
  "discriminator"
]
const values = /^(?:examples?|default|enum|const|x-.*)$/
/** Maps whose keys are names that the author chose. */
const nameMaps =
  /^(?:properties|schemas|parameters|responses|requestBodies|headers|definitions|patternProperties|\$defs|securitySchemes|securityDefinitions|examples|links|callbacks|paths|mapping|variables|scopes|encoding|content|pathItems|dependentSchemas)$/

const MAX_DEPTH = 60

/** Every schema and reference of the document, once. */
const walk = (spec: Spec, emit: Emit<RuleId>): void => {
  const { document } = spec
  const targets = new Map<string, boolean>()
  const exists = (reference: string): boolean => {
    const known = targets.get(reference) ?? targetOf(spec, reference) !== null
    targets.set(reference, known)
    return known
  }
  const visit = (node: Node | null, isNames: boolean, isPart: boolean, depth: number): void => {
    if (depth > MAX_DEPTH || node === null) return
    if (isSeq(node)) {
      for (const item of itemsOf(document, node)) visit(item, false, isPart, depth + 1)
      return
    }
    if (!isMap(node)) return
    const entries = entriesOf(document, node)
    if (!isNames && !isPart) checkRequired(spec, node, emit)
    for (const { key, value } of entries) {
      if (!isNames && key === "$ref") {
        const reference = scalarOf(document, value)
        if (reference !== null && value !== null && !exists(reference))
          emit({
            rule: "dangling_reference",
            ...rangeOf(value),
            message: `\`${reference}\` leads nowhere: the document has no such part.`
          })
        continue
      }
      if (!isNames && values.test(key)) continue
      visit(
        value,
        !isNames && nameMaps.test(key),
        !isNames && /^(?:allOf|oneOf|anyOf|not|if|then|else)$/.test(key),
        depth + 1
      )
    }
  }
  visit(spec.root, false, false, 0)
}

const checkRequired = (spec: Spec, node: Node, emit: Emit<RuleId>): void => {
  const { document } = spec
  const entries = entriesOf(document, node)
  const required = entries.find(({ key }) => key === "required")?.value ?? null
  const properties = entries.find(({ key }) => key === "properties")?.value ?? null
  if (!isSeq(required) || !isMap(properties) || entries.some(({ key }) => composed.includes(key))) return
  const known = new Set(entriesOf(document, properties).map(({ key }) => key))
  for (const item of itemsOf(document, required)) {
    const name = scalarOf(document, item)
    if (name === null || known.has(name) || known.size === 0) continue
    emit({
      rule: "undefined_required_property",
      ...rangeOf(item),
      message: `\`${name}\` is required, and \`properties\` does not have it: what to send is not described.`
    })
  }
}

export const checkContract = (file: SourceFile, emit: Emit<RuleId>): void => {
  const spec = specOf(file)
  if (spec === null) return
  checkParameters(spec, emit)
  checkOperations(spec, emit)
  checkCollisions(spec, emit)
  checkSecurity(spec, emit)
  walk(spec, emit)
}
