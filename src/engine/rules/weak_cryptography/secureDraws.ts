import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Edit } from "../../core/fix/Fixer.ts"
import { binaryAt } from "../../languages/code/binaries.ts"
import { lastAssigned } from "../../languages/code/lastAssigned.ts"
import { qualifiedName } from "../../languages/code/qualifiedName.ts"
import { replacement } from "../../languages/edits/arguments.ts"
import { type ImportRequest, importing } from "../../languages/edits/importing.ts"
import type { Call } from "../../languages/syntax/vocabulary.ts"
import { calls } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { bare, isRepeatable } from "../../structure/sameCode.ts"

/** How one draw is written with the system's generator. */
export interface SecureDraw {
  readonly edits: ReadonlyArray<Edit>
  readonly unusedImports?: ReadonlyArray<string>
}

/** Null where there is no call with the same result. */
export type Secured = (file: SourceFile, call: Call) => SecureDraw | null

const withImport = (
  file: SourceFile,
  request: ImportRequest,
  edit: (local: string) => Edit,
  unusedImports: ReadonlyArray<string> = []
): SecureDraw | null => {
  const imported = importing(file, request)
  return imported === null ? null : { edits: [...imported.edits, edit(imported.local)], unusedImports }
}

const pythonDraw = (tree: FlatTree, call: Call, method: string, secrets: string): string | null => {
  const args = call.args.map((node) => tree.textOf(node))
  const first = args[0] ?? ""
  if (method === "choice" && args.length === 1) return `${secrets}.choice(${first})`
  if (method === "randbytes") return `${secrets}.token_bytes(${first})`
  if (method === "getrandbits") return `${secrets}.randbits(${first})`
  const count = call.named.get("k")
  if (method === "choices" && args.length === 1 && count !== undefined && call.named.size === 1) {
    if (!isRepeatable(tree, call.args[0]!)) return null
    const drawn = `${secrets}.choice(${first}) for _ in range(${tree.textOf(count)})`
    const list = tree.parent(call.node)
    return tree.is(list, "argument_list") && tree.namedChildren(list).length === 1 ? drawn : `[${drawn}]`
  }
  const list = tree.textOf(tree.child(call.node, "arguments"))
  return `${secrets}.SystemRandom().${method}${list}`
}

const python: Secured = (file, call) => {
  const tree = file.tree!
  const method = qualifiedName(file, call).replace(/^random\./, "")
  const text = pythonDraw(tree, call, method, "secrets")
  if (text === null) return null
  const root = /^\w+/.exec(call.callee)![0]
  return withImport(
    file,
    { module: "secrets" },
    (local) => replacement(tree, call.node, text.replace(/\bsecrets\b/g, local)),
    [root]
  )
}

