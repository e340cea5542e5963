import { directoryOf } from "../../core/text/paths.ts"
import type { FileSummary, Project } from "../../core/tool/AuditTool.ts"
import { ScriptResolver } from "../../structure/importGraph/javascript.ts"
import type { FlowFacts } from "../facts.ts"
import type { ExportFact } from "./exports.ts"

interface Offer<A> {
  readonly path: string
  readonly name: string
  readonly value: A
}

type Offers = ReadonlyArray<Offer<unknown>>

const lastPart = (name: string): string => name.slice(Math.max(name.lastIndexOf("."), name.lastIndexOf(":")) + 1)

const ownerPart = (name: string): string =>
  lastPart(name.slice(0, Math.max(0, name.length - lastPart(name).length - 1)))

const normal = (path: string): string => {
  const parts: Array<string> = []
  for (const part of path.split("/")) {
    if (part === "..") parts.pop()
    else if (part !== "" && part !== ".") parts.push(part)
  }
  return parts.join("/")
}

/** What the files of a project say that names alone do not: modules, exports, and what classes are made from. */
interface ProjectNames {
  readonly scripts: ScriptResolver
  readonly exports: ReadonlyMap<string, ReadonlyArray<ExportFact>>
  /** By file and class. */
  readonly bases: ReadonlyMap<string, ReadonlyArray<string>>
  /** Files of modules that were looked for, by folder and module. */
  readonly modules: Map<string, string | null>
}

const MAX_EXPORT_HOPS = 6
/** An interface with more implementations says nothing of which of them runs. */
const MAX_IMPLEMENTATIONS = 3

const namesOf = (project: Project, files: ReadonlyArray<FileSummary<FlowFacts>>): ProjectNames => {
  const bases = new Map<string, ReadonlyArray<string>>()
  for (const { path, facts } of files) {
    for (const { name, bases: own } of facts.functions) {
      if (own.length > 0 && name !== null) bases.set(`${path} ${ownerPart(name)}`, own)
    }
  }
  return {
    scripts: new ScriptResolver(project),
    exports: new Map(files.map(({ path, facts }) => [path, facts.exports])),
    bases,
    modules: new Map()
  }
}

/**
 * Finds the functions a call in one file may mean in another, by the way each language names them: modules and what they
 * export again, Python modules, classes, Go packages. Only functions that were offered are found.
 */
export class FunctionResolver {
  private readonly byLastName = new Map<string, Array<Offer<unknown>>>()
  private readonly byPath = new Map<string, Array<Offer<unknown>>>()
  private readonly names: ProjectNames

  constructor(project: Project, files: ReadonlyArray<FileSummary<FlowFacts>>, names = namesOf(project, files)) {
    this.project = project
    this.files = files
    this.names = names
  }

  private readonly project: Project
  private readonly files: ReadonlyArray<FileSummary<FlowFacts>>

  /** A resolver of the same project for other offers. */
  sibling(): FunctionResolver {
    return new FunctionResolver(this.project, this.files, this.names)
  }

  /** Replaces what was offered before. */
  offer(offers: Offers): void {
    this.byLastName.clear()
    this.byPath.clear()
    for (const offer of offers) {
      add(this.byLastName, lastPart(offer.name), offer)
      add(this.byPath, offer.path, offer)
    }
  }

  resolve<A>(from: string, accessPath: string): ReadonlyArray<A> {
    const path = accessPath.replaceAll("()", "")
    const found = this.candidates(from, path)
    return found.filter((offer) => offer.path !== from).map((offer) => offer.value as A)
  }

  private candidates(from: string, path: string): Offers {
    const ending = from.slice(from.lastIndexOf(".") + 1)
    const isScript = /^[cm]?[jt]sx?$/.test(ending)
    const own = isScript ? this.script(from, path) : this.byLanguage(ending, from, path)
    return own.length > 0 ? own : this.related(from, path)
  }

  private byLanguage(ending: string, from: string, path: string): Offers {
    const offers = this.byLastName.get(lastPart(path)) ?? []
    const found = offers.length === 0 ? [] : (finders[ending]?.(from, path, offers) ?? [])
    const scope = ending === "php" && found.length === 0 ? scopeOf(path) : null
    if (scope !== null) {
      const scopes = (this.byLastName.get(scope.method) ?? []).filter(({ name }) => name === scope.name)
      if (scopes.length > 0) return scopes
    }
    const making = constructors[ending]
    // To make an object calls the method by which its class does that.
    return found.length > 0 || making === undefined || !/(?:^|[.\\:])[A-Z]\w*(?:\.new)?$/.test(path)
      ? found
      : this.constructorAt(ending, from, `${path.replace(/\.new$/, "")}.${making}`)
  }

