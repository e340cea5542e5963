import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { FunctionInfo, Parameter } from "../../languages/syntax/Syntax.ts"
import { importedPath } from "../evaluation/Run.ts"
import type { ParameterRole, Role, TaintGrammar } from "../TaintLanguage.ts"
import { textMatches } from "./textMatches.ts"

const kinds: ReadonlyArray<readonly [Role, string]> = [
  [
    "block",
    "program statement_block expression_statement lexical_declaration variable_declaration export_statement labeled_statement else_clause finally_clause class_static_block"
  ],
  ["declare", "variable_declarator"],
  ["assign", "assignment_expression"],
  ["augment", "augmented_assignment_expression"],
  ["if", "if_statement"],
  ["ternary", "ternary_expression"],
  ["loop", "for_statement while_statement do_statement"],
  ["each", "for_in_statement"],
  ["switch", "switch_statement"],
  ["try", "try_statement"],
  ["return", "return_statement"],
  ["throw", "throw_statement"],
  ["jump", "break_statement continue_statement"],
  ["call", "call_expression new_expression"],
  ["member", "member_expression"],
  ["subscript", "subscript_expression"],
  ["binary", "binary_expression"],
  ["clean", "unary_expression update_expression"],
  ["name", "identifier shorthand_property_identifier"],
  ["self", "this"],
  ["string", "string template_string"],
  ["number", "number true false regex"],
  ["list", "array"],
  ["object", "object"],
  [
    "wrap",
    "parenthesized_expression await_expression as_expression satisfies_expression non_null_expression sequence_expression spread_element type_assertion yield_expression"
  ],
  [
    "function",
    "arrow_function function_expression function_declaration generator_function generator_function_declaration method_definition"
  ],
  ["class", "class_declaration class abstract_class_declaration"],
  [
    "skip",
    "import_statement interface_declaration type_alias_declaration enum_declaration function_signature comment empty_statement ambient_declaration type_annotation decorator"
  ]
]

export const rolesFrom = (table: ReadonlyArray<readonly [Role, string]>): Record<string, Role> =>
  Object.fromEntries(table.flatMap(([role, names]) => names.split(" ").map((name) => [name, role] as const)))

const requestType =
  /^(?:express\.)?(?:Request|Req|FastifyRequest|NextApiRequest|IncomingMessage|http\.IncomingMessage|NextRequest|AuthRequest|AuthenticatedRequest|RequestWithUser)(?:<|$)/
