import { baseName } from "../../core/text/paths.ts"
import { type EmitAt, type FileSummary, type Match, type Project } from "../../core/tool/AuditTool.ts"
import type { Job, Step, Workflow } from "../../languages/formats/githubActions.ts"
import { rangeOf, scalarOf } from "../../languages/formats/yaml.ts"
import { givesSecrets } from "./privileges.ts"
import type { RuleId } from "./rules.ts"

/** A `uses:` of another owner that is not a commit. */
interface Use {
  readonly action: string
  readonly ref: string
  readonly start: number
  readonly end: number
  readonly secrets: boolean
  /** `secrets: inherit` of a reusable workflow, as its range. */
  readonly inherits: readonly [start: number, end: number] | null
}

const reference = /^([\w.-]+)\/([\w.-]+(?:\/[\w./-]+)?)@([^\s@]+)$/
const commit = /^[0-9a-f]{40}$|^[0-9a-f]{64}$/i
/** The repository of an organisation's shared workflows: no one calls those of another organisation. */
const sharedWorkflows = /^([\w.-]+)\/\.github(?:-private)?\/\.github\/workflows\//i
/** Published by the owner of the runner itself. */
const platform = /^(?:actions|github)$/i
/** Names that move with every push, not with a release. */
const branch = /^(?:main|master|develop|development|dev|trunk|head|latest|next|edge|nightly|stable|canary)$/i
/** Their refs name a toolchain, so that there is no release to point to. */
const refIsVersion = /^dtolnay\/rust-toolchain$/i
/** Its provenance names the release that built it, so that these workflows refuse to run from a commit. */
const tagOnly = /^slsa-framework\/slsa-github-generator\/\.github\/workflows\//i
const release = /^v\d/

const isLoose = ({ action, ref }: Use): boolean => !commit.test(ref) && !(tagOnly.test(action) && release.test(ref))

/** A place that may use an action: a job that calls a reusable workflow, or a step. */
interface Holder {
  readonly uses: string | null
  readonly usesNode: Step["usesNode"]
  readonly givesSecrets: boolean
  readonly inherited: Job["secrets"]
}

const holdersOf = (workflow: Workflow, job: Job): ReadonlyArray<Holder> => [
  {
    uses: job.uses,
    usesNode: job.usesNode,
    givesSecrets: job.secrets !== null,
    inherited: scalarOf(workflow.document, job.secrets) === "inherit" ? job.secrets : null
  },
  ...job.steps.map((step) => ({
    uses: step.uses,
    usesNode: step.usesNode,
    givesSecrets: givesSecrets(workflow, step),
    inherited: null
  }))
]

/** Null when nothing of another owner is used, or a commit of it without all secrets. */
const foreignUse = ({ uses, usesNode, givesSecrets: secrets, inherited }: Holder): Use | null => {
  const match = uses === null || usesNode === null ? null : reference.exec(uses)
  if (match === null || usesNode === null) return null
  const [, owner, rest, ref] = match
  if (platform.test(owner!) || (commit.test(ref!) && inherited === null)) return null
  const { start, end } = rangeOf(usesNode)
  const range = inherited === null ? null : rangeOf(inherited)
  const inherits = range === null ? null : ([range.start, range.end] as const)
  return { action: `${owner}/${rest}`, ref: ref!, start, end, secrets, inherits }
}

const usesOf = (workflow: Workflow): ReadonlyArray<Use> =>
  workflow.jobs
    .flatMap((job) => holdersOf(workflow, job))
    .map(foreignUse)
    .filter((use) => use !== null)

/** Owners that a file names as its own repository's: `if: github.repository == 'acme/api'`. */
const ownersNamed = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/github\.repository(?:_owner)?\s*[!=]=\s*['"]([\w.-]{1,60})/g)].map((match) =>
    match[1]!.toLowerCase()
  )

const ownersCalled = (workflow: Workflow): ReadonlyArray<string> =>
  workflow.jobs.flatMap(({ uses }) => sharedWorkflows.exec(uses ?? "")?.[1]?.toLowerCase() ?? [])

/** What a workflow leaves for the cross-file pass. */
export interface PinFacts {
  readonly uses: ReadonlyArray<Use>
  readonly owners: ReadonlyArray<string>
}

export const pinFacts = (workflow: Workflow, text: string): PinFacts | undefined => {
  const uses = usesOf(workflow)
  const owners = [...ownersNamed(text), ...ownersCalled(workflow)]
  return uses.length === 0 && owners.length === 0 ? undefined : { uses, owners }
}

/** Parts of the path of a package's manifest: `packages/core/package.json`. */
const MAX_DEPTH = 3
const MAX_MANIFESTS = 200

