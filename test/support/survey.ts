import { roleOf } from "../../src/engine/core/files/FileRole.ts"
import type { Language } from "../../src/engine/core/files/Language.ts"
import { tools as observers } from "../../src/engine/core/process/observers.ts"
import { discover } from "../../src/engine/discovery/discover.ts"
import { type Observed, ObservedFiles } from "../../src/engine/discovery/Observed.ts"
import { isReadWhole } from "../../src/engine/discovery/observers/texts.ts"
import { Survey } from "../../src/engine/discovery/Survey.ts"
import type { DiscoveryOutput } from "../../src/schema/Discovery.ts"
import { treeOf } from "./audit.ts"

const languages: Readonly<Record<string, Language>> = {
  py: "python",
  ts: "typescript",
  js: "javascript",
  go: "go",
  rs: "rust",
  java: "java",
  rb: "ruby",
  php: "php",
  sql: "sql",
  sh: "shell"
}

const languageOf = (path: string): Language => languages[path.split(".").at(-1)!] ?? "other"

/**
 * A tree as discovery sees it, without parsing: texts are kept of the files that discovery reads as a whole, and what was
 * observed in a file is what is given.
 */
export const surveyOf = (
  texts: Readonly<Record<string, string>>,
  observed: Readonly<Record<string, Partial<Observed>>> = {}
): Survey => {
  const files = new ObservedFiles()
  const paths = [...new Set([...Object.keys(texts), ...Object.keys(observed)])]
  for (const path of paths) {
    const text = texts[path] ?? ""
    const facts = { path, language: languageOf(path), role: roleOf(path), lines: 10, bytes: text.length }
    const whole = isReadWhole({ path, role: facts.role } as Parameters<typeof isReadWhole>[0]) ? { text } : {}
    files.add(facts, JSON.stringify({ ...whole, ...observed[path] }))
  }
  return new Survey(files.inOrder, paths, [])
}

/** What is discovered in a tree of these texts; in this thread, since a thread's start takes longer than the work. */
export const outputOf = async (texts: Readonly<Record<string, string>>): Promise<typeof DiscoveryOutput.Type> =>
  (await discover(treeOf(texts), { observers })).output
