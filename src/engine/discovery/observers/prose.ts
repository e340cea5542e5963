import { startOf } from "../../../schema/characters.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { baseName } from "../../core/text/paths.ts"
import { languageName } from "./languageName.ts"
import { documentFile } from "./texts.ts"

const MAX_READ = 60_000
const MAX_PROSE = 8_000

/** Documents about the project rather than about what it does. */
const isOfProject =
  /chang|news|history|licen|copying|install|contribut|todo|author|releas|thanks|credit|conduct|security|faq|migrat|upgrad|build|develop|hacking|test/i

const isManual = ({ path, role }: SourceFile): boolean =>
  role === "docs" && documentFile.test(path) && !isOfProject.test(baseName(path))

/** The pages of POD that lie between the code of a program in Perl. */
const podIn = (text: string): string => {
  const kept: Array<string> = []
  let isInside = false
  for (const line of text.split("\n")) {
    if (/^=(?:head\d|pod|over|item|begin)\b/.test(line)) isInside = true
    if (/^=cut\b/.test(line)) isInside = false
    // What is indented is an example.
    if (isInside && !/^[ \t]|^=/.test(line)) kept.push(line.replace(/[BCEFILSXZ]<([^<>]{1,200})>/g, "$1"))
  }
  return kept.join("\n")
}

/** What manuals say in prose, from their beginning: the nouns of the domain are looked for in it. */
export const proseIn = (file: SourceFile): string => {
  if (isManual(file)) return startOf(file.text, MAX_PROSE)
  if (file.role !== "source" || languageName(file) !== "Perl" || !/^=(?:head1|pod)\b/m.test(file.text)) return ""
  return startOf(podIn(startOf(file.text, MAX_READ)), MAX_PROSE)
}
