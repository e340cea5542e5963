import { assert, describe, it } from "vitest"
import { commandsOf, type Purpose } from "../../../../src/engine/discovery/commands.ts"
import { surveyOf } from "../../../support/survey.ts"

const commandsFor = (purpose: Purpose, texts: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  commandsOf(surveyOf(texts))
    .filter((one) => one.purpose === purpose)
    .map(({ command }) => command)

describe("Weak evidence is no command", () => {
  it("the end of a sentence that begins a line with the name of a program", () => {
    const readme = (line: string) => ({ README: `Changes\n\n4. Route to what lies outside of the\n   ${line}\n` })
    assert.deepStrictEqual(commandsFor("test", readme("tap geometry.")), [])
    const tested = { ...readme("tap test/geometry.js"), "test/geometry.js": "" }
    assert.deepStrictEqual(commandsFor("test", tested), ["tap test/geometry.js"])
    const install = { "setup.py": "", README: "Installing\n\n    pip install .\n" }
    assert.include(commandsFor("install", install), "pip install .")
  })

  it("containers to develop in, beside those that a compose file of the product builds", () => {
    const compose = "services:\n  web:\n    build: .\n"
    assert.deepStrictEqual(commandsFor("run", { ".devcontainer/docker-compose.yml": compose }), [])
    assert.deepStrictEqual(commandsFor("run", { "docker/docker-compose.yml": compose }), [
      "docker compose -f docker/docker-compose.yml up"
    ])
  })

  it("a script that only has a bundler wait for changes", () => {
    const scripts = (dev: string) => ({ "package.json": JSON.stringify({ scripts: { dev } }) })
    for (const dev of [
      "microbundle watch",
      "tsc -w",
      "rm -rf dist && rollup -c -w",
      "tsup src --watch",
      "qx compile --target source --watch"
    ])
      assert.deepStrictEqual(commandsFor("run", scripts(dev)), [], dev)
    for (const dev of [
      "tsc && node dist/main.js",
      "concurrently tsc node",
      "vite",
      "webpack serve --watch",
      "node build --watch"
    ])
      assert.deepStrictEqual(commandsFor("run", scripts(dev)), ["npm run dev"], dev)
  })

  it("a script at the root that checks how the sources are written", () => {
    const started = { isEntryPoint: 1 }
    const runs = (name: string) =>
      commandsOf(surveyOf({}, { [name]: started }))
        .filter(({ purpose }) => purpose === "run")
        .map(({ command }) => command)
    assert.deepStrictEqual(runs("style-checker"), [])
    assert.deepStrictEqual(runs("stylus"), ["./stylus"])
  })

  it("a linter that a build has for its site only", () => {
    const plugin = "<plugin><artifactId>maven-checkstyle-plugin</artifactId></plugin>"
    const pom = (part: string) => ({ "pom.xml": `<project>\n<${part}>\n${plugin}\n</${part}>\n</project>\n` })
    assert.deepStrictEqual(commandsFor("lint", pom("reporting")), [])
    assert.deepStrictEqual(commandsFor("lint", pom("build")), ["mvn checkstyle:check"])
  })
})

describe("Manifests for another builder", () => {
  it("a setup.py that catkin calls neither installs nor builds, one beside a package does", () => {
    const setup = (head: string) => ({ "setup.py": `${head}\nsetup(**d)\n`, "src/a.py": "" })
    const ofRos = setup("from catkin_pkg.python_setup import generate_distutils_setup")
    assert.deepStrictEqual([commandsFor("install", ofRos), commandsFor("build", ofRos)], [[], []])
    const plain = setup("from setuptools import setup")
    assert.deepStrictEqual(
      [commandsFor("install", plain), commandsFor("build", plain)],
      [["pip install -e ."], ["python -m build"]]
    )
  })

  it("a workflow that calls a setup.py counts only where that is", () => {
    const workflow = ".github/workflows/ci.yml"
    const step = { [workflow]: "on: push\njobs:\n  a:\n    steps:\n      - run: python setup.py sdist\n" }
    assert.deepStrictEqual(commandsFor("build", { ...step, "pyproject.toml": "[build-system]\n" }), ["python -m build"])
    assert.include(commandsFor("build", { ...step, "setup.py": "setup()\n" }), "python setup.py sdist")
  })

  it("a target that no Makefile of Automake has is another project's", () => {
    const tree = (makefile: string) => ({
      "Makefile.am": makefile,
      "README.md":
        "If the host was built from source, do `make install-dev`.\n\n    make install-dev\n    ${GMAKE} install-dev\n"
    })
    assert.deepStrictEqual(commandsFor("install", tree("SUBDIRS = src\n")), [])
    assert.deepStrictEqual(
      [...new Set(commandsFor("install", tree("install-dev:\n\tcp a.h include\n")))],
      ["make install-dev"]
    )
  })

  it("a package that the readme starts by its name runs so, one that it does not start is left out", () => {
    const main = { "kettle/__main__.py": { isEntryPoint: 9 } }
    const runs = (readme: string) =>
      commandsOf(surveyOf({ "README.md": readme }, main)).flatMap(({ purpose, command }) =>
        purpose === "run" ? [command] : []
      )
    assert.deepStrictEqual(runs("# Kettle\n\n```\nusage: python -m kettle [-h] {boil,pour} ...\n```\n"), [
      "python -m kettle"
    ])
    assert.deepStrictEqual(runs("# Kettle\n\n```\nusage: python -m kettle.tools [-h]\n```\n"), [])
  })
})

describe("Packages of Perl", () => {
  it("that leave all to a module are built as usual, a script of that name that prints is not", () => {
    const build = (text: string) => commandsFor("build", { "Makefile.PL": text })
    assert.deepStrictEqual(build("use inc::Module::Package 'Shop:plain';\n"), ["perl Makefile.PL && make"])
    assert.deepStrictEqual(build("print 'all: kettle';\n"), [])
  })
})

describe("Linters of pipelines", () => {
  it("a test that a formatter lists no files is one, a test of something else is none", () => {
    const workflow = (line: string) => ({
      ".github/workflows/ci.yml": `on: push\njobs:\n  one:\n    steps:\n      - run: ${line}\n`
    })
    assert.deepStrictEqual(commandsFor("lint", workflow('test -z "$(gofmt -l .)"')), ['test -z "$(gofmt -l .)"'])
    assert.deepStrictEqual(commandsFor("lint", workflow('test -z "$(git status --porcelain)"')), [])
    assert.deepStrictEqual(commandsFor("lint", workflow("gofmt -w .")), [])
  })
})
