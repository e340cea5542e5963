import type { DiscoveryOutput } from "../../schema/Discovery.ts"
import type { Check } from "./check.ts"
import { commandsOf } from "./commands.ts"
import type { Citation, Guide, Item, Pattern, Rule, Skill } from "./Draft.ts"
import { declaredSkillFile, declaredSkills, unknownBases } from "./declaredSkills.ts"
import { entitiesIn, entityItems, glossaryItems, stateItems, statesIn } from "./domain.ts"
import { enforcedRules } from "./enforced.ts"
import { variableItems, variablesIn } from "./environment.ts"
import { groupRules } from "./groupRules.ts"
import { groupsOf } from "./groups.ts"
import { guidesOf } from "./guides.ts"
import { habitRules } from "./habits.ts"
import { instructionsOf, trapItems } from "./instructions.ts"
import { patternsOf, patternText } from "./patterns.ts"
import { profileOf } from "./profile.ts"
import type { Survey } from "./Survey.ts"
import { skillsOf } from "./skills.ts"
import { decisionRules, statedRules } from "./stated.ts"

/** Everything that could be said, before it is checked. */
export const draftOf = (survey: Survey) => {
  const groups = groupsOf(survey)
  const rules: ReadonlyArray<Rule> = [
    ...statedRules(survey),
    ...decisionRules(survey),
    ...enforcedRules(survey),
    ...habitRules(survey),
    ...groupRules(survey, groups)
  ]
  const profile = profileOf(survey)
  const commands = commandsOf(survey)
  const variables = variablesIn(survey)
  return {
    profile,
    rules,
    patterns: patternsOf(survey),
    commands,
    guides: guidesOf(survey, commands),
    skills: skillsOf(survey, groups, rules),
    declared: declaredSkills(survey),
    variables,
    environment: variableItems(variables),
    entities: entityItems(entitiesIn(survey)),
    states: stateItems(statesIn(survey)),
    glossary: glossaryItems(survey),
    traps: trapItems(survey, profile, variables)
  }
}

export type Draft = ReturnType<typeof draftOf>

/** Every place that the draft names. */
export const citationsOf = (draft: Draft): ReadonlyArray<Citation> => {
  const items: ReadonlyArray<Item> = [
    ...draft.rules,
    ...draft.guides.flatMap(({ items }) => items),
    ...draft.skills.flatMap(({ items }) => items),
    ...draft.environment,
    ...draft.entities,
    ...draft.states,
    ...draft.glossary,
    ...draft.traps
  ]
  return [
    ...items.flatMap(({ cites }) => cites),
    ...draft.patterns.flatMap(({ canonical, others }) => [canonical, ...others.map(({ at }) => at)]),
    ...draft.commands.map(({ path, line }) => ({ path, line }))
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

const guideFile = ({ slug, title, description, items }: Guide) => ({
  slug,
  title,
  description,
  content: `# ${title}\n\n${description}\n\n${bullets(items)}\n`
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

const patternSlot = (pattern: Pattern, check: Check) => ({
  title: pattern.title,
  shape: pattern.shape,
  support: { count: pattern.count, of: pattern.of },
  scope: pattern.scope,
  canonical: {
    file_path: pattern.canonical.path,
    line_start: pattern.canonical.line,
    line_end: pattern.canonical.end ?? pattern.canonical.line,
    symbol: pattern.canonical.symbol,
    snippet: check.snippet(pattern.canonical)
  },
  deviations: pattern.others.map(({ shape, count, at: { path, line } }) => ({ shape, count, file_path: path, line }))
})

/** Only what the check let stand. */
export const composed = (survey: Survey, draft: Draft, check: Check): DiscoveryOutput => {
  const rules = check.kept("principles_md", draft.rules, ({ origin }) => origin === "stated")
  const of = (origin: Rule["origin"]) => rules.filter((rule) => rule.origin === origin)
  const patterns = draft.patterns.filter(
    (pattern) =>
      check.kept("patterns_md", [{ text: "", cites: [pattern.canonical, ...pattern.others.map(({ at }) => at)] }])
        .length > 0
  )
  const guides = draft.guides
    .map((guide) => ({ ...guide, items: check.kept(`guides/${guide.slug}`, guide.items) }))
    .filter(({ items }) => items.length > 0)
  const skills = draft.skills
    .map((skill) => ({ ...skill, items: check.kept(`skills/${skill.name}`, skill.items) }))
    .filter(({ items }) => items.length > 1)
  const commands = draft.commands.filter(({ path, line }) => check.holds({ path, line }))
  const traps = check.kept("hyrax_md", draft.traps)
  const environment = check.kept("env_vars_md", draft.environment)
  const principles = document("Principles", [
    ["Stated", "Quoted from the repository's own documents.", of("stated")],
    ["Enforced", "What compilers, linters and formatters are set to.", of("enforced")],
    ["Inferred", "What at least 80 % of five or more places do.", of("inferred")]
  ])
  const domain = document("Domain", [
    ["Entities", "", check.kept("domain_md", draft.entities)],
    ["States and kinds", "Closed sets of values.", check.kept("domain_md", draft.states)],
    ["Glossary", "Quoted from comments in the code.", check.kept("domain_md", draft.glossary, () => true)]
  ])
  const hyrax = instructionsOf({ survey, profile: draft.profile, commands, rules, patterns, skills, traps })
  const declaredNames = new Set(draft.declared.map(({ name }) => name))
  const unverified = check.report()
  const left = Object.values(unverified).reduce((total, symbols) => total + symbols.length, 0)
  return {
    profile: draft.profile,
    principles_md: principles,
    patterns_md:
      patterns.length === 0
        ? null
        : `# Patterns\n\n${patterns.map((pattern) => patternText(pattern, check.snippet(pattern.canonical))).join("\n\n")}\n`,
    env_vars_md: document("Environment variables", [["Read by the code", "", environment]]),
    domain_md: domain,
    hyrax_md: survey.source.length === 0 ? null : hyrax,
    guides: guides.map(guideFile),
    skills: [
      ...draft.declared.map(declaredSkillFile),
      ...skills.filter(({ name }) => !declaredNames.has(name)).map(skillFile)
    ],
    guidance_slots: {
      patterns: Object.fromEntries(patterns.map((pattern) => [pattern.name, patternSlot(pattern, check)])),
      rules: Object.fromEntries(rules.map((rule) => [rule.id, ruleSlot(rule)])),
      environment: Object.fromEntries(draft.variables.map(({ name, ...variable }) => [name, variable]))
    },
    stage_metrics: {
      observe: {
        files: survey.files.length,
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
