import { Effect } from "effect"
import { TodoList, WorkspaceOverview } from "../schema/Overview.ts"
import { workspace as operations } from "../schema/operations/index.ts"
import {
  guidanceText,
  SetSetting,
  Setting,
  SettingPath,
  Settings as SettingsList,
  WorkspaceGuidance
} from "../schema/Setting.ts"
import { OrganizationContext } from "../services/context/OrganizationContext.ts"
import { Overviews } from "../services/overview/Overviews.ts"
import { Todo } from "../services/overview/Todo.ts"
import { Settings } from "../services/settings/Settings.ts"
import { cutText } from "./answerSize.ts"
import { tool } from "./Tool.ts"

// At most forty items, so that all of them fit.
const briefTodo = (list: TodoList): TodoList => ({
  ...list,
  items: list.items.map((item) => ({ ...item, title: cutText(item.title, 200), why: cutText(item.why, 300) }))
})

export const WorkspaceTools = Effect.map(
  Effect.all([Overviews, Todo, OrganizationContext, Settings]),
  ([overviews, todo, guidance, settings]) => [
    tool({
      name: "get_workspace_overview",
      title: "Get workspace overview",
      description:
        "Read counts of repositories, observations, jobs and fix pull requests. Use get_todo_list for what needs attention.",
      operation: operations.readOverview,
      args: {},
      result: WorkspaceOverview,
      run: () => overviews.ofWorkspace()
    }),
    tool({
      name: "get_todo_list",
      title: "Get to-do list",
      description:
        "List what needs a person's attention: findings, failed jobs, proposals, fixes. Use get_workspace_overview for counts.",
      operation: operations.readTodo,
      args: {},
      result: TodoList,
      run: () => Effect.map(todo.list(), briefTodo)
    }),
    tool({
      name: "get_workspace_guidance",
      title: "Get workspace guidance",
      description:
        "Read the guidance for everyone who works in the workspace. Use get_repository_guidance for one repository's.",
      operation: operations.readGuidance,
      args: {},
      result: WorkspaceGuidance,
      quotesRepository: false,
      run: () => guidance.get()
    }),
    tool({
      name: "set_workspace_guidance",
      title: "Set workspace guidance",
      description:
        "Replace the guidance for everyone who works in the workspace. Use get_workspace_guidance to read it first.",
      operation: operations.setGuidance,
      args: { text: guidanceText },
      result: WorkspaceGuidance,
      quotesRepository: false,
      run: ({ text }) => guidance.set(text)
    }),
    tool({
      name: "get_workspace_settings",
      title: "Get workspace settings",
      description: "List the workspace's settings with values and defaults. Use set_workspace_setting to change one.",
      operation: operations.readSettings,
      args: {},
      result: SettingsList,
      quotesRepository: false,
      run: () => settings.list()
    }),
    tool({
      name: "set_workspace_setting",
      title: "Set workspace setting",
      description: "Change a workspace setting. Use get_workspace_settings for names and current values.",
      operation: operations.setSetting,
      args: { ...SettingPath.fields, ...SetSetting.fields },
      result: Setting,
      quotesRepository: false,
      run: ({ name, value }) => settings.set(name, value)
    }),
    tool({
      name: "clear_workspace_setting",
      title: "Clear workspace setting",
      description: "Reset a workspace setting to its default. Use get_workspace_settings for the defaults.",
      operation: operations.clearSetting,
      args: SettingPath.fields,
      result: Setting,
      quotesRepository: false,
      run: ({ name }) => settings.clear(name)
    })
  ]
)