  private constructorAt(ending: string, from: string, path: string): Offers {
    const offers = this.byLastName.get(lastPart(path)) ?? []
    return offers.length === 0 ? [] : (finders[ending]?.(from, path, offers) ?? [])
  }

  /** A method that the class inherits, or one of the few classes that implement an interface. */
  private related(from: string, path: string): Offers {
    const offers = this.byLastName.get(lastPart(path)) ?? []
    const owner = ownerPart(path)
    if (offers.length === 0 || owner === "") return []
    const inherited = this.names.bases.get(`${from} ${owner}`) ?? []
    const found = offers.filter(({ path: file, name }) => {
      const own = ownerPart(name)
      return inherited.includes(own) || this.names.bases.get(`${file} ${own}`)?.includes(owner) === true
    })
    return new Set(found.map((offer) => `${offer.path} ${ownerPart(offer.name)}`)).size <= MAX_IMPLEMENTATIONS
      ? found
      : []
  }

  private script(from: string, path: string): Offers {
    if (/^(?:self|local|http|\?)/.test(path)) return []
    // The module's own name may hold dots: the longest split that is a file counts.
    const start = Math.max(0, path.lastIndexOf("/"))
    const dots = [path.length, ...[...path.slice(start).matchAll(/\./g)].map((match) => start + match.index).reverse()]
    for (const dot of dots) {
      const file = this.moduleFile(from, path.slice(0, dot))
      if (file !== null) return this.exported(file, path.slice(dot + 1).replace(/^default\./, ""), 0)
    }
    return []
  }

  /** The file of a module; an access path has no dots where the module's name ends in an extension. */
  private moduleFile(from: string, module: string): string | null {
    if (module === "" || module === "." || module === "..")
      return module === "" ? null : this.moduleFile(from, `${module}/`)
    const key = `${directoryOf(from)} ${module}`
    const known = this.names.modules.get(key)
    if (known !== undefined) return known
    const target = this.names.scripts.resolve(from, module)
    const file = target.kind === "file" && /\.[cm]?[jt]sx?$/.test(target.path) ? target.path : null
    this.names.modules.set(key, file)
    return file
  }

  /** Functions that a module exports under a name, its own or those of modules that it exports again. */
  private exported(file: string, name: string, hops: number): Offers {
    const offers = this.byPath.get(file) ?? []
    const own = ownExport(offers, name)
    if (own.length > 0 || hops >= MAX_EXPORT_HOPS) return own
    for (const fact of this.names.exports.get(file) ?? []) {
      const found = this.behind(fact, file, name, hops)
      if (found.length > 0) return found
    }
    return []
  }

  private behind(fact: ExportFact, file: string, name: string, hops: number): Offers {
    const renamed = nameBehind(fact, name)
    if (renamed === null) return []
    const target = fact[1] === "" ? file : this.moduleFile(file, fact[1])
    return target === null || (target === file && renamed === name) ? [] : this.exported(target, renamed, hops + 1)
  }
}

const dotted = (parts: ReadonlyArray<string>): string => parts.filter((part) => part !== "").join(".")

/** What an exported name is called where it comes from; null when the export is of another name. */
const nameBehind = ([shown, , of]: ExportFact, name: string): string | null => {
  const [first = "", ...rest] = name.split(".")
  const isAll = shown === "*"
  if (!isAll && shown !== "default" && shown !== first) return null
  const tail = isAll || shown !== first ? name : rest.join(".")
  return of === "*" || of === "default" ? tail : dotted([of, tail])
}

const add = <A>(map: Map<string, Array<A>>, key: string, value: A): void => {
  const known = map.get(key)
  if (known === undefined) map.set(key, [value])
  else known.push(value)
}

const ownExport = (offers: Offers, name: string): Offers => {
  if (name !== "") {
    const found = pick(offers, name)
    return found.length > 0
      ? found
      : pick(offers, `${name}.constructor`).filter((offer) => offer.name === `${name}.constructor`)
  }
  const own = offers.filter((offer) => offer.name === "default")
  const names = new Set(offers.map((offer) => offer.name))
  return own.length > 0 ? own : names.size === 1 ? offers : []
}

