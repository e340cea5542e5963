import { fixer } from "../../../core/fix/Fixer.ts"
import { deferClose } from "./closing/deferClose.ts"

export default fixer({
  tool: "resource_management",
  rule: "unclosed_response",
  languages: ["go"],
  propose: (site) => deferClose(site, "Body.Close")
})
