import type { Language } from "../files/Language.ts"
import { programLanguage } from "../files/programLanguage.ts"
import { CREDENTIALS } from "../settings/ruleNames.ts"
import { compareText } from "../text/compareText.ts"
import { type RuleLanguage, ruleLanguageOf, type ToolDescription } from "../tool/AuditTool.ts"
import type { FileOutcome } from "./Inspector.ts"

interface Share {
  files: number
  lines: number
  /** Null for a language that the engine reads as text. */
  readonly language: RuleLanguage | null
}

export interface UnruledLanguage {
  readonly language: string
  readonly files: number
  readonly lines: number
}

/** Languages for which some rule reports defects; credentials are looked for in every text. */
const ruledBy = (tools: ReadonlyArray<ToolDescription>): ReadonlySet<RuleLanguage> =>
  new Set(
    tools
      .filter(({ id }) => id !== CREDENTIALS)
      .flatMap(({ rules, category }) =>
        Object.values(rules)
          .filter((rule) => /^(?:security|correctness)$/.test(rule.category ?? category))
          .flatMap(({ languages }) => languages)
      )
  )

/** Counts the programs of a tree by language: where no rule knows one, the absence of findings says nothing. */
export class UnruledLanguages {
  private readonly shares = new Map<string, Share>()

  count({ path, language, role, lines }: Pick<FileOutcome, "path" | "language" | "role" | "lines">): void {
    const name = role === "source" ? programLanguage(path, language) : null
    if (name === null) return
    const share = this.shares.get(name) ?? { files: 0, lines: 0, language: knownOf(language) }
    share.files++
    share.lines += lines
    this.shares.set(name, share)
  }

  /** Most lines first. */
  summary(tools: ReadonlyArray<ToolDescription>): ReadonlyArray<UnruledLanguage> {
    const ruled = ruledBy(tools)
    return [...this.shares]
      .filter(([, { language }]) => language === null || !ruled.has(language))
      .map(([language, { files, lines }]) => ({ language, files, lines }))
      .sort((a, b) => b.lines - a.lines || compareText(a.language, b.language))
  }
}

const knownOf = (language: Language): RuleLanguage | null => (language === "text" ? null : ruleLanguageOf(language))
