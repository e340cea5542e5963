import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { SqlClient } from "@effect/sql"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { assay } from "../support/assayCommand.ts"
import { asOwner, Database, TestDatabase } from "../support/Database.ts"
import { aRepository } from "../support/gitRepository.ts"
import { madeUp } from "../support/madeUp.ts"
import { planted } from "../support/plantedCredentials.ts"
import { aServer, aTemporaryFolder, call, type RunningServer, readEvents, signIn } from "../support/server.ts"

const accessKeyId = `AKIA${madeUp("base32", 16, 7)}`
const secretAccessKey = madeUp("base64", 40, 8)
const token = `ghp_${madeUp("alnum", 36, 9)}`
const inName = `ghp_${madeUp("alnum", 36, 10)}`
const values: Readonly<Record<string, string>> = {
  accessKeyId,
  secretAccessKey,
  token,
  inName,
  ...Object.fromEntries(planted.map(({ shape, value }) => [shape, value]))
}

const nested = Array.from({ length: 6 }, (_, i) => `if (a${i} && b${i}) { for (const c${i} of d) {`).join(" ")

/** Lines that other tools report, with a text in them; no rule reports more than twenty of them. */
const flagged = [
  (text: string) => `export const run = (req, res) => exec(${JSON.stringify(text)} + req.query.q)`,
  (text: string) => `export const run = (req, res) => eval(${JSON.stringify(text)} + req.query.q)`,
  (text: string) =>
    `export const run = (req, db) => db.query("SELECT * FROM t WHERE a = '" + req.query.q + "'") // ${text}`,
  (text: string) => `export const run = (req, res) => res.redirect(req.query.q) // ${text}`
]
const flaggedPath = (i: number) => `shapes/${i}/run.js`
const shapes = Object.fromEntries(
  planted.flatMap(({ path, text }, i) => [
    [`shapes/${i}/${path}`, `${text}\n`],
    [
      flaggedPath(i),
      `import { exec } from "node:child_process"\n${flagged[i % flagged.length]!(text.replaceAll("\n", " "))}\n`
    ]
  ])
)

// Every line that holds a secret is also one that another tool has something to say about.
const files = {
  ...shapes,
  "src/aws.js": `import { exec } from "node:child_process"
import mysql from "mysql"
const accessKeyId = "${accessKeyId}"
const secretAccessKey = "${secretAccessKey}"
export const list = (req, res) => exec("AWS_SECRET_ACCESS_KEY=${secretAccessKey} AWS_ACCESS_KEY_ID=${accessKeyId} aws s3 ls " + req.query.bucket)
export const find = (req, db) => db.query("SELECT * FROM users WHERE token = '${token}' AND name = '" + req.query.name + "'")
export const check = (key) => {
  if (key === "${token}" || key === "${token}") return true
  try { use(key, "${token}") } catch (error) {}
  return key === key
}
export const table = {
  "${token}": function (a0, b0, a1, b1, a2, b2, d) { let x = 0; ${nested} x++ ${"} }".repeat(6)}; return x }
}
`,
  "src/keys.py": `import hashlib, os
AWS_ACCESS_KEY_ID = "${accessKeyId}"
AWS_SECRET_ACCESS_KEY = "${secretAccessKey}"
def digest(request):
    os.system("curl -H 'Authorization: token ${token}' " + request.args["url"])
    return hashlib.md5("${token}".encode()).hexdigest()
`,
  ".env": `AWS_ACCESS_KEY_ID=${accessKeyId}\nAWS_SECRET_ACCESS_KEY=${secretAccessKey}\nGITHUB_TOKEN=${token}\n`,
  "config/app.yml": `aws:\n  access_key_id: ${accessKeyId}\n  secret_access_key: ${secretAccessKey}\ngithub_token: "${token}"\n`,
  ".github/workflows/build.yml": `on: pull_request_target
jobs:
  build:
    runs-on: ubuntu-latest
    env:
      GITHUB_PAT: ${token}
    steps:
      - uses: someone/checkout@main
      - run: curl -H "Authorization: Bearer ${token}" https://example.org/\${{ github.event.pull_request.title }}
`,
  Dockerfile: `FROM node\nENV AWS_SECRET_ACCESS_KEY=${secretAccessKey}\nRUN curl -u x:${token} http://example.org/x.sh | sh\n`,
  [`src/${inName}/tangled.js`]: `export function knot(a0, b0, a1, b1, a2, b2, d) { let x = 0; ${nested} x++ ${"} }".repeat(6)}; return x }\n`,
  [`assets/${inName}.png`]: new Uint8Array([137, 80, 78, 71, 0, 0])
}

interface Row {
  readonly ref: string
  readonly tool: string
  readonly title: string
  readonly locations: ReadonlyArray<{ readonly file_path: string }>
}

const whole = (text: string) =>
  Object.entries(values).flatMap(([name, value]) => {
    const at = text.indexOf(value)
    return at === -1 ? [] : [`${name}: …${text.slice(Math.max(0, at - 60), at)}<here>`]
  })

const holdsNone = (where: string, text: string) => {
  assert.isAbove(text.length, 0, where)
  assert.deepStrictEqual(whole(text), [], where)
}

const mcp = (server: RunningServer, key: string, name: string, args: unknown) =>
  Effect.promise(async () => {
    const response = await fetch(`${server.api}/mcp/`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream"
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } })
    })
    return response.text()
  })

