import { assert, describe, it } from "vitest"
import { commandsOf } from "../../../../src/engine/discovery/commands.ts"
import type { Definition, Observed } from "../../../../src/engine/discovery/Observed.ts"
import { outputOf, surveyOf } from "../../../support/survey.ts"

type Texts = Readonly<Record<string, string>>
type Facts = Readonly<Record<string, Partial<Observed>>>

const runsOf = (texts: Texts, observed: Facts = {}) =>
  commandsOf(surveyOf(texts, observed))
    .filter(({ purpose }) => purpose === "run")
    .map(({ command, path }) => `${command} @ ${path}`)

const readme = "# Kettle\n\nBoils water.\n"
const manifest = '{"name": "kettle"}'
const copied = (rest: string) => `FROM base:1\nWORKDIR /app\nCOPY . .\n${rest}\n`
const main = { isEntryPoint: 1 }

describe("Starts that an image or a unit shows", () => {
  it("what the image starts with an interpreter is started in a checkout, where the file is in the tree", () => {
    const tree = { "README.md": readme, "package.json": manifest, "src/serve.js": "" }
    const withImage = (rest: string) => runsOf({ ...tree, Dockerfile: copied(rest) })
    assert.deepStrictEqual(withImage('CMD ["node", "src/serve.js"]'), ["node src/serve.js @ Dockerfile"])
    assert.deepStrictEqual(withImage('ENTRYPOINT ["node"]\nCMD ["/app/src/serve.js", "--port", "80"]'), [
      "node src/serve.js --port 80 @ Dockerfile"
    ])
    assert.deepStrictEqual(withImage('CMD ["node", "dist/serve.js"]'), [])
    assert.deepStrictEqual(withImage('CMD ["node", "src/serve.js", "-c", "/etc/kettle.yml"]'), [])
    assert.deepStrictEqual(withImage("CMD node src/serve.js --port $PORT"), [])
  })

  it("an image that takes only what another stage made shows nothing", () => {
    const text = 'FROM base:1 AS made\nCOPY . .\nFROM base:1\nCOPY --from=made /a /a\nCMD ["node", "src/serve.js"]\n'
    assert.deepStrictEqual(runsOf({ "README.md": readme, "src/serve.js": "", Dockerfile: text }), [])
  })

  it("a server of Python is given a module that is there", () => {
    const tree = { "README.md": readme, "kettle/web.py": "" }
    const line = (module: string) => copied(`CMD ["uvicorn", "${module}:app", "--host", "0.0.0.0"]`)
    assert.deepStrictEqual(runsOf({ ...tree, Dockerfile: line("kettle.web") }), [
      "uvicorn kettle.web:app --host 0.0.0.0 @ Dockerfile"
    ])
    assert.deepStrictEqual(runsOf({ ...tree, Dockerfile: line("stove.web") }), [])
  })

  it("a unit of systemd starts a file by where it lies on a machine, and a checkout has it at the root", () => {
    const unit = (start: string) => `[Unit]\nDescription=Kettle\n[Service]\nExecStart=${start}\n`
    const tree = { "README.md": readme, "daemon.js": "" }
    assert.deepStrictEqual(runsOf({ ...tree, "kettle.service": unit("/usr/bin/node /opt/kettle/daemon.js -p 80") }), [
      "node daemon.js -p 80 @ kettle.service"
    ])
    assert.deepStrictEqual(runsOf({ ...tree, "kettle.service": unit("/usr/bin/node /opt/kettle/other.js") }), [])
  })

  it("what a document says comes in the place of all that", () => {
    const tree = { "package.json": manifest, "server.js": "", Dockerfile: copied('CMD ["node", "server.js"]') }
    assert.deepStrictEqual(runsOf({ ...tree, "README.md": `${readme}\n    $ node server.js --fast\n` }), [
      "node server.js --fast @ README.md"
    ])
  })
})

const named = (name: string, line: number, end: number): Definition => ({
  name,
  kind: "function",
  line,
  end,
  exported: false,
  bases: [],
  doc: null
})

describe("Starts that a framework shows", () => {
  it("a file of Node that listens when it is loaded is started, and one whose function listens is not", () => {
    const tree = { "README.md": readme, "package.json": manifest }
    const listening: Partial<Observed> = { calls: [["app.listen", 1, 5]] }
    assert.deepStrictEqual(runsOf(tree, { "server.js": listening }), ["node server.js @ server.js"])
    assert.deepStrictEqual(runsOf(tree, { "server.js": { ...listening, definitions: [named("open", 3, 8)] } }), [])
  })

  it("Flask starts the one module that declares an application when it is loaded or in a factory", () => {
    const flask: Partial<Observed> = {
      imports: [{ module: "flask", names: ["Flask"], line: 1 }],
      calls: [["Flask", 1, 3]]
    }
    const facts = { "kettle/web.py": flask, "kettle/__init__.py": {} }
    assert.deepStrictEqual(runsOf({ "README.md": readme }, facts), ["flask --app kettle.web run @ kettle/web.py"])
    const factory = (name: string) => ({ ...facts, "kettle/web.py": { ...flask, definitions: [named(name, 2, 6)] } })
    assert.deepStrictEqual(runsOf({ "README.md": readme }, factory("create_app")), [
      "flask --app kettle.web run @ kettle/web.py"
    ])
    assert.deepStrictEqual(runsOf({ "README.md": readme }, factory("boil")), [])
    assert.deepStrictEqual(runsOf({ "README.md": readme }, { ...facts, "admin.py": flask }), [])
  })
})

