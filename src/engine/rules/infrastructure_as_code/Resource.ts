import type { Attribute, Block } from "../../languages/formats/terraform.ts"
import type { RuleId } from "./rules.ts"

/** Defaults of a module's variables and its locals: `var.name` and `local.name` to the expression. */
export type Values = ReadonlyMap<string, string>

const reference = /\b(?:var|local)\.(\w+)\b/g

/** The expression with variables that have a default put in; null when it is decided by a condition. */
export const resolved = (attribute: Attribute | undefined, values: Values): string | null => {
  if (attribute === undefined) return null
  const text = attribute.text.replace(reference, (name) => values.get(name) ?? name).trim()
  return / \? /.test(text) ? null : text
}

export const textOf = (block: Block, name: string, values: Values): string | null => {
  const text = resolved(block.attributes[name], values)
  return text === null ? null : text.replace(/^"(.*)"$/s, "$1")
}

export const isTrue = (block: Block, name: string, values: Values): boolean => textOf(block, name, values) === "true"
export const isFalse = (block: Block, name: string, values: Values): boolean => textOf(block, name, values) === "false"

export const stringsOf = (block: Block, name: string, values: Values): ReadonlyArray<string> =>
  [...(resolved(block.attributes[name], values) ?? "").matchAll(/"([^"\n]{0,200})"/g)].map((match) => match[1]!)

/** Blocks of a kind directly inside, those that `dynamic` repeats left out: their content is decided elsewhere. */
export const inner = (block: Block, type: string): ReadonlyArray<Block> =>
  block.blocks.filter((one) => one.type === type)

export const nameOf = (block: Block): string => `\`${block.labels.join(".").replace(/`/g, "")}\``

export interface Problem {
  readonly rule: RuleId
  readonly at: { readonly start: number; readonly end: number }
  readonly message: string
  readonly noun?: string
}

export type Check = (block: Block, values: Values, report: (problem: Problem) => void) => void
