import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { binaryAt } from "../../../languages/code/binaries.ts"
import { replacement } from "../../../languages/edits/arguments.ts"
import { matchedNode } from "../../../languages/edits/atMatch.ts"
import { quoteOf } from "../../../languages/edits/style.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"

const typeNames = ["undefined", "object", "boolean", "number", "string", "function", "symbol", "bigint"]
const MAX_TYPING_MISTAKES = 2

/** Levenshtein's distance, where two letters that changed places are one step. */
const distance = (a: string, b: string): number => {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => [i, ...Array<number>(b.length).fill(0)])
  for (let j = 1; j <= b.length; j++) rows[0]![j] = j
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let least = Math.min(rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, rows[i - 1]![j - 1]! + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, rows[i - 2]![j - 2]! + 1)
      rows[i]![j] = least
    }
  }
  return rows[a.length]![b.length]!
}

/** The only type name that is a typing mistake away; null where there is none or several. */
const meantType = (written: string): string | null => {
  const word = written.toLowerCase()
  const near = typeNames.filter((name) => distance(word, name) <= MAX_TYPING_MISTAKES)
  return word.length >= 5 && near.length === 1 ? near[0]! : null
}

const comparedWithUndefined = ({ file, match }: FixSite): Proposal => {
  const tree = file.tree!
  const binary = binaryAt(tree, matchedNode(tree, match, "binary_expression"))
  const other = binary === null ? undefined : [binary.left, binary.right].find((n) => tree.textOf(n) === "undefined")
  if (other === undefined) return declined("The compared value is not found.")
  const quote = quoteOf(file)
  return {
    edits: [replacement(tree, other, `${quote}undefined${quote}`)],
    summary: 'Compare the result of typeof with the string "undefined"'
  }
}

/** `typeof x === undefined` and typing mistakes in the name of a type. */
export default fixer({
  tool: "correctness_bugs",
  rule: "invalid_typeof",
  languages: ["javascript"],
  propose: (site) => {
    const { file, match } = site
    const tree = file.tree!
    const literal = matchedNode(tree, match, "string")
    if (literal === NONE) return comparedWithUndefined(site)
    const written = tree.textOf(literal)
    const meant = meantType(written.slice(1, -1))
    if (meant === null) return declined(`No type has a name like ${written}; another test is needed.`)
    return {
      edits: [replacement(tree, literal, `${written[0]}${meant}${written.at(-1)}`)],
      summary: `Correct the name of the type to ${meant}`
    }
  }
})
