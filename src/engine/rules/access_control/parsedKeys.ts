import type { SourceFile } from "../../core/files/SourceFile.ts"
import { unwrap } from "../../languages/syntax/strings.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { assignmentsIn, type PropertyWrite, type Region } from "./propertyWrites.ts"

/** Calls that take a text apart. */
const takesApart = /\.(?:match|exec|split)\(/
const piece = /^([\w$]+)\[\d\]$/
/** A part of a text by its position: `line.slice(0, line.indexOf("="))`. */
const cut = /^[\w$]+\.(?:slice|substr|substring)\([^;]+\)$/
const MAX_HOPS = 3

/** A piece of a text that the function takes apart: `match[1]`, and a name that is given one. */
const isParsed = (file: SourceFile, region: Region, node: number, hops = 0): boolean => {
  const tree = file.tree!
  const text = tree
    .textOf(unwrap(file, node))
    .slice(0, 120)
    .replace(/\.trim\(\)$/, "")
  const values = (name: string): ReadonlyArray<number> =>
    assignmentsIn(file, region).flatMap(({ target, value }) =>
      value !== NONE && (target === name || isTakenFrom(target, name)) ? [value] : []
    )
  const list = piece.exec(text)?.[1]
  if (hops > 0 && cut.test(text)) return true
  if (list !== undefined) return values(list).some((value) => takesApart.test(tree.textOf(value).slice(0, 200)))
  if (!/^[\w$]+$/.test(text) || hops >= MAX_HOPS) return false
  return values(text).some(
    (value) =>
      isParsed(file, region, value, hops + 1) ||
      (hops === 0 &&
        /^\S+\.(?:match|exec|split)\(/.test(tree.textOf(value).slice(0, 200)) &&
        isOnlyTaken(file, region, text))
  )
}

/** `const [, name, value] = …` */
const isTakenFrom = (target: string, name: string): boolean =>
  target.startsWith("[") && target.split(/[[\],\s]+/).includes(name)

/** The name itself is in a list pattern, so that it holds a piece and not the whole match. */
const isOnlyTaken = (file: SourceFile, region: Region, name: string): boolean =>
  assignmentsIn(file, region).every(({ target }) => target !== name)

/** `sections[section][name] = value`, where both keys are pieces of a text that is parsed: files of settings, headers. */
export const isParsedInto = (file: SourceFile, { object, key, region }: PropertyWrite): boolean => {
  const tree = file.tree!
  if (!tree.is(object, "subscript_expression")) return false
  return isParsed(file, region, tree.child(object, "index")) && isParsed(file, region, key)
}
