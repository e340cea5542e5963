import type { FileSummary } from "../../core/tool/AuditTool.ts"
import type { FlowFacts, FunctionFact, TaintFact } from "../facts.ts"
import { recordName, recordOwner } from "../values/records.ts"

/** A field is given something tainted by a function. */
export interface FieldStore {
  readonly path: string
  readonly owner: FunctionFact
  readonly taints: ReadonlyArray<TaintFact>
  readonly except: ReadonlyArray<string>
  readonly isSetter: boolean
}

/** What the files of a project say together of one class of records. */
interface Stored {
  /** Files that declare a class of that name. */
  readonly files: Set<string>
  readonly clean: Set<string>
  readonly setters: Set<string>
}

/** One class of a name is the class that is meant; of several nothing is known. */
const MAX_DECLARATIONS = 1

/** Who writes to fields: of objects in their own classes, and of records that are stored. */
export class StoredFields {
  private readonly stores = new Map<string, Array<FieldStore>>()
  private readonly records = new Map<string, Stored>()

  constructor(files: ReadonlyArray<FileSummary<FlowFacts>>) {
    for (const { path, facts } of files) {
      for (const one of facts.records) this.declare(path, one)
      for (const owner of facts.functions) {
        for (const { owner: type, field, taints, except = [], isSetter = false } of owner.writes) {
          this.note(`${type}.${field}`, { path, owner, taints, except, isSetter })
        }
      }
    }
  }

  private declare(path: string, { name, clean, isTable, setters }: FlowFacts["records"][number]): void {
    const known = this.records.get(name) ?? { files: new Set(), clean: new Set(), setters: new Set() }
    this.records.set(name, known)
    if (!isTable) known.files.add(path)
    for (const field of clean) known.clean.add(field)
    for (const field of setters) known.setters.add(field)
  }

  private note(key: string, store: FieldStore): void {
    const known = this.stores.get(key)
    if (known === undefined) this.stores.set(key, [store])
    else known.push(store)
  }

  /** Stores of a field, by the class that was read in the file at `path`. */
  storesOf(path: string, type: string, field: string): ReadonlyArray<FieldStore> {
    const name = recordName(type)
    return name === null ? this.ownStores(path, type, field) : this.recordStores(name, field)
  }

  /** Classes of one name in different files are different classes, except where a language reopens them. */
  private ownStores(path: string, type: string, field: string): ReadonlyArray<FieldStore> {
    const all = this.stores.get(`${type}.${field}`) ?? []
    return /\.(?:rb|cs|go)$/.test(path) ? all : all.filter((store) => store.path === path)
  }

  private recordStores(name: string, field: string): ReadonlyArray<FieldStore> {
    const known = this.records.get(name)
    // A table that is named where it is used needs no class.
    const isTable = /^[a-z]/.test(name)
    if (field === "" || (!isTable && (known === undefined || known.files.size !== MAX_DECLARATIONS))) return []
    if (known?.clean.has(field) === true) return []
    const owner = recordOwner(name)
    const direct = (this.stores.get(`${owner}.${field}`) ?? []).filter(
      ({ isSetter }) => !isSetter || known?.setters.has(field) !== true
    )
    const wholes = (this.stores.get(`${owner}.*`) ?? []).filter(({ except }) => !except.includes(field))
    const own = (this.stores.get(`${name}.${field}`) ?? []).filter(({ path }) => known?.files.has(path) === true)
    return [...direct, ...wholes, ...own]
  }
}
