import { assert, describe, it } from "vitest"
import { ordered, type Purpose } from "../../../../src/engine/discovery/commands/Command.ts"
import { commandGuides, statedAt } from "../../../../src/engine/discovery/commands/commandGuides.ts"
import { isAsideHeading } from "../../../../src/engine/discovery/commands/headings.ts"
import { commandsOf } from "../../../../src/engine/discovery/commands.ts"
import { surveyOf } from "../../../support/survey.ts"

const given = (texts: Readonly<Record<string, string>>, purpose: Purpose, observed = {}) =>
  ordered(commandsOf(surveyOf(texts, observed)), purpose).map(
    ({ command, folder }) => `${folder === "" ? "" : `${folder}$ `}${command}`
  )

describe("The section that a command stands in", () => {
  it("one for one system, for trouble or for another choice is aside; one for most systems is not", () => {
    const asides = [
      "Building on Debian",
      "Arch Linux",
      "macOS notes",
      "Troubleshooting",
      "Reporting bugs",
      "With Docker"
    ]
    assert.deepStrictEqual(asides.filter(isAsideHeading), asides)
    const whole = ["Building", "Linux and macOS", "Architecture", "Running the tests", "Unix"]
    assert.deepStrictEqual(whole.filter(isAsideHeading), [])
  })

  it("what stands under one for a system comes after what is for all, and says so", () => {
    const readme = [
      "# Kettle",
      "## Building",
      "### Windows",
      "    cmake -B build -G Ninja && cmake --build build",
      "### From source",
      "    cmake -B out && cmake --build out"
    ].join("\n")
    const texts = { "README.md": readme, "CMakeLists.txt": "project(kettle)\n" }
    assert.deepStrictEqual(given(texts, "build"), [
      "cmake -B out && cmake --build out",
      "cmake -B build -G Ninja && cmake --build build"
    ])
    const shown = ordered(commandsOf(surveyOf(texts)), "build").map(statedAt)
    assert.match(shown[1]!, /\(`README\.md:4`, under “Windows”\)$/)
    assert.match(shown[0]!, /\(`README\.md:6`\)$/)
  })

  it("a command that is only under one for a system comes after the usual one", () => {
    const readme = "# Kettle\n## Building on macOS\n    cmake -B build -DBREW=1 && cmake --build build\n"
    const cmake = { "CMakeLists.txt": "project(kettle)\n" }
    assert.strictEqual(given({ ...cmake, "README.md": readme }, "build")[0], "cmake -B build && cmake --build build")
    const general = readme.replace(" on macOS", "")
    assert.strictEqual(
      given({ ...cmake, "README.md": general }, "build")[0],
      "cmake -B build -DBREW=1 && cmake --build build"
    )
  })

  it("the title of a document is for the whole, whatever it names", () => {
    const readme = "# Kettle for Windows\n\n    cargo build --release\n"
    assert.strictEqual(given({ "Cargo.toml": "[package]\n", "README.md": readme }, "build")[0], "cargo build --release")
  })

  it("what GNU's general instructions say of other systems gives way to their first way", () => {
    const text = [
      "Basic Installation",
      "==================",
      "",
      "   The shell command `./configure && make && make install' should",
      "install this package.",
      "",
      "Particular systems",
      "==================",
      "",
      "     ./configure --prefix=/boot/common"
    ].join("\n")
    const texts = { INSTALL: text, configure: "", "configure.ac": "" }
    assert.strictEqual(given(texts, "build")[0], "./configure && make")
    assert.deepStrictEqual(given(texts, "use"), ["make install"])
  })
})

describe("The folder of a command", () => {
  it("an item of a list that leads to a folder holds for the items after it, until the list ends", () => {
    const guide = [
      "* Program",
      "   1. `cd common`",
      "   2. `./configure && make`",
      "   3. Run the tests with `make test`",
      "* Pages",
      "",
      "Then say `make lint`."
    ].join("\n")
    const texts = {
      "CONTRIBUTING.md": guide,
      "common/configure": "",
      "common/Makefile.in": "",
      Makefile: "lint:\n\tshellcheck common\n"
    }
    assert.deepStrictEqual(given(texts, "build"), ["common$ ./configure && make"])
    assert.deepStrictEqual(given(texts, "test"), ["common$ make test"])
    assert.deepStrictEqual(given(texts, "lint"), ["make lint"])
  })

  it("CMake's build folder is kept with its choices, and for the `make` that a later section asks", () => {
    const install = [
      "# Build",
      "```",
      "mkdir build",
      "cd build",
      "cmake -DWITH_ALL=ON ..",
      "make",
      "```",
      "# Testing",
      "```",
      'make test ARGS+="--output-on-failure"',
      "```"
    ].join("\n")
    const cmake = { "INSTALL.md": install, "CMakeLists.txt": "project(kettle)\n" }
    assert.deepStrictEqual(given(cmake, "build"), ["cmake -DWITH_ALL=ON -S . -B build && make -C build"])
    assert.deepStrictEqual(given(cmake, "test"), ['make -C build test ARGS+="--output-on-failure"'])
    const withMakefile = { ...cmake, Makefile: "test:\n\tctest\n" }
    assert.include(given(withMakefile, "test"), 'make test ARGS+="--output-on-failure"')
  })
})

