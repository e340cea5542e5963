import { type Answer, type Call, type Handler, notFound, onPull, onRepository, page, rejection, text } from "./calls.ts"
import type { Json } from "./description.ts"
import { answerGraphql } from "./graphql.ts"
import {
  type CheckRun,
  type GitHubState,
  type HostedRepository,
  headOf,
  type Identity,
  type Installation,
  mergeable,
  nodeId,
  type Pull,
  type ReviewComment
} from "./state.ts"
import { graphqlRoot } from "./threads.ts"

const installationOf = (installation: Installation, { described, base }: Call): unknown =>
  described.response(200, {
    id: installation.id,
    account: { login: installation.account, id: installation.id },
    permissions: installation.permissions,
    html_url: `${base}/settings/installations/${installation.id}`,
    suspended_at: installation.suspended ? "2026-11-22T12:00:00Z" : null
  })

const repositoryValues = (repository: HostedRepository, base: string): Json => ({
  id: repository.id,
  name: repository.name,
  full_name: `${repository.owner}/${repository.name}`,
  owner: { login: repository.owner },
  private: repository.isPrivate,
  visibility: repository.isPrivate ? "private" : "public",
  default_branch: "main",
  html_url: `${base}/${repository.owner}/${repository.name}`,
  clone_url: `${base}/${repository.owner}/${repository.name}.git`
})

const pullValues = (pull: Pull, repository: HostedRepository, base: string): Json => ({
  id: pull.number,
  node_id: nodeId("PR", pull.number),
  number: pull.number,
  title: pull.title,
  body: pull.body,
  state: pull.state,
  user: { login: pull.by },
  html_url: `${base}/${repository.owner}/${repository.name}/pull/${pull.number}`,
  merged_at: pull.merged ? "2026-11-22T12:00:00Z" : null,
  merge_commit_sha: pull.mergeCommit,
  head: { ref: pull.head, sha: pull.headSha, label: `${repository.owner}:${pull.head}` },
  base: { ref: pull.base, sha: headOf(repository, pull.base) ?? "", label: `${repository.owner}:${pull.base}` }
})

const pullOf = (pull: Pull, repository: HostedRepository, call: Call, status: number): Answer => ({
  status,
  body: call.described.response(status, {
    ...pullValues(pull, repository, call.base),
    merged: pull.merged,
    mergeable: pull.state === "open" ? mergeable(repository, headOf(repository, pull.base) ?? "", pull.headSha) : null
  })
})

const listPulls = onRepository("pull_requests", "read", (repository, call) => {
  const state = call.query.get("state") ?? "open"
  const head = call.query.get("head")
  const found = repository.pulls.filter(
    (pull) =>
      (state === "all" || pull.state === state) &&
      (head === null || head === `${repository.owner}:${pull.head}`) &&
      (call.query.get("base") ?? pull.base) === pull.base
  )
  return {
    status: 200,
    body: page(found.reverse(), call).map((pull) =>
      call.described.element(200, pullValues(pull, repository, call.base))
    )
  }
})

const openPull = onRepository("pull_requests", "write", (repository, call, state) => {
  const { title, body, head, base } = call.body
  const from = headOf(repository, text(head))
  const to = headOf(repository, text(base))
  const invalid = (field: string) =>
    rejection(422, "Validation Failed", [{ resource: "PullRequest", field, code: "invalid" }])
  if (from === null) return invalid("head")
  if (to === null) return invalid("base")
  const custom = (message: string) =>
    rejection(422, "Validation Failed", [{ resource: "PullRequest", code: "custom", message }])
  if (repository.pulls.some((one) => one.state === "open" && one.head === head && one.base === base)) {
    return custom(`A pull request already exists for ${repository.owner}:${text(head)}.`)
  }
  if (from === to) return custom(`No commits between ${text(base)} and ${text(head)}`)
  const by = `${call.slug}[bot]`
  const pull = state.open(repository, { title: text(title), body: text(body), head: text(head), base: text(base), by })
  return pullOf(pull, repository, call, 201)
})

const updatePull = onPull("write", (pull, repository, call) => {
  const { title, body, state } = call.body
  if (typeof title === "string") pull.title = title
  if (typeof body === "string") pull.body = body
  if (state === "closed" || state === "open") pull.state = state
  return pullOf(pull, repository, call, 200)
})

const mergePull = onPull("write", (pull, repository, call, state) => {
  if (pull.state !== "open") return rejection(405, "Pull Request is not mergeable")
  const method = call.body.merge_method
  const sha = state.merge(repository, pull, method === "squash" || method === "rebase" ? method : "merge")
  return { status: 200, body: call.described.response(200, { sha, merged: true, message: "merged" }) }
})

const by = (call: Call) => ({ user: { login: `${call.slug}[bot]`, type: "Bot" } })

const listComments = onPull(
  "read",
  (pull, _, call) => ({
    status: 200,
    body: page(pull.comments, call).map(({ id, body, by: login }) =>
      call.described.element(200, { id, body, user: { login, type: "Bot" }, html_url: `${call.base}/comments/${id}` })
    )
  }),
  "issues"
)

