import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Annotation, annotationsOf } from "../../languages/code/annotations.ts"
import { literalValue } from "../../languages/syntax/strings.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { type Framework, type Method, methodOf, paramsOf, pathPattern, type Route } from "./Route.ts"

/** How one framework says with annotations what answers to what. */
interface Dialect {
  readonly framework: Framework
  readonly methodKinds: ReadonlyArray<string>
  /** Whether a class with these annotations and bases holds routes. */
  readonly isController: (marks: ReadonlyArray<Annotation>, bases: string) => boolean
  readonly prefix: RegExp
  /** The verbs an annotation stands for; null when it declares no route. */
  readonly verbs: (
    file: SourceFile,
    mark: Annotation,
    name: string,
    all: ReadonlyArray<Annotation>
  ) => ReadonlyArray<Method> | null
  readonly open: RegExp
}

const argument = (mark: Annotation | undefined, ...names: ReadonlyArray<string>): number | undefined =>
  mark === undefined
    ? undefined
    : (names.map((name) => mark.named.get(name)).find((node) => node !== undefined) ?? mark.args[0])

/** The path that an annotation gives: a literal, or the first of several. */
const pathIn = (file: SourceFile, mark: Annotation | undefined): string => {
  const node = argument(mark, "value", "path", "template", "Template")
  if (node === undefined) return ""
  const own = literalValue(file, node)
  if (own !== null) return own
  const first = file.tree!.within(node, "string_literal")[0]
  return first === undefined ? "" : (literalValue(file, first) ?? "")
}

