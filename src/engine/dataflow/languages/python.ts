import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { FunctionInfo, Parameter } from "../../languages/syntax/Syntax.ts"
import { calls } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { importedPath } from "../evaluation/Run.ts"
import type { ParameterRole, Role, TaintGrammar } from "../TaintLanguage.ts"
import { rolesFrom } from "./javascript.ts"
import { textMatches } from "./textMatches.ts"

const kinds: ReadonlyArray<readonly [Role, string]> = [
  ["block", "module block expression_statement else_clause finally_clause"],
  ["assign", "assignment named_expression"],
  ["augment", "augmented_assignment"],
  ["if", "if_statement elif_clause"],
  ["ternary", "conditional_expression"],
  ["loop", "while_statement"],
  ["each", "for_statement"],
  ["switch", "match_statement"],
  ["try", "try_statement"],
  ["with", "with_statement with_clause"],
  ["return", "return_statement"],
  ["throw", "raise_statement"],
  ["jump", "break_statement continue_statement"],
  ["call", "call"],
  ["member", "attribute"],
  ["subscript", "subscript"],
  ["binary", "binary_operator boolean_operator"],
  ["clean", "comparison_operator not_operator unary_operator"],
  ["name", "identifier as_pattern_target"],
  ["string", "string concatenated_string"],
  ["number", "integer float true false none"],
  ["list", "list tuple set expression_list"],
  ["object", "dictionary"],
  ["comprehension", "list_comprehension generator_expression set_comprehension dictionary_comprehension"],
  ["wrap", "parenthesized_expression await list_splat dictionary_splat with_item as_pattern yield keyword_argument"],
  ["function", "lambda function_definition decorated_definition"],
  ["class", "class_definition"],
  [
    "skip",
    "import_statement import_from_statement future_import_statement comment pass_statement global_statement nonlocal_statement type_alias_statement decorator"
  ]
]

