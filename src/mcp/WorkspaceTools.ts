import { Effect } from "effect"
import { TodoList, WorkspaceOverview } from "../schema/Overview.ts"
import { workspace as operations } from "../schema/operations/index.ts"
import {
  guidanceText,
  Setting,
  SettingName,
  Settings as SettingsList,
  SettingValue,
  WorkspaceGuidance
} from "../schema/Setting.ts"
import { OrganizationContext } from "../services/context/OrganizationContext.ts"
import { Overviews } from "../services/overview/Overviews.ts"
import { Todo } from "../services/overview/Todo.ts"
import { Settings } from "../services/settings/Settings.ts"
import { tool } from "./Tool.ts"

export const WorkspaceTools = Effect.map(
  Effect.all([Overviews, Todo, OrganizationContext, Settings]),
  ([overviews, todo, guidance, settings]) => [
    tool({
      name: "get_workspace_overview",
      title: "Get workspace overview",
      operation: operations.readOverview,
      args: {},
      result: WorkspaceOverview,
      quotesRepository: false,
      run: () => overviews.ofWorkspace()
    }),
    tool({
      name: "get_todo_list",
      title: "Get to-do list",
      operation: operations.readTodo,
      args: {},
      result: TodoList,
      run: () => todo.list()
    }),
    tool({
      name: "get_workspace_guidance",
      title: "Get workspace guidance",
      operation: operations.readGuidance,
      args: {},
      result: WorkspaceGuidance,
      quotesRepository: false,
      run: () => guidance.get()
    }),
    tool({
      name: "set_workspace_guidance",
      title: "Set workspace guidance",
      operation: operations.setGuidance,
      args: { text: guidanceText },
      result: WorkspaceGuidance,
      quotesRepository: false,
      idempotent: true,
      run: ({ text }) => guidance.set(text)
    }),
    tool({
      name: "get_workspace_settings",
      title: "Get workspace settings",
      operation: operations.readSettings,
      args: {},
      result: SettingsList,
      quotesRepository: false,
      run: () => settings.list()
    }),
    tool({
      name: "set_workspace_setting",
      title: "Set workspace setting",
      operation: operations.setSetting,
      args: { name: SettingName, value: SettingValue },
      result: Setting,
      quotesRepository: false,
      idempotent: true,
      run: ({ name, value }) => settings.set(name, value)
    }),
    tool({
      name: "clear_workspace_setting",
      title: "Clear workspace setting",
      operation: operations.clearSetting,
      args: { name: SettingName },
      result: Setting,
      quotesRepository: false,
      idempotent: true,
      run: ({ name }) => settings.clear(name)
    })
  ]
)
