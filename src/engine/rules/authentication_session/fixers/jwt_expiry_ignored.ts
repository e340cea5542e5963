import type { SourceFile } from "../../../core/files/SourceFile.ts"
import { declined, type Edit, type FixSite, fixer } from "../../../core/fix/Fixer.ts"
import { entryNamed, itemRemoval, replacement } from "../../../languages/edits/arguments.ts"
import { matchedCall } from "../../../languages/edits/atMatch.ts"
import { assignments, type Call } from "../../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../../languages/tree/FlatTree.ts"

/** Seconds, or a product of them. */
const isNumber = (tree: FlatTree, node: number): boolean => /^[\d_ *]+L?$/.test(tree.textOf(node))

const minute = (tree: FlatTree, node: number): Edit | null => {
  if (isNumber(tree, node)) return replacement(tree, node, "60")
  const delta = /^((?:datetime\.)?timedelta\()/.exec(tree.textOf(node))
  return delta === null ? null : replacement(tree, node, `${delta[1]}minutes=1)`)
}

const found = (edits: ReadonlyArray<Edit | null>): ReadonlyArray<Edit> => edits.flatMap((edit) => edit ?? [])

/** `ignoreExpiration: true`, `clockTolerance: 3600`, `JWT::$leeway = 3600` */
const inSetting = ({ file, match }: FixSite): ReadonlyArray<Edit> => {
  const tree = file.tree!
  const setting = assignments(file).find(
    ({ node, value }) => value !== NONE && tree.start(node) === match.start && tree.end(node) === match.end
  )
  if (setting === undefined) return []
  return setting.name === "ignoreExpiration"
    ? [replacement(tree, setting.value, "false")]
    : found([minute(tree, setting.value)])
}

const entryOf = (file: SourceFile, call: Call, name: string): number => {
  const tree = file.tree!
  const named = call.named.get(name)
  if (named !== undefined) return named
  const values = [...call.args, ...call.named.values()]
    .filter((node) => tree.is(node, "dictionary", "hash"))
    .map((node) => entryNamed(tree, node, name))
    .filter((entry) => entry !== NONE)
  return values[0] === undefined ? NONE : tree.child(values[0], "value")
}

const inOptions = ({ file }: FixSite, call: Call): ReadonlyArray<Edit> => {
  const tree = file.tree!
  const off = ["verify_exp", "verify_expiration"].map((name) => entryOf(file, call, name))
  const tolerances = ["leeway", "exp_leeway"].map((name) => entryOf(file, call, name))
  return found([
    ...off.map((node) => {
      const text = tree.textOf(node)
      return /^(?:False|false)$/.test(text) ? replacement(tree, node, text === "False" ? "True" : "true") : null
    }),
    ...tolerances.map((node) => (node === NONE ? null : minute(tree, node)))
  ])
}

const inArgument = ({ file }: FixSite, call: Call): ReadonlyArray<Edit> => {
  const tree = file.tree!
  const list = tree.parent(call.node)
  if (call.method === "WithoutClaimsValidation" && tree.is(list, "argument_list"))
    return itemRemoval(file, list, call.node)
  const value = call.args[0] ?? NONE
  if (call.method === "WithLeeway") return [replacement(tree, value, "time.Minute")]
  return file.language === "java" ? found([minute(tree, value)]) : []
}

/** Checks the expiration again, with a minute for clocks that differ. */
export default fixer({
  tool: "authentication_session",
  rule: "jwt_expiry_ignored",
  languages: ["go", "java", "javascript", "php", "python", "ruby"],
  propose: (site) => {
    const call = matchedCall(site.file, site.match)
    const setting = inSetting(site)
    const options = setting.length > 0 || call === undefined ? [] : inOptions(site, call)
    const edits = [setting, options].find((one) => one.length > 0) ?? (call === undefined ? [] : inArgument(site, call))
    return edits.length === 0
      ? declined("The setting comes from somewhere else.")
      : { edits, summary: "Check the expiration of tokens" }
  }
})
