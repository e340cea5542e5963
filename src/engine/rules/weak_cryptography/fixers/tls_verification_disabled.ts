import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { qualifiedName } from "../../../languages/code/qualifiedName.ts"
import { itemRemoval, replacement } from "../../../languages/edits/arguments.ts"
import { isCommented } from "../../../languages/edits/atMatch.ts"
import { withoutCall, withoutStatement } from "../../../languages/edits/callRemovals.ts"
import { assignments, type Call, calls } from "../../../languages/syntax/vocabulary.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"
import { settingName, settingOn } from "../certificateChecks.ts"

const summary = "Verify TLS certificates"

const pythonCall = ({ file }: FixSite, call: Call): Proposal => {
  const tree = file.tree!
  for (const name of ["verify", "ssl", "verify_ssl"]) {
    const value = call.named.get(name) ?? NONE
    if (tree.textOf(value) === "False")
      return { edits: itemRemoval(file, tree.parent(tree.parent(value)), tree.parent(value)), summary }
  }
  if (qualifiedName(file, call) !== "ssl._create_unverified_context" || !call.callee.includes(".")) {
    return declined("The call is not one that a fixer knows.")
  }
  if (call.args.length + call.named.size > 0) return declined("The context is created with settings of its own.")
  return { edits: [replacement(tree, tree.child(call.node, "function"), "ssl.create_default_context")], summary }
}

const phpCall = ({ file }: FixSite, call: Call): Proposal => {
  const tree = file.tree!
  const value = call.args[2] ?? NONE
  const isHost = tree.textOf(call.args[1] ?? NONE) === "CURLOPT_SSL_VERIFYHOST"
  if (value === NONE) return declined("The option has no value.")
  return { edits: [replacement(tree, value, isHost ? "2" : tree.textOf(value) === "0" ? "1" : "true")], summary }
}

/** The call that is given a verifier which accepts every name: without it, the stock one is used. */
const javaVerifier = ({ file, match }: FixSite): Proposal => {
  const tree = file.tree!
  const verifier = tree.of("lambda_expression", "field_access").find((node) => tree.start(node) === match.start)
  const call = calls(file).find(({ args }) => args.length === 1 && args[0] === verifier)
  if (verifier === undefined || call === undefined || !/HostnameVerifier$/i.test(call.method)) {
    return declined("Code that accepts every certificate has to be replaced by a check of its own.")
  }
  const names = /^\w+/.exec(tree.textOf(verifier)) ?? []
  const isChained = tree.is(tree.parent(call.node), "method_invocation") && tree.fieldOf(call.node) === "object"
  const edit = isChained ? withoutCall(tree, call) : withoutStatement(file, call.node)
  if (edit === null) return declined("The call is part of another statement.")
  return { edits: [edit], summary, unusedImports: tree.is(verifier, "field_access") ? [...names] : [] }
}

const inCall = (site: FixSite, call: Call): Proposal => {
  const { file } = site
  switch (file.language) {
    case "python":
      return pythonCall(site, call)
    case "php":
      return phpCall(site, call)
    case "rust":
      return { edits: [withoutCall(file.tree!, call)], summary }
    default:
      return declined("Which hosts or certificates to trust instead is not known.")
  }
}

/** In a Dockerfile, a manifest or a script. */
const inEnvironment = ({ file, match }: FixSite): Proposal => {
  const zero = file.text.slice(match.start, match.end).lastIndexOf("0")
  if (file.language !== "dockerfile" || zero < 0) return declined("The environment is not that of a Dockerfile.")
  const start = match.start + zero
  return { edits: [{ start, end: start + 1, text: "1" }], summary }
}

export default fixer({
  tool: "weak_cryptography",
  rule: "tls_verification_disabled",
  languages: ["csharp", "dockerfile", "go", "java", "javascript", "php", "python", "ruby", "rust"],
  propose: (site) => {
    const { file, match } = site
    const tree = file.tree
    if (tree === null || file.language === "dockerfile") return inEnvironment(site)
    if (isCommented(file, match.start))
      return declined("A comment explains the setting; whether it still holds is not known.")
    const isHere = (node: number): boolean => tree.start(node) === match.start && tree.end(node) === match.end
    const name = match.identifiers?.[0]
    const setting =
      name === undefined ? undefined : assignments(file).find((one) => settingName(one) === name && isHere(one.node))
    if (setting !== undefined) return settingOn(file, setting)
    const call = calls(file).find((one) => isHere(one.node))
    if (call !== undefined) return inCall(site, call)
    return file.language === "java" ? javaVerifier(site) : declined("The setting is not found.")
  }
})
