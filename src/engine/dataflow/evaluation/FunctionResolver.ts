import type { Project } from "../../core/tool/AuditTool.ts"

interface Offer<A> {
  readonly path: string
  readonly name: string
  readonly value: A
}

const lastPart = (name: string): string => name.slice(Math.max(name.lastIndexOf("."), name.lastIndexOf(":")) + 1)

const directory = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")))

const normal = (path: string): string => {
  const parts: Array<string> = []
  for (const part of path.split("/")) {
    if (part === "..") parts.pop()
    else if (part !== "" && part !== ".") parts.push(part)
  }
  return parts.join("/")
}

const scriptEndings = ["", ".ts", ".js", ".tsx", ".mjs", ".cjs", ".mts", ".jsx", "/index.ts", "/index.js", "/index.tsx"]

/**
 * Finds the functions a call in one file may mean in another, by the way each language names them: relative paths and
 * `@/` aliases, Python modules, Java classes, Go packages. Only functions that were offered are found.
 */
export class FunctionResolver {
  private readonly byLastName = new Map<string, Array<Offer<unknown>>>()
  private readonly project: Project

  constructor(project: Project) {
    this.project = project
  }

  /** Replaces what was offered before. */
  offer(offers: ReadonlyArray<Offer<unknown>>): void {
    this.byLastName.clear()
    for (const offer of offers) {
      const name = lastPart(offer.name)
      const known = this.byLastName.get(name)
      if (known === undefined) this.byLastName.set(name, [offer])
      else known.push(offer)
    }
  }

  resolve<A>(from: string, accessPath: string): ReadonlyArray<A> {
    const path = accessPath.replaceAll("()", "")
    const offers = this.byLastName.get(lastPart(path)) ?? []
    const found = this.candidates(from, path, offers)
    return found.filter((offer) => offer.path !== from).map((offer) => offer.value as A)
  }

  private candidates(from: string, path: string, offers: ReadonlyArray<Offer<unknown>>) {
    const ending = from.slice(from.lastIndexOf(".") + 1)
    if (/^[cm]?[jt]sx?$/.test(ending)) return this.script(from, path)
    if (offers.length === 0) return []
    return ending === "py" ? this.python(from, path, offers) : (finders[ending]?.(from, path, offers) ?? [])
  }

