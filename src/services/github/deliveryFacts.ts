import { Option, Schema } from "effect"

const RepositoryName = Schema.Struct({ full_name: Schema.String })
const Branch = Schema.Struct({ ref: Schema.String, sha: Schema.String })

/** What is acted on of a payload; everything else in it is dropped on arrival. */
const payloads = {
  pull_request: Schema.Struct({
    action: Schema.String,
    repository: RepositoryName,
    pull_request: Schema.Struct({ number: Schema.Int, head: Branch, base: Schema.Struct({ ref: Schema.String }) })
  }),
  push: Schema.Struct({ ref: Schema.String, repository: RepositoryName }),
  installation: Schema.Struct({
    action: Schema.String,
    repositories: Schema.optional(Schema.Array(RepositoryName)),
    installation: Schema.Struct({
      id: Schema.Int,
      account: Schema.optional(Schema.NullOr(Schema.Struct({ login: Schema.optional(Schema.String) })))
    })
  }),
  installation_repositories: Schema.Struct({
    action: Schema.String,
    repositories_added: Schema.Array(RepositoryName),
    repositories_removed: Schema.Array(RepositoryName)
  })
} as const

export type DeliveryEvent = keyof typeof payloads

/** One delivery, by what it means to the service. Names are `owner/repo`. */
export const DeliveryFacts = Schema.Union(
  Schema.TaggedStruct("PullRequestChanged", {
    repository: Schema.String,
    number: Schema.Int,
    head: Schema.String,
    base: Schema.String,
    commit: Schema.String
  }),
  Schema.TaggedStruct("PullRequestEnded", { repository: Schema.String }),
  Schema.TaggedStruct("BranchPushed", { repository: Schema.String, branch: Schema.String }),
  Schema.TaggedStruct("InstallationEnded", { account: Schema.String, repositories: Schema.Array(Schema.String) }),
  Schema.TaggedStruct("CoverageChanged", {
    added: Schema.Array(Schema.String),
    removed: Schema.Array(Schema.String)
  })
)
export type DeliveryFacts = typeof DeliveryFacts.Type

const decoded =
  <A, I, B>(schema: Schema.Schema<A, I>, read: (payload: A) => B | null) =>
  (payload: unknown) =>
    Option.flatMapNullable(Schema.decodeUnknownOption(schema)(payload), read)

const reviewed = new Set(["opened", "synchronize", "reopened", "ready_for_review"])
const namesOf = (list: ReadonlyArray<typeof RepositoryName.Type> = []) => list.map(({ full_name }) => full_name)

const readers: Readonly<Record<DeliveryEvent, (payload: unknown) => Option.Option<DeliveryFacts>>> = {
  pull_request: decoded(payloads.pull_request, ({ action, repository, pull_request }): DeliveryFacts | null => {
    const { number, head, base } = pull_request
    if (action === "closed") return { _tag: "PullRequestEnded", repository: repository.full_name }
    if (!reviewed.has(action)) return null
    const of = { repository: repository.full_name, number }
    return { _tag: "PullRequestChanged", ...of, head: head.ref, base: base.ref, commit: head.sha }
  }),
  push: decoded(payloads.push, ({ ref, repository }): DeliveryFacts | null =>
    ref.startsWith("refs/heads/")
      ? { _tag: "BranchPushed", repository: repository.full_name, branch: ref.slice("refs/heads/".length) }
      : null
  ),
  installation: decoded(payloads.installation, ({ action, repositories, installation }): DeliveryFacts | null => {
    const names = namesOf(repositories)
    if (action === "deleted" || action === "suspend") {
      return { _tag: "InstallationEnded", account: installation.account?.login ?? "", repositories: names }
    }
    return action === "created" || action === "unsuspend"
      ? { _tag: "CoverageChanged", added: names, removed: [] }
      : null
  }),
  installation_repositories: decoded(
    payloads.installation_repositories,
    ({ repositories_added, repositories_removed }): DeliveryFacts => ({
      _tag: "CoverageChanged",
      added: namesOf(repositories_added),
      removed: namesOf(repositories_removed)
    })
  )
}

const isKnown = (event: string): event is DeliveryEvent => Object.hasOwn(readers, event)

/** What the delivery means; `None` where the service has nothing to do with it. */
export const factsOf = (event: string, payload: unknown): Option.Option<DeliveryFacts> =>
  isKnown(event) ? readers[event](payload) : Option.none()
