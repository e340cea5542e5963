import { filled, type WorstCase } from "../../support/worstCase.ts"

export const worstCases: ReadonlyArray<WorstCase> = [
  {
    rules: ["untrusted_object"],
    path: "src/a.py",
    text: (size) =>
      filled(size, "    pickle.loads(request.data)\n", ["import pickle\nfrom flask import request\ndef x():\n", ""])
  },
  {
    rules: ["unsafe_yaml_load"],
    path: "src/b.py",
    text: (size) => filled(size, "yaml.load(x, Loader=Loader)\n", ["import yaml\n", ""])
  },
  {
    rules: ["unsafe_yaml_load"],
    path: "src/d.py",
    text: (size) => filled(size, "    x = open(y)\n    yaml.load(x)\n", ["import yaml\ndef f(y):\n", ""])
  },
  { rules: ["unsafe_yaml_load"], path: "src/c.py", text: (size) => filled(size, "yaml.load(", ["import yaml\n", ""]) },
  {
    rules: ["external_entities_by_default"],
    path: "src/A.java",
    text: (size) =>
      filled(size, "DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(a);\n", [
        "import javax.xml.parsers.DocumentBuilderFactory;\nclass A { void a() {\n",
        "}}\n"
      ])
  },
  {
    rules: ["external_entities"],
    path: "src/a.php",
    text: (size) => filled(size, "$d->loadXML($x, LIBXML_NOENT);\n", ["<?php\n", ""])
  },
  {
    rules: ["polymorphic_types"],
    path: "src/A.cs",
    text: (size) => filled(size, "TypeNameHandling = TypeNameHandling ", ["class A { object a = ", "; }\n"])
  },
  {
    rules: ["polymorphic_types"],
    path: "src/B.cs",
    text: (size) => filled(size, "new BinaryFormatter();\n", ["class A { void a() {\n", "}}\n"])
  },
  {
    rules: ["exported_object"],
    path: "shelf/store.py",
    text: (size) => filled(size, "    pickle.loads(text)\n", ["import pickle\ndef load(text):\n", ""])
  }
]
