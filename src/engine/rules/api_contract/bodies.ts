import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { isMutating, type Route } from "../../structure/routes/Route.ts"
import { routeTable } from "../../structure/routes/routeTable.ts"
import type { RuleId } from "./rules.ts"

const validates =
  /valid|schema|celebrate|joi\b|zod|\bajv|superstruct|\byup\b|safeParse|\.parse\(|checkBody|sanitiz|marshmallow|pydantic|load\(|dto\b|assertBody|parseBody|Schema\b/i
const readsBody = /\breq(?:uest)?\.body\b|\bctx\.request\.body\b|\brequest\.(?:get_json\(|json\b)/
/** Looks at what came, by hand. */
const checksItself =
  /typeof\s|instanceof|Array\.isArray|status\(4\d\d\)|\b4(?:00|22)\b|badRequest|BadRequest|abort\(|isinstance\(|throw new|raise /

const MIN_VALIDATED = 3
const MAX_BODY = 20_000

const bodyOf = (file: SourceFile, route: Route): string =>
  route.handlerNode < 0
    ? ""
    : file.text.slice(route.handlerStart, Math.min(route.handlerEnd, route.handlerStart + MAX_BODY))

/** Handlers that use the body as it came where those beside them check it first. */
export const unvalidatedBodies = (file: SourceFile, emit: Emit<RuleId>): void => {
  const groups = new Map<string, Array<Route>>()
  for (const route of routeTable(file).routes) {
    if (!isMutating(route.method)) continue
    const known = groups.get(route.group)
    if (known === undefined) groups.set(route.group, [route])
    else known.push(route)
  }
  for (const routes of groups.values()) {
    if (routes.length <= MIN_VALIDATED) continue
    const isValidated = (route: Route): boolean => {
      const head =
        route.handlerStart < 0
          ? file.text.slice(route.start, Math.min(route.end, route.start + 400))
          : file.text.slice(route.start, Math.min(route.handlerStart, route.start + 400))
      return (
        route.guards.some((guard) => validates.test(guard)) ||
        validates.test(head) ||
        validates.test(bodyOf(file, route))
      )
    }
    const validated = routes.filter(isValidated)
    const bare = routes.filter((route) => {
      const body = bodyOf(file, route)
      return !isValidated(route) && readsBody.test(body) && !checksItself.test(body)
    })
    if (validated.length < MIN_VALIDATED || bare.length * 3 > validated.length) continue
    for (const route of bare) {
      const stop = file.text.indexOf("\n", route.start)
      const message = `\`${route.method} ${route.path}\` uses the body as it came; ${validated.length} of the ${routes.length} routes beside it that change data check it first.`
      emit({
        rule: "unvalidated_body",
        start: route.start,
        end: stop < 0 ? route.end : Math.min(stop, route.end),
        message
      })
    }
  }
}
