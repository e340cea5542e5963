import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Match } from "../../core/tool/AuditTool.ts"
import { type Attribute, attributeOf, type Element, type Markup } from "../../languages/markup/Element.ts"
import { vueBlocks } from "../../languages/markup/vue.ts"
import type { RuleId } from "./rules.ts"

const directive = (element: Element, name: string): Attribute | undefined =>
  element.attributes.find(({ written }) => written === name)

const hasKey = (element: Element): boolean =>
  element.hasSpread ||
  attributeOf(element, "key") !== undefined ||
  (element.tag === "template" && element.children.some(hasKey))

const loopNames = (expression: string): ReadonlyArray<string> =>
  /^\s*\(?([^)]*?)\)?\s+(?:in|of)\s/.exec(expression.slice(0, 200))?.[1]?.match(/[A-Za-z_$][\w$]*/g) ?? []

const inspectLoops = (markup: Markup, emit: (hit: Match<RuleId>) => void): void => {
  for (const element of markup.elements) {
    const loop = directive(element, "v-for")
    if (loop === undefined) continue
    const { start, end } = loop
    if (!hasKey(element) && element.tag !== "slot") {
      emit({
        rule: "vue_loop_without_key",
        start,
        end,
        message: `\`<${element.tag}>\` is repeated and has no \`:key\`.`
      })
    }
    const condition = directive(element, "v-if")
    if (condition?.value === undefined || condition.value === null) continue
    const used = loopNames(loop.value ?? "").find((name) => condition.value!.split(/[^\w$]+/).includes(name))
    const message =
      used === undefined
        ? "`v-if` and `v-for` on one element: which comes first differs between Vue 2 and 3."
        : `\`v-if\` reads \`${used}\` of the loop on the same element: Vue 3 evaluates it before there is one.`
    emit({ rule: "vue_condition_on_loop", start: condition.start, end: condition.end, message })
  }
}

const MAX_PROPS = 8_000

/** Names at the first level of `props: { … }` or in `props: [ … ]`. */
const declaredProps = (script: string): ReadonlySet<string> => {
  const names = new Set<string>()
  const open = /\bprops\s*:\s*([[{])/.exec(script) ?? /\bdefineProps\s*\(\s*([[{])/.exec(script)
  if (open === null) return names
  const from = open.index + open[0].length
  const body = script.slice(from, from + MAX_PROPS)
  if (open[1] === "[") {
    for (const match of body.slice(0, body.indexOf("]")).matchAll(/["'](\w+)["']/g)) names.add(match[1]!)
    return names
  }
  let depth = 1
  const token = /[{}[\]()]|([A-Za-z_$][\w$]*)\s*:|"[^"\n]*"|'[^'\n]*'|\/\/[^\n]*/g
  for (let match = token.exec(body); match !== null && depth > 0; match = token.exec(body)) {
    if (/^[{[(]$/.test(match[0])) depth++
    else if (/^[}\])]$/.test(match[0])) depth--
    else if (depth === 1 && match[1] !== undefined) names.add(match[1])
  }
  return names
}

const assignment = /\b(this|props)\.([A-Za-z_$][\w$]*)\s*(?:=(?![=>])|[-+*/]=|\+\+|--)/g

const inspectProps = (file: SourceFile, markup: Markup, emit: (hit: Match<RuleId>) => void): void => {
  const script = vueBlocks(file).find(({ tag }) => tag === "script")
  if (script === undefined) return
  const text = file.text.slice(script.start, script.end)
  const props = declaredProps(text)
  if (props.size === 0) return
  const isSetup = /\bsetup\b/.test(script.opening)
  for (const match of text.matchAll(assignment)) {
    const name = match[2]!
    if (!props.has(name) || (match[1] === "props") !== isSetup) continue
    const start = script.start + match.index
    const message = `\`${name}\` belongs to the parent, and its next render overwrites what is set here.`
    emit({ rule: "vue_prop_mutated", start, end: start + match[0].length, message, identifiers: [name] })
  }
  for (const element of markup.elements) {
    for (const { written, value, start, end } of element.attributes) {
      if (!/^v-model\b/.test(written) || value === null || !props.has(value.trim())) continue
      const message = `\`v-model\` writes to the prop \`${value.trim()}\`, which belongs to the parent.`
      emit({ rule: "vue_prop_mutated", start, end, message, identifiers: [value.trim()] })
    }
  }
}

export const inspectVue = (file: SourceFile, markup: Markup, emit: (hit: Match<RuleId>) => void): void => {
  inspectLoops(markup, emit)
  inspectProps(file, markup, emit)
}