/** A program of Node.js; a page has another generator, and no bytes as text. */
const runsInNode = (file: SourceFile): boolean =>
  !/\.[jt]sx$/.test(file.path) &&
  !/\b(?:document|window|navigator|localStorage)\b/.test(file.text) &&
  /\brequire\(|\bfrom ["']node:|\bprocess\.|\bBuffer\b|\bfrom ["'](?:fs|path|http|https|crypto|os|express|fastify|koa|jsonwebtoken|bcrypt\w*)["']/.test(
    file.text
  )

const numberOf = (text: string): number | null => (/^\d{1,12}$/.test(text) ? Number(text) : null)

/** `Math.random() * n`, whichever side is which. */
const factorOf = (tree: FlatTree, draw: number, node: number): number => {
  const product = binaryAt(tree, bare(tree, node))
  if (product === null || product.operator !== "*") return NONE
  if (bare(tree, product.left) === draw) return product.right
  return bare(tree, product.right) === draw ? product.left : NONE
}

/** Arguments of `randomInt` for what is given to `Math.floor`. */
const rangeOf = (tree: FlatTree, draw: number, node: number): string | null => {
  const factor = factorOf(tree, draw, node)
  if (factor !== NONE) return tree.textOf(bare(tree, factor))
  const sum = binaryAt(tree, bare(tree, node))
  if (sum === null || sum.operator !== "+") return null
  const [offset, product] = tree.contains(sum.left, draw) ? [sum.right, sum.left] : [sum.left, sum.right]
  const low = numberOf(tree.textOf(offset))
  const width = numberOf(tree.textOf(factorOf(tree, draw, product)))
  return low === null || width === null ? null : `${low}, ${low + width}`
}

const MAX_HEX = 64
const HEX_BY_DEFAULT = 32

/** Length of the text that `.slice(2, …)` takes; null where it is not certain. */
const lengthOf = (tree: FlatTree, { method, args }: Call): number | null => {
  const [from, to] = args.map((node) => numberOf(tree.textOf(node)))
  if (from === null || from === undefined || to === null) return null
  if (to === undefined) return HEX_BY_DEFAULT
  const length = method === "substr" ? to : to - from
  return length > 0 && length <= MAX_HEX ? length : null
}

/** `Math.random().toString(36).slice(2)` */
const textDraw = (file: SourceFile, call: Call): SecureDraw | null => {
  const tree = file.tree!
  const all = calls(file)
  const toText = all.find(({ receiverNode, method }) => receiverNode === call.node && method === "toString")
  const part =
    toText &&
    all.find(({ receiverNode, method }) => receiverNode === toText.node && /^(?:slice|substr|substring)$/.test(method))
  const length = part === undefined ? null : lengthOf(tree, part)
  if (part === undefined || length === null) return null
  const rest = length % 2 === 0 ? "" : `.slice(0, ${length})`
  const hex = `.toString("hex")`.replace(/"/g, file.text.includes("'") && !file.text.includes('"') ? "'" : '"')
  return withImport(file, { module: "node:crypto", name: "randomBytes" }, (local) =>
    replacement(tree, part.node, `${local}(${Math.ceil(length / 2)})${hex}${rest}`)
  )
}

const javascript: Secured = (file, call) => {
  const tree = file.tree!
  if (!runsInNode(file)) return null
  const floor = calls(file).find(
    ({ callee, args }) => callee === "Math.floor" && args.length === 1 && tree.contains(args[0]!, call.node)
  )
  if (floor === undefined) return textDraw(file, call)
  const range = rangeOf(tree, call.node, floor.args[0]!)
  if (range === null) return null
  return withImport(file, { module: "node:crypto", name: "randomInt" }, (local) =>
    replacement(tree, floor.node, `${local}(${range})`)
  )
}

/** With a seed the numbers may have to be the same again. */
const created = /^new\s+(?:java\.util\.)?Random\s*\(\s*\)$/

const java: Secured = (file, call) => {
  const tree = file.tree!
  const request = { module: "java.security", name: "SecureRandom" }
  const name = qualifiedName(file, call)
  if (name === "Math.random") {
    return withImport(file, request, (local) => replacement(tree, call.node, `new ${local}().nextDouble()`))
  }
  if (/RandomStringUtils|ThreadLocalRandom/.test(name)) return null
  const isName = tree.is(call.receiverNode, "identifier", "field_access")
  const receiver = tree.textOf(call.receiverNode).replace(/^this\./, "")
  const creation = bare(tree, isName ? lastAssigned(file, receiver, call.node) : call.receiverNode)
  if (!created.test(tree.textOf(creation)) || new RegExp(`\\b${receiver}\\.setSeed\\(`).test(file.text)) return null
  return withImport(file, request, (local) => replacement(tree, creation, `new ${local}()`), ["Random"])
}

/** Hashes of something guessable, with as many bytes as the hash has. */
const hashBytes: Readonly<Record<string, number>> = { md5: 16, sha1: 20 }

const php: Secured = (file, call) => {
  const tree = file.tree!
  const callee = call.callee.replace(/^\\/, "")
  const hash = calls(file).find(
    ({ node, callee: outer, args }) =>
      Object.hasOwn(hashBytes, outer) && args.length === 1 && node < call.node && tree.contains(args[0]!, call.node)
  )
  if (hash !== undefined && /^uniqid\(/.test(tree.textOf(hash.args[0]!))) {
    return { edits: [replacement(tree, hash.node, `bin2hex(random_bytes(${hashBytes[hash.callee]}))`)] }
  }
  if (!/^(?:rand|mt_rand)$/.test(callee) || call.args.length !== 2) return null
  return { edits: [replacement(tree, tree.child(call.node, "function"), "random_int")] }
}

const ruby: Secured = (file, call) => {
  const tree = file.tree!
  if (!/^(?:rand|Kernel\.rand|Random\.rand)$/.test(call.callee)) return null
  const method = tree.child(call.node, "method")
  const end = method === NONE ? tree.end(call.node) : tree.end(method)
  return withImport(file, { module: "securerandom", name: "SecureRandom" }, (local) => ({
    start: tree.start(call.node),
    end,
    text: `${local}.random_number`
  }))
}

const byLanguage: Partial<Record<SourceFile["language"], Secured>> = {
  python,
  java,
  php,
  ruby,
  javascript,
  typescript: javascript,
  tsx: javascript
}

/** The same draw from the system's generator; null where no call has the same result. */
export const securedDraw: Secured = (file, call) => byLanguage[file.language]?.(file, call) ?? null
