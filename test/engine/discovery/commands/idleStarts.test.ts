import { assert, describe, it } from "vitest"
import { ordered } from "../../../../src/engine/discovery/commands/Command.ts"
import { commandsOf, type Purpose } from "../../../../src/engine/discovery/commands.ts"
import { type Commit, Survey } from "../../../../src/engine/discovery/Survey.ts"
import { outputOf, surveyOf } from "../../../support/survey.ts"

type Texts = Readonly<Record<string, string>>
type Observed = NonNullable<Parameters<typeof surveyOf>[1]>

const commandsIn = (texts: Texts, purpose: Purpose, observed: Observed = {}): ReadonlyArray<string> =>
  ordered(commandsOf(surveyOf(texts, observed)), purpose).map(({ command }) => command)

const briefOf = async (texts: Texts, start: string): Promise<string> =>
  ((await outputOf(texts)).hyrax_md ?? "").split("\n").find((line) => line.startsWith(start)) ?? ""

describe("A script that starts a file which only exports", () => {
  const texts = (source: string) => ({
    "package.json": JSON.stringify({ scripts: { start: "node ./lib/kettle", test: "node lib/kettle.js test" } }),
    "lib/kettle.js": source
  })

  it("starts and tests nothing", async () => {
    const sources = [
      "var Kettle = function () { this.log('on') }\nKettle.prototype.boil = function () { console.log('hot') }\nmodule.exports = new Kettle()\n",
      "'use strict'\nconst path = require('path')\nconst home = path.join(__dirname, 'a')\nexports.home = () => home\n",
      "export const boil = () => listen(80)\n"
    ]
    for (const source of sources) {
      assert.include(await briefOf(texts(source), "- Run"), "not stated", source)
      assert.include(await briefOf(texts(source), "- Test all"), "not stated", source)
    }
  })

  it("is a start where the file listens, logs or calls, or asks whether it was started", async () => {
    const sources = [
      "const app = require('./app')\napp.listen(80)\nmodule.exports = app\n",
      "module.exports = boil\nfunction boil() {}\nif (require.main === module) boil()\n",
      "class Kettle {}\nmodule.exports = Kettle\nnew Kettle()\n",
      "console.log('hot')\nexports.a = 1\n"
    ]
    for (const source of sources) assert.include(await briefOf(texts(source), "- Run"), "`npm start`", source)
  })
})

