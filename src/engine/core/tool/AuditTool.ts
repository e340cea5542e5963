import type { Category, Domain, Effort, Kind, Priority, Risk } from "../../../schema/Observation.ts"
import type { Advisories } from "../../dependencies/advisories/Advisory.ts"
import type { FileRole } from "../files/FileRole.ts"
import type { Language } from "../files/Language.ts"
import type { SourceFile } from "../files/SourceFile.ts"
import type { ChangeHistory } from "./ChangeHistory.ts"

export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }

/** JavaScript stands for TypeScript and JSX, too. */
export type RuleLanguage = Exclude<Language, "typescript" | "tsx">

export const ruleLanguageOf = (language: Language): RuleLanguage =>
  language === "typescript" || language === "tsx" ? "javascript" : language

/** One thing a tool can say. What is not given here is taken from the tool. */
export interface Rule {
  /** snake_case, unique inside the tool; on the wire it is `<tool>.<id>`. */
  readonly id: string
  /** Languages it is made for, each of them shown by a fixture. */
  readonly languages: ReadonlyArray<RuleLanguage>
  readonly title: string
  /** One paragraph: why it matters and how to fix it. */
  readonly description: string
  readonly cwe: ReadonlyArray<number>
  /** 0..1; below 0.7 the hit becomes an advisory, below 0.5 it is dropped. */
  readonly confidence: number
  readonly effort: Effort
  readonly risk: Risk
  readonly priority?: Priority
  readonly category?: Category
  readonly kind?: Kind
  /** What happens in tests, fixtures, examples and docs: default "skip"; "lower" takes two priorities off. */
  readonly inTests?: "report" | "lower" | "skip"
}

export interface Step {
  /** Another file than the hit's own. */
  readonly path?: string
  readonly start: number
  readonly end: number
  readonly note: string
}

/** A place in a file where a rule applies. Offsets are UTF-16, into `file.text`. */
export interface Hit {
  readonly rule: string
  readonly start: number
  readonly end: number
  /** What is wrong here, in this code's own words: one or two sentences. */
  readonly message: string
  readonly title?: string
  readonly priority?: Priority
  readonly confidence?: number
  /** How it comes about, for example from source to sink. */
  readonly steps?: ReadonlyArray<Step>
  /** Ranges whose text must never be shown or stored. */
  readonly redact?: ReadonlyArray<readonly [start: number, end: number]>
  readonly suggestedChange?: string
  /** Names the message relies on; when one is gone from the code, the observation is stale. */
  readonly identifiers?: ReadonlyArray<string>
}

export interface FileSummary {
  readonly path: string
  readonly language: Language
  readonly role: FileRole
}

/** What a cross-file rule may know of the whole repository. */
export interface Project {
  readonly files: ReadonlyArray<FileSummary>
  readonly has: (path: string) => boolean
  /** Paths in the tree that were left out: vendored, binary, too large. */
  readonly unread: ReadonlyArray<string>
  /** Text of a configuration file (package.json, go.mod, tsconfig.json, …); null when absent or not such a file. */
  readonly manifest: (path: string) => string | null
  /** What is known of vulnerable packages. It changes without the repository, so only `conclude` can ask it. */
  readonly advisories: Advisories
  /** What the newest commits changed; null where it is not known. Like advisories, it is for `conclude` only. */
  readonly history: ChangeHistory | null
}

export interface FileFacts {
  readonly path: string
  readonly facts: Json
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
  readonly rules: ReadonlyArray<Rule>
  /** Sees lock files of any size; other tools see no file beyond the limit of size. */
  readonly readsLockfiles?: true
}

/**
 * A detector. It sees files and nothing else: no disk, no network, no clock, so it is tested with text files and
 * behaves the same in any worker, in any order.
 */
export interface AuditTool extends ToolDescription {
  /** Cheap choice by path, language and role; `inspect` sees only these files. */
  readonly appliesTo: (file: FileSummary) => boolean
  /** Prefilter: `inspect` sees only files whose text matches. Must not carry the `g` or `y` flag. */
  readonly mentions?: RegExp
  /** Synchronous and pure. It may return small facts about the file for `conclude`. */
  readonly inspect?: (file: SourceFile, emit: (hit: Hit) => void) => Json | undefined
  /** Once, after all files: for rules that need more than one file. Facts come ordered by path. */
  readonly conclude?: (
    facts: ReadonlyArray<FileFacts>,
    project: Project,
    emit: (path: string, hit: Hit) => void
  ) => void
}

/** Rule ids are checked against the tool's own rules at start-up; see `ruleOf`. */
export const auditTool = (tool: AuditTool): AuditTool => tool

export const ruleOf = (tool: ToolDescription, id: string): Rule => {
  const rule = tool.rules.find((candidate) => candidate.id === id)
  if (rule === undefined) throw new Error(`Tool ${tool.id} emitted "${id}", which is not one of its rules.`)
  return rule
}

/** Files that a project view keeps the text of, by name: small, and read by cross-file rules. */
export const isManifest = (path: string): boolean =>
  /(?:^|\/)(?:package\.json|tsconfig[\w.-]*\.json|jsconfig\.json|go\.mod|pyproject\.toml|setup\.(?:cfg|py)|requirements[\w.-]*\.txt|Pipfile|Cargo\.toml|Gemfile|composer\.json|pom\.xml|build\.gradle(?:\.kts)?|settings\.gradle(?:\.kts)?|pnpm-workspace\.yaml|lerna\.json|deno\.jsonc?|LICENSE(?:\.\w+)?|\.gitignore|\.env\.(?:example|sample|template)|[\w.-]+\.csproj)$/.test(
    path
  )
