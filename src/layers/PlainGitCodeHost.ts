import { join, resolve } from "node:path"
import { Duration, Effect, Exit, Layer } from "effect"
import { Sources } from "../engine/index.ts"
import { isBranchName } from "../schema/Repository.ts"
import {
  CodeHost,
  type CodeHostError,
  type CompareRequest,
  type FetchRequest,
  type FilesRequest,
  type Remote,
  type RenamesRequest,
  type Revision
} from "../services/ports/CodeHost.ts"
import type { PullRequestKey, PullRequestText, PushedChange, PushRequest } from "../services/ports/PullRequest.ts"
import { RemoteCredentials } from "../services/ports/RemoteCredentials.ts"
import { makeAddressGate } from "./AddressGate.ts"
import { gitAuthorities } from "./certificates.ts"
import { compareCommits, compareTexts } from "./git/compare.ts"
import { codeHostError, fromGit } from "./git/failures.ts"
import { listHeads } from "./git/listHeads.ts"
import {
  bringBranch,
  bytesOf,
  consolidate,
  createMirror,
  describeFolder,
  isIntact,
  mirrorExists,
  removeMirror,
  sweep,
  touchMirror
} from "./git/Mirror.ts"
import { withMirrorLock } from "./git/MirrorLock.ts"
import { type GitUnusable, usableGit } from "./git/program.ts"
import { pullRequestState } from "./git/pullRequestState.ts"
import { deleteBranch, pushBranch } from "./git/push.ts"
import { bringRevision } from "./git/Revision.ts"
import { readFiles } from "./git/readFiles.ts"
import { runGit } from "./git/run.ts"
import { admit, type Transport } from "./git/transport.ts"
import { noProxy, type ProxySettings } from "./Proxy.ts"

export interface PlainGitOptions {
  readonly dataDir: string
  /** Folders whose repositories may be read by path. */
  readonly localRoots: ReadonlyArray<string>
  /** Lets a remote be on a private, loopback or link-local address. */
  readonly allowPrivateNetwork: boolean
  /** Lets a remote be read over plain http. As `allowPrivateNetwork` unless given. */
  readonly allowHttp?: boolean
  /** The private key offered to ssh remotes. None unless given. */
  readonly sshIdentityFile?: string
  /** The whole of one call. */
  readonly timeout?: Duration.DurationInput
  readonly maxMirrorBytes?: number
  /** A transfer slower than this for so long has stopped. */
  readonly lowSpeed?: { readonly bytesPerSecond: number; readonly seconds: number }
  /** Proxies that https and http remotes are reached through. None unless given. */
  readonly proxies?: ProxySettings
  /** Further certificate authorities, as PEM. */
  readonly extraAuthorities?: string | null
  /** Every address of a host name. The system's resolver unless given. */
  readonly resolve?: (host: string) => Promise<ReadonlyArray<string>>
}