const routeCall = /\.(?:get|post|put|patch|delete|all|use|head|options|route)\(/
const numericType =
  /^(?:number|boolean|bigint|Date|symbol|void|null|undefined|Buffer|Uint8Array)(?:\s*\|\s*(?:number|boolean|bigint|null|undefined))*$/
/** `"asc" | "desc"`. */
const literalUnion = /^\|?\s*(?:["'][^"']*["']|\d+)(?:\s*\|\s*(?:["'][^"']*["']|\d+|null|undefined))*$/
const parsed = /(?:ParseIntPipe|ParseFloatPipe|ParseBoolPipe|ParseUUIDPipe|ParseEnumPipe)/

const named = (parameters: ReadonlyArray<Parameter>, at: number): string =>
  parameters[at]?.name.replace(/^_+/, "") ?? ""

/** Nest says by decorators where a parameter comes from. */
const decoratedParameter = (decorator: string, type: string, text: string): ParameterRole => {
  if (numericType.test(type) || literalUnion.test(type) || parsed.test(text)) return { clean: true }
  if (/^(?:Payload|MessageBody)$/.test(decorator)) return { source: "message:nest" }
  if (/^Req(?:uest)?$/.test(decorator)) return { type: "http:request" }
  if (decorator === "UploadedFile") return { type: "http:request.upload" }
  return { source: `http:request.${decorator === "Body" ? "body" : decorator === "Param" ? "params" : "query"}` }
}

/** What the first parameter of a function given to a route is, by its name. */
const routeParameter = (name: string, shape: string): ParameterRole | null => {
  if (/^(?:req|request)$/.test(name)) return { type: "http:request" }
  if (/^(?:ctx|c|context)$/.test(name)) return { type: "http:context" }
  return /^\{/.test(shape) && /\b(?:query|params|body)\b/.test(shape) ? { type: "http:request" } : null
}

/** Server actions of Next.js take what a form sends, or whatever a client calls them with. */
const isAction = (file: SourceFile, info: FunctionInfo): boolean => {
  const tree = file.tree!
  const first = file.text.slice(tree.start(info.body), tree.start(info.body) + 40)
  return /^\{\s*["']use server["']/.test(first) || (info.exported && /^\s*["']use server["']/.test(file.text))
}

/** yauzl rejects names that lead out of the target, unless it is not to decode them. */
const archives =
  /["'](?:unzipper|tar-stream|unzip-stream|node-stream-zip|tar)["']|["']yauzl["'][\s\S]*\bdecodeStrings:\s*false/

const parameter = (file: SourceFile, info: FunctionInfo, own: Parameter, index: number): ParameterRole => {
  const type = own.type ?? ""
  const text = file.text.slice(file.tree!.start(own.node), file.tree!.end(own.node))
  const decorated = /^@(Query|Param|Body|Headers|Cookies|UploadedFile|Req|Request|Args|Payload|MessageBody)\(/.exec(
    text
  )
  if (decorated !== null) return decoratedParameter(decorated[1]!, type, text)
  if (numericType.test(type) || literalUnion.test(type)) return { clean: true }
  if (isPlatformHandler(info, own, index)) return { source: "message:event" }
  if (isSocketHandler(info, index)) return { source: "socket:message" }
  const role = webParameter(file, info, own, index)
  if (role !== null) return role
  // Route files of Next.js export functions named after HTTP methods; their second parameter holds `params`.
  if (index <= 1 && /^(?:GET|POST|PUT|PATCH|DELETE)$/.test(info.name ?? "") && info.exported)
    return { type: "http:request" }
  if (/^(?:|string|FormData|any|unknown)$/.test(type) && isAction(file, info)) return { source: "http:request.body" }
  if (index === 0 && /\.on\("entry"|\.on\('entry'/.test(info.name ?? "") && archives.test(file.text))
    return { type: "archive:entry" }
  return { type: declaredType(file, type) }
}

/** `exports.handler = async (event, context)`: what started a function of a serverless platform. */
const isPlatformHandler = (info: FunctionInfo, own: Parameter, index: number): boolean =>
  index === 0 && /^(?:event|_event)$/.test(own.name) && /^(?:handler|lambdaHandler|main|default)$/.test(info.name ?? "")

const received =
  /(?:^|\.)(?:ws|wss|socket|sock|client|conn|connection)\.on\(["'`](?!error|close|open|connect|drain|end)/

/** `socket.on("message", (data) => …)` of WebSocket, socket.io and net servers. */
const isSocketHandler = (info: FunctionInfo, index: number): boolean => index === 0 && received.test(info.name ?? "")

const requestListener = /\bcreate(?:Secure)?Server\((?:[^()]{0,60},)?\s*$|\.on\(["'`]request["'`],\s*$/
/** `server.on("stream", (stream, headers) => …)` of HTTP/2, where the path is a header. */
const streamListener = /\.on\(["'`]stream["'`],\s*$/

/** `http.createServer((q, s) => …)`, `server.on("request", (q, s) => …)`: the request, whatever it is called. */
const serverParameter = (file: SourceFile, info: FunctionInfo, index: number): ParameterRole | null => {
  if (info.parameters.length !== 2) return null
  const start = file.tree!.start(info.node)
  const before = file.text.slice(Math.max(0, start - 100), start).replace(/async\s+$/, "")
  if (index === 0) return requestListener.test(before) ? { type: "http:request" } : null
  return streamListener.test(before) ? { source: "http:request.headers" } : null
}

const parsesForms = textMatches(/["'](?:formidable|multiparty)["']/)

/** `form.parse(req, (err, fields, files) => …)` of formidable. */
const formParameter = (file: SourceFile, info: FunctionInfo, index: number): ParameterRole | null => {
  if (index === 0 || info.parameters.length !== 3 || !parsesForms(file)) return null
  const start = file.tree!.start(info.node)
  const isGiven = /\.parse\(\s*[\w.]{1,40},\s*(?:async\s*)?$/.test(file.text.slice(Math.max(0, start - 80), start))
  if (!isGiven) return null
  const source = index === 1 ? "http:request.body" : "http:request.files"
  return { source, type: source }
}

const webParameter = (file: SourceFile, info: FunctionInfo, own: Parameter, index: number): ParameterRole | null =>
  handlerParameter(info, own, index, own.type ?? "") ??
  middlewareParameter(file, info, own) ??
  formParameter(file, info, index) ??
  serverParameter(file, info, index)

/** What only a handler does with a context of Koa: ask it for the request, or give it an answer. */
const koaUses = /\bctx\.(?:query|request\.(?:body|query|header)|redirect\(|body\s*=[^=]|throw\(\d|status\s*=[^=])/

/** `app.use((ctx) => …)`: handlers of Koa may take nothing but the context. */
const middlewareParameter = (file: SourceFile, info: FunctionInfo, own: Parameter): ParameterRole | null => {
  if (info.parameters.length !== 1 || own.name !== "ctx") return null
  const start = file.tree!.start(info.node)
  const isGiven = /\.use\(\s*$/.test(file.text.slice(Math.max(0, start - 20), start))
  return isGiven || koaUses.test(file.tree!.textOf(info.body)) ? { type: "http:context" } : null
}

/** What a parameter of a request handler is, by the names and types that web frameworks use. */
const handlerParameter = (info: FunctionInfo, own: Parameter, index: number, type: string): ParameterRole | null => {
  const first = named(info.parameters, 0)
  const second = named(info.parameters, 1)
  const isHandler = /^(?:req|request)$/.test(first) && /^(?:res|response|reply|h|rep)$/.test(second)
  const isErrorHandler = /^(?:req|request)$/.test(second) && /^(?:res|response)$/.test(named(info.parameters, 2))
  if ((isHandler && index === 0) || (isErrorHandler && index === 1)) return { type: "http:request" }
  if (requestType.test(type)) return { type: "http:request" }
  if (index !== 0) return null
  const routed = routeCall.test(info.name ?? "") ? routeParameter(first, own.name) : null
  if (routed !== null) return routed
  const isContext = /^(?:ctx|context)$/.test(first) && (second === "next" || /(?:^|\.)(?:Koa)?Context\b/.test(type))
  return isContext ? { type: "http:context" } : null
}

const declaredType = (file: SourceFile, text: string): string | null => {
  const type = text.replace(/^readonly\s+/, "")
  if (numericType.test(type) || literalUnion.test(type)) return "number"
  const name = /^([A-Za-z_$][\w$]*)((?:\.[\w$]+)*)/.exec(type)
  if (name === null || /^(?:string|any|unknown|object|Promise|Array|Record|Partial|Map|Set)$/.test(name[1]!))
    return null
  if (requestType.test(type)) return "http:request"
  const path = importedPath(file, name[1]!)
  return path === null ? `local:${name[1]}` : `${path}${name[2]}`
}

const language: TaintGrammar = {
  roles: rolesFrom(kinds),
  ownPaths:
    /^(?:\.{1,2}\/|@\/|~\/|#|src\/|@(?!nestjs\/|angular\/|types\/|aws-sdk\/|babel\/|mui\/|emotion\/|reduxjs\/|tanstack\/|fastify\/|hapi\/|koa\/|prisma\/|google-cloud\/|azure\/|sentry\/|testing-library\/|octokit\/)[\w-]+\/|self:|local:)/,
  parameter,
  declaredType,
  cleanParts:
    /^http:(?:request|context\.request)\.files?(?:\.[\w*]+)*\.(?:path|filename|filepath|newFilename|size|tempFilePath|destination|buffer|data|md5|fieldname|encoding)$/,
  cleanMethods: new Set(
    "indexOf lastIndexOf includes startsWith endsWith test search has hasOwnProperty charCodeAt codePointAt localeCompare toISOString toFixed getTime valueOf some every".split(
      " "
    )
  ),
  adders: new Set("push unshift add set append splice".split(" ")),
  memberTests: new Set(["includes", "has", "hasOwnProperty"]),
  shapeTests:
    /^(?:Number\.is\w+|isFinite|isUUID|isUuid|(?:validator|uuid|v)\.(?:isInt|isUUID|isNumeric|isAlphanumeric|isAlpha|isMongoId|validate|isHexadecimal)|(?:mongoose\.)?(?:Types\.)?ObjectId\.isValid|isValidObjectId)$/
}

export default language
