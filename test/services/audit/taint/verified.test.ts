import { assert, it } from "@effect/vitest"
import { scan } from "../../../../src/services/audit/Engine.ts"
import sql_injection from "../../../../src/services/audit/tools/sql_injection.ts"
import { treeOf } from "../../../support/audit.ts"

it("a flow into another file stands although the name of its source is not in that file", async () => {
  const tree = treeOf({
    "app/models/user.rb": `class User < ApplicationRecord
  def self.named(text)
    where("name LIKE '%#{text}%'")
  end
end
`,
    "app/controllers/users_controller.rb": `class UsersController < ApplicationController
  def index
    User.named(params[:q])
  end
end
`
  })
  const { findings, dropped_by_verification } = await scan(tree, { suite: "full", tools: [sql_injection] })
  assert.strictEqual(dropped_by_verification, 0)
  assert.deepStrictEqual(
    findings.map(({ rule_id, locations, steps = [] }) => [rule_id, locations[0].file_path, steps[0]?.file_path]),
    [["sql_injection.untrusted_sql", "app/models/user.rb", "app/controllers/users_controller.rb"]]
  )
})
