import { setTimeout as sleep } from "node:timers/promises"
import createClient from "openapi-fetch"
import type { components, paths } from "./api.js"

type Job = components["schemas"]["JobResponse"]
type ErrorBody = { readonly error: components["schemas"]["Error"] }

const { ASSAY_URL = "http://127.0.0.1:4000", ASSAY_API_KEY } = process.env
const [owner, repository, cloneUrl] = process.argv.slice(2)
if (ASSAY_API_KEY === undefined || owner === undefined || repository === undefined) {
  console.error("Usage: ASSAY_API_KEY=asy_… npm start -- <owner> <repository> [<git URL or path>]")
  process.exit(2)
}

const api = createClient<paths>({ baseUrl: ASSAY_URL, headers: { authorization: `Bearer ${ASSAY_API_KEY}` } })

interface Answer<A> {
  readonly data?: A
  readonly error?: ErrorBody
  readonly response: Response
}

/** The response's data; an error ends the program, except that a throttled call is repeated after `Retry-After`. */
const expectData = async <A>(call: () => Promise<Answer<A>>): Promise<A> => {
  for (;;) {
    const { data, error, response } = await call()
    if (data !== undefined) return data
    const wait = Number(response.headers.get("retry-after"))
    if (response.status === 429 && error?.error.code === "rate_limit_qps" && wait > 0) {
      await sleep(wait * 1000)
      continue
    }
    const { code = response.statusText, message = "", request_id = "none" } = error?.error ?? {}
    throw new Error(`${response.status} ${code}: ${message} (request ${request_id})`)
  }
}

/** The registered branch; registers the repository unless it is registered already. */
const register = async (): Promise<string> => {
  let cursor: string | null = null
  do {
    const query: { limit: number; cursor?: string } = { limit: 200, ...(cursor === null ? {} : { cursor }) }
    const page = await expectData(() => api.GET("/api/repos", { params: { query } }))
    const found = page.data.find((one) => one.github_org === owner && one.github_repo === repository)
    if (found !== undefined) return found.github_base_branch
    cursor = page.next_cursor
  } while (cursor !== null)
  const body = {
    github_org: owner,
    github_repo: repository,
    ...(cloneUrl === undefined ? {} : { clone_url: cloneUrl })
  }
  return (await expectData(() => api.POST("/api/repos", { body }))).github_base_branch
}

const finished = async (job: Job): Promise<Job> => {
  let current = job
  while (current.status === "pending" || current.status === "running") {
    await sleep(1000)
    current = await expectData(() => api.GET("/api/jobs/{job_id}", { params: { path: { job_id: job.id } } }))
    const { progress } = current
    console.error(
      `${current.status}${progress === null ? "" : ` ${progress.stage} ${progress.done}/${progress.total}`}`
    )
  }
  return current
}

const main = async () => {
  const branch = await register()
  const path = { github_org: owner, github_repo: repository, github_base_branch: branch }
  const job = await expectData(() =>
    api.POST("/api/repos/{github_org}/{github_repo}/{github_base_branch}/jobs", {
      params: { path },
      body: { workflow: "audit" }
    })
  )
  const { status, error, cost_usd } = await finished(job)
  if (status !== "completed") throw new Error(`The audit is ${status}: ${error ?? "no reason given"}`)

  const { data: findings } = await expectData(() =>
    api.GET("/api/observations", {
      params: {
        query: {
          repo: `${owner}/${repository}@${branch}`,
          kind: "finding",
          status: "new",
          order: "display_rank",
          include: "locations",
          limit: 10
        }
      }
    })
  )
  console.log(`Audited ${owner}/${repository}@${branch} for $${cost_usd.toFixed(6)}. The most severe findings:`)
  for (const { ref, priority, title, locations = [] } of findings) {
    const [first] = locations
    const where = first === undefined ? "" : `  ${first.file_path}:${first.line_start}`
    console.log(`${priority}  ${ref}  ${title}${where}`)
  }
  if (findings.length === 0) console.log("None.")
}

main().catch((problem: unknown) => {
  console.error(problem instanceof Error ? problem.message : problem)
  process.exitCode = 1
})
