import { declined, type Edit, type FixProject, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { type Handler, tryStatements } from "../../../languages/code/tryStatements.ts"
import { insertAt } from "../../../languages/edits/atMatch.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"

/** Exceptions of Java's library with a constructor for a message and a cause. */
const withCause =
  /^(?:Error|Exception|RuntimeException|IOException|ServletException|SQLException|IllegalStateException)$/
const scriptErrors = /^Error$/

const summary = "Keep the caught error as the cause"

const handlerAround = ({ file, match }: FixSite): Handler | undefined => {
  const tree = file.tree!
  return tryStatements(file)
    .flatMap(({ handlers }) => handlers)
    .filter(({ node }) => tree.start(node) < match.start && match.end <= tree.end(node))
    .at(-1)
}

/** The nearest TypeScript configuration knows the option of `Error`, which came with ES2022. */
const knowsCause = (path: string, project: FixProject): boolean => {
  for (let at = path.lastIndexOf("/"); ; at = path.lastIndexOf("/", at - 1)) {
    const config = project.manifest(at < 0 ? "tsconfig.json" : `${path.slice(0, at)}/tsconfig.json`)
    if (config !== null) return /"(?:target|lib)"\s*:[^}\]]*"es(?:202[2-9]|next)(?:\.error)?"/i.test(config)
    if (at <= 0) return false
  }
}

const inScript = ({ file, project }: FixSite, handler: Handler, args: ReadonlyArray<number>): Proposal => {
  const tree = file.tree!
  if (file.language !== "javascript" && !knowsCause(file.path, project)) {
    return declined("The TypeScript configuration does not say that errors know their cause (ES2022).")
  }
  if (args.length !== 1) return declined("The error is not created with a message alone.")
  const binding = handler.binding
  if (binding !== null && !/^[\w$]+$/.test(binding)) return declined("The caught error is destructured.")
  const named: ReadonlyArray<Edit> =
    binding === null ? [insertAt(tree.start(handler.node) + "catch".length, " (error)")] : []
  if (named.length > 0 && /\berror\b/.test(tree.textOf(handler.node))) {
    return declined("The name `error` means something else in the handler.")
  }
  const cause = binding === null || binding === "cause" ? (binding ?? "error") : binding
  const option = cause === "cause" ? "{ cause }" : `{ cause: ${cause} }`
  return { edits: [...named, insertAt(tree.end(args[0]!), `, ${option}`)], summary }
}

const inJava = ({ file }: FixSite, handler: Handler, args: ReadonlyArray<number>): Proposal => {
  const tree = file.tree!
  const [message, ...more] = args
  if (message === undefined || more.length > 0) return declined("The exception is not created with a message alone.")
  const isText = tree.is(message, "string_literal") || /^(?:String\.format\()|"/.test(tree.textOf(message))
  if (!isText) return declined("The argument may not be a message.")
  return { edits: [insertAt(tree.end(message), `, ${handler.binding ?? ""}`)], summary }
}

/** `throw new Error("…")` in a handler becomes `throw new Error("…", { cause: error })`. */
export default fixer({
  tool: "error_handling",
  rule: "cause_lost",
  languages: ["java", "javascript"],
  readsProject: true,
  propose: (site) => {
    const { file, match } = site
    const tree = file.tree!
    const handler = handlerAround(site)
    const statement = [...tree.of("throw_statement")].find((node) => tree.start(node) === match.start)
    const created = statement === undefined ? NONE : (tree.namedChildren(statement)[0] ?? NONE)
    const type = /^new\s+([\w.]+)/.exec(tree.textOf(created))?.[1] ?? ""
    const list = tree.child(created, "arguments")
    if (handler === undefined || list === NONE) return declined("The created error is not found.")
    const isJava = file.language === "java"
    if (!(isJava ? withCause : scriptErrors).test(type)) {
      return declined(`Whether \`${type}\` takes a cause is not known.`)
    }
    const args = tree.namedChildren(list)
    return isJava ? inJava(site, handler, args) : inScript(site, handler, args)
  }
})
