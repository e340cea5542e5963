import { assert, describe, it } from "vitest"
import { commandGuides } from "../../../../src/engine/discovery/commands/commandGuides.ts"
import { releaseSteps } from "../../../../src/engine/discovery/commands/releases.ts"
import { commandsOf } from "../../../../src/engine/discovery/commands.ts"
import type { Observed } from "../../../../src/engine/discovery/Observed.ts"
import { surveyOf } from "../../../support/survey.ts"

const commandsIn = (
  texts: Readonly<Record<string, string>>,
  purpose: string,
  observed: Readonly<Record<string, Partial<Observed>>> = {}
) =>
  commandsOf(surveyOf(texts, observed))
    .filter((one) => one.purpose === purpose)
    .map(({ command, folder }) => `${folder === "" ? "" : `${folder}$ `}${command}`)

const program = { "Cargo.toml": '[package]\nname = "kettle"\n' }

describe("How documents show commands", () => {
  it("what is indented within markup of HTML is a title or a text, and what `<pre>` holds is a command", () => {
    const html = '<div align="center">\n  <h1>\n      Kettle\n      kettle --hot\n  </h1>\n</div>\n\n'
    assert.deepStrictEqual(commandsIn({ ...program, "README.md": html }, "run"), [])
    const pre = "<pre><code>\nkettle &lt;cup&gt; --port 80\n</code></pre>\n\n<pre>kettle <b>--hot</b></pre>\n"
    assert.deepStrictEqual(commandsIn({ ...program, "README.md": pre }, "run"), [
      "kettle <cup> --port 80",
      "kettle --hot"
    ])
    assert.deepStrictEqual(commandsIn({ ...program, "README.md": `${html}    kettle --hot\n` }, "run"), [
      "kettle --hot"
    ])
  })

  it("a block within a note is one, and what is quoted without one is none", () => {
    const note = "> Start it:\n>\n> ```sh\n> kettle --hot\n> ```\n"
    assert.deepStrictEqual(commandsIn({ ...program, "README.md": note }, "run"), ["kettle --hot"])
    assert.deepStrictEqual(commandsIn({ ...program, "README.md": "> kettle --hot\n" }, "run"), [])
  })

  it("a sentence that asks to run what it quotes states a command; one that refuses it does not", () => {
    const own = { "build.xml": '<project name="Kettle"></project>' }
    const readme = "Execute the command 'java -Xmx2G -jar Kettle.jar'.\n\nThe tool 'java -jar kettle.jar' is old.\n"
    assert.deepStrictEqual(commandsIn({ ...own, README: readme }, "run"), ["java -Xmx2G -jar Kettle.jar"])
    const other = "Execute the command 'java -jar plantuml.jar'.\n"
    assert.deepStrictEqual(commandsIn({ ...own, README: other }, "run"), [])
    const text = "Run `npm install`.\n\nDo not use `yarn install` or `pnpm install`.\n"
    const manifest = { "package.json": "{}" }
    assert.deepStrictEqual(commandsIn({ ...manifest, "CONTRIBUTING.md": text }, "install"), ["npm install"])
  })

  it("below a heading that says so a target or a script of the repository starts the program, or tests it", () => {
    const files = { Makefile: "live:\n\tkettle\nother:\n\tls\n", "suite/all.sh": "" }
    const guide = (heading: string, line: string) => ({ ...files, "HACKING.md": `# ${heading}\n\n    ${line}\n` })
    assert.deepStrictEqual(commandsIn(guide("Title\n\n## Start kettle", "make live"), "run"), ["make live"])
    assert.deepStrictEqual(commandsIn(guide("Title\n\n## Setting up", "make live"), "run"), [])
    assert.deepStrictEqual(commandsIn(guide("Title\n\n## Running the checks", "make live"), "run"), [])
    assert.deepStrictEqual(commandsIn(guide("Title\n\n## Start kettle", "make gone"), "run"), [])
    assert.deepStrictEqual(commandsIn(guide("Title\n\n## Running the tests", "./suite/all.sh"), "test"), [
      "./suite/all.sh"
    ])
    assert.deepStrictEqual(commandsIn(guide("Title\n\n## Writing tests", "./suite/all.sh"), "test"), [])
  })

  it("programs that Perl's build files name are started with folders of modules, too", () => {
    const own = { "Makefile.PL": 'my %args = ("EXE_FILES" => ["script/kettle"]);\n' }
    const guide = "# Title\n\n    perl -Ilib script/kettle boil\n    perl -Ilib script/other boil\n"
    const files = { ...own, "script/kettle": "", "script/other": "", "CONTRIBUTING.md": guide }
    assert.deepStrictEqual(commandsIn(files, "run"), ["perl -Ilib script/kettle boil"])
  })

  it("what takes over the data of another program does not start this one", () => {
    const readme = "    kettle import <plugin>\n    kettle boil\n"
    assert.deepStrictEqual(commandsIn({ ...program, "README.md": readme }, "run"), ["kettle boil"])
  })

  it("a build that begins with `./configure` makes that script first, where a checkout has only its maker", () => {
    const text = "# Compile\n\n    ./configure\n    make\n\nWithout that script run:\n\n    ./autogen.sh\n"
    const files = { "COMPILE.md": text, "configure.ac": "", "autogen.sh": "", "Makefile.in": "" }
    assert.include(commandsIn(files, "build"), "./autogen.sh && ./configure && make")
    assert.notInclude(commandsIn(files, "build"), "./configure && make")
    assert.include(commandsIn({ ...files, configure: "" }, "build"), "./configure && make")
  })

  it("Go is asked for the package of a folder where one lies there", () => {
    const files = { "go.mod": "module example.com/kettle\n", "README.md": "Install it with `go install`.\n" }
    assert.deepStrictEqual(
      commandsIn({ ...files, "cmd/kettle/main.go": "" }, "build", {
        "cmd/kettle/main.go": { isEntryPoint: 3 }
      }),
      ["go build ./..."]
    )
    assert.deepStrictEqual(commandsIn({ ...files, "main.go": "" }, "build", { "main.go": { isEntryPoint: 3 } }), [
      "go install"
    ])
  })
})

