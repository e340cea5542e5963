import { ShardId } from "@effect/cluster"
import { assert, describe, it } from "@effect/vitest"
import { Hash } from "effect"
import { placing, type ShardOf, type Worker } from "../../src/layers/JobPlacement.ts"
import { RepositoryId } from "../../src/schema/Ids.ts"

const shardCount = 60
const shardOf: ShardOf = (text) => ShardId.make("default", 1 + (Math.abs(Hash.string(text)) % shardCount))

/** Workers that hold the shards in turns and have so many runs each. */
const workersWith = (...running: ReadonlyArray<number>): ReadonlyArray<Worker> =>
  running.map((runs, index) => ({
    shards: Array.from({ length: shardCount }, (_, n) => n)
      .filter((n) => n % running.length === index)
      .map((n) => `default:${n + 1}`),
    running: runs
  }))

const holderOf = (workers: ReadonlyArray<Worker>, shard: ShardId.ShardId) =>
  workers.findIndex(({ shards }) => shards.includes(shard.toString()))

const repository = (n: number) => RepositoryId.make(`018f0000-0000-7000-8000-${String(n).padStart(12, "0")}`)
const someRepositories = Array.from({ length: 40 }, (_, n) => repository(n))
const slots = 2

const idle = workersWith(0, 0, 0)
const homes = someRepositories.map((one) => holderOf(idle, placing(idle, slots, shardOf)(one)))
const home = homes[0]!
const busyAtHome = (running: number, elsewhere: number) =>
  workersWith(...[0, 1, 2].map((index) => (index === home ? running : elsewhere)))

describe("the runs of a repository", () => {
  it("go to one worker while it has a free slot, and those of all repositories to all workers", () => {
    const again = someRepositories.map((one) => holderOf(idle, placing(workersWith(1, 1, 1), slots, shardOf)(one)))
    assert.deepStrictEqual(again, homes)
    assert.deepStrictEqual([...new Set(homes)].sort(), [0, 1, 2])
  })

  it("go to another worker, always the same, when theirs has no free slot and that one has", () => {
    const crowded = busyAtHome(2, 0)
    const second = holderOf(crowded, placing(crowded, slots, shardOf)(repository(0)))
    assert.notStrictEqual(second, home)
    const more = busyAtHome(5, 1)
    assert.strictEqual(holderOf(more, placing(more, slots, shardOf)(repository(0))), second)
  })

  it("count against the slots of the workers that they are sent to", () => {
    const choose = placing(idle, slots, shardOf)
    const chosen = Array.from({ length: 6 }, () => holderOf(idle, choose(repository(0))))
    assert.deepStrictEqual([chosen[0], chosen[1]], [home, home])
    assert.deepStrictEqual([...chosen].sort(), [0, 0, 1, 1, 2, 2])
  })

  it("go to the worker with the fewest runs when none has a free slot", () => {
    const full = busyAtHome(7, 3)
    assert.notStrictEqual(holderOf(full, placing(full, slots, shardOf)(repository(0))), home)
    const even = busyAtHome(3, 3)
    assert.strictEqual(holderOf(even, placing(even, slots, shardOf)(repository(0))), home)
  })

  it("go elsewhere when their worker is gone, and no others do", () => {
    const left = idle.filter((_, index) => index !== home)
    const choose = placing(left, 100, shardOf)
    for (const [n, one] of someRepositories.entries()) {
      const now = holderOf(idle, choose(one))
      assert.strictEqual(now === homes[n], homes[n] !== home)
      assert.include(
        [0, 1, 2].filter((index) => index !== home),
        now
      )
    }
  })

  it("have a shard also while no worker holds any", () => {
    assert.deepStrictEqual(placing([], slots, shardOf)(repository(0)), shardOf(`${repository(0)}/0`))
  })
})
