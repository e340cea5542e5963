import { createHash } from "node:crypto"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { auditTool, type FileSummary, type Project, ruleLanguageOf } from "../../core/tool/AuditTool.ts"
import { encodePrints } from "../../structure/clones/prints.ts"
import { functionTokens } from "../../structure/clones/tokens.ts"
import { type ComparedFile, reportClones, reportCopies } from "./reports.ts"
import { languages, rules } from "./rules.ts"

/** Smaller files are alike by chance, or because there is one way to write them. */
const MIN_TOKENS_OF_FILE = 200

/** Digest of the code, without the comments above it and regardless of line ends. */
const digestOf = (file: SourceFile, first: number, last: number): string =>
  createHash("sha1").update(file.text.slice(first, last).replace(/\s+/g, " ")).digest("base64").slice(0, 20)

const isCompiled = (path: string, { has }: Project): boolean =>
  /\.[cm]?jsx?$/.test(path) && [".ts", ".tsx", ".mts"].some((other) => has(path.replace(/\.[cm]?jsx?$/, other)))

/** A compared file without its path, as an array, because there is one for each file. */
type EncodedFile = readonly [digest: string, tokens: number, lines: number, start: number, end: number, prints: string]

const comparedFiles = (summaries: ReadonlyArray<FileSummary<EncodedFile>>): ReadonlyArray<ComparedFile> =>
  summaries.map(({ path, facts: [digest, tokens, lines, start, end, prints] }) => ({
    path,
    digest,
    tokens,
    lines,
    start,
    end,
    prints
  }))

export default auditTool({
  id: "code_duplication",
  suite: "full",
  kind: "advisory",
  domain: "code_quality",
  category: "maintainability",
  priority: "P3",
  version: 2,
  rules,
  appliesTo: ({ language, role, path }) =>
    role === "source" &&
    languages.includes(ruleLanguageOf(language)) &&
    !/(?:^|\/)(?:migrations?|migrate)\//.test(path),
  inspect: (file): EncodedFile | undefined => {
    // Compilers put their helpers into every file they write.
    if (file.text.includes("(this && this.__")) return undefined
    const tokens = functionTokens(file)
    if (tokens === null || tokens.count < 100) return undefined
    const start = tokens.starts[0]!
    const end = tokens.ends[tokens.count - 1]!
    const digest = tokens.count < MIN_TOKENS_OF_FILE ? "" : digestOf(file, start, end)
    const headline = file.text.indexOf("\n", start)
    const shownEnd = headline < 0 ? end : Math.min(end, headline)
    return [digest, tokens.count, file.lineCount, start, Math.max(start + 1, shownEnd), encodePrints(file, tokens)]
  },
  finish: (summaries, project, emit) => {
    const files = comparedFiles(summaries).filter(({ path }) => !isCompiled(path, project))
    const originals = reportCopies(files, emit)
    reportClones(originals, emit)
  }
})
