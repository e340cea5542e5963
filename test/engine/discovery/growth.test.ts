import { assert, it } from "vitest"
import { SourceFile } from "../../../src/engine/core/files/SourceFile.ts"
import { stepsOf } from "../../../src/engine/discovery/commands/documentSections.ts"
import { makefilePrograms } from "../../../src/engine/discovery/commands/programs/makefilePrograms.ts"
import { titleWords } from "../../../src/engine/discovery/commands/programs/titleWords.ts"
import { shellIn } from "../../../src/engine/discovery/commands/shellIn.ts"
import { partsOf } from "../../../src/engine/discovery/commands/words.ts"
import { draftOf } from "../../../src/engine/discovery/compose.ts"
import { describedCommands } from "../../../src/engine/discovery/documented/commands.ts"
import { describedFolders } from "../../../src/engine/discovery/documented/folders.ts"
import { testParagraphs } from "../../../src/engine/discovery/documented/paragraphs.ts"
import { describedSettings } from "../../../src/engine/discovery/documented/settings.ts"
import { withInterfaces } from "../../../src/engine/discovery/domain/interfaces.ts"
import { TypeHierarchy } from "../../../src/engine/discovery/domain/TypeHierarchy.ts"
import { ObservedFiles } from "../../../src/engine/discovery/Observed.ts"
import { listedCommands } from "../../../src/engine/discovery/observers/commands/listedCommands.ts"
import { textRoutes } from "../../../src/engine/discovery/observers/routes/textRoutes.ts"
import { listedStates } from "../../../src/engine/discovery/observers/states/listedStates.ts"
import { statesOf } from "../../../src/engine/discovery/observers/states/states.ts"
import { storesOf } from "../../../src/engine/discovery/observers/stores.ts"
import { namesUsed } from "../../../src/engine/discovery/observers/types.ts"
import { implementedFamilies } from "../../../src/engine/discovery/recipes/implementedFamilies.ts"
import { loadedFamilies } from "../../../src/engine/discovery/recipes/loadedFamilies.ts"
import { placedFiles } from "../../../src/engine/discovery/recipes/placedFiles.ts"
import { registeredFamilies } from "../../../src/engine/discovery/recipes/registeredFamilies.ts"
import { type Commit, Survey } from "../../../src/engine/discovery/Survey.ts"
import { inForm } from "../../support/forms.ts"

const SIZE = inForm({ short: 12_000, long: 24_000 })
/** Linear is 4, quadratic 16. */
const MAX_GROWTH = 9
const TRIES = 4
const FILES_PER_FOLDER = 12
const MAX_COMMITS = 3_000

const roles = ["Handler", "Store", "Client", "View"]

/** As many folders, groups, names, manifests, routes and tests as files allow: each of them grows with their number. */
const surveyOf = (size: number): Survey => {
  const observed = new ObservedFiles()
  const paths: Array<string> = []
  const add = (path: string, json: object) => {
    const role = /\.test\.ts$/.test(path) ? "test" : "source"
    paths.push(path)
    observed.add({ path, language: "typescript", role, lines: 20, bytes: 400 }, JSON.stringify(json))
  }
  for (let i = 0; i < size; i += 2) {
    const part = Math.floor(i / FILES_PER_FOLDER)
    const folder = `packages/part${part}/src`
    const suffix = `${roles[i % roles.length]}${String.fromCharCode(97 + (part % 26))}x`
    const siblings = Array.from({ length: 5 }, (_, k) => ({
      module: `./file${part * FILES_PER_FOLDER + 2 * k}${suffix}`,
      names: [`make${k}`],
      line: k + 1
    }))
    add(`${folder}/file${i}${suffix}.ts`, {
      definitions: [
        { name: `Make${i}`, kind: "type", line: 3, end: 9, exported: true, bases: [`Base${part}`], doc: "A thing." }
      ],
      imports: [...siblings, { module: `package-${part}/deep`, names: ["open"], line: 6 }],
      calls: [
        ["open", 1, 8],
        [`unique${i}`, 1, 9]
      ],
      sites: [{ kind: "error", shape: `\`Error${i % 50}\``, line: 4, end: 4 + (i % 40), symbol: `make${i}` }],
      routes: [
        { framework: "express", method: "POST", path: `/${i}`, handler: null, guards: ["guard"], line: 5, end: 6 }
      ],
      style: { typed: [1, 2] }
    })
    add(`${folder}/file${i}${suffix}.test.ts`, { calls: [["it", 2, 4]], definitions: [] })
    if (i % FILES_PER_FOLDER === 0) {
      paths.push(`packages/part${part}/package.json`)
      const manifest = { name: `part${part}`, dependencies: { [`package-${part}`]: "1.0.0", express: "4.0.0" } }
      observed.add(
        { path: `packages/part${part}/package.json`, language: "json", role: "source", lines: 1, bytes: 90 },
        JSON.stringify({ text: JSON.stringify(manifest) })
      )
    }
  }
  return new Survey(observed.inOrder, paths, commitsOf(paths))
}

