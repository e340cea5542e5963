import type { Category, Domain, Effort, Kind, Priority, Risk } from "../../../schema/Observation.ts"
import type { Advisories } from "../../dependencies/advisories/Advisory.ts"
import type { FileRole } from "../files/FileRole.ts"
import type { Language } from "../files/Language.ts"
import type { SourceFile } from "../files/SourceFile.ts"
import type { ChangeHistory } from "./ChangeHistory.ts"
import type { SourceKind } from "./SourceKind.ts"

export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }

/** JavaScript stands for TypeScript and JSX, too. */
export type RuleLanguage = Exclude<Language, "typescript" | "tsx">

export const ruleLanguageOf = (language: Language): RuleLanguage =>
  language === "typescript" || language === "tsx" ? "javascript" : language

/** Code that a rule reports, and the same code put right. Tests run both; docs and explanations show them. */
export interface RuleExample {
  /** Path of the file, where it matters to the rule; the language follows from it. */
  readonly path: string
  readonly bad: string
  readonly good: string
  /** Files that stand beside both, by path, for rules that need more than one. */
  readonly besides?: Readonly<Record<string, string>>
}

/** One kind of finding, named by its key in the tool's rule set. What is not given here is taken from the tool. */
export interface Rule {
  /** Languages that the rule supports, each of them shown by a fixture. */
  readonly languages: ReadonlyArray<RuleLanguage>
  readonly title: string
  /** One paragraph: what an attacker or user experiences, how it comes about, and how to fix it. */
  readonly description: string
  /** Null for a rule that text files cannot show, such as one that reads the history of commits. */
  readonly example: RuleExample | null
  readonly cwe: ReadonlyArray<number>
  /**
   * 0..1: the share of matches that the author expects to be right on code that the rule was not written for. What was
   * measured replaces it step by step (`rules/confidence.ts`), and the result decides what is reported how (`assessment.ts`).
   */
  readonly confidence: number
  readonly effort: Effort
  readonly risk: Risk
  readonly priority?: Priority
  readonly category?: Category
  readonly kind?: Kind
  /**
   * Full ids of rules of other tools that report the same weakness with more context: where one of them matches the same
   * line, this rule leaves it to that one.
   */
  readonly yieldsTo?: ReadonlyArray<string>
  /** Rule of the same tool that identity is made of: rules that differ in urgency alone report one thing. */
  readonly identifiedAs?: string
  /** What happens in tests, fixtures, examples and docs: default "skip"; "lower" takes two priorities off. */
  readonly inTests?: "report" | "lower" | "skip"
}

/** Rules by id: snake_case, unique inside the tool; on the wire an id is `<tool>.<id>`. */
export type RuleSet<Id extends string = string> = Readonly<Record<Id, Rule>>

/** Checks each rule and keeps the ids, so that a tool that names another id does not compile. */
export const ruleSet = <Id extends string>(rules: RuleSet<Id>): RuleSet<Id> => rules

export interface Step {
  /** Another file than the match's own. */
  readonly path?: string
  /** What happens at this step lies in another file: a function that was called there, and what it returned. */
  readonly isElsewhere?: true
  readonly start: number
  readonly end: number
  readonly note: string
}

export type { SourceKind }

/** One thing that was looked for where a rule matches, and whether it is there. */
export interface MatchCheck {
  /** In words that continue "looked for": "a call that validates the path before it is opened". */
  readonly looked_for: string
  readonly found: boolean
  /** What was found, or what the search covered. */
  readonly detail?: string
}

/** A range of a file that a rule matches. Offsets are UTF-16, into `file.text`. */
export interface Match<Id extends string = string> {
  readonly rule: Id
  readonly start: number
  readonly end: number
  /** What is wrong here, in this code's own words: one or two sentences. */
  readonly message: string
  readonly title?: string
  /** The thing at fault in the code's own words: an action, a function, a cycle. It ends the title; at most 80 characters. */
  readonly noun?: string
  /** Lower than the rule's where this place shows less than the rule asks for; the lower of both counts. */
  readonly confidence?: number
  /** Where the value at fault comes from; a source that strangers do not control lowers the confidence. */
  readonly source?: SourceKind
  /** What identity is made of in place of the matched code: the name of an action without its version. */
  readonly identity?: string
  /** Evidence beyond the match itself. */
  readonly checks?: ReadonlyArray<MatchCheck>
  /** Matches of one rule with the same subject are one finding, in whichever files they are: a migration, for example. */
  readonly subject?: string
  /** How it comes about, for example from source to sink. */
  readonly steps?: ReadonlyArray<Step>
  /** Ranges whose text must never be shown or stored. */
  readonly redact?: ReadonlyArray<readonly [start: number, end: number]>
  readonly suggestedChange?: string
  /** Names the message relies on; when one is gone from the code, the observation is stale. */
  readonly identifiers?: ReadonlyArray<string>
}

