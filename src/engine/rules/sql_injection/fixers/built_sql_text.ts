import { fixer } from "../../../core/fix/Fixer.ts"
import { boundParameters } from "./boundParameters.ts"

export default fixer({
  tool: "sql_injection",
  rule: "built_sql_text",
  languages: ["go", "java", "javascript", "python"],
  propose: boundParameters
})
