import type { FileSummary } from "../../core/tool/AuditTool.ts"
import { type Action, type Mount, paramsOf, pathPattern, type Route, type RouteTable } from "./Route.ts"

/** A route with what other files add to it. */
export interface JoinedRoute extends Route {
  /** File that declares it. */
  readonly file: string
  /** File and action that answer, where those are elsewhere. */
  readonly answeredBy: { readonly file: string; readonly action: Action } | null
}

interface Mounted {
  readonly prefix: string
  readonly guards: ReadonlyArray<string>
}

const stem = (path: string): string => path.replace(/\.\w+$/, "").replace(/\/(?:index|__init__)$/, "")

/** Last two parts of what a mount names: enough to distinguish files, whatever the roots of imports are. */
const tails = (target: string): ReadonlyArray<string> => {
  const plain = target
    .replace(/^(?:\.{1,2}\/|@\/|~\/)+/, "")
    .replace(/^\.+/, "")
    .replace(/\.(?:js|ts|mjs|cjs)$/, "")
  const path = plain.includes("/") ? plain : plain.replaceAll(".", "/")
  // `orders.router`: the last name may be the variable in the module.
  return plain.includes("/") ? [path] : [path, path.replace(/\/\w+$/, "")].filter((tail) => tail !== "")
}

/** By file: where its routes are put. Nested mounts are followed a few steps. */
export const mountedAt = (
  all: ReadonlyArray<{ readonly path: string; readonly mounts: ReadonlyArray<Mount> }>
): ReadonlyMap<string, Mounted> => {
  const byTail = new Map<string, Array<string>>()
  for (const { path } of all) {
    const parts = stem(path).split("/")
    for (let from = Math.max(0, parts.length - 5); from < parts.length; from++) {
      const tail = parts.slice(from).join("/")
      const known = byTail.get(tail)
      if (known === undefined) byTail.set(tail, [path])
      else known.push(path)
    }
  }
  const direct = new Map<
    string,
    { readonly by: string; readonly prefix: string; readonly guards: ReadonlyArray<string> }
  >()
  for (const { path, mounts } of all) {
    for (const { prefix, target, guards } of mounts) {
      const mounted = tails(target)
        .map((tail) => byTail.get(tail))
        .find((found) => found?.length === 1 && found[0] !== path)
      if (mounted !== undefined && !direct.has(mounted[0]!)) direct.set(mounted[0]!, { by: path, prefix, guards })
    }
  }
  const out = new Map<string, Mounted>()
  for (const path of direct.keys()) {
    let prefix = ""
    const guards: Array<string> = []
    for (let at = direct.get(path), depth = 0; at !== undefined && depth < 6; at = direct.get(at.by), depth++) {
      prefix = `${at.prefix}/${prefix}`
      guards.unshift(...at.guards)
    }
    out.set(path, { prefix, guards })
  }
  return out
}

/** Routes of the whole repository, for `finish`: prefixes of mounts in front, handlers in other files found by name. */
export const joinRoutes = (all: ReadonlyArray<FileSummary<RouteTable>>): ReadonlyArray<JoinedRoute> => {
  const mounts = mountedAt(all.map(({ path, facts }) => ({ path, mounts: facts.mounts })))
  const actions = new Map<string, { readonly file: string; readonly action: Action }>()
  for (const { path, facts } of all) {
    for (const action of facts.actions) {
      const name = action.framework === "rails" ? action.name : action.name.split(".")[0]!
      if (!actions.has(name)) actions.set(name, { file: path, action })
    }
  }
  return all.flatMap(({ path, facts }) =>
    facts.routes.map((route): JoinedRoute => {
      const mount = mounts.get(path)
      const full = mount === undefined ? route.path : pathPattern(mount.prefix, route.path)
      const key = route.framework === "rails" ? (route.handler ?? "") : (route.handler?.split(".").at(-1) ?? "")
      const isElsewhere = route.handlerNode < 0 && (route.framework === "rails" || route.framework === "django")
      const answeredBy = isElsewhere ? (actions.get(key) ?? null) : null
      return {
        ...route,
        path: full,
        params: paramsOf(full),
        guards: [...(mount?.guards ?? []), ...route.guards, ...(answeredBy?.action.guards ?? [])],
        isOpen: route.isOpen || (answeredBy?.action.isOpen ?? false),
        file: path,
        answeredBy
      }
    })
  )
}
