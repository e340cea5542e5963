import { ruleSet } from "../../core/tool/AuditTool.ts"

export const rules = ruleSet({
  untrusted_object: {
    languages: ["csharp", "java", "javascript", "php", "python", "ruby"],
    title: "Insecure deserialization",
    description:
      "An attacker runs code with the rights of this process. Untrusted input is deserialized from a format that names " +
      "the classes to create and the methods to run. Use a data format without classes (JSON) and validate it against a " +
      "schema; where the format cannot change, verify a signature before loading and restrict the classes " +
      "(`allowed_classes`, `ObjectInputFilter`).",
    example: {
      path: "app/basket.py",
      bad: `import base64
import pickle
from flask import Flask, request

app = Flask(__name__)


@app.route("/basket")
def basket():
    return render(pickle.loads(base64.b64decode(request.cookies["basket"])))
`,
      good: `import base64
import json
from flask import Flask, request

app = Flask(__name__)


@app.route("/basket")
def basket():
    return render(json.loads(base64.b64decode(request.cookies["basket"])))
`
    },
    cwe: [502],
    confidence: 0.9,
    effort: "medium",
    risk: "medium"
  },
  unsafe_yaml_load: {
    languages: ["java", "javascript", "python", "ruby"],
    title: "Insecure deserialization: unsafe YAML loader",
    description:
      "A tag in the document (`!!python/object/apply:os.system`, `!!javax.script.ScriptEngineManager`) runs code. The " +
      "YAML loader used here creates any object that the document names. Use the loader for plain data: " +
      "`yaml.safe_load`, `new Yaml(new SafeConstructor(options))`, the default schema of js-yaml.",
    example: {
      path: "app/settings.py",
      bad: `import yaml


def read_settings(stream):
    return yaml.load(stream, Loader=yaml.Loader)
`,
      good: `import yaml


def read_settings(stream):
    return yaml.safe_load(stream)
`
    },
    cwe: [502],
    confidence: 0.8,
    effort: "small",
    risk: "low",
    priority: "P1"
  },
  external_entities: {
    languages: ["csharp", "javascript", "php", "python", "ruby"],
    title: "XML external entity (XXE) injection",
    description:
      "An attacker reads local files and reaches internal servers with a document that declares them as entities. The " +
      "XML parser is configured to load external entities. Turn that off where the parser is created: " +
      "`resolve_entities=False` or defusedxml in Python, no `LIBXML_NOENT` in PHP, no `noent` in " +
      "libxmljs and Nokogiri, `XmlResolver = null` in .NET.",
    example: {
      path: "app/feeds.py",
      bad: `from lxml import etree


def read_feed(text):
    return etree.fromstring(text, etree.XMLParser(resolve_entities=True))
`,
      good: `from lxml import etree


def read_feed(text):
    return etree.fromstring(text, etree.XMLParser(resolve_entities=False))
`
    },
    cwe: [611],
    confidence: 0.75,
    effort: "small",
    risk: "low",
    priority: "P1"
  },
  external_entities_by_default: {
    languages: ["java"],
    title: "XML external entity (XXE) injection: parser with default settings",
    description:
      "An attacker who can submit documents reads local files and reaches internal servers. Java's XML parsers load " +
      "external entities by default, and nothing here turns that off. Set `disallow-doctype-decl`, or `SUPPORT_DTD` to " +
      "false, where the parser is created.",
    example: {
      path: "src/Feeds.java",
      bad: `import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;

class Feeds {
    Document read(java.io.InputStream stream) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        return factory.newDocumentBuilder().parse(stream);
    }
}
`,
      good: `import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;

class Feeds {
    Document read(java.io.InputStream stream) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        return factory.newDocumentBuilder().parse(stream);
    }
}
`
    },
    cwe: [611],
    // The origin of the documents is not known here.
    confidence: 0.65,
    effort: "small",
    risk: "low",
    priority: "P1"
  },
  polymorphic_types: {
    languages: ["csharp", "java"],
    title: "Insecure deserialization: type names taken from the data",
    description:
      "An attacker creates any class that the program can load, and some classes run commands when they are created. " +
      "The deserializer is configured to read type names from the data. Turn that off (`TypeNameHandling.None`, no " +
      "default typing), name the few subtypes that are expected (`@JsonSubTypes`, a `PolymorphicTypeValidator`, a " +
      "serialization binder), and do not use BinaryFormatter.",
    example: {
      path: "src/Messages.cs",
      bad: `using Newtonsoft.Json;

class Messages
{
    static readonly JsonSerializerSettings Settings = new() { TypeNameHandling = TypeNameHandling.All };

    static Message Read(string text) => JsonConvert.DeserializeObject<Message>(text, Settings);
}
`,
      good: `using Newtonsoft.Json;

class Messages
{
    static readonly JsonSerializerSettings Settings = new() { TypeNameHandling = TypeNameHandling.None };

    static Message Read(string text) => JsonConvert.DeserializeObject<Message>(text, Settings);
}
`
    },
    cwe: [502],
    confidence: 0.75,
    effort: "medium",
    risk: "medium",
    priority: "P1"
  },
  exported_object: {
    languages: ["python"],
    title: "Insecure deserialization: library function loads its parameter",
    description:
      "Anyone whose data reaches this function through a program that uses the library runs code there. A function that " +
      "the library exports deserializes its parameter from a format that names the classes to create. Use a data format " +
      "without classes (JSON), or verify a signature before loading.",
    example: {
      path: "shelf/store.py",
      bad: `import pickle


def load(text):
    return pickle.loads(text)
`,
      good: `import json


def load(text):
    return json.loads(text)
`,
      besides: { "pyproject.toml": '[project]\nname = "shelf"\n' }
    },
    cwe: [502],
    confidence: 0.6,
    effort: "medium",
    risk: "medium",
    priority: "P2"
  }
})

export type RuleId = keyof typeof rules
