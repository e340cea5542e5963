import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Finding, proposeFixInProcess, scanInProcess } from "../../src/engine/index.ts"
import { aRepository } from "../support/gitRepository.ts"

const tangled = (depth: number): string =>
  depth === 0 ? "x++" : `if (a${depth} && b${depth}) { for (const c of d) { ${tangled(depth - 1)} } }`

const link = '<a href="https://example.org" target="_blank">out</a>\n'
const files = {
  "index.html": `<!doctype html>\n<p>in</p>\n${link}`,
  "src/knot.ts": `export function knot(d: string[]) { let x = 0; ${tangled(5)} return x }\n`
}

const repository = () => {
  const made = aRepository()
  const commit = made.commit(files)
  return { ...made, source: { kind: "git", gitDir: made.gitDir, commit } as const }
}

const findingOf = (source: ReturnType<typeof repository>["source"], rule: string) =>
  Effect.map(
    scanInProcess({ source, suite: "full", suggestions: true, workers: 1 }),
    ({ findings }): Finding => findings.find(({ rule_id }) => rule_id === rule)!
  )

describe("a fix in its own process", () => {
  it.live("proposes the file as it would be, with a diff, and changes nothing", () =>
    Effect.gen(function* () {
      const { source, path, git } = repository()
      const finding = yield* findingOf(source, "frontend_quality.opener_exposed")
      for (const from of [source, { kind: "worktree", root: path } as const]) {
        const proposal = yield* proposeFixInProcess({ source: from, rule_id: finding.rule_id, finding })
        assert.strictEqual(proposal.status, "proposed")
        const [file] = proposal.status === "proposed" ? proposal.files : []
        const after = files["index.html"].replace('_blank"', '_blank" rel="noopener"')
        assert.strictEqual(Buffer.from(file?.content ?? "", "base64").toString(), after)
        assert.include(file?.diff, `-${link}+${link.replace('_blank"', '_blank" rel="noopener"')}`)
      }
      assert.strictEqual(git("status", "--porcelain"), "")
    })
  )

  it.live("is absent where the rule no longer matches, and impossible without a fixer", () =>
    Effect.gen(function* () {
      const { source, commit, gitDir } = repository()
      const finding = yield* findingOf(source, "frontend_quality.opener_exposed")
      const later = { kind: "git", gitDir, commit: commit({ "index.html": "<p>in</p>\n" }) } as const
      const known = { rule_id: finding.rule_id, finding }
      assert.deepStrictEqual(yield* proposeFixInProcess({ source: later, ...known }), { status: "absent" })
      const removed = { kind: "git", gitDir, commit: commit({}, { remove: ["index.html"] }) } as const
      assert.deepStrictEqual(yield* proposeFixInProcess({ source: removed, ...known }), { status: "absent" })
      const knot = yield* findingOf(source, "complexity.cognitive_complexity")
      const unfixable = { source, rule_id: knot.rule_id, finding: knot }
      assert.deepStrictEqual(yield* proposeFixInProcess(unfixable), { status: "no_fixer" })
    })
  )

  it.live("ends at its limits of time and memory, and with a commit that is not there", () =>
    Effect.gen(function* () {
      const { source, gitDir } = repository()
      const finding = yield* findingOf(source, "frontend_quality.opener_exposed")
      const request = { source, rule_id: finding.rule_id, finding }
      const reasonOf = (asked: typeof request, limits = {}) =>
        Effect.map(Effect.flip(proposeFixInProcess(asked, { limits })), ({ reason }) => reason)
      assert.strictEqual(yield* reasonOf(request, { wallTime: "1 millis" }), "timeout")
      assert.strictEqual(yield* reasonOf(request, { maxRssBytes: 1_000_000 }), "resource_limit")
      const nowhere = { kind: "git", gitDir, commit: "0".repeat(40) } as const
      assert.strictEqual(yield* reasonOf({ ...request, source: nowhere }), "repo_unavailable")
    })
  )
})
