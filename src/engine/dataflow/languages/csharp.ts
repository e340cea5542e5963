import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { FunctionInfo, Parameter } from "../../languages/syntax/Syntax.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import type { ParameterRole, Role, TaintGrammar } from "../TaintLanguage.ts"
import { rolesFrom } from "./javascript.ts"
import { textMatches } from "./textMatches.ts"

const kinds: ReadonlyArray<readonly [Role, string]> = [
  [
    "block",
    "compilation_unit global_statement namespace_declaration file_scoped_namespace_declaration declaration_list block expression_statement local_declaration_statement variable_declaration checked_statement unsafe_statement fixed_statement labeled_statement finally_clause"
  ],
  ["declare", "variable_declarator"],
  ["assign", "assignment_expression"],
  ["if", "if_statement"],
  ["ternary", "conditional_expression"],
  ["loop", "for_statement while_statement do_statement"],
  ["each", "foreach_statement"],
  ["switch", "switch_statement"],
  ["choice", "switch_expression"],
  ["try", "try_statement"],
  ["with", "using_statement lock_statement"],
  ["return", "return_statement yield_statement"],
  ["throw", "throw_statement throw_expression"],
  ["jump", "break_statement continue_statement goto_statement"],
  ["call", "invocation_expression object_creation_expression"],
  ["member", "member_access_expression"],
  ["subscript", "element_access_expression"],
  ["binary", "binary_expression"],
  ["clean", "prefix_unary_expression is_pattern_expression is_expression typeof_expression sizeof_expression"],
  ["name", "identifier implicit_parameter generic_name predefined_type qualified_name alias_qualified_name"],
  ["self", "this base"],
  ["string", "string_literal verbatim_string_literal raw_string_literal interpolated_string_expression"],
  ["number", "integer_literal real_literal boolean_literal null_literal character_literal"],
  ["list", "initializer_expression collection_expression tuple_expression"],
  [
    "wrap",
    "parenthesized_expression cast_expression await_expression argument arrow_expression_clause as_expression conditional_access_expression postfix_unary_expression checked_expression ref_expression implicit_array_creation_expression array_creation_expression expression_element collection_element"
  ],
  [
    "function",
    "lambda_expression anonymous_method_expression local_function_statement method_declaration constructor_declaration"
  ],
  ["class", "class_declaration struct_declaration record_declaration interface_declaration enum_declaration"],
  [
    "skip",
    "using_directive attribute_list comment modifier type_argument_list parameter_list base_list catch_declaration array_type implicit_type nullable_type declaration_expression constant_pattern declaration_pattern when_clause extern_alias_directive preproc_region preproc_endregion"
  ]
]

const scalar =
  "(?:s?byte|u?short|u?int|u?long|nint|nuint|float|double|decimal|bool|char|Guid|DateTime|DateTimeOffset|DateOnly|TimeOnly|TimeSpan|Int16|Int32|Int64|UInt16|UInt32|UInt64|Boolean|Decimal|Double|Single|Byte|CancellationToken|BigInteger|Version|IPAddress)"
const numericType = new RegExp(
  `^(?:System\\.)?${scalar}\\??$|^${scalar}\\??\\[\\]\\??$|^(?:I?(?:List|Enumerable|Collection|ReadOnlyList|Set)|HashSet|Nullable)<${scalar}\\??>\\??$`
)
const textType =
  /^(?:string|String|object|dynamic|StringValues)\??(?:\[\])?\??$|^(?:I?(?:List|Enumerable|Collection|ReadOnlyList|Dictionary)|HashSet)<(?:string|string,\s?string)>\??$/

const declaredType = (_file: SourceFile, text: string): string | null => {
  const type = text.replace(/\s+/g, "").replace(/\?$/, "")
  if (numericType.test(type)) return "number"
  if (textType.test(type) || /^(?:var|T|void)$/.test(type)) return null
  if (/^(?:HttpRequest(?:Base|Data)?)$/.test(type)) return "http:aspnet"
  if (/^(?:HttpContext(?:Base)?|HttpListenerContext)$/.test(type)) return "http:aspnetcontext"
  if (/^(?:IFormFile|HttpPostedFile(?:Base)?)$/.test(type)) return "http:upload"
  if (/^(?:IFormCollection|IQueryCollection|NameValueCollection|IHeaderDictionary)$/.test(type)) return null
  const name = /^(?:global::)?([A-Za-z_][\w.]*)(?:<.*>)?$/.exec(type)?.[1]
  return name === undefined ? null : name.replace(/^System\.(?:\w+\.)*/, "").replace(/^Microsoft\.Data\.\w+\./, "")
}

