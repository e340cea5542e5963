import { assert, describe, it } from "@effect/vitest"
import { compared, type Entry, type Kept, type KeptJob } from "./ledger.ts"

const job = (of: Partial<KeptJob> = {}): KeptJob => ({
  id: "1",
  workflow: "audit",
  status: "completed",
  failure_kind: null,
  error: null,
  ends: 1,
  repeated_stages: 0,
  is_gapless: true,
  reserves: 1,
  releases: 1,
  settles: 1,
  difference_usd: 0,
  ...of
})

const note = (outcome: Entry["outcome"]): Entry => ({ kind: "note", mark: "a", outcome })
const submission: Entry = { kind: "job", mark: "k", outcome: "acknowledged", job_id: "1" }
const noted = { kind: "note", mark: "a", job_id: null } as const

const kept = (of: Partial<Kept> = {}): Kept => ({ marks: [noted], jobs: [], recorded: [], ...of })

const sizes = (ledger: ReadonlyArray<Entry>, of: Kept) => {
  const { lost, doubled, unexplained } = compared(ledger, of)
  return [lost.length, doubled.length, unexplained.length]
}

describe("The ledger's comparison finds", () => {
  it("nothing where every acknowledged change is there once", () => {
    assert.deepStrictEqual(sizes([note("acknowledged")], kept()), [0, 0, 0])
    const key = { kind: "job", mark: "k", job_id: "1" } as const
    assert.deepStrictEqual(sizes([submission], kept({ marks: [key], jobs: [job()] })), [0, 0, 0])
  })

  it("nothing in a call without a response, whether it took effect or not", () => {
    assert.deepStrictEqual(sizes([note("open")], kept()), [0, 0, 0])
    assert.deepStrictEqual(sizes([note("open")], kept({ marks: [] })), [0, 0, 0])
  })

  it("an acknowledged change that is gone, one that is there twice, and those without an acknowledgement", () => {
    assert.deepStrictEqual(sizes([note("acknowledged")], kept({ marks: [] })), [1, 0, 0])
    assert.deepStrictEqual(sizes([note("acknowledged")], kept({ marks: [noted, noted] })), [0, 1, 0])
    assert.deepStrictEqual(sizes([], kept()), [0, 0, 1])
    assert.deepStrictEqual(sizes([note("rejected")], kept()), [0, 0, 1])
  })

  it("a job that is gone, one under another ID, and one that never ends", () => {
    assert.deepStrictEqual(sizes([submission], kept({ marks: [] })), [1, 0, 0])
    const other = { kind: "job", mark: "k", job_id: "2" } as const
    assert.deepStrictEqual(sizes([submission], kept({ marks: [other], jobs: [job()] })), [0, 0, 1])
    assert.deepStrictEqual(sizes([], kept({ marks: [], jobs: [job({ status: "running", ends: 0 })] })), [1, 0, 0])
  })

  it("a second end, a repeated stage, a gap in the events and money that does not add up", () => {
    const parts = [
      [{ ends: 2 }, [0, 1, 0]],
      [{ repeated_stages: 1 }, [0, 1, 0]],
      [{ settles: 2 }, [1, 1, 0]],
      [{ is_gapless: false }, [1, 0, 0]],
      [{ releases: 0 }, [1, 0, 0]],
      [{ difference_usd: 0.01 }, [1, 0, 0]]
    ] as const
    for (const [part, expected] of parts) {
      assert.deepStrictEqual(sizes([], kept({ marks: [], jobs: [job(part)] })), [...expected], JSON.stringify(part))
    }
  })

  it("a change without its record in the audit log", () => {
    const recorded = [{ kind: "notes", changes: 2, records: 1 }]
    assert.deepStrictEqual(sizes([], kept({ marks: [], recorded })), [0, 0, 1])
  })
})
