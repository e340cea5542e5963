import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { assert, layer, vi } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { assay } from "../support/assayCommand.ts"
import { Database, TestDatabase } from "../support/Database.ts"
import { inForm } from "../support/forms.ts"
import { aFolder, aRepository, type Files, type Repository } from "../support/gitRepository.ts"
import { aServer as aWebServer, servesGit } from "../support/gitServer.ts"
import { madeUp } from "../support/madeUp.ts"
import { aServer, aTemporaryFolder, call, createKeys, type RunningServer, readEvents } from "../support/server.ts"

const root = aFolder()

class Installation extends Context.Tag("Installation")<
  Installation,
  {
    readonly server: RunningServer
    readonly key: string
    /** For what is rejected: registrations are few a minute. */
    readonly stranger: string
  }
>() {
  static readonly layer = Layer.scoped(
    Installation,
    Effect.gen(function* () {
      const dataDir = yield* aTemporaryFolder
      const { url } = yield* TestDatabase
      const env = {
        DATABASE_URL: Redacted.value(url),
        ASSAY_LOCAL_REPO_ROOTS: root,
        ASSAY_ALLOW_PRIVATE_NETWORK: "true"
      }
      const server = yield* aServer({ dataDir, env })
      const scopes = ["view_jobs", "view_observations", "submit_audit_jobs", "register_repo"]
      const [key = "", stranger = ""] = yield* createKeys(server, scopes, 2)
      return { server, key, stranger }
    })
  ).pipe(Layer.provide(Database))
}

interface Rejection {
  readonly error: { readonly type: string; readonly code: string; readonly message: string }
}

interface Job {
  readonly id: string
  readonly status: string
  readonly failure_kind: string | null
  readonly result: {
    readonly inventory: { readonly files: number }
    readonly skipped: Readonly<Record<string, number>>
    readonly tool_failures: ReadonlyArray<unknown>
    readonly usage: { readonly peak_rss_bytes: number }
  } | null
}

interface Row {
  readonly rule_id: string
  readonly title: string
  readonly locations: ReadonlyArray<{ readonly file_path: string; readonly line_start: number }>
}

const register = (github_repo: string, clone_url: string, as: "key" | "stranger" = "stranger") =>
  Effect.flatMap(Installation, ({ server, ...keys }) =>
    call<Rejection>(server, keys[as], "POST", "/api/repos", { github_org: "test", github_repo, clone_url })
  )

/** Registers and audits; the job as it ended, its observations, and all that was answered as one text. */
const audited = (name: string, clone_url: string) =>
  Effect.gen(function* () {
    const { server, key } = yield* Installation
    assert.strictEqual((yield* register(name, clone_url, "key")).status, 201)
    const submitted = yield* call<Job>(server, key, "POST", `/api/repos/test/${name}/main/jobs`, { workflow: "audit" })
    assert.strictEqual(submitted.status, 201)
    const events = yield* readEvents(server, key, submitted.body.id)
    const job = yield* call<Job>(server, key, "GET", `/api/jobs/${submitted.body.id}`)
    const list = yield* call<{ readonly data: ReadonlyArray<Row> }>(
      server,
      key,
      "GET",
      `/api/observations?repo=${name}@main&limit=200&include=locations`
    )
    assert.deepStrictEqual([job.status, list.status], [200, 200])
    return { job: job.body, rows: list.body.data, text: JSON.stringify([events, job.body, list.body]) }
  })

const inRoot = (name: string, files: Files): Repository => aRepository(files, { path: join(root, name) })

const key = `AKIA${madeUp("base32", 16, 21)}`
const leak = `export const accessKeyId = "${key}"\n`

const isUp = Effect.gen(function* () {
  const { server } = yield* Installation
  const answer = yield* Effect.promise(() => fetch(`${server.admin}/readyz`))
  assert.strictEqual(answer.status, 200)
})

