import type { DiscoveryOutput } from "../../schema/Discovery.ts"
import { architectureGuide, architectureOf } from "./architecture/architecture.ts"
import { variableItems, variablesIn } from "./architecture/environment.ts"
import type { Check } from "./check.ts"
import { commandGuides } from "./commands/commandGuides.ts"
import { gateRules } from "./commands/gates.ts"
import { releaseSteps } from "./commands/releases.ts"
import { commandsOf } from "./commands.ts"
import {
  type Citation,
  type Guide,
  type GuideItem,
  guideParts,
  type Item,
  type Pattern,
  type Rule,
  type Skill
} from "./Draft.ts"
import { declaredSkillFile, declaredSkills, unknownBases } from "./declaredSkills.ts"
import { describedCommands } from "./documented/commands.ts"
import { describedFolders } from "./documented/folders.ts"
import { structureParagraphs } from "./documented/paragraphs.ts"
import { domainOf } from "./domain/domain.ts"
import { enforcedRules } from "./enforced.ts"
import { groupRules } from "./groupRules.ts"
import { groupsOf } from "./groups.ts"
import { habitRules } from "./habits.ts"
import { instructionsOf, trapItems } from "./instructions.ts"
import { type Example, patternsOf, patternText } from "./patterns.ts"
import { profileOf } from "./profile/profile.ts"
import { recipesOf } from "./recipes/recipes.ts"
import type { Survey } from "./Survey.ts"
import { skillsOf } from "./skills.ts"
import { decisionRules, reasonRules, statedRules } from "./stated.ts"

/** Everything that could be said, before it is checked. */
export const draftOf = (survey: Survey) => {
  const groups = groupsOf(survey)
  const commands = commandsOf(survey)
  const rules: ReadonlyArray<Rule> = [
    ...statedRules(survey),
    ...decisionRules(survey),
    ...enforcedRules(survey),
    ...gateRules(survey, commands),
    ...reasonRules(survey),
    ...habitRules(survey),
    ...groupRules(survey, groups)
  ]
  const profile = profileOf(survey)
  const variables = variablesIn(survey)
  const architecture = architectureOf(survey)
  return {
    profile,
    rules,
    patterns: patternsOf(survey),
    commands,
    architecture,
    guides: [
      ...commandGuides(survey, commands),
      architectureGuide(architecture, structureParagraphs(survey)),
      ...recipesOf(survey, commands)
    ],
    skills: skillsOf(survey, groups, rules),
    declared: declaredSkills(survey),
    variables,
    environment: variableItems(variables),
    described: { folders: describedFolders(survey), commands: describedCommands(survey) },
    release: releaseSteps(survey),
    domain: domainOf(survey),
    traps: trapItems(survey, profile, variables)
  }
}

export type Draft = ReturnType<typeof draftOf>

const describedIn = ({ described: { folders, commands } }: Draft) => [...folders.values(), ...commands]

/** Every place that the draft names. */
export const citationsOf = (draft: Draft): ReadonlyArray<Citation> => {
  const items: ReadonlyArray<Item> = [
    ...draft.rules,
    ...draft.guides.flatMap(({ items }) => items),
    ...draft.skills.flatMap(({ items }) => items),
    ...draft.environment,
    ...draft.release,
    ...Object.values(draft.domain).flat(),
    ...draft.traps
  ]
  return [
    ...items.flatMap(({ cites }) => cites),
    ...draft.patterns.flatMap(({ examples, others }) => [...examples, ...others.map(({ at }) => at)]),
    ...[...draft.commands, ...describedIn(draft)].map(({ path, line }) => ({ path, line }))
  ]
}

const bullets = (items: ReadonlyArray<Item>): string => items.map(({ text }) => `- ${text}`).join("\n")

const document = (
  title: string,
  sections: ReadonlyArray<readonly [heading: string, intro: string, items: ReadonlyArray<Item>]>
): string | null => {
  const filled = sections.filter(([, , items]) => items.length > 0)
  if (filled.length === 0) return null
  const parts = filled.map(([heading, intro, items]) =>
    [`## ${heading}`, ...(intro === "" ? [] : [intro]), bullets(items)].join("\n\n")
  )
  return `# ${title}\n\n${parts.join("\n\n")}\n`
}

/** Steps are numbered; what has no part stands before all parts. */
const guideText = (items: ReadonlyArray<GuideItem>): string =>
  [undefined, ...guideParts]
    .flatMap((part) => {
      const own = items.filter((item) => item.part === part)
      const list = part === "Steps" ? own.map(({ text }, i) => `${i + 1}. ${text}`).join("\n") : bullets(own)
      return own.length === 0 ? [] : [part === undefined ? list : `## ${part}\n\n${list}`]
    })
    .join("\n\n")

const guideFile = ({ slug, title, description, items }: Guide) => ({
  slug,
  title,
  description,
  content: `# ${title}\n\n${description}\n\n${guideText(items)}\n`
})

const skillFile = ({ name, description, intro, items }: Skill) => ({
  name,
  description,
  extends: null,
  content: `# ${name}\n\n${intro}\n\n${bullets(items)}\n`
})

const ruleSlot = ({ origin, scope, text, support, deviations, cites }: Rule) => ({
  origin,
  text,
  scope,
  support: support ?? null,
  deviations: deviations ?? [],
  cited: cites.map(({ path, line }) => ({ file_path: path, line }))
})

/** A pattern with the example that is quoted. */
interface Shown {
  readonly pattern: Pattern
  readonly example: Example
  readonly snippet: string
}

