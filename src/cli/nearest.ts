import { distance } from "fastest-levenshtein"

/** " Did you mean x?", where a known name is close to what was written; empty otherwise. */
export const nearest = (written: string, names: Iterable<string>): string => {
  const limit = Math.max(2, Math.floor(written.length / 3))
  let best: readonly [name: string, away: number] | null = null
  for (const name of names) {
    const away = distance(written.toLowerCase(), name.toLowerCase())
    // Of a name with a part behind a dot, the part is often all that is remembered.
    const part = name.includes(".") ? distance(written, name.slice(name.indexOf(".") + 1)) : away
    const least = Math.min(away, part)
    if (least <= limit && (best === null || least < best[1])) best = [name, least]
  }
  return best === null ? "" : ` Did you mean ${best[0]}?`
}
