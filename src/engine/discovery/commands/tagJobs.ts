import { isMap, isScalar, isSeq, LineCounter, parseDocument, type YAMLMap } from "yaml"
import { at, code, type Item } from "../Draft.ts"
import type { Survey } from "../Survey.ts"

const MAX_JOBS = 5

interface Job {
  readonly name: string
  readonly line: number
  /** What it is restricted to, as the pipeline writes it. */
  readonly when: string
}

const ships = /publish|releas|deploy|upload|ship/i

/** Jobs of GitLab that run for tags: `only: [tags]`, or a rule that asks for the tag. */
const ofGitLab = (root: YAMLMap, lineOf: (node: unknown) => number): ReadonlyArray<Job> =>
  root.items.flatMap(({ key, value }): ReadonlyArray<Job> => {
    if (!isScalar(key) || !isMap(value)) return []
    const only = value.get("only")
    const rules = value.get("rules")
    const listed = isMap(only) ? only.get("refs") : only
    const isOfTags =
      listed === "tags" ||
      (isSeq(listed) && listed.items.some((one) => String(one) === "tags")) ||
      (isSeq(rules) &&
        rules.items.some((one) => isMap(one) && /^\$CI_COMMIT_TAG\b(?!\s*==\s*null)/.test(String(one.get("if") ?? ""))))
    const isShipping = ships.test(`${String(key.value)} ${String(value.get("stage") ?? "")}`)
    return isOfTags && isShipping ? [{ name: String(key.value), line: lineOf(key), when: "tags" }] : []
  })

/** Jobs of CircleCI whose filters name tags and no branch. */
const ofCircle = (root: YAMLMap, lineOf: (node: unknown) => number): ReadonlyArray<Job> => {
  const workflows = root.get("workflows")
  if (!isMap(workflows)) return []
  return workflows.items.flatMap(({ value }) => {
    const jobs = isMap(value) ? value.get("jobs") : null
    return isSeq(jobs) ? jobs.items.flatMap((job) => (isMap(job) ? jobOfCircle(job, lineOf) : [])) : []
  })
}

const jobOfCircle = (job: YAMLMap, lineOf: (node: unknown) => number): ReadonlyArray<Job> => {
  const [pair] = job.items
  if (pair === undefined || !isScalar(pair.key) || !isMap(pair.value)) return []
  const name = String(pair.key.value)
  const tags = pair.value.getIn(["filters", "tags", "only"])
  const written = isSeq(tags) ? tags.items.map(String).join(", ") : typeof tags === "string" ? tags : null
  return written !== null && ships.test(name) ? [{ name, line: lineOf(pair.key), when: `tags ${code(written)}` }] : []
}

/** What Travis deploys when a tag is pushed. */
const ofTravis = (root: YAMLMap, lineOf: (node: unknown) => number): ReadonlyArray<Job> => {
  const deploy = root.get("deploy")
  const all = isSeq(deploy) ? deploy.items : [deploy]
  return all.flatMap((one): ReadonlyArray<Job> => {
    if (!isMap(one) || String(one.getIn(["on", "tags"])) !== "true") return []
    return [
      { name: `deploy: ${String(one.get("provider") ?? "")}`.trim(), line: lineOf(one.items[0]?.key), when: "tags" }
    ]
  })
}

const pipelines: ReadonlyArray<readonly [RegExp, typeof ofGitLab]> = [
  [/^\.gitlab-ci\.ya?ml$/, ofGitLab],
  [/^\.circleci\/config\.ya?ml$/, ofCircle],
  [/^\.travis\.ya?ml$/, ofTravis]
]

const jobsIn = (text: string, read: typeof ofGitLab): ReadonlyArray<Job> => {
  const lines = new LineCounter()
  const root = parseDocument(text, { lineCounter: lines, logLevel: "silent", uniqueKeys: false }).contents
  const lineOf = (node: unknown) => (isScalar(node) && node.range != null ? lines.linePos(node.range[0]).line : 1)
  return isMap(root) ? read(root, lineOf) : []
}

/** Jobs of pipelines that ship something when a tag is pushed, where no workflow of the code host does. */
export const tagJobItems = (survey: Survey): ReadonlyArray<Item> =>
  pipelines
    .flatMap(([file, read]) =>
      survey.texts(file).flatMap(({ path, text }) =>
        jobsIn(text, read).map(({ name, line, when }) => ({
          text: `The pipeline ${code(path)} runs ${code(name)} for ${when} (${at({ path, line })}).`,
          cites: [{ path, line }]
        }))
      )
    )
    .slice(0, MAX_JOBS)
