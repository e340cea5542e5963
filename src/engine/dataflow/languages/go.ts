import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { FunctionInfo, Parameter } from "../../languages/syntax/Syntax.ts"
import { importedPath } from "../evaluation/Run.ts"
import type { ParameterRole, Role, TaintGrammar } from "../TaintLanguage.ts"
import { rolesFrom } from "./javascript.ts"

const kinds: ReadonlyArray<readonly [Role, string]> = [
  [
    "block",
    "source_file block statement_list expression_statement var_declaration const_declaration var_spec_list defer_statement go_statement labeled_statement"
  ],
  ["declare", "var_spec const_spec"],
  ["assign", "short_var_declaration assignment_statement"],
  ["if", "if_statement"],
  ["each", "for_statement"],
  ["switch", "expression_switch_statement type_switch_statement select_statement"],
  ["return", "return_statement"],
  ["jump", "break_statement continue_statement goto_statement"],
  ["call", "call_expression"],
  ["member", "selector_expression"],
  ["subscript", "index_expression slice_expression"],
  ["binary", "binary_expression"],
  ["clean", "inc_statement dec_statement"],
  ["name", "identifier"],
  ["string", "interpreted_string_literal raw_string_literal"],
  ["number", "int_literal float_literal true false nil rune_literal iota"],
  ["list", "expression_list"],
  ["object", "composite_literal literal_value"],
  [
    "wrap",
    "parenthesized_expression type_conversion_expression type_assertion_expression unary_expression variadic_argument literal_element"
  ],
  ["function", "func_literal function_declaration method_declaration"],
  ["skip", "import_declaration package_clause type_declaration comment fallthrough_statement"]
]

const numericType =
  /^(?:\[\])?\*?(?:u?int(?:8|16|32|64)?|float(?:32|64)|bool|uuid\.UUID|time\.(?:Time|Duration)|rune|byte|error|sql\.NullInt64|big\.Int)$/

const wellKnown: Record<string, string> = {
  "net/http.Request": "http:go",
  "github.com/gin-gonic/gin.Context": "http:gin",
  "github.com/labstack/echo.Context": "http:echo",
  "github.com/labstack/echo/v4.Context": "http:echo",
  "github.com/gofiber/fiber/v2.Ctx": "http:fiber",
  "github.com/gofiber/fiber.Ctx": "http:fiber",
  "github.com/gofiber/fiber/v3.Ctx": "http:fiber"
}

const declaredType = (file: SourceFile, text: string): string | null => {
  const type = text.replace(/\s+/g, "")
  if (/^(?:\[\])*byte$/.test(type)) return null
  if (numericType.test(type)) return "number"
  const name = /^(?:\[\]|\*|&)*([A-Za-z_]\w*)(?:\.(\w+))?$/.exec(type)
  if (name === null || /^(?:string|any|interface|map|func)$/.test(name[1]!)) return null
  if (name[2] === undefined) return `local:${name[1]}`
  const path = `${importedPath(file, name[1]!) ?? name[1]}.${name[2]}`
  return wellKnown[path] ?? path
}

const parameter = (file: SourceFile, _info: FunctionInfo, own: Parameter): ParameterRole => {
  const type = own.type ?? ""
  if (numericType.test(type)) return { clean: true }
  return { type: declaredType(file, type) }
}

const language: TaintGrammar = {
  roles: rolesFrom(kinds),
  ownPaths: /^(?:self:|local:|[\w-]+\.[\w.-]+\/[\w./-]+\.[A-Z]\w*$|[A-Za-z]\w*$)/,
  parameter,
  declaredType,
  cleanMethods: new Set(["Len", "Size", "Int64", "IsZero", "Error", "Close"]),
  adders: new Set(["Add", "Set", "Push", "PushBack"]),
  memberTests: new Set(["Contains", "Has"]),
  shapeTests: /^(?:uuid\.IsValid\w*|govalidator\.\w+)$/
}

export default language
