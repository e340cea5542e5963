import { escape as escapeRegExp } from "effect/RegExp"
import { languageOf } from "../../core/files/Language.ts"
import { programLanguage } from "../../core/files/programLanguage.ts"
import type { ApiChange, ChangedPaths, LostName, UnreadFile } from "../ChangeDescription.ts"
import type { Api, ApiName, Signature } from "./Api.ts"
import type { Family } from "./apiOf.ts"
import { isEntry } from "./modules.ts"
import type { ParsedFile, Side } from "./Side.ts"

/** Contracts between programs: what they name is exported, and is not compared here. */
const isContract = (path: string): boolean => /\.(?:proto|graphqls?|thrift|avsc|wsdl)$/i.test(path)

const languageOfCode = (path: string): string | null =>
  isContract(path) ? "interface definitions" : programLanguage(path, languageOf(path))

/** A name at the head, with the file that declares it. */
interface Located {
  readonly path: string
  readonly api: ApiName
}

/** The names of all changed files at the head, and those that are new there. */
class HeadNames {
  private readonly scoped = new Map<string, Located>()
  private readonly fresh = new Map<string, Located>()
  private readonly members = new Map<string, Api>()

  add(file: ParsedFile & { readonly api: Api; readonly family: Family }, previous: Api | null): void {
    for (const [name, api] of file.api.names) {
      const located = { path: file.path, api }
      if (file.api.scope !== null) this.scoped.set(`${file.family} ${file.api.scope} ${name}`, located)
      if (api.isPublic && previous?.names.get(name)?.isPublic !== true)
        this.fresh.set(`${file.family} ${name}`, located)
    }
    for (const type of file.api.parents.keys()) this.members.set(`${file.family} ${lastName(type)}`, file.api)
    for (const name of file.api.names.keys())
      if (!this.members.has(`${file.family} ${lastName(name)}`))
        this.members.set(`${file.family} ${lastName(name)}`, file.api)
  }

  inScope(family: Family, scope: string, name: string): Located | undefined {
    return this.scoped.get(`${family} ${scope} ${name}`)
  }

  moved(family: Family, name: string): Located | undefined {
    return this.fresh.get(`${family} ${name}`)
  }

  /** The file that declares a type of this name. */
  declaring(family: Family, type: string): Api | undefined {
    return this.members.get(`${family} ${lastName(type)}`)
  }
}

const lastName = (name: string): string => /[\w$]+!?$/.exec(name)?.[0] ?? name