const megabytes = inForm({ short: 40, long: 200 })

/** One line of this many bytes, without holding it in memory. */
const hugeLine = async (repository: Repository, path: string, bytes: number) => {
  const child = spawn("git", ["fast-import", "--quiet", "--force"], {
    cwd: repository.path,
    stdio: ["pipe", "ignore", "ignore"]
  })
  const ended = once(child, "close")
  const part = Buffer.alloc(1_000_000, "value ")
  const stream = function* () {
    yield `commit refs/heads/main\ncommitter Test <test@example.org> 1700000000 +0000\ndata 4\nhuge\n`
    yield `M 100644 inline ${path}\ndata ${bytes}\n`
    for (let left = bytes; left > 0; left -= part.length) yield part.subarray(0, Math.min(left, part.length))
    yield `\nM 100644 inline small.js\ndata ${leak.length}\n${leak}\n`
  }
  await pipeline(Readable.from(stream()), child.stdin)
  await ended
}

/** Looks like the leak of the others, and lies outside of the repository. */
const outsideName = "outsideAccessKeyId"

const linked = (outside: Repository): Files => ({
  "links/passwd.js": { symlink: "/etc/passwd" },
  "links/outside.js": { symlink: join(outside.path, "outside.js") },
  "links/folder": { symlink: outside.path },
  ".gitmodules": `[submodule "sub"]\n\tpath = links/sub\n\turl = file://${outside.path}\n`,
  "links/sub": { submodule: outside.git("rev-parse", "HEAD") }
})

const noise = Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256)
const binary: Files = { "binary/a.bin": noise, "binary/b.js": noise, "binary/c/d.png": noise }

const oddNames = [
  "names/\\xff\\xfe.js",
  "names/\\xff.js",
  'names/it\'s "quoted".js',
  "names/two\nlines.js",
  "names/\u202etxt.js"
]

/** Code that is nested too deep, and files that explode when they are read. */
const exploding = (): Files => {
  const parens = `${"(".repeat(10_000)}1${")".repeat(10_000)}`
  const aliases = ["a: &a [x, x, x, x, x, x, x, x, x]"]
  for (let i = 1; i < 12; i++) {
    const [before, now] = [String.fromCharCode(96 + i), String.fromCharCode(97 + i)]
    aliases.push(`${now}: &${now} [${Array(9).fill(`*${before}`).join(", ")}]`)
  }
  return {
    "parens.js": `const x = ${parens}\n`,
    "braces.js": `${"if (a) {".repeat(5000)}${"}".repeat(5000)}\n`,
    "functions.ts": `${"function f() {".repeat(5000)}${"}".repeat(5000)}\n`,
    "parens.py": `x = ${parens}\n`,
    "blocks.py": Array.from({ length: 2000 }, (_, i) => `${" ".repeat(i)}if a:`).join("\n"),
    "parens.go": `package p\nvar x = ${parens}\n`,
    "Braces.java": `class A { void f() { ${"{".repeat(5000)}${"}".repeat(5000)} } }\n`,
    "arrays.json": `${"[".repeat(10_000)}${"]".repeat(10_000)}\n`,
    "package.json": `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}\n`,
    "deep.yaml": `a: ${"[".repeat(10_000)}${"]".repeat(10_000)}\n`,
    ".github/workflows/bomb.yml": `${aliases.join("\n")}\non: push\njobs: *l\n`,
    ".github/workflows/broken.yml": "on: [push\njobs:\n\t- : : {{{\n",
    "compose.yaml": `services: &s\n  a: *s\n  <<: *s\n`,
    "tsconfig.json": `{"extends": ["./tsconfig.json"], ${'"a":{'.repeat(3000)}${"}".repeat(3000)}}\n`,
    Dockerfile: `FROM ${"$".repeat(5000)}{${"{".repeat(5000)}\nRUN ${"\\\n".repeat(5000)}\n`,
    "leak.js": leak
  }
}