const addComment = onPull(
  "write",
  (pull, _, call, state) => {
    const comment = { id: state.next(), body: text(call.body.body), by: `${call.slug}[bot]` }
    pull.comments.push(comment)
    return {
      status: 201,
      body: call.described.response(201, {
        ...by(call),
        id: comment.id,
        body: comment.body,
        html_url: `${call.base}/comments/${comment.id}`
      })
    }
  },
  "issues"
)

const editComment = onRepository("issues", "write", (repository, call) => {
  const id = Number(call.described.parameters.comment_id)
  const comment = repository.pulls.flatMap(({ comments }) => comments).find((one) => one.id === id)
  if (comment === undefined) return notFound
  comment.body = text(call.body.body)
  return {
    status: 200,
    body: call.described.response(200, { ...by(call), id, body: comment.body, html_url: `${call.base}/comments/${id}` })
  }
})

const changedPaths = (pull: Pull, repository: HostedRepository) =>
  repository.bare.git("diff", "--name-only", `${pull.base}...${pull.headSha}`).split("\n")

const addReview = onPull("write", (pull, repository, call, state) => {
  const given: ReadonlyArray<Json> = Array.isArray(call.body.comments) ? call.body.comments : []
  const paths = changedPaths(pull, repository)
  if (given.some(({ path }) => !paths.includes(text(path)))) {
    return rejection(422, "Unprocessable Entity: Path could not be resolved")
  }
  const review = { id: state.next(), event: text(call.body.event), body: text(call.body.body) }
  pull.reviews.push(review)
  for (const one of given) {
    pull.reviewComments.push({
      id: state.next(),
      by: `${call.slug}[bot]`,
      body: text(one.body),
      review: review.id,
      path: text(one.path),
      line: typeof one.line === "number" ? one.line : null,
      start_line: typeof one.start_line === "number" ? one.start_line : null,
      commit: text(call.body.commit_id),
      minimized: false,
      resolved: false
    })
  }
  return { status: 200, body: call.described.response(200, { ...by(call), id: review.id, body: review.body }) }
})

const reviewCommentValues = (comment: ReviewComment, call: Call): Json => ({
  id: comment.id,
  node_id: nodeId("PRRC", comment.id),
  body: comment.body,
  path: comment.path,
  line: comment.line ?? 1,
  commit_id: comment.commit,
  pull_request_review_id: comment.review,
  html_url: `${call.base}/review-comments/${comment.id}`,
  user: { login: comment.by, type: "Bot" }
})

const listReviewComments = onPull("read", (pull, _, call) => ({
  status: 200,
  body: page(pull.reviewComments, call).map((one) => call.described.element(200, reviewCommentValues(one, call)))
}))

const editReviewComment = onRepository("pull_requests", "write", (repository, call) => {
  const id = Number(call.described.parameters.comment_id)
  const comment = repository.pulls.flatMap(({ reviewComments }) => reviewComments).find((one) => one.id === id)
  if (comment === undefined) return notFound
  comment.body = text(call.body.body)
  return { status: 200, body: call.described.response(200, reviewCommentValues(comment, call)) }
})

const checkValues = (run: CheckRun, call: Call): Json => ({
  id: run.id,
  name: run.name,
  head_sha: run.head_sha,
  status: run.status,
  conclusion: run.conclusion,
  external_id: run.external_id,
  html_url: `${call.base}/checks/${run.id}`,
  output: { title: run.title, summary: run.summary, annotations_count: run.annotations.length }
})

const setCheck = (run: CheckRun, { body }: Call): Answer | null => {
  const output: Json = typeof body.output === "object" && body.output !== null ? { ...body.output } : {}
  const annotations = Array.isArray(output.annotations) ? output.annotations : []
  if (annotations.length > 50) return rejection(422, "Invalid request.\n\nNo more than 50 items are allowed")
  run.annotations.push(...annotations)
  Object.assign(run, {
    status: text(body.status) || (body.conclusion === undefined ? run.status : "completed"),
    conclusion: typeof body.conclusion === "string" ? body.conclusion : run.conclusion,
    title: text(output.title) || run.title,
    summary: text(output.summary) || run.summary
  })
  return null
}

const addCheck = onRepository("checks", "write", (repository, call, state) => {
  const run: CheckRun = {
    id: state.next(),
    name: text(call.body.name),
    head_sha: text(call.body.head_sha),
    status: "queued",
    conclusion: null,
    title: "",
    summary: "",
    annotations: [],
    external_id: text(call.body.external_id)
  }
  const rejected = setCheck(run, call)
  if (rejected !== null) return rejected
  repository.checkRuns.push(run)
  return { status: 201, body: call.described.response(201, checkValues(run, call)) }
})

const editCheck = onRepository("checks", "write", (repository, call) => {
  const run = repository.checkRuns.find(({ id }) => id === Number(call.described.parameters.check_run_id))
  if (run === undefined) return notFound
  return setCheck(run, call) ?? { status: 200, body: call.described.response(200, checkValues(run, call)) }
})