const repositoryField = /(?:github\.com[/:]|"repository"\s*:\s*"(?:github:)?)([\w.-]{1,60})\/[\w.-]+/
const ownManifests: ReadonlyArray<readonly [name: string, where: RegExp]> = [
  ["package.json", /"(?:repository|homepage|bugs)"\s*:[^}]{0,300}/],
  ["go.mod", /^module\s+\S+/m],
  ["Cargo.toml", /^(?:repository|homepage)\s*=\s*.{0,200}/m],
  ["composer.json", /"name"\s*:\s*"[^"]{0,200}"/],
  ["pyproject.toml", /^\s*"?(?:repository|source|homepage|source[ -]?code|code|github)"?\s*=\s*.{0,200}/im],
  ["setup.py", /\burl\s*=\s*.{0,200}/],
  ["setup.cfg", /^url\s*=\s*.{0,200}/m],
  ["pom.xml", /<(?:scm|url)>[^<]{0,300}/]
]

/** Who owns the repository under audit, as far as its own files show. */
const ownersOf = (project: Project, facts: ReadonlyArray<PinFacts>): Set<string> => {
  const owners = new Set(facts.flatMap((fact) => fact.owners))
  for (const [path, where] of ownManifestsOf(project)) {
    const field = where.exec(project.manifest(path) ?? "")?.[0]
    const owner = field === undefined ? undefined : repositoryField.exec(field)?.[1]
    if (owner !== undefined) owners.add(owner.toLowerCase())
  }
  return owners
}

/** The manifests at the root and, where there is none, of the packages of a repository that holds several. */
const ownManifestsOf = ({ files }: Project): ReadonlyArray<readonly [path: string, where: RegExp]> => {
  const fields = new Map(ownManifests)
  const found = files
    .filter(({ path }) => fields.has(baseName(path)) && path.split("/").length <= MAX_DEPTH)
    .map(({ path, role }) => ({ path, where: fields.get(baseName(path))!, isOwn: role === "source" }))
  const atRoot = found.filter(({ path }) => !path.includes("/"))
  const own = atRoot.length > 0 ? atRoot : found.filter(({ isOwn }) => isOwn)
  return own.slice(0, MAX_MANIFESTS).map(({ path, where }) => [path, where])
}

const times = (count: number): string => (count === 1 ? "" : `, in ${count} places of this file`)

const unpinnedRule = (isBranch: boolean, hasSecrets: boolean): RuleId => {
  if (!isBranch) return "unpinned_action"
  return hasSecrets ? "action_with_secrets_pinned_to_branch" : "action_pinned_to_branch"
}

const unpinnedMatch = (uses: ReadonlyArray<Use>, isOwnerKnown: boolean): Match<RuleId> => {
  const [first] = uses as readonly [Use, ...Array<Use>]
  const isBranch = branch.test(first.ref) && !refIsVersion.test(first.action)
  const secrets = uses.some((use) => use.secrets)
  const moves = isBranch ? `follows the branch \`${first.ref}\`` : `follows the tag \`${first.ref}\``
  return {
    rule: unpinnedRule(isBranch, secrets),
    start: first.start,
    end: first.end,
    message: `\`${first.action}\` ${moves}${times(uses.length)}${secrets ? ", and is given secrets" : ""}.`,
    noun: `${first.action}@${first.ref}`,
    subject: first.action.toLowerCase(),
    // A new version of the same action is no new observation.
    identity: first.action.toLowerCase(),
    steps: uses.slice(1, 20).map(({ start, end }) => ({ start, end, note: "Used here, too." })),
    identifiers: [first.action],
    // Where the files do not show whose repository this is, the action may be its owner's own.
    ...(isOwnerKnown ? {} : { confidence: 0.85 })
  }
}

const inheritMatch = (use: Use): Match<RuleId> => ({
  rule: "secrets_handed_out",
  start: use.inherits![0],
  end: use.inherits![1],
  message: `\`secrets: inherit\` hands all secrets to \`${use.action}\`, which belongs to someone else.`,
  noun: use.action,
  identity: use.action.toLowerCase()
})

const grouped = (uses: ReadonlyArray<Use>): ReadonlyArray<ReadonlyArray<Use>> => {
  const groups = new Map<string, Array<Use>>()
  for (const use of uses) {
    const key = `${use.action.toLowerCase()}@${use.ref}`
    groups.set(key, [...(groups.get(key) ?? []), use])
  }
  return [...groups.values()]
}

/** Whose action it is depends on the repository's manifests. */
export const finishPins = (
  files: ReadonlyArray<FileSummary<PinFacts>>,
  project: Project,
  emit: EmitAt<RuleId>
): void => {
  const owners = ownersOf(
    project,
    files.map(({ facts }) => facts)
  )
  const isOwnerKnown = owners.size > 0
  for (const { path, facts } of files) {
    const foreign = facts.uses.filter(({ action }) => !owners.has(action.split("/", 1)[0]!.toLowerCase()))
    for (const group of grouped(foreign.filter(isLoose))) {
      emit(path, unpinnedMatch(group, isOwnerKnown))
    }
    for (const use of foreign) if (use.inherits !== null) emit(path, inheritMatch(use))
  }
}
