import { Secrets } from "../../engine/index.ts"
import { clip } from "../../schema/characters.ts"
import type { ObservationId, RepositoryId } from "../../schema/Ids.ts"
import type { FindingsGrouping } from "../../schema/IssueRequests.ts"
import type { Location, Observation, Priority } from "../../schema/Observation.ts"
import { descriptionParts } from "../observations/descriptionParts.ts"

/** An observation that an issue is to be about. */
export interface SourceFinding extends Observation {
  readonly id: ObservationId
  readonly repository_id: RepositoryId
  /** Whether some members of the workspace may not see its repository. */
  readonly restricted: boolean
  readonly locations: ReadonlyArray<Location>
}

/** An issue that is to be filed. */
export interface IssueDraft {
  readonly title: string
  readonly body_md: string
  readonly priority: Priority
  readonly repository_ids: ReadonlyArray<RepositoryId>
  /** One criterion for each finding, the most severe one first. */
  readonly criteria: ReadonlyArray<{
    readonly text: string
    readonly observation_id: ObservationId
    readonly repository_id: RepositoryId
  }>
}

/** The standard name of a rule; null for one that the engine does not know any more. */
export type RuleTitle = (rule_id: string) => string | null

/** More findings of a rule or a file become another issue: an answer with all criteria has to stay readable. */
export const maxFindingsPerIssue = 50

const maxTitle = 200
const maxCriterion = 200
const maxPath = 120
const maxPart = 4000
const maxLocations = 10
const maxRules = 8

/** The issues that findings become, the most severe first. */
export const issueDrafts = (
  findings: ReadonlyArray<SourceFinding>,
  group: FindingsGrouping,
  ruleTitle: RuleTitle
): ReadonlyArray<IssueDraft> =>
  groupsOf(findings.toSorted(bySeverity), group).flatMap((members) => {
    const [only] = members
    if (only !== undefined && members.length === 1) return [draftOf(members, titleOfOne(only), bodyOfOne(only))]
    const parts = chunksOf(members)
    return parts.map((part, index) => {
      const ofParts = parts.length === 1 ? "" : ` (${index + 1} of ${parts.length})`
      const title = group === "rule" ? titleOfRule(part, ruleTitle) : titleOfFile(part)
      return draftOf(part, `${clip(oneLine(title), maxTitle - ofParts.length)}${ofParts}`, bodyOfMany(part, ruleTitle))
    })
  })

const groupsOf = (findings: ReadonlyArray<SourceFinding>, group: FindingsGrouping) => {
  const groups = new Map<string, Array<SourceFinding>>()
  for (const finding of findings) {
    const key = keyOf(finding, group)
    const members = groups.get(key)
    if (members === undefined) groups.set(key, [finding])
    else members.push(finding)
  }
  return [...groups.values()]
}

const keyOf = (
  { id, rule_id, repository_id, restricted, locations }: SourceFinding,
  group: FindingsGrouping
): string => {
  switch (group) {
    case "none":
      return id
    case "rule":
      // An issue about several repositories is seen by those who see one of them.
      return restricted ? `${repository_id}/${rule_id}` : rule_id
    case "file":
      return `${repository_id}/${locations[0]?.file_path ?? ""}`
  }
}

const chunksOf = (members: ReadonlyArray<SourceFinding>): ReadonlyArray<ReadonlyArray<SourceFinding>> =>
  Array.from({ length: Math.ceil(members.length / maxFindingsPerIssue) }, (_, index) =>
    members.slice(index * maxFindingsPerIssue, (index + 1) * maxFindingsPerIssue)
  )

/** The most severe first; of equal ones in the order of their numbers. */
const bySeverity = (a: SourceFinding, b: SourceFinding): number =>
  a.priority === b.priority ? numberOf(a) - numberOf(b) : a.priority < b.priority ? -1 : 1

const numberOf = ({ ref }: SourceFinding) => Number(ref.slice("OBS-".length))

const draftOf = (members: ReadonlyArray<SourceFinding>, title: string, body_md: string): IssueDraft => ({
  title,
  body_md,
  // Sorted by severity: the first one has the worst.
  priority: members[0]?.priority ?? "P3",
  repository_ids: [...new Set(members.map(({ repository_id }) => repository_id))],
  criteria: members.map((finding) => ({
    text: clip(
      `${finding.ref} is fixed: ${oneLine(redacted(finding.title, maxCriterion))}, ${placeOf(finding)}`,
      maxCriterion
    ),
    observation_id: finding.id,
    repository_id: finding.repository_id
  }))
})

const placeOf = ({ locations: [first], repo_name }: SourceFinding) =>
  first === undefined ? repo_name : `${pathOf(first.file_path)}:${first.line_start}`

const titleOfOne = ({ title, locations: [first] }: SourceFinding) =>
  oneLine(redacted(first === undefined ? title : `${title} in ${first.file_path}`, maxTitle))

const titleOfRule = (members: ReadonlyArray<SourceFinding>, ruleTitle: RuleTitle) => {
  const rule_id = members[0]?.rule_id ?? ""
  const name = ruleTitle(rule_id) ?? rule_id
  const repository = onlyRepository(members)
  return repository === null
    ? `${name} in several repositories`
    : `${name}: ${members.length} findings in ${repository}`
}

