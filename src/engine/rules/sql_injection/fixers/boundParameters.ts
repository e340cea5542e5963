import type { SourceFile } from "../../../core/files/SourceFile.ts"
import { declined, type Edit, type FixSite, type Proposal } from "../../../core/fix/Fixer.ts"
import { lastAssigned } from "../../../languages/code/lastAssigned.ts"
import { localUses } from "../../../languages/code/localUses.ts"
import { argumentList, replacement } from "../../../languages/edits/arguments.ts"
import { quoteOf } from "../../../languages/edits/style.ts"
import { literalOf, textParts } from "../../../languages/edits/textParts.ts"
import { unwrap } from "../../../languages/syntax/strings.ts"
import { type Call, calls, enclosingFunction } from "../../../languages/syntax/vocabulary.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"
import { type Driver, driverOf } from "./drivers.ts"
import { type Bound, type BoundStatement, boundStatement } from "./statementText.ts"

const summary = "Pass values to the SQL statement as bound parameters"

/** Values that the call passes already, as code; null where they are not written out. */
interface Passed {
  readonly list: number
  readonly values: ReadonlyArray<string>
}

/** Moves the values of a statement's text into bound parameters. */
export const boundParameters = ({ file, match }: FixSite): Proposal => {
  const tree = file.tree
  const call = calls(file).find(({ node }) => tree?.start(node) === match.start && tree.end(node) === match.end)
  if (tree === null || call === undefined) return declined("The call that runs the statement is in another place.")
  const driver = driverOf(file, call)
  if (driver === null) {
    return declined(
      "The file does not show which database driver runs the statement, and so how placeholders are written."
    )
  }
  const argument = statementArgument(file, call, driver)
  const written = argument === NONE ? NONE : textNode(file, argument)
  const parts = written === NONE ? null : textParts(file, written)
  if (parts === null)
    return declined("The text of the statement is not put together in this function from parts that can be separated.")
  const passed = passedValues(file, call, driver)
  if (passed === null) return declined("The call passes values in a way that new ones cannot be added to.")
  const bound = boundStatement(file, parts, driver, passed.values.length)
  if (bound === null)
    return declined("A part of the statement is no value: names and clauses cannot be bound as parameters.")
  const literal = statementLiteral(file, bound, driver, passed)
  if (literal === null) return declined("The statement would need escapes in its text.")
  const values = valueEdits(file, call, driver, passed, bound)
  return values === null
    ? declined("The call passes values in a way that new ones cannot be added to.")
    : {
        edits: [replacement(tree, written, literal), ...values],
        summary,
        ...(file.language === "go" ? { unusedImports: ["fmt"] } : {})
      }
}

/** Where placeholders are `%s`, a percent sign of a text that was passed without values so far is written twice. */
const statementLiteral = (
  file: SourceFile,
  { text }: BoundStatement,
  driver: Driver,
  passed: Passed
): string | null => {
  const isFirst = driver.placeholder === "percent" && passed.list === NONE
  return literalOf(
    file,
    isFirst ? text.replace(/%(?!s)/g, "%%") : text,
    file.language === "go" || file.language === "java" ? '"' : quoteOf(file)
  )
}

const statementArgument = (file: SourceFile, { args, method }: Call, { values }: Driver): number => {
  const first = args[file.language === "go" && method.endsWith("Context") ? 1 : 0] ?? NONE
  if (values !== "named") return first
  // SQLAlchemy: text("…").
  const inner = calls(file).find(({ node, method }) => node === unwrap(file, first) && method === "text")
  return inner?.args.length === 1 ? inner.args[0]! : NONE
}

/** The expression that makes the text: the argument itself, or what a variable that is only passed here was given. */
const textNode = (file: SourceFile, argument: number): number => {
  const tree = file.tree!
  if (!tree.is(argument, "identifier")) return argument
  const name = tree.textOf(argument)
  const owner = enclosingFunction(file, argument)
  const uses = owner === null ? [] : localUses(file, owner, name)
  return uses.length === 2 ? lastAssigned(file, name, argument) : NONE
}

const listKinds = ["array", "tuple", "list"]

/** Arguments after the text that are values; a callback is none. */
const passedValues = (file: SourceFile, call: Call, driver: Driver): Passed | null => {
  const tree = file.tree!
  const nothing = { list: NONE, values: [] }
  if (driver.values === "chained") return nothing
  const after = call.args.slice(call.args.indexOf(statementHolder(file, call)) + 1)
  if (call.named.size > 0) return null
  if (driver.values === "rest")
    return file.language === "java" ? nothing : { list: NONE, values: after.map((one) => tree.textOf(one)) }
  const [list] = after
  if (list === undefined || tree.is(list, "arrow_function", "function_expression")) return nothing
  if (driver.values === "named" || !tree.is(list, ...listKinds)) return null
  const items = tree.namedChildren(list)
  return items.some((item) => tree.is(item, "spread_element", "list_splat"))
    ? null
    : { list, values: items.map((item) => tree.textOf(item)) }
}

const statementHolder = (file: SourceFile, { args, method }: Call): number =>
  args[file.language === "go" && method.endsWith("Context") ? 1 : 0] ?? NONE

/** Values in the order of their placeholders, among those that were passed before. */
const ordered = ({ values }: Passed, added: ReadonlyArray<Bound>, { placeholder }: Driver): ReadonlyArray<string> => {
  if (placeholder === "dollar") return [...values, ...added.map(({ code }) => code)]
  const out: Array<string> = []
  values.forEach((value, i) => {
    out.push(...added.filter(({ position }) => position === i).map(({ code }) => code), value)
  })
  return [...out, ...added.filter(({ position }) => position >= values.length).map(({ code }) => code)]
}

const valueEdits = (
  file: SourceFile,
  call: Call,
  driver: Driver,
  passed: Passed,
  bound: BoundStatement
): ReadonlyArray<Edit> | null => {
  const tree = file.tree!
  const holder = statementHolder(file, call)
  const after = (text: string): ReadonlyArray<Edit> => [
    { start: tree.end(holder), end: tree.end(holder), text: `, ${text}` }
  ]
  const values = ordered(passed, bound.values, driver)
  switch (driver.values) {
    case "named":
      return after(`{${bound.values.map(({ name, code }) => `"${name}": ${code}`).join(", ")}}`)
    case "chained":
      return chainedValues(file, call, values)
    case "rest": {
      const last = call.args.at(-1)!
      if (file.language !== "java" && driver.placeholder === "question" && passed.values.length > 0) return null
      return [
        { start: tree.end(last), end: tree.end(last), text: `, ${bound.values.map(({ code }) => code).join(", ")}` }
      ]
    }
    default: {
      const list =
        file.language === "python"
          ? `(${values.join(", ")}${values.length === 1 ? "," : ""})`
          : `[${values.join(", ")}]`
      return passed.list === NONE ? after(list) : [replacement(tree, passed.list, list)]
    }
  }
}

/** `db.prepare(text).all()`: the values are arguments of the call on the statement. */
const chainedValues = (file: SourceFile, call: Call, values: ReadonlyArray<string>): ReadonlyArray<Edit> | null => {
  const tree = file.tree!
  const outer = calls(file).find(({ receiverNode }) => receiverNode === call.node)
  if (outer === undefined || !/^(?:get|all|run|iterate|values)$/.test(outer.method) || outer.args.length > 0)
    return null
  const list = argumentList(tree, outer.node)
  return [{ start: tree.start(list) + 1, end: tree.end(list) - 1, text: values.join(", ") }]
}
