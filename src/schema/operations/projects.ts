import { operation } from "../Operation.ts"

export const listProjects = operation({
  name: "projects.list",
  summary: "List areas, spaces and projects with their repositories.",
  scopes: ["view_issues"],
  access: "read"
})
export const readProject = operation({
  name: "projects.read",
  summary: "Read one area, space or project with its repositories and the levels above it.",
  scopes: ["view_issues"],
  access: "read"
})
export const createProject = operation({
  name: "projects.create",
  summary: "Create an area, a space or a project.",
  scopes: ["manage_projects"],
  access: "write",
  idempotent: true
})
export const updateProject = operation({
  name: "projects.update",
  summary: "Rename, describe or move an area, a space or a project.",
  scopes: ["manage_projects"],
  access: "write",
  destructive: true,
  idempotent: true
})
export const addRepository = operation({
  name: "projects.add_repository",
  summary: "Add a registered repository to an area, a space or a project.",
  scopes: ["manage_projects"],
  access: "write",
  idempotent: true
})
export const removeRepository = operation({
  name: "projects.remove_repository",
  summary: "Remove a repository from an area, a space or a project.",
  scopes: ["manage_projects"],
  access: "write",
  destructive: true,
  idempotent: true
})

// Who may do what is decided by people, not by keys.

export const listMembers = operation({
  name: "projects.members",
  summary: "List the members with a role granted on an area, a space or a project itself.",
  scopes: ["view_issues"],
  access: "read",
  only: "session"
})
export const grantRole = operation({
  name: "projects.grant_role",
  summary: "Grant a member of the workspace a role on an area, a space or a project, and all below it.",
  scopes: ["manage_projects"],
  access: "write",
  destructive: true,
  idempotent: true,
  only: "session"
})
export const withdrawRole = operation({
  name: "projects.withdraw_role",
  summary: "Withdraw a member's role on an area, a space or a project.",
  scopes: ["manage_projects"],
  access: "write",
  destructive: true,
  idempotent: true,
  only: "session"
})
