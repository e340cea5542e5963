import { NONE } from "../../../languages/tree/FlatTree.ts"
import type { Scope } from "../../values/Scope.ts"
import { isPath, write } from "../binding.ts"
import type { EvaluatedCall } from "../EvaluatedCall.ts"
import type { Run } from "../Run.ts"
import { readAt, storedClass } from "./storedRecords.ts"

/** `db.First(&host, id)`. */
export const fillRecords = (run: Run, scope: Scope, { call, path, args }: EvaluatedCall): void => {
  if (run.language.records?.fills?.test(path) !== true) return
  call.args.forEach((arg, i) => {
    const target = run.tree.child(arg, "operand")
    const owner = target === NONE || args[i] === undefined ? null : storedClass(args[i])
    if (owner === null || !isPath(run.tree.textOf(target))) return
    write(run, scope, target, readAt(run, arg, owner, "", args[i]?.type ?? null))
  })
}
