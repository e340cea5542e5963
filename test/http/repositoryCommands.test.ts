import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { RepositoryCommands } from "../../src/services/repositories/RepositoryCommands.ts"
import { aMember, aRegisteredRepository, aWorkspace } from "../support/builders.ts"
import { TestApp } from "../support/TestApp.ts"
import { jsonOf, send } from "../support/wire.ts"

const path = "/api/repos/acme/api/main/commands"
const none = { format: null, build: null, lint: null, test: null }

layer(TestApp)("the commands of a repository", (it) => {
  it.effect("are replaced as a whole by admins, and read by the gates of its fixes", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const repository = yield* aRegisteredRepository(owner)
      const commands = yield* RepositoryCommands
      const stored = commands.of({ workspace_id: owner.workspace_id, repository_id: repository.id })
      const put = (json: object) => send({ method: "PUT", path, as: owner.session, json })
      const read = Effect.map(send({ path, as: owner.session }), jsonOf)
      assert.deepStrictEqual(yield* read, { repo_name: repository.repo_name, ...none, updated_at: null })
      assert.deepStrictEqual(yield* stored, none)
      const first = yield* put({ build: "npm run build", test: "npm test" })
      assert.strictEqual(first.status, 200, first.text)
      assert.deepStrictEqual(yield* stored, { ...none, build: "npm run build", test: "npm test" })
      assert.strictEqual((yield* put({ lint: "eslint .", test: "  " })).status, 200)
      assert.deepStrictEqual(yield* stored, { ...none, lint: "eslint ." })
      const { updated_at, ...now } = yield* read
      assert.isString(updated_at)
      assert.deepStrictEqual(now, { repo_name: repository.repo_name, ...none, lint: "eslint ." })
    })
  )

  it.effect("are no business of other members, and are single texts of at most 2,000 characters", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      yield* aRegisteredRepository(owner)
      const member = yield* aMember(owner.workspace_id, "member")
      assert.strictEqual((yield* send({ path, as: member.session })).status, 403)
      assert.strictEqual((yield* send({ method: "PUT", path, as: member.session, json: {} })).status, 403)
      for (const json of [{ test: "x".repeat(2001) }, { test: ["npm", "test"] }, { deploy: "make" }]) {
        assert.strictEqual((yield* send({ method: "PUT", path, as: owner.session, json })).status, 422)
      }
    })
  )
})
