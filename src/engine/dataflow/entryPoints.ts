import type { SourceFile } from "../core/files/SourceFile.ts"
import type { FunctionInfo } from "../languages/syntax/Syntax.ts"
import { lastName } from "../languages/syntax/Syntax.ts"

const MAX_EXPORTS = 20_000

/** `exports.a =`, `module.exports = a`, `export { a as b }`, `export default a`. */
const namedExport =
  /(?:^|[\s;])(?:module\.)?exports\.([\w$]+)\s*=|(?:^|[\s;])module\.exports\s*=\s*(?:exports\s*=\s*)?(?:new\s+|class\s+)?([\w$]+)|(?:^|[\s;])export\s+default\s+(?:new\s+|class\s+)?([\w$]+)|(?:^|[\s;])exports\.[\w$]+\s*=\s*([\w$]+)/g
const listedExports = /(?:\bmodule\.exports\s*=|\bexport)\s*\{([^{}]{0,4000})/g
const listedName = /([\w$]+)(?:\s*:\s*([\w$]+))?/g

/** Names that a CommonJS or ES module hands out, and those of what it hands out under another name. */
const exportedNames = (file: SourceFile): ReadonlySet<string> => {
  const names = new Set<string>()
  for (const match of file.text.matchAll(namedExport)) {
    for (const name of match.slice(1)) if (name !== undefined) names.add(name)
  }
  for (const [, list = ""] of file.text.matchAll(listedExports)) {
    for (const [, key = "", value] of list.matchAll(listedName)) {
      names.add(key)
      if (value !== undefined) names.add(value)
    }
    if (names.size > MAX_EXPORTS) break
  }
  return names
}

const isScriptExport = (file: SourceFile, info: FunctionInfo, name: string | null): boolean => {
  const tree = file.tree!
  const before = file.text.slice(Math.max(0, tree.start(info.node) - 200), tree.start(info.node))
  if (/(?:\bexports(?:\.[\w$]+)?\s*=|\bexport\s+default)\s*(?:async\s*)?\(?$/.test(before)) return true
  const names = file.memo(exportedNames, exportedNames)
  if (isInExportedObject(file, info, names)) return true
  if (name === null) return false
  const [owner = "", method] = name.split(".")
  if (method === undefined) return names.has(owner) || isPrototypeMethod(before, names)
  return !/^[_#]/.test(method) && (names.has(owner) || isExportedClass(file, owner))
}

/** `Parser.prototype.read = function (text) {`. */
const isPrototypeMethod = (before: string, names: ReadonlySet<string>): boolean => {
  const owner = /([\w$]+)\.prototype\.[A-Za-z$][\w$]*\s*=\s*(?:async\s*)?$/.exec(before)?.[1]
  return owner !== undefined && names.has(owner)
}

const exportsObject = /^(?:module\.)?exports(?:\.[\w$]+)?$/
const MAX_NESTING = 3

/** `exports.api = { read: function (text) {} }`, `Parser.prototype = { read(text) {} }`, and objects in such objects. */
const isInExportedObject = (file: SourceFile, info: FunctionInfo, names: ReadonlySet<string>): boolean => {
  const tree = file.tree!
  let at = tree.is(info.node, "method_definition") ? info.node : tree.parent(info.node)
  for (let level = 0; level < MAX_NESTING && tree.is(at, "pair", "method_definition"); level++) {
    const object = tree.parent(at)
    if (!tree.is(object, "object")) return false
    at = tree.parent(object)
    if (tree.is(at, "assignment_expression")) {
      const target = tree.textOf(tree.child(at, "left"))
      return exportsObject.test(target) || names.has(/^([\w$]+)(?:\.prototype)?$/.exec(target)?.[1] ?? "")
    }
    if (tree.is(at, "variable_declarator")) return names.has(tree.textOf(tree.child(at, "name")))
    if (tree.is(at, "export_statement")) return true
  }
  return false
}

const isExportedClass = (file: SourceFile, name: string): boolean =>
  new RegExp(`\\bexport\\s+(?:default\\s+)?(?:abstract\\s+)?class\\s+${name.replace(/\W/g, "")}\\b`).test(file.text)

const isPythonEntry = (info: FunctionInfo, name: string | null): boolean => {
  if (name === null || !name.includes(".")) return info.exported
  return name.split(".").every((part) => !part.startsWith("_") || part === "__init__")
}

/** Can code outside of this file's package call the function, as far as the file shows? */
export const isEntryPoint = (file: SourceFile, info: FunctionInfo, name: string | null): boolean => {
  switch (file.language) {
    case "javascript":
    case "typescript":
    case "tsx":
      return info.exported || isScriptExport(file, info, name)
    case "python":
      return isPythonEntry(info, name)
    case "go":
      return info.exported && !/^package\s+main\b/m.test(file.text.slice(0, 4_000))
    case "ruby":
      return name !== null && !lastName(name).startsWith("_")
    default:
      return info.exported
  }
}
