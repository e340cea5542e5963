import { assert, describe, it } from "vitest"
import { ordered, type Purpose } from "../../../../src/engine/discovery/commands/Command.ts"
import { releaseSteps } from "../../../../src/engine/discovery/commands/releases.ts"
import { commandsOf } from "../../../../src/engine/discovery/commands.ts"
import type { Observed } from "../../../../src/engine/discovery/Observed.ts"
import { surveyOf } from "../../../support/survey.ts"

type Texts = Readonly<Record<string, string>>
type Facts = Readonly<Record<string, Partial<Observed>>>

/** In the order of the guide, with the folder they are run in. */
const commandsIn = (texts: Texts, observed: Facts = {}, purpose: Purpose = "run") =>
  ordered(commandsOf(surveyOf(texts, observed)), purpose).map(({ command, folder }) =>
    folder === "" ? command : `${command} in ${folder}`
  )

const readme = "# Kettle\n\nBoils water.\n"
const main = { isEntryPoint: 1 }
const crate = '[package]\nname = "kettle"\nversion = "0.1.0"\n'

describe("Programs of Cargo", () => {
  it("the main program is named where the crate has others, and not where it is the only one", () => {
    const texts = { "Cargo.toml": crate, "README.md": readme }
    assert.deepStrictEqual(commandsIn(texts, { "src/main.rs": main }), ["cargo run"])
    assert.deepStrictEqual(commandsIn(texts, { "src/main.rs": main, "src/bin/probe.rs": main }), [
      "cargo run --bin kettle"
    ])
    const preferring = { ...texts, "Cargo.toml": `${crate}default-run = "kettle"\n` }
    assert.deepStrictEqual(commandsIn(preferring, { "src/main.rs": main, "src/bin/probe.rs": main }), ["cargo run"])
  })

  it("a program that the manifest lists, or one below `src/bin`, is started; of several the one with the crate's name", () => {
    const listed = { "Cargo.toml": `${crate}\n[[bin]]\nname = "kettle"\npath = "app/main.rs"\n`, "README.md": readme }
    assert.deepStrictEqual(commandsIn(listed, { "src/lib.rs": {}, "app/main.rs": main }), ["cargo run"])
    const texts = { "Cargo.toml": crate, "README.md": readme }
    assert.deepStrictEqual(commandsIn(texts, { "src/bin/kettle.rs": main, "src/bin/probe.rs": main }), [
      "cargo run --bin kettle"
    ])
    assert.deepStrictEqual(commandsIn(texts, { "src/bin/probe.rs": main, "src/bin/stove.rs": main }), [])
    assert.deepStrictEqual(commandsIn(texts, { "src/lib.rs": {}, "examples/tea.rs": main }), [])
  })

  it("tasks of a workspace for those who work on it are no start", () => {
    const texts = {
      "Cargo.toml": '[workspace]\nmembers = ["xtask", "crates/*"]\n',
      "xtask/Cargo.toml": '[package]\nname = "xtask"\n',
      "crates/cli/Cargo.toml": crate
    }
    const facts = { "xtask/src/main.rs": main, "crates/cli/src/main.rs": main }
    assert.deepStrictEqual(commandsIn(texts, facts), ["cargo run in crates/cli"])
  })
})

describe("Scripts and processes", () => {
  it("a script with the ending of a language is started by it, one without as it is", () => {
    assert.deepStrictEqual(commandsIn({ "README.md": readme }, { "server.py": main }), ["python server.py"])
    assert.deepStrictEqual(commandsIn({ "README.md": readme, kettle: "" }, { kettle: main }), ["./kettle"])
  })

  it("of a Procfile the pages come first, and what is done for each release is no start", () => {
    const text = "release: python migrate.py\nworker: celery -A k worker\nweb: gunicorn kettle.wsgi --log-file -\n"
    assert.deepStrictEqual(commandsIn({ Procfile: text }), ["gunicorn kettle.wsgi --log-file -", "celery -A k worker"])
    assert.deepStrictEqual(commandsIn({ Procfile: "worker: celery -A k worker\n" }), ["celery -A k worker"])
  })

  it("each program of a list on one line of `setup.py` is one", () => {
    const text =
      'setup(name="kettle", entry_points={"console_scripts": ["kettle-migrate = k.m:main", "kettle = k.c:main"]})\n'
    assert.deepStrictEqual(commandsIn({ "setup.py": text }), ["kettle", "kettle-migrate"])
    assert.deepStrictEqual(commandsIn({ "setup.py": 'setup(name="kettle", install_requires=["a = b"])\n' }), [])
  })
})