const commitsOf = (paths: ReadonlyArray<string>): ReadonlyArray<Commit> =>
  Array.from({ length: Math.min(MAX_COMMITS, Math.floor(paths.length / 20)) }, (_, i) => ({
    id: i.toString(16).padStart(40, "0"),
    subject: `Change ${i}`,
    at: 1_700_000_000 - i,
    author: "a@example.com",
    changes: paths.slice(20 * i, 20 * i + 2).map((path) => ({ status: "A", path }))
  }))

const cpuMs = (run: () => void): number => {
  const started = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1000
}

/** A run that takes less is as long as a collection of garbage, so that its growth says nothing. */
const LEAST_MS = 5

/** How much more a run costs with four times the input; the least of several times is nearest to what the code itself needs. */
const assertGrowsLinearly = (given: (size: number) => () => void, size: number): void => {
  const [times, smaller]: [Array<number>, Array<number>] = [[], []]
  const growth = () => Math.min(...times) / Math.max(LEAST_MS, Math.min(...smaller))
  for (let attempt = 0; attempt < TRIES && (attempt === 0 || growth() >= MAX_GROWTH); attempt++) {
    times.push(cpuMs(given(size)))
    smaller.push(cpuMs(given(size / 4)))
  }
  assert.isBelow(growth(), MAX_GROWTH, `${Math.min(...times)} ms, a quarter of it ${Math.min(...smaller)} ms`)
}

it("a draft takes linear time in files, folders, groups, manifests and commits", { timeout: 600_000 }, () => {
  assertGrowsLinearly((size) => {
    const survey = surveyOf(size)
    return () => {
      const draft = draftOf(survey)
      assert.isNotEmpty(draft.rules)
      assert.isNotEmpty(draft.skills)
    }
  }, SIZE)
})

it.each([
  ["spans of code in one sentence", "run `kettle` "],
  ["tags of HTML that do not end", "<pre "],
  ["parentheses that do not end", "$ make (if (a "]
])("commands of a document take linear time in the length of a line of %s", { timeout: 600_000 }, (_, unit) => {
  assertGrowsLinearly((size) => {
    const text = `${unit.repeat(size / unit.length)}.\n`
    return () => void shellIn(text)
  }, 10 * SIZE)
})

it.each(["a.py", "a.js", "a.c", "a.rb", "a.proto", "a.sql"])(
  "what is noticed in a file of empty lines takes linear time: %s",
  { timeout: 600_000 },
  (path) => {
    assertGrowsLinearly((size) => {
      const text = "\n".repeat(size)
      return () => {
        const file = new SourceFile({ path, text })
        for (const observer of [namesUsed, textRoutes, listedCommands]) observer(file)
        // Those that are parsed have it from the parser.
        if (/\.(?:proto|sql)$/.test(path)) statesOf(file, [], [])
      }
    }, 4 * SIZE)
  }
)

it.each([
  ["writes on one line", "a.pas", "rewrite ("],
  ["comments and writes", "a.pas", "{ } rewrite (F);\n"],
  ["tables that a command picks a row of", "a.py", "work = {\n work[command]\n"],
  ["spaces on one line", "a.vala", " "],
  ["types before no table", "a.c", "static const "],
  ["calls that make commands known", "a.c", 'b.AddCommand(a, "b", c); '],
  ["calls without a name of a command", "a.c", "NewCommand(a, "]
])("%s are noticed in linear time", { timeout: 600_000 }, (_, path, unit) => {
  assertGrowsLinearly((size) => {
    const text = unit.repeat(size / unit.length)
    return () => {
      const file = new SourceFile({ path, text })
      for (const observer of [storesOf, listedCommands]) observer(file)
    }
  }, 10 * SIZE)
})

it.each([
  ["a.go", "const (\n"],
  ["a.go", "\tstatusA = iota\n"],
  ["a.py", '"--status" '],
  ["a.py", "STATUSES = ["],
  ["a.java", "class State { /* "],
  ["a.c", "enum { STATE_A, "],
  ["a.rs", "const STATES: "]
])("states are looked for in linear time: %s, %s", { timeout: 600_000 }, (path, unit) => {
  assertGrowsLinearly((size) => {
    const text = unit.repeat(size / unit.length)
    return () => void listedStates(new SourceFile({ path, text }))
  }, 10 * SIZE)
})

it("the steps of a list take linear time in its items, all of which are numbered one", { timeout: 600_000 }, () => {
  assertGrowsLinearly((size) => {
    const lines = Array.from({ length: size }, () => "1. Warm the kettle first.")
    return () => assert.lengthOf(stepsOf(lines, 0, size), size)
  }, SIZE)
})

/** A type in each file, with those that it derives from; one in twelve files lies in another folder. */
const typesOf = (size: number, basesOf: (i: number) => ReadonlyArray<string>): Survey => {
  const observed = new ObservedFiles()
  const paths = Array.from({ length: size }, (_, i) => `src/part${Math.floor(i / FILES_PER_FOLDER)}/Type${i}.java`)
  for (const [i, path] of paths.entries()) {
    const definition = { name: `Type${i}`, kind: "type", line: 1, end: 9, exported: true, bases: basesOf(i), doc: null }
    observed.add(
      { path, language: "java", role: "source", lines: 9, bytes: 90 },
      JSON.stringify({ definitions: [definition], names: `Type${i} Type${i + 1}` })
    )
  }
  return new Survey(observed.inOrder, paths, [])
}

