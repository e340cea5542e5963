import { assert, describe, it } from "vitest"
import { releaseSteps } from "../../../../src/engine/discovery/commands/releases.ts"
import { commandsOf } from "../../../../src/engine/discovery/commands.ts"
import { surveyOf } from "../../../support/survey.ts"

const commandsIn = (texts: Readonly<Record<string, string>>, purpose: string) =>
  commandsOf(surveyOf(texts))
    .filter((one) => one.purpose === purpose)
    .map(({ command }) => command)

const meson = { "meson.build": "project('kettle', 'c')\nexecutable('kettle', 'kettle.c')\n" }
const cmake = { "CMakeLists.txt": "project(kettle)\nadd_executable(kettle kettle.c)\n" }

describe("A build whose steps stand apart", () => {
  it("what configures a folder for Meson is joined with what builds in it further down", () => {
    const text =
      "Configure::\n\n  meson --prefix=/usr _out\n\nAn option leaves out\nthe lid and\nthe whistle.\n\nThen build::\n\n  ninja -C _out\n"
    assert.deepStrictEqual(commandsIn({ ...meson, "INSTALL.rst": text }, "build"), [
      "meson --prefix=/usr _out && ninja -C _out"
    ])
    const other = text.replace("ninja -C _out", "ninja -C elsewhere")
    assert.notInclude(commandsIn({ ...meson, "INSTALL.rst": other }, "build").join("\n"), "&& ninja -C elsewhere")
  })

  it("what also installs builds first, and what takes the product away builds nothing", () => {
    const text = "`meson setup build`  \n`ninja -C build install`\n\nRemove it:  \n`sudo ninja -C build uninstall`\n"
    assert.deepStrictEqual(commandsIn({ ...meson, "README.md": text }, "build"), [
      "meson setup build && ninja -C build"
    ])
    assert.deepStrictEqual(commandsIn({ ...meson, "README.md": text }, "use"), ["ninja -C build install"])
  })

  it("lines outside of any block are commands where they are nothing else", () => {
    const text = "# Building\n\nUse Meson:\n\nmeson . output\nninja -C output\n\nYou may\nmake sure that it boils.\n"
    assert.deepStrictEqual(commandsIn({ ...meson, "README.md": text }, "build"), ["meson . output && ninja -C output"])
  })

  it("CMake is asked above the folder that another block or the same line makes", () => {
    const expected = ["cmake -S . -B out && make -C out"]
    const apart = "```sh\nmkdir out\ncd out\n```\n\nthen\n\n```sh\ncmake ..\nmake\n```\n"
    const oneLine = "```sh\nmkdir out && cd out\ncmake ..\nmake\n```\n"
    const whole = "```sh\nmkdir out && cd out && cmake .. && make\n```\n"
    for (const readme of [apart, oneLine, whole])
      assert.deepStrictEqual(commandsIn({ ...cmake, "README.md": readme }, "build"), expected, readme)
    const within = "```sh\ncmake .\nmake\n```\n"
    assert.deepStrictEqual(commandsIn({ ...cmake, "README.md": within }, "build"), ["cmake . && make"])
  })

  it("a remark behind the command is none of it", () => {
    const text = "    mkdir out\n    cd out\n    cmake ..\n    make\n    make install (as superuser)\n"
    assert.deepStrictEqual(commandsIn({ ...cmake, README: text }, "use"), ["make -C out install"])
  })
})

describe("What is not there is not asked", () => {
  it("a `Makefile.PL` that declares nothing is no build of Perl", () => {
    assert.deepStrictEqual(commandsIn({ "Makefile.PL": 'exec "./configure";\n' }, "install"), [])
    assert.deepStrictEqual(commandsIn({ "Makefile.PL": "WriteMakefile(NAME => 'Kettle');\n" }, "install"), [
      "cpanm --installdeps ."
    ])
  })

  it("Go and Maven are asked to test where there is a test", () => {
    for (const [manifest, text, test, command] of [
      ["go.mod", "module example.org/kettle\n", "boil_test.go", "go test ./..."],
      ["pom.xml", "<project></project>\n", "src/test/java/BoilTest.java", "mvn test"]
    ] as const) {
      assert.deepStrictEqual(commandsIn({ [manifest]: text }, "test"), [])
      assert.include(commandsIn({ [manifest]: text, [test]: "" }, "test"), command)
    }
  })

  it("Make's first rule builds where it compiles, whatever its name, and no other build is there", () => {
    const makefile = "kettle: kettle.o\n\t$(CC) -o $@ $^\n"
    assert.deepStrictEqual(commandsIn({ Makefile: makefile }, "build"), ["make"])
    const withMaven = commandsIn({ Makefile: makefile, "pom.xml": "<project></project>\n" }, "build")
    assert.deepStrictEqual(withMaven, ["mvn package"])
    assert.deepStrictEqual(
      commandsIn({ Makefile: "help:\n\t@echo boil\nkettle.o: kettle.c\n\tcc -c $<\n" }, "build"),
      []
    )
  })
})

describe("One test, and releases", () => {
  it("a recipe that takes a test from a variable is asked for one", () => {
    const makefile = "test:\n\t./runner $(TEST)\n"
    assert.deepStrictEqual(commandsIn({ Makefile: makefile }, "test_file"), ["make test TEST=<path of the test>"])
    assert.deepStrictEqual(commandsIn({ Makefile: `TEST = suite\n${makefile}` }, "test_file"), [])
    assert.deepStrictEqual(commandsIn({ Makefile: "test:\n\t./$(TEST)\n" }, "test_file"), [])
  })

  it("a task of Gradle and a script called `dist` make a release", () => {
    const gradle = 'plugins { id "java" }\ntask publishRelease { }\ntask releaseNotes { }\ntask docs { }\n'
    assert.deepStrictEqual(commandsIn({ "build.gradle": gradle }, "release"), ["gradle publishRelease"])
    assert.deepStrictEqual(commandsIn({ "scripts/mkdist.py": "" }, "release"), ["scripts/mkdist.py"])
    assert.deepStrictEqual(commandsIn({ "scripts/distance.py": "" }, "release"), [])
  })

  it("a workflow that only tests what was tagged releases nothing", () => {
    const workflow = (run: string) => `on:\n  push:\n    tags: ["v*"]\njobs:\n  a:\n    steps:\n      - run: ${run}\n`
    const path = ".github/workflows/tagged.yml"
    assert.deepStrictEqual(releaseSteps(surveyOf({ [path]: workflow("cargo test") })), [])
    assert.lengthOf(releaseSteps(surveyOf({ [path]: workflow("./ship.sh") })), 1)
  })

  it("a document for maintainers that announces a release lists its steps", () => {
    const text =
      "These instructions are for building a new kettle\nrelease.\n\n  1. Edit the version number in NEWS\n  2. Tag it, and upload it\n"
    assert.isNotEmpty(releaseSteps(surveyOf({ "README.MAINTAINERS": text })))
    assert.isEmpty(releaseSteps(surveyOf({ "README.MAINTAINERS": text.replace("a new kettle\nrelease", "the lid") })))
  })
})
