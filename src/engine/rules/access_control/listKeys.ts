import { escape as escapeRegExp } from "effect/RegExp"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { unwrap } from "../../languages/syntax/strings.ts"
import { functions } from "../../languages/syntax/vocabulary.ts"
import type { PropertyWrite } from "./propertyWrites.ts"

/** A path may come as a list, whose elements nothing makes texts: `Array.isArray(path) ? path : path.split(".")`. */
const takesList = new RegExp(
  [
    String.raw`Array\.isArray\(\s*([\w$]+)\s*\)\s*\?\s*\1\b`,
    String.raw`([\w$]+)\s+instanceof\s+Array\s*\?\s*\2\b`,
    String.raw`typeof\s+([\w$]+)\s*===?\s*["'\x60]string["'\x60]\s*\)?\s*(?:\{\s*|\?\s*)?(?:[\w$]+\s*=\s*)?\3\.split\(`
  ].join("|")
)

/** A comparison in which `["__proto__"]` differs from `"__proto__"`, as in a property access it does not. */
const strict = /([\w$]+)\s*[!=]==\s*["'`](?:__proto__|constructor|prototype)["'`]/g

const keyWords = /["'`](?:__proto__|constructor|prototype)["'`]/g

/** The name is made a text, or asked for its type, or used in a way that only texts allow. */
const isText = (text: string, name: string): boolean => {
  const own = escapeRegExp(name)
  return new RegExp(
    `typeof\\s+${own}(?![\\w$])|String\\(\\s*${own}\\b|\\$\\{\\s*${own}\\s*\\}|["'\`]\\s*\\+\\s*${own}\\b|` +
      `(?<![\\w$.])${own}\\s*\\+\\s*["'\`]|(?<![\\w$.])${own}\\.(?:toString|trim|split|replace|match|startsWith|charAt|toLowerCase)\\(`
  ).test(text)
}

/** What the function itself says of a path, and what the functions of the file do that take it apart. */
const pathText = (file: SourceFile, text: string): string => {
  const called = new Set(text.match(/[\w$]+(?=\()/g) ?? [])
  const splitters = functions(file).flatMap(({ name, node }) =>
    name !== null && called.has(name.split(".").at(-1)!) ? [file.tree!.textOf(node).slice(0, MAX_SPLITTER)] : []
  )
  return [text, ...splitters].join("\n")
}

const MAX_SPLITTER = 1_500

/** Checks of keys by `===` alone, where the keys are elements of a list that callers hand in: `[["__proto__"], "admin"]`. */
export const comparesLists = (file: SourceFile, { key, region }: PropertyWrite, text: string): boolean => {
  const checks = [...text.matchAll(strict)]
  if (checks.length === 0 || checks.length !== (text.match(keyWords) ?? []).length) return false
  if (!takesList.test(pathText(file, region.text)) || /\.map\(\s*String\b/.test(region.text)) return false
  const name = file.tree!.textOf(unwrap(file, key))
  const names = new Set([...checks.map(([, checked]) => checked!), ...(/^[\w$]+$/.test(name) ? [name] : [])])
  return ![...names].some((one) => isText(text, one))
}
