import { Schema } from "effect"
import { record } from "./closed.ts"
import { field, nullable, oneOf } from "./Text.ts"

export const DoctorCheck = record("DoctorCheck", {
  name: field(Schema.String, "Name of the check, as `assay doctor` prints it."),
  status: field(oneOf("ok", "warn", "fail"), "`warn` works, but should be looked at; `fail` does not work."),
  detail: field(Schema.String, "What was found, without paths, addresses and secrets."),
  advice: nullable(Schema.String, "What to do, in words; null where nothing has to be done.")
})
export type DoctorCheck = typeof DoctorCheck.Type

/** The checks of the process that serves the API. */
export const DoctorReport = record("DoctorReport", {
  checks: field(Schema.Array(DoctorCheck), "The checks that `assay doctor` makes of a running service.")
})

export const LocalFolder = record("LocalFolder", {
  path: field(Schema.String, "Path of the folder on the server: the `clone_url` to register it with.")
})

export const LocalFolders = record("LocalFolders", {
  data: field(Schema.Array(LocalFolder), "Git folders, those nearest to a root first."),
  truncated: field(Schema.Boolean, "Whether there may be more: the search looks at a limited number of folders.")
})
export type LocalFolders = typeof LocalFolders.Type