describe("A package as it is published, without its sources", () => {
  const texts = (scripts: Texts, files: Texts = {}) => ({
    "package.json": JSON.stringify({ scripts }),
    "bin/kettle.cjs": "",
    ...files
  })

  it("is not started or built with what lies in a folder that is not there", () => {
    const scripts = { start: "bun src/index.ts", build: "bun build src/index.ts --outdir dist" }
    assert.deepStrictEqual(commandsIn(texts(scripts), "run"), [])
    assert.deepStrictEqual(commandsIn(texts(scripts), "build"), [])
    const whole = texts(scripts, { "src/index.ts": "" })
    assert.deepStrictEqual(commandsIn(whole, "run"), ["npm start"])
    assert.deepStrictEqual(commandsIn(whole, "build"), ["npm run build"])
    assert.deepStrictEqual(commandsIn(texts({ start: "node dist/index.js" }), "run"), ["npm start"])
    const readme = { "README.md": "```\nbun run dev\n```\n" }
    assert.deepStrictEqual(commandsIn(texts({ dev: "bun src/index.ts" }, readme), "run"), [])
    const described = texts({ dev: "bun src/index.ts" }, { ...readme, "src/index.ts": "" })
    assert.deepStrictEqual(commandsIn(described, "run"), ["npm run dev", "bun run dev"])
  })

  it("is looked for where a `cd` of the script leads, and not where that cannot be known", () => {
    const script = "node scripts/build.js"
    for (const [build, path] of [
      [`cd web && ${script}`, "web/scripts/build.js"],
      [`cd web && cd .. && ${script}`, "scripts/build.js"]
    ] as const) {
      assert.deepStrictEqual(commandsIn(texts({ build }), "build"), [], build)
      assert.deepStrictEqual(
        commandsIn(texts({ build }, { [path]: "", "web/a.js": "" }), "build"),
        ["npm run build"],
        build
      )
    }
    for (const to of ["$WEB", "..", "/srv/web", "-"])
      assert.deepStrictEqual(commandsIn(texts({ build: `cd ${to} && ${script}` }), "build"), ["npm run build"], to)
  })

  it("is started by any of the programs that are given a file of Node", () => {
    for (const program of ["ts-node-dev", "babel-node", "esbuild", "bun run"]) {
      const start = `${program} src/index.ts`
      assert.deepStrictEqual(commandsIn(texts({ start }), "run"), [], program)
      assert.deepStrictEqual(commandsIn(texts({ start }, { "src/index.ts": "" }), "run"), ["npm start"], program)
    }
  })

  it("is asked by no script, whatever that is for, to start a file of a folder for tests", () => {
    const lint = "node test/style.js"
    assert.deepStrictEqual(commandsIn(texts({ lint }), "lint"), [])
    assert.deepStrictEqual(commandsIn(texts({ lint }, { "test/style.js": "" }), "lint"), ["npm run lint"])
  })

  it("is not built with a script that is not there, nor by a compiler without sources", () => {
    assert.deepStrictEqual(commandsIn(texts({ build: "node bin/build.js" }), "build"), [])
    assert.deepStrictEqual(commandsIn(texts({ build: "npx tsc" }), "build"), [])
    assert.deepStrictEqual(commandsIn(texts({ build: "npx tsc", prepublishOnly: "npm run build" }), "build"), [])
    assert.deepStrictEqual(commandsIn(texts({ build: "npx tsc" }, { "tsconfig.json": "{}" }), "build"), [
      "npm run build"
    ])
  })

  it("is not tested where it has no tests", () => {
    for (const test of ["mocha", "vitest run", "grunt test", "test-runner test/*.js"]) {
      assert.deepStrictEqual(commandsIn(texts({ test }), "test"), [], test)
      assert.deepStrictEqual(commandsIn(texts({ test }, { "test/a.js": "" }), "test"), ["npm test"], test)
    }
    const part = { "test:part": "PART=1 bun test src/part/" }
    assert.deepStrictEqual(commandsIn(texts(part), "test"), [])
    assert.deepStrictEqual(commandsIn(texts(part, { "src/part/a.test.ts": "" }), "test"), ["npm run test:part"])
    const coffee = { "package.json": '{ "scripts": { "test": "grunt test" } }', "src/a.coffee": "" }
    assert.deepStrictEqual(commandsIn(coffee, "test"), [])
    assert.deepStrictEqual(commandsIn({ ...coffee, "spec/a.coffee": "" }, "test"), ["npm test"])
    const pipeline = { ".travis.yml": "language: node_js\n" }
    assert.deepStrictEqual(commandsIn(texts({ test: "mocha" }, pipeline), "test"), ["npm test"])
    // With its history it is no package as it is published: the tests may be yet to come.
    const published = surveyOf(texts({ test: "mocha" }))
    const first: Commit = {
      id: "0".repeat(40),
      subject: "Begin",
      at: 1_700_000_000,
      author: "a@example.com",
      changes: []
    }
    const begun = new Survey(
      published.files,
      published.files.map(({ path }) => path),
      [first]
    )
    assert.deepStrictEqual(ordered(commandsOf(published), "test"), [])
    assert.lengthOf(ordered(commandsOf(begun), "test"), 1)
  })

  it("is tested by no script that makes a report of what tests left", () => {
    assert.deepStrictEqual(commandsIn(texts({ coverage: "nyc report --reporter=text-lcov | codecov" }), "test"), [])
    const whole = texts({ coverage: "nyc --reporter=text mocha" }, { "test/a.js": "" })
    assert.deepStrictEqual(commandsIn(whole, "test"), ["npm run coverage"])
  })
})

