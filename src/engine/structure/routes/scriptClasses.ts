import type { SourceFile } from "../../core/files/SourceFile.ts"
import { annotationsOf } from "../../languages/code/annotations.ts"
import { functions } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { methodOf, paramsOf, pathPattern, type Route } from "./Route.ts"
import { literalsOf, namesOf } from "./scriptNodes.ts"

const openMark = /^(?:Public|SkipAuth|AllowAnonymous|NoAuth|IsPublic|AllowUnauthorized\w*|Anonymous)$/

/** Controllers of Nest. */
export const classRoutes = (file: SourceFile): ReadonlyArray<Route> => {
  const tree = file.tree!
  if (!/@(?:nestjs\/common|Controller\()/.test(file.text)) return []
  return [...tree.of("class_declaration", "abstract_class_declaration")].flatMap((node) => {
    const own = annotationsOf(file, node)
    const controller = own.find(({ name }) => name === "Controller" || name === "JsonController")
    if (controller === undefined) return []
    const first = controller.args[0]
    const base =
      first !== undefined && tree.is(first, "object")
        ? (/path:\s*["'`]([^"'`$]*)/.exec(tree.textOf(first))?.[1] ?? "")
        : (literalsOf(file, first)[0] ?? "")
    const marks = (list: typeof own) =>
      list.flatMap(({ name, args }) =>
        name === "UseGuards" ? args.flatMap((argument) => namesOf(file, argument)) : [name]
      )
    const group = tree.textOf(tree.child(node, "name"))
    return tree.namedChildren(tree.child(node, "body")).flatMap((member) => {
      if (!tree.is(member, "method_definition")) return []
      const decorators = annotationsOf(file, member)
      const verb = decorators.find(({ name }) => methodOf(name) !== null)
      if (verb === undefined) return []
      const path = pathPattern(base, literalsOf(file, verb.args[0])[0] ?? "")
      const others = decorators.filter((one) => one !== verb)
      const handlerStart = tree.start(member)
      return [
        {
          framework: "nest" as const,
          method: methodOf(verb.name)!,
          path,
          params: paramsOf(path),
          group,
          handler: `${group}.${tree.textOf(tree.child(member, "name"))}`,
          guards: [...marks(own.filter((one) => one !== controller)), ...marks(others)],
          isOpen: [...others, ...own].some(({ name }) => openMark.test(name)),
          start: tree.start(verb.node),
          end: tree.end(verb.node),
          handlerNode: member,
          handlerStart,
          handlerEnd: tree.end(member)
        }
      ]
    })
  })
}

const nextFile = /(?:^|\/)app\/(.*?)\/?route\.[jt]sx?$|(?:^|\/)pages\/(api\/.*)\.[jt]sx?$/

/** Route handlers of Next.js, whose path is the file's. */
export const nextRoutes = (file: SourceFile): ReadonlyArray<Route> => {
  const match = nextFile.exec(file.path)
  if (match === null) return []
  const folder = (match[1] ?? match[2] ?? "").replace(/(?:^|\/)(?:\([^/]*\)|@[^/]*)/g, "").replace(/(?:^|\/)index$/, "")
  const path = pathPattern(folder)
  const tree = file.tree!
  return functions(file).flatMap((info): ReadonlyArray<Route> => {
    const isPage = match[2] !== undefined
    const method = isPage ? ("ANY" as const) : methodOf(info.name ?? "")
    if (!info.exported || method === null || info.body === NONE) return []
    const statement = tree.enclosing(info.node, "export_statement")
    if (isPage && (statement === NONE || !/^export\s+default\b/.test(tree.textOf(statement).slice(0, 40)))) return []
    const range = { start: tree.start(info.node), end: tree.start(info.body) }
    return [
      {
        framework: "next",
        method,
        path,
        params: paramsOf(path),
        group: folder.split("/")[0] ?? "",
        handler: info.name,
        guards: [],
        isOpen: false,
        ...range,
        handlerNode: info.node,
        handlerStart: range.start,
        handlerEnd: tree.end(info.node)
      }
    ]
  })
}
