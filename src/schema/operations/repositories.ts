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