const all = (size: number): ReadonlyArray<string> => Array.from({ length: size }, (_, i) => `Type${i}`)

it.each([
  ["all of which derive from one", () => (i: number) => (i === 0 ? [] : ["Type0"])],
  ["each of which derives from the one before it", () => (i: number) => (i === 0 ? [] : [`Type${i - 1}`])],
  [
    "one of which joins half of them and has the other half derive from it",
    (size: number) => (i: number) => (2 * i === size ? all(size / 2) : 2 * i < size ? [] : [`Type${size / 2}`])
  ]
])("families of types and what they implement take linear time in types, %s", { timeout: 600_000 }, (_, bases) => {
  assertGrowsLinearly((size) => {
    const survey = typesOf(size, bases(size))
    const fields = all(size).map((name) => `${name}s`)
    const nouns = ["Type1", `Type${size - 1}`].map((name) => {
      const file = survey.source.find(({ path }) => path.endsWith(`/${name}.java`))!
      const what = { name, as: "class", line: 1, fields, relations: [] }
      const noun = { name, declarations: [{ what, file }], doc: null, uses: 2, states: [] }
      return { key: name.toLowerCase(), noun, kind: 2, rank: 2, isStated: true, isCentral: false }
    })
    return () => {
      const hierarchy = new TypeHierarchy(survey.source)
      implementedFamilies(survey.source, hierarchy)
      assert.isNotEmpty(withInterfaces(survey, hierarchy, nouns))
    }
  }, 2 * SIZE)
})

it("modules that make themselves known, or that a file loads, take linear time in modules", {
  timeout: 600_000
}, () => {
  assertGrowsLinearly((size) => {
    const observed = new ObservedFiles()
    const paths = Array.from({ length: size }, (_, i) => `parts${Math.floor(i / FILES_PER_FOLDER)}/sidings/part${i}.py`)
    for (const [i, path] of paths.entries()) {
      const symbol = `parts${Math.floor(i / FILES_PER_FOLDER)}/sidings`
      const json = {
        definitions:
          i === 0 ? [{ name: "register_siding", kind: "function", line: 3, end: 4, bases: [], doc: null }] : [],
        calls: [["register_siding", 1, 9]],
        sites: [{ kind: "loaded_folder", shape: "", line: 6, end: 6, symbol }]
      }
      observed.add({ path, language: "python", role: "source", lines: 9, bytes: 90 }, JSON.stringify(json))
    }
    const survey = new Survey(observed.inOrder, paths, [])
    return () => {
      assert.isNotEmpty(registeredFamilies(survey.source))
      assert.isNotEmpty(loadedFamilies(survey, survey.source))
    }
  }, SIZE)
})

const documentOf = (path: string, text: string): Survey => {
  const observed = new ObservedFiles()
  observed.add({ path, language: "text", role: "source", lines: 1, bytes: text.length }, JSON.stringify({ text }))
  return new Survey(observed.inOrder, [path], [])
}

const drawing = (text: string): string => `\`\`\`\n${text}\n\`\`\`\n`
const table = (text: string): string => `| Name | Default |\n|---|---|\n${text}\n`

it.each([
  ["a title of brackets", "[", (text: string) => void titleWords(documentOf("README.md", text))],
  [
    "names and marks of a drawing",
    "src/a.b-c│ ",
    (text: string) => void describedFolders(documentOf("README.md", drawing(text)))
  ],
  ["one name of a drawing", "a", (text: string) => void describedFolders(documentOf("README.md", drawing(text)))],
  [
    "cells and spans of a table",
    "| `A` ",
    (text: string) => void describedSettings(documentOf("README.md", table(text)))
  ],
  [
    "paragraphs of a document",
    "Tests need it.\n\n",
    (text: string) => void testParagraphs(documentOf("CONTRIBUTING.md", text))
  ],
  [
    "commands with remarks",
    "python3 -m a # it runs a\n",
    (text: string) => void describedCommands(documentOf("README.md", drawing(text)))
  ],
  [
    "sentences that say where a file is placed",
    'A b is a file placed in "c". ',
    (text: string) => void placedFiles(documentOf("README.md", text))
  ],
  ["quotes that do not end", "'a;", (text: string) => void partsOf(text)],
  [
    "options of one line of a Makefile",
    "-m ",
    (text: string) => void makefilePrograms(documentOf("Makefile", `\tinstall ${text}`))
  ],
  [
    "lines of a Makefile",
    "all: a b\n\tcc -o a\n",
    (text: string) => void makefilePrograms(documentOf("Makefile", text))
  ]
])("programs are found in linear time in the length of %s", { timeout: 600_000 }, (_, unit, run) => {
  assertGrowsLinearly((size) => {
    const text = unit.repeat(size / unit.length)
    return () => run(text)
  }, 10 * SIZE)
})
