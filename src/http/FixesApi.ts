import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { InvalidCursor } from "../schema/Errors.ts"
import { FixDiff, FixPrsQuery, NoFixDiff, NoOpenFixPr, WorkspaceFixPr } from "../schema/Fix.ts"
import { Observation, ObservationNotFound, ObservationPath } from "../schema/Observation.ts"
import { observations } from "../schema/operations/index.ts"
import { page } from "../schema/Page.ts"
import { RepositoryUnverified } from "../schema/Repository.ts"
import { Authorization } from "./Authorization.ts"
import { RepositoryFilterErrors } from "./errors.ts"
import { onWire, serves } from "./wire.ts"

export const WorkspaceFixPrsPage = page("WorkspaceFixPrsPage", WorkspaceFixPr)

export const FixesApi = HttpApiGroup.make("fixes")
  .add(
    HttpApiEndpoint.get("list", "/api/fix-prs")
      .annotateContext(
        serves(
          observations.listFixPrs,
          "Lists the fix pull requests of every repository that the caller may see, newest first; those of deleted repositories are left out."
        )
      )
      .setUrlParams(FixPrsQuery)
      .addSuccess(WorkspaceFixPrsPage)
      .addError(onWire(InvalidCursor))
      .addError(RepositoryFilterErrors)
  )
  .add(
    HttpApiEndpoint.get("diff", "/api/observations/:ref/diff")
      .annotateContext(
        serves(
          observations.readFixDiff,
          "Reads the change that the newest fix of an observation makes, as a unified diff; also of an attempt that failed."
        )
      )
      .setPath(ObservationPath)
      .addSuccess(FixDiff)
      .addError(onWire(ObservationNotFound, NoFixDiff))
  )
  .add(
    HttpApiEndpoint.post("withdraw", "/api/observations/:ref/fix-withdrawal")
      .annotateContext(
        serves(
          observations.withdrawFix,
          "Closes an observation's open fix pull request unmerged. It counts as no try, and a revision under way is cancelled."
        )
      )
      .setPath(ObservationPath)
      .addSuccess(Observation)
      .addError(onWire(ObservationNotFound, NoOpenFixPr, RepositoryUnverified))
  )
  .annotate(OpenApi.Description, "What becomes of fixes.")
  .middleware(Authorization)
