import { nounKey } from "./Noun.ts"

const MIN_TYPES = 6
const MIN_SHARE = 0.4

/** The word that most types of a program begin with: `CChannel`, `PwEntry`, `t_hook`. It says nothing of any of them. */
export const sharedPrefix = (names: ReadonlyArray<string>): string | null => {
  const counts = new Map<string, number>()
  for (const name of names) {
    const [first, second] = nounKey(name).split(" ")
    if (second !== undefined && first !== undefined) counts.set(first, (counts.get(first) ?? 0) + 1)
  }
  const [best] = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  return best !== undefined && best[1] >= Math.max(MIN_TYPES, MIN_SHARE * names.length) ? best[0] : null
}

const MIN_LETTERS = 4

/** The key of a name without one of those words, and without one that the product's name begins with. */
export const keyWithout = (
  prefixes: ReadonlyArray<string | null>,
  products: Iterable<string>
): ((name: string) => string) => {
  const names = [...products].map((name) => name.toLowerCase())
  const isOfProduct = (word: string): boolean =>
    word.length >= MIN_LETTERS && names.some((name) => name === word || (/^\w+$/.test(name) && name.startsWith(word)))
  return (name) => {
    const key = nounKey(name)
    // What has all of the product's name is the product.
    if (names.includes(key.replaceAll(" ", ""))) return key
    const end = key.indexOf(" ")
    const first = key.slice(0, Math.max(0, end))
    return end > 0 && (prefixes.includes(first) || isOfProduct(first)) ? key.slice(end + 1) : key
  }
}