describe("Programs where they lie", () => {
  const script = { kettle: "#!/usr/bin/perl\nprint 1;\n", "README.md": "# Kettle\n\n    kettle tea.txt\n" }
  const observed = { kettle: { isEntryPoint: 1 } }

  it("a script at the root that nothing installs is started as the file that it is", () => {
    assert.deepStrictEqual(commandsIn(script, "run", observed), ["./kettle tea.txt"])
    const installed = { ...script, Makefile: "install:\n\tcp kettle $(BINDIR)/kettle\n" }
    assert.deepStrictEqual(commandsIn(installed, "run", observed), ["kettle tea.txt"])
    const described = { ...script, "README.md": "# Kettle\n\nCopy it to your PATH.\n\n    kettle tea.txt\n" }
    assert.deepStrictEqual(commandsIn(described, "run", observed), ["kettle tea.txt"])
  })

  it("what a Makefile makes is started where it is left, or by its name once it is installed", () => {
    const makefile = (rest: string) => ({ Makefile: `kettle: a.o\n\t$(CC) -o kettle a.o\n${rest}` })
    assert.deepStrictEqual(commandsIn(makefile(""), "run"), ["./kettle"])
    assert.deepStrictEqual(commandsIn(makefile("\ninstall: kettle\n\tcp kettle /usr/bin\n"), "run"), ["kettle"])
    assert.deepStrictEqual(
      commandsIn({ Makefile: "all: bin/kettle\n\nbin/kettle: a.o\n\tcc a.o -o bin/kettle\n" }, "run"),
      ["./bin/kettle"]
    )
  })

  it("what a test writes with `-o` is no program", () => {
    const test = { Makefile: "test:\n\tM=`./kettle -o stdout a.tea | md5sum`; test $$M = 1\n" }
    assert.deepStrictEqual(commandsIn(test, "run"), [])
  })

  it("a program of Cargo is started by it where a document has it at the root", () => {
    const crate = { "Cargo.toml": '[package]\nname = "kettle"\n', "src/main.rs": "" }
    const main = { "src/main.rs": { isEntryPoint: 1 } }
    const readme = { "README.md": "# Kettle\n\n    ./kettle -s\n" }
    assert.deepStrictEqual(commandsIn({ ...crate, ...readme }, "run", main), ["cargo run -- -s"])
    assert.deepStrictEqual(commandsIn({ ...crate, ...readme, kettle: "" }, "run", main), ["./kettle -s"])
  })
})

describe("What looks like a start", () => {
  const crate = { "Cargo.toml": '[package]\nname = "kettle"\n' }
  const run = (text: string) => commandsIn({ ...crate, "README.md": `# Kettle\n\n${text}` }, "run")

  it("an address of mail in words is none", () => {
    for (const line of [
      "kettle (dash) devel (at) example (dot) org",
      "kettle [at] example [dot] org",
      "kettle at example dot org"
    ])
      assert.deepStrictEqual(run(`    ${line}\n`), [], line)
    assert.deepStrictEqual(run("    kettle pour --at noon\n"), ["kettle pour --at noon"])
  })

  it("what a sentence says can be run comes after what a block shows; what it asks to run does not", () => {
    const block = "\n```sh\nkettle pour tea\n```\n"
    assert.deepStrictEqual(run(`You can run \`kettle brew\` later.\n${block}`), ["kettle pour tea", "kettle brew"])
    assert.deepStrictEqual(run(`Run \`kettle brew\` first.\n${block}`), ["kettle brew", "kettle pour tea"])
  })

  it("a synopsis that says what the program is shows no way to start it", () => {
    const page = (line: string) => ({ "kettle.8.md": { text: `# SYNOPSIS\n\n${line}\n` } })
    assert.deepStrictEqual(commandsIn({}, "run", page("`kettle` is a program for tea.")), [])
    assert.deepStrictEqual(commandsIn({}, "run", page("`kettle` [options] file")), ["kettle [options] file"])
  })

  it("a page that a build fills in is one of the program, whatever follows its section", () => {
    const page = ".TH KETTLE 8\n.SH SYNOPSIS\n.B kettle\n[file]\n.SH DESCRIPTION\nText.\n"
    for (const path of ["doc/kettle.8-in", "man/kettle.in.8", "man/kettle.8.in"])
      assert.deepStrictEqual(commandsIn({}, "run", { [path]: { text: page } }), ["kettle [file]"], path)
  })

  it("a command with another one within backticks keeps both", () => {
    const readme = "```\ncmake -DPREFIX=`kettle-config --prefix` ..\nmake\n```\n"
    assert.deepStrictEqual(commandsIn({ "CMakeLists.txt": "project(kettle)\n", "README.md": readme }, "build"), [
      "cmake -DPREFIX=$(kettle-config --prefix) -S . -B build && make -C build"
    ])
  })

  it("`task` needs tasks of one of the two programs of that name", () => {
    const readme = "- `task test` runs the tests.\n"
    assert.deepStrictEqual(commandsIn({ "README.md": readme, "pyproject.toml": "[project]\n" }, "test"), [])
    const tasks = "[tool.taskipy.tasks]\ntest = 'pytest'\n"
    assert.deepStrictEqual(commandsIn({ "README.md": readme, "pyproject.toml": tasks }, "test"), ["task test"])
  })
})

