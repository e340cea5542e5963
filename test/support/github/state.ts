import { createHash, randomBytes } from "node:crypto"
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { aRepository, type Files, type Repository, runGitIn } from "../gitRepository.ts"

export type Permission = "contents" | "pull_requests" | "issues" | "checks" | "metadata" | "workflows"
export type Permissions = Readonly<Partial<Record<Permission, "read" | "write">>>

export interface Installation {
  readonly id: number
  readonly account: string
  suspended: boolean
  removed: boolean
  permissions: Permissions
}

export interface Token {
  readonly installation: Installation
  readonly permissions: Permissions
  /** Names below the account; null for all that the installation covers. */
  readonly repositories: ReadonlyArray<string> | null
  readonly expiresAt: number
}

/** Who calls: the app by its signature, an installation by its token, or no one. */
export type Identity = { readonly kind: "app" } | { readonly kind: "installation"; readonly token: Token } | null

export interface Comment {
  readonly id: number
  readonly by: string
  body: string
}

export interface ReviewComment extends Comment {
  readonly review: number
  readonly path: string
  readonly line: number | null
  readonly start_line: number | null
  readonly commit: string
  minimized: boolean
  resolved: boolean
}

export interface Review {
  readonly id: number
  readonly event: string
  body: string
}

export interface Pull {
  readonly number: number
  title: string
  body: string
  readonly head: string
  readonly base: string
  readonly by: string
  state: "open" | "closed"
  merged: boolean
  mergeCommit: string | null
  headSha: string
  readonly comments: Array<Comment>
  readonly reviews: Array<Review>
  readonly reviewComments: Array<ReviewComment>
}

export interface CheckRun {
  readonly id: number
  readonly name: string
  readonly head_sha: string
  status: string
  conclusion: string | null
  title: string
  summary: string
  annotations: Array<unknown>
  external_id: string
}

export interface HostedRepository {
  readonly id: number
  readonly owner: string
  name: string
  isPrivate: boolean
  /** Null where the app is not installed. */
  installation: Installation | null
  readonly bare: Repository
  readonly pulls: Array<Pull>
  readonly checkRuns: Array<CheckRun>
}

/** Code hosts reject an app's push that touches workflows, unless the app may write them. */
const workflowHook = `#!/bin/sh
[ -n "$ALLOW_WORKFLOWS" ] && exit 0
while read -r old new ref; do
  case $new in 0000*) continue ;; esac
  if git log --format= --name-only "$new" --not --branches | grep -q '^.github/workflows/'; then
    echo "refusing to allow a GitHub App to create or update workflow without 'workflows' permission" >&2
    exit 1
  fi
done
`

/** What the server knows. */
export class GitHubState {
  readonly folder = mkdtempSync(join(tmpdir(), "assay-github-"))
  readonly installations: Array<Installation> = []
  readonly repositories: Array<HostedRepository> = []
  readonly tokens = new Map<string, Token>()
  /** Every token of this server begins so, and can be looked for before it is issued, also in Basic authentication. */
  readonly tokenStart = `ghs_${randomBytes(7).toString("hex")}`
  /** How long a new token lives. */
  tokenSeconds = 3600
  private last = 1000

