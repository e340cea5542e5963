import type { SourceFile } from "../../core/files/SourceFile.ts"
import { comesFromRequest } from "../../dataflow/fromRequest.ts"
import { literalValue } from "../../languages/syntax/strings.ts"
import { assignments, type Call, calls, enclosingFunction } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"

/** A value of a request that a controller hands to a view under a name. */
export interface ViewLocal {
  /** As the controller spells it; "" where the view is named after the function. */
  readonly view: string
  /** Name of the function, for frameworks that find the view by it. */
  readonly action: string
  readonly name: string
  /** The value as it is written. */
  readonly value: string
  readonly start: number
  readonly end: number
}

export const mentionsViews =
  /\brender\w*\(|\brender[ :]|\bview\(|->render\(|TemplateResponse\(|\.addAttribute\(|ModelAndView|\.addObject\(|ViewBag\.|ViewData\[|^\s*@\w+ = .*params/m

const renders =
  /^(?:render|renderFile|renderView|view|render_template|render_to_string|render_to_response|TemplateResponse|make|renderTemplate)$/

class Locals {
  readonly found: Array<ViewLocal> = []
  private readonly file: SourceFile

  constructor(file: SourceFile) {
    this.file = file
  }

  add(view: string, name: string, value: number, at: number): void {
    if (!comesFromRequest(this.file, value)) return
    const tree = this.file.tree!
    this.found.push({
      view,
      action: enclosingFunction(this.file, at)?.name ?? "",
      name: name.replace(/^[$@]/, ""),
      value: tree.textOf(value).replace(/\s+/g, " ").slice(0, 60),
      start: tree.start(value),
      end: tree.end(value)
    })
  }

  /** `{ q: req.query.q }`, `["q" => $q]`, `compact("q")`, `q=request.args["q"]`. */
  entries(view: string, holder: number): void {
    const tree = this.file.tree!
    for (const { node, name, value } of assignments(this.file)) {
      if (value !== NONE && tree.contains(holder, node)) this.add(view, name, value, node)
    }
    for (const short of tree.within(holder, "shorthand_property_identifier")) {
      this.add(view, tree.textOf(short), short, short)
    }
    for (const element of tree.within(holder, "array_element_initializer")) {
      const [key, value] = tree.namedChildren(element)
      const name = key === undefined ? null : literalValue(this.file, key)
      if (name !== null && value !== undefined) this.add(view, name, value, element)
    }
  }
}

const inRender = (file: SourceFile, call: Call, locals: Locals): void => {
  if (!renders.test(call.method)) return
  const named = call.args.map((arg) => literalValue(file, arg)).find((text) => text !== null)
  if (named === undefined || named === null) return
  const argumentList = file.tree!.child(call.node, "arguments")
  if (argumentList !== NONE) locals.entries(named, argumentList)
  for (const [name, value] of call.named) locals.add(named, name, value, call.node)
}

/** `model.addAttribute("q", q)`: the view is what the function returns. */
const inModel = (file: SourceFile, call: Call, locals: Locals): void => {
  if (!/^(?:addAttribute|addObject|addFlashAttribute|setVariable)$/.test(call.method)) return
  const [key, value] = call.args
  const name = key === undefined ? null : literalValue(file, key)
  if (name === null || value === undefined) return
  const info = enclosingFunction(file, call.node)
  const body = info === null ? "" : file.tree!.textOf(info.body)
  const view = /\breturn\s+"([\w./-]+)"/.exec(body)?.[1] ?? /new\s+ModelAndView\(\s*"([\w./-]+)"/.exec(body)?.[1]
  if (view !== undefined) locals.add(view, name, value, call.node)
}

/** `@q = params[:q]` and `ViewBag.Q = q`: the view is named after the function. */
const byAction = (file: SourceFile, locals: Locals): void => {
  const target = file.language === "ruby" ? /^@(\w+)$/ : /^(?:this\.)?(?:ViewBag\.(\w+)|ViewData\["(\w+)"\])$/
  for (const given of assignments(file)) {
    const name = target.exec(given.target)
    if (name !== null && given.value !== NONE) locals.add("", name[1] ?? name[2]!, given.value, given.node)
  }
}

/** Values of requests that the controllers of a file hand to views. */
export const viewLocals = (file: SourceFile): ReadonlyArray<ViewLocal> => {
  if (file.tree === null || !mentionsViews.test(file.text)) return []
  const locals = new Locals(file)
  for (const call of calls(file)) {
    inRender(file, call, locals)
    inModel(file, call, locals)
  }
  if (file.language === "ruby" || file.language === "csharp") byAction(file, locals)
  return locals.found
}