describe("The folder that Meson builds in", () => {
  it("is kept for what is said within it and asked of Ninja later", () => {
    const readme =
      "```\nmeson _build\ncd _build\nninja\n```\n\nInstall it with:\n\n```\nninja install\n```\n\n    meson ... -Dtests=on\n"
    const texts = { "README.md": readme, "meson.build": "project('kettle')\n" }
    assert.deepStrictEqual(given(texts, "build"), ["meson _build && ninja -C _build"])
    assert.deepStrictEqual(given(texts, "use"), ["ninja -C _build install"])
  })

  it("one that is there is no folder of a build", () => {
    const readme = "```\nmeson setup out\ncd lib\nninja\n```\n"
    const texts = { "README.md": readme, "meson.build": "project('kettle')\n", "lib/build.ninja": "" }
    assert.include(given(texts, "build"), "lib$ ninja")
  })
})

describe("What works in a fresh checkout", () => {
  it("packages are installed before a script of the package is run", () => {
    const manifest = '{"scripts": {"bootstrap": "lerna bootstrap"}, "devDependencies": {"lerna": "3"}}'
    assert.deepStrictEqual(given({ "package.json": manifest, "package-lock.json": "{}" }, "install"), [
      "npm ci",
      "npm run bootstrap"
    ])
  })

  it("a program that is installed for all of the machine is no installation of what the code needs", () => {
    const pipeline = (line: string) => ({ "package.json": "{}", ".travis.yml": `install:\n  - ${line}\n` })
    assert.notInclude(given(pipeline("npm install -g grunt-cli"), "install"), "npm install -g grunt-cli")
    assert.include(given(pipeline("npm install --no-audit"), "install"), "npm install --no-audit")
  })

  it("an installation by a lock file is none without it", () => {
    const pipeline = (line: string) => ({ "package.json": "{}", ".travis.yml": `install:\n  - ${line}\n` })
    assert.notInclude(given(pipeline("npm ci"), "install"), "npm ci")
    assert.strictEqual(
      given({ ...pipeline("npm ci --no-audit"), "package-lock.json": "{}" }, "install")[0],
      "npm ci --no-audit"
    )
    const frozen = "pnpm install --frozen-lockfile"
    assert.notInclude(given(pipeline(frozen), "install"), frozen)
    assert.include(given({ ...pipeline(frozen), "pnpm-lock.yaml": "" }, "install"), frozen)
  })

  it("a tool without its settings is not asked", () => {
    const texts = { "Makefile.PL": "WriteMakefile();", "CONTRIBUTING.md": "    dzil build\n    dzil test\n" }
    assert.deepStrictEqual(given(texts, "build"), ["perl Makefile.PL && make"])
    assert.strictEqual(given({ ...texts, "dist.ini": "name = Kettle\n" }, "build")[0], "dzil build")
  })

  it("one test of a runner is not shown where a task or a browser runs the tests", () => {
    const test = {
      "test/a.test.js": { sites: [{ kind: "test" as const, shape: "it", line: 1, end: 2, symbol: "boils" }] }
    }
    const files = (script: string) =>
      given(
        { "package.json": `{"scripts": {"test": "${script}"}, "devDependencies": {"mocha": "6"}}` },
        "test_file",
        test
      )
    assert.deepStrictEqual(files("grunt test"), [])
    assert.deepStrictEqual(files("karma start"), [])
    assert.deepStrictEqual(files("npm run unit"), ["npx mocha test/a.test.js"])
  })

  it("a program that a sentence only mentions is not how the product is run; one that it says to run is", () => {
    const program = { "Cargo.toml": '[package]\nname = "kettle"\n' }
    assert.deepStrictEqual(
      given({ ...program, "README.md": "You need an editor for `kettle edit`.\n\n    kettle pour tea\n" }, "run"),
      ["kettle pour tea", "kettle edit"]
    )
    assert.strictEqual(
      given({ ...program, "README.md": "Run `kettle brew` to begin.\n\n    kettle pour tea\n" }, "run")[0],
      "kettle brew"
    )
  })

  it("what only makes a report of a pipeline's command is left off", () => {
    const pipeline = "jobs:\n  test:\n    steps:\n      - run: go test -race ./... | go2xunit -output out.xml\n"
    const texts = { "main.go": "package main\n", ".circleci/config.yml": pipeline }
    assert.include(given(texts, "test"), "go test -race ./...")
  })

  it("tests that are built only with an option are asked for with it", () => {
    const tests = (state: string) =>
      given(
        {
          "CMakeLists.txt": `project(kettle)\noption(WITH_TESTS "Build the tests" ${state})\nif(WITH_TESTS)\n  enable_testing()\nendif()\n`
        },
        "test"
      )
    assert.deepStrictEqual(tests("OFF"), [
      "cmake -B build -DWITH_TESTS=ON && cmake --build build && ctest --test-dir build"
    ])
    assert.deepStrictEqual(tests("ON"), ["ctest --test-dir build"])
    const list = (...lines: ReadonlyArray<string>) =>
      given({ "CMakeLists.txt": ["project(kettle)", ...lines].join("\n") }, "test")
    assert.deepStrictEqual(
      list(
        'option(BUILD_TESTS "tests" OFF)',
        "enable_testing()",
        "if(BUILD_TESTS)",
        "add_subdirectory(units)",
        "endif()"
      ),
      ["cmake -B build -DBUILD_TESTS=ON && cmake --build build && ctest --test-dir build"]
    )
    assert.deepStrictEqual(list("if(KETTLE_TESTS)", "enable_testing()", "endif()"), [
      "cmake -B build -DKETTLE_TESTS=ON && cmake --build build && ctest --test-dir build"
    ])
    assert.deepStrictEqual(list("include(CTest)", "if(BUILD_TESTING)", "enable_testing()", "endif()"), [
      "ctest --test-dir build"
    ])
    assert.deepStrictEqual(
      list(
        'option(GUI_SPEED_TESTS "slow" OFF)',
        "enable_testing()",
        "if(GUI_SPEED_TESTS)",
        "add_library(x y)",
        "endif()"
      ),
      ["ctest --test-dir build"]
    )
  })

  it("a service that is called `build` builds nothing; a service that is built runs the product", () => {
    const compose = (services: string) => given({ "docker-compose.yml": `services:\n${services}` }, "run")
    assert.deepStrictEqual(compose("  build:\n    image: example/tools\n"), [])
    assert.deepStrictEqual(compose("  web:\n    build: .\n"), ["docker compose up"])
  })

  it("what is asked of a program about itself, or on a page about bugs, does not start it", () => {
    const program = { "Cargo.toml": '[package]\nname = "kettle"\n' }
    const readme = "# Usage\n\n    kettle --compile-info\n    kettle pour\n\n# Reporting bugs\n\n    kettle trace\n"
    assert.deepStrictEqual(given({ ...program, "README.md": readme }, "run"), ["kettle pour"])
  })

  it("one version of the language comes after all of the tests", () => {
    const guide = "Run `tox -e py27`, or:\n\n    tox\n"
    const texts = { "CONTRIBUTING.md": guide, "tox.ini": "[tox]\n", "setup.py": "setup()\n" }
    assert.deepStrictEqual(given(texts, "test").slice(0, 2), ["tox", "tox -e py27"])
  })

  it("a file of tests that `prove` is given is one file, said where it lies", () => {
    const texts = { "t/README": "    prove t/smart-http\n", "t/smart-http": "" }
    assert.deepStrictEqual(given(texts, "test_file"), ["prove t/smart-http"])
    assert.deepStrictEqual(given({ "CONTRIBUTING.md": "    prove -lr t/\n", "t/a.t": "" }, "test"), ["prove -lr t/"])
  })

  it("a linter of a chart is not that of the code", () => {
    const manifest = '{"scripts": {"helm-lint": "helm lint chart", "lint": "eslint ."}}'
    assert.deepStrictEqual(given({ "package.json": manifest }, "lint"), ["npm run lint"])
  })
})

