import type { SourceFile } from "../../core/files/SourceFile.ts"
import { asksWho, isMutating } from "../../structure/routes/Route.ts"
import { routeTable } from "../../structure/routes/routeTable.ts"

/** A route or an action, reduced to what access to it depends on. */
export interface Entry {
  readonly group: string
  /** `DELETE /orders/{id}`, or the action's name. */
  readonly label: string
  readonly path: string
  readonly isMutating: boolean
  readonly guards: ReadonlyArray<string>
  readonly isOpen: boolean
  readonly start: number
  readonly end: number
  readonly node: number
  /** Text of the handler, empty when it is in another file. */
  readonly body: string
}

const MAX_BODY = 20_000

const bodyOf = (file: SourceFile, start: number, end: number): string =>
  start < 0 ? "" : file.text.slice(start, Math.min(end, start + MAX_BODY))

const headEnd = (file: SourceFile, start: number, end: number): number => {
  const stop = file.text.indexOf("\n", start)
  return stop < 0 ? end : Math.min(stop, end)
}

const writes =
  /\.(?:save|save!|create|create!|update|update!|destroy|destroy!|delete|remove|update_attributes?|update_columns?|delete_all|destroy_all)\b(?:!|\()?/

const read = (file: SourceFile): ReadonlyArray<Entry> => {
  const { routes, actions } = routeTable(file)
  const fromRoutes = routes
    .filter(({ framework }) => framework !== "rails" && framework !== "django")
    .map(
      (route): Entry => ({
        group: route.group,
        label: `${route.method} ${route.path}`,
        path: route.path,
        isMutating: isMutating(route.method),
        guards: route.guards,
        isOpen: route.isOpen,
        start: route.start,
        end: headEnd(file, route.start, route.end),
        node: route.handlerNode,
        body: bodyOf(file, route.handlerStart, route.handlerEnd)
      })
    )
  const fromActions = actions.map((action): Entry => {
    const body = bodyOf(file, action.start, action.end)
    const isWrite =
      action.methods.length > 0 ? action.methods.some(isMutating) : action.framework === "rails" && writes.test(body)
    return {
      group: action.group,
      label: action.name,
      path: action.name,
      isMutating: isWrite,
      guards: action.guards,
      isOpen: action.isOpen,
      start: action.start,
      end: headEnd(file, action.start, action.end),
      node: action.node,
      body
    }
  })
  return [...fromRoutes, ...fromActions]
}

export const entries = (file: SourceFile): ReadonlyArray<Entry> => file.memo(read, read)

export const isGuarded = ({ guards }: Entry): boolean => guards.some(asksWho)

export const byGroup = (all: ReadonlyArray<Entry>): ReadonlyArray<ReadonlyArray<Entry>> => {
  const groups = new Map<string, Array<Entry>>()
  for (const entry of all) {
    const known = groups.get(entry.group)
    if (known === undefined) groups.set(entry.group, [entry])
    else known.push(entry)
  }
  return [...groups.values()]
}
