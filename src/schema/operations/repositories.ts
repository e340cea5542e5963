import { operation } from "../Operation.ts"

export const registerRepository = operation({
  name: "repositories.register",
  summary: "Register a repository branch in the workspace.",
  scopes: ["register_repo"],
  access: "spend",
  idempotent: true,
  openWorld: true,
  bucket: { name: "repo_register", rpm: 10 }
})
export const listRepositories = operation({
  name: "repositories.list",
  summary: "List the workspace's repositories.",
  scopes: ["view_repositories"],
  access: "read",
  bucket: { name: "repo_list", rpm: 60 }
})
export const readRepository = operation({
  name: "repositories.read",
  summary: "Read one repository.",
  scopes: ["view_repositories"],
  access: "read"
})
export const deleteRepository = operation({
  name: "repositories.delete",
  summary: "Delete a repository and cancel its jobs; registering it again restores its history.",
  scopes: ["delete_repo"],
  access: "write",
  destructive: true,
  idempotent: true
})
export const resetRepository = operation({
  name: "repositories.reset",
  summary: "Delete a repository's findings, history, suggestions or all of it; rejected while a job is active.",
  scopes: ["manage_repos"],
  access: "write",
  destructive: true,
  idempotent: true,
  bucket: { name: "repo_reset", rpm: 5 }
})
export const readDiscovery = operation({
  name: "repositories.discovery",
  summary: "Read a repository's discovery: profile, principles, patterns, guides and recipes.",
  scopes: ["view_repositories"],
  access: "read"
})
export const readKnowledge = operation({
  name: "repositories.knowledge",
  summary: "Read a repository's profile, principles, conventions and open directives in one bundle.",
  scopes: ["view_repositories"],
  access: "read"
})
export const readRules = operation({
  name: "repositories.rules",
  summary: "Read the rules, patterns and open observations that apply to one file of a repository.",
  scopes: ["view_repositories"],
  access: "read"
})
export const readPattern = operation({
  name: "repositories.pattern",
  summary: "Read the most common way of a recurring task in a repository, with a typical location.",
  scopes: ["view_repositories"],
  access: "read"
})
export const readGuides = operation({
  name: "repositories.guides",
  summary: "Read how to install, build, test and run a repository, and recipes for recurring changes.",
  scopes: ["view_repositories"],
  access: "read"
})
export const listFixPrs = operation({
  name: "repositories.fix_prs",
  summary: "List a repository's fix pull requests, newest first.",
  scopes: ["view_repositories"],
  access: "read"
})
export const listReviews = operation({
  name: "repositories.reviews",
  summary: "List reviews of pull requests, branches and commits, newest first.",
  scopes: ["view_repositories"],
  access: "read"
})
export const previewRepository = operation({
  name: "repositories.preview",
  summary: "Preview a repository before registering it: branches, default branch and resulting registration.",
  scopes: ["view_repositories"],
  access: "read",
  openWorld: true
})
// Folders of the operator's machine: signed-in admins look at them, not programs.
export const listLocalFolders = operation({
  name: "repositories.local_folders",
  summary: "List git folders on the server that can be registered by path.",
  scopes: ["manage_tenant_settings"],
  access: "read",
  only: "session"
})
export const listScores = operation({
  name: "repositories.scores",
  summary: "List the scores of repositories, with their change since the previous audit.",
  scopes: ["view_repositories"],
  access: "read"
})
export const updateRepository = operation({
  name: "repositories.update",
  summary: "Change a repository's display name, description, clone URL or access mode.",
  scopes: ["manage_repos"],
  access: "write",
  destructive: true,
  idempotent: true,
  openWorld: true
})
export const readOverview = operation({
  name: "repositories.overview",
  summary: "Read the state of a repository: open counts, benchmark scores, last runs, open fix pull requests.",
  scopes: ["view_repositories"],
  access: "read"
})
export const readBrief = operation({
  name: "repositories.brief",
  summary: "Read what to know before working on a repository: state, open counts, knowledge, team context.",
  scopes: ["view_repositories"],
  access: "read"
})
export const readFreshness = operation({
  name: "repositories.audit_freshness",
  summary: "Check whether a repository's newest commit was audited, and how old the last audit is.",
  scopes: ["view_repositories"],
  access: "read",
  openWorld: true
})
export const readGuidance = operation({
  name: "repositories.guidance",
  summary: "Read the guidance for everyone who works on a repository.",
  scopes: ["view_repositories"],
  access: "read"
})
export const setGuidance = operation({
  name: "repositories.set_guidance",
  summary: "Replace the guidance for everyone who works on a repository; an empty text removes it.",
  scopes: ["manage_tenant_settings"],
  access: "write",
  destructive: true,
  idempotent: true
})
// Commands run on the operator's machine: signed-in admins decide on them, not programs.
export const readCommands = operation({
  name: "repositories.commands",
  summary: "Read the commands that fixes of a repository are checked with.",
  scopes: ["manage_tenant_settings"],
  access: "read",
  only: "session"
})
export const setCommands = operation({
  name: "repositories.set_commands",
  summary: "Replace the commands (format, build, lint, test) that fixes of a repository are checked with.",
  scopes: ["manage_tenant_settings"],
  access: "write",
  destructive: true,
  idempotent: true,
  only: "session"
})
export const readReviewInstructions = operation({
  name: "repositories.review_instructions",
  summary: "Read the instructions that reviews of a repository follow: its own and the workspace's.",
  scopes: ["view_repositories"],
  access: "read"
})
export const setReviewInstructions = operation({
  name: "repositories.set_review_instructions",
  summary: "Replace a repository's own review instructions; an empty text leaves only the workspace's.",
  scopes: ["manage_tenant_settings"],
  access: "write",
  destructive: true,
  idempotent: true
})