const methodWords = (file: SourceFile, node: number | undefined): ReadonlyArray<Method> =>
  node === undefined
    ? []
    : [
        ...file
          .tree!.textOf(node)
          .slice(0, 200)
          .matchAll(/\b(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b/g)
      ].map(([word]) => word as Method)

const spring: Dialect = {
  framework: "spring",
  methodKinds: ["method_declaration"],
  isController: (marks) => marks.some(({ name }) => /^(?:RestController|Controller|FeignlessController)$/.test(name)),
  prefix: /^RequestMapping$/,
  verbs: (file, mark) => {
    const verb = /^(Get|Post|Put|Patch|Delete)Mapping$/.exec(mark.name)?.[1]
    if (verb !== undefined) return [methodOf(verb)!]
    if (mark.name !== "RequestMapping") return null
    const methods = methodWords(file, mark.named.get("method"))
    return methods.length === 0 ? ["ANY"] : methods
  },
  open: /^(?:PermitAll|AnonymousAccess|Anonymous\w*|PublicApi|NoAuth|IgnoreAuth|Anon|SaIgnore|Inner)$/
}

const jaxRs: Dialect = {
  framework: "jax-rs",
  methodKinds: ["method_declaration"],
  isController: (marks) => marks.some(({ name }) => name === "Path"),
  prefix: /^Path$/,
  verbs: (_file, mark) =>
    /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/.test(mark.name) ? [mark.name as Method] : null,
  open: /^PermitAll$/
}

const conventional: Readonly<Record<string, Method>> = {
  Get: "GET",
  Post: "POST",
  Put: "PUT",
  Patch: "PATCH",
  Delete: "DELETE"
}

const aspnet: Dialect = {
  framework: "aspnet",
  methodKinds: ["method_declaration"],
  isController: (marks, bases) =>
    marks.some(({ name }) => name === "ApiController") ||
    /\b(?:\w*Controller|ControllerBase|ODataController)\b/.test(bases),
  prefix: /^Route$/,
  verbs: (_file, mark) => {
    const verb = /^Http(Get|Post|Put|Patch|Delete)$/.exec(mark.name)?.[1]
    return verb === undefined ? null : [conventional[verb]!]
  },
  open: /^AllowAnonymous$/
}

const symfony: Dialect = {
  framework: "symfony",
  methodKinds: ["method_declaration"],
  isController: (marks, bases) =>
    /Controller\b/.test(bases) || marks.some(({ name }) => name === "AsController" || name === "Route"),
  prefix: /^Route$/,
  verbs: (file, mark) => {
    if (mark.name !== "Route" && !/^(?:Get|Post|Put|Patch|Delete)$/.test(mark.name)) return null
    if (mark.name !== "Route") return [methodOf(mark.name)!]
    const methods = methodWords(file, mark.named.get("methods"))
    return methods.length === 0 ? ["ANY"] : methods
  },
  open: /^PublicAccess$/
}

const dialectsOf = (file: SourceFile): ReadonlyArray<Dialect> => {
  switch (file.language) {
    case "java":
      return /springframework/.test(file.text)
        ? [spring]
        : /\b(?:javax|jakarta)\.ws\.rs\b/.test(file.text)
          ? [jaxRs]
          : []
    case "csharp":
      return [aspnet]
    case "php":
      return /#\[(?:\w+\\)*(?:Route|Get|Post|Put|Patch|Delete)\b/.test(file.text) ? [symfony] : []
    default:
      return []
  }
}

const bases = (file: SourceFile, node: number): string => {
  const tree = file.tree!
  return tree.textOf(tree.childOfKind(node, "base_list", "base_clause", "superclass")).slice(0, 300)
}

/** The path of the method stands beside its verb in JAX-RS and may in ASP.NET. */
const besideVerb = (dialect: Dialect, mark: Annotation, marks: ReadonlyArray<Annotation>): Annotation =>
  dialect.framework === "jax-rs" || mark.args.length + mark.named.size === 0
    ? (marks.find((other) => other !== mark && dialect.prefix.test(other.name)) ?? mark)
    : mark

const methodRoutes = (
  file: SourceFile,
  dialect: Dialect,
  member: number,
  controller: { readonly group: string; readonly prefix: string; readonly marks: ReadonlyArray<Annotation> }
): ReadonlyArray<Route> => {
  const tree = file.tree!
  const marks = annotationsOf(file, member)
  const name = tree.textOf(tree.child(member, "name"))
  return marks.flatMap((mark): ReadonlyArray<Route> => {
    const verbs = dialect.verbs(file, mark, name, marks)
    if (verbs === null) return []
    const pathMark = besideVerb(dialect, mark, marks)
    const written = pathIn(file, pathMark).replaceAll("[action]", name)
    const path =
      /^[~/]\//.test(written) && dialect.framework === "aspnet"
        ? pathPattern(written)
        : pathPattern(controller.prefix, written)
    const others = marks.filter((one) => one !== mark && one !== pathMark)
    const all = [...controller.marks.filter((one) => !dialect.prefix.test(one.name)), ...others]
    return verbs.map((method) => ({
      framework: dialect.framework,
      method,
      path,
      params: paramsOf(path),
      group: controller.group,
      handler: `${controller.group}.${name}`,
      guards: all.map((one) => one.name),
      isOpen: all.some((one) => dialect.open.test(one.name)),
      start: tree.start(mark.node),
      end: tree.end(mark.node),
      handlerNode: member,
      handlerStart: tree.start(member),
      handlerEnd: tree.end(member)
    }))
  })
}

/** Controllers of Spring, JAX-RS, ASP.NET Core and Symfony. */
export const annotatedRoutes = (file: SourceFile): ReadonlyArray<Route> => {
  const tree = file.tree!
  return dialectsOf(file).flatMap((dialect) =>
    [...tree.of("class_declaration", "interface_declaration")].flatMap((node): ReadonlyArray<Route> => {
      const marks = annotationsOf(file, node)
      if (!dialect.isController(marks, bases(file, node))) return []
      const group = tree.textOf(tree.child(node, "name"))
      const prefix = pathIn(
        file,
        marks.find(({ name }) => dialect.prefix.test(name))
      ).replaceAll("[controller]", group.replace(/Controller$/, ""))
      const body = tree.child(node, "body")
      return (body === NONE ? [] : tree.namedChildren(body))
        .filter((member) => tree.is(member, ...dialect.methodKinds))
        .flatMap((member) => methodRoutes(file, dialect, member, { group, prefix, marks }))
    })
  )
}
