import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import { RepositoryId, type WorkspaceId } from "../../schema/Ids.ts"
import { defaultPageSize, type PageRequest } from "../../schema/Page.ts"
import {
  AmbiguousRepository,
  fullSlugOf,
  type RegisterRepository,
  type Repository,
  RepositoryAlreadyRegistered,
  RepositoryNoLongerPublic,
  RepositoryNotFound,
  type RepositoryPath,
  type RepositoryPreview,
  RepositoryUnusable,
  RepositoryUnverified,
  type UpdateRepository
} from "../../schema/Repository.ts"
import { Caller } from "../access/Caller.ts"
import { Cursors } from "../access/Cursors.ts"
import { unrestricted } from "../access/Reach.ts"
import { AuditLog } from "../audit_log/AuditLog.ts"
import { CodeHost, type CodeHostError, type RemoteHeads } from "../ports/CodeHost.ts"
import { ConfiguredGitHubApp } from "../ports/GitHubApp.ts"
import { newId } from "../support/ids.ts"
import { now } from "../support/now.ts"
import { transactional } from "../support/transactional.ts"
import { KnownPathsRepo } from "./KnownPathsRepo.ts"
import { pathFromRoot } from "./pathDigests.ts"
import { RepositoriesRepo } from "./RepositoriesRepo.ts"

// Someone waits for the answer; every call ends within 10 seconds.
const inspectionTime = "8 seconds"
const silent = "The repository's host did not answer within 8 seconds. Try again, or look at the host."