describe("What is stated elsewhere", () => {
  it("the goal of a plugin of Maven is asked for by its address, and which of several is left open", () => {
    const pom = (packaging: string, group = "org.tea", more = "") => ({
      "pom.xml": `<project>\n<parent><groupId>${group}</groupId><version>4</version></parent>\n<artifactId>kettle-maven-plugin</artifactId>\n<version>1.2</version>\n<packaging>${packaging}</packaging>\n${more}</project>\n`
    })
    const goals = (...names: ReadonlyArray<string>) => ({
      "src/main/java/KettleMojo.java": {
        sites: names.map((symbol) => ({
          kind: "command" as const,
          shape: "Maven goal (`@Mojo`)",
          line: 3,
          end: 3,
          symbol
        }))
      }
    })
    const goal = "mvn org.tea:kettle-maven-plugin:1.2:kettle"
    assert.deepStrictEqual(commandsIn(pom("maven-plugin"), "run", goals("kettle", "help")), [goal])
    assert.deepStrictEqual(commandsIn(pom("maven-plugin"), "run", goals("boil", "pour")), [
      "mvn org.tea:kettle-maven-plugin:1.2:<goal>"
    ])
    assert.deepStrictEqual(commandsIn(pom("jar"), "run", goals("kettle")), [])
    assert.deepStrictEqual(commandsIn(pom("maven-plugin"), "run", {}), [])
    const searched = pom("maven-plugin", "org.apache.maven.plugins")
    assert.deepStrictEqual(commandsIn(searched, "run", goals("boil", "pour")), ["mvn kettle:<goal>"])
    const named = pom("maven-plugin", "org.codehaus.mojo", "<goalPrefix>tea</goalPrefix>\n")
    assert.deepStrictEqual(commandsIn(named, "run", goals("boil")), ["mvn tea:boil"])
  })

  it("the plugin of Maven may be the only one among the modules", () => {
    const plugin = (name: string) =>
      `<project><parent><groupId>org.codehaus.mojo</groupId><version>4</version></parent><artifactId>${name}-maven-plugin</artifactId><packaging>maven-plugin</packaging></project>\n`
    const root = { "pom.xml": "<project><artifactId>tea</artifactId><packaging>pom</packaging></project>\n" }
    const site = { kind: "command" as const, shape: "Maven goal (`@Mojo`)", line: 3, end: 3, symbol: "boil" }
    const goals = { "kettle/src/main/java/KettleMojo.java": { sites: [site] } }
    const one = { ...root, "kettle/pom.xml": plugin("kettle") }
    assert.deepStrictEqual(commandsIn(one, "run", goals), ["mvn kettle:boil"])
    assert.deepStrictEqual(commandsIn({ ...one, "stove/pom.xml": plugin("stove") }, "run", goals), [])
  })

  it("comments of a `setup.py` list the steps of a release", () => {
    const setup = (...lines: ReadonlyArray<string>) => ({ "setup.py": `${lines.join("\n")}\nsetup(name='kettle')\n` })
    assert.deepStrictEqual(
      commandsIn(
        setup("# SET UP", "# python setup.py sdist", "# twine check dist/*", "# twine upload dist/*"),
        "release"
      ),
      ["python setup.py sdist && twine check dist/* && twine upload dist/*"]
    )
    assert.deepStrictEqual(commandsIn(setup("# Python setup for kettles", "# no upload"), "release"), [])
  })

  it("an action of a pipeline may be given lines of shell, not those of another machine or of its own", () => {
    const workflow = (given: string) => ({
      "go.mod": "module example.org/kettle\n",
      ".github/workflows/ci.yml": `on: push\njobs:\n  a:\n    steps:\n      - uses: tea/step@v1\n        with:\n          ${given}\n`
    })
    const tool = "go run example.org/go/tools/cmd/staticcheck@latest ./..."
    assert.include(commandsIn(workflow(`run: ${tool}`), "lint"), tool)
    for (const given of [
      "command: lint --all",
      `host: a.example\n          script: ${tool}`,
      `args: -v\n          command: ${tool}`
    ])
      assert.deepStrictEqual(commandsIn(workflow(given), "lint"), ["go vet ./..."], given)
  })
})