const separator = /(?:\.|::|#|\\)[^.:#\\]+$/

const ownerOf = (name: string): string => name.replace(separator, "")

/** What the change takes from callers of the files that it edits and deletes. */
export const compareApis = async (base: Side, head: Side, changes: ReadonlyArray<ChangedPaths>): Promise<ApiChange> => {
  const comparison = new Comparison(head)
  const pairs: Array<readonly [ParsedFile | null, ParsedFile | null]> = []
  for (const change of changes) {
    const before = change.base === null ? null : await base.file(change.base)
    const after = change.head === null ? null : await head.file(change.head)
    pairs.push([before, after])
    if (after?.api !== undefined && after.api !== null && after.family !== null) {
      comparison.names.add({ ...after, api: after.api, family: after.family }, before?.api ?? null)
    }
  }
  for (const [before, after] of pairs) if (before !== null) await comparison.compare(before, after, base)
  return comparison.result
}

class Comparison {
  readonly names = new HeadNames()
  private readonly head: Side
  private readonly files: Array<string> = []
  private readonly lost: Array<LostName> = []
  private readonly moved: Array<ApiChange["moved"][number]> = []
  private readonly unread: Array<UnreadFile> = []
  private count = 0

  constructor(head: Side) {
    this.head = head
  }

  get result(): ApiChange {
    const { files, count, lost, moved, unread } = this
    return { files, names: count, lost, moved, unread }
  }

  async compare(before: ParsedFile, after: ParsedFile | null, base: Side): Promise<void> {
    if (before.role !== "source") return
    const language = languageOfCode(before.path)
    if (before.family === null) {
      if (language !== null) this.unread.push({ path: before.path, reason: `no rules for ${language}` })
      return
    }
    if (before.api === null) {
      this.unread.push({ path: before.path, reason: before.problem ?? "" })
      return
    }
    const doubt = after === null ? null : unreadable(after)
    if (after !== null && doubt !== null) {
      this.unread.push({ path: after.path, reason: doubt })
      return
    }
    const own = [...before.api.names].filter(([, { isPublic }]) => isPublic)
    // What an entry hands on as a whole counts where it stops to.
    const exported = isEntry(before.path) ? (await base.exportsOf(before.path)).names : before.api.names
    const handedOn = [...exported].filter(([name, { isPublic }]) => isPublic && before.api?.names.has(name) === false)
    this.files.push(before.path)
    this.count += own.length
    const current = after?.api === undefined || after.api === null ? null : await this.head.exportsOf(after.path)
    const context = { before, after, family: before.family, scope: before.api.scope, current }
    const gone = new Set<string>()
    for (const [name, api] of [...own, ...handedOn]) this.name(name, api, context, gone)
  }

  private name(name: string, api: ApiName, context: Context, gone: Set<string>): void {
    const owner = ownerOf(name)
    if (gone.has(owner) && owner !== name) {
      gone.add(name)
      return
    }
    const found = this.find(name, context)
    if (found !== null) {
      const narrowed = narrowing(api.signatures, found.api.signatures)
      if (narrowed !== null) this.lose(name, context, narrowed)
      if (found.path !== (context.after?.path ?? null) && owner === name)
        this.moved.push({ name, from: context.before.path, to: found.path })
      return
    }
    gone.add(name)
    const doubt = this.doubt(name, context)
    if (doubt === null) this.lose(name, context, "is gone")
    else if (doubt !== "") this.unread.push({ path: context.after?.path ?? context.before.path, reason: doubt })
  }

  private lose(name: string, { before }: Context, loss: string): void {
    const line = before.lines.get(name) ?? 1
    this.lost.push({ path: before.path, line_start: line, line_end: line, name, loss })
  }

  private find(name: string, { before, after, family, scope, current }: Context): Located | null {
    const own = this.named(name, family, current)
    const isSameScope = scope === null || after?.api?.scope === scope
    if (own !== undefined && isSameScope && after !== null) return { path: after.path, api: own }
    if (scope !== null) {
      const located = this.names.inScope(family, scope, name)
      return located?.api.isPublic === true ? located : null
    }
    const moved = this.names.moved(family, name)
    return moved === undefined || (isEntry(before.path) && !isEntry(moved.path)) ? null : moved
  }

  /** A member of what a script exports by default is a name of its module in CommonJS. */
  private named(name: string, family: Family, current: Context["current"]): ApiName | undefined {
    const other = name.startsWith("default.") ? name.slice("default.".length) : `default.${name}`
    const found = current?.names.get(name) ?? (family === "javascript" ? current?.names.get(other) : undefined)
    return found?.isPublic === true ? found : undefined
  }

  /** Why a name may still be there; empty where it certainly is; null where it is not. */
  private doubt(name: string, { before, after, family, current }: Context): string | null {
    if (after?.api?.attributes.has(name) === true) return ""
    const inherited = before.api?.names.has(ownerOf(name)) === true ? this.inherited(name, family) : null
    if (inherited !== null) return inherited
    if (after === null || after.api === null) return null
    if (after.hasErrors && new RegExp(`(?<![\\w$])${escapeRegExp(lastName(name))}(?![\\w$])`).test(after.text)) {
      return `it has syntax errors, and may still have ${name}`
    }
    const isTop = ownerOf(name) === name
    return isTop && current?.isWhole === false ? `whether it still has ${name} only running it shows` : null
  }

  /** A member may be that of a type which its own type inherits from. */
  private inherited(name: string, family: Family): string | null {
    const owner = ownerOf(name)
    if (owner === name || name.endsWith(".constructor")) return null
    const member = name.slice(owner.length)
    const open = [owner]
    const seen = new Set<string>()
    let unknown: string | null = null
    for (let type = open.pop(); type !== undefined; type = open.pop()) {
      if (seen.has(type)) continue
      seen.add(type)
      const api = this.names.declaring(family, type)
      if (api === undefined) {
        if (!builtIn.has(type)) unknown ??= `${name} may be inherited from ${type}`
      } else if (type !== owner && hasMember(api, type, member)) return ""
      else open.push(...(parentsOf(api, type) ?? []))
    }
    return unknown
  }
}

/** Why a file at the head may export what cannot be seen; null where it is read, or exports nothing. */
const unreadable = ({ api, role, problem, path }: ParsedFile): string | null => {
  if (api !== null) return null
  if (role === "minified") return "its lines are too long to have been written by hand"
  if (role === "generated") return "it is generated now"
  return role === "source" ? (problem ?? `no rules for ${languageOfCode(path) ?? "files of this kind"}`) : null
}

interface Context {
  readonly before: ParsedFile
  readonly after: ParsedFile | null
  readonly family: Family
  readonly scope: string | null
  readonly current: { readonly names: Api["names"]; readonly isWhole: boolean } | null
}

/** Types of a language's own library that have no members a product would take back. */
const builtIn = new Set(
  "Exception BaseException ValueError TypeError RuntimeError KeyError LookupError OSError ImportError Generic Protocol ABC ABCMeta NamedTuple TypedDict Enum IntEnum StrEnum Flag dict list tuple set str int float bytes Error StandardError Struct Serializable Cloneable Comparable IDisposable EventEmitter".split(
    " "
  )
)

const hasMember = ({ names, attributes }: Api, type: string, member: string): boolean =>
  [...names.keys(), ...attributes].some((name) => name.endsWith(`${lastName(type)}${member}`))

const parentsOf = ({ parents }: Api, type: string): ReadonlyArray<string> | undefined =>
  [...parents].find(([name]) => lastName(name) === lastName(type))?.[1]

/** How calls that were valid are not any more; null where all still are. */
const narrowing = (before: ReadonlyArray<Signature>, after: ReadonlyArray<Signature>): string | null => {
  if (before.length === 0 || after.length === 0) return null
  const broken = before.find((old) => !after.some((now) => now.required <= old.required && now.most >= old.most))
  if (broken === undefined) return null
  const required = Math.min(...after.map((now) => now.required))
  if (required > broken.required)
    return `requires ${required} ${required === 1 ? "argument" : "arguments"} instead of ${broken.required}`
  const most = Math.max(...after.map((now) => now.most))
  if (most < broken.most)
    return Number.isFinite(broken.most)
      ? `takes at most ${most} ${most === 1 ? "argument" : "arguments"} instead of ${broken.most}`
      : `no longer takes any number of arguments`
  return `no longer takes ${broken.required} arguments`
}
