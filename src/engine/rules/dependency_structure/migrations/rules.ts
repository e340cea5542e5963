import { ruleSet } from "../../../core/tool/AuditTool.ts"

const requests = Object.fromEntries(
  ["orders", "stock"].map((name) => [
    `src/${name}.js`,
    `import axios from "axios"\n\nexport const load = () => axios.get("https://api.example.com/${name}")\n`
  ])
)

const modules = Object.fromEntries(
  ["a", "b", "c", "d", "e"].map((name) => [`src/${name}.js`, `export const ${name} = 1\n`])
)

const tests = Object.fromEntries(
  ["a", "b", "c"].map((name) => [
    `tests/test_${name}.py`,
    `import pytest\n\n\ndef test_${name}():\n    assert pytest.approx(1) == 1\n`
  ])
)

/** Suggestions: one for each migration that a repository has begun and not finished. */
export const migrationRules = ruleSet({
  library_migration: {
    languages: ["go", "java", "javascript", "python"],
    kind: "suggestion",
    title: "Pending migration: superseded library beside its replacement",
    description:
      "Readers must know two libraries for one task, and updates are due for both. The repository uses a library beside " +
      "the one that replaces it: the old one is deprecated, or most files have moved already. Replace the remaining " +
      "uses, then remove the dependency.",
    example: {
      path: "src/prices.js",
      besides: { "package.json": '{ "dependencies": { "axios": "1.7.0", "request": "2.88.0" } }\n', ...requests },
      bad: 'import request from "request"\n\nexport const load = (done) => request("https://api.example.com/prices", done)\n',
      good: 'import axios from "axios"\n\nexport const load = () => axios.get("https://api.example.com/prices")\n'
    },
    cwe: [1104],
    confidence: 0.85,
    effort: "medium",
    risk: "medium",
    priority: "P3",
    category: "maintainability",
    inTests: "report"
  },
  api_migration: {
    languages: ["go", "java", "javascript", "python"],
    kind: "suggestion",
    title: "Pending migration: deprecated API beside its successor",
    description:
      "The next major version of the platform or library may break this code. It calls a deprecated function, or an older " +
      "form of one, while the repository calls its successor already. Replace the remaining calls.",
    example: {
      path: "src/digest.js",
      besides: { "src/text.js": 'export const bytes = (text) => Buffer.from(text, "utf8")\n' },
      bad: 'export const bytesOf = (text) => new Buffer(text, "hex")\n',
      good: 'export const bytesOf = (text) => Buffer.from(text, "hex")\n'
    },
    cwe: [477],
    confidence: 0.85,
    effort: "small",
    risk: "low",
    priority: "P3",
    category: "maintainability",
    inTests: "report"
  },
  module_system_migration: {
    languages: ["javascript"],
    kind: "suggestion",
    title: "Pending migration: CommonJS beside ES modules",
    description:
      "Files of one package load each other in two ways: names are checked less, and bundlers keep code that nothing uses. " +
      "Nearly all of the package is written as ES modules and a few files still use require and module.exports. Write " +
      "them with import and export.",
    example: {
      path: "src/old.js",
      besides: { "package.json": '{ "name": "shop" }\n', ...modules },
      bad: "module.exports = { old: 1 }\n",
      good: "export const old = 1\n"
    },
    cwe: [],
    confidence: 0.75,
    effort: "small",
    risk: "low",
    priority: "P3",
    category: "maintainability",
    inTests: "report"
  },
  test_framework_migration: {
    languages: ["java", "javascript", "python"],
    kind: "suggestion",
    title: "Pending migration: two test frameworks side by side",
    description:
      "Those who write tests must know two frameworks, and set-up code exists twice. Most test files use one framework and " +
      "the rest still use another. Rewrite the remaining tests, then remove the old dependency.",
    example: {
      path: "tests/test_old.py",
      besides: tests,
      bad: "import unittest\n\n\nclass OldTest(unittest.TestCase):\n    def test_old(self):\n        self.assertEqual(1, 1)\n",
      good: "import pytest\n\n\ndef test_old():\n    assert pytest.approx(1) == 1\n"
    },
    cwe: [],
    confidence: 0.75,
    effort: "medium",
    risk: "low",
    priority: "P3",
    category: "maintainability",
    inTests: "report"
  }
})
