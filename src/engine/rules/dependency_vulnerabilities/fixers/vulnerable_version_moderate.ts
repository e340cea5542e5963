import { fixer } from "../../../core/fix/Fixer.ts"
import { raisedVersion } from "./raisedVersion.ts"

export default fixer({
  tool: "dependency_vulnerabilities",
  rule: "vulnerable_version_moderate",
  languages: ["xml", "kotlin", "text"],
  propose: raisedVersion
})