const make = Effect.fnUntraced(function* (options: PlainGitOptions) {
  yield* usableGit
  const dataDir = resolve(options.dataDir)
  const mirrors = join(dataDir, "mirrors")
  yield* describeFolder(mirrors)
  const gate = makeAddressGate(options)
  const credentials = yield* RemoteCredentials
  const authorities = gitAuthorities(dataDir, options.extraAuthorities ?? null)
  const timeout = Duration.decode(options.timeout ?? "10 minutes")
  const maxBytes = options.maxMirrorBytes ?? 4 * 1024 ** 3
  const reach = (remote: Remote) =>
    admit(remote, gate, {
      dataDir,
      localRoots: options.localRoots,
      allowHttp: options.allowHttp ?? options.allowPrivateNetwork,
      sshIdentityFile: options.sshIdentityFile,
      lowSpeed: options.lowSpeed ?? { bytesPerSecond: 1000, seconds: 60 },
      credentials,
      proxies: options.proxies ?? noProxy,
      authorities
    })
  const withinTime = Effect.timeoutFail({
    duration: timeout,
    onTimeout: () => codeHostError("timeout", `The repository did not answer within ${Duration.format(timeout)}.`)
  })
  // The lock file alone would do; this keeps fibers of one process in the order they came.
  const turns = new Map<string, Effect.Semaphore>()
  const inTurn = (repositoryId: string) => {
    const turn = turns.get(repositoryId) ?? Effect.unsafeMakeSemaphore(1)
    turns.set(repositoryId, turn)
    return turn.withPermits(1)
  }

  const inspect = Effect.fn("CodeHost.inspect")(
    function* (remote: Remote) {
      return yield* listHeads(yield* reach(remote))
    },
    Effect.scoped,
    (effect) => withinTime(effect)
  )

  /** Runs an effect on a repository's mirror while no other fiber works on it. */
  const inMirror = Effect.fnUntraced(function* <A>(
    { repositoryId, remote, branch }: FetchRequest,
    work: (gitDir: string, transport: Transport) => Effect.Effect<A, CodeHostError>
  ) {
    if (!repositoryIdPattern.test(repositoryId)) return yield* Effect.dieMessage("Not a repository id.")
    if (!isBranchName(branch)) return yield* noSuchBranch(branch)
    const transport = yield* reach(remote)
    const gitDir = join(mirrors, `${repositoryId}.git`)
    return yield* work(gitDir, transport).pipe(
      withinTime,
      withMirrorLock(join(mirrors, `${repositoryId}.lock`), timeout),
      inTurn(repositoryId)
    )
  }, Effect.scoped)

  const fetch = Effect.fn("CodeHost.fetch")(function* (request: FetchRequest) {
    return yield* inMirror(request, (gitDir, transport) =>
      Effect.map(update(gitDir, transport, request.branch, maxBytes), (commit) => ({ gitDir, commit }))
    )
  })

  const fetchRevision = Effect.fn("CodeHost.fetchRevision")(function* (
    request: FetchRequest & { readonly revision: Revision }
  ) {
    const { revision } = request
    if (revision.kind === "branch" && !isBranchName(revision.name)) return yield* noSuchBranch(revision.name)
    return yield* inMirror(request, (gitDir, transport) =>
      Effect.gen(function* () {
        const commit = yield* update(gitDir, transport, request.branch, maxBytes)
        const isHere = revision.kind === "commit" && (yield* hasCommit({ gitDir, commit: revision.sha }))
        const brought = isHere ? revision.sha : yield* bringRevision(gitDir, transport, revision, { maxBytes })
        return { gitDir, commit, revision: brought }
      })
    )
  })

  const compare = (request: CompareRequest) => withinTime(compareCommits(request))

  const linesBetween = (request: RenamesRequest) => withinTime(compareTexts(request))

  const renames = Effect.fn("CodeHost.renames")(
    function* (request: RenamesRequest) {
      return yield* renamesBetween(request)
    },
    (effect) => withinTime(effect)
  )

  const paths = Effect.fn("CodeHost.paths")(
    function* (request: { readonly gitDir: string; readonly commit: string }) {
      return yield* pathsIn(request)
    },
    (effect) => withinTime(effect)
  )

  // Takes no turn: objects do not change, and a mirror that is being replaced has no files for a moment.
  const files = Effect.fn("CodeHost.files")(function* ({ repositoryId, ...request }: FilesRequest) {
    const isKnown = repositoryIdPattern.test(repositoryId) && commitId.test(request.commit)
    const read = isKnown
      ? readFiles({ ...request, gitDir: join(mirrors, `${repositoryId}.git`) })
      : Effect.succeed(noFiles)
    return yield* read.pipe(
      Effect.timeout("5 seconds"),
      Effect.catchAll(() => Effect.succeed(noFiles))
    )
  })

  const push = Effect.fn("CodeHost.push")(
    function* ({ remote, ...request }: PushRequest) {
      if (!isBranchName(request.branch)) return yield* noSuchBranch(request.branch)
      yield* pushBranch(yield* reach(remote), request)
    },
    Effect.scoped,
    (effect) => withinTime(effect)
  )

  // Nothing to open: the pushed branch is the pull request.
  const openPullRequest = Effect.fn("CodeHost.openPullRequest")(function* (
    request: Omit<PullRequestKey, "number"> & PullRequestText
  ) {
    const { shown } = yield* reach(request.remote)
    return { url: branchUrl(shown, request.head), number: null }
  }, Effect.scoped)

  const closePullRequest = Effect.fn("CodeHost.closePullRequest")(function* (request: PullRequestKey) {
    yield* inMirror({ ...request, branch: request.base }, (gitDir, transport) =>
      Effect.zipRight(
        Effect.unlessEffect(createMirror(gitDir, "sha1"), mirrorExists(gitDir)),
        deleteBranch(transport, { gitDir, branch: request.head })
      )
    )
  })

  const pullRequest = Effect.fn("CodeHost.pullRequest")(function* (request: PullRequestKey & PushedChange) {
    return yield* inMirror({ ...request, branch: request.base }, (gitDir, transport) =>
      Effect.gen(function* () {
        const base = yield* update(gitDir, transport, request.base, maxBytes)
        const { heads } = yield* listHeads(transport)
        const head = heads.get(request.head) ?? null
        if (head !== null && !(yield* hasCommit({ gitDir, commit: head }))) {
          yield* bringRevision(gitDir, transport, { kind: "branch", name: request.head }, { maxBytes })
        }
        return yield* pullRequestState({ ...request, gitDir, base, head })
      })
    )
  })

  return {
    inspect,
    fetch,
    fetchRevision,
    compare,
    compareTexts: linesBetween,
    has: hasCommit,
    files,
    paths,
    renames,
    push,
    openPullRequest,
    // The text of a pull request is kept with its record here.
    updatePullRequest: () => Effect.void,
    closePullRequest,
    pullRequest,
    comment: () => Effect.succeedNone,
    postReview: () => Effect.succeedNone
  }
})

/** Names a branch where the host has no page of its own for it. */
const branchUrl = (shown: string, branch: string) => `${shown.startsWith("/") ? `file://${shown}` : shown}#${branch}`

const repositoryIdPattern = /^[\w-][\w.-]{0,99}$/

const noSuchBranch = (branch: string) =>
  codeHostError("branch_not_found", `There is no branch ${JSON.stringify(branch.slice(0, 100))}.`)