  next(): number {
    this.last += 1
    return this.last
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true })
  }

  install(account: string, permissions: Permissions): Installation {
    const installation = { id: this.next(), account, suspended: false, removed: false, permissions }
    this.installations.push(installation)
    return installation
  }

  host(
    owner: string,
    name: string,
    files: Files,
    options: { readonly isPrivate: boolean; readonly installation: Installation | null }
  ): HostedRepository {
    const path = join(this.folder, owner, `${name}.git`)
    const bare = aRepository(files, { path, bare: true })
    appendFileSync(join(path, "config"), "[http]\n\treceivepack = true\n[uploadpack]\n\tallowAnySHA1InWant = true\n")
    writeFileSync(join(path, "hooks/pre-receive"), workflowHook)
    chmodSync(join(path, "hooks/pre-receive"), 0o755)
    const hosted = { id: this.next(), owner, name, bare, pulls: [], checkRuns: [], ...options }
    this.repositories.push(hosted)
    return hosted
  }

  find(owner: string, name: string): HostedRepository | undefined {
    const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
    return this.repositories.find((one) => same(one.owner, owner) && same(one.name, name))
  }

  issue(token: Omit<Token, "expiresAt">, seconds: number): { readonly text: string; readonly expiresAt: number } {
    const text = `${this.tokenStart}${randomBytes(16).toString("base64url").replace(/[-_]/g, "0")}`
    const expiresAt = Date.now() + seconds * 1000
    this.tokens.set(text, { ...token, expiresAt })
    return { text, expiresAt }
  }

  pull(repository: HostedRepository, number: number): Pull | undefined {
    return repository.pulls.find((one) => one.number === number)
  }

  open(repository: HostedRepository, pull: Pick<Pull, "title" | "body" | "head" | "base" | "by">): Pull {
    const headSha = headOf(repository, pull.head) ?? ""
    const opened: Pull = {
      ...pull,
      number: repository.pulls.length + 1,
      state: "open",
      merged: false,
      mergeCommit: null,
      headSha,
      comments: [],
      reviews: [],
      reviewComments: []
    }
    repository.pulls.push(opened)
    this.follow(repository)
    return opened
  }

  /** As GitHub does after each push: heads follow their branches, and what the base contains counts as merged. */
  follow(repository: HostedRepository) {
    for (const pull of repository.pulls.filter(({ state }) => state === "open")) {
      const head = headOf(repository, pull.head)
      if (head === null) {
        pull.state = "closed"
        continue
      }
      pull.headSha = head
      const refs = join(repository.bare.path, "refs/pull", String(pull.number))
      mkdirSync(refs, { recursive: true })
      writeFileSync(join(refs, "head"), `${head}\n`)
      const base = headOf(repository, pull.base)
      if (base !== null && contains(repository, base, head) && base !== head) {
        Object.assign(pull, { state: "closed", merged: true, mergeCommit: base })
      }
    }
  }

  merge(repository: HostedRepository, pull: Pull, method: "merge" | "squash" | "rebase"): string {
    const tree = mkdtempSync(join(tmpdir(), "assay-merge-"))
    const base = headOf(repository, pull.base) ?? ""
    repository.bare.git("worktree", "add", "--quiet", "--detach", "--force", tree, base)
    const git = (...args: ReadonlyArray<string>) => runGitIn(tree, args)
    try {
      if (method === "merge")
        git("merge", "--quiet", "--no-ff", "-m", `Merge pull request #${pull.number}`, pull.headSha)
      if (method === "squash") {
        git("merge", "--quiet", "--squash", pull.headSha)
        git("commit", "--quiet", "-m", `${pull.title} (#${pull.number})`)
      }
      if (method === "rebase") git("cherry-pick", `${base}..${pull.headSha}`)
      const commit = git("rev-parse", "HEAD")
      repository.bare.git("update-ref", `refs/heads/${pull.base}`, commit)
      Object.assign(pull, { state: "closed", merged: true, mergeCommit: commit })
      return commit
    } finally {
      repository.bare.git("worktree", "remove", "--force", tree)
    }
  }
}

const tried = (work: () => string): string | null => {
  try {
    return work()
  } catch {
    return null
  }
}

export const headOf = ({ bare }: HostedRepository, branch: string): string | null => bare.head(branch)

const answers = new Map<string, boolean>()

/** Whether git succeeds, asked once: the answer about two commits stays the same. */
const holds = ({ bare }: HostedRepository, ...args: ReadonlyArray<string>): boolean => {
  const question = [bare.path, ...args].join(" ")
  const known = answers.get(question) ?? tried(() => bare.git(...args)) !== null
  answers.set(question, known)
  return known
}

const contains = (repository: HostedRepository, base: string, head: string) =>
  holds(repository, "merge-base", "--is-ancestor", head, base)

/** Whether the base takes the change without a conflict. */
export const mergeable = (repository: HostedRepository, base: string, head: string): boolean =>
  holds(repository, "merge-tree", "--write-tree", base, head)

export const nodeId = (kind: string, id: number): string =>
  `${kind}_${createHash("sha1").update(`${kind}${id}`).digest("hex").slice(0, 12)}_${id}`
