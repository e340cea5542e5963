import type { SourceFile } from "../../../core/files/SourceFile.ts"
import { declined, type Edit, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { binaryAt } from "../../../languages/code/binaries.ts"
import { lastAssigned } from "../../../languages/code/lastAssigned.ts"
import { replacement } from "../../../languages/edits/arguments.ts"
import { matchedNode } from "../../../languages/edits/atMatch.ts"
import { type ImportRequest, importing } from "../../../languages/edits/importing.ts"
import { calls } from "../../../languages/syntax/vocabulary.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"
import { bare, isRepeatable } from "../../../structure/sameCode.ts"

const summary = "Compare the signature in constant time"

/** The two sides of the comparison, and whether it asks for a difference. */
interface Sides {
  readonly node: number
  readonly left: number
  readonly right: number
  readonly isNegated: boolean
}

const sidesOf = ({ file, match }: FixSite): Sides | null => {
  const tree = file.tree!
  const binary = binaryAt(tree, matchedNode(tree, match, "binary_expression", "comparison_operator", "binary"))
  if (binary !== null) {
    const [left, right] = [bare(tree, binary.left), bare(tree, binary.right)]
    return { node: binary.node, left, right, isNegated: binary.operator.startsWith("!") }
  }
  const call = calls(file).find(({ node }) => tree.start(node) === match.start && tree.end(node) === match.end)
  const [left, right] = call?.args ?? []
  if (call === undefined || left === undefined || right === undefined) return null
  return { node: call.node, left, right, isNegated: false }
}

/** The expression, or what the variable was given, as text. */
const originOf = (file: SourceFile, node: number): string => {
  const tree = file.tree!
  const value = tree.is(node, "identifier", "variable_name") ? lastAssigned(file, tree.textOf(node), node) : NONE
  return tree.textOf(value === NONE ? node : value)
}

const computed = /hmac|HMAC|\bMac\b|\.digest\(/

/** The side that this program computes, then the one that it was sent. */
const ordered = (file: SourceFile, { left, right }: Sides): readonly [expected: number, received: number] =>
  computed.test(originOf(file, left)) ? [left, right] : [right, left]

const withImport = (
  file: SourceFile,
  { node, isNegated }: Sides,
  request: ImportRequest,
  text: (local: string) => string,
  negation = "!"
): Proposal => {
  const imported = importing(file, request)
  if (imported === null) return declined("The name of the module means something else in this file.")
  const edit = replacement(file.tree!, node, `${isNegated ? negation : ""}${text(imported.local)}`)
  return { edits: [...imported.edits, edit], summary }
}

const inPython = (file: SourceFile, sides: Sides): Proposal => {
  const tree = file.tree!
  const [expected, received] = ordered(file, sides)
  const [own, other] = [tree.textOf(expected), tree.textOf(received)]
  // Texts with other characters than ASCII, and None, raise an error.
  const isText = /hexdigest\(\)|\.decode\(/.test(originOf(file, expected))
  const [a, b] = isText ? [`${own}.encode()`, `str(${other}).encode()`] : [own, other]
  if (!isText && /\.get\(/.test(originOf(file, received))) {
    return declined("The received value may be None, which the comparison in constant time does not accept.")
  }
  return withImport(file, sides, { module: "hmac" }, (hmac) => `${hmac}.compare_digest(${a}, ${b})`, "not ")
}

const inGo = (file: SourceFile, sides: Sides): Proposal => {
  const tree = file.tree!
  const isCall = tree.is(sides.node, "call_expression")
  const callee = isCall ? tree.textOf(tree.child(sides.node, "function")) : ""
  if (isCall && callee !== "bytes.Equal") return declined("The values may not be bytes.")
  const [left, right] = [tree.textOf(sides.left), tree.textOf(sides.right)]
  const values = isCall ? `${left}, ${right}` : `[]byte(${left}), []byte(${right})`
  const proposal = withImport(file, sides, { module: "crypto/hmac", name: "Equal" }, (equal) => `${equal}(${values})`)
  return "edits" in proposal && isCall ? { ...proposal, unusedImports: ["bytes"] } : proposal
}

const inJava = (file: SourceFile, sides: Sides): Proposal => {
  const tree = file.tree!
  if (!/^(?:java\.util\.)?Arrays\.equals\(/.test(tree.textOf(sides.node))) {
    return declined("The texts would have to be compared as bytes, and one of them may be null.")
  }
  const request = { module: "java.security", name: "MessageDigest" }
  const values = `${tree.textOf(sides.left)}, ${tree.textOf(sides.right)}`
  const proposal = withImport(file, sides, request, (digest) => `${digest}.isEqual(${values})`)
  return "edits" in proposal ? { ...proposal, unusedImports: ["Arrays"] } : proposal
}

const inPhp = (file: SourceFile, sides: Sides): Proposal => {
  const tree = file.tree!
  const [expected, received] = ordered(file, sides).map((node) => tree.textOf(node))
  const call = `hash_equals(${expected}, (string) ${received})`
  return { edits: [replacement(tree, sides.node, `${sides.isNegated ? "!" : ""}${call}`)], summary }
}

const inRuby = (file: SourceFile, sides: Sides): Proposal => {
  const tree = file.tree!
  const [expected, received] = ordered(file, sides).map((node) => tree.textOf(node))
  const call = `OpenSSL.secure_compare(${expected}, ${received}.to_s)`
  return { edits: [replacement(tree, sides.node, `${sides.isNegated ? "!" : ""}${call}`)], summary }
}

/** Buffers of different lengths are not compared but rejected with an error, so the lengths come first. */
const inScript = (file: SourceFile, sides: Sides): Proposal => {
  const tree = file.tree!
  const [expected, received] = ordered(file, sides)
  const isSimple = [expected, received].every((node) => isRepeatable(tree, node) && tree.textOf(node).length <= 60)
  if (!isSimple) return declined("The compared values are computed in the comparison; give them names first.")
  if (!/\.digest\(\s*["'`](?:hex|base64|base64url)["'`]\s*\)/.test(originOf(file, expected))) {
    return declined("Whether the computed value is a text is not known.")
  }
  const [own, other] = [tree.textOf(expected), tree.textOf(received)]
  const request = { module: "node:crypto", name: "timingSafeEqual" }
  const imported = importing(file, request)
  if (imported === null) return declined("The name `timingSafeEqual` means something else in this file.")
  const bytes = (text: string): string => `Buffer.from(${text})`
  const text = `Buffer.byteLength(String(${other})) === ${own}.length && ${imported.local}(${bytes(`String(${other})`)}, ${bytes(own)})`
  const edit: Edit = replacement(tree, sides.node, sides.isNegated ? `!(${text})` : inContext(file, sides.node, text))
  return { edits: [...imported.edits, edit], summary }
}

/** Parentheses where an operator around it would bind tighter. */
const inContext = (file: SourceFile, node: number, text: string): string =>
  file.tree!.is(file.tree!.parent(node), "binary_expression", "unary_expression", "await_expression")
    ? `(${text})`
    : text

export default fixer({
  tool: "authentication_session",
  rule: "timing_unsafe_compare",
  languages: ["go", "java", "javascript", "php", "python", "ruby"],
  propose: (site) => {
    const { file } = site
    const sides = sidesOf(site)
    if (sides === null) {
      return declined(
        file.language === "java"
          ? "The texts would have to be compared as bytes, and one of them may be null."
          : "The comparison is not found."
      )
    }
    switch (file.language) {
      case "python":
        return inPython(file, sides)
      case "go":
        return inGo(file, sides)
      case "java":
        return inJava(file, sides)
      case "php":
        return inPhp(file, sides)
      case "ruby":
        return inRuby(file, sides)
      default:
        return inScript(file, sides)
    }
  }
})
