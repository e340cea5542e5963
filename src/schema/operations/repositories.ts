import { operation } from "../Operation.ts"

export const registerRepository = operation({
  name: "repositories.register",
  summary: "Register a repository branch in the workspace.",
  scopes: ["register_repo"],
  access: "spend",
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
  summary: "Hide a repository and cancel its jobs; registering it again restores its history.",
  scopes: ["delete_repo"],
  access: "write"
})
export const resetRepository = operation({
  name: "repositories.reset",
  summary: "Delete a repository's findings, history, suggestions or all of it; refused while a job is queued or runs.",
  scopes: ["manage_repos"],
  access: "write",
  bucket: { name: "repo_reset", rpm: 5 }
})
export const readDiscovery = operation({
  name: "repositories.discovery",
  summary: "Read what discovery wrote about a repository: profile, principles, patterns, guides, skills.",
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
  summary: "Read which rules, patterns and open observations apply to one file of a repository.",
  scopes: ["view_repositories"],
  access: "read"
})
export const readPattern = operation({
  name: "repositories.pattern",
  summary: "Read the most common way of doing something in a repository, with a typical place.",
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
  summary: "Look at a repository without registering it: branches, default branch, what would be registered.",
  scopes: ["view_repositories"],
  access: "read",
  bucket: { name: "repo_preview", rpm: 30 }
})
export const updateRepository = operation({
  name: "repositories.update",
  summary: "Change a repository's display name, description, clone address or access mode.",
  scopes: ["manage_repos"],
  access: "write"
})
export const readOverview = operation({
  name: "repositories.overview",
  summary: "Read how a repository stands: open counts, benchmark scores, last runs, open fix pull requests.",
  scopes: ["view_repositories"],
  access: "read"
})
export const readFreshness = operation({
  name: "repositories.audit_freshness",
  summary: "Tell whether a repository's newest commit was audited, and how old the last audit is.",
  scopes: ["view_repositories"],
  access: "read"
})
export const readGuidance = operation({
  name: "repositories.guidance",
  summary: "Read what everybody who works on a repository should know.",
  scopes: ["view_repositories"],
  access: "read"
})
export const setGuidance = operation({
  name: "repositories.set_guidance",
  summary: "Replace what everybody who works on a repository should know; an empty text removes it.",
  scopes: ["manage_tenant_settings"],
  access: "write"
})
export const readReviewInstructions = operation({
  name: "repositories.review_instructions",
  summary: "Read what reviews of a repository heed: its own instructions and the workspace's.",
  scopes: ["view_repositories"],
  access: "read"
})
export const setReviewInstructions = operation({
  name: "repositories.set_review_instructions",
  summary: "Replace what reviews of a repository heed; an empty text leaves the workspace's.",
  scopes: ["manage_tenant_settings"],
  access: "write"
})