const attributesOf = (tree: FlatTree, node: number): string =>
  tree
    .children(node)
    .filter((child) => tree.is(child, "attribute_list"))
    .map((child) => tree.textOf(child))
    .join(" ")

/** Methods that the framework calls with parts of the request. */
const isAction = (tree: FlatTree, info: FunctionInfo): boolean => {
  if (!tree.is(info.node, "method_declaration") || !info.exported) return false
  const own = attributesOf(tree, info.node)
  if (/\[\s*NonAction\b/.test(own)) return false
  if (/\bHttp(?:Get|Post|Put|Patch|Delete)\b|\bRoute\s*\(/.test(own)) return true
  const owner = tree.enclosing(info.node, "class_declaration")
  if (owner === NONE) return false
  const bases = tree.textOf(tree.childOfKind(owner, "base_list"))
  if (/\bPageModel\b/.test(bases)) return /^On(?:Get|Post|Put|Delete)/.test(info.name ?? "")
  return /\b\w*Controller(?:Base)?\b/.test(bases) || /\[\s*ApiController\b/.test(attributesOf(tree, owner))
}

/** `app.MapGet("/x/{id}", (string id) => ...)`. */
const isRouteLambda = (tree: FlatTree, info: FunctionInfo): boolean => {
  if (!tree.is(info.node, "lambda_expression")) return false
  const call = tree.parent(tree.parent(tree.parent(info.node)))
  return /\.Map(?:Get|Post|Put|Patch|Delete|Methods)$/.test(tree.textOf(tree.child(call, "function")))
}

/** Functions that a route names: `app.MapGet("/notes", Notes)`. */
const routed = (file: SourceFile): ReadonlySet<string> =>
  new Set(
    [...file.text.matchAll(/\.Map(?:Get|Post|Put|Patch|Delete)\(\s*"[^"\n]*",\s*(?:\w+\.)*(\w+)\s*\)/g)].map(
      (match) => match[1]!
    )
  )

/** Methods and lambdas that the framework calls with parts of the request. */
const isHandler = (file: SourceFile, info: FunctionInfo): boolean =>
  isAction(file.tree!, info) ||
  isRouteLambda(file.tree!, info) ||
  (info.name !== null && file.memo(routed, routed).has(info.name))

/** A class or record of the file that holds data: handlers are given what a request says of it. */
const isData = (tree: FlatTree, type: string): boolean =>
  [...tree.of("class_declaration", "record_declaration")].some(
    (node) =>
      tree.textOf(tree.child(node, "name")) === type &&
      !/(?:Context|Service|Repository|Manager|Factory|Provider|Client|Store|Db|Options|Logger)$/.test(type) &&
      (tree.is(node, "record_declaration") || /\{\s*get\s*;/.test(tree.textOf(node)))
  )

const injected = /\[\s*From(?:Services|KeyedServices)\b|\[\s*Inject\b/
const bound = /\[\s*From(?:Query|Body|Route|Form|Header|Uri)\b|\[\s*Bind\b/
const model =
  /(?:Dto|DTO|Model|Request|Input|Command|Form|Filter|Query|Criteria|Params|Parameters|Payload|Options|Search)$/

/** What starts a program, or a function that waits for messages; null for other parameters. */
const givenAtStart = (info: FunctionInfo, type: string, attributes: string): string | null => {
  if (info.name === "Main" && /^string\[\]$/.test(type)) return "arguments:main"
  return /\[\s*(?:ServiceBus|Queue|EventHub|Kafka|RabbitMQ)Trigger\b/.test(attributes) ? "message:trigger" : null
}

/** The framework makes one of its names of the text, or rejects it. */
const isEnumeration = (tree: FlatTree, type: string): boolean =>
  [...tree.of("enum_declaration")].some((node) => tree.textOf(tree.child(node, "name")) === type.replace(/\?$/, ""))

const parameter = (file: SourceFile, info: FunctionInfo, own: Parameter): ParameterRole => {
  const type = own.type ?? ""
  if (numericType.test(type.replace(/\s+/g, ""))) return { clean: true }
  const tree = file.tree!
  if (isEnumeration(tree, type)) return { clean: true }
  const attributes = attributesOf(tree, own.node)
  const given = givenAtStart(info, type, attributes)
  if (given !== null) return { source: given }
  const declared = declaredType(file, type)
  if (declared?.startsWith("http:") === true || injected.test(attributes)) return { type: declared }
  if (!isHandler(file, info)) return { type: declared }
  if (textType.test(type.replace(/\s+/g, ""))) return { source: "http:aspnet.query", type: null }
  if (/^(?:IFormCollection|IQueryCollection|FormCollection|JsonElement|JObject|JsonDocument)\b/.test(type)) {
    return { source: "http:aspnet.body", type: null }
  }
  // Enumerations and identifiers are converted by the framework; what is left is a model or a service.
  if (bound.test(attributes) || model.test(declared ?? "") || isData(tree, declared ?? "")) {
    return { source: "http:aspnet.body", type: declared === null ? null : `local:${declared}` }
  }
  return { type: declared }
}

const isWeb = textMatches(
  /\b(?:AspNetCore|System\.Web|ControllerBase|PageModel|HttpContext|HttpRequest)\b|:\s*\w*Controller\b/
)

/** A page of Web Forms, whose controls another file declares. */
const isPage = textMatches(/:\s*(?:[\w.]+\.)?(?:Page|UserControl|MasterPage)\b/)
/** Fields for text, as they are called. */
const field = /^(?:txt|tb[A-Z]|[tT]ext_?[bB]ox)\w*$/
/** Labels, whose text is markup. */
const label = /^(?:lbl|lit|ltl)[A-Z_]\w*$|^(?:[lL]abel|[lL]iteral)\d*$/

/** Controls that take an upload. */
const upload = /^(?:fu[A-Z]|[fF]ile_?[uU]pload)\w*$/

/** Properties that Razor Pages fill from the request: `[BindProperty] public string Name { get; set; }`. */
const boundProperties = (file: SourceFile): ReadonlySet<string> =>
  new Set(
    [
      ...file.text.matchAll(
        /\[BindProperty\b[^\]\n]{0,80}\]\s*(?:\[[^\]\n]{0,120}\]\s*)?public\s+string\??\s+(\w+)\s*\{/g
      )
    ].map((match) => match[1]!)
  )

const ofPage = (name: string): string | null => {
  if (field.test(name)) return "http:webforms.field"
  if (upload.test(name)) return "http:upload"
  return label.test(name) ? "http:webforms.label" : null
}

const language: TaintGrammar = {
  roles: rolesFrom(kinds),
  ownPaths:
    /^(?:self:|local:|(?!(?:Math|Convert|Path|File|Directory|String|Regex|Guid|Encoding|Environment|Task|Enumerable|JsonSerializer|Console|DateTime)\.)[A-Z]\w*\.[A-Z]\w*$)/,
  invokes: /^Invoke$/,
  globals: (file, name) => {
    if (/^(?:Request|HttpContext)$/.test(name) && isWeb(file)) {
      return name === "Request" ? "http:aspnet" : "http:aspnetcontext"
    }
    if (isPage(file)) return ofPage(name)
    return file.memo(boundProperties, boundProperties).has(name) ? "http:aspnet.query" : null
  },
  parameter,
  declaredType,
  implicitThis: true,
  assignedSinks: true,
  cleanMember:
    /(?:^|[a-z])(?:Id|Ids|Count|Page|PageSize|Size|Number|Year|Month|Day|Date|Time|Amount|Price|Quantity|Index|Limit|Offset|Skip|Take|Enabled|Active|Length|Type|Kind|Status)$|^(?:Is|Has|Can|Should)[A-Z]/,
  cleanMethods: new Set(
    "Contains StartsWith EndsWith IndexOf LastIndexOf Equals GetHashCode CompareTo Any All Count LongCount GetType Sum TryGetValue ContainsKey IsMatch Exists".split(
      " "
    )
  ),
  adders: new Set("Add AddRange Push Enqueue Insert TryAdd Append AddLast AddFirst".split(" ")),
  memberTests: new Set(["Contains", "ContainsKey"]),
  shapeTests:
    /^(?:(?:System\.)?(?:s?byte|u?short|u?int|u?long|float|double|decimal|bool|Guid|DateTime|DateTimeOffset|DateOnly|TimeSpan|Int16|Int32|Int64|Boolean|Decimal|Double|Enum)\.TryParse(?:Exact)?|ObjectId\.TryParse)$/
}

export default language
