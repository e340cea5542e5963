import { Effect } from "effect"
import type { DoctorCheck } from "../../schema/Installation.ts"
import { InstallationChecks } from "../ports/InstallationChecks.ts"

/** What to do where a check finds something; the operator has the server's own words by `assay doctor`. */
const advice: Readonly<Record<string, string>> = {
  settings: "Correct or remove the variable in the service's environment, and start the service again.",
  node: "Install the named version of Node on the server, and start the service again.",
  git: "Install a newer git on the server.",
  memory: "Lower ASSAY_JOB_SLOTS or ASSAY_SCAN_MEMORY_MB, or give the server more memory.",
  disk: "Free space on the server, or set ASSAY_DATA_DIR to a folder with more.",
  database: "Look at the database's own log, and bring PostgreSQL to the named version.",
  migrations: "Run assay migrate, or start the newest version of the service.",
  clock: "Let the server and the database take their time from NTP.",
  retention: "Look at the log of the process that runs jobs; start one where there is none.",
  repositories: "Correct ASSAY_LOCAL_REPO_ROOTS, or mount the folder that it names.",
  sandbox:
    "Run the service on Linux that allows user namespaces, with perl; docs/security.md says what each part does.",
  advisories: "Run assay advisories update on the server; assay doctor says there what failed.",
  mail: "Correct ASSAY_SMTP_URL. Until then send links and invitations from the outbox yourself.",
  proxies: "Put a proxy with https before the service; set ASSAY_PUBLIC_URL and ASSAY_TRUSTED_PROXIES."
}

const generalAdvice = "Run assay doctor on the server: it says more there."

/** What may be amiss with the installation, for owners and admins of a workspace. */
export class Doctor extends Effect.Service<Doctor>()("Doctor", {
  effect: Effect.map(InstallationChecks, (checks) => ({
    report: Effect.fn("Doctor.report")(function* () {
      const found = yield* checks
      return {
        checks: found.map(
          (check): DoctorCheck => ({
            ...check,
            advice: check.status === "ok" ? null : (advice[check.name] ?? generalAdvice)
          })
        )
      }
    })
  }))
}) {}
