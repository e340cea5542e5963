import { Effect } from "effect"
import { OrganizationContext } from "../services/context/OrganizationContext.ts"
import { Doctor } from "../services/overview/Doctor.ts"
import { Overviews } from "../services/overview/Overviews.ts"
import { Todo } from "../services/overview/Todo.ts"
import { WorkspaceLimits } from "../services/overview/WorkspaceLimits.ts"
import { Settings } from "../services/settings/Settings.ts"
import { Api } from "./Api.ts"
import { group } from "./group.ts"

export const WorkspaceHandlers = group(
  Api,
  "workspace",
  Effect.fnUntraced(function* (handlers) {
    const overviews = yield* Overviews
    const todo = yield* Todo
    const guidance = yield* OrganizationContext
    const settings = yield* Settings
    const limits = yield* WorkspaceLimits
    const doctor = yield* Doctor
    return handlers
      .handle("overview", () => overviews.ofWorkspace())
      .handle("todo", () => todo.list())
      .handle("guidance", () => guidance.get())
      .handle("setGuidance", ({ payload, headers }) => guidance.set(payload.text, headers["if-match"]))
      .handle("settings", () => settings.list())
      .handle("setSetting", ({ path, payload }) => settings.set(path.name, payload.value))
      .handle("clearSetting", ({ path }) => settings.clear(path.name))
      .handle("limits", () => limits.read())
      .handle("doctor", () => doctor.report())
  })
)
