import type { Scheduler } from "effect"

/** How long fibers run in each of the two phases of a turn that they run in. */
const defaultMillis = 1

/**
 * Runs fibers for a moment in each turn of the event loop, and the rest of them in the next turns. Node accepts one
 * connection a turn: with Effect's own scheduler, which runs all that is ready in one, turns of a busy server take tens of
 * milliseconds, and new connections wait for seconds before anything of their requests is seen.
 */
export class TurnScheduler implements Scheduler.Scheduler {
  private readonly millis: number
  private readonly tasks: Array<Scheduler.Task> = []
  private next = 0
  /** When the fibers of this phase stop; `null` before its first one. */
  private until: number | null = null
  private isScheduled = false
  private isHurried = false

  constructor(millis: number = defaultMillis) {
    this.millis = millis
  }

  /** To be called for a new connection: until a turn has none, phases run one fiber, as more may be waiting. */
  hurry(): void {
    this.isHurried = true
  }

  shouldYield(fiber: Parameters<Scheduler.Scheduler["shouldYield"]>[0]): number | false {
    return fiber.currentOpCount > mostOperations ? 0 : false
  }

  scheduleTask(task: Scheduler.Task): void {
    this.tasks.push(task)
    if (this.isScheduled || this.isOver()) return
    this.isScheduled = true
    queueMicrotask(this.run)
  }

  private isOver(): boolean {
    return this.until !== null && performance.now() >= this.until
  }

  private readonly run = (): void => {
    this.isScheduled = false
    if (this.next === this.tasks.length) return
    if (this.until === null) {
      this.until = performance.now() + (this.isHurried ? 0 : this.millis)
      setImmediate(this.nextPhase)
    }
    do this.tasks[this.next++]!()
    while (this.next < this.tasks.length && !this.isOver())
    if (this.next === this.tasks.length || this.next >= mostKept) {
      this.tasks.splice(0, this.next)
      this.next = 0
    }
  }

  private readonly nextPhase = (): void => {
    this.until = null
    this.run()
    this.isHurried = false
  }
}

/** As Effect's own scheduler has it by default. */
const mostOperations = 2048

/** Tasks that have run are forgotten together. */
const mostKept = 1024
