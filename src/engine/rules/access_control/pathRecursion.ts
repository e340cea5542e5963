import type { SourceFile } from "../../core/files/SourceFile.ts"
import { unwrap } from "../../languages/syntax/strings.ts"
import { type FunctionInfo, functions } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { assignmentsIn, isCounter, isOpenKey, type PropertyWrite, type Region } from "./propertyWrites.ts"

/** The key is the next of a path, and no key of the object that is copied. */
export const isNextOfPath = (file: SourceFile, { key, region }: PropertyWrite): boolean => {
  const tree = file.tree!
  const name = tree.textOf(unwrap(file, key))
  if (/\.(?:shift|pop)\(\)$/.test(name)) return true
  if (!/^[\w$]+$/.test(name)) return false
  const parameters = new Set(region.info.parameters.map((parameter) => parameter.name))
  return assignmentsIn(file, region).some(({ target, value }) => {
    if (value === NONE) return false
    const text = tree.textOf(unwrap(file, value)).slice(0, 200)
    if (target === name) {
      const list = /^([\w$]+)(?:\[\w+\]|\.(?:shift|pop)\(\))$/.exec(text)?.[1]
      return list !== undefined && (parameters.has(list) || /\.(?:shift|pop)\(\)$|\[0\]$/.test(text))
    }
    const isTakenApart =
      /^[[{]/.test(target) && new RegExp(`[{[,:\\s]${name.replace(/\$/g, "\\$")}\\s*[,}\\]=]`).test(target)
    const from = /^(?:[\w$]+\.)*[\w$]+\(([\w$]+)\)$|^([\w$]+)$/.exec(text)
    return isTakenApart && from !== null && parameters.has(from[1] ?? from[2]!)
  })
}

const computeWalkers = (file: SourceFile): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const info of functions(file)) {
    const name = info.name?.split(".").at(-1)
    if (name !== undefined && !found.has(name) && walks(file, info)) found.add(name)
  }
  return found
}

/** `at = at[key]` for a key that may be any text, and the function returns where it arrived. */
const walks = (file: SourceFile, info: FunctionInfo): boolean => {
  const tree = file.tree!
  const region: Region = { info, callbacks: [], text: tree.textOf(info.node).slice(0, 4_000) }
  return assignmentsIn(file, region).some(({ target, value }) => {
    if (value === NONE || !/^[\w$]+$/.test(target)) return false
    const isStep = tree.within(value, "subscript_expression").some((node) => {
      const key = tree.child(node, "index")
      return (
        tree.textOf(tree.child(node, "object")) === target &&
        isOpenKey(file, key) &&
        !isCounter(region, tree.textOf(key))
      )
    })
    return isStep && new RegExp(`\\breturn\\s+${target.replace(/\$/g, "\\$")}\\s*[;}\\n]`).test(region.text)
  })
}

/** `follow(root, path)`, a function of the file that goes along a path which is not a literal. */
const isWalk = (file: SourceFile, node: number): boolean => {
  const tree = file.tree!
  if (!tree.is(node, "call_expression")) return false
  const name = /([\w$]+)$/.exec(tree.textOf(tree.child(node, "function")).slice(-80))?.[1]
  if (name === undefined || !file.memo(computeWalkers, computeWalkers).has(name)) return false
  return !tree.namedChildren(tree.child(node, "arguments")).some((given) => tree.is(given, "string", "template_string"))
}

/** `path.reduce((at, key) => at[key], root)`: a reduction from an object that was there before. */
const isReduction = (file: SourceFile, node: number): boolean => {
  const text = file.tree!.is(node, "call_expression") ? file.tree!.textOf(node).slice(0, 600) : ""
  return (
    /\.reduce\(/.test(text) &&
    /\(\s*(\w+)(?:: \w+)?,\s*(\w+)[^)]*\)\s*(?:=>|\{)[\s\S]*?\b\1\[\2\]/.test(text) &&
    /,\s*[\w$.]+\s*\)$/.test(text)
  )
}

/** The object that is written was reached along a path by another function, or by a reduction. */
export const isReachedByCall = (file: SourceFile, { object, region }: PropertyWrite): boolean => {
  const tree = file.tree!
  if (isWalk(file, object)) return true
  const name = tree.textOf(object)
  if (!/^[\w$]+$/.test(name)) return false
  return assignmentsIn(file, region).some(({ target, value }) => {
    if (target !== name || value === NONE) return false
    const source = unwrap(file, value)
    return isWalk(file, source) || isReduction(file, source)
  })
}
