import type { RuleLanguage } from "../../core/tool/AuditTool.ts"
import { rubyObjects } from "../languages/rubyMoreSinks.ts"
import { RECEIVER, type SinkRule } from "../TaintLanguage.ts"
import { OBJECT, XML } from "../values/Value.ts"

const label = "a loader of objects"
export const YAML = "a YAML loader that makes any object"
export const DOCUMENT = "an XML parser that resolves entities"

const javascript: ReadonlyArray<SinkRule> = [
  {
    kind: OBJECT,
    label,
    path: /^(?:node-serialize|serialize-to-js|funcster|cryo)(?:\.default)?\.(?:unserialize|deserialize|deepDeserialize|parse)$/,
    args: [0]
  },
  { kind: OBJECT, label, path: /^v8\.deserialize$/, args: [0] },
  {
    kind: OBJECT,
    label: YAML,
    path: /^(?:js-yaml|yaml)(?:\.default)?\.(?:load|loadAll)$/,
    args: [0],
    when: ({ argument }) => /DEFAULT_FULL_SCHEMA|js-yaml-js-types|jsTypes/.test(argument(1) + argument(2))
  },
  {
    kind: XML,
    label: DOCUMENT,
    path: /^(?:libxmljs2?|libxmljs-mt)(?:\.default)?\.(?:parseXml|parseXmlString|parseXmlAsync)$/,
    args: [0],
    when: ({ option }) => option("noent") === "true"
  }
]

const python: ReadonlyArray<SinkRule> = [
  {
    kind: OBJECT,
    label,
    path: /^(?:c?[pP]ickle|_pickle|dill|cloudpickle|joblib|pickle5|marshal|jsonpickle|django\.core\.signing)\.(?:loads?|decode|Unpickler|unpickle)$|^(?:shelve\.open|pandas\.read_pickle|torch\.load)$/,
    args: [0]
  },
  {
    kind: OBJECT,
    label: YAML,
    path: /^yaml\.(?:load|load_all|unsafe_load|unsafe_load_all|full_load)$/,
    args: [0],
    when: ({ callee, option, argument, count }) =>
      /unsafe/.test(callee) ||
      (/\.?load(?:_all)?$/.test(callee) &&
        !/full_load$/.test(callee) &&
        !/Safe|Base|Full/.test(`${option("Loader") ?? ""}${count > 1 ? argument(1) : ""}`))
  },
  {
    kind: XML,
    label: DOCUMENT,
    path: /^lxml\.(?:etree|objectify)\.(?:parse|fromstring|XML|iterparse)$/,
    args: [0],
    when: ({ count, option }) => count < 2 && option("parser") === null && option("resolve_entities") !== "False"
  }
]

const java: ReadonlyArray<SinkRule> = [
  { kind: OBJECT, label, path: /^(?:java\.io\.)?ObjectInputStream$/, args: [0] },
  {
    kind: OBJECT,
    label,
    path: /(?:^|\.)(?:XStream|Kryo|Hessian2?Input|XMLDecoder)(?:\(\))?(?:\.(?:fromXML|readObject|readClassAndObject))?$|SerializationUtils\.deserialize$/,
    args: [0, RECEIVER]
  },
  {
    kind: OBJECT,
    label: YAML,
    path: /^(?:org\.yaml\.snakeyaml\.)?Yaml(?:\(\))?\.(?:load|loadAll|loadAs)$/,
    args: [0]
  }
]

const php: ReadonlyArray<SinkRule> = [
  {
    kind: OBJECT,
    label,
    path: /^\\?(?:unserialize|maybe_unserialize|igbinary_unserialize)$/,
    args: [0],
    when: ({ option, argument }) => option("allowed_classes") === null && !/allowed_classes/.test(argument(1))
  },
  { kind: OBJECT, label: YAML, path: /^\\?yaml_parse$/, args: [0] },
  {
    kind: XML,
    label: DOCUMENT,
    path: /^\\?simplexml_load_(?:string|file)$/,
    args: [0],
    when: ({ argument }) => /LIBXML_(?:NOENT|DTDLOAD)/.test(argument(2))
  },
  {
    kind: XML,
    label: DOCUMENT,
    path: /^\\?(?:DOMDocument(?:\(\))?|\?)\.(?:loadXML|load)$/,
    args: [0],
    when: ({ argument }) => /LIBXML_(?:NOENT|DTDLOAD)/.test(argument(1))
  }
]

const go: ReadonlyArray<SinkRule> = []

export const objectSinks: Partial<Record<RuleLanguage, ReadonlyArray<SinkRule>>> = {
  javascript,
  python,
  go,
  java,
  php,
  ruby: rubyObjects
}

export const objectCalls: Partial<Record<RuleLanguage, string>> = {
  javascript: "\\b(?:unserialize|deserialize|deepDeserialize|parseXml\\w*)\\(|DEFAULT_FULL_SCHEMA",
  python:
    "\\b(?:pickle|cPickle|dill|cloudpickle|joblib|marshal|jsonpickle|yaml|etree|objectify)\\.(?:loads?|decode|load_all|unsafe_load\\w*|Unpickler|fromstring|parse|XML|iterparse)\\(|\\bread_pickle\\(|\\btorch\\.load\\(",
  java: "\\bObjectInputStream\\(|\\b(?:fromXML|readObject|loadAs|loadAll|XMLDecoder)\\b|\\bYaml\\(|\\bDocumentBuilder|\\bSAX\\w+|\\bXMLInputFactory",
  php: "\\b(?:unserialize|maybe_unserialize|yaml_parse)\\s*\\(|LIBXML_(?:NOENT|DTDLOAD)"
}
