import { Args, Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { type AuditTool, exampleText, fixableRules, loadCatalogue, type Rule, Rules } from "../engine/index.ts"
import { namesOf } from "./chosenRules.ts"
import { failed } from "./failures.ts"
import { nearest } from "./nearest.ts"
import { type Paint, paintFor, writeOut } from "./terminal.ts"
import { wrapped } from "./terminalText.ts"

const PAGE_WIDTH = 96

interface KnownRule {
  readonly id: string
  readonly tool: AuditTool
  readonly rule: Rule
}

const rulesOf = (tools: ReadonlyArray<AuditTool>): ReadonlyArray<KnownRule> =>
  tools.flatMap((tool) => Object.entries(tool.rules).map(([id, rule]) => ({ id: `${tool.id}.${id}`, tool, rule })))

/** What `--json` prints of a rule. */
const recordOf = ({ id, tool, rule }: KnownRule) => {
  const { kind, priority, confidence, isOn } = Rules.reportedAs(tool, id.slice(tool.id.length + 1))
  return {
    rule_id: id,
    tool: tool.id,
    suite: tool.suite,
    title: rule.title,
    kind,
    priority,
    confidence,
    on_by_default: isOn,
    category: rule.category ?? tool.category,
    domain: tool.domain,
    languages: rule.languages,
    cwe: rule.cwe,
    has_fixer: fixableRules.has(id)
  }
}

const text = (paragraph: string): string => wrapped(paragraph, PAGE_WIDTH).join("\n")

const code = (label: string, source: string, paint: Paint): string =>
  [
    paint("bold", label),
    ...exampleText(source)
      .trimEnd()
      .split("\n")
      .map((line) => `    ${line}`)
  ].join("\n")

const page = (known: KnownRule, paint: Paint): string => {
  const { rule } = known
  const record = recordOf(known)
  const share = `${Math.round(record.confidence * 100)} of 100 such matches are right`
  return [
    `${paint("bold", rule.title)}\n${known.id}`,
    text(rule.description),
    [
      `Reported as:  ${record.on_by_default ? `${record.kind}, ${record.priority} (${share})` : `nothing, unless switched on (${share})`}`,
      `Category:     ${record.category}`,
      `Languages:    ${record.languages.join(", ")}`,
      ...(rule.cwe.length === 0 ? [] : [`Weakness:     ${rule.cwe.map((id) => `CWE-${id}`).join(", ")}`]),
      `Runs in:      ${record.suite === "standard" ? "every audit" : "audits with --full"}`,
      `Fixer:        ${record.has_fixer ? "yes, assay audit --fix" : "none"}`
    ].join("\n"),
    ...(rule.example === null
      ? []
      : [
          code(`Reported (${rule.example.path}):`, rule.example.bad, paint),
          code("Put right:", rule.example.good, paint)
        ]),
    `To leave one place out, write beside it why:\n    assay: ignore ${known.id} -- <reason>\nTo leave the rule out: --exclude ${known.id}`
  ].join("\n\n")
}

const toolPage = (tool: AuditTool, paint: Paint): string =>
  [
    paint("bold", tool.id),
    ...Object.entries(tool.rules).map(([id, rule]) => `  ${tool.id}.${id}\n      ${rule.title}`),
    "",
    "assay explain <rule> says more of each."
  ].join("\n")

export const explain = Command.make(
  "explain",
  {
    rule: Args.text({ name: "rule" }).pipe(Args.withDescription("Id of a rule, such as sql_injection.untrusted_sql."))
  },
  ({ rule: name }) =>
    Effect.gen(function* () {
      const tools = yield* Effect.promise(loadCatalogue)
      const paint = paintFor(process.stdout)
      const known = rulesOf(tools).find(({ id }) => id === name)
      const tool = tools.find(({ id }) => id === name)
      if (known !== undefined) yield* writeOut(`${page(known, paint)}\n`)
      else if (tool !== undefined) yield* writeOut(`${toolPage(tool, paint)}\n`)
      else
        yield* failed(
          `there is no rule or tool ${JSON.stringify(name)}.${nearest(name, namesOf(tools))} assay rules lists all.`
        )
    })
).pipe(Command.withDescription("Say what a rule reports, why it matters, and how to fix it."))

export const rules = Command.make(
  "rules",
  {
    tool: Options.text("tool").pipe(Options.withDescription("Only the rules of this tool."), Options.optional),
    language: Options.text("language").pipe(Options.withDescription("Only rules for this language."), Options.optional),
    json: Options.boolean("json").pipe(Options.withDescription("Print the rules as JSON."))
  },
  ({ tool, language, json }) =>
    Effect.gen(function* () {
      const tools = yield* Effect.promise(loadCatalogue)
      const all = rulesOf(tools)
      yield* checkName(
        "--tool",
        tool,
        tools.map(({ id }) => id)
      )
      yield* checkName("--language", language, [...new Set(all.flatMap(({ rule }) => rule.languages))])
      const chosen = all.filter(
        ({ tool: { id }, rule }) =>
          Option.match(tool, { onNone: () => true, onSome: (name) => name === id }) &&
          Option.match(language, {
            onNone: () => true,
            onSome: (name) => rule.languages.some((one) => one === name)
          })
      )
      if (json) yield* writeOut(`${JSON.stringify(chosen.map(recordOf), null, 2)}\n`)
      else yield* writeOut(`${[...chosen.map(lineOf), "", `${chosen.length} rules.`].join("\n")}\n`)
    })
).pipe(Command.withDescription("List all rules, with how sure each is."))

const lineOf = (known: KnownRule): string => {
  const { rule_id, kind, priority, confidence, on_by_default } = recordOf(known)
  const reported = on_by_default ? `${priority} ${kind}` : "off"
  return `${rule_id}  ${reported}, ${Math.round(confidence * 100)} %, ${known.rule.languages.join(" ")}`
}

const checkName = (option: string, given: Option.Option<string>, names: ReadonlyArray<string>) =>
  Option.match(given, {
    onNone: () => Effect.void,
    onSome: (name) =>
      names.includes(name)
        ? Effect.void
        : failed(`${option}: there is no ${JSON.stringify(name)}.${nearest(name, names)} Known: ${names.join(", ")}.`)
  })
