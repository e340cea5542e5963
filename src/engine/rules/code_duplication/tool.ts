import { createHash } from "node:crypto"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import {
  auditTool,
  type FileFacts,
  type Project,
  type RuleLanguage,
  ruleLanguageOf
} from "../../core/tool/AuditTool.ts"
import { encodePrints } from "../../structure/clones/prints.ts"
import { functionTokens } from "../../structure/clones/tokens.ts"
import { type ComparedFile, reportClones, reportCopies } from "./reports.ts"

const languages: ReadonlyArray<RuleLanguage> = ["csharp", "go", "java", "javascript", "php", "python", "ruby", "rust"]
/** Smaller files are alike by chance, or because there is one way to write them. */
const MIN_TOKENS_OF_FILE = 200

/** Of the code, whatever the comments above it and the ends of its lines. */
const digestOf = (file: SourceFile, first: number, last: number): string =>
  createHash("sha1").update(file.text.slice(first, last).replace(/\s+/g, " ")).digest("base64").slice(0, 20)

const isCompiled = (path: string, { has }: Project): boolean =>
  /\.[cm]?jsx?$/.test(path) && [".ts", ".tsx", ".mts"].some((other) => has(path.replace(/\.[cm]?jsx?$/, other)))

const comparedFiles = (facts: ReadonlyArray<FileFacts>): ReadonlyArray<ComparedFile> =>
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
  rules: [
    {
      id: "exact_clone",
      languages,
      title: "The same code is written more than once",
      description:
        "A bug fixed in one copy stays in the others, and a reader has to compare them to learn that there is nothing to " +
        "compare. Move the code to a function that all these places call; where they differ later, give it an argument.",
      cwe: [1041],
      confidence: 0.85,
      effort: "small",
      risk: "low"
    },
    {
      id: "renamed_clone",
      languages,
      title: "The same steps are written more than once with other names",
      description:
        "These places call the same functions in the same order and differ in names of variables and in constants only. " +
        "They have to be changed together, and nothing says so. Move the steps to one function and pass in what differs.",
      cwe: [1041],
      confidence: 0.75,
      effort: "medium",
      risk: "low"
    },
    {
      id: "copied_file",
      languages,
      title: "File is a copy of another one",
      description:
        "Both files will be changed by people who know one of them, and then they differ without anybody having decided " +
        "so. Keep one, and import it from where the other was; where packages may not share code, make it a package.",
      cwe: [1041],
      confidence: 0.85,
      effort: "small",
      risk: "low"
    }
  ],
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
  conclude: (facts, project, emit) => {
    const files = comparedFiles(facts).filter(({ path }) => !isCompiled(path, project))
    const originals = reportCopies(files, emit)
    reportClones(originals, emit)
  }
})