describe("Lines of documents", () => {
  const manifest = { "package.json": '{"name": "kettle", "bin": {"kettle": "cli.js"}}' }

  it("what the program creates and takes away again is its work, and what takes away is no start", () => {
    const text = `${readme}\n\`\`\`sh\nkettle create pot\nkettle delete pot\nkettle build pot\n\`\`\`\n`
    assert.deepStrictEqual(commandsIn({ ...manifest, "README.md": text }), ["kettle create pot", "kettle build pot"])
  })

  it("what it creates once and keeps prepares the work", () => {
    const text = `${readme}\n\`\`\`sh\nkettle create config\nkettle boil\n\`\`\`\n`
    assert.deepStrictEqual(commandsIn({ ...manifest, "README.md": text }), ["kettle boil"])
  })

  it("what a script of another purpose runs is for that", () => {
    const text = `${readme}\nAfter which you can run\n\n    grunt\n`
    const tested = '{"name": "kettle", "scripts": {"test": "grunt"}}'
    assert.deepStrictEqual(commandsIn({ "package.json": tested, "README.md": text }, {}, "build"), [])
    const made = '{"name": "kettle", "scripts": {"test": "mocha", "build": "grunt"}}'
    assert.include(commandsIn({ "package.json": made, "README.md": text }, {}, "build"), "npm run build")
    assert.deepStrictEqual(commandsIn({ "package.json": '{"name": "kettle"}', "README.md": text }, {}, "build"), [
      "grunt"
    ])
  })

  it("what leaves the sources in place or adds the needs of developers comes before the plain installation", () => {
    const text = `${readme}\n\`\`\`sh\npip install .\n\`\`\`\n\n## Development\n\n\`\`\`sh\npip install -e ".[dev]"\n\`\`\`\n`
    const setup = { "setup.py": 'setup(name="kettle")\n' }
    assert.deepStrictEqual(commandsIn({ ...setup, "README.md": text }, {}, "install"), [
      'pip install -e ".[dev]"',
      "pip install ."
    ])
  })
})

describe("Packages without what they are released with", () => {
  const manifest = '{"name": "kettle", "scripts": {"test": "node tests/all.js", "test:boil": "node tests/boil.js"}}'

  it("a script starts no tests where the tree is without their folder", () => {
    assert.deepStrictEqual(commandsIn({ "package.json": manifest }, { "src/index.js": {} }, "test"), [])
    assert.include(commandsIn({ "package.json": manifest }, { "tests/all.js": {} }, "test"), "npm test")
    const spoken = { "package.json": manifest, "README.md": `${readme}\n    npm test\n` }
    assert.deepStrictEqual(commandsIn(spoken, { "src/index.js": {} }, "test"), [])
    const made = '{"name": "kettle", "scripts": {"test": "node dist/test.js"}}'
    assert.include(commandsIn({ "package.json": made }, {}, "test"), "npm test")
  })
})

describe("Documents on releases", () => {
  it("numbers of sections are no versions, a list of versions is no way to make one, and what it needs comes in no step", () => {
    const steps =
      "# Releases\n\n### 1.1 Build the images\n\nRun `make images`.\n\n### 1.2 Push the tag\n\nPush the tag.\n"
    const texts = (text: string) => releaseSteps(surveyOf({ "RELEASE.md": text })).map((item) => item.text)
    assert.match(texts(steps).join("\n"), /make images/)
    const needs = `# Releases\n\n## Prerequisites\n\n- Run \`docker\`.\n`
    assert.match(texts(needs).join("\n"), /docker/)
    const both = texts(`${needs}\n## Steps\n\n- Push the tag.\n`).join("\n")
    assert.match(both, /Push the tag/)
    assert.notMatch(both, /docker/)
    const notes = "# Releases\n\n## 1.2.0\n\n- Run `boil` twice.\n\n## 1.1 - 2020-01-01\n\n- Push the lid.\n"
    assert.deepStrictEqual(texts(notes), [])
  })
})
