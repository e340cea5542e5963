import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Call } from "../syntax/vocabulary.ts"
import { importedNames } from "../syntax/vocabulary.ts"

const inlineRequire = /^require\(["'`]([^"'`]+)["'`]\)/

/**
 * A callee with its first name replaced by where it was imported from: `createHash` of `import { createHash } from
 * "node:crypto"` is `crypto.createHash`, Go's `rand.Intn` is `math/rand.Intn`. What is not imported stays as written.
 */
export const qualifiedName = (file: SourceFile, call: Call): string => qualifiedText(file, call.callee)

export const qualifiedText = (file: SourceFile, written: string): string => {
  const required = inlineRequire.exec(written)
  if (required !== null) return `${plainModule(required[1]!)}${written.slice(required[0].length)}`
  const root = /^[\w$]+/.exec(written)?.[0] ?? ""
  const origin = importedNames(file).get(root)
  if (origin === undefined) return written
  const rest = written.slice(root.length)
  // Java and C# name the type itself in the import.
  if (origin.module.endsWith(`.${root}`)) return `${origin.module}${rest}`
  const isWhole = origin.imported === "*" || origin.imported === "default"
  return `${plainModule(origin.module)}${isWhole ? "" : `.${origin.imported}`}${rest}`
}

const plainModule = (module: string): string => module.replace(/^node:/, "").replace(/^(math\/rand)\/v2$/, "$1")
