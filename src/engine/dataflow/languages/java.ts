import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { FunctionInfo, Parameter } from "../../languages/syntax/Syntax.ts"
import { importedNames } from "../../languages/syntax/vocabulary.ts"
import type { ParameterRole, Role, TaintGrammar } from "../TaintLanguage.ts"
import { rolesFrom } from "./javascript.ts"

const kinds: ReadonlyArray<readonly [Role, string]> = [
  [
    "block",
    "block expression_statement local_variable_declaration constructor_body labeled_statement finally_clause resource_specification synchronized_statement"
  ],
  ["declare", "variable_declarator resource"],
  ["assign", "assignment_expression"],
  ["if", "if_statement"],
  ["ternary", "ternary_expression"],
  ["loop", "for_statement while_statement do_statement"],
  ["each", "enhanced_for_statement"],
  ["switch", "switch_expression switch_statement"],
  ["try", "try_statement try_with_resources_statement"],
  ["return", "return_statement yield_statement"],
  ["throw", "throw_statement"],
  ["jump", "break_statement continue_statement"],
  ["call", "method_invocation object_creation_expression"],
  ["member", "field_access"],
  ["subscript", "array_access"],
  ["binary", "binary_expression"],
  ["clean", "unary_expression update_expression instanceof_expression"],
  ["name", "identifier"],
  ["self", "this"],
  ["string", "string_literal"],
  [
    "number",
    "decimal_integer_literal hex_integer_literal decimal_floating_point_literal true false null_literal character_literal"
  ],
  ["list", "array_initializer"],
  ["wrap", "parenthesized_expression cast_expression array_creation_expression"],
  ["function", "lambda_expression method_declaration constructor_declaration"],
  ["class", "class_declaration interface_declaration enum_declaration record_declaration"],
  [
    "skip",
    "import_declaration package_declaration line_comment block_comment marker_annotation annotation type_identifier integral_type dimensions dimensions_expr array_type catch_formal_parameter"
  ]
]

const numericType =
  /^(?:int|long|short|byte|double|float|boolean|char|Integer|Long|Short|Byte|Double|Float|Boolean|Character|BigDecimal|BigInteger|UUID|Date|LocalDate|LocalDateTime|Instant|Timestamp|Duration|(?:List|Set|Collection|Optional)<(?:Integer|Long|Short|UUID|Boolean|Double)>|(?:int|long)\[\])$/

const wellKnown: Record<string, string> = {
  HttpServletRequest: "http:servlet",
  ServletRequest: "http:servlet",
  MultipartFile: "http:upload",
  Part: "http:upload",
  FilePart: "http:upload",
  ServerRequest: "http:webflux",
  Statement: "java.sql.Statement",
  Connection: "java.sql.Connection",
  PreparedStatement: "java.sql.PreparedStatement",
  JdbcTemplate: "org.springframework.jdbc.core.JdbcTemplate",
  NamedParameterJdbcTemplate: "org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate",
  Runtime: "java.lang.Runtime",
  ProcessBuilder: "java.lang.ProcessBuilder",
  StringBuilder: "java.lang.StringBuilder",
  StringBuffer: "java.lang.StringBuilder",
  StringJoiner: "java.lang.StringJoiner",
  EntityManager: "jakarta.persistence.EntityManager"
}

const declaredType = (file: SourceFile, text: string): string | null => {
  const plain = text.replace(/\s+/g, "")
  if (numericType.test(plain)) return "number"
  const name = /^([A-Za-z_][\w.]*)(?:<.*>)?$/.exec(plain)?.[1]
  if (name === undefined || /^(?:String|CharSequence|Object|var|List|Map|Set|Collection|Optional|T|void)$/.test(name))
    return null
  const imported = importedNames(file).get(name)
  const own = wellKnown[name]
  if (imported !== undefined) {
    return own !== undefined && /^(?:java\.|javax\.|jakarta\.|org\.springframework\.)/.test(imported.module)
      ? own
      : imported.module
  }
  // `import java.sql.*` leaves only the simple name to go by.
  if (
    own !== undefined &&
    (/^java\.lang/.test(own) ||
      /import\s+(?:java\.sql|javax\.servlet|jakarta\.servlet|org\.springframework|javax\.persistence|jakarta\.persistence)[\w.]*\.\*/.test(
        file.text.slice(0, 8_000)
      ))
  ) {
    return own
  }
  return name
}

