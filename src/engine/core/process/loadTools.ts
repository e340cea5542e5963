import { tools as catalogue } from "../../rules/index.ts"
import type { AuditTool } from "../tool/AuditTool.ts"
import { withoutSuggestions } from "../tool/suggestions.ts"
import type { WorkerSettings } from "./scanProtocol.ts"

/** The tools a scan runs. Only threads load them: it is a great deal of code. */
export const loadTools = async (settings: WorkerSettings): Promise<ReadonlyArray<AuditTool>> => {
  const { suite, suggestions, toolsModule } = settings
  const chosen: ReadonlyArray<AuditTool> =
    toolsModule === null
      ? catalogue.filter((tool) => suite === "full" || tool.suite === "standard")
      : (await import(toolsModule)).tools
  return suggestions ? chosen : withoutSuggestions(chosen)
}
