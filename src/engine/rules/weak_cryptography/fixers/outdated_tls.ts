import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { replacement } from "../../../languages/edits/arguments.ts"
import { isString } from "../../../languages/syntax/strings.ts"
import { assignments, calls } from "../../../languages/syntax/vocabulary.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"

const summary = "Require TLS 1.2"

/** The same constant or text for TLS 1.2; null where it has none. */
const newer = (written: string): string | null => {
  const [, before, quote, after] = /^(["'])(?:TLSv1(?:\.1|_1)?|SSLv[23])((?:_method)?["'])$/.exec(written) ?? [written]
  if (before !== undefined) return `${before}TLSv1${quote!.startsWith("_") ? "_" : "."}2${quote!}${after ?? ""}`
  const constants: ReadonlyArray<readonly [RegExp, string]> = [
    [/\bPROTOCOL_(?:TLSv1(?:_1)?|SSLv[23])$/, "PROTOCOL_TLSv1_2"],
    [/\b(?:TLSv1(?:_1)?|SSLv3)$/, "TLSv1_2"],
    [/\bVersion(?:TLS1[01]|SSL30)$/, "VersionTLS12"],
    [/\bSecurityProtocolType\.(?:Ssl3|Tls|Tls11)$/, "SecurityProtocolType.Tls12"]
  ]
  const constant = constants.find(([pattern]) => pattern.test(written))
  return constant === undefined ? null : written.replace(constant[0], constant[1])
}

/** A highest version below the new lowest one leaves none. */
const limitsMaximum = ({ file }: FixSite, node: number): boolean => {
  const tree = file.tree!
  const holder = tree.enclosing(node, "object", "literal_value", "function_definition", "statement_block", "block")
  return /\b(?:max_?version|maximum_version)\b/i.test(tree.textOf(holder))
}

const replaced = (site: FixSite, value: number): Proposal => {
  const tree = site.file.tree!
  const text = newer(tree.textOf(value))
  if (text === null) return declined("Which constant stands for TLS 1.2 is not known.")
  if (limitsMaximum(site, value)) return declined("The highest version is limited as well.")
  return { edits: [replacement(tree, value, text)], summary }
}

export default fixer({
  tool: "weak_cryptography",
  rule: "outdated_tls",
  languages: ["csharp", "go", "java", "javascript", "python"],
  propose: (site) => {
    const { file, match } = site
    const tree = file.tree!
    const isHere = (node: number): boolean => tree.start(node) === match.start && tree.end(node) === match.end
    const setting = assignments(file).find((one) => one.value !== NONE && isHere(one.node))
    if (setting !== undefined) return replaced(site, setting.value)
    const name = calls(file).find((one) => isHere(one.node))?.args[0] ?? NONE
    return isString(file, name) ? replaced(site, name) : declined("The version comes from a constant elsewhere.")
  }
})
