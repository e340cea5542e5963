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

/** Pipelines that Semaphore starts after another, of which the condition asks for a tag. */
const ofSemaphore = (root: YAMLMap, lineOf: (node: unknown) => number): ReadonlyArray<Job> => {
  const promotions = root.get("promotions")
  if (!isSeq(promotions)) return []
  return promotions.items.flatMap((one): ReadonlyArray<Job> => {
    if (!isMap(one)) return []
    const name = String(one.get("name") ?? "")
    const when = String(one.getIn(["auto_promote", "when"]) ?? "")
    const line = lineOf(one.items[0]?.key)
    return /\btag\b/.test(when) && ships.test(name) ? [{ name, line, when: code(when) }] : []
  })
}

const namesTag = (value: unknown): boolean =>
  isSeq(value) ? value.items.some(namesTag) : isMap(value) ? namesTag(value.get("include")) : String(value) === "tag"

/** Steps of Drone and Woodpecker that run for tags alone. */
const ofDrone = (root: YAMLMap, lineOf: (node: unknown) => number): ReadonlyArray<Job> => {
  const steps = root.get("steps") ?? root.get("pipeline")
  const all = isSeq(steps)
    ? steps.items.map((step) => [isMap(step) ? step.get("name") : null, step] as const)
    : isMap(steps)
      ? steps.items.map(({ key, value }) => [key, value] as const)
      : []
  return all.flatMap(([name, step]): ReadonlyArray<Job> => {
    if (!isMap(step)) return []
    const when = step.get("when")
    const conditions = isSeq(when) ? when.items : [when]
    const isOfTags = conditions.some((one) => isMap(one) && namesTag(one.get("event")))
    const label = String(isScalar(name) ? name.value : (name ?? ""))
    return isOfTags && ships.test(label) ? [{ name: label, line: lineOf(step.items[0]?.key), when: "tags" }] : []
  })
}

const pipelines: ReadonlyArray<readonly [RegExp, typeof ofGitLab]> = [
  [/^\.gitlab-ci\.ya?ml$/, ofGitLab],
  [/^\.circleci\/config\.ya?ml$/, ofCircle],
  [/^\.travis\.ya?ml$/, ofTravis],
  [/^\.semaphore\/[^/]+\.ya?ml$/, ofSemaphore],
  [/^\.(?:drone|woodpecker(?:\/[^/]+)?)\.ya?ml$/, ofDrone]
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
    // What a branch starts as well comes after what only a version starts.
    .sort((a, b) => Number(/\bbranch\b/.test(a.text)) - Number(/\bbranch\b/.test(b.text)))
    .slice(0, MAX_JOBS)
