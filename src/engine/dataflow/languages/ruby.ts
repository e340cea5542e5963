import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { ParameterRole, Role, TaintGrammar } from "../TaintLanguage.ts"
import { rolesFrom } from "./javascript.ts"

const kinds: ReadonlyArray<readonly [Role, string]> = [
  [
    "block",
    "program body_statement block_body then do else begin begin_block end_block parenthesized_statements ensure"
  ],
  ["assign", "assignment"],
  ["augment", "operator_assignment"],
  ["if", "if unless elsif if_modifier unless_modifier"],
  ["ternary", "conditional"],
  ["loop", "while until while_modifier until_modifier"],
  ["each", "for"],
  ["switch", "case case_match"],
  ["return", "return"],
  ["jump", "break next redo retry"],
  ["call", "call"],
  ["subscript", "element_reference"],
  ["binary", "binary"],
  ["clean", "unary range"],
  ["name", "identifier constant instance_variable class_variable global_variable scope_resolution"],
  ["self", "self"],
  ["string", "string heredoc_beginning chained_string bare_string delimited_symbol"],
  ["command", "subshell"],
  ["number", "integer float true false nil rational complex simple_symbol hash_key_symbol regex character bare_symbol"],
  ["list", "array string_array symbol_array right_assignment_list"],
  ["object", "hash"],
  ["wrap", "splat_argument hash_splat_argument in pattern interpolation"],
  ["function", "method singleton_method lambda do_block block"],
  ["class", "class module singleton_class"],
  ["skip", "comment alias undef superclass heredoc_body exceptions exception_variable"]
]

/** `params` and the like are methods of controllers; elsewhere they are methods of the program's own. */
const isWeb = (file: SourceFile): boolean =>
  /(?:^|\/)app\/(?:controllers|helpers|channels|views|components|api)\//.test(file.path) ||
  /\bclass\s+[\w:]+\s*<\s*(?:\w+::)*\w*(?:Controller|Channel)\b|\b(?:ActionController|Sinatra|Roda|Grape::API|Padrino|Rack::Request)\b|^require\s+["']sinatra|^(?:get|post|put|patch|delete)\s+["']\/[^"'\n]*["']\s+do\b/m.test(
    file.text
  )

const language: TaintGrammar = {
  roles: rolesFrom(kinds),
  invokes: /^(?:call|yield|\(\))$/,
  globals: (file, name) =>
    /^(?:params|cookies|request)$/.test(name) && file.memo(isWeb, isWeb) ? `http:ruby.${name}` : null,
  ownPaths: /^(?:self:|(?:::)?[A-Z][\w:]*(?:\.new(?:\(\))?)?\.\w+[?!]?$)/,
  parameter: (): ParameterRole => ({}),
  declaredType: () => null,
  closureKinds: ["do_block", "block", "lambda"],
  implicitReturn: true,
  cleanAnswers:
    /^(?:id|ids|lft|rgt|class|\w+_(?:id|ids|at|on|count|number|size)|(?:quoted_)?table_name|column_name|class_name|primary_key|position|path|to_path|tempfile|content_type|year|month|day|day_of_\w+|yesterday|today|now|beginning_of_\w+|end_of_\w+)$/,
  leaves: /^(?:raise|fail|halt|throw|exit|exit!|abort)$/,
  cleanMethods: new Set(
    "to_i to_f to_r to_c to_d to_date to_time to_datetime length size count bytesize hash hex oct ord sum nil? empty? blank? present? any? none? all? zero? positive? include? start_with? end_with? starts_with? ends_with? key? has_key? member? match? eql? equal? is_a? kind_of? respond_to? permitted? index rindex casecmp? casecmp == parameterize object_id".split(
      " "
    )
  ),
  adders: new Set("push append unshift prepend_to store add insert merge! update".split(" ")),
  memberTests: new Set(["include?", "exclude?", "member?", "key?", "has_key?"]),
  shapeTests: /^$a/
}

export default language
