import { NONE } from "../../../languages/tree/FlatTree.ts"
import { classOfTable } from "../../joining/recordClasses.ts"
import { recordOrigin, recordOwner } from "../../values/records.ts"
import { FIELD, isTainted, isWhole, SPREAD, tainted, type Value, withStep, withType } from "../../values/Value.ts"
import type { EvaluatedCall } from "../EvaluatedCall.ts"
import { memberOf } from "../members.ts"
import { MAX_WRITES, originAt, type Run } from "../Run.ts"

const nameIn = (pattern: RegExp | undefined, text: string): string | null => {
  const match = pattern?.exec(text) ?? null
  if (match === null) return null
  const table = match.groups?.table
  return table === undefined ? (match.slice(1).find((group) => group !== undefined) ?? null) : classOfTable(table)
}

/** A call as a pattern of a model sees it; long ones are chains, of which the receiver says what they are. */
const written = ({ call }: EvaluatedCall): string =>
  call.callee.length > 120 ? "" : call.isNew && call.method !== "new" ? `new ${call.callee}` : call.callee

const className = (text: string | null): string | null => /(?:^|[.:/\\])([A-Z]\w*)$/.exec(text ?? "")?.[1] ?? null

/** The class whose records a call is asked for: `session.get(Note, id)`, `entities.find(Note.class, id)`. */
const askedClass = (run: Run, { call, args }: EvaluatedCall): readonly [name: string, field: string] | null => {
  for (let i = 0; i < Math.min(call.args.length, 2); i++) {
    const text = run.tree.textOf(call.args[i] ?? NONE).slice(0, 120)
    const own = /^(?:[\w.]+\.)?([A-Z]\w*?)(?:\.class|::class)?$/.exec(text)?.[1]
    if (own !== undefined && args[i] !== undefined && !isTainted(args[i]!)) return [own, ""]
    const column = /^(?:\w+\.)?([A-Z]\w*)\.([a-z_]\w*)$/.exec(text)
    if (column !== null) return [column[1]!, column[2]!]
  }
  return null
}

/** A stored record, or one of its fields, as it is read at a node. */
export const readAt = (run: Run, node: number, name: string, field: string, type: string | null): Value => {
  const shown = field === "" ? name : `${name}.${field}`
  const origin = originAt(run, node, {
    kind: "field",
    name: shown,
    path: recordOwner(name),
    index: FIELD,
    property: field
  })
  return tainted({ origin, trail: null, safe: 0 }, type)
}

/** What a call reads from the records that the program stored; null for other calls. */
export const loadedAt = (run: Run, node: number, at: EvaluatedCall, type: string | null): Value | null => {
  const { records } = run.language
  const { call, receiver, args } = at
  if (records === null) return null
  const name = nameIn(records.loads, written(at)) ?? nameIn(records.loads, at.path)
  if (name !== null) return readAt(run, node, name, "", type)
  if (records.loadsOf?.test(call.method) === true) {
    const asked = askedClass(run, at)
    if (asked !== null) return readAt(run, node, ...asked, type)
    const query = args[0]
    if (query !== undefined && recordOrigin(query) !== null) return withType(query, type)
  }
  return receiver === null || recordOrigin(receiver) === null ? null : ofRecord(run, node, at, receiver, type)
}

/** A query gives records as its methods do, a record its fields by accessors. */
const ofRecord = (run: Run, node: number, at: EvaluatedCall, receiver: Value, type: string | null): Value | null => {
  const { records, cleanMethods, cleanAnswers } = run.language
  const { call, args } = at
  if (args.some(({ callable }) => callable !== null)) return null
  if (records?.chains?.test(call.method) === true) return withType(receiver, type)
  if (args.length > 0 || cleanMethods.has(call.method) || cleanAnswers?.test(call.method) === true) return null
  const field = nameIn(records?.accessors, call.method)
  return field === null ? null : memberOf(run, node, receiver, decapitalised(field))
}

const decapitalised = (name: string): string => name.slice(0, 1).toLowerCase() + name.slice(1)