  private script(from: string, path: string): ReadonlyArray<Offer<unknown>> {
    if (!/^(?:\.|@\/|~\/|src\/|#)/.test(path)) return []
    // The module's own name may hold dots: the longest split that is a file counts.
    const start = Math.max(0, path.lastIndexOf("/"))
    const dots = [path.length, ...[...path.slice(start).matchAll(/\./g)].map((match) => start + match.index).reverse()]
    for (const dot of dots) {
      const file = this.scriptFile(from, path.slice(0, dot))
      if (file === null) continue
      const rest = path.slice(dot + 1).replace(/^default\./, "")
      const offers = [...this.byLastName.values()].flat().filter((offer) => offer.path === file)
      if (rest === "") {
        const own = offers.filter((offer) => offer.name === "default")
        const names = new Set(offers.map((offer) => offer.name))
        return own.length > 0 ? own : names.size === 1 ? offers : []
      }
      return pick(offers, rest)
    }
    return []
  }

  private scriptFile(from: string, module: string): string | null {
    const bases = module.startsWith(".")
      ? [normal(`${directory(from)}/${module}`)]
      : [module.replace(/^(?:@|~|#)\//, "src/"), module.replace(/^(?:@|~|#)\//, "")]
    for (const base of bases) {
      for (const ending of scriptEndings) if (this.project.has(base + ending)) return base + ending
      const typed = base.replace(/\.([cm]?)js(x?)$/, ".$1ts$2")
      if (typed !== base && this.project.has(typed)) return typed
    }
    return null
  }

  private python(from: string, path: string, offers: ReadonlyArray<Offer<unknown>>): ReadonlyArray<Offer<unknown>> {
    const relative = /^\.+/.exec(path)
    const parts = path.slice(relative?.[0].length ?? 0).split(".")
    let base = directory(from)
    for (let up = 1; up < (relative?.[0].length ?? 0); up++) base = directory(base)
    for (let length = parts.length - 1; length >= 0; length--) {
      const module = parts.slice(0, length).join("/")
      if (module === "" && relative === null) break
      const rest = parts.slice(length).join(".")
      const matching = offers.filter((offer) => {
        const stem = offer.path.replace(/(?:\/__init__)?\.py$/, "")
        return relative === null ? stem === module || stem.endsWith(`/${module}`) : stem === normal(`${base}/${module}`)
      })
      const found = pick(matching, rest)
      if (found.length > 0) return found
    }
    return []
  }
}

/** By full name, else by the last part when the file has only one such function. */
const pick = (offers: ReadonlyArray<Offer<unknown>>, name: string): ReadonlyArray<Offer<unknown>> => {
  const exact = offers.filter((offer) => offer.name === name)
  if (exact.length > 0) return exact
  const alike = offers.filter((offer) => lastPart(offer.name) === lastPart(name))
  return new Set(alike.map((offer) => offer.name)).size === 1 ? alike : []
}

const java = (_from: string, path: string, offers: ReadonlyArray<Offer<unknown>>): ReadonlyArray<Offer<unknown>> => {
  const parts = path.replace(/^(?:local|self):/, "").split(".")
  const owner = parts.at(-2)
  if (owner === undefined || !/^[A-Z]/.test(owner)) return []
  const qualified = `${owner}.${parts.at(-1)}`
  // An interface is implemented by the class that carries its name and Impl.
  const found = offers.filter((offer) => offer.name === qualified || offer.name === `${owner}Impl.${parts.at(-1)}`)
  return new Set(found.map((offer) => offer.path)).size <= 2 ? found : []
}

/** A constant names its class wherever it is loaded from. */
const ruby = (_from: string, path: string, offers: ReadonlyArray<Offer<unknown>>): ReadonlyArray<Offer<unknown>> => {
  const parts = path
    .replace(/^(?:local|self):/, "")
    .replaceAll("::", ".")
    .split(".")
  const owner = parts.at(-2)
  if (owner === undefined || !/^[A-Z]/.test(owner)) return []
  const found = offers.filter(({ name }) => name.replaceAll("::", ".").endsWith(`${owner}.${parts.at(-1)}`))
  const exact = found.filter(({ name }) => name.replaceAll("::", ".").split(".").at(-2) === owner)
  return new Set(exact.map((offer) => offer.path)).size <= 2 ? exact : []
}

/** By the name of the class; an interface is implemented by the class that carries its name without the I. */
const csharp = (_from: string, path: string, offers: ReadonlyArray<Offer<unknown>>): ReadonlyArray<Offer<unknown>> => {
  const parts = path.replace(/^(?:local|self):/, "").split(".")
  const owner = parts.at(-2)
  if (owner === undefined || !/^[A-Z]/.test(owner)) return []
  const own = `${owner.replace(/^I(?=[A-Z])/, "")}.${parts.at(-1)}`
  const found = offers.filter(({ name }) => name === `${owner}.${parts.at(-1)}` || name === own)
  return new Set(found.map((offer) => offer.path)).size <= 2 ? found : []
}

const go = (from: string, path: string, offers: ReadonlyArray<Offer<unknown>>): ReadonlyArray<Offer<unknown>> => {
  const slash = path.lastIndexOf("/")
  const dot = path.indexOf(".", slash + 1)
  const isLocal = !path.includes("/")
  const folder = isLocal ? directory(from) : path.slice(0, dot)
  const name = isLocal ? path.replace(/^(?:local|self):/, "") : path.slice(dot + 1)
  const here = offers.filter((offer) => {
    const own = directory(offer.path)
    return isLocal ? own === folder : own !== "" && (folder === own || folder.endsWith(`/${own}`))
  })
  return pick(here, name)
}

type Finder = (from: string, path: string, offers: ReadonlyArray<Offer<unknown>>) => ReadonlyArray<Offer<unknown>>

/** By the ending of the file that calls. */
const finders: Readonly<Record<string, Finder>> = { java, go, rb: ruby, cs: csharp }
