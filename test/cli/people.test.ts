import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { assay } from "../support/assayCommand.ts"
import { Database, TestDatabase } from "../support/Database.ts"
import { inForm } from "../support/forms.ts"

const run = (...args: ReadonlyArray<string>) =>
  Effect.flatMap(TestDatabase, ({ url }) =>
    assay(args, {
      env: { DATABASE_URL: Redacted.value(url), HOME: "/tmp", ASSAY_PUBLIC_URL: "https://assay.example.com" }
    })
  )

layer(Database)("the operator", (it) => {
  it.effect("creates a workspace with its owner, invites people, locks them out and lets them in again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const created = yield* run("workspace", "create", "Acme", "--owner", "Ada@example.com")
      assert.deepStrictEqual([created.status, created.stderr], [0, ""])
      assert.match(created.stdout, /^Acme \([0-9a-f-]{36}\), owned by ada@example\.com\nada@example\.com signs in once/)
      assert.match(created.stdout, /https:\/\/assay\.example\.com\/sign-in#token=\w{43}\n$/)
      const invited = yield* run("user", "invite", "grace@example.com", "--workspace", "Acme", "--role", "owner")
      assert.match(
        invited.stdout,
        /once, within 7 days, at\nhttps:\/\/assay\.example\.com\/sign-in#invitation=\w{43}\n$/
      )
      assert.strictEqual((yield* run("user", "list")).stdout, "ada@example.com: owner of Acme\n")

      const alone = yield* run("user", "disable", "ada@example.com")
      assert.strictEqual(alone.status, 2)
      assert.include(alone.stderr, "ada@example.com is the only owner of Acme")

      // A second workspace of the same person; then another owner in both.
      assert.strictEqual((yield* run("workspace", "create", "Beta", "--owner", "ada@example.com")).status, 0)
      yield* sql`INSERT INTO users (id, email, created_at) VALUES ('01a1f7f4-6852-7074-af98-e15869b1df63', 'eve@example.com', now())`
      yield* sql`INSERT INTO memberships (workspace_id, user_id, role, created_at)
        SELECT id, '01a1f7f4-6852-7074-af98-e15869b1df63', 'owner', now() FROM workspaces`
      const disabled = yield* run("user", "disable", "ADA@example.com")
      assert.deepStrictEqual([disabled.status, disabled.stderr], [0, ""])
      const link = yield* run("sign-in-link", "ada@example.com")
      assert.deepStrictEqual([link.status, link.stderr], [2, "There is no such member, or the account is disabled.\n"])
      assert.match(
        (yield* run("user", "list")).stdout,
        /^ada@example\.com: owner of Acme, owner of Beta, disabled since 20\S+\neve@example\.com: owner of Acme, owner of Beta\n$/
      )
      assert.strictEqual((yield* run("user", "enable", "ada@example.com")).status, 0)
      assert.strictEqual((yield* run("sign-in-link", "ada@example.com")).status, 0)
      const logged =
        yield* sql`SELECT DISTINCT action FROM audit_log WHERE actor->>'label' = 'operator' ORDER BY action`
      assert.includeMembers(
        logged.map(({ action }) => action),
        ["members.invite", "users.disable", "users.enable", "workspaces.create"]
      )
    })
  )

  it.effect("suspends a workspace and resumes it", () =>
    Effect.gen(function* () {
      yield* run("workspace", "create", "Gamma", "--owner", "owner@example.com")
      assert.match((yield* run("workspace", "suspend", "Gamma")).stdout, /^Gamma \(.*\): suspended, /)
      assert.match((yield* run("workspace", "resume", "Gamma")).stdout, /^Gamma \(.*\): active, /)
    })
  )

  it.effect("gets an error for what cannot be done, with status 2, and nothing changes", () =>
    Effect.gen(function* () {
      yield* run("workspace", "create", "Delta", "--owner", "owner@example.com")
      const rejections: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
        [["workspace", "create", "Delta", "--owner", "owner@example.com"], "There is a workspace Delta already"],
        [["workspace", "create", " ", "--owner", "owner@example.com"], "must be one line"],
        [["workspace", "create", "New", "--owner", "no-one"], "no-one is no e-mail address."],
        [["workspace", "suspend", "Absent"], "There is no workspace Absent."],
        [["user", "invite", "a@example.com", "--workspace", "Absent"], "There is no workspace Absent."],
        [["user", "invite", "owner@example.com", "--workspace", "Delta"], "is a member already"],
        [["user", "disable", "a@example.com"], "There is no account a@example.com."],
        [["user", "enable", "a@example.com"], "There is no account a@example.com."]
      ]
      for (const [args, message] of inForm({ short: rejections.slice(0, 2), long: rejections })) {
        const { status, stdout, stderr } = yield* run(...args)
        assert.deepStrictEqual([status, stdout], [2, ""], args.join(" "))
        assert.include(stderr, message)
      }
    })
  )
})