const listChecks = onRepository("checks", "read", (repository, call) => {
  const name = call.query.get("check_name")
  const found = repository.checkRuns.filter(
    (run) => run.head_sha === call.described.parameters.ref && (name === null || run.name === name)
  )
  const runs = page([...found].reverse(), call).map((run) =>
    call.described.inner(200, "check_runs", checkValues(run, call))
  )
  return { status: 200, body: call.described.response(200, { total_count: found.length, check_runs: runs }) }
})

const getBranch = onRepository("contents", "read", (repository, call) => {
  const branch = (call.described.parameters.ref ?? "").replace(/^heads\//, "")
  const sha = headOf(repository, branch)
  if (sha === null) return notFound
  return {
    status: 200,
    body: call.described.response(200, { ref: `refs/heads/${branch}`, object: { sha, type: "commit" } })
  }
})

const deleteBranch = onRepository("contents", "write", (repository, call, state) => {
  const branch = (call.described.parameters.ref ?? "").replace(/^heads\//, "")
  if (headOf(repository, branch) === null) return rejection(422, "Reference does not exist")
  repository.bare.git("update-ref", "-d", `refs/heads/${branch}`)
  state.follow(repository)
  return { status: 204 }
})

const createToken: Handler = (call, state) => {
  const installation = state.installations.find(({ id }) => id === Number(call.described.parameters.installation_id))
  if (installation === undefined || installation.removed) return notFound
  if (installation.suspended) return rejection(403, "This installation has been suspended")
  const { permissions, repositories } = call.body
  const asked = Object.entries(
    typeof permissions === "object" && permissions !== null ? permissions : installation.permissions
  )
  const granted: Readonly<Record<string, unknown>> = installation.permissions
  if (asked.some(([name, level]) => granted[name] !== level && granted[name] !== "write")) {
    return rejection(422, "The permissions requested are not granted to this installation.")
  }
  const names = Array.isArray(repositories) ? repositories.map(text) : null
  if (names?.some((name) => state.find(installation.account, name)?.installation !== installation) === true) {
    return rejection(
      422,
      "There is at least one repository that does not exist or is not accessible to the parent installation."
    )
  }
  const { text: token, expiresAt } = state.issue(
    { installation, permissions: Object.fromEntries(asked), repositories: names },
    state.tokenSeconds
  )
  return {
    status: 201,
    body: call.described.response(201, {
      token,
      expires_at: new Date(expiresAt).toISOString(),
      permissions: Object.fromEntries(asked)
    })
  }
}

const repositoryInstallation: Handler = (call, state) => {
  const { owner = "", repo = "" } = call.described.parameters
  const installation = state.find(owner, repo)?.installation
  return installation === undefined || installation === null || installation.removed
    ? notFound
    : { status: 200, body: installationOf(installation, call) }
}

const getApp: Handler = (call) => ({
  status: 200,
  body: call.described.response(200, { slug: call.slug, name: call.slug, html_url: `${call.base}/apps/${call.slug}` })
})

/** Operations that the app itself calls, by its signature. */
export const ofTheApp: ReadonlyArray<string> = [
  "GET /app",
  "GET /repos/{owner}/{repo}/installation",
  "POST /app/installations/{installation_id}/access_tokens"
]

export const routes: Readonly<Record<string, Handler>> = {
  "GET /app": getApp,
  "GET /repos/{owner}/{repo}/installation": repositoryInstallation,
  "POST /app/installations/{installation_id}/access_tokens": createToken,
  "GET /repos/{owner}/{repo}": onRepository("metadata", "read", (repository, call) => ({
    status: 200,
    body: call.described.response(200, repositoryValues(repository, call.base))
  })),
  "GET /repos/{owner}/{repo}/pulls": listPulls,
  "POST /repos/{owner}/{repo}/pulls": openPull,
  "GET /repos/{owner}/{repo}/pulls/{pull_number}": onPull("read", (pull, repository, call) =>
    pullOf(pull, repository, call, 200)
  ),
  "PATCH /repos/{owner}/{repo}/pulls/{pull_number}": updatePull,
  "PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge": mergePull,
  "GET /repos/{owner}/{repo}/issues/{issue_number}/comments": listComments,
  "POST /repos/{owner}/{repo}/issues/{issue_number}/comments": addComment,
  "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}": editComment,
  "POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews": addReview,
  "GET /repos/{owner}/{repo}/pulls/{pull_number}/comments": listReviewComments,
  "PATCH /repos/{owner}/{repo}/pulls/comments/{comment_id}": editReviewComment,
  "POST /repos/{owner}/{repo}/check-runs": addCheck,
  "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}": editCheck,
  "GET /repos/{owner}/{repo}/commits/{ref}/check-runs": listChecks,
  "GET /repos/{owner}/{repo}/git/ref/{ref}": getBranch,
  "DELETE /repos/{owner}/{repo}/git/refs/{ref}": deleteBranch
}

/** A GraphQL query by an installation. */
export const graphql = (body: Json, identity: Identity, state: GitHubState) => {
  const variables = typeof body.variables === "object" && body.variables !== null ? { ...body.variables } : {}
  return answerGraphql(text(body.query), variables, graphqlRoot(state, identity))
}