/** Takes what a tool matches in the file it inspects. */
export type Emit<Id extends string = string> = (match: Match<Id>) => void

/** Takes what a cross-file pass matches in the file at `path`. */
export type EmitAt<Id extends string = string> = (path: string, match: Match<Id>) => void

/** What is known of a file without reading it. */
export interface FileDescription {
  readonly path: string
  readonly language: Language
  readonly role: FileRole
}

/** What a cross-file rule may know of the whole repository. */
export interface Project {
  readonly files: ReadonlyArray<FileDescription>
  readonly has: (path: string) => boolean
  /** Paths in the tree that were left out: vendored, binary, too large. */
  readonly unread: ReadonlyArray<string>
  /** Text of a configuration file (package.json, go.mod, tsconfig.json, …); null when absent or not such a file. */
  readonly manifest: (path: string) => string | null
  /** What is known of vulnerable packages. It changes without the repository, so only `finish` can ask it. */
  readonly advisories: Advisories
  /** What the newest commits changed; null where it is not known. Like advisories, it is for `finish` only. */
  readonly history: ChangeHistory | null
}

/** What a file leaves for the cross-file pass. */
export interface FileSummary<Facts = unknown> {
  readonly path: string
  readonly facts: Facts
}

/** What a tool is, without what it does: plain data. */
export interface ToolDescription {
  readonly id: string
  /** "standard" runs in both workflows, "full" only in `audit`. */
  readonly suite: "standard" | "full"
  readonly kind: Kind
  readonly domain: Domain
  readonly category: Category
  readonly priority: Priority
  /** Raise it when a rule's outcome changes: stored observations are then rechecked with care. */
  readonly version: number
  readonly rules: RuleSet
  /** Sees lock files of any size; other tools see no file beyond the limit of size. */
  readonly readsLockfiles?: true
  /** Its matches name ranges that no output may show, also not that of other tools: it runs in every scan. */
  readonly redacts?: true
}

/**
 * A detector. It sees files and nothing else: no disk, no network, no clock, so it is tested with text files and
 * behaves the same in any worker, in any order. `Facts` is plain data: it crosses threads and scans as JSON.
 */
export interface AuditTool<Facts = unknown, Id extends string = string> extends ToolDescription {
  readonly rules: RuleSet<Id>
  /** Cheap choice by path, language and role; `inspect` sees only these files. */
  appliesTo(file: FileDescription): boolean
  /** Prefilter: `inspect` sees only files whose text matches. Must not carry the `g` or `y` flag. */
  readonly mentions?: RegExp
  /** Synchronous and pure. It may return small facts about the file for `finish`. */
  inspect?(file: SourceFile, emit: Emit<Id>): Facts | undefined
  /** The cross-file pass: once, after all files, for rules that need more than one. Summaries come ordered by path. */
  finish?(summaries: ReadonlyArray<FileSummary<Facts>>, project: Project, emit: EmitAt<Id>): void
}

/**
 * Ties the parts of a tool together: it emits only ids of its own rules, and its cross-file pass sees the facts that its
 * inspection returns. The list of all tools knows neither, which is safe because a tool only ever gets its own facts back.
 */
export const auditTool = <Facts, Id extends string>(tool: AuditTool<Facts, Id>): AuditTool => tool

export const ruleOf = (tool: ToolDescription, id: string): Rule => {
  const rule = tool.rules[id]
  if (rule === undefined) throw new Error(`Tool ${tool.id} emitted "${id}", which is not one of its rules.`)
  return rule
}

/** The rule that `tool.rule` names, or null where there is none of that name (any more). */
export const findRule = (tools: ReadonlyArray<ToolDescription>, name: string): Rule | null => {
  const [toolId = "", id = ""] = name.split(".")
  const rules = tools.find((tool) => tool.id === toolId)?.rules ?? {}
  return Object.hasOwn(rules, id) ? rules[id]! : null
}

/** Files that a project view keeps the text of, by name: small, and read by cross-file rules. */
export const isManifest = (path: string): boolean =>
  /(?:^|\/)(?:[\w.-]+\.(?:dist|egg)-info\/(?:METADATA|PKG-INFO|requires\.txt)|package\.json|tsconfig[\w.-]*\.json|jsconfig\.json|go\.mod|pyproject\.toml|setup\.(?:cfg|py)|requirements[\w.-]*\.txt|Pipfile|Cargo\.toml|Gemfile|composer\.json|pom\.xml|build\.gradle(?:\.kts)?|settings\.gradle(?:\.kts)?|pnpm-workspace\.yaml|lerna\.json|deno\.jsonc?|LICENSE(?:\.\w+)?|\.gitignore|\.env\.(?:example|sample|template)|[\w.-]+\.csproj)$/.test(
    path
  )