const numericType =
  /^(?:typing\.)?(?:Optional\[)?(?:int|float|bool|complex|Decimal|decimal\.Decimal|UUID|uuid\.UUID|datetime|date|datetime\.\w+|timedelta|UUID4|PositiveInt|NonNegativeInt|conint\(.*|Literal\[.*)\]?(?:\s*\|\s*None)?$/
const textType =
  /^(?:(?:typing\.)?(?:Optional|List|list|Annotated|Sequence|Union|Set|set)\[)?\s*(?:str|bytes|Any|dict|Dict|EmailStr|SecretStr)\b/

/** Text of the decorators above a function. */
const decorators = (file: SourceFile, info: FunctionInfo): string => {
  const tree = file.tree!
  const parent = tree.parent(info.node)
  if (!tree.is(parent, "decorated_definition")) return ""
  return file.text.slice(tree.start(parent), tree.start(info.node))
}

/** What a part of an address is after its converter. */
const converted = (kind: string): ParameterRole => {
  if (/^(?:int|float|uuid)$/.test(kind)) return { clean: true }
  return { source: /^(?:string|str|slug)$/.test(kind) ? "http:request.segment" : "http:request.params" }
}

/** What a route puts into a parameter of its handler, by its path and the framework's rules; null when it says nothing. */
const routeParameter = (file: SourceFile, own: Parameter, path: string, above: string): ParameterRole | null => {
  const type = own.type ?? ""
  const converter = new RegExp(`<(?:(\\w+)(?:\\([^)]*\\))?:)?${own.name.replace(/\W/g, "")}>`).exec(path)
  if (converter !== null) return converted(converter[1] ?? "string")
  if (!usesFastApi(file)) return null
  const tree = file.tree!
  const value = tree.textOf(tree.child(own.node, "value"))
  if (/^(?:Depends|Security|BackgroundTasks)\b/.test(value) || /\bDepends\(/.test(type) || isDependency(file, value))
    return { type: declaredType(file, type) }
  if (/^(?:True|False|-?\d[\d.]*)$/.test(value) && type === "") return { clean: true }
  if (/\bUploadFile\b/.test(type)) return { type: "http:upload" }
  if (type === "" || textType.test(type)) return { source: "http:request.query" }
  const isBody =
    /^[A-Z]\w*$/.test(type) &&
    /^@[\w.]+\.(?:post|put|patch)\(/m.test(above) &&
    !/(?:Request|Response|Session|Tasks?|User|Service|Settings|Enum|Client|Repository|Connection|Pool)$/.test(type)
  return isBody ? { source: "http:request.body", type: `local:${type}` } : null
}

/** `Context = Depends(get_context)` at the top of the file, which handlers name as the default of a parameter. */
const isDependency = (file: SourceFile, name: string): boolean =>
  /^\w+$/.test(name) && new RegExp(`^${name}\\s*=\\s*(?:\\w+\\.)?(?:Depends|Security)\\(`, "m").test(file.text)

/** Type of a request, by the framework that a file names. */
const mentionsDjango = textMatches(/\b(?:django|rest_framework)\b/)
const mentionsStarlette = textMatches(/\b(?:starlette|fastapi|aiohttp|sanic|falcon)\b/)
const usesFastApi = textMatches(/\b(?:fastapi|APIRouter|FastAPI)\b/)
const usesDjango = textMatches(/\bdjango\b/)

const frameworkOf = (file: SourceFile): string | null => {
  if (mentionsDjango(file)) return "http:django"
  return mentionsStarlette(file) ? "http:starlette" : null
}

/** Parts that only a request has, as Django and as Flask call them. */
const partsOfDjango = /\.(?:GET|POST|COOKIES|FILES|META)\b/
const partsOfFlask =
  /\.(?:args|form|files|cookies)(?:\.get(?:list)?\(|\[)|\.(?:get_json\(|(?:data|json)(?:\.(?:get|decode)\(|\[))/

/** Type of a parameter called after a request in a file that names no framework, by what the function reads of it. */
const requestByUse = (file: SourceFile, info: FunctionInfo, own: Parameter): string | null => {
  const body = file.tree!.textOf(info.body)
  const reads = (parts: RegExp) => new RegExp(`\\b${own.name}(?:${parts.source})`).test(body)
  if (reads(partsOfDjango)) return "http:django"
  return reads(partsOfFlask) ? "flask.request" : null
}

/** What starts a function of a serverless platform or a command of a program; null for other parameters. */
const givenAtStart = (info: FunctionInfo, index: number, above: string): string | null => {
  if (/@click\.(?:argument|option)\(/.test(above)) return "arguments:click"
  const [first, second] = info.parameters
  return index === 0 && first?.name === "event" && second?.name === "context" ? "message:event" : null
}

const parameter = (file: SourceFile, info: FunctionInfo, own: Parameter, index: number): ParameterRole => {
  const type = own.type ?? ""
  const tree = file.tree!
  if (index === 0 && /^(?:self|cls)$/.test(own.name)) {
    const owner = tree.enclosing(info.node, "class_definition")
    return { type: owner === NONE ? null : `self:${tree.textOf(tree.child(owner, "name"))}` }
  }
  if (numericType.test(type)) return { clean: true }
  const isRequest = /^(?:request|req|_request)$/.test(own.name) && index <= 1
  const framework = isRequest ? (frameworkOf(file) ?? requestByUse(file, info, own)) : null
  if (framework !== null) return { type: framework }
  const above = decorators(file, info)
  const given = givenAtStart(info, index, above)
  if (given !== null) return { source: given }
  const route =
    /@[\w.]+\.(?:route|get|post|put|patch|delete|websocket|api_route)\(\s*(?:path\s*=\s*)?[rbf]*["']([^"']*)["']/.exec(
      above
    )
  const routed = route === null ? null : routeParameter(file, own, route[1]!, above)
  if (routed !== null) return routed
  if (type === "" && isViewArgument(file, info, own)) return { source: "http:request.params" }
  return { type: declaredType(file, type) }
}

/** A part of the address, which Django hands to a view after the request. */
const isViewArgument = (file: SourceFile, info: FunctionInfo, own: Parameter): boolean => {
  const tree = file.tree!
  const first = info.parameters[0]?.name === "self" ? info.parameters[1] : info.parameters[0]
  const isView =
    first?.name === "request" && usesDjango(file) && /(?:views?|api|handlers?)(?:\/|\.py$|_)/.test(file.path)
  if (!isView || own === first || ownName.test(own.name) || own.name.startsWith("_")) return false
  return tree.child(own.node, "value") === NONE && !isCalledHere(file, info)
}

/** A view is called by the framework: what a function of the same file calls is given its arguments by code. */
const isCalledHere = (file: SourceFile, info: FunctionInfo): boolean =>
  info.name !== null && file.memo(calledNames, calledNames).has(info.name)

/** What is called by its bare name, so no method. */
const calledNames = (file: SourceFile): ReadonlySet<string> =>
  new Set(calls(file).flatMap(({ callee, args }) => (args.length > 0 && !callee.includes(".") ? [callee] : [])))

/** Names of what a view is given by code, or of what cannot do harm. */
const ownName =
  /(?:^|_)(?:pk|id|ids|year|month|day|page|num|count|form|user|obj|object|self|queryset|args|kwargs|context|view|response|model|instance)$/

const declaredType = (file: SourceFile, text: string): string | null => {
  const type = text
    .replace(/^["']|["']$/g, "")
    .replace(/^(?:typing\.)?Optional\[(.*)\]$/, "$1")
    .replace(/\s*\|\s*None$/, "")
  if (numericType.test(type)) return "number"
  const name = /^([A-Za-z_]\w*)((?:\.\w+)*)$/.exec(type)
  if (name === null || /^(?:str|bytes|Any|dict|list|object|None)$/.test(name[1]!)) return null
  const path = importedPath(file, name[1]!)
  return path === null ? `local:${name[1]}` : `${path}${name[2]}`
}

const takesAllOfFlask = textMatches(/^from flask import \*/m)
/** Names that `from flask import *` brings. */
const ofFlask = /^(?:request|session|redirect|make_response|send_file|render_template_string|Response|Markup)$/

const language: TaintGrammar = {
  roles: rolesFrom(kinds),
  globals: (file, name) => (ofFlask.test(name) && takesAllOfFlask(file) ? `flask.${name}` : null),
  ownPaths:
    /^(?:\.|self:|local:|(?!(?:os|sys|re|json|time|datetime|logging|math|random|subprocess|pathlib|shutil|typing|collections|functools|itertools|flask|django|fastapi|sqlalchemy|requests|numpy|pandas)\b)[a-z_]\w*(?:\.\w+)+$)/,
  parameter,
  declaredType,
  cleanMethods: new Set(
    "find index count startswith endswith isdigit isalpha isalnum isnumeric isdecimal isspace islower isupper bit_length isoformat strftime timestamp total_seconds toordinal date utcnow hexdigest __len__ __contains__".split(
      " "
    )
  ),
  adders: new Set("append add extend insert update setdefault appendleft".split(" ")),
  memberTests: new Set(["__contains__"]),
  shapeTests: /(?:^|\.)(?:isdigit|isdecimal|isnumeric|isalnum|isalpha|isidentifier|is_valid_uuid)$/
}

export default language
