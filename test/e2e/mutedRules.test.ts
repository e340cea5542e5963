import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Database, TestDatabase } from "../support/Database.ts"
import { aRepository } from "../support/gitRepository.ts"
import { madeUp } from "../support/madeUp.ts"
import {
  aServer,
  aTemporaryFolder,
  call,
  keysOf,
  ownerSession,
  type RunningServer,
  readEvents
} from "../support/server.ts"

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

const scopes = ["view_jobs", "view_observations", "submit_audit_jobs", "register_repo", "manage_tenant_settings"]

const auditLogOf = (server: RunningServer, headers: Readonly<Record<string, string>>) =>
  Effect.promise(async () => {
    const response = await fetch(`${server.api}/api/audit-log?object=rule_setting`, { headers })
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
      const { url } = yield* TestDatabase
      const env = { DATABASE_URL: Redacted.value(url), ASSAY_LOCAL_REPO_ROOTS: repository.path }
      const server = yield* aServer({ dataDir: yield* aTemporaryFolder, env })
      const owner = yield* ownerSession(server)
      const [key = ""] = yield* keysOf(server, owner, { scopes, count: 1 })
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

      const [record, ...others] = yield* auditLogOf(server, owner)
      assert.deepStrictEqual(others, [])
      assert.deepInclude(record, {
        action: "rules.set_setting",
        object: { kind: "rule_setting", ref: "secret_detection" },
        after: { state: "off", reason }
      })
    }).pipe(Effect.provide(Database)),
  600_000
)
