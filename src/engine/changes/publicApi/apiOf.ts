import type { Language } from "../../core/files/Language.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { FlatTree } from "../../languages/tree/FlatTree.ts"
import type { Api } from "./Api.ts"
import { cApi } from "./c.ts"
import { csharpApi } from "./csharp.ts"
import { goApi } from "./go.ts"
import { javaApi } from "./java.ts"
import { javascriptApi, typescriptApi } from "./javascript.ts"
import { phpApi } from "./php.ts"
import { pythonApi } from "./python.ts"
import { rubyApi } from "./ruby.ts"
import { rustApi } from "./rust.ts"
import { shellApi } from "./shell.ts"

type Reader = (tree: FlatTree, path: string) => Api

/** Languages whose files name each other's exports are of one family. */
export type Family = "javascript" | "python" | "go" | "java" | "csharp" | "php" | "ruby" | "rust" | "c" | "shell"

const readers: Partial<Record<Language, readonly [Family, Reader]>> = {
  typescript: ["javascript", typescriptApi],
  tsx: ["javascript", typescriptApi],
  javascript: ["javascript", javascriptApi],
  python: ["python", pythonApi],
  go: ["go", goApi],
  java: ["java", javaApi],
  csharp: ["csharp", csharpApi],
  php: ["php", phpApi],
  ruby: ["ruby", rubyApi],
  rust: ["rust", rustApi],
  c: ["c", cApi],
  cpp: ["c", cApi],
  shell: ["shell", shellApi]
}

/** The family of a language whose exported names are understood; null for others. */
export const familyOf = (language: Language): Family | null => readers[language]?.[0] ?? null

/** What a file exports; null where that cannot be read. */
export const apiOf = (file: SourceFile): Api | null => {
  const reader = readers[file.language]?.[1]
  const { tree } = file
  return reader === undefined || tree === null ? null : reader(tree, file.path)
}