const annotated =
  /@(RequestParam|PathVariable|RequestBody|RequestHeader|CookieValue|ModelAttribute|MatrixVariable|QueryParam|PathParam|FormParam|HeaderParam|CookieParam|QueryValue|RequestPart)\b/

/** `static void main(String[] args)`. */
const isProgramStart = (file: SourceFile, info: FunctionInfo): boolean =>
  info.name === "main" && /\bstatic\b/.test(file.tree!.textOf(file.tree!.childOfKind(info.node, "modifiers")))

const listener = /@(?:Kafka|Rabbit|Jms|Sqs|Stream|Pulsar)Listener\b|@Incoming\b/

/** A method that a queue calls with what was sent. */
const isMessageHandler = (file: SourceFile, info: FunctionInfo): boolean =>
  listener.test(file.tree!.textOf(file.tree!.childOfKind(info.node, "modifiers")))

/** What starts a program, or a method that waits for messages; null for other parameters. */
const givenAtStart = (file: SourceFile, info: FunctionInfo, type: string): string | null => {
  if (/^String(?:\[\]|\.\.\.)$/.test(type) && isProgramStart(file, info)) return "arguments:main"
  return type === "String" && isMessageHandler(file, info) ? "message:java" : null
}

const mapping = /@(?:Get|Post|Put|Delete|Patch|Request)Mapping\b/
/** Classes of a program that hold what a form or a query says, by their names. */
const model =
  /(?:Form|Dto|DTO|Criteria|Command|Filter|Query|Params|Search|Bean|(?<!Http|Servlet|Web|Server|Multipart)Request)$/

/** What Spring MVC puts into a parameter without an annotation: a parameter of the request, or an object made of several. */
const implied = (file: SourceFile, info: FunctionInfo, type: string, modifiers: string): ParameterRole | null => {
  if (modifiers.includes("@") || !mapping.test(file.tree!.textOf(file.tree!.childOfKind(info.node, "modifiers"))))
    return null
  if (/^String(?:\[\])?$/.test(type)) return { source: "http:servlet.query", type: null }
  const declared = declaredType(file, type)
  return model.test(type) && declared?.startsWith("http:") === false
    ? { source: "http:servlet.body", type: declared }
    : null
}

const parameter = (file: SourceFile, info: FunctionInfo, own: Parameter): ParameterRole => {
  const type = own.type ?? ""
  const given = givenAtStart(file, info, type)
  if (given !== null) return { source: given }
  if (numericType.test(type)) return { clean: true }
  const declared = declaredType(file, type)
  const tree = file.tree!
  const modifiers = tree.childOfKind(own.node, "modifiers")
  const annotation = annotated.exec(tree.textOf(modifiers))
  if (declared === "http:upload") return { type: declared }
  // What is in a list of uploads is known where it is taken out of it.
  if (/^(?:(?:List|Collection)<)?(?:MultipartFile|Part|FilePart)(?:\[\]|>)$/.test(type)) return { type: null }
  if (annotation !== null) {
    const isText = /^(?:String|String\[\]|(?:List|Set|Map|Optional|MultiValueMap)<.*>|Object|CharSequence|var)$/.test(
      type
    )
    const where = /Body|Part|Model/.test(annotation[1]!) ? "body" : "query"
    if (isText || where === "body") return { source: `http:servlet.${where}`, type: isText ? null : declared }
    // Enumerations and identifiers are converted by the framework before the method runs.
    return { clean: true }
  }
  return implied(file, info, type, tree.textOf(modifiers)) ?? { type: declared }
}

const language: TaintGrammar = {
  roles: rolesFrom(kinds),
  ownPaths:
    /^(?:self:|local:|(?!(?:java|javax|jakarta|org\.springframework|org\.apache|com\.google|org\.slf4j)\.)(?:[a-z]\w*\.)*[A-Z]\w*\.[a-z]\w*$)/,
  invokes: /^(?:run|call|accept|apply|get|test)$/,
  parameter,
  declaredType,
  implicitThis: true,
  cleanMethods: new Set(
    "length size isEmpty equals equalsIgnoreCase contains startsWith endsWith indexOf lastIndexOf hashCode compareTo matches isBlank isPresent containsKey containsValue".split(
      " "
    )
  ),
  adders: new Set("add put addAll putAll set offer push addFirst addLast setAttribute putIfAbsent".split(" ")),
  memberTests: new Set(["contains", "containsKey"]),
  shapeTests: /(?:^|\.)(?:StringUtils\.(?:isNumeric|isAlphanumeric|isAlpha)|NumberUtils\.\w+)$/
}

export default language