const programSettings = [
  "core.fsmonitor",
  "core.sshCommand",
  "core.pager",
  "core.editor",
  "core.askPass",
  "core.alternateRefsCommand",
  "credential.helper",
  "diff.external",
  "diff.armed.command",
  "diff.armed.textconv",
  "filter.armed.clean",
  "filter.armed.smudge",
  "filter.armed.process",
  "gpg.program",
  "uploadpack.packObjectsHook"
]

/** Every program that git would run for this repository writes the marker. */
const arm = (repository: Repository, marker: string) => {
  const program = join(aFolder(), "program.sh")
  const text = `#!/bin/sh\ntouch ${marker}\n`
  writeFileSync(program, `${text}cat\n`)
  chmodSync(program, 0o755)
  for (const name of programSettings) repository.git("config", name, program)
  const hooks = join(repository.gitDir, "hooks")
  mkdirSync(hooks, { recursive: true })
  for (const hook of ["post-checkout", "pre-receive", "update", "reference-transaction", "post-index-change"]) {
    writeFileSync(join(hooks, hook), text)
    chmodSync(join(hooks, hook), 0o755)
  }
  // What is changed but not committed is what git would pass through a filter.
  writeFileSync(join(repository.path, "armed/ok.js"), `${leak}// more\n`)
}

const pathsOf = (rows: ReadonlyArray<Row>) => rows.map(({ locations }) => locations[0]?.file_path ?? "")

const sprung = Effect.gen(function* () {
  const outside = aRepository({ "outside.js": leak.replace("accessKeyId", outsideName) })
  const repository = inRoot("trap", {
    ...exploding(),
    ...binary,
    ...linked(outside),
    ...Object.fromEntries(oddNames.map((name) => [name, leak])),
    ".gitattributes": "armed/* filter=armed diff=armed merge=armed\n",
    "armed/ok.js": leak
  })
  const marker = join(aFolder(), "ran")
  arm(repository, marker)
  const ended = yield* audited("trap", repository.path)
  assert.strictEqual(ended.job.status, "completed", JSON.stringify(ended.job))
  const { status, stdout, stderr } = yield* assay(["audit", "--json", repository.path])
  assert.strictEqual(status, 0, stderr)
  return { ...ended, shown: stdout, marker }
})

/** One repository with all that may harm who reads it, audited by the server and by the command line. */
class Trap extends Context.Tag("Trap")<Trap, Effect.Effect.Success<typeof sprung>>() {
  static readonly layer = Layer.effect(Trap, sprung).pipe(Layer.provideMerge(Installation.layer))
}

// A busy machine is no reason to fail; an idle one needs a tenth of it.
vi.setConfig({ testTimeout: 120_000 })

