import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { aRepository } from "../support/gitRepository.ts"
import { madeUp } from "../support/madeUp.ts"
import { aServer, aTemporaryFolder, call, type RunningServer, readEvents } from "../support/server.ts"

interface JobAnswer {
  readonly id: string
  readonly result: { readonly silenced: { readonly counts: Readonly<Record<string, number>> } } | null
}
interface Rows {
  readonly data: ReadonlyArray<{ readonly ref: string; readonly rule_id: string }>
}
interface Records {
  readonly data: ReadonlyArray<{ readonly action: string; readonly object: unknown; readonly after: unknown }>
}

const reason = "The keys in this repository belong to a sandbox that is rebuilt every night."

const files = {
  "src/settings.py": `GITHUB_TOKEN = "ghp_${madeUp("alnum", 36, 21)}"\n`,
  "src/run.py": "import os\n\n\ndef run(request):\n    os.system('ls ' + request.args['folder'])\n"
}

/** An owner in a browser, as the link that the server prints lets in. */
const anOwner = (server: RunningServer) =>
  Effect.promise(async () => {
    const token = /#token=(\w+)/.exec(server.log())?.[1] ?? ""
    const json = { "content-type": "application/json" }
    const session = await fetch(`${server.api}/api/session/link`, {
      method: "POST",
      headers: json,
      body: JSON.stringify({ token, password: "a password for tests" })
    })
    const { csrf_token } = (await session.json()) as { csrf_token: string }
    const cookie = session.headers.getSetCookie()[0]?.split(";")[0] ?? ""
    const scopes = ["view_jobs", "view_observations", "submit_audit_jobs", "register_repo", "manage_tenant_settings"]
    const created = await fetch(`${server.api}/api/keys`, {
      method: "POST",
      headers: { ...json, cookie, "x-assay-csrf": csrf_token },
      body: JSON.stringify({ name: "audits", scopes })
    })
    const { api_key } = (await created.json()) as { api_key: string }
    return { cookie, key: api_key }
  })

const auditLogOf = (server: RunningServer, cookie: string) =>
  Effect.promise(async () => {
    const response = await fetch(`${server.api}/api/audit-log?object=rule_setting`, { headers: { cookie } })
    return ((await response.json()) as Records).data
  })

const audited = (server: RunningServer, key: string) =>
  Effect.gen(function* () {
    const path = "/api/repos/test/sandbox/main/jobs"
    const { body: job } = yield* call<JobAnswer>(server, key, "POST", path, { workflow: "audit" })
    yield* readEvents(server, key, job.id)
    const { body: done } = yield* call<JobAnswer>(server, key, "GET", `/api/jobs/${job.id}`)
    const { body: open } = yield* call<Rows>(server, key, "GET", "/api/observations?status=new")
    return {
      counts: done.result?.silenced.counts ?? null,
      tools: open.data.map(({ rule_id }) => rule_id.split(".")[0])
    }
  })

it.scopedLive(
  "A tool that the workspace mutes is silent in its next audit and counted there, and the audit log has who muted it",
  () =>
    Effect.gen(function* () {
      const repository = aRepository(files)
      const env = { ASSAY_LOCAL_REPO_ROOTS: repository.path }
      const server = yield* aServer({ dataDir: yield* aTemporaryFolder, env })
      const { cookie, key } = yield* anOwner(server)
      yield* call(server, key, "POST", "/api/repos", {
        github_org: "test",
        github_repo: "sandbox",
        clone_url: repository.path
      })
      const before = yield* audited(server, key)
      assert.include(before.tools, "secret_detection")
      assert.include(before.tools, "command_injection")
      assert.deepStrictEqual(before.counts, {})

      const setting = "/api/rules/settings/secret_detection"
      const muted = yield* call(server, key, "PUT", setting, { state: "off", reason })
      assert.strictEqual(muted.status, 200)
      repository.git("commit", "--quiet", "--allow-empty", "-m", "Nothing new")
      const after = yield* audited(server, key)
      assert.notInclude(after.tools, "secret_detection")
      assert.include(after.tools, "command_injection")
      assert.deepStrictEqual(Object.keys(after.counts ?? {}), ["workspace"])

      const [record, ...others] = yield* auditLogOf(server, cookie)
      assert.deepStrictEqual(others, [])
      assert.deepInclude(record, {
        action: "rules.set_setting",
        object: { kind: "rule_setting", ref: "secret_detection" },
        after: { state: "off", reason }
      })
    }),
  600_000
)
