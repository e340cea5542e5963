import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { ariaAttributes, roles } from "../aria.ts"

/** Letters that differ, with two neighbours exchanged as one; 2 stands for more than one. */
const distance = (a: string, b: string): number => {
  if (Math.abs(a.length - b.length) > 1) return 2
  let head = 0
  while (head < a.length && a[head] === b[head]) head++
  let tail = 0
  while (tail < Math.min(a.length, b.length) - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++
  const [restA, restB] = [a.slice(head, a.length - tail), b.slice(head, b.length - tail)]
  if (restA.length <= 1 && restB.length <= 1) return restA === restB ? 0 : 1
  return restA.length === 2 && restA === `${restB[1]}${restB[0]}` ? 1 : 2
}

const bare = (name: string): string =>
  name
    .replace(/^aria-/, "")
    .replace(/[-_]/g, "")
    .toLowerCase()

/** The one name that is meant; null when several are as near, or none is. */
const meant = (name: string, known: Iterable<string>): string | null => {
  const all = [...known]
  const same = all.filter((one) => bare(one) === bare(name))
  const near = same.length > 0 ? same : all.filter((one) => distance(bare(one), bare(name)) === 1)
  return near.length === 1 && bare(name).length > 3 ? near[0]! : null
}

const propose = ({ file, match }: FixSite): Proposal => {
  const written = file.text.slice(match.start, match.end)
  const summary = "Correct a misspelled ARIA name, which browsers ignore"
  const attribute = /^aria-[\w-]+/i.exec(written)?.[0]
  if (attribute !== undefined) {
    const name = meant(attribute, ariaAttributes)
    return name === null
      ? declined("Which attribute is meant cannot be read from the name.")
      : { edits: [{ start: match.start, end: match.start + attribute.length, text: name }], summary }
  }
  const role = /^role\s*=\s*\{?\s*(["'])\s*([\w-]+)\s*\1/i.exec(written)
  const name = role === null ? null : meant(role[2]!, roles)
  if (role === null || name === null) return declined("Which role is meant cannot be read from the name.")
  const start = match.start + role[0].lastIndexOf(role[2]!)
  return { edits: [{ start, end: start + role[2]!.length, text: name }], summary }
}

export default fixer({
  tool: "accessibility",
  rule: "invalid_aria",
  languages: ["html", "javascript", "vue", "php"],
  propose
})
