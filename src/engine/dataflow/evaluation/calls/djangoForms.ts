import { NONE } from "../../../languages/tree/FlatTree.ts"
import { Contents, collection, isTainted, unknown, type Value } from "../../values/Value.ts"
import type { EvaluatedCall } from "../EvaluatedCall.ts"
import { memberOf } from "../members.ts"
import type { Run } from "../Run.ts"

const formField = /^[ \t]+(\w+)[ \t]*=[ \t]*(?:\w+\.)?(\w+Field)\(([^\n]*)/gm
/** Fields that let through any text. */
const anyText = /^(?:Char|JSON|URL|File|Image)Field$/
const restricted = /\b(?:validators|choices|regex)\s*=/

/**
 * `SearchForm(request.POST)` of Django: which of its fields hold text of any kind, as far as its class in this file says
 * so. What a form of another file lets through is taken for harmless.
 */
export const djangoForm = (run: Run, node: number, { call, receiver, args, named }: EvaluatedCall): Value | null => {
  const { tree, file } = run
  if (file.language !== "python" || receiver !== null || !call.callee.endsWith("Form")) return null
  const data = named.get("data") ?? args[0]
  const owner = data !== undefined && isTainted(data) ? run.index.classNode(call.callee) : NONE
  if (data === undefined || owner === NONE) return null
  const fields = new Contents()
  for (const [, name, kind, options] of tree.textOf(owner).matchAll(formField)) {
    const isText = anyText.test(kind!) && !restricted.test(options!)
    fields.set(name!, isText ? memberOf(run, node, data, name!) : unknown("clean"))
  }
  if (fields.size === 0) return null
  const form = collection(`local:${call.callee}`)
  form.fields?.set("cleaned_data", { ...collection(), fields })
  return form
}
