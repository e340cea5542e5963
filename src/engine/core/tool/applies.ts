import { isBuilt } from "../files/builtFiles.ts"
import { isCompiledScript } from "../files/compiled.ts"
import type { SourceFile } from "../files/SourceFile.ts"
import type { AuditTool } from "./AuditTool.ts"

/** Written by a compiler or a bundler: security alone is worth reporting of it. */
export const isCompiled = (file: SourceFile): boolean =>
  file.memo(
    isCompiledScript,
    ({ path, text, terms }) => isCompiledScript(path, text) || (isBuilt(path) && terms.configured?.role !== "source")
  )

/** Whether a tool has anything to do in a file: a cheap choice, before it inspects the file. */
export const applies = (tool: AuditTool, file: SourceFile): boolean =>
  tool.appliesTo(file) &&
  (tool.mentions === undefined || tool.mentions.test(file.text) || file.mentionsComponents) &&
  (tool.domain === "security" || !isCompiled(file))
