import type { TreeTerms } from "../files/TreeTerms.ts"
import type { LocatedFinding } from "../scan/LocatedFinding.ts"
import { matchesAny } from "../settings/PathPattern.ts"
import {
  noSettings,
  type RepositorySettings,
  type RulesByPath,
  SETTINGS_FILE,
  type SettingsWarning
} from "../settings/RepositorySettings.ts"
import { isCredentialRule, meansRule } from "../settings/ruleNames.ts"
import type { ToolDescription } from "../tool/AuditTool.ts"
import type { Silence } from "./Silenced.ts"

const appliesTo = ({ paths }: RulesByPath, path: string): boolean => paths === null || matchesAny(paths, path)

/** What the configuration of the repository and the workspace make of findings: silenced, or of another priority. */
export class Silencing {
  private readonly terms: TreeTerms
  private readonly settings: RepositorySettings
  private readonly offInWorkspace: ReadonlyArray<string>

  constructor(terms: TreeTerms, offInWorkspace: ReadonlyArray<string>) {
    this.terms = terms
    this.settings = terms.settings
    this.offInWorkspace = offInWorkspace
  }

  applied(located: ReadonlyArray<LocatedFinding>): ReadonlyArray<LocatedFinding> {
    if (this.settings === noSettings && this.offInWorkspace.length === 0) return located
    return located.map((finding) => this.prioritised(this.silenced(finding)))
  }

  /**
   * Names in the configuration that no rule has, by all tools of the full suite. Without suggestions their rules are missing
   * from the tools.
   */
  unknownNames(tools: ReadonlyArray<ToolDescription>, hasSuggestions: boolean): ReadonlyArray<SettingsWarning> {
    const isWithheld = (name: string) => !hasSuggestions && tools.some(({ id }) => name.startsWith(`${id}.`))
    const ids = tools.flatMap((tool) => Object.keys(tool.rules).map((rule) => `${tool.id}.${rule}`))
    return this.settings.rules.flatMap(({ off, on, priority, line }) =>
      [...new Set([...off, ...on, ...Object.keys(priority)])]
        .filter((name) => !ids.some((id) => meansRule(name, id)) && !isWithheld(name))
        .map((name) => ({
          path: SETTINGS_FILE,
          line,
          message: `There is no tool or rule "${name.slice(0, 60)}": docs/audit-tools.md lists them.`
        }))
    )
  }

  private silenced(finding: LocatedFinding): LocatedFinding {
    if (finding.silence !== undefined) return finding
    const silence = this.silenceOf(finding)
    return silence === null ? finding : { ...finding, silence }
  }

  private silenceOf({ rule_id, file_path }: LocatedFinding): Silence | null {
    if (this.offInWorkspace.some((name) => meansRule(name, rule_id))) {
      return { by: "workspace", reason: "The rule is off in this workspace." }
    }
    if (isCredentialRule(rule_id)) return null
    // Cross-file passes match in files that were not inspected by their tool.
    if (this.terms.of(file_path).configured?.isExcluded === true) {
      return { by: "configuration", reason: `The file is excluded by ${SETTINGS_FILE}.` }
    }
    const asked = this.settings.rules.find(
      (rules) => appliesTo(rules, file_path) && rules.off.some((name) => meansRule(name, rule_id))
    )
    return asked === undefined ? null : { by: "configuration", reason: `Off in ${SETTINGS_FILE}, line ${asked.line}.` }
  }

  /** The last that applies counts; what is less sure than a finding is never urgent. */
  private prioritised(finding: LocatedFinding): LocatedFinding {
    const { rule_id, file_path, kind } = finding
    if (isCredentialRule(rule_id)) return finding
    const asked = this.settings.rules.flatMap((rules) =>
      appliesTo(rules, file_path)
        ? Object.entries(rules.priority)
            .filter(([name]) => meansRule(name, rule_id))
            .map(([, priority]) => priority)
        : []
    )
    const wish = asked.at(-1)
    if (wish === undefined || wish === finding.priority) return finding
    const priority = kind === "finding" || wish > "P2" ? wish : "P2"
    return { ...finding, priority, priority_reason: `${finding.priority_reason} ${SETTINGS_FILE} asks for ${wish}.` }
  }
}
