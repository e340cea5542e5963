import {
  type Contents,
  deepTaintsOf,
  type Elements,
  type EnclosingScope,
  join,
  type Value,
  withoutConstant
} from "./Value.ts"

/** What a path (`user.id`) holds where nothing was written to it: what its object says. */
export type Natural = (path: Scope, name: string) => Value | undefined

const either = (a: Value | null, b: Value | null): Value | null => (a === null ? b : b === null ? a : join(a, b))

const union = (all: ReadonlyArray<ReadonlyMap<string, Value>>): Map<string, Value> => {
  const [first, ...others] = all
  const merged = new Map(first)
  for (const vars of others) {
    if (vars === first) continue
    for (const [name, value] of vars) {
      const known = merged.get(name)
      merged.set(name, known === undefined ? value : join(known, value))
    }
  }
  return merged
}

const MAX_ELEMENTS = 64
const MAX_COLLECTIONS = 40
const noElements: ReadonlyMap<Contents, Elements> = new Map()

/**
 * Variables of one function, by name; properties that were written through a name are kept by path (`user.id`). A
 * closure has its own scope whose writes to outer names only add to what they may hold.
 */
export class Scope implements EnclosingScope {
  private vars: Map<string, Value>
  /** Copies share their variables until one of them writes: most branches never do. */
  private owned = true
  readonly outer: EnclosingScope | null
  dead = false
  /** What the last statement evaluated to, in languages where functions answer that. */
  value: Value | null = null
  private readonly watchers: ReadonlyArray<Scope>
  /** Never changed in place: copies share it. */
  private elements: ReadonlyMap<Contents, Elements> = noElements

  constructor(outer: EnclosingScope | null, vars = new Map<string, Value>(), watchers: ReadonlyArray<Scope> = []) {
    this.outer = outer
    this.vars = vars
    this.watchers = watchers
  }

  copy(): Scope {
    return this.sharing(this.watchers)
  }

  /** A copy whose writes are also added to `watcher`: an exception may leave the block after any of them. */
  watched(watcher: Scope): Scope {
    return this.sharing([...this.watchers, watcher])
  }

  private sharing(watchers: ReadonlyArray<Scope>): Scope {
    const copy = new Scope(this.outer, this.vars, watchers)
    copy.dead = this.dead
    copy.value = this.value
    copy.owned = false
    copy.elements = this.elements
    this.owned = false
    return copy
  }

  private writable(): Map<string, Value> {
    if (!this.owned) {
      this.vars = new Map(this.vars)
      this.owned = true
    }
    return this.vars
  }

  get(name: string): Value | undefined {
    return this.vars.get(name) ?? this.outer?.get(name)
  }

  own(name: string): Value | undefined {
    return this.vars.get(name)
  }

  /** A new variable of this scope, or a write to one that has it already. */
  declare(name: string, value: Value): void {
    this.forget(name)
    this.writable().set(name, value)
    for (const watcher of this.watchers) watcher.add(name, value)
  }

  assign(name: string, value: Value): void {
    if (this.vars.has(name) || this.outer === null || this.outer.get(name) === undefined) this.declare(name, value)
    else {
      this.writable().set(name, value)
      this.outer.addWhereKnown(name, value)
    }
  }

  /**
   * `root.name = value` where `root` holds `holder`, and `before` was there: others that hold the same object see it,
   * too.
   */
  assignPath(root: string, name: string, value: Value, holder: Value | null, before: Value): void {
    const path = `${root}.${name}`
    const vars = this.writable()
    for (const [key, held] of vars) {
      if (key !== root && holder !== null && held === holder) vars.delete(`${key}.${name}`)
    }
    vars.set(path, value)
    for (const watcher of this.watchers)
      watcher.add(path, watcher.get(path) === undefined ? join(before, value) : value)
    if (!vars.has(root.split(".", 1)[0]!)) this.outer?.addWhereKnown(path, value)
  }

  /** Variables of this path, and of those around it, after what a condition said of what they hold. */
  narrow(change: (value: Value) => Value): void {
    for (let at: EnclosingScope | null = this; at !== null; at = at.outer) {
      for (const [name, value] of at.all) {
        if (at !== this && this.vars.has(name)) continue
        const after = change(value)
        if (after !== value) this.writable().set(name, after)
      }
    }
  }

