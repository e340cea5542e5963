import type { SourceFile } from "../../core/files/SourceFile.ts"
import { imports } from "../../languages/syntax/vocabulary.ts"

const MAX_WORDS = 300

/** A file by the name that others import it by. */
export const stemOf = (path: string): string => {
  const parts = path.split("/")
  const name = parts.at(-1)!.replace(/(?:\.d)?\.\w+$/, "")
  const isFolder = /^(?:index|__init__|mod|main|lib)$/.test(name)
  return (isFolder ? (parts.at(-2) ?? name) : name).toLowerCase()
}

/** Names that the imports of a file consist of: whatever it imports is among them, and more. */
export const importedWords = (file: SourceFile): ReadonlyArray<string> => {
  const words = new Set<string>()
  for (const { module, names } of imports(file)) {
    const parts = module.split(/[/.\\:]+/).filter((part) => part !== "")
    for (const word of [...parts.slice(-3), ...names.map(({ imported }) => imported)]) words.add(word.toLowerCase())
    if (words.size > MAX_WORDS) break
  }
  return [...words]
}
