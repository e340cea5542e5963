import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Emit, type Match, ruleLanguageOf } from "../../core/tool/AuditTool.ts"
import { qualifiedName } from "../../languages/code/qualifiedName.ts"
import { literalValue } from "../../languages/syntax/strings.ts"
import { type Call, calls, importedNames } from "../../languages/syntax/vocabulary.ts"
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

/** `yaml.load(text)` and `yaml.load(text, Loader=yaml.Loader)`. */
const yamlLoads = (file: SourceFile, emit: Emit<RuleId>): void => {
  for (const call of calls(file)) {
    const message = yamlLoad(file, call)
    if (message !== null) emit({ ...at(file, call), rule: "unsafe_yaml_load", message })
  }
}

const yamlLoad = (file: SourceFile, call: Call): string | null => {
  if (!/^(?:load|load_all|unsafe_load|unsafe_load_all)$/.test(call.method)) return null
  const name = qualifiedName(file, call)
  if (!/^yaml\.\w+$/.test(name) || !isPyYaml(file, call) || isOwn(file, call)) return null
  const loader = call.named.get("Loader") ?? call.args[1]
  const written = loader === undefined ? null : file.tree!.textOf(loader)
  const isUnsafe = name.includes("unsafe")
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
const parses = /\.(?:parse|read|build|createXMLStreamReader|createXMLEventReader)\(\s*(?!\))/

/** Java's parsers load external entities by default. */
const javaXml = (file: SourceFile, emit: Emit<RuleId>): void => {
  if (hardened.test(file.text) || !parses.test(file.text)) return
  for (const call of calls(file)) {
    if (!factories.test(call.isNew ? (importedNames(file).get(call.callee)?.module ?? "") : qualifiedName(file, call)))
      continue
    const name = call.callee.replace(/\.\w+$/, "")
    emit({
      ...at(file, call),
      rule: "external_entities_by_default",
      message: `The parser that \`${name}\` creates loads external entities, since nothing here turns that off.`
    })
  }
}

const libxml: ReadonlyArray<readonly [RegExp, number]> = [
  [/^\\?simplexml_load_(?:string|file)$/, 2],
  [/(?:->|::)(?:loadXML|load|loadHTML|open|XML)$/, 1]
]

/** `libxml_disable_entity_loader(false)`, `loadXML($x, LIBXML_NOENT)`. */
const phpXml = (file: SourceFile, emit: Emit<RuleId>): void => {
  for (const call of calls(file)) {
    const text = (index: number): string => file.tree!.textOf(call.args[index] ?? NONE)
    const rule = "external_entities"
    if (/^\\?libxml_disable_entity_loader$/.test(call.callee) && text(0).toLowerCase() === "false") {
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

/** Types named by the data: Jackson's default typing. */
const jackson = (file: SourceFile, emit: Emit<RuleId>): void => {
  for (const call of calls(file)) {
    const isOld = call.method === "enableDefaultTyping" || call.method === "enableDefaultTypingAsProperty"
    const isLax =
      /^activateDefaultTyping(?:AsProperty)?$/.test(call.method) &&
      /LaissezFaireSubTypeValidator/.test(file.tree!.textOf(call.args[0] ?? NONE))
    if (!isOld && !isLax) continue
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
    { mentions: /DocumentBuilderFactory|SAXParserFactory|XMLInputFactory|SAXReader|SAXBuilder/, check: javaXml },
    { mentions: /DefaultTyping/, check: jackson }
  ],
  php: [{ mentions: /libxml_disable_entity_loader|LIBXML_NOENT/, check: phpXml }],
  javascript: [{ mentions: /\bnoent\b/, check: scriptXml }],
  csharp: [{ mentions: /TypeNameHandling|Formatter|NetDataContractSerializer/, check: csharp }]
}

/** Loaders and parsers that are unsafe by their configuration, whatever reaches them. */
export const unsafeLoaders = (file: SourceFile, emit: Emit<RuleId>): void => {
  for (const { mentions, check } of checks[ruleLanguageOf(file.language)] ?? [])
    if (mentions.test(file.text)) check(file, emit)
}