/** Repositories of a workspace. */
export class Repositories extends Effect.Service<Repositories>()("Repositories", {
  effect: Effect.gen(function* () {
    const repo = yield* RepositoriesRepo
    const host = yield* CodeHost
    const cursors = yield* Cursors
    const knownPaths = yield* KnownPathsRepo
    const auditLog = yield* AuditLog
    const app = yield* ConfiguredGitHubApp
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    const find = Effect.fn("Repositories.find")(function* (path: RepositoryPath) {
      const { workspace_id } = yield* Caller
      const found = yield* repo.find({ ...pathOf(path), workspace_id })
      if (Option.isNone(found)) {
        return yield* new RepositoryNotFound({
          message: `No repository ${path.github_org}/${path.github_repo}@${path.github_base_branch}.`
        })
      }
      return found.value
    })

    /** `of`: the list that its cursors belong to. */
    const list = Effect.fn("Repositories.list")(function* (
      { limit = defaultPageSize, cursor }: PageRequest,
      of: "repositories" | "repository_scores" = "repositories"
    ) {
      const { workspace_id } = yield* Caller
      const after = yield* cursors.open(of, {}, cursor)
      const rows = yield* repo.list({ workspace_id, after, limit })
      return yield* cursors.page(of, {}, limit, rows, (row) => [row.created_at, row.id])
    })

    /** Whether the app covers the repository; stored credentials may serve it without. */
    const installationOf = Effect.fn("Repositories.installationOf")(function* (
      source: Pick<Repository, "access_mode" | "clone_url">
    ) {
      const repository = source.access_mode === "installed" ? app?.repositoryOf(source.clone_url) : undefined
      if (app === null || repository === undefined || Option.isNone(repository)) return "none" as const
      const installation = yield* app
        .installationOf(repository.value)
        .pipe(Effect.mapError(rejectionOf(source.access_mode)))
      return Option.isSome(installation) ? ("active" as const) : ("none" as const)
    })

    /** The repository at the remote, and the branch that the request means. */
    const inspect = Effect.fn("Repositories.inspect")(function* (
      request: Pick<
        RegisterRepository,
        "github_org" | "github_repo" | "github_base_branch" | "access_mode" | "clone_url"
      >,
      repository_id: RepositoryId | null = null
    ) {
      const { workspace_id } = yield* Caller
      const access_mode = request.access_mode ?? "installed"
      const clone_url = yield* cloneUrl(request, app?.url ?? "https://github.com")
      const remote = { url: clone_url, access: { workspace_id, repository_id, access_mode } }
      const heads = yield* host.inspect(remote).pipe(
        Effect.mapError(rejectionOf(access_mode)),
        Effect.timeoutFail({
          duration: inspectionTime,
          onTimeout: () => new RepositoryUnverified({ message: silent })
        })
      )
      const branch = request.github_base_branch ?? heads.default_branch
      const head_sha = branch === null ? undefined : heads.heads.get(branch)
      if (branch === null || head_sha === undefined) return yield* unusableBranch(heads, branch)
      const installation_status = yield* installationOf({ access_mode, clone_url })
      const path = { github_org: request.github_org, github_repo: request.github_repo, github_base_branch: branch }
      const found = { access_mode, installation_status, clone_url, default_branch: heads.default_branch, head_sha }
      return { path, found, branches: [...heads.heads.keys()].sort() }
    })

    const insert = Effect.fn("Repositories.insert")(function* ({
      path,
      found
    }: Effect.Effect.Success<ReturnType<typeof inspect>>) {
      const { workspace_id, hidden_repositories } = yield* Caller
      const row = { ...path, ...found, id: yield* newId(RepositoryId), workspace_id, created_at: yield* now }
      // A hidden repository holds its name like any other.
      const inserted = yield* unrestricted(repo.insertOrRestore(row, hidden_repositories))
      if (!inserted) {
        const repo_name = `${path.github_repo}@${path.github_base_branch}`
        return yield* new RepositoryAlreadyRegistered({
          message: `${path.github_org}/${repo_name} is registered already.`,
          details: { repo_name, github_org: path.github_org }
        })
      }
      const repository = yield* Effect.orDie(find(path))
      yield* auditLog.record({ object: objectOf(repository), before: null, after: loggedOf(repository) })
      return repository
    }, inTransaction)

    // The remote may take its time: it is asked before the transaction.
    const register = Effect.fn("Repositories.register")((request: RegisterRepository) =>
      Effect.flatMap(inspect(request), insert)
    )

    /** The repository as registering would find it; registers nothing. */
    const preview = Effect.fn("Repositories.preview")(function* (request: RegisterRepository) {
      const { workspace_id } = yield* Caller
      const { path, found, branches } = yield* inspect(request)
      const registered = Option.isSome(yield* repo.find({ ...path, workspace_id }))
      const shown = branches.slice(0, 50)
      return {
        ...path,
        ...found,
        branch_count: branches.length,
        branches: shown,
        registered
      } satisfies RepositoryPreview
    })

    /** A new source is inspected before it is stored. */
    const update = Effect.fn("Repositories.update")(function* (path: RepositoryPath, changes: UpdateRepository) {
      const { workspace_id } = yield* Caller
      const known = yield* find(path)
      const { access_mode = known.access_mode, clone_url = known.clone_url } = changes
      const isElsewhere = access_mode !== known.access_mode || clone_url !== known.clone_url
      const moved = isElsewhere ? (yield* inspect({ ...pathOf(path), access_mode, clone_url }, known.id)).found : {}
      const { display_name, description, visibility, auto_review } = changes
      const write = Effect.gen(function* () {
        yield* repo.update({
          id: known.id,
          workspace_id,
          changes: {
            ...moved,
            ...(display_name === undefined ? {} : { display_name: textOrNull(display_name) }),
            ...(visibility === undefined ? {} : { visibility }),
            ...(auto_review === undefined ? {} : { auto_review }),
            ...(description === undefined ? {} : { description: textOrNull(description) })
          }
        })
        const updated = yield* find(path)
        yield* auditLog.record({ object: objectOf(known), before: loggedOf(known), after: loggedOf(updated) })
        return updated
      })
      return yield* inTransaction(write)
    })

    /**
     * The branch's commit as the remote reports it within a few seconds, else the last one known, unverified: a slow remote
     * must not delay the caller.
     */
    const verifyHead = Effect.fn("Repositories.verifyHead")(function* (repository: Repository) {
      const { workspace_id } = yield* Caller
      const access = { workspace_id, repository_id: repository.id, access_mode: repository.access_mode }
      const remote = { url: repository.clone_url, access }
      const heads = yield* host.inspect(remote).pipe(Effect.timeout("5 seconds"), Effect.option)
      const head_sha = Option.flatMapNullable(heads, ({ heads }) => heads.get(repository.github_base_branch))
      if (Option.isNone(heads) || Option.isNone(head_sha)) {
        return { head_sha: repository.head_sha, verified: false }
      }
      if (head_sha.value !== repository.head_sha) {
        yield* repo.setHead({
          workspace_id,
          id: repository.id,
          head_sha: head_sha.value,
          default_branch: heads.value.default_branch
        })
      }
      return { head_sha: head_sha.value, verified: true }
    })

    const refreshHead = (repository: Repository) => Effect.map(verifyHead(repository), ({ head_sha }) => head_sha)

    /** Hides the repository; registering it again restores it. */
    const hide = Effect.fn("Repositories.hide")(function* (path: RepositoryPath) {
      const { workspace_id } = yield* Caller
      const repository = yield* find(path)
      const hidden = yield* repo.markDeleted({ ...pathOf(path), workspace_id, at: yield* now })
      if (Option.isSome(hidden)) {
        yield* auditLog.record({ object: objectOf(repository), before: loggedOf(repository), after: null })
      }
      return repository
    }, inTransaction)

    /** The clone URL and branch of a job's repository, unless it was deleted. Needs no caller: workers have none. */
    const sourceOf = (job: RepositoryOf) => repo.sourceOf({ workspace_id: job.workspace_id, id: job.repository_id })

    /** Replaces the paths known of a repository by those of the commit just read. Needs no caller: workers have none. */
    const rememberPaths = (of: RepositoryOf, paths: Iterable<string>) => knownPaths.replace(of, paths)

    const forgetPaths = (of: RepositoryOf) => knownPaths.forget(of)

    /** Whether the commit that was read last has the file; null before the first audit or discovery. */
    const knowsPath = (of: RepositoryOf, path: string) =>
      Effect.map(knownPaths.has(of, pathFromRoot(path)), Option.getOrNull)

    const ownedSlug = Effect.fnUntraced(function* (slug: string, param: string) {
      const { workspace_id } = yield* Caller
      const [, github_org = null, repo_name = slug] = /^([^/@]+)\/([^/@]+@.+)$/.exec(slug) ?? []
      const found = yield* repo.findBySlug({ workspace_id, repo_name, github_org })
      if (found.length > 1) {
        const candidates = found.map((row) => `${row.github_org}/${repo_name}`)
        return yield* new AmbiguousRepository({
          message: `${slug} is registered by several owners; name one of ${candidates.join(", ")}.`,
          param,
          details: { candidates }
        })
      }
      const only = found[0]
      if (only === undefined) return yield* new RepositoryNotFound({ message: `No repository ${slug}.`, param })
      return only
    })

    /** Owner, name and branch that `repo@branch` or `owner/repo@branch` in the named parameter means. */
    const pathOfSlug = Effect.fn("Repositories.pathOfSlug")(function* (slug: string, param: string) {
      const [, owner, github_repo = "", github_base_branch = ""] = /^(?:([^/@]+)\/)?([^/@]+)@(.+)$/.exec(slug) ?? []
      const github_org = owner ?? (yield* ownedSlug(slug, param)).github_org
      return { github_org, github_repo, github_base_branch } satisfies RepositoryPath
    })

    /** The id of the repository that `repo@branch` or `owner/repo@branch` in the named parameter means. */
    const resolveSlug = (slug: string, param = "repo") => Effect.map(ownedSlug(slug, param), ({ id }) => id)

    return {
      find,
      list,
      register,
      preview,
      update,
      verifyHead,
      refreshHead,
      hide,
      sourceOf,
      rememberPaths,
      forgetPaths,
      knowsPath,
      resolveSlug,
      pathOfSlug
    }
  })
}) {}

