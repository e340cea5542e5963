import { fixer } from "../../../core/fix/Fixer.ts"
import { inlineFile } from "./closing/inlineFile.ts"

export default fixer({
  tool: "resource_management",
  rule: "unclosed_file_read",
  languages: ["python"],
  propose: inlineFile
})
