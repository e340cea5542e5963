import { useEffect, useMemo, useState } from "react"
import { highlight, isLoaded, load } from "./highlighter.ts"
import { grammarOf } from "./languages.ts"
import type { TokenLine } from "./tokens.ts"

/** Whether the grammar of a file is there; asks for it otherwise. Without it, code is readable all the same. */
export const useGrammar = (path: string) => {
  const grammar = grammarOf(path)
  const [loaded, setLoaded] = useState(grammar === null || isLoaded(grammar) ? grammar : null)
  useEffect(() => {
    let current = true
    if (grammar !== null)
      load(grammar).then(
        () => current && setLoaded(grammar),
        () => undefined
      )
    return () => {
      current = false
    }
  }, [grammar])
  return loaded === grammar ? grammar : null
}

/** The lines of a file with their colours, as soon as the file's grammar is loaded. `lines` must be stable. */
export const useHighlighted = (path: string, lines: ReadonlyArray<string>): ReadonlyArray<TokenLine> => {
  const grammar = useGrammar(path)
  return useMemo(() => highlight(grammar, lines), [grammar, lines])
}
