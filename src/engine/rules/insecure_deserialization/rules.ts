import { ruleSet } from "../../core/tool/AuditTool.ts"

export const rules = ruleSet({
  untrusted_object: {
    languages: ["java", "javascript", "php", "python", "ruby"],
    title: "Untrusted input is turned into objects of its own choice",
    description:
      "Formats that carry objects say which classes to make and which of their methods to run, so input in such a " +
      "format runs code. Take data in a format without classes (JSON) and check it against a schema; where the format " +
      "cannot change, verify a signature before loading and restrict the classes (`allowed_classes`, " +
      "`ObjectInputFilter`).",
    cwe: [502],
    confidence: 0.9,
    effort: "medium",
    risk: "medium"
  },
  unsafe_yaml_load: {
    languages: ["java", "javascript", "python", "ruby"],
    title: "YAML is loaded with a loader that makes any object",
    description:
      "A tag in the text (`!!python/object/apply:os.system`, `!!javax.script.ScriptEngineManager`) makes the loader " +
      "run code. Use the loader for plain data: `yaml.safe_load`, `new Yaml(new SafeConstructor(options))`, the default " +
      "schema of js-yaml.",
    cwe: [502],
    confidence: 0.8,
    effort: "small",
    risk: "low",
    priority: "P1"
  },
  external_entities: {
    languages: ["java", "javascript", "php", "python"],
    title: "XML parser loads external entities",
    description:
      "A document can name files and addresses as entities, and the parser puts their contents into it: local files " +
      "are read and internal servers are asked. Turn it off where the parser is made: `disallow-doctype-decl` or " +
      "`SUPPORT_DTD` in Java, `resolve_entities=False` or defusedxml in Python, no `LIBXML_NOENT` in PHP, no `noent` in " +
      "libxmljs.",
    cwe: [611],
    confidence: 0.75,
    effort: "small",
    risk: "low",
    priority: "P1"
  },
  polymorphic_types: {
    languages: ["csharp", "java"],
    title: "Data decides which classes are made from it",
    description:
      "With type names taken from the data, any class the program can load may be made, and some of them run commands " +
      "while they are. Turn it off (`TypeNameHandling.None`, no default typing), name the few subtypes that are meant " +
      "(`@JsonSubTypes`, a `PolymorphicTypeValidator`, a serialization binder), and do not use BinaryFormatter.",
    cwe: [502],
    confidence: 0.75,
    effort: "medium",
    risk: "medium",
    priority: "P1"
  }
})

export type RuleId = keyof typeof rules