/** Parts of an argument that hold the fields, and those that are options of the call. */
const holding = /^(?:data|defaults|create|update|values|\$set)$/
const options = /^(?:where|include|select|orderBy|returning|transaction|upsert|new|\$(?!set$)\w+)$/
/** Some fields only, which the call names: nothing is known of one of them. */
const chosen = /\.(?:only|except|validated?|safe)\(\)$/
/** The first argument says which record is meant. */
const choosing = /^(?:findByIdAndUpdate|findOneAndUpdate|findOneAndReplace|updateOne|updateMany|replaceOne)$/

const noteStore = (
  run: Run,
  node: number,
  name: string,
  field: string,
  value: Value,
  except?: ReadonlyArray<string>
) => {
  if (!isTainted(value) || run.frame.writes.length >= MAX_WRITES) return
  const note = field === "*" ? `is stored in a \`${name}\`` : `is stored as \`${field}\` of a \`${name}\``
  const stored = withStep(value, run.tree.start(node), run.tree.end(node), note)
  const write = { owner: recordOwner(name), field, path: "", value: stored }
  run.frame.writes.push(except === undefined ? write : { ...write, except })
}

const noteFields = (run: Run, node: number, name: string, fields: ReadonlyMap<string, Value>): void => {
  for (const [field, value] of fields) {
    if (options.test(field)) continue
    if (holding.test(field) && value.fields !== null) noteFields(run, node, name, value.fields)
    else if (field === SPREAD) noteStore(run, node, name, "*", value, [...fields.keys()])
    else if (field !== "*") noteStore(run, node, name, field, value)
  }
}

/** What a call stores in fields of records: by name, in an object, or by a setter. */
export const noteStores = (run: Run, node: number, at: EvaluatedCall): void => {
  const { records } = run.language
  if (records === null) return
  const { call, receiver, args, named } = at
  const name = nameIn(records.stores, written(at))
  const isUpdate = name === null && receiver !== null && records.updates?.test(call.method) === true
  const owner = isUpdate ? storedClass(receiver) : name
  if (records.saves?.test(at.path) === true) noteSaved(run, node, args)
  if (owner === null) return noteSetter(run, node, at)
  noteFields(run, node, owner, named)
  for (const arg of choosing.test(call.method) ? args.slice(1) : args) {
    if (arg.fields !== null) noteFields(run, node, owner, arg.fields)
    else if (records.takesWhole === true && arg === args[0] && isWhole(arg) && !chosen.test(arg.type ?? ""))
      noteStore(run, node, owner, "*", arg)
  }
}

/** `db.Hosts.Add(host)`: what the object was given before. */
const noteSaved = (run: Run, node: number, args: ReadonlyArray<Value>): void => {
  for (const arg of args) {
    const owner = arg.fields === null ? null : storedClass(arg)
    if (owner !== null && arg.fields !== null) noteFields(run, node, owner, arg.fields)
  }
}

const noteSetter = (run: Run, node: number, { call, receiver, args }: EvaluatedCall): void => {
  const field = nameIn(run.language.records?.setters, call.method)
  const owner = field === null || receiver === null || args.length !== 1 ? null : storedClass(receiver)
  if (field === null || owner === null || !isTainted(args[0]!)) return
  const before = run.frame.writes.length
  noteStore(run, node, owner, decapitalised(field), args[0]!)
  const write = run.frame.writes[before]
  if (write !== undefined) run.frame.writes[before] = { ...write, isSetter: true }
}

/** The class of a record that was read, or of an object that may be stored; null where its type does not say. */
export const storedClass = (holder: Value): string | null => {
  const origin = recordOrigin(holder)
  if (origin !== null) return origin.path.slice(recordOwner("").length)
  return holder.type === null || /^(?:self|http):/.test(holder.type)
    ? null
    : className(holder.type.replace(/(?:\(\)|\.new\(\))+$/, ""))
}

/** `note.title = value`. */
export const noteFieldStore = (run: Run, node: number, holder: Value, name: string, value: Value): void => {
  if (run.language.records === null || !isTainted(value)) return
  const owner = storedClass(holder)
  if (owner !== null) noteStore(run, node, owner, name, value)
}
