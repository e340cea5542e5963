import type { SourceFile } from "../../core/files/SourceFile.ts"
import { ruleLanguageOf } from "../../core/tool/AuditTool.ts"
import { type FunctionInfo } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"

const lists = /(?:\bmodule\.exports\s*=\s*|\bexport\s*)\{([^{}]{1,4000})\}/g
const singles =
  /(?:\bmodule\.exports\s*=\s*|\bexport\s+default\s+(?:class\s+|(?:async\s+)?function\s*\*?\s*)?|\bexport\s+(?:abstract\s+)?class\s+|\bexports\.[\w$]+\s*=\s*)([\w$]+)/g
/** `const api = module.exports = {…}` and `const api = exports`. */
const aliases =
  /\b([\w$]+)\s*=\s*(?:module\.)?exports\s*=|\b(?:const|let|var)\s+([\w$]+)\s*=\s*(?:module\.)?exports\s*[;\n]/g
/** How compilers and bundlers export a name, so that it can change later: by a function that returns it. */
const getters =
  /(?:\bget:\s*(?:function\s*\(\)\s*\{\s*return\s+|\(\)\s*=>\s*)|\$parcel\$export\([^;\n]{1,120}\(\)\s*=>\s*)([\w$]+)/g
const instances = /\b(?:const|let|var)\s+([\w$]+)\s*=\s*new\s+([\w$]+)\b/g

/** Names that a module of JavaScript hands out: functions, classes and objects of them. */
const exportedNames = (file: SourceFile): ReadonlySet<string> => {
  const names = new Set<string>()
  for (const [, list] of file.text.matchAll(lists)) {
    for (const part of list!.split(",")) {
      const name = /^\s*(?:[\w$]+\s*:\s*)?([\w$]+)(?:\s+as\s+[\w$]+)?\s*$/.exec(part)?.[1]
      if (name !== undefined) names.add(name)
    }
  }
  for (const pattern of [singles, getters]) for (const [, name] of file.text.matchAll(pattern)) names.add(name!)
  for (const [, before, after] of file.text.matchAll(aliases)) names.add((before ?? after)!)
  // Anyone who is handed an object can call the methods of its class.
  for (const [, name, type] of file.text.matchAll(instances)) if (names.has(name!)) names.add(type!)
  return names
}

const handedOut = /^(?:module\.)?exports\b|^export\b/

const MAX_UP = 12

/** Whether code of another package can call a function of a module of JavaScript. */
const isHandedOut = (file: SourceFile, info: FunctionInfo): boolean => {
  const names = file.memo(exportedNames, exportedNames)
  if (info.exported || (info.name !== null && names.has(info.name))) return true
  const tree = file.tree!
  let at = tree.parent(info.node)
  for (let level = 0; at !== NONE && level < MAX_UP; level++, at = tree.parent(at)) {
    const head = tree.textOf(at).slice(0, 120)
    if (handedOut.test(head)) return true
    if (tree.is(at, "class_declaration", "class")) {
      const name = /^class\s+([\w$]+)/.exec(head)?.[1]
      return name !== undefined && names.has(name)
    }
    const owner = /^([\w$]+)(?:\.[\w$]+){1,4}\s*=/.exec(head)?.[1]
    if (owner !== undefined && tree.is(at, "assignment_expression")) return names.has(owner)
    if (tree.is(at, "statement_block", "arguments")) return false
  }
  return false
}

/** Values that hold the ones inside of them. */
const holders = ["pair", "object", "array", "as_expression", "satisfies_expression", "ternary_expression"]

/** Whether a module of JavaScript hands out a value: `exports.word = /a+/`, `export const RULES = { word: /a+/ }`. */
export const isValueExported = (file: SourceFile, value: number): boolean => {
  const tree = file.tree!
  let at = tree.parent(value)
  while (tree.is(at, ...holders)) at = tree.parent(at)
  if (tree.is(at, "assignment_expression")) return handedOut.test(tree.textOf(at).slice(0, 40))
  if (!tree.is(at, "variable_declarator")) return tree.is(at, "export_statement")
  if (tree.is(tree.parent(tree.parent(at)), "export_statement")) return true
  return file.memo(exportedNames, exportedNames).has(tree.textOf(tree.child(at, "name")))
}

/** Whether a stranger's code may call a function. Languages other than JavaScript say so at the function. */
export const isExported = (file: SourceFile, info: FunctionInfo): boolean => {
  const language = ruleLanguageOf(file.language)
  if (language === "javascript") return isHandedOut(file, info)
  return language === "python" ? !(info.name ?? "_").startsWith("_") : info.exported
}