const patternSlot = ({ pattern, example, snippet }: Shown) => ({
  title: pattern.title,
  purpose: pattern.purpose,
  shape: pattern.shape,
  support: { count: pattern.count, of: pattern.of },
  scope: pattern.scope,
  canonical: {
    file_path: example.path,
    line_start: example.line,
    line_end: example.end ?? example.line,
    symbol: example.symbol,
    snippet
  },
  deviations: pattern.others.map(({ shape, count, at: { path, line } }) => ({ shape, count, file_path: path, line }))
})

/** Patterns of which every place is where it is said to be, each with the first example that can be quoted whole. */
const shownPatterns = (patterns: ReadonlyArray<Pattern>, check: Check): ReadonlyArray<Shown> =>
  patterns.flatMap((pattern) => {
    const cites = [...pattern.examples.slice(0, 1), ...pattern.others.map(({ at }) => at)]
    if (check.kept("patterns_md", [{ text: "", cites }]).length === 0) return []
    const found = pattern.examples.flatMap((example) => {
      const snippet = check.snippet(example)
      return snippet === null ? [] : [{ pattern, example, snippet }]
    })
    return found.slice(0, 1)
  })

/** Only what the check let stand. */
export const composed = (survey: Survey, draft: Draft, check: Check): DiscoveryOutput => {
  const rules = check.kept("principles_md", draft.rules, ({ origin }) => origin === "stated")
  const of = (origin: Rule["origin"]) => rules.filter((rule) => rule.origin === origin)
  const patterns = shownPatterns(draft.patterns, check)
  const guides = draft.guides
    .map((guide) => ({ ...guide, items: check.kept(`guides/${guide.slug}`, guide.items) }))
    .filter(({ items }) => items.length > 0)
  const skills = draft.skills
    .map((skill) => ({ ...skill, items: check.kept(`skills/${skill.name}`, skill.items) }))
    .filter(({ items }) => items.length > 1)
  const isThere = ({ path, line }: Citation) => check.holds({ path, line })
  const commands = draft.commands.filter(isThere)
  const described = {
    folders: new Map([...draft.described.folders].filter(([, description]) => isThere(description))),
    commands: draft.described.commands.filter(isThere)
  }
  const traps = check.kept("hyrax_md", draft.traps)
  const environment = check.kept("env_vars_md", draft.environment)
  const principles = document("Principles", [
    ["Stated", "Quoted from the repository's own documents.", of("stated")],
    ["Enforced", "What compilers, linters, formatters, pipelines and code owners hold.", of("enforced")],
    ["Inferred", "What at least 80 % of five or more places do.", of("inferred")]
  ])
  const nouns = check.kept("domain_md", draft.domain.main)
  const candidates = check.kept("domain_md", draft.domain.candidates)
  const domain = document("Domain", [
    ["Main nouns", "What the code is about; what most source files name comes first.", nouns],
    ["Other nouns", "", check.kept("domain_md", draft.domain.others)],
    [
      "Candidates",
      "Types that much of the code names. Nothing states that they are what the code is about.",
      candidates
    ],
    [
      "States and transitions",
      "From which state to which, where code, a statement or a table says so; one location each.",
      check.kept("domain_md", draft.domain.transitions)
    ],
    ["Other closed sets of values", "", check.kept("domain_md", draft.domain.sets)],
    ["Glossary", "Quoted from comments in the code.", check.kept("domain_md", draft.domain.glossary, () => true)]
  ])
  const { entries, routes, layers, state } = draft.architecture
  const outline = [entries, routes, layers, state].map((items, i) =>
    check.kept("hyrax_md", items).slice(0, i === 2 ? 5 : 4)
  )
  const hyrax = instructionsOf({
    survey,
    profile: draft.profile,
    commands,
    rules,
    patterns,
    skills,
    traps,
    nouns,
    candidates,
    release: check.kept("hyrax_md", draft.release),
    described,
    outline: outline.flat()
  })
  const declaredNames = new Set(draft.declared.map(({ name }) => name))
  const unverified = check.report()
  const left = Object.values(unverified).reduce((total, symbols) => total + symbols.length, 0)
  return {
    profile: draft.profile,
    principles_md: principles,
    patterns_md:
      patterns.length === 0
        ? null
        : `# Patterns\n\n${patterns.map(({ pattern, example, snippet }) => patternText(pattern, example, snippet)).join("\n\n")}\n`,
    env_vars_md: document("Environment variables", [["Read by the code", "", environment]]),
    domain_md: domain,
    hyrax_md: survey.source.length === 0 ? null : hyrax,
    guides: guides.map(guideFile),
    skills: [
      ...draft.declared.map(declaredSkillFile),
      ...skills.filter(({ name }) => !declaredNames.has(name)).map(skillFile)
    ],
    guidance_slots: {
      patterns: Object.fromEntries(patterns.map((shown) => [shown.pattern.name, patternSlot(shown)])),
      rules: Object.fromEntries(rules.map((rule) => [rule.id, ruleSlot(rule)])),
      environment: Object.fromEntries(draft.variables.map(({ name, ...variable }) => [name, variable]))
    },
    stage_metrics: {
      observe: {
        files: survey.files.length,
        lines: survey.files.reduce((total, { lines }) => total + lines, 0),
        source_files: survey.source.length,
        test_files: survey.tests.length,
        commits: survey.commits.length,
        definitions: survey.files.reduce((total, { definitions }) => total + definitions.length, 0),
        sites: survey.files.reduce((total, { sites }) => total + sites.length, 0)
      },
      write: {
        rules: rules.length,
        patterns: patterns.length,
        guides: guides.length,
        skills: skills.length,
        variables: environment.length
      },
      check: { citations: check.checked, left_out: left }
    },
    unknown_skill_extends: unknownBases(draft.declared, new Set([...declaredNames, ...skills.map(({ name }) => name)])),
    unverified_symbols_skipped_time: unverified
  }
}
