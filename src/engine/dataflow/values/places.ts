import { evaluate } from "../evaluation/evaluate.ts"
import type { Place, Run } from "../evaluation/Run.ts"
import type { Natural, Scope } from "./Scope.ts"
import { join } from "./Value.ts"

const keyOf = (run: Run, path: string): string => `${run.frame.info?.node ?? ""} ${path}`

/** Remember where a path was written or tested, for the paths of control that leave it alone. */
export const mark = (run: Run, path: string, place: Place): void => {
  const key = keyOf(run, path)
  const known = run.places.get(key)
  if (known === undefined || (place.written !== null && known.written?.holder !== place.written.holder)) {
    run.places.set(key, place)
  }
}

const naturalOf =
  (run: Run): Natural =>
  (scope, path) => {
    const place = run.places.get(keyOf(run, path))
    if (place === undefined) return undefined
    const { node, written } = place
    if (written !== null && evaluate(run, scope, written.object) === written.holder) {
      const name = path.slice(path.lastIndexOf(".") + 1)
      const known = written.holder.fields?.get(name)
      // It is one object on all paths, and what one of them wrote is in it.
      if (known !== undefined) written.holder.fields?.set(name, join(known, written.before))
      return written.before
    }
    return evaluate(run, scope, node)
  }

/** Joining paths costs as much as there are variables: a budget holds for files made to have many of both. */
export const merge = (run: Run, scope: Scope, paths: ReadonlyArray<Scope>): void => {
  run.fuel -= scope.all.size >> 3
  scope.become(paths, naturalOf(run))
}