const titleOfFile = (members: ReadonlyArray<SourceFinding>) => {
  const path = members[0]?.locations[0]?.file_path
  return `${members.length} findings in ${path === undefined ? "" : `${pathOf(path)} of `}${members[0]?.repo_name ?? ""}`
}

/** Null where they are in several: the text of an issue about these shows nothing that is of one of them alone. */
const onlyRepository = (members: ReadonlyArray<SourceFinding>): string | null => {
  const [first] = members
  return first !== undefined && members.every(({ repository_id }) => repository_id === first.repository_id)
    ? first.repo_name
    : null
}

const bodyOfOne = (finding: SourceFinding): string => {
  const { what, why } = descriptionParts(finding.description)
  const { suggested_change } = finding
  return sections([
    [null, factsOf(finding)],
    ["Where", whereOf(finding)],
    ["What", bounded(what)],
    ["Why it matters and how to fix it", why === null ? null : bounded(why)],
    ["Suggested change", suggested_change === null ? null : fenced(bounded(suggested_change))],
    ["References", referencesOf([finding])]
  ])
}

const bodyOfMany = (members: ReadonlyArray<SourceFinding>, ruleTitle: RuleTitle): string => {
  const rules = [...new Set(members.map(({ rule_id }) => rule_id))]
  const shown = rules.slice(0, maxRules)
  const more = rules.length - shown.length
  const ofOne = onlyRepository(members) !== null
  return sections([
    [null, "Each acceptance criterion names one finding with its location."],
    ...shown.map((rule_id): Section => {
      const ofRule = members.filter((finding) => finding.rule_id === rule_id)
      const text = textOfRule(ofRule) ?? (ofOne ? (ofRule[0]?.description ?? "") : "")
      const facts = ofRule.slice(0, 1).map((finding) => factsOf(finding, false))
      return [oneLine(ruleTitle(rule_id) ?? rule_id), [...facts, redacted(text, perRule(shown.length))].join("\n\n")]
    }),
    [null, more === 0 ? null : `And ${more} more rules: \`explain_observation\` has the text of each finding.`],
    ["References", ofOne ? referencesOf(members) : null]
  ])
}

/** What the rule says of all of its findings. */
const textOfRule = (findings: ReadonlyArray<SourceFinding>) =>
  findings.map(({ description }) => descriptionParts(description).why).find((why) => why !== null)

/** One rule may be long; several share the room. */
const perRule = (rules: number) => Math.ceil(maxPart / Math.min(rules, 4))

type Section = readonly [heading: string | null, text: string | null]

const sections = (parts: ReadonlyArray<Section>): string =>
  parts
    .flatMap(([heading, text]) => (text === null ? [] : [heading === null ? text : `## ${heading}\n\n${text}`]))
    .join("\n\n")

const factsOf = ({ priority, category, rule_id, cwe, effort, confidence }: SourceFinding, ofOne = true): string =>
  [
    ...(ofOne ? [`**${priority}** ${category}`] : [category]),
    `rule \`${rule_id}\``,
    ...(cwe.length === 0 ? [] : [cwe.map((id) => `CWE-${id}`).join(", ")]),
    `effort ${effort}`,
    ...(ofOne ? [`confidence ${Math.round(confidence * 100)} %`] : [])
  ].join(" · ")

const whereOf = ({ locations, repo_name }: SourceFinding): string => {
  const shown = locations.slice(0, maxLocations)
  const more = locations.length - shown.length
  return [
    `Repository ${code(repo_name)}`,
    "",
    ...shown.map(({ file_path, symbol, line_start, line_end }) => {
      const lines = line_end > line_start ? `${line_start}-${line_end}` : `${line_start}`
      return `- ${code(`${pathOf(file_path)}:${lines}`)}${symbol === null ? "" : ` in ${code(pathOf(symbol))}`}`
    }),
    ...(more === 0 ? [] : [`- and ${more} more`])
  ].join("\n")
}

const referencesOf = (members: ReadonlyArray<SourceFinding>): string =>
  `${members.map(({ ref }) => ref).join(", ")}. \`get_observation\` and \`explain_observation\` have the evidence; ` +
  "closing an observation as fixed or completed meets its criterion."

/** The text without credentials; what is far beyond the limit is not searched for them. */
const redacted = (text: string, max: number) => clip(Secrets.redactSecrets(clip(text, 2 * max + 1000)), max)
const bounded = (text: string) => redacted(text, maxPart)
const oneLine = (text: string) => text.replace(/\s+/g, " ").trim()
const pathOf = (path: string) => oneLine(redacted(path, maxPath))

/** The longest run of backticks: a text of a repository must not end the code that shows it. */
const longestRun = (text: string) => Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))

const code = (text: string): string => {
  const run = longestRun(text)
  if (run === 0) return `\`${text}\``
  const ticks = "`".repeat(run + 1)
  return `${ticks} ${text} ${ticks}`
}

const fenced = (text: string): string => {
  const ticks = "`".repeat(Math.max(3, longestRun(text) + 1))
  return `${ticks}\n${text}\n${ticks}`
}
