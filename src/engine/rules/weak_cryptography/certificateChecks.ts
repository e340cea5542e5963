import type { SourceFile } from "../../core/files/SourceFile.ts"
import { declined, type Edit, type Proposal } from "../../core/fix/Fixer.ts"
import { lastAssigned } from "../../languages/code/lastAssigned.ts"
import { itemRemoval, replacement } from "../../languages/edits/arguments.ts"
import { withoutStatement } from "../../languages/edits/callRemovals.ts"
import { type Assignment, assignments, enclosingFunction } from "../../languages/syntax/vocabulary.ts"

const summary = "Verify TLS certificates"

const values: ReadonlyArray<readonly [name: RegExp, replace: (written: string) => string]> = [
  [/^(?:rejectUnauthorized|strictSSL)$/, () => "true"],
  [/^NODE_TLS_REJECT_UNAUTHORIZED$/, (written) => written.replace("0", "1")],
  [/^InsecureSkipVerify$/, () => "false"],
  [
    /^(?:verify_mode|cert_reqs)$/,
    (written) => written.replace("CERT_NONE", "CERT_REQUIRED").replace("VERIFY_NONE", "VERIFY_PEER")
  ],
  [/^CURLOPT_SSL_VERIFYHOST$/, () => "2"],
  [/^(?:CURLOPT_SSL_VERIFYPEER|verify_peer|verify_peer_name)$/, (written) => (written === "0" ? "1" : "true")],
  [/^danger_accept_invalid_certs$/, () => "false"]
]

export const settingName = ({ name }: Assignment): string => name.replace(/^["']|["']$/g, "")

const replacedValue = (file: SourceFile, assignment: Assignment): Edit | null => {
  const replace = values.find(([name]) => name.test(settingName(assignment)))?.[1]
  return replace === undefined
    ? null
    : replacement(file.tree!, assignment.value, replace(file.tree!.textOf(assignment.value)))
}

/** Removes a statement or an entry that only replaces the stock check. */
const removed = (file: SourceFile, { node }: Assignment): Proposal => {
  const tree = file.tree!
  const statement = withoutStatement(file, node)
  if (statement !== null) return { edits: [statement], summary }
  if (tree.is(tree.parent(node), "object", "initializer_expression"))
    return { edits: itemRemoval(file, tree.parent(node), node), summary }
  return declined("The assignment is part of another statement.")
}

/** Others of the same function: PHP needs two settings, and Python's context has the host name apart. */
const siblings = (file: SourceFile, { node }: Assignment, isSibling: (other: Assignment) => boolean) => {
  const holder = enclosingFunction(file, node)?.node
  return assignments(file).filter(
    (other) => other.node !== node && isSibling(other) && enclosingFunction(file, other.node)?.node === holder
  )
}

const pythonContext = (file: SourceFile, assignment: Assignment): Proposal => {
  const tree = file.tree!
  const receiver = assignment.target.replace(/\.verify_mode$/, "")
  const creation = tree.textOf(lastAssigned(file, receiver, assignment.node))
  const holder = enclosingFunction(file, assignment.node)
  const around = holder === null ? file.text : tree.textOf(holder.node)
  if (!/create_default_context\(/.test(creation) && !around.includes(`${receiver}.load_`)) {
    return declined("The context has no certificate authorities, so with the check on every connection would fail.")
  }
  const hostnames = siblings(
    file,
    assignment,
    (other) => other.target === `${receiver}.check_hostname` && tree.textOf(other.value) === "False"
  )
  return {
    edits: [...hostnames.map(({ value }) => replacement(tree, value, "True")), replacedValue(file, assignment)!],
    summary
  }
}

const python = (file: SourceFile, assignment: Assignment): Proposal => {
  const tree = file.tree!
  const name = settingName(assignment)
  if (name === "_create_default_https_context") {
    const proposal = removed(file, assignment)
    return "edits" in proposal ? { ...proposal, unusedImports: ["ssl"] } : proposal
  }
  if (name === "verify_mode") return pythonContext(file, assignment)
  if (name === "verify") return { edits: [replacement(tree, assignment.value, "True")], summary }
  const call = tree.textOf(tree.enclosing(assignment.node, "call")).split("(", 1)[0]!
  if (!/(?:Pool|PoolManager|ProxyManager)$/.test(call)) {
    return declined("Which certificate authorities would be used with the check on is not known.")
  }
  return { edits: [replacedValue(file, assignment)!], summary }
}

const isOffInPhp = (file: SourceFile, assignment: Assignment): boolean => {
  const name = settingName(assignment)
  const written = file.tree!.textOf(assignment.value).toLowerCase()
  if (name === "allow_self_signed") return written === "true" || written === "1"
  return /^(?:CURLOPT_SSL_VERIFY(?:PEER|HOST)|verify_peer(?:_name)?)$/.test(name) && /^(?:false|0)$/.test(written)
}

const php = (file: SourceFile, assignment: Assignment): Proposal => {
  const tree = file.tree!
  const also = siblings(file, assignment, (other) => isOffInPhp(file, other)).map((other) =>
    settingName(other) === "allow_self_signed" ? replacement(tree, other.value, "false") : replacedValue(file, other)!
  )
  return { edits: [...also, replacedValue(file, assignment) ?? replacement(tree, assignment.value, "true")], summary }
}

const script = (file: SourceFile, assignment: Assignment): Proposal => {
  const isVariable = /(?:^|\.)env\.NODE_TLS_REJECT_UNAUTHORIZED$|env\["/.test(assignment.target)
  if (isVariable || settingName(assignment) === "checkServerIdentity") return removed(file, assignment)
  return { edits: [replacedValue(file, assignment)!], summary }
}

/** Switches a check on again that an assignment or an entry of options switches off. */
export const settingOn = (file: SourceFile, assignment: Assignment): Proposal => {
  switch (file.language) {
    case "python":
      return python(file, assignment)
    case "php":
      return php(file, assignment)
    case "csharp":
      return removed(file, assignment)
    case "typescript":
    case "tsx":
    case "javascript":
      return script(file, assignment)
    default: {
      const edit = replacedValue(file, assignment)
      return edit === null ? declined("The setting is not known.") : { edits: [edit], summary }
    }
  }
}