interface Page {
  readonly data: ReadonlyArray<Row>
  readonly next_cursor: string | null
}

const observations = (server: RunningServer, key: string) =>
  Effect.gen(function* () {
    const rows: Array<Row> = []
    for (let cursor: string | null = ""; cursor !== null; ) {
      const from: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`
      const path = `/api/observations?limit=200&include=locations${from}`
      const { body }: { readonly body: Page } = yield* call<Page>(server, key, "GET", path)
      rows.push(...body.data)
      cursor = body.next_cursor
    }
    return rows
  })

/** Every value of every table; what is compressed is unpacked. */
const databaseText = asOwner(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const tables = yield* sql<{ readonly name: string }>`
      SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
      WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`
    const rows = yield* Effect.forEach(
      tables,
      ({ name }) => sql<{ readonly text: string }>`SELECT t::text AS text FROM ${sql.literal(name)} t`
    )
    const artifacts = yield* sql<{ readonly content: Uint8Array }>`SELECT content FROM job_artifacts`
    return {
      tables: tables.map(({ name }) => name),
      rows: rows.flat().map(({ text }) => text),
      artifacts: artifacts.map(({ content }) => gunzipSync(content).toString())
    }
  })
)

it.scopedLive(
  "A planted credential is found, and its value appears whole in no answer, event, log or table",
  () =>
    Effect.gen(function* () {
      const folder = yield* aTemporaryFolder
      const repository = aRepository(files)
      repository.git("commit", "--quiet", "--allow-empty", "-m", `Rotate ${accessKeyId} and ${token}`)
      const { url } = yield* TestDatabase
      const env = {
        DATABASE_URL: Redacted.value(url),
        ASSAY_LOCAL_REPO_ROOTS: repository.path,
        ASSAY_LOG_LEVEL: "debug"
      }
      const server = yield* aServer({ dataDir: folder, env })
      const key = yield* signIn(server, ["view_jobs", "view_observations", "submit_audit_jobs", "register_repo"])
      yield* call(server, key, "POST", "/api/repos", {
        github_org: "test",
        github_repo: "leaky",
        clone_url: repository.path
      })
      const { body: job } = yield* call<{ id: string }>(server, key, "POST", "/api/repos/test/leaky/main/jobs", {
        workflow: "audit"
      })
      const streamed = yield* readEvents(server, key, job.id)
      assert.strictEqual(streamed.at(-1)?.detail, "Completed.")
      holdsNone("the event stream", JSON.stringify(streamed))

      const list = yield* observations(server, key)
      const found = list.filter(({ tool }) => tool === "secret_detection")
      const otherTools = list.filter(({ tool }) => tool !== "secret_detection")
      const reported = new Set(otherTools.flatMap(({ locations }) => locations.map(({ file_path }) => file_path)))
      for (const [i, { shape }] of planted.entries()) assert.isTrue(reported.has(flaggedPath(i)), shape)
      const places = new Set(found.flatMap(({ locations }) => locations.map(({ file_path }) => file_path)))
      for (const path of ["src/aws.js", "src/keys.py", ".env", "config/app.yml"]) assert.isTrue(places.has(path), path)
      assert.isTrue(found.some(({ title }) => title.startsWith("GitHub token in the name of a file")))
      assert.isAbove(new Set(list.map(({ tool }) => tool)).size, 3)
      holdsNone("the list of observations", JSON.stringify(list))

      for (const path of ["/api/jobs", `/api/jobs/${job.id}`, `/api/jobs/${job.id}/events`, "/api/repos"]) {
        const { body } = yield* call(server, key, "GET", path)
        holdsNone(path, JSON.stringify(body))
      }
      // The limits of calls per minute hold here, too.
      for (const { ref } of list.filter((_, i) => i % Math.ceil(list.length / 40) === 0)) {
        const { body } = yield* call(server, key, "GET", `/api/observations/${ref}`)
        holdsNone(ref, JSON.stringify(body))
        holdsNone(`${ref} over MCP`, yield* mcp(server, key, "get_observation", { ref }))
      }
      holdsNone("the list over MCP", yield* mcp(server, key, "list_observations", { limit: 50 }))

      const stored = yield* databaseText
      assert.include(stored.tables, "public.observations")
      assert.isAbove(stored.artifacts.length, 0)
      for (const row of [...stored.rows, ...stored.artifacts]) holdsNone("the database", row)
      holdsNone("the log", server.log())

      const cache = join(folder, "data/cache")
      const left = readdirSync(cache, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".scan"))
      // Of the audit, and of the discovery that the registration queued.
      assert.strictEqual(left.length, 2)
      for (const name of left) holdsNone("what a scan left for the next", readFileSync(join(cache, name), "latin1"))
    }).pipe(Effect.provide(Database)),
  600_000
)

it.scopedLive(
  "The command line shows no planted credential whole, in a table, in JSON or in SARIF",
  () =>
    Effect.gen(function* () {
      const repository = aRepository(files)
      const file = join(yield* aTemporaryFolder, "out.sarif")
      for (const flags of [[], ["--json", "--sarif", file]]) {
        const { status, stdout, stderr } = yield* assay(["audit", "--full", ...flags, repository.path])
        assert.strictEqual(status, 0, stderr)
        assert.include(stdout, "secret")
        holdsNone(`assay audit ${flags.join(" ")}`, stdout)
        assert.strictEqual(stderr, "")
      }
      holdsNone("the SARIF file", readFileSync(file, "utf8"))
    }),
  600_000
)
