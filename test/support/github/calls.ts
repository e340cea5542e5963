import type { Described, Json } from "./description.ts"
import type { GitHubState, HostedRepository, Identity, Permission, Pull } from "./state.ts"

export interface Call {
  readonly described: Described
  readonly identity: Identity
  readonly query: URLSearchParams
  readonly body: Json
  readonly base: string
  readonly slug: string
}

export interface Answer {
  readonly status: number
  readonly body?: unknown
}

export const rejection = (status: number, message: string, errors?: ReadonlyArray<Json>): Answer => ({
  status,
  body: { message, documentation_url: "https://docs.github.com/rest", ...(errors === undefined ? {} : { errors }) }
})

export const notFound = rejection(404, "Not Found")

export type Handler = (call: Call, state: GitHubState) => Answer

/** An operation on a repository that the token covers, with this permission. */
export const onRepository =
  (
    permission: Permission,
    level: "read" | "write",
    handle: (repository: HostedRepository, call: Call, state: GitHubState) => Answer
  ): Handler =>
  (call, state) => {
    const { owner = "", repo = "" } = call.described.parameters
    const repository = state.find(owner, repo)
    if (repository === undefined || !covers(call.identity, repository)) return notFound
    const { identity } = call
    const granted = identity?.kind === "installation" ? identity.token.permissions[permission] : undefined
    const isEnough = granted === "write" || (granted === "read" && level === "read")
    if (!isEnough && permission !== "metadata") return rejection(403, "Resource not accessible by integration")
    state.follow(repository)
    return handle(repository, call, state)
  }

const covers = (identity: Identity, repository: HostedRepository) => {
  if (identity === null) return !repository.isPrivate
  if (identity.kind === "app") return false
  const { installation, repositories } = identity.token
  if (repository.installation !== installation) return !repository.isPrivate
  return repositories === null || repositories.includes(repository.name)
}

export const onPull = (
  level: "read" | "write",
  handle: (pull: Pull, repository: HostedRepository, call: Call, state: GitHubState) => Answer,
  permission: Permission = "pull_requests"
) =>
  onRepository(permission, level, (repository, call, state) => {
    const { pull_number, issue_number } = call.described.parameters
    const pull = state.pull(repository, Number(pull_number ?? issue_number))
    return pull === undefined ? notFound : handle(pull, repository, call, state)
  })

export const text = (value: unknown): string => (typeof value === "string" ? value : "")

export const page = <A>(all: ReadonlyArray<A>, { query }: Call): ReadonlyArray<A> => {
  const size = Number(query.get("per_page") ?? 30)
  const at = (Number(query.get("page") ?? 1) - 1) * size
  return all.slice(at, at + size)
}
