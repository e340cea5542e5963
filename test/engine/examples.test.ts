import { assert, describe, it } from "vitest"
import type { AuditTool, RuleExample } from "../../src/engine/core/tool/AuditTool.ts"
import { tools } from "../../src/engine/rules/index.ts"
import { inspectProject } from "../support/audit.ts"
import { withMadeUp } from "../support/madeUp.ts"

const messagesOf = async (tool: AuditTool, rule: string, { path, besides = {} }: RuleExample, code: string) => {
  const texts = Object.entries({ ...besides, [path]: code }).map(([path, text]) => [path, withMadeUp(text)])
  const matches = await inspectProject(tool, Object.fromEntries(texts))
  return matches.filter((match) => match.rule === rule).map(({ path, line, message }) => `${path}:${line} ${message}`)
}

const examples = tools.flatMap((tool) =>
  Object.entries(tool.rules).flatMap(([rule, { example }]) =>
    example === null ? [] : [{ tool, rule, example, name: `${tool.id}.${rule}` }]
  )
)

describe("a rule reports the bad code of its example and not the good", () => {
  it.each(examples)("$name", async ({ tool, rule, example }) => {
    assert.isNotEmpty(await messagesOf(tool, rule, example, example.bad))
    assert.deepStrictEqual(await messagesOf(tool, rule, example, example.good), [])
  })
})
