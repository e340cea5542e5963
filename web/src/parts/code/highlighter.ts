import { createLowlight } from "lowlight"
import { embedded, type Grammar, loadGrammar } from "./languages.ts"
import { linesOf, plainLine, type TokenLine } from "./tokens.ts"

/** More than that is shown without colours: it would hold up the page. */
const maxCharacters = 150_000
const maxLineLength = 2_000

const lowlight = createLowlight()
const loading = new Map<Grammar, Promise<void>>()

const register = async (grammar: Grammar): Promise<void> => {
  const { default: syntax } = await loadGrammar(grammar)
  lowlight.register(grammar, syntax)
}

const loadOne = (grammar: Grammar): Promise<void> => {
  const started = loading.get(grammar) ?? register(grammar)
  loading.set(grammar, started)
  // A file that could not be loaded is asked for again.
  started.catch(() => loading.delete(grammar))
  return started
}

export const isLoaded = (grammar: Grammar): boolean => lowlight.registered(grammar)

/** Loads a grammar and those it embeds. */
export const load = async (grammar: Grammar): Promise<void> => {
  await Promise.all((embedded[grammar] ?? []).map(loadOne))
  await loadOne(grammar)
}

/** The lines with what each piece of them is; without colours where the grammar is not loaded or there is too much. */
export const highlight = (grammar: Grammar | null, lines: ReadonlyArray<string>): ReadonlyArray<TokenLine> => {
  const text = lines.join("\n")
  if (
    grammar === null ||
    !isLoaded(grammar) ||
    text.length > maxCharacters ||
    lines.some((line) => line.length > maxLineLength)
  )
    return lines.map(plainLine)
  const highlighted = linesOf(lowlight.highlight(grammar, text))
  return highlighted.length === lines.length ? highlighted : lines.map(plainLine)
}
