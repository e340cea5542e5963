import { RECEIVER, type SinkRule } from "../TaintLanguage.ts"
import { CODE, HTML, OBJECT, PATH, REDIRECT, TEMPLATE, URL } from "../values/Value.ts"
import {
  ANSWER,
  CONNECTION,
  FILE,
  MODULE,
  OBJECTS,
  REQUEST,
  RUN,
  SENT,
  SERVED,
  TEMPLATES,
  TRUSTED,
  YAML
} from "./labels.ts"

const isText = /^[^|]*$/

export const rubyPaths: ReadonlyArray<SinkRule> = [
  {
    kind: PATH,
    label: FILE,
    path: /^(?:File|IO|Pathname)\.(?:read|open|new|binread|readlines|write|binwrite|delete|unlink|foreach|truncate|chmod|mkfifo)$/,
    args: [0],
    when: ({ callee }) => !callee.startsWith("Pathname"),
    text: isText
  },
  {
    kind: PATH,
    label: FILE,
    path: /^(?:File\.(?:rename|symlink|link)|FileUtils\.(?:mv|cp|cp_r|copy|move|ln|ln_s|install))$/,
    args: [0, 1]
  },
  {
    kind: PATH,
    label: FILE,
    path: /^(?:FileUtils\.(?:rm|rm_f|rm_r|rm_rf|mkdir|mkdir_p|touch|remove_\w+|rmtree|chmod|rmdir)|Dir\.(?:glob|entries|children|mkdir|rmdir|delete|each_child|foreach|open|new)|YAML\.load_file|CSV\.(?:read|foreach|open|table)|JSON\.load_file)$/,
    args: [0]
  },
  { kind: PATH, label: FILE, path: /^(?:Kernel\.)?open$/, args: [0], text: isText },
  {
    kind: PATH,
    label: FILE,
    path: /^Pathname(?:\.new)?(?:\(\))?(?:\.join\(\))?\.(?:read|binread|write|binwrite|delete|unlink|open|readlines|children|rmtree)$/,
    args: [RECEIVER]
  },
  { kind: PATH, label: SERVED, path: /^send_file$/, args: [0] },
  { kind: PATH, label: SERVED, path: /^render$/, args: [], named: ["file"] }
]

export const rubyUrls: ReadonlyArray<SinkRule> = [
  {
    kind: URL,
    label: REQUEST,
    path: /^(?:Net::HTTP|HTTParty|Faraday|RestClient|Excon|HTTP|Typhoeus|HTTPClient|HTTPX|Curl|Patron)(?:\.new)?(?:\(\))?\.(?:get|get_response|post|post_form|put|patch|delete|head|options|request|get_content)$/,
    args: [0]
  },
  {
    kind: URL,
    label: REQUEST,
    path: /^(?:URI\.open|OpenURI\.open_uri|Down\.(?:download|open)|Faraday\.new|Mechanize(?:\.new)?(?:\(\))?\.get)$/,
    args: [0]
  },
  { kind: URL, label: REQUEST, path: /^RestClient::(?:Request\.execute|Resource\.new)$/, args: [0], named: ["url"] },
  { kind: URL, label: REQUEST, path: /^Net::HTTP::(?:Get|Post|Put|Delete|Patch|Head)\.new$/, args: [0] },
  { kind: URL, label: CONNECTION, path: /^(?:Net::HTTP\.(?:start|new)|TCPSocket\.(?:new|open))$/, args: [0] }
]

export const rubyCode: ReadonlyArray<SinkRule> = [
  {
    kind: CODE,
    label: RUN,
    path: /^(?:Kernel\.)?eval$|(?:^|\.)(?:instance_eval|class_eval|module_eval)$|^binding(?:\(\))?\.eval$|^RubyVM::InstructionSequence\.compile$/,
    args: [0]
  },
  // Most code looks at what kind of class it got; to make one at once leaves no room for that.
  {
    kind: CODE,
    label: MODULE,
    path: /\.new$/,
    args: [RECEIVER],
    when: ({ receiver }) =>
      /\.(?:safe_)?constantize(?:\(\))?$|\bconst_get\([^()]*(?:\([^()]*\))?[^()]*\)$/.test(receiver)
  },
  { kind: CODE, label: MODULE, path: /^(?:Kernel\.)?(?:require|load|require_relative)$/, args: [0] },
  {
    kind: CODE,
    label: "a function that is called by name",
    path: /(?:^|\.)(?:send|public_send|__send__)$/,
    args: [0],
    // A fixed beginning or end leaves only methods that were made for it.
    text: /^\u0000$/
  },
  {
    kind: TEMPLATE,
    label: TEMPLATES,
    path: /^(?:ERB\.new|Erubi::Engine\.new|Erubis::Eruby\.new|Haml::(?:Engine|Template)\.new|Slim::Template\.new|Tilt\.new)$/,
    args: [0]
  },
  { kind: TEMPLATE, label: TEMPLATES, path: /^render$/, args: [], named: ["inline"] }
]

export const rubyObjects: ReadonlyArray<SinkRule> = [
  { kind: OBJECT, label: OBJECTS, path: /^Marshal\.(?:load|restore)$/, args: [0] },
  {
    kind: OBJECT,
    label: YAML,
    path: /^(?:YAML|Psych)\.(?:load|unsafe_load|load_stream)$/,
    args: [0],
    when: ({ option }) => option("permitted_classes") === null
  },
  {
    kind: OBJECT,
    label: OBJECTS,
    path: /^Oj\.(?:object_load|load)$/,
    args: [0],
    when: ({ callee, option }) => /object_load$/.test(callee) || option("mode") === ":object"
  }
]

export const rubyHtml: ReadonlyArray<SinkRule> = [
  { kind: HTML, label: TRUSTED, path: /\.html_safe$/, args: [RECEIVER] },
  { kind: HTML, label: TRUSTED, path: /^(?:helpers\.)?raw$/, args: [0] },
  { kind: HTML, label: ANSWER, path: /^render$/, args: [], named: ["html"], text: /</ },
  { kind: HTML, label: TRUSTED, path: /^(?:ActiveSupport::SafeBuffer\.new|Markup\.new)$/, args: [0] },
  { kind: HTML, label: SENT, path: /^response\.(?:write|body=)$/, args: [0], text: /<[a-zA-Z!/]/ }
]

export const rubyRedirects: ReadonlyArray<SinkRule> = [
  {
    kind: REDIRECT,
    label: "a redirect",
    path: /^(?:redirect_to|redirect|redirect_back_or_to)$/,
    args: [0],
    when: ({ option, holdsFields }) => !holdsFields(0) && option("allow_other_host") !== "false"
  },
  { kind: REDIRECT, label: "a redirect", path: /^redirect_back$/, args: [], named: ["fallback_location"] }
]

export const rubyCalls =
  "\\b(?:File|IO|FileUtils|Dir|Pathname|YAML|Psych|CSV|Marshal|Oj|Net::HTTP|HTTParty|Faraday|RestClient|Excon|HTTP|Typhoeus|URI|TCPSocket|ERB|Tilt|Haml|Slim)\\b[\\w:]*\\.\\w+|\\b(?:send_file|render|redirect\\w*|raw|eval|instance_eval|class_eval|send|public_send|const_get|constantize|safe_constantize|html_safe)\\b"
