import { createHash } from "node:crypto"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { auditTool, type FileSummary, type Project, ruleLanguageOf } from "../../core/tool/AuditTool.ts"
import { encodePrints } from "../../structure/clones/prints.ts"
import { functionTokens } from "../../structure/clones/tokens.ts"
import { type ComparedFile, reportClones, reportCopies } from "./reports.ts"
import { languages, rules } from "./rules.ts"

/** Smaller files are alike by chance, or because there is one way to write them. */
const MIN_TOKENS_OF_FILE = 200

/** Of the code, whatever the comments above it and the ends of its lines. */
const digestOf = (file: SourceFile, first: number, last: number): string =>
  createHash("sha1").update(file.text.slice(first, last).replace(/\s+/g, " ")).digest("base64").slice(0, 20)

const isCompiled = (path: string, { has }: Project): boolean =>
  /\.[cm]?jsx?$/.test(path) && [".ts", ".tsx", ".mts"].some((other) => has(path.replace(/\.[cm]?jsx?$/, other)))

const comparedFiles = (facts: ReadonlyArray<FileSummary>): ReadonlyArray<ComparedFile> =>
  facts.map(({ path, facts: json }) => {
    const [digest, tokens, lines, start, end, prints] = json as unknown as readonly [
      string,
      number,
      number,
      number,
      number,
      string
    ]
    return { path, digest, tokens, lines, start, end, prints }
  })

export default auditTool({
  id: "code_duplication",
  suite: "full",
  kind: "advisory",
  domain: "code_quality",
  category: "maintainability",
  priority: "P3",
  version: 1,
  rules,
  appliesTo: ({ language, role, path }) =>
    role === "source" &&
    languages.includes(ruleLanguageOf(language)) &&
    !/(?:^|\/)(?:migrations?|migrate)\//.test(path),
  inspect: (file) => {
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
  finish: (facts, project, emit) => {
    const files = comparedFiles(facts).filter(({ path }) => !isCompiled(path, project))
    const originals = reportCopies(files, emit)
    reportClones(originals, emit)
  }
})
