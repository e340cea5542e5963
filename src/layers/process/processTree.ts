import { readdirSync, readFileSync } from "node:fs"

/** One process of the machine. Its PID alone does not identify it: PIDs are used again. */
export interface ProcessEntry {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly session: number
  /** Clock ticks since the machine's start. */
  readonly startedAt: number
  readonly isZombie: boolean
}

const text = (path: string): string | null => {
  try {
    return readFileSync(path, "latin1")
  } catch {
    return null
  }
}

/** The name, in parentheses, may hold anything, also spaces and parentheses. */
const parse = (pid: number, stat: string): ProcessEntry | null => {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  const [state, parent, group, session] = fields
  const startedAt = fields[19]
  if (startedAt === undefined) return null
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startedAt: Number(startedAt),
    isZombie: state === "Z"
  }
}

/** Every process that /proc shows; none on a system without it. */
const processes = (): ReadonlyArray<ProcessEntry> => {
  const entries: Array<ProcessEntry> = []
  try {
    for (const name of readdirSync("/proc")) {
      if (!/^\d+$/.test(name)) continue
      const stat = text(`/proc/${name}/stat`)
      const entry = stat === null ? null : parse(Number(name), stat)
      if (entry !== null) entries.push(entry)
    }
  } catch {
    // Not Linux.
  }
  return entries
}

const keyOf = ({ pid, startedAt }: ProcessEntry) => `${pid}:${startedAt}`

/**
 * The processes that one process started, directly or not. It remembers those it has seen: an orphan has another parent
 * than before. A process that leaves its parent, group and session between two looks is recognised by its environment,
 * unless it has cleared that, too; in a PID namespace none of this is needed, as orphans stay below its PID 1.
 */
export class ProcessTree {
  readonly #root: number
  readonly #mark: string
  #known = new Set<string>()

  /** The mark is an entry `NAME=value` in the environment of the first process. */
  constructor(root: number, mark: string) {
    this.#root = root
    this.#mark = mark
  }

  /** Also zombies, which have ended but still take a PID. `thorough` reads environments, too. */
  members(thorough = false): ReadonlyArray<ProcessEntry> {
    const all = processes()
    const children = new Map<number, Array<ProcessEntry>>()
    for (const entry of all) children.set(entry.parent, [...(children.get(entry.parent) ?? []), entry])
    const found = new Map<number, ProcessEntry>()
    const add = (entry: ProcessEntry): void => {
      const open = [entry]
      for (let next = open.pop(); next !== undefined; next = open.pop()) {
        if (found.has(next.pid)) continue
        found.set(next.pid, next)
        open.push(...(children.get(next.pid) ?? []))
      }
    }
    for (const entry of all) {
      const isOurs = entry.pid === this.#root || entry.group === this.#root || entry.session === this.#root
      if (isOurs || this.#known.has(keyOf(entry)) || (thorough && this.#isMarked(entry))) add(entry)
    }
    this.#known = new Set([...found.values()].map(keyOf))
    return [...found.values()]
  }

  #isMarked({ pid }: ProcessEntry): boolean {
    return text(`/proc/${pid}/environ`)?.split("\0").includes(this.#mark) ?? false
  }
}

const bytesOf = (pattern: RegExp, content: string | null): number | null => {
  const [, kilobytes] = pattern.exec(content ?? "") ?? []
  return kilobytes === undefined ? null : Number(kilobytes) * 1024
}

const residentBytes = (pid: number) => bytesOf(/^VmRSS:\s+(\d+) kB$/m, text(`/proc/${pid}/status`)) ?? 0

/** What is shared with others counts by its share. Null where it cannot be read. */
const proportionalBytes = (pid: number) => bytesOf(/^Pss:\s+(\d+) kB$/m, text(`/proc/${pid}/smaps_rollup`))

const sum = (values: ReadonlyArray<number>) => values.reduce((a, b) => a + b, 0)

/** Whether processes hold more than this in memory. Pages they share count once; that is looked at only when it matters. */
export const holdMoreThan = (bytes: number, entries: ReadonlyArray<ProcessEntry>): boolean => {
  const pids = entries.map(({ pid }) => pid)
  if (sum(pids.map(residentBytes)) <= bytes) return false
  return sum(pids.map((pid) => proportionalBytes(pid) ?? residentBytes(pid))) > bytes
}
