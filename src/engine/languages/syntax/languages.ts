import type { Language } from "../../core/files/Language.ts"
import c from "./c.ts"
import csharp from "./csharp.ts"
import { json, shell, terraform, yaml } from "./data.ts"
import go from "./go.ts"
import java from "./java.ts"
import javascript from "./javascript.ts"
import php from "./php.ts"
import python from "./python.ts"
import ruby from "./ruby.ts"
import rust from "./rust.ts"
import type { Syntax } from "./Syntax.ts"

const syntaxes: Partial<Record<Language, Syntax>> = {
  typescript: javascript,
  tsx: javascript,
  javascript,
  python,
  go,
  java,
  ruby,
  php,
  csharp,
  rust,
  c,
  cpp: c,
  yaml,
  json,
  terraform,
  shell
}

/** The vocabulary of a language; null where none is described. */
export const syntaxOf = (language: Language): Syntax | null => syntaxes[language] ?? null
