import { NONE } from "../../../languages/tree/FlatTree.ts"
import { collection, type Value, withoutConstant } from "../../values/Value.ts"
import { addField } from "../binding.ts"
import type { EvaluatedCall } from "../EvaluatedCall.ts"
import type { Run } from "../Run.ts"

/** Names of the fields that a class without a constructor of its own takes, in order; null for other classes. */
const fieldsOf = (run: Run, name: string): ReadonlyArray<string> | null => {
  const known = run.recordFields.get(name)
  if (known !== undefined) return known
  const owner = run.index.classNode(name)
  const found = owner === NONE ? null : declaredFields(run, owner, name)
  run.recordFields.set(name, found)
  return found
}

const declaredFields = (run: Run, owner: number, name: string): ReadonlyArray<string> | null => {
  const { tree, file } = run
  if (file.language === "python")
    return run.index.named(`${name}.__init__`) === undefined ? annotated(run, owner) : null
  if (file.language !== "java" && file.language !== "csharp") return null
  const list = tree.child(owner, "parameters")
  const parameters = list === NONE ? tree.childOfKind(owner, "parameter_list") : list
  const names =
    parameters === NONE ? [] : tree.namedChildren(parameters).map((one) => tree.textOf(tree.child(one, "name")))
  return names.length === 0 ? null : names
}

/** A data class, a named tuple or a model: its fields are what it annotates. */
const annotated = ({ tree }: Run, owner: number): ReadonlyArray<string> | null => {
  const above = tree.parent(owner)
  const head = tree.text.slice(
    tree.start(tree.is(above, "decorated_definition") ? above : owner),
    tree.start(owner) + 200
  )
  if (!/@(?:\w+\.)*(?:dataclass|define|frozen|attrs?)\b|\b(?:NamedTuple|BaseModel|TypedDict|SQLModel)\b/.test(head))
    return null
  const names = tree.namedChildren(tree.child(owner, "body")).flatMap((statement) => {
    const assignment = tree.namedChildren(statement)[0] ?? NONE
    const isField = tree.is(assignment, "assignment") && tree.child(assignment, "type") !== NONE
    return isField ? [tree.textOf(tree.child(assignment, "left"))] : []
  })
  return names.length === 0 ? null : names
}

/** `Job(name=x, kind="low")`, `new Job(x, "low")`: an object whose fields hold the arguments; null for other calls. */
export const recordAt = (run: Run, { call, args, named }: EvaluatedCall): Value | null => {
  if (call.receiver !== null || (run.file.language !== "python" && !call.isNew)) return null
  const fields = /^[A-Z]/.test(call.callee) ? fieldsOf(run, call.callee) : null
  if (fields === null) return null
  const value = collection(`local:${call.callee}`)
  fields.forEach((name, i) => {
    const given = named.get(name) ?? args[i]
    if (given !== undefined) addField(value, name, withoutConstant(given))
  })
  return value
}
