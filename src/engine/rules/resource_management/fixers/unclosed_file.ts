import { type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { deferClose } from "./closing/deferClose.ts"
import { inlineFile } from "./closing/inlineFile.ts"
import { tryWithResources } from "./closing/tryWithResources.ts"
import { usingDeclaration } from "./closing/usingDeclaration.ts"
import { withBlock } from "./closing/withBlock.ts"

const proposePython = (site: FixSite): Proposal => {
  const { file, match } = site
  const isCall = file.tree?.is(file.tree.covering(match.start, match.end), "call") ?? false
  return isCall ? inlineFile(site) : withBlock(site)
}

const propose = (site: FixSite): Proposal => {
  switch (site.file.language) {
    case "go":
      return deferClose(site, "Close")
    case "java":
      return tryWithResources(site)
    case "csharp":
      return usingDeclaration(site)
    default:
      return proposePython(site)
  }
}

export default fixer({
  tool: "resource_management",
  rule: "unclosed_file",
  languages: ["csharp", "go", "java", "python"],
  propose
})