layer(Trap.layer, { timeout: "10 minutes" })("A running server", (it) => {
  it.effect("rejects addresses at which there is no repository, in the envelope", () =>
    Effect.gen(function* () {
      const folder = aFolder()
      const port = yield* aWebServer(servesGit(folder))
      const rejected = [
        [`http://127.0.0.1:${port}/nobody/nothing.git`, [400]],
        // Nothing listens there: whether the repository exists cannot be verified now.
        ["http://127.0.0.1:9/nobody/nothing.git", [400, 503]],
        [`http://${madeUp("alnum", 40)}@127.0.0.1:${port}/private.git`, [400]],
        [join(root, "nowhere"), [400]],
        ["/etc", [400]],
        ["file:///etc", [400]],
        ["ext::sh -c touch% /tmp/x", [400]],
        ["--upload-pack=touch /tmp/x", [400]],
        ["http://127.0.0.1:1\u0000/", [400, 422]]
      ] as const
      for (const [url, statuses] of rejected) {
        const { status, body } = yield* register("nothing", url)
        assert.include(statuses, status, url)
        assert.isAbove(body.error.message.length, 10, url)
        assert.notStrictEqual(body.error.code, "internal_error", url)
      }
      const { status, stderr } = yield* assay(["audit", `http://127.0.0.1:${port}/nobody/nothing.git`], {
        env: { ASSAY_ALLOW_PRIVATE_NETWORK: "true" }
      })
      assert.strictEqual(status, 2)
      assert.include(stderr, "There is no git repository at")
    }).pipe(Effect.scoped)
  )

  it.effect("rejects a repository that has no commits yet, and says so", () =>
    Effect.gen(function* () {
      const { status, body } = yield* register("unborn", inRoot("unborn", {}).path)
      assert.strictEqual(status, 400)
      assert.match(body.error.message, /no commits|no branch/i)
    })
  )

  it.effect("leaves binary files out", () =>
    Effect.gen(function* () {
      const { job, rows } = yield* Trap
      assert.strictEqual(job.result?.skipped.binary, 3)
      assert.isFalse(pathsOf(rows).some((path) => path.startsWith("binary/")))
    })
  )

  it.effect(`audits around a line of ${megabytes} MB in less than 600 MB of memory`, () =>
    Effect.gen(function* () {
      const repository = inRoot("huge", {})
      yield* Effect.promise(() => hugeLine(repository, "huge.js", megabytes * 1_000_000))
      const { job, rows } = yield* audited("huge", repository.path)
      assert.strictEqual(job.status, "completed")
      assert.deepStrictEqual(job.result?.skipped, { too_large: 1 })
      assert.isBelow(job.result?.usage.peak_rss_bytes ?? Number.POSITIVE_INFINITY, 600_000_000)
      assert.deepStrictEqual(
        rows.map(({ locations }) => locations[0]?.file_path),
        ["small.js"]
      )
    })
  )

  it.effect("follows no link out of a repository, and fetches no submodule", () =>
    Effect.gen(function* () {
      const { rows, text, shown } = yield* Trap
      assert.isFalse(pathsOf(rows).some((path) => path.startsWith("links/")))
      for (const answer of [text, shown]) {
        assert.notInclude(answer, "root:x:0")
        assert.notInclude(answer, outsideName)
      }
    })
  )

  it.effect("keeps apart files whose names are not UTF-8 or hold quotes and line breaks", () =>
    Effect.gen(function* () {
      const { rows } = yield* Trap
      assert.sameMembers(
        pathsOf(rows).filter((path) => path.startsWith("names/")),
        oddNames
      )
    })
  )

  it.effect("runs nothing that a repository's configuration, attributes or hooks name", () =>
    Effect.gen(function* () {
      const { rows, shown, marker } = yield* Trap
      assert.lengthOf(
        pathsOf(rows).filter((path) => path === "armed/ok.js"),
        1
      )
      assert.include(shown, "armed/ok.js")
      assert.isFalse(existsSync(marker))
    })
  )

  it.effect("survives code that is nested too deep and files that explode when read", () =>
    Effect.gen(function* () {
      const { job, rows } = yield* Trap
      assert.include(pathsOf(rows), "leak.js")
      assert.deepStrictEqual(job.result?.tool_failures, [])
    })
  )

  it.effect("is up after all that, has lost no job, and logged no defect", () =>
    Effect.gen(function* () {
      yield* isUp
      const { server, key } = yield* Installation
      const { body } = yield* call<{ readonly data: ReadonlyArray<Job> }>(server, key, "GET", "/api/jobs?limit=100")
      assert.isAtLeast(body.data.length, 2)
      for (const job of body.data) assert.include(["completed", "failed"], job.status)
      for (const job of body.data) if (job.status === "failed") assert.isNotNull(job.failure_kind)
      const errors = server
        .log()
        .split("\n")
        .filter((line) => /"logLevel":"(?:ERROR|FATAL)"/.test(line))
      assert.deepStrictEqual(errors, [])
    })
  )
})
