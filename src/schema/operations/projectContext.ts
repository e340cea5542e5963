import { type Operation, operation } from "../Operation.ts"
import * as context from "./context.ts"

/** The same operation at an area, a space or a project: same scopes, a name of its own for the documents. */
const at = (ofWorkspace: Operation) =>
  operation({
    ...ofWorkspace,
    name: ofWorkspace.name.replace("context.", "project_context."),
    summary: ofWorkspace.summary.replace("apply to the workspace", "apply to a project, space or area")
  })

export const listEntries = at(context.listEntries)
export const readDigest = at(context.readDigest)
export const readEntry = at(context.readEntry)
export const readHistory = at(context.readHistory)
export const createEntry = at(context.createEntry)
export const putEntry = at(context.putEntry)
export const patchEntry = at(context.patchEntry)
export const disableEntry = at(context.disableEntry)
export const restoreEntry = at(context.restoreEntry)
export const confirmEntry = at(context.confirmEntry)
export const corroborateEntry = at(context.corroborateEntry)