describe("The guide", () => {
  it("says how the whole is installed before what one system needs", () => {
    const readme =
      "# Kettle\n## Building on Ubuntu 16.04\n    sudo apt install gcc-8 clang-9\n## Install\n    sudo make install\n"
    const survey = surveyOf({ "README.md": readme, Makefile: "install:\n\tcp kettle $(DESTDIR)/usr/bin\n" })
    const texts = commandGuides(survey, commandsOf(survey)).find(({ slug }) => slug === "install")!.items
    assert.match(texts[0]!.text, /`sudo make install`/)
    assert.match(texts[1]!.text, /gcc-8.*under “Building on Ubuntu 16\.04”/)
  })
})

describe("The same command, stated twice", () => {
  const manifest = '{"scripts": {"test": "node --test", "check": "tsc"}}'

  it("is given once, in the form of the place that comes first, also under its other name", () => {
    const readme = "# Kettle\n\n## Tests\n\n    npm run test\n"
    assert.deepStrictEqual(given({ "package.json": manifest, "README.md": readme }, "test"), ["npm test"])
  })

  it("is another one with another argument", () => {
    const readme = "# Kettle\n\n## Tests\n\n    npm test -- --watch=false\n"
    assert.deepStrictEqual(given({ "package.json": manifest, "README.md": readme }, "test"), [
      "npm test",
      "npm test -- --watch=false"
    ])
  })
})