  add(name: string, value: Value): void {
    const known = this.get(name)
    if (!name.includes(".")) this.doubt(`${name}.`)
    this.writable().set(name, known === undefined ? value : join(known, value))
  }

  /** The object above these paths may be another one: that they are harmless is no longer known. */
  private doubt(prefix: string): void {
    for (const [key, value] of this.vars) {
      if (key.startsWith(prefix) && !deepTaintsOf(value).some(({ safe }) => safe === 0)) this.writable().delete(key)
    }
  }

  addWhereKnown(name: string, value: Value): void {
    if (this.vars.has(name)) this.add(name, value)
    else this.outer?.addWhereKnown(name, value)
  }

  /** Paths below a name say nothing about its new value. */
  private forget(name: string): void {
    if (name.includes(".")) return
    const prefix = `${name}.`
    const vars = this.writable()
    for (const key of vars.keys()) if (key.startsWith(prefix)) vars.delete(key)
  }

  /** Continue with what either of the paths left; a dead path adds nothing. */
  become(paths: ReadonlyArray<Scope>, natural: Natural): void {
    const alive = paths.filter((path) => !path.dead)
    this.dead = alive.length === 0
    if (alive.length === 0) return
    this.agreeOnElements(alive)
    this.value = alive.reduce<Value | null>((all, { value }) => either(all, value), null)
    const shared = alive[0]!.vars
    if (alive.every((path) => path.vars === shared)) {
      if (this.vars !== shared) {
        this.vars = shared
        this.owned = false
        for (const path of alive) path.owned = false
      }
      return
    }
    const merged = union(alive.map(({ vars }) => vars))
    for (const path of alive) path.complete(merged, natural)
    this.vars = merged
    this.owned = true
  }

  elementsOf(contents: Contents): Elements | undefined {
    const known = this.elements.get(contents)
    if (known === undefined) return this.outer?.elementsOf(contents)
    return known.version === contents.version ? known : undefined
  }

  /** Remember the elements of a collection right after the write that left them so. */
  holdElements(contents: Contents, isList: boolean, items: ReadonlyMap<string, Value>): void {
    if (Number.isNaN(contents.version) || items.size > MAX_ELEMENTS) return
    const next = this.elements.size >= MAX_COLLECTIONS ? new Map<Contents, Elements>() : new Map(this.elements)
    this.elements = next.set(contents, { version: contents.version, isList, items })
  }

  /** Only what all paths agree on is known where they meet. */
  private agreeOnElements(paths: ReadonlyArray<Scope>): void {
    const [first, ...others] = paths
    if (first === undefined || others.every(({ elements }) => elements === first.elements)) {
      this.elements = first?.elements ?? noElements
      return
    }
    const agreed = [...first.elements].filter(([key, known]) =>
      others.every(({ elements }) => elements.get(key) === known)
    )
    this.elements = agreed.length === 0 ? noElements : new Map(agreed)
  }

  /** A loop comes here again after it wrote to these: what they held before says nothing of later rounds. */
  enterLoop(names: ReadonlySet<string>): void {
    this.elements = noElements
    for (const [name, value] of this.vars) {
      if (value.constant !== undefined && names.has(name)) this.writable().set(name, withoutConstant(value))
    }
  }

  /** What this path holds where only others wrote. */
  private complete(merged: Map<string, Value>, natural: Natural): void {
    if (this.vars.size === merged.size) return
    for (const [name, value] of merged) {
      const held = this.vars.has(name) ? undefined : this.without(name, natural)
      if (held !== undefined) merged.set(name, join(value, held))
    }
  }

  /** Written on another path only: on this one it is what the scope around it, or its object, holds. */
  private without(name: string, natural: Natural): Value | undefined {
    return this.outer?.get(name) ?? (name.includes(".") ? natural(this, name) : undefined)
  }

  /** Unchanged since then, without looking at every variable. */
  sameAs(vars: ReadonlyMap<string, Value>): boolean {
    return this.vars === vars
  }

  get all(): ReadonlyMap<string, Value> {
    return this.vars
  }

  weight(): number {
    let weight = 0
    for (const value of this.vars.values()) {
      weight += value.holes.length + value.rest.length + (value.fields?.size ?? 0)
      if (value.fields !== null) for (const field of value.fields.values()) weight += field.holes.length
    }
    return weight
  }
}