describe("What is built, tested and looked at", () => {
  it("an image takes what lies at the root; one that takes what lies beside its Dockerfile, or a template, is none", () => {
    const image = (path: string, copies: string) =>
      commandsIn(
        { [path]: `FROM scratch\nCOPY ${copies}\n`, "src/a.c": "", "docker/setup.sh": "", ".box/key": "" },
        "build"
      )
    assert.deepStrictEqual(image("docker/Dockerfile", "src /src"), ["docker build -f docker/Dockerfile ."])
    assert.deepStrictEqual(image("docker/Dockerfile", "./setup.sh /"), [])
    assert.deepStrictEqual(image(".box/Dockerfile", "./key /root/.ssh/"), [])
    assert.deepStrictEqual(image("share/Dockerfile", ". .\nWORKDIR /srv/[% name %]"), [])
  })

  it("a target of Ant that runs the test which a property names is no way to run all", () => {
    const target = (name: string, test: string) =>
      `<target name="${name}" depends="build">\n<junit><test name="${test}"/></junit>\n</target>\n`
    const one = {
      "build.xml": `<project>\n${target("test", `org.kettle.$\{test}`)}<target name="testall"/>\n</project>`
    }
    assert.deepStrictEqual(commandsIn(one, "test"), ["ant testall"])
    assert.deepStrictEqual(commandsIn(one, "test_file"), ["ant test -Dtest=<name of the test>"])
    assert.deepStrictEqual(
      commandsIn({ "build.xml": `<project>${target("test", "org.kettle.All")}</project>` }, "test"),
      ["ant test"]
    )
    assert.deepStrictEqual(commandsIn({ "build.xml": '<project><target name="compile-test"/></project>' }, "test"), [])
    assert.deepStrictEqual(commandsIn({ "build.xml": '<project><target name="validate"/></project>' }, "check"), [])
  })

  it("Meson builds tests that an option leaves out when it is asked to, and has none where no file declares one", () => {
    const own = { "meson.build": "project('kettle')\ntest('cup', cup)\n" }
    const option = (value: string) => `option('unittest', type: 'boolean', value: ${value}, description: 'Tests')\n`
    assert.deepStrictEqual(commandsIn({ ...own, "meson_options.txt": option("false") }, "test"), [
      "meson setup build -Dunittest=true && meson test -C build"
    ])
    assert.deepStrictEqual(commandsIn({ ...own, "meson_options.txt": option("true") }, "test"), ["meson test -C build"])
    assert.deepStrictEqual(commandsIn({ "meson.build": "project('kettle')\n" }, "test"), [])
  })

  it("packages of Python, Ruby and npm are built and started as their manifests make possible", () => {
    assert.deepStrictEqual(commandsIn({ "pyproject.toml": '[build-system]\nrequires = ["hatchling"]\n' }, "build"), [
      "python -m build"
    ])
    assert.deepStrictEqual(commandsIn({ "pyproject.toml": "[tool.ruff]\n" }, "build"), [])
    assert.deepStrictEqual(commandsIn({ "kettle.gemspec": "Gem::Specification.new\n" }, "build"), [
      "gem build kettle.gemspec"
    ])
    const manifest = { "package.json": '{"name": "kettle", "bin": {"_k": "bin/_k.js", "kettle": "./bin/kettle.js"}}' }
    assert.deepStrictEqual(commandsIn({ ...manifest, "bin/kettle.js": "" }, "run"), ["node bin/kettle.js"])
    assert.deepStrictEqual(commandsIn(manifest, "run"), [])
  })

  it("one file of tests of Perl is run with prove; what is compiled is looked for in the build", () => {
    const own = { "Makefile.PL": "WriteMakefile();\n", "t/boil.t": "" }
    assert.deepStrictEqual(commandsIn(own, "test_file"), ["prove -l t/boil.t"])
    assert.deepStrictEqual(commandsIn({ ...own, "Kettle.xs": "" }, "test_file"), [
      "perl Makefile.PL && make && prove -b t/boil.t"
    ])
    assert.deepStrictEqual(commandsIn({ "Makefile.PL": "WriteMakefile();\n" }, "test_file"), [])
  })

  it("an action that looks at style is a linter, and no release", () => {
    const workflow = (action: string) => ({
      ".github/workflows/a.yml": `on:\n  push:\n    tags: ["v*"]\njobs:\n  a:\n    steps:\n      - uses: ${action}\n`
    })
    assert.deepStrictEqual(commandsIn(workflow("DoozyX/clang-format-lint-action@v0.9"), "lint"), [
      "uses: DoozyX/clang-format-lint-action@v0.9"
    ])
    assert.deepStrictEqual(commandsIn(workflow("actions/checkout@v4"), "lint"), [])
    assert.deepStrictEqual(commandsIn(workflow("DoozyX/clang-format-lint-action@v0.9"), "release"), [])
  })

  it("a manifest of SourceHut states what its tasks run", () => {
    const manifest =
      "image: alpine/edge\ntasks:\n  - build: |\n      cd kettle\n      python -m build\n  - publish: |\n      twine upload dist/*\n"
    assert.deepStrictEqual(commandsIn({ ".build.yml": manifest }, "release"), ["twine upload dist/*"])
    assert.deepStrictEqual(commandsIn({ "publish-release.yaml": manifest }, "release"), ["twine upload dist/*"])
    assert.deepStrictEqual(commandsIn({ "data/other.yaml": manifest }, "release"), [])
  })

  it("a document whose name says that it is about releasing the product states how", () => {
    const text = "# Releasing\n\nRun `dzil release --all`.\n\n- Bump the version\n"
    const steps = (path: string) => releaseSteps(surveyOf({ [path]: text })).map(({ text: step }) => step)
    assert.deepStrictEqual(steps("Releasing-Kettle.md"), ["“Bump the version” (`Releasing-Kettle.md:5`)"])
    assert.deepStrictEqual(steps("RELEASE-NOTES.md"), [])
    assert.deepStrictEqual(commandsIn({ "Releasing-Kettle.md": text, "dist.ini": "" }, "release"), [
      "dzil release --all"
    ])
  })

  it("a build with the options of a release is a build, and Ninja is run in the folder that Meson has made", () => {
    const makefile = { Makefile: "build-release:\n\tcargo build --release\nrelease-win:\n\ttar -cf a.tar a\n" }
    assert.deepStrictEqual(commandsIn(makefile, "build"), ["make build-release"])
    assert.deepStrictEqual(commandsIn(makefile, "release"), ["make release-win"])
    const own = { "meson.build": "project('kettle')\ntest('cup', cup)\n" }
    const guide = (line: string) => ({ ...own, "INSTALL.md": `# Install\n\nThen run \`${line}\`.\n` })
    assert.deepStrictEqual(commandsIn(guide("ninja test"), "test"), ["meson test -C build"])
    assert.deepStrictEqual(commandsIn(guide("ninja -C out test"), "test"), ["ninja -C out test"])
  })

  it("what is started to find out why something went wrong is not how one begins", () => {
    const text = "# Kettle\n\n## Diagnostics\n\n    kettle --log\n\n## Usage\n\n    kettle boil\n"
    assert.deepStrictEqual(commandsIn({ ...program, "README.md": text }, "run"), ["kettle boil"])
  })

  it("the steps that a document lists come before the targets that a release uses", () => {
    const survey = surveyOf({
      "RELEASING.md": "# Releasing\n\n1. Bump the version\n2. Run `make publish`\n",
      Makefile: "publish:\n\ttwine upload dist/*\n"
    })
    const items = commandGuides(survey, commandsOf(survey)).find(({ slug }) => slug === "release")!.items
    assert.deepStrictEqual(
      items.map(({ text }) => text.slice(0, 20)),
      ["“Bump the version” (", "“Run `make publish`”", "`make publish`: `twi"]
    )
  })

  it("a script for the style of the whole counts beside the linter of a part", () => {
    const part = { "web/package.json": '{"scripts": {"lint": "eslint ."}}', "web/.eslintrc.json": "{}" }
    assert.deepStrictEqual(commandsIn({ ...part, "code_style.py": "" }, "lint"), [
      "web$ npm run lint",
      "./code_style.py"
    ])
    assert.deepStrictEqual(commandsIn(part, "lint"), ["web$ npm run lint"])
  })

  it("a target that packs the repository's history builds nothing", () => {
    const makefile = { Makefile: "build-snapshot:\n\tgit archive HEAD | tar -xf -\nfixdeps:\n\tperl deps.pl\n" }
    assert.deepStrictEqual(commandsIn(makefile, "build"), [])
    assert.deepStrictEqual(commandsIn(makefile, "install"), ["make fixdeps"])
  })
})