describe("Starts of a module of a build", () => {
  const pom = (name: string, rest: string) => `<project><artifactId>${name}</artifactId>${rest}</project>\n`
  const spring = "<build><plugins><plugin><artifactId>spring-boot-maven-plugin</artifactId></plugin></plugins></build>"

  it("the one module that Spring Boot starts is asked for at the root", () => {
    const texts = {
      "README.md": readme,
      "pom.xml": pom("kettle", "<modules><module>core</module><module>web</module></modules>"),
      "core/pom.xml": pom("core", ""),
      "web/pom.xml": pom("web", spring)
    }
    assert.deepStrictEqual(runsOf(texts, { "web/src/main/java/App.java": main }), [
      "mvn spring-boot:run -pl web @ web/pom.xml"
    ])
    assert.deepStrictEqual(runsOf(texts, { "core/src/main/java/App.java": main }), [])
    const two = { ...texts, "core/pom.xml": pom("core", spring) }
    const both = { "web/src/main/java/App.java": main, "core/src/main/java/App.java": main }
    assert.deepStrictEqual(runsOf(two, both), [])
  })

  it("the one module of Gradle with a plugin that starts it is asked for at the root", () => {
    const texts = {
      "README.md": readme,
      "settings.gradle": "include 'app'\n",
      "build.gradle": "plugins {\n  id 'org.springframework.boot' version '3' apply false\n}\n",
      "app/build.gradle": "plugins {\n  id 'application'\n}\n"
    }
    assert.include(runsOf(texts, { "app/src/main/java/App.java": main }), "gradle :app:run @ app/build.gradle")
    assert.deepStrictEqual(runsOf(texts, { "app/src/test/java/App.java": main }), [])
  })

  it("the one project of .NET that makes a program is started", () => {
    const sdk = (name: string, rest = "") => `<Project Sdk="${name}"><PropertyGroup>${rest}</PropertyGroup></Project>\n`
    const texts = { "README.md": readme, "src/Core/Core.csproj": sdk("Microsoft.NET.Sdk") }
    const web = { ...texts, "src/Kettle/Kettle.csproj": sdk("Microsoft.NET.Sdk.Web") }
    assert.deepStrictEqual(runsOf(web), ["dotnet run --project src/Kettle @ src/Kettle/Kettle.csproj"])
    assert.deepStrictEqual(runsOf(texts), [])
    const exe = sdk("Microsoft.NET.Sdk", "<OutputType>Exe</OutputType>")
    assert.deepStrictEqual(runsOf({ ...texts, "tools/Gen/Gen.csproj": exe }), [])
  })
})

describe("Folders of helpers", () => {
  const exe = '<Project Sdk="Microsoft.NET.Sdk"><OutputType>Exe</OutputType></Project>\n'
  const flask: Partial<Observed> = {
    imports: [{ module: "flask", names: ["Flask"], line: 1 }],
    calls: [["Flask", 1, 3]]
  }

  it("have nothing that starts the product, whatever starts it", () => {
    for (const folder of ["samples", "demo", "kettle-tests", "Kettle.Demo", "scripts"]) {
      assert.deepStrictEqual(runsOf({ "README.md": readme, [`${folder}/Kettle/Kettle.csproj`]: exe }), [], folder)
      const facts = { [`${folder}/web.py`]: flask, [`${folder}/__init__.py`]: {} }
      assert.deepStrictEqual(runsOf({ "README.md": readme }, facts), [], folder)
    }
  })

  it("are none where only a part of the name is", () => {
    const script = "src/Kettle.Script/Kettle.Script.csproj"
    assert.lengthOf(runsOf({ "README.md": readme, [script]: exe }), 1)
    const facts = { "latest/web.py": flask, "latest/__init__.py": {} }
    assert.lengthOf(runsOf({ "README.md": readme }, facts), 1)
  })
})

describe("Programs of npm that a build makes", () => {
  it("the program is built first where its file is made of a source of the same name", () => {
    const text = '{"name": "kettle", "bin": {"kettle": "dist/cli.js"}, "scripts": {"build": "tsc"}}'
    assert.deepStrictEqual(runsOf({ "README.md": readme, "package.json": text, "src/cli.ts": "" }), [
      "npm run build && node dist/cli.js @ package.json"
    ])
    assert.deepStrictEqual(runsOf({ "README.md": readme, "package.json": text, "src/other.ts": "" }), [])
  })

  it("a server that listens when its file is loaded is found in the code", async () => {
    const output = await outputOf({
      "README.md": readme,
      "package.json": manifest,
      "server.js": 'const app = require("express")()\napp.listen(3000)\n'
    })
    assert.match(output.guides.find(({ slug }) => slug === "run")?.content ?? "", /`node server\.js`/)
  })
})
