import { tools as catalogue } from "../../rules/index.ts"
import type { AuditTool } from "../tool/AuditTool.ts"
import { type ScanTools, scanTools } from "../tool/scanTools.ts"
import { withoutSuggestions } from "../tool/suggestions.ts"
import type { WorkerSettings } from "./scanProtocol.ts"

/** The tools a scan runs. Only threads load them: it is a great deal of code. */
export const loadTools = async (settings: WorkerSettings): Promise<ScanTools> => {
  const { suite, suggestions, only, toolsModule } = settings
  const chosen: ReadonlyArray<AuditTool> =
    toolsModule === null
      ? catalogue.filter((tool) => suite === "full" || tool.suite === "standard")
      : (await import(toolsModule)).tools
  return scanTools(suggestions ? chosen : withoutSuggestions(chosen), only)
}
