import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { FunctionInfo, Parameter } from "../../languages/syntax/Syntax.ts"
import { importedPath } from "../evaluation/Run.ts"
import type { ParameterRole, Role, TaintLanguage } from "../TaintLanguage.ts"
import { ALL_KINDS, PATH, REDIRECT, RESOLVED, SQL, URL } from "../values/Value.ts"
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

const language: TaintLanguage = {
  roles: rolesFrom(kinds),
  sourceText:
    /"archive\/(?:zip|tar)"|\bhttprouter\.Params\b|\bhttp\.Request\b|\bgin\.Context\b|\becho\.Context\b|\bfiber\.Ctx\b/,
  sources:
    /^(?:archive\/(?:zip|tar)\.[\w.()]{0,80}\bName|github\.com\/julienschmidt\/httprouter\.Params\.ByName\(\)|http:go\.(?:Form|PostForm|MultipartForm|Body|Header|RequestURI|(?:FormValue|PostFormValue|PathValue|UserAgent|Referer|Cookie|Cookies)\(\)|URL\.(?:Query\(\)|Path|RawQuery|RawPath)|Header\.\w+\(\))|http:gin\.(?:Param|Query|DefaultQuery|PostForm|DefaultPostForm|GetHeader|GetQuery|QueryArray|GetPostForm|Cookie|QueryMap|PostFormMap|GetRawData)\(\)|http:gin\.Request\.(?:Body|Header|Form)|http:echo\.(?:Param|QueryParam|FormValue|QueryParams|FormParams|ParamValues|Cookie)\(\)|http:fiber\.(?:Query|Params|FormValue|Body|Get|Cookies|BodyRaw|Queries)\(\)|github\.com\/gorilla\/mux\.Vars\(\)|github\.com\/go-chi\/chi(?:\/v\d)?\.URLParam\(\)|http:(?:gin|echo|fiber)\.(?:Bind|ShouldBind\w*|BindJSON|BindQuery|BodyParser|QueryParser)\(\))$/,
  parameter,
  declaredType,
  sanitisers: [
    {
      path: /^(?:strconv\.(?:Atoi|ParseInt|ParseUint|ParseFloat|ParseBool|Itoa|FormatInt)|len|cap|int(?:8|16|32|64)?|uint(?:8|16|32|64)?|float(?:32|64)|bool|time\.Parse\w*|net\.ParseIP|uuid\.(?:Parse|MustParse)|github\.com\/(?:google|gofrs|satori\/go\.)\/?uuid\.\w+|github\.com\/google\/uuid\.\w+|primitive\.ObjectIDFromHex)$/,
      kinds: ALL_KINDS
    },
    { path: /^(?:path|path\/filepath|filepath)\.(?:Base|Ext)$/, kinds: PATH },
    { path: /^(?:path|path\/filepath|filepath)\.(?:Clean|Join|Abs|Rel|EvalSymlinks)$/, kinds: RESOLVED },
    { path: /^(?:path|path\/filepath|filepath)\.(?:Clean|Join)$/, kinds: PATH, text: /^[\\/]+\u0000$/ },
    { path: /^strings\.(?:Replace|ReplaceAll)$/, kinds: PATH, text: /\u0000\.\./ },
    { path: /^(?:net\/)?url\.(?:QueryEscape|PathEscape)$/, kinds: URL | PATH | REDIRECT },
    { path: /(?:^|\.)(?:QuoteIdentifier|QuoteLiteral|Sanitize|EscapeString)$/, kinds: SQL },
    { path: /(?:shellescape|shellquote|execescape)\.(?:Quote|Join)/, kinds: 2 | 8 }
  ],
  carriers:
    /^(?:string|regexp\.(?:Must)?Compile|strings\.(?:TrimSpace|Trim\w*|ToLower|ToUpper|Title|Replace|ReplaceAll|Split\w*|Fields|Repeat|NewReader|Map)|append|bytes\.\w+|url\.(?:QueryUnescape|PathUnescape|Parse)|net\/url\.(?:QueryUnescape|PathUnescape|QueryEscape|Parse)|io\.ReadAll|io\/ioutil\.ReadAll|ioutil\.ReadAll|encoding\/json\.(?:NewDecoder|Marshal)|filepath\.\w+|path\/filepath\.\w+|path\.\w+|html\.EscapeString|fmt\.Sprint(?:ln)?|strings\.NewReplacer\(\)\.Replace)$/,
  cleanMethods: new Set(["Len", "Size", "Int64", "IsZero", "Error", "Close"]),
  adders: new Set(["Add", "Set", "Push", "PushBack"]),
  builders:
    /^(?:strings\.Builder|bytes\.Buffer|strings\.Builder\(\)|bytes\.NewBufferString\(\))\.Write(?:String|Byte|Rune)?$/,
  fillers:
    /^(?:encoding\/json\.(?:Unmarshal|NewDecoder\(\)\.Decode)|http:(?:gin|echo|fiber)\.(?:Bind|ShouldBind\w*|BindJSON|BindQuery|BodyParser|QueryParser))$|\.Decode$/,
  formats: /^fmt\.(?:Sprintf|Errorf|Appendf)$/,
  memberTests: new Set(["Contains", "Has"]),
  shapeTests: /^(?:uuid\.IsValid\w*|govalidator\.\w+)$/
}

export default language
