import type { Command } from "../commands.ts"
import { at, code, type Rule } from "../Draft.ts"
import { clip } from "../Observed.ts"
import type { Survey } from "../Survey.ts"

const MAX_GATES = 8
const MAX_OWNED = 12

const isGate = /^(?:test|check|lint|format|types|build)$/

/** Pipelines that a change runs before it is merged. */
const isForChanges = (text: string): boolean =>
  /\bpull_request(?:_target)?\b|merge_request|^\s*-?\s*mr:|^pr:/m.test(text)

/** What a pipeline runs for each change that is proposed. */
const pipelineGates = (survey: Survey, commands: ReadonlyArray<Command>): ReadonlyArray<Rule> => {
  const gates = new Set(
    survey
      .texts(/^\.(?:github|gitea|forgejo)\/workflows\/|gitlab-ci|azure-pipelines|bitbucket-pipelines/)
      .flatMap(({ path, text }) => (isForChanges(text) ? [path] : []))
  )
  const seen = new Set<string>()
  return commands
    .filter(({ origin, purpose, path, command }) => {
      const isNew = origin === "pipeline" && isGate.test(purpose) && gates.has(path) && !seen.has(command)
      return isNew && seen.add(command)
    })
    .slice(0, MAX_GATES)
    .map(({ command, folder, path, line }) => ({
      id: `gate:${path}:${line}`,
      origin: "enforced",
      scope: { folder },
      text: `A proposed change is checked with ${code(clip(command, 160))} (${at({ path, line })}).`,
      cites: [{ path, line }]
    }))
}

const ownersFile = /^(?:\.github\/|\.gitlab\/|docs\/)?CODEOWNERS$/

/** Who has to agree to a change, by path: the last line that fits a file is the one that counts. */
const ownerRules = (survey: Survey): ReadonlyArray<Rule> =>
  survey.texts(ownersFile).flatMap(({ path, text }) =>
    text
      .split("\n")
      .flatMap((raw, index): ReadonlyArray<Rule> => {
        const [pattern, ...owners] = raw
          .replace(/\s#.*$/, "")
          .trim()
          .split(/\s+/)
        if (pattern === undefined || pattern === "" || /^[#[^]/.test(pattern) || owners.length === 0) return []
        const line = index + 1
        const folder = /^\/?[\w.-]+(?:\/[\w.-]+)*\/$/.test(pattern) ? pattern.replace(/^\/|\/$/g, "") : ""
        return [
          {
            id: `owner:${path}:${line}`,
            origin: "enforced",
            scope: { folder: survey.hasFolder(folder) ? folder : "" },
            text: `Owned by ${owners.slice(0, 4).map(code).join(", ")}: ${code(pattern)} (${at({ path, line })}).`,
            cites: [{ path, line }]
          }
        ]
      })
      .slice(0, MAX_OWNED)
  )

/** What stands between a change and the branch it is for. */
export const gateRules = (survey: Survey, commands: ReadonlyArray<Command>): ReadonlyArray<Rule> => [
  ...pipelineGates(survey, commands),
  ...ownerRules(survey)
]
