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

/** The key of a name without that word. */
export const keyWithout = (prefix: string | null): ((name: string) => string) =>
  prefix === null
    ? nounKey
    : (name) => {
        const key = nounKey(name)
        return key.startsWith(`${prefix} `) ? key.slice(prefix.length + 1) : key
      }
