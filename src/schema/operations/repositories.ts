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
export const listFixPrs = operation({
  name: "repositories.fix_prs",
  summary: "List a repository's fix pull requests, newest first.",
  scopes: ["view_repositories"],
  access: "read"
})
