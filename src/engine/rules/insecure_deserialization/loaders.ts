import { addTo } from "../../core/collections/lists.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Emit, type Match, ruleLanguageOf } from "../../core/tool/AuditTool.ts"
import { qualifiedName } from "../../languages/code/qualifiedName.ts"
import { literalValue } from "../../languages/syntax/strings.ts"
import { type Call, calls, enclosingFunction, importedNames } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import type { RuleId } from "./rules.ts"

const at = (file: SourceFile, call: Call): Pick<Match<RuleId>, "start" | "end" | "identifiers"> => ({
  start: file.tree!.start(call.node),
  end: file.tree!.end(call.node),
  identifiers: [call.method]
})

/** Text of a literal, or of a file that the code names, is the project's own. */
const isOwn = (file: SourceFile, call: Call): boolean => {
  const first = call.args[0]
  if (first === undefined) return true
  if (literalValue(file, first) !== null) return true
  const text = file.tree!.textOf(first)
  return /^(?:open|io\.open)\(\s*[rbf]*["'][^"'{]*["']/.test(text)
}

/** `yaml` may be an object of another library, such as `YAML()` of ruamel. */
const isPyYaml = (file: SourceFile, call: Call): boolean =>
  importedNames(file)
    .get(/^\w+/.exec(call.callee)?.[0] ?? "")
    ?.module.split(".")[0] === "yaml"

/** Settings that only the operator writes are arguable: anyone who changes them can often change the program, too. */
const OF_OPENED_FILE = { confidence: 0.5 }

const opening =
  /\bopen\([^\n]{0,200}\)\s{1,4}as\s{1,4}(\w{1,60})|\b(\w{1,60})\s{0,4}=[^\n=]{0,100}(?:\bopen|\.read_text)\(/g

/** Where each name is given a file that is opened, or its text. */
const openings = (file: SourceFile): ReadonlyMap<string, ReadonlyArray<number>> => {
  const found = new Map<string, Array<number>>()
  for (const { index, 1: withName, 2: assigned } of file.text.matchAll(opening)) {
    addTo(found, withName ?? assigned!, index)
  }
  return found
}

/** `with open(path) as f:` and `f = open(path)` in the same function: a file that the program chooses. */
const isOpenedHere = (file: SourceFile, call: Call): boolean => {
  const text = file.tree!.textOf(call.args[0]!)
  if (/\bopen\(|\.read_(?:text|bytes)\(/.test(text)) return true
  const offsets = file.memo(openings, openings).get(/^(\w+)(?:\.read\(\))?$/.exec(text)?.[1] ?? "")
  const opened = offsets?.findLast((offset) => offset < file.tree!.start(call.node))
  if (opened === undefined) return false
  const scope = enclosingFunction(file, call.node)
  return scope === null || opened >= file.tree!.start(scope.node)
}

/** `yaml.load(text)` and `yaml.load(text, Loader=yaml.Loader)`. */
const yamlLoads = (file: SourceFile, emit: Emit<RuleId>): void => {
  for (const call of calls(file)) {
    const message = yamlLoad(file, call)
    if (message === null) continue
    emit({ ...at(file, call), rule: "unsafe_yaml_load", message, ...(isOpenedHere(file, call) ? OF_OPENED_FILE : {}) })
  }
}

/** `from yaml import CSafeLoader as Loader`: the name is another one here. */
const isSafeLoader = (file: SourceFile, name: string): boolean =>
  importedNames(file).get(name)?.imported.endsWith("SafeLoader") === true

const yamlLoad = (file: SourceFile, call: Call): string | null => {
  if (!/^(?:load|load_all|unsafe_load|unsafe_load_all)$/.test(call.method)) return null
  const name = qualifiedName(file, call)
  if (!/^yaml\.\w+$/.test(name) || !isPyYaml(file, call) || isOwn(file, call)) return null
  const loader = call.named.get("Loader") ?? call.args[1]
  const written = loader === undefined ? null : file.tree!.textOf(loader)
  const isUnsafe = name.includes("unsafe")
  if (!isUnsafe && written !== null && isSafeLoader(file, written)) return null
  if (!isUnsafe && written !== null && !/^(?:yaml\.)?C?(?:Unsafe)?Loader$/.test(written)) return null
  const how = isUnsafe ? "" : written === null ? " without a loader" : ` with \`${written}\``
  return `\`${call.callee}\`${how} creates any Python object that the text names, and runs code while it does.`
}

/** `etree.XMLParser(resolve_entities=True)` and features of SAX that load external entities. */
const pythonXml = (file: SourceFile, emit: Emit<RuleId>): void => {
  for (const call of calls(file)) {
    const message = lxmlEntities(file, call) ?? saxEntities(file, call)
    if (message !== null) emit({ ...at(file, call), rule: "external_entities", message })
  }
}

const lxmlEntities = (file: SourceFile, call: Call): string | null => {
  if (call.method !== "XMLParser" || !/\blxml\b/.test(file.text)) return null
  const isSet = (name: string, value: string): boolean => file.tree!.textOf(call.named.get(name) ?? NONE) === value
  const setting = isSet("resolve_entities", "True")
    ? "resolve_entities=True"
    : isSet("no_network", "False")
      ? "no_network=False"
      : null
  return setting && `\`${call.callee}\` with \`${setting}\` loads the external entities that a document declares.`
}

const saxEntities = (file: SourceFile, call: Call): string | null => {
  if (call.method !== "setFeature") return null
  const [feature = "", state = ""] = call.args.map((arg) => file.tree!.textOf(arg))
  if (!/feature_external_[gp]es$/.test(feature) || !/^(?:True|1)$/.test(state)) return null
  return `\`${call.callee}\` turns on \`${feature}\`: the parser loads the external entities that a document declares.`
}

const factories =
  /^(?:(?:javax\.xml\.parsers\.)?(?:DocumentBuilderFactory|SAXParserFactory)|(?:javax\.xml\.stream\.)?XMLInputFactory)\.(?:newInstance|newFactory|newDefaultInstance)$|^(?:org\.dom4j\.io\.)?SAXReader$|^(?:org\.jdom2?\.input\.)?SAXBuilder$/
const hardened =
  /disallow-doctype-decl|FEATURE_SECURE_PROCESSING|ExpandEntityReferences|external-general-entities|SUPPORT_DTD|supportDTD|IS_SUPPORTING_EXTERNAL_ENTITIES|isSupportingExternalEntities|ACCESS_EXTERNAL|setEntityResolver|setXMLResolver|XMLConstants\.FEATURE/
/** What reads with the parser of a factory; a document that is only created or printed is not read. */
const parsesWith: ReadonlyArray<readonly [RegExp, RegExp]> = [
  [/XMLInputFactory/, /\.createXML(?:Stream|Event)Reader\(\s*(?!\))/],
  [/dom4j/, /\.read\(\s*(?!\))/],
  [/jdom/, /\.build\(\s*(?!\))/],
  [/TransformerFactory/, /\.transform\(\s*(?!\)|new (?:[\w.]{1,60}\.)?DOMSource\()/],
  [/./, /\.parse\(\s*(?!\))/]
]

const readers = /^(?:org\.xml\.sax\.helpers\.)?XMLReaderFactory\.createXMLReader$/
/** Most transformers write documents; these classes read text. */
const transformers = /^(?:javax\.xml\.transform\.)?(?:sax\.SAX)?TransformerFactory\.(?:newInstance|newDefaultInstance)$/
const readsText = /\bnew (?:StreamSource|SAXSource)\(\s*(?!new (?:File|StringReader)\(|\w+\.class\b|getClass\(\)|\))/
const transforms = /\.transform\(\s*new (?:StreamSource|SAXSource)\(\s*(?!\w+\.class\b|getClass\(\))\w/

const isXmlFactory = ({ text }: SourceFile, call: Call, name: string): boolean => {
  if (call.isNew) return factories.test(name)
  if (transformers.test(name))
    return transforms.test(text) || (readsText.test(text) && /\.newTransformer\(\s*\)/.test(text))
  return factories.test(name) || readers.test(name)
}

const isReadWith = ({ text }: SourceFile, name: string): boolean =>
  parsesWith.find(([factory]) => factory.test(name))![1].test(text)

/** Java's parsers load external entities by default. */
const javaXml = (file: SourceFile, emit: Emit<RuleId>): void => {
  if (hardened.test(file.text) || !parsesWith.some(([, reads]) => reads.test(file.text))) return
  for (const call of calls(file)) {
    const factory = call.isNew ? (importedNames(file).get(call.callee)?.module ?? "") : qualifiedName(file, call)
    if (!isXmlFactory(file, call, factory) || !isReadWith(file, factory)) continue
    const name = call.callee.replace(/\.\w+$/, "")
    emit({
      ...at(file, call),
      noun: name,
      checks: [
        { looked_for: "a feature, property or resolver in this file that keeps external entities out", found: false }
      ],
      rule: "external_entities_by_default",
      message: `The parser that \`${name}\` creates loads external entities, since nothing here turns that off.`
    })
  }
}

const libxml: ReadonlyArray<readonly [RegExp, number]> = [
  [/^\\?simplexml_load_(?:string|file)$/, 2],
  [/(?:->|::)(?:loadXML|load|loadHTML|open|XML)$/, 1]
]

/** The function switched the loader off before, for what it parsed in between. */
const turnsBackOn = (file: SourceFile, call: Call): boolean => {
  const scope = enclosingFunction(file, call.node)
  const from = scope === null ? 0 : file.tree!.start(scope.node)
  return /\blibxml_disable_entity_loader\(\s*(?:true|1)?\s*\)/i.test(file.text.slice(from, file.tree!.start(call.node)))
}

/** `libxml_disable_entity_loader(false)`, `loadXML($x, LIBXML_NOENT)`. */
const phpXml = (file: SourceFile, emit: Emit<RuleId>): void => {
  for (const call of calls(file)) {
    const text = (index: number): string => file.tree!.textOf(call.args[index] ?? NONE)
    const rule = "external_entities"
    if (/^\\?libxml_disable_entity_loader$/.test(call.callee) && text(0).toLowerCase() === "false") {
      if (turnsBackOn(file, call)) continue
      emit({
        ...at(file, call),
        rule,
        message: "`libxml_disable_entity_loader(false)` lets documents load files and URLs."
      })
      continue
    }
    const flags = libxml.find(([callee]) => callee.test(call.callee))?.[1]
    if (flags === undefined || !/LIBXML_NOENT/.test(text(flags)) || literalValue(file, call.args[0] ?? NONE) !== null)
      continue
    emit({
      ...at(file, call),
      rule,
      message: `\`${call.callee}\` with \`LIBXML_NOENT\` inserts the content of files that a document names.`
    })
  }
}

/** `parseXml(text, { noent: true })`. */
const scriptXml = (file: SourceFile, emit: Emit<RuleId>): void => {
  for (const call of calls(file)) {
    if (!/^parseXml(?:String|Async)?$|^parseXML$/.test(call.method) || call.args.length < 2) continue
    const options = file.tree!.textOf(call.args[1]!)
    if (!/\bnoent\s*:\s*true\b/.test(options) || literalValue(file, call.args[0]!) !== null) continue
    emit({
      ...at(file, call),
      rule: "external_entities",
      message: `\`${call.callee}\` with \`noent: true\` inserts the content of files that a document names.`
    })
  }
}

/** `Nokogiri::XML(text) { |config| config.noent }`, `ParseOptions::NOENT`. */
const rubyXml = (file: SourceFile, emit: Emit<RuleId>): void => {
  if (!/\bNokogiri\b/.test(file.text)) return
  for (const match of file.text.matchAll(
    /\bParseOptions::(NOENT)\b|\b\w{1,40}\.(?:\w{1,20}\.){0,4}(noent)\b(?!\s*=)/g
  )) {
    const start = match.index
    if (file.lineText(file.line(start)).trimStart().startsWith("#")) continue
    const option = match[1] ?? match[2]!
    emit({
      rule: "external_entities",
      start,
      end: start + match[0].length,
      identifiers: [option],
      noun: match[0],
      message: `\`${match[0]}\` has Nokogiri insert the content of files that a document names.`
    })
  }
}

const resolvers =
  /\b(\w{1,60})\.XmlResolver\s*=\s*new\s+(?:System\.Xml\.)?XmlUrlResolver\b|\bnew\s+(XmlDocument|XmlReaderSettings|XmlTextReader)\b[^;{}]{0,200}\{[^;{}]{0,300}XmlResolver\s*=\s*new\s+(?:System\.Xml\.)?XmlUrlResolver\b/g

/** The class of a variable, as it is declared or created in the text. */
const classOf = (text: string, name: string): string =>
  new RegExp(`\\b(XmlDocument|XmlReaderSettings|XmlTextReader)\\s+${name}\\b|\\b${name}\\s*=\\s*new\\s+(\\w+)`)
    .exec(text)
    ?.slice(1)
    .find((found) => found !== undefined) ?? ""

/** `document.XmlResolver = new XmlUrlResolver()`: .NET loads no entities unless a resolver is set. */
const csharpXml = (file: SourceFile, emit: Emit<RuleId>): void => {
  const classes = new Map<string, string>()
  for (const match of file.text.matchAll(resolvers)) {
    const name = match[1] ?? ""
    if (match[1] !== undefined && !classes.has(name)) classes.set(name, classOf(file.text, name))
    const holder = match[2] ?? classes.get(name) ?? ""
    if (!/^Xml(?:Document|ReaderSettings|TextReader)$/.test(holder)) continue
    if (holder === "XmlReaderSettings" && !/DtdProcessing\.Parse\b/.test(file.text)) continue
    emit({
      rule: "external_entities",
      start: match.index,
      end: match.index + match[0].length,
      identifiers: ["XmlUrlResolver"],
      noun: holder,
      message: `The \`XmlUrlResolver\` of this \`${holder}\` loads the files and URLs that a document declares as entities.`
    })
  }
}

/** A static method of a class of another name sets a resolver of its own; Jackson's are methods of a mapper. */
const isHelper = /^(?:\w+\.)*[A-Z](?!\w*Mapper$)\w*[a-z]\w*$/

/** Types named by the data: Jackson's default typing. */
const jackson = (file: SourceFile, emit: Emit<RuleId>): void => {
  for (const call of calls(file)) {
    const isOld = call.method === "enableDefaultTyping" || call.method === "enableDefaultTypingAsProperty"
    const isLax =
      /^activateDefaultTyping(?:AsProperty)?$/.test(call.method) &&
      /LaissezFaireSubTypeValidator/.test(file.tree!.textOf(call.args[0] ?? NONE))
    if ((!isOld && !isLax) || isHelper.test(call.receiver ?? "")) continue
    emit({
      ...at(file, call),
      rule: "polymorphic_types",
      message: `\`${call.callee}\` lets the JSON choose the class that is created from all on the class path.`
    })
  }
}

const typeNames = /\bTypeNameHandling\s*=\s*(?:Newtonsoft\.Json\.)?TypeNameHandling\.(All|Auto|Objects|Arrays)\b/g
const formatters =
  /\bnew\s+(BinaryFormatter|NetDataContractSerializer|LosFormatter|SoapFormatter|ObjectStateFormatter)\s*\(/g

const csharp = (file: SourceFile, emit: Emit<RuleId>): void => {
  const { text } = file
  const isBound = /SerializationBinder|\bBinder\s*=/.test(text)
  for (const match of isBound ? [] : text.matchAll(typeNames)) {
    const value = `TypeNameHandling.${match[1]}`
    emit({
      rule: "polymorphic_types",
      start: match.index,
      end: match.index + match[0].length,
      identifiers: ["TypeNameHandling"],
      message: `With \`${value}\` the JSON chooses the class that is created from all that the program can load.`
    })
  }
  for (const match of isBound ? [] : text.matchAll(formatters)) {
    if (!/\.Deserialize\s*\(/.test(text)) return
    emit({
      rule: "polymorphic_types",
      start: match.index,
      end: match.index + match[0].length,
      identifiers: [match[1]!],
      message: `\`${match[1]}\` creates any object that the data names; it cannot read untrusted data safely.`
    })
  }
}

interface Check {
  readonly mentions: RegExp
  readonly check: (file: SourceFile, emit: Emit<RuleId>) => void
}

const checks: Readonly<Record<string, ReadonlyArray<Check>>> = {
  python: [
    { mentions: /\byaml\b/, check: yamlLoads },
    { mentions: /resolve_entities|no_network|feature_external/, check: pythonXml }
  ],
  java: [
    {
      mentions:
        /DocumentBuilderFactory|SAXParserFactory|XMLInputFactory|SAXReader|SAXBuilder|TransformerFactory|XMLReaderFactory/,
      check: javaXml
    },
    { mentions: /DefaultTyping/, check: jackson }
  ],
  php: [{ mentions: /libxml_disable_entity_loader|LIBXML_NOENT/, check: phpXml }],
  javascript: [{ mentions: /\bnoent\b/, check: scriptXml }],
  ruby: [{ mentions: /noent/i, check: rubyXml }],
  csharp: [
    { mentions: /XmlUrlResolver/, check: csharpXml },
    { mentions: /TypeNameHandling|Formatter|NetDataContractSerializer/, check: csharp }
  ]
}

/** Loaders and parsers that are unsafe by their configuration, whatever reaches them. */
export const unsafeLoaders = (file: SourceFile, emit: Emit<RuleId>): void => {
  for (const { mentions, check } of checks[ruleLanguageOf(file.language)] ?? [])
    if (mentions.test(file.text)) check(file, emit)
}
