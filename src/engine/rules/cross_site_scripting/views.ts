import { baseName } from "../../core/text/paths.ts"
import type { EmitAt, FileSummary, Match, Step } from "../../core/tool/AuditTool.ts"
import type { RuleId } from "./rules.ts"
import { isHarmless, originOf, type RawOutput } from "./templates.ts"
import type { ViewLocal } from "./viewLocals.ts"

export interface ViewFacts {
  readonly outputs?: ReadonlyArray<RawOutput>
  readonly locals?: ReadonlyArray<ViewLocal>
}

/** Name of a view as controllers spell it: no folder of all views, no endings. */
const nameOf = (path: string): string =>
  path
    .replace(/^(?:.*\/)?(?:views|templates|WEB-INF\/\w+)\//i, "")
    .replace(/^\/+/, "")
    .replace(/(?:\.[a-z0-9]{1,12}){1,3}$/i, "")
    .replaceAll(".", "/")
    .toLowerCase()

/** The folder of a controller's views: `posts` of `posts_controller.rb` and `PostsController.cs`. */
const controllerOf = (path: string): string =>
  /([A-Za-z0-9_]+?)_?[cC]ontroller\.\w+$/.exec(path)?.[1]?.toLowerCase() ?? ""

const isRendered = (view: string, path: string, { view: spelled, action }: ViewLocal): boolean => {
  if (spelled !== "") {
    const name = nameOf(spelled)
    return view === name || view.endsWith(`/${name}`) || (!name.includes("/") && baseName(view) === name)
  }
  const controller = controllerOf(path)
  return controller !== "" && action !== "" && view.endsWith(`${controller}/${action.toLowerCase()}`)
}

const outputMatch = (output: RawOutput): Match<RuleId> | null => {
  const origin = originOf(output.expression)
  if (origin === null) return null
  const at = { start: output.start, end: output.end, noun: nounOf(output.expression) }
  const shown = `\`${output.expression.replaceAll("`", "'")}\``
  switch (origin) {
    case "request":
      return {
        ...at,
        rule: "request_in_template",
        source: "request",
        message: `${shown} comes from the request and is rendered without escaping.`
      }
    case "visitor":
      return {
        ...at,
        rule: "unescaped_template_value",
        message: `${shown} is rendered without escaping, and its name suggests visitor input.`
      }
    case "unknown":
      return {
        ...at,
        rule: "raw_template_output",
        message: `${shown} is rendered without escaping, and nothing here shows that it holds no markup of others.`,
        checks: [
          { looked_for: "a call that escapes or sanitizes the value in the template", found: false },
          { looked_for: "a controller of this repository that hands it a value of a request", found: false }
        ]
      }
  }
}

const nounOf = (expression: string): string => expression.replaceAll("`", "'").slice(0, 70)

const joinedMatch = (output: RawOutput, path: string, local: ViewLocal): Match<RuleId> => {
  const steps: ReadonlyArray<Step> = [
    { path, start: local.start, end: local.end, note: `\`${local.value.replaceAll("`", "'")}\` is untrusted input` },
    { start: output.start, end: output.end, note: `the view renders \`${local.name}\` without escaping` }
  ]
  return {
    rule: "request_in_template",
    start: output.start,
    end: output.end,
    noun: nounOf(output.expression),
    source: "request",
    message: `\`${nounOf(output.expression)}\` is rendered without escaping; \`${path}\` sets it to \`${local.value.replaceAll("`", "'")}\`, which comes from the request.`,
    steps
  }
}

/** A value of unknown origin is one finding for each view, however many values it renders. */
const oncePerView = (path: string, matches: ReadonlyArray<Match<RuleId>>): ReadonlyArray<Match<RuleId>> => {
  const isPlain = ({ rule }: Match<RuleId>) => rule === "raw_template_output"
  const plain = matches.filter(isPlain).length
  if (plain < 2) return matches
  const others = `The view renders ${plain} values so.`
  return matches.map((match) =>
    isPlain(match) ? { ...match, subject: `raw output in ${path}`, message: `${match.message} ${others}` } : match
  )
}

const isSanitized = (expression: string): boolean =>
  isHarmless(expression.replace(/\bhtml\b|\bbody\b|contents?/gi, "x"))

/** Joins what controllers hand to views with what the views render without escaping. */
export const joinViews = (summaries: ReadonlyArray<FileSummary<ViewFacts>>, emit: EmitAt<RuleId>): void => {
  const locals = summaries.flatMap(({ path, facts }) => (facts.locals ?? []).map((local) => ({ path, local })))
  for (const { path, facts } of summaries) {
    const view = nameOf(path)
    const matches = (facts.outputs ?? []).flatMap((output): ReadonlyArray<Match<RuleId>> => {
      const from = locals.find(
        ({ path: controller, local }) => local.name === output.root && isRendered(view, controller, local)
      )
      const match =
        from !== undefined && !isSanitized(output.expression)
          ? joinedMatch(output, from.path, from.local)
          : outputMatch(output)
      return match === null ? [] : [match]
    })
    for (const match of oncePerView(path, matches)) emit(path, match)
  }
}
