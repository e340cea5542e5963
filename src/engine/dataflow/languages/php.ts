import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { FunctionInfo, Parameter } from "../../languages/syntax/Syntax.ts"
import { importedPath } from "../evaluation/Run.ts"
import type { ParameterRole, Role, TaintGrammar } from "../TaintLanguage.ts"
import { rolesFrom } from "./javascript.ts"
import { textMatches } from "./textMatches.ts"

const kinds: ReadonlyArray<readonly [Role, string]> = [
  ["block", "program compound_statement expression_statement else_clause finally_clause colon_block"],
  ["assign", "assignment_expression reference_assignment_expression"],
  ["augment", "augmented_assignment_expression"],
  ["if", "if_statement else_if_clause"],
  ["ternary", "conditional_expression"],
  ["loop", "while_statement do_statement for_statement"],
  ["each", "foreach_statement"],
  ["switch", "switch_statement"],
  ["try", "try_statement"],
  ["return", "return_statement"],
  ["throw", "throw_expression exit_statement"],
  ["jump", "break_statement continue_statement"],
  [
    "call",
    "function_call_expression member_call_expression nullsafe_member_call_expression scoped_call_expression object_creation_expression"
  ],
  ["member", "member_access_expression nullsafe_member_access_expression"],
  ["subscript", "subscript_expression"],
  ["choice", "match_expression"],
  ["binary", "binary_expression"],
  ["clean", "unary_op_expression update_expression"],
  ["name", "variable_name name qualified_name"],
  ["string", "string encapsed_string heredoc nowdoc"],
  ["number", "integer float boolean null"],
  ["object", "array_creation_expression"],
  ["wrap", "parenthesized_expression cast_expression clone_expression argument yield_expression"],
  ["function", "function_definition method_declaration anonymous_function arrow_function"],
  ["construct", "include_expression include_once_expression require_expression require_once_expression"],
  ["command", "shell_command_expression"],
  ["class", "class_declaration trait_declaration interface_declaration enum_declaration"],
  ["skip", "php_tag text comment namespace_definition namespace_use_declaration global_declaration text_interpolation"]
]

const numericType = /^\??(?:int|float|bool|integer|double|boolean|DateTime\w*)$/

const requestType = /^(?:Request|ServerRequestInterface)$|(?:^|\\)Http\\Request$/
/** Requests of Laravel that bring their own rules. */
const formRequest = /(?:^|\\)Http\\Requests\\(?:\w+\\)*\w+$/

const declaredType = (file: SourceFile, text: string): string | null => {
  const type = text.replace(/^\?|\|null$/g, "").replace(/^\\/, "")
  if (numericType.test(type)) return "number"
  if (!/^[A-Za-z_][\w\\]*$/.test(type) || /^(?:string|array|mixed|object|self|static|callable|iterable)$/.test(type))
    return null
  if (requestType.test(type)) return "http:php"
  const path = importedPath(file, type) ?? type
  return formRequest.test(path) ? "http:php" : path
}

const routed = /Route::(?:get|post|put|patch|delete|any|match)\(|[#@](?:\[)?(?:\w+\\)*Route\(/

/** Attributes and the comment of a method, or the call a closure is given to. */
const headOf = (file: SourceFile, info: FunctionInfo): string => {
  const tree = file.tree!
  const start = tree.start(info.node)
  const end = info.body < 0 ? tree.end(info.node) : tree.start(info.body)
  const before = file.text.slice(Math.max(0, start - 600), start)
  const comment = /\*\/\s*$/.test(before) ? before.slice(before.lastIndexOf("/**")) : ""
  const call = tree.is(info.node, "method_declaration") ? "" : before.slice(before.lastIndexOf(";") + 1)
  return comment + call + file.text.slice(start, end)
}

const isController = textMatches(/namespace App\\Http\\Controllers|extends Controller\b/)
const usesLaravel = textMatches(/Illuminate\\|App\\Http\\Controllers/)

/** Symfony names them in the route above a method, Laravel in the call a closure is given to or not at all. */
const isRouteParameter = (file: SourceFile, info: FunctionInfo, own: Parameter): boolean => {
  const tree = file.tree!
  if (own.type !== null && !/^\??string$/.test(own.type)) return false
  const head = headOf(file, info)
  const name = own.name.replace(/\W/g, "")
  if (routed.test(head) && new RegExp(`\\{!?${name}[}?:]`).test(head)) return true
  if (!isController(file)) return false
  return (
    info.exported && tree.is(info.node, "method_declaration") && !/^__/.test(info.name ?? "__") && usesLaravel(file)
  )
}

/** Slim hands a third parameter to its handlers, which holds the parts of the route. */
const isRouteArguments = (info: FunctionInfo, own: Parameter, index: number): boolean =>
  index === 2 &&
  /^\$?(?:args|arguments|params|routeArgs)$/.test(own.name) &&
  requestType.test(info.parameters[0]?.type ?? "") &&
  /Response/.test(info.parameters[1]?.type ?? "")

const parameter = (file: SourceFile, info: FunctionInfo, own: Parameter, index: number): ParameterRole => {
  const type = own.type ?? ""
  if (isRouteArguments(info, own, index) || isRouteParameter(file, info, own)) return { source: "http:request.params" }
  return numericType.test(type) ? { clean: true } : { type: declaredType(file, type) }
}

const language: TaintGrammar = {
  roles: rolesFrom(kinds),
  ownPaths: /^(?:self:\w+\.\w+|\\?[A-Z]\w*(?:\\\w+)*\.\w+|[a-z]+(?:_[a-z]+)+|[a-z]+[A-Z]\w*)$/,
  parameter,
  declaredType,
  cleanParts: /^\$_FILES(?:\.[\w*-]+)*\.(?:tmp_name|size|error)$/,
  streams: /^php:\/\/input$/,
  cleanMethods: new Set(["count", "has", "isEmpty", "exists", "rowCount", "num_rows", "integer", "boolean", "float"]),
  adders: new Set(["push", "add", "append"]),
  memberTests: new Set(),
  shapeTests: /^(?:is_numeric|is_int|ctype_digit|ctype_alnum|ctype_alpha|is_bool|array_key_exists)$/
}

export default language
