export interface AdmissionLimits {
  /** Requests that are worked on at once: enough to keep the process and its connections to the database busy. */
  readonly slots: number
  /** After this long a request gives its slot back, so that what waits for a remote holds up no one. */
  readonly slotMillis: number
  /** Requests that have started and not ended, with and without a slot. */
  readonly started: number
  /** Requests that wait for a slot. */
  readonly waiting: number
  /** When requests have been waiting for this long without a pause, it is no burst that will pass. */
  readonly burstMillis: number
  /** From then on, a request that has waited for this long is rejected. */
  readonly waitMillis: number
}

/** What follows from an arrival, an end or the passing of time. */
export interface Verdicts<R> {
  readonly started: ReadonlyArray<R>
  readonly rejected: ReadonlyArray<R>
}

interface Waiting<R> {
  readonly request: R
  readonly since: number
}

/** One that has a slot or waits for one. */
interface Flow<R> {
  readonly queue: Array<Waiting<R>>
  slots: number
  /** Which start of all was its last. */
  lastStart: number
}

interface Slot {
  readonly flow: string
  readonly since: number
}

/**
 * Which requests start, wait or are rejected. Requests of one flow, such as a workspace, start in order; a free slot goes to
 * the flow that has the fewest, and what is too much is rejected from the flow of which most requests wait. So a flow that
 * sends more than its share waits for itself. Times are milliseconds of any clock that only goes forward.
 */
export class FairAdmission<R extends { readonly isStream: boolean }> {
  private readonly limits: AdmissionLimits
  private readonly slots = new Map<R, Slot>()
  /** Started, without a slot. */
  private readonly slow = new Set<R>()
  private readonly flows = new Map<string, Flow<R>>()
  private starts = 0
  private waitingCount = 0
  private waitingSince = 0

  constructor(limits: AdmissionLimits) {
    this.limits = limits
  }

  /** Whether time alone may change anything: `advance` is to be called now and then. */
  get isWaiting(): boolean {
    return this.waitingCount > 0
  }

  arrive(request: R, name: string, now: number): Verdicts<R> {
    const flow = this.flows.get(name) ?? { queue: [], slots: 0, lastStart: 0 }
    this.flows.set(name, flow)
    flow.queue.push({ request, since: now })
    if (this.waitingCount++ === 0) this.waitingSince = now
    return this.advance(now)
  }

  /** The request has ended, or its client is gone. */
  end(request: R, name: string, now: number): Verdicts<R> {
    if (!this.slow.delete(request) && !this.returnSlot(request)) this.leave(request, name)
    return this.advance(now)
  }

  advance(now: number): Verdicts<R> {
    this.returnOldSlots(now)
    const rejected = this.rejectOld(now)
    const started: Array<R> = []
    while (this.waitingCount > 0 && this.slots.size < this.limits.slots && !this.isFull()) {
      started.push(this.startNext(now))
    }
    while (this.waitingCount > this.limits.waiting) rejected.push(this.newestOfTheMost())
    return { started, rejected }
  }

  private isFull(): boolean {
    const { started } = this.limits
    if (this.slots.size + this.slow.size < started) return false
    // Streams have a limit of their own, and go on until their clients leave.
    return this.slots.size + [...this.slow].filter(({ isStream }) => !isStream).length >= started
  }

  private startNext(now: number): R {
    const name = this.flowBy((a, b) => a.slots - b.slots || a.lastStart - b.lastStart)
    const flow = this.flows.get(name)!
    flow.slots++
    flow.lastStart = ++this.starts
    const request = this.take(name, "first")
    this.slots.set(request, { flow: name, since: now })
    return request
  }

  private take(name: string, which: "first" | "last"): R {
    const { queue } = this.flows.get(name)!
    const { request } = which === "first" ? queue.shift()! : queue.pop()!
    this.waitingCount--
    this.forgetIdle(name)
    return request
  }

  private forgetIdle(name: string): void {
    const flow = this.flows.get(name)
    if (flow?.queue.length === 0 && flow.slots === 0) this.flows.delete(name)
  }

  private leave(request: R, name: string): void {
    const queue = this.flows.get(name)?.queue ?? []
    const at = queue.findIndex((waiting) => waiting.request === request)
    if (at < 0) return
    queue.splice(at, 1)
    this.waitingCount--
    this.forgetIdle(name)
  }

  private returnSlot(request: R): boolean {
    const slot = this.slots.get(request)
    if (slot === undefined) return false
    this.slots.delete(request)
    this.flows.get(slot.flow)!.slots--
    this.forgetIdle(slot.flow)
    return true
  }

  private returnOldSlots(now: number): void {
    // In the order in which they were given.
    for (const [request, { since }] of this.slots) {
      if (now - since < this.limits.slotMillis) return
      this.returnSlot(request)
      this.slow.add(request)
    }
  }

  private rejectOld(now: number): Array<R> {
    const rejected: Array<R> = []
    if (this.waitingCount === 0 || now - this.waitingSince < this.limits.burstMillis) return rejected
    for (const [name, { queue }] of this.flows) {
      while (queue[0] !== undefined && now - queue[0].since >= this.limits.waitMillis) {
        rejected.push(this.take(name, "first"))
      }
    }
    return rejected
  }

  private newestOfTheMost(): R {
    return this.take(
      this.flowBy((a, b) => b.queue.length - a.queue.length),
      "last"
    )
  }

  /** The first in this order of those with waiting requests, of which there is one. */
  private flowBy(order: (a: Flow<R>, b: Flow<R>) => number): string {
    let first: [string, Flow<R>] | undefined
    for (const [name, flow] of this.flows) {
      if (flow.queue.length > 0 && (first === undefined || order(flow, first[1]) < 0)) first = [name, flow]
    }
    return first![0]
  }
}