/** Makes the mirror hold the branch; a mirror that cannot be repaired is fetched again. Only under the mirror's lock. */
const update = Effect.fnUntraced(function* (gitDir: string, transport: Transport, branch: string, maxBytes: number) {
  yield* sweep(gitDir)
  if (!(yield* mirrorExists(gitDir)) || (yield* bytesOf(gitDir)) > maxBytes) {
    return yield* fetchAgain(gitDir, transport, branch, maxBytes)
  }
  yield* touchMirror(gitDir)
  return yield* bringBranch(gitDir, transport, branch, { maxBytes }).pipe(
    Effect.tap(() => consolidate(gitDir)),
    Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : sweep(gitDir))),
    Effect.catchIf(
      (error) => error.reason === "corrupt",
      (error) =>
        // What the remote sends may be damaged, or what we hold: only the second is a reason to start again.
        Effect.flatMap(isIntact(gitDir), (intact) =>
          intact ? Effect.fail(error) : fetchAgain(gitDir, transport, branch, maxBytes)
        )
    ),
    Effect.catchIf(
      (error) => error.reason === "branch_not_found",
      () => Effect.flatMap(requireBranch(transport, branch), () => bringBranch(gitDir, transport, branch, { maxBytes }))
    )
  )
})

const fetchAgain = Effect.fnUntraced(function* (
  gitDir: string,
  transport: Transport,
  branch: string,
  maxBytes: number
) {
  const commit = yield* requireBranch(transport, branch)
  yield* createMirror(gitDir, commit.length === 64 ? "sha256" : "sha1")
  return yield* bringBranch(gitDir, transport, branch, { maxBytes }).pipe(
    Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : removeMirror(gitDir)))
  )
})

/** The commit the branch has at the remote, or why there is none. */
const requireBranch = Effect.fnUntraced(function* (transport: Transport, branch: string) {
  const { heads } = yield* listHeads(transport)
  if (heads.size === 0)
    return yield* codeHostError("no_commits", `The repository at ${transport.shown} has no commits.`)
  const commit = heads.get(branch)
  if (commit === undefined) return yield* noSuchBranch(branch)
  return commit
})

const noFiles: ReadonlyMap<string, Uint8Array> = new Map()
const commitId = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/
const maxRenameBytes = 64 * 1024 * 1024
const maxListingBytes = 512 * 1024 * 1024

const hasCommit = ({ gitDir, commit }: { readonly gitDir: string; readonly commit: string }) =>
  commitId.test(commit)
    ? runGit({
        gitDir,
        args: ["cat-file", "-e", `${commit}^{commit}`],
        environment: Sources.gitEnvironment()
      }).pipe(Effect.match({ onFailure: () => false, onSuccess: () => true }))
    : Effect.succeed(false)

const renamesBetween = Effect.fnUntraced(function* ({ gitDir, from, to }: RenamesRequest) {
  const none: ReadonlyMap<string, string> = new Map()
  if (!commitId.test(from) || !commitId.test(to) || from === to) return none
  const environment = Sources.gitEnvironment()
  if (!(yield* hasCommit({ gitDir, commit: from }))) return none
  const output = yield* runGit({
    // -l bounds the comparison of every removed with every added file; beyond it only exact renames are found.
    gitDir,
    args: ["diff-tree", "-r", "-z", "-M", "-l2000", "--diff-filter=R", "--name-status", from, to],
    environment,
    maxOutputBytes: maxRenameBytes
  }).pipe(Effect.catchAll((failure) => Effect.suspend(() => fromGit("the mirror")(failure))))
  return parseRenames(output)
})

const pathsIn = Effect.fnUntraced(function* (request: { readonly gitDir: string; readonly commit: string }) {
  const { gitDir, commit } = request
  if (!commitId.test(commit)) return yield* codeHostError("corrupt", "The commit to list is not one.")
  const output = yield* runGit({
    gitDir,
    args: ["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit],
    environment: Sources.gitEnvironment(),
    maxOutputBytes: maxListingBytes
  }).pipe(Effect.catchAll((failure) => Effect.suspend(() => fromGit("the mirror")(failure))))
  return { [Symbol.iterator]: () => fieldsOf(output) }
})

/** The fields of output that ends each with NUL, as text. */
function* fieldsOf(output: Uint8Array) {
  for (let start = 0, end = output.indexOf(0); end !== -1; start = end + 1, end = output.indexOf(0, start)) {
    yield Sources.pathText(output.subarray(start, end)).path
  }
}

const parseRenames = (output: Uint8Array): ReadonlyMap<string, string> => {
  const fields = [...fieldsOf(output)]
  const found = new Map<string, string>()
  for (let at = 0; at + 2 < fields.length; at += 3) found.set(fields[at + 1] ?? "", fields[at + 2] ?? "")
  return found
}

/** Reads any repository the git program can reach, through the gates of its options. */
export const PlainGitCodeHost = {
  layer: (options: PlainGitOptions): Layer.Layer<CodeHost, GitUnusable> => Layer.effect(CodeHost, make(options))
}
