import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { PlanRestricted, RouteNotFound } from "../schema/Errors.ts"
import { DoctorReport } from "../schema/Installation.ts"
import { WorkspaceLimits } from "../schema/Limits.ts"
import { TodoList, WorkspaceOverview } from "../schema/Overview.ts"
import { workspace } from "../schema/operations/index.ts"
import { SetGuidance, SetSetting, Setting, SettingPath, Settings, WorkspaceGuidance } from "../schema/Setting.ts"
import { SecretDetected, VersionConflict } from "../schema/TeamContext.ts"
import { Authorization } from "./Authorization.ts"
import { IfMatch } from "./etag.ts"
import { onWire, serves } from "./wire.ts"

export const WorkspaceApi = HttpApiGroup.make("workspace")
  .add(
    HttpApiEndpoint.get("overview", "/api/workspace/overview")
      .annotateContext(serves(workspace.readOverview))
      .addSuccess(WorkspaceOverview)
  )
  .add(
    HttpApiEndpoint.get("todo", "/api/workspace/todo")
      .annotateContext(
        serves(
          workspace.readTodo,
          "Lists what a person should look at next. Items that need a permission the caller lacks are left out; `not_shown` names those permissions."
        )
      )
      .addSuccess(TodoList)
  )
  .add(
    HttpApiEndpoint.get("guidance", "/api/workspace/guidance")
      .annotateContext(serves(workspace.readGuidance))
      .addSuccess(WorkspaceGuidance)
  )
  .add(
    HttpApiEndpoint.put("setGuidance", "/api/workspace/guidance")
      .annotateContext(
        serves(
          workspace.setGuidance,
          "Replaces the guidance of the workspace, the first entry of every context digest; an empty text removes it. With `If-Match`, a text that changed since is 409 `version_conflict`, with the text in `details.current`."
        )
      )
      .setHeaders(IfMatch)
      .setPayload(SetGuidance)
      .addSuccess(WorkspaceGuidance)
      .addError(onWire(SecretDetected, VersionConflict))
  )
  .add(
    HttpApiEndpoint.get("settings", "/api/workspace/settings")
      .annotateContext(serves(workspace.readSettings))
      .addSuccess(Settings)
  )
  .add(
    HttpApiEndpoint.put("setSetting", "/api/workspace/settings/:name")
      .annotateContext(
        serves(
          workspace.setSetting,
          "Sets one setting. `value` is true or false, or the text of `review_instructions`. `audit_suggestions` is switched on only where the plan has it (402 `plan_restricted`)."
        )
      )
      .setPath(SettingPath)
      .addError(onWire(RouteNotFound))
      .setPayload(SetSetting)
      .addSuccess(Setting)
      .addError(onWire(SecretDetected, PlanRestricted))
  )
  .add(
    HttpApiEndpoint.del("clearSetting", "/api/workspace/settings/:name")
      .annotateContext(serves(workspace.clearSetting))
      .setPath(SettingPath)
      .addError(onWire(RouteNotFound))
      .addSuccess(Setting)
  )
  .add(
    HttpApiEndpoint.get("limits", "/api/workspace/limits")
      .annotateContext(
        serves(
          workspace.readLimits,
          "Reads what the workspace has, may use and has used. The operator changes it with `assay workspace set`, except features that a setting switches."
        )
      )
      .addSuccess(WorkspaceLimits)
  )
  .add(
    HttpApiEndpoint.get("doctor", "/api/workspace/doctor")
      .annotateContext(
        serves(
          workspace.readDoctor,
          "Makes the checks of `assay doctor` in the process that serves the API. Paths, addresses and texts of errors are left out: `assay doctor` prints them to the operator. Results are kept for ten seconds."
        )
      )
      .addSuccess(DoctorReport)
  )
  .annotate(OpenApi.Description, "The workspace as a whole: state, to-do list, guidance, settings and limits.")
  .middleware(Authorization)