const objectOf = (repository: RepositoryPath) => ({ kind: "repository", ref: fullSlugOf(repository) }) as const

/** What people decide of a repository; the rest changes with its commits and audits. */
const loggedOf = ({
  open_observations: _,
  head_sha: __,
  default_branch: ___,
  last_audit_at: ____,
  last_discovery_at: _____,
  ...rest
}: Repository) => rest

interface RepositoryOf {
  readonly workspace_id: WorkspaceId
  readonly repository_id: RepositoryId
}

const textOrNull = (text: string) => (text.trim() === "" ? null : text)

const pathOf = ({ github_org, github_repo, github_base_branch }: RepositoryPath): RepositoryPath => ({
  github_org,
  github_repo,
  github_base_branch
})

const cloneUrl = (
  request: Pick<RegisterRepository, "github_org" | "github_repo" | "clone_url">,
  site: string
): Effect.Effect<string, RepositoryUnusable> => {
  const url = request.clone_url ?? `${site}/${request.github_org}/${request.github_repo}.git`
  // A password in the URL would be shown to all who may list repositories.
  return /^(?:https?:\/\/[^/]*|[a-z+]+:\/\/[^/@]*:[^/@]*)@/i.test(url)
    ? Effect.fail(
        new RepositoryUnusable({
          message:
            "clone_url must not carry a user or password. An admin sets them as a credential of the host first: " +
            "POST /api/credentials.",
          param: "clone_url"
        })
      )
    : Effect.succeed(url)
}

/** Why the branch of the request cannot be registered. */
const unusableBranch = ({ heads }: RemoteHeads, branch: string | null) => {
  if (heads.size === 0) return new RepositoryUnusable({ message: "The repository has no commits." })
  const message =
    branch === null
      ? "The repository names no default branch; send github_base_branch."
      : `The repository has no branch ${branch}.`
  return new RepositoryUnusable({ message, param: "github_base_branch" })
}

const rejectionOf = (mode: Repository["access_mode"]) => (error: CodeHostError) => {
  switch (error.reason) {
    case "unreachable":
    case "timeout":
    case "rate_limited":
      return new RepositoryUnverified({ message: error.message })
    case "not_found":
    case "authentication":
      return mode === "anonymous"
        ? new RepositoryNoLongerPublic({ message: error.message })
        : new RepositoryUnusable({ message: error.message, param: "clone_url" })
    default:
      return new RepositoryUnusable({ message: error.message, param: "clone_url" })
  }
}
