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
  access: "write"
})
export const updateProject = operation({
  name: "projects.update",
  summary: "Rename, describe or move an area, a space or a project.",
  scopes: ["manage_projects"],
  access: "write"
})
export const addRepository = operation({
  name: "projects.add_repository",
  summary: "Put a registered repository under an area, a space or a project.",
  scopes: ["manage_projects"],
  access: "write"
})
export const removeRepository = operation({
  name: "projects.remove_repository",
  summary: "Take a repository out of an area, a space or a project.",
  scopes: ["manage_projects"],
  access: "write"
})

// Who may do what is decided by people, not by keys.

export const listMembers = operation({
  name: "projects.members",
  summary: "List who has a role on an area, a space or a project itself.",
  scopes: ["view_issues"],
  access: "read",
  only: "session"
})
export const grantRole = operation({
  name: "projects.grant_role",
  summary: "Give a member of the workspace a role on an area, a space or a project, and all below it.",
  scopes: ["manage_projects"],
  access: "write",
  only: "session"
})
export const withdrawRole = operation({
  name: "projects.withdraw_role",
  summary: "Take a member's role on an area, a space or a project away.",
  scopes: ["manage_projects"],
  access: "write",
  only: "session"
})