const python = (from: string, path: string, offers: Offers): Offers => {
  const relative = /^\.+/.exec(path)
  const parts = path.slice(relative?.[0].length ?? 0).split(".")
  let base = directoryOf(from)
  for (let up = 1; up < (relative?.[0].length ?? 0); up++) base = directoryOf(base)
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

/**
 * By full name, else by the last part when the file has only one such function. A method of a named class is no method of
 * another one: a class that has no constructor of its own is not made by its neighbour's.
 */
const pick = (offers: Offers, name: string, isInterface = false): Offers => {
  const exact = offers.filter((offer) => offer.name === name)
  if (exact.length > 0) return exact
  const owner = ownerPart(name)
  const isOfClass = !isInterface && /^[A-Z]/.test(owner)
  const alike = offers.filter(
    (offer) => lastPart(offer.name) === lastPart(name) && (!isOfClass || ownerPart(offer.name) === owner)
  )
  return new Set(alike.map((offer) => offer.name)).size === 1 ? alike : []
}

const java = (_from: string, path: string, offers: Offers): Offers => {
  const parts = path.replace(/^(?:local|self):/, "").split(".")
  const owner = parts.at(-2)
  if (owner === undefined || !/^[A-Z]/.test(owner)) return []
  const qualified = `${owner}.${parts.at(-1)}`
  // An interface is implemented by the class that carries its name and Impl.
  const found = offers.filter((offer) => offer.name === qualified || offer.name === `${owner}Impl.${parts.at(-1)}`)
  return new Set(found.map((offer) => offer.path)).size <= 2 ? found : []
}

/** Files of the models of Rails and Laravel. */
const isModel = /(?:^|\/)[mM]odels\//

/** A constant names its class wherever it is loaded from. */
const ruby = (_from: string, path: string, offers: Offers): Offers => {
  const parts = path
    .replace(/^(?:local|self):/, "")
    .replaceAll("::", ".")
    .split(".")
  const direct = parts.at(-2)
  if (direct === undefined) return []
  // `Article.published.titled(x)`: scopes and methods of a model are called on what the others answer.
  const isChained = !/^[A-Z]/.test(direct)
  const owner = isChained ? parts.findLast((part) => /^[A-Z]/.test(part)) : direct
  if (owner === undefined) return []
  const found = offers.filter(
    ({ name, path: file }) =>
      name.replaceAll("::", ".").endsWith(`${owner}.${parts.at(-1)}`) && (!isChained || isModel.test(file))
  )
  const exact = found.filter(({ name }) => name.replaceAll("::", ".").split(".").at(-2) === owner)
  return new Set(exact.map((offer) => offer.path)).size <= 2 ? exact : []
}

/** By the name of the class; an interface is implemented by the class that carries its name without the I. */
const csharp = (_from: string, path: string, offers: Offers): Offers => {
  const parts = path.replace(/^(?:local|self):/, "").split(".")
  const owner = parts.at(-2)
  if (owner === undefined || !/^[A-Z]/.test(owner)) return []
  const own = `${owner.replace(/^I(?=[A-Z])/, "")}.${parts.at(-1)}`
  const found = offers.filter(({ name }) => name === `${owner}.${parts.at(-1)}` || name === own)
  return new Set(found.map((offer) => offer.path)).size <= 2 ? found : []
}

const go = (from: string, path: string, offers: Offers): Offers => {
  const slash = path.lastIndexOf("/")
  const dot = path.indexOf(".", slash + 1)
  const isLocal = !path.includes("/")
  const folder = isLocal ? directoryOf(from) : path.slice(0, dot)
  const name = isLocal ? path.replace(/^(?:local|self):/, "") : path.slice(dot + 1)
  const here = offers.filter((offer) => {
    const own = directoryOf(offer.path)
    return isLocal ? own === folder : own !== "" && (folder === own || folder.endsWith(`/${own}`))
  })
  // What stands there may be an interface, which the one type with such a method implements.
  return pick(here, name, true)
}

/** Classes by their name, whatever namespace a file imports them from; functions by theirs. */
const php = (_from: string, path: string, offers: Offers): Offers => {
  const parts = path
    .replace(/^(?:local|self):/, "")
    .replace(/^\\/, "")
    .split(".")
  const owner = parts.at(-2)
  const name = owner === undefined ? lastSegment(path) : `${lastSegment(owner)}.${parts.at(-1)}`
  const found = offers.filter((offer) => offer.name === name)
  return new Set(found.map((offer) => offer.path)).size <= 2 ? found : []
}

/** `Post::published()->matching($x)` calls `Post::scopeMatching($query, $x)` in Laravel. */
const scopeOf = (path: string): { readonly method: string; readonly name: string } | null => {
  const parts = path.split(".")
  const model = lastSegment(parts[0]!)
  const last = parts.at(-1)!
  if (parts.length < 2 || !/^[A-Z]/.test(model)) return null
  const method = `scope${last.charAt(0).toUpperCase()}${last.slice(1)}`
  return { method, name: `${model}.${method}` }
}

const lastSegment = (name: string): string => name.slice(name.lastIndexOf("\\") + 1)

type Finder = (from: string, path: string, offers: Offers) => Offers

/** By the ending of the file that calls. */
const finders: Readonly<Record<string, Finder>> = { java, go, rb: ruby, cs: csharp, py: python, php }

/** The method of a class by which an object is made. */
const constructors: Readonly<Record<string, string>> = { rb: "initialize", php: "__construct", py: "__init__" }
