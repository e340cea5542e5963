/** Names of stages, phases and gates, and what each does. Rounds after the first carry their number: `edit_2`. */
const words: Readonly<Record<string, readonly [name: string, does: string]>> = {
  prepare: ["Prepare", "Fetches the code from its remote"],
  inspect: ["Inspect", "Runs the rules over the files"],
  inspect_base: ["Inspect the base", "Runs the rules over the code before the change"],
  inspect_head: ["Inspect the change", "Runs the rules over the changed code"],
  inventory: ["Inventory", "Lists the files and their languages"],
  scan: ["Scan", "Runs every rule on every file, then across files"],
  verify: ["Evidence checks", "Reads each cited line again"],
  record: ["Record", "Compares with what is known and stores the result"],
  observe: ["Observe", "Reads the code for its profile, patterns and rules"],
  write: ["Write", "Writes the documents"],
  compare: ["Compare", "Separates what the change introduces from what was there"],
  post: ["Post", "Puts the review on the pull request"],
  ask: ["Ask", "Asks what the code alone does not answer"],
  decide: ["Decide", "Gives each criterion its verdict"],
  edit: ["Edit", "Makes the change"],
  check: ["Check", "Runs the gates over the change"],
  push: ["Push", "Pushes the branch"],
  pull_request: ["Pull request", "Opens or updates the pull request"],
  still_present: ["Still present", "Looks whether the finding is still there"],
  scope: ["Scope", "Only files that the fix may touch"],
  size: ["Size", "Within the size of a reviewable change"],
  parse: ["Parse", "Every changed file can be parsed"],
  finding_gone: ["Finding gone", "The finding is no longer reported"],
  no_new_findings: ["No new findings", "The change brings no finding of its own"],
  format: ["Format", "The repository's format command"],
  build: ["Build", "The repository's build command"],
  lint: ["Lint", "The repository's lint command"],
  test: ["Test", "The repository's test command"],
  job: ["Job", ""]
}

const sentence = (name: string) => {
  const text = name.replaceAll("_", " ")
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export const stageWords = (stage: string): { readonly name: string; readonly does: string } => {
  const round = /^(edit|check)_(\d+)$/.exec(stage)
  const [name, does] = words[round?.[1] ?? stage] ?? [sentence(stage), ""]
  return { name: round === null ? name : `${name}, round ${round[2]}`, does }
}

const workflows: Readonly<Record<string, string>> = {
  standard_audit: "Standard audit",
  audit: "Audit",
  discover: "Discovery",
  revalidate: "Revalidation",
  review: "Review",
  fix: "Fix",
  change_review: "Change review",
  mission_step: "Mission step",
  mission_pull_request: "Mission pull request"
}

/** A workflow as a noun: `Audit`, `Discovery`. */
export const workflowName = (workflow: string): string => workflows[workflow] ?? sentence(workflow)
