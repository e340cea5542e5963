import { type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { deferClose } from "./closing/deferClose.ts"
import { tryWithResources } from "./closing/tryWithResources.ts"
import { usingDeclaration } from "./closing/usingDeclaration.ts"

const propose = (site: FixSite): Proposal => {
  if (site.file.language === "go") return deferClose(site, "Close")
  return site.file.language === "java" ? tryWithResources(site) : usingDeclaration(site)
}

export default fixer({
  tool: "resource_management",
  rule: "unclosed_connection",
  languages: ["csharp", "go", "java"],
  propose
})
