import type { ApplicableRules, CanonicalPattern, HowToGuides, RepositoryKnowledge } from "../schema/Discovery.ts"
import { itemsWithin, maxContent, prefixWithin } from "./answerSize.ts"

// A model's context is small: what is most useful comes first, and what is left out says how to read it.

const principlesMax = 4_000
const changeMax = 300
const conventionsMax = 10
const guideMax = 3_000
const noteMax = 160
const rulesMax = 17_000
const patternsMax = 5_000
const snippetMax = 20_000

const conventionMax: Readonly<Record<string, number>> = { overview: 8_000, domain: 4_000, patterns: 2_500 }
const otherConventionMax = 700

const linesOf = (text: string): number => text.trimEnd().split("\n").length

/** The first whole lines of a text, at most `max` characters of JSON with the note of what is left out. */
export const linesWithin = (text: string, max: number, rest: string): string => {
  if (prefixWithin(text, max) >= text.length) return text
  const prefix = text.slice(0, prefixWithin(text, Math.max(0, max - noteMax)))
  const whole = prefix.slice(0, Math.max(0, prefix.lastIndexOf("\n"))).trimEnd()
  // A quotation of code that is cut is closed, so that the note is no part of it.
  const fence = (whole.match(/^```/gm) ?? []).length % 2 === 0 ? "" : "\n```"
  const left = linesOf(text) - (whole === "" ? 0 : linesOf(whole))
  return `${whole}${fence}\n\n(${left} of ${linesOf(text)} lines left out: ${rest})\n`.trimStart()
}

const restOf = (slug: string): string => {
  switch (slug) {
    case "patterns":
      return "get_canonical_pattern reads a pattern by its name"
    case "overview":
    case "domain":
      return "GET /api/repos/{owner}/{repo}/{branch}/discovery has them"
    default:
      return `get_how_to_guides with name "${slug}" has them`
  }
}

const briefChange = <D extends RepositoryKnowledge["directives"][number]>(directive: D): D => ({
  ...directive,
  suggested_change:
    directive.suggested_change === null
      ? null
      : linesWithin(directive.suggested_change, changeMax, `get_observation of ${directive.ref} has them`)
})

/** The knowledge of a repository within a tool's answer. */
export const briefKnowledge = (knowledge: RepositoryKnowledge): RepositoryKnowledge => ({
  ...knowledge,
  principles:
    knowledge.principles === null
      ? null
      : linesWithin(knowledge.principles, principlesMax, "get_applicable_rules has those of one file"),
  conventions: knowledge.conventions.slice(0, conventionsMax).map((convention) => ({
    ...convention,
    content: linesWithin(
      convention.content,
      conventionMax[convention.slug] ?? otherConventionMax,
      restOf(convention.slug)
    )
  })),
  directives: knowledge.directives.map(briefChange)
})

const leftOut = (count: number, of: number, noun: string): ReadonlyArray<string> =>
  count < of ? [`${of - count} of ${of} ${noun}`] : []

/** The most specific rules of a file, its patterns and observations; the last of them says how many are left out. */
export const briefRules = (all: ApplicableRules): ApplicableRules => {
  const rules = itemsWithin(all.rules, rulesMax)
  const patterns = itemsWithin(all.patterns, patternsMax)
  const room = maxContent - noteMax * 3 - JSON.stringify({ rules, patterns }).length
  const directives = itemsWithin(all.directives.map(briefChange), room)
  const absent = [
    ...leftOut(rules.length, all.rules.length, "rules"),
    ...leftOut(patterns.length, all.patterns.length, "patterns"),
    ...leftOut(directives.length, all.directives.length, "observations")
  ]
  if (absent.length === 0) return { ...all, directives }
  const note = `(${absent.join(", ")} left out: GET /api/repos/{owner}/{repo}/{branch}/rules?file_path=… has them, recent_issues the observations)`
  const withNote = <A>(items: ReadonlyArray<A>, noted: (item: A) => A): ReadonlyArray<A> =>
    items.map((item, i) => (i === items.length - 1 ? noted(item) : item))
  return rules.length > 0
    ? { ...all, patterns, directives, rules: withNote(rules, (rule) => ({ ...rule, text: `${rule.text}\n\n${note}` })) }
    : {
        ...all,
        patterns,
        rules,
        directives: withNote(directives, (one) => ({
          ...one,
          suggested_change: one.suggested_change === null ? note : `${one.suggested_change}\n${note}`
        }))
      }
}

/** A pattern with as much of its example as there is room for. */
export const briefPattern = (pattern: CanonicalPattern): CanonicalPattern => {
  const { snippet, file_path, line_start, line_end } = pattern
  const rest = `read ${file_path.slice(-80)}, lines ${line_start} to ${line_end}`
  return { ...pattern, snippet: snippet === null ? null : linesWithin(snippet, snippetMax, rest) }
}

/** The guide or recipe of a name alone; all of them where none has it. */
export const guidesNamed = (all: HowToGuides, name: string | undefined): HowToGuides => {
  const guides = all.guides.filter(({ slug }) => slug === name)
  const skills = all.skills.filter((skill) => skill.name === name)
  return guides.length + skills.length === 0 ? all : { ...all, guides, skills }
}

/** Guides, then recipes, as long as there is room; of the others the title and how to read them. */
export const briefGuides = (all: HowToGuides): HowToGuides => {
  const count = all.guides.length + all.skills.length
  const perText = count === 1 ? maxContent - 1_000 : guideMax
  let left = maxContent - count * 2 * noteMax
  const within = (name: string, content: string): string => {
    const text = linesWithin(
      content,
      Math.min(perText, Math.max(0, left)),
      `get_how_to_guides with name "${name}" has them`
    )
    left -= JSON.stringify(text).length
    return text
  }
  const brief = (text: string | null): string | null => (text === null ? null : text.slice(0, noteMax))
  return {
    ...all,
    guides: all.guides.map((guide) => ({
      ...guide,
      description: brief(guide.description),
      content: within(guide.slug, guide.content)
    })),
    skills: all.skills.map((skill) => ({
      ...skill,
      description: brief(skill.description),
      content: within(skill.name, skill.content)
    }))
  }
}
