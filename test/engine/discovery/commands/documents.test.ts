import { assert, describe, it } from "vitest"
import { commandGuides } from "../../../../src/engine/discovery/commands/commandGuides.ts"
import { triggersOf } from "../../../../src/engine/discovery/commands/releases.ts"
import { shellIn } from "../../../../src/engine/discovery/commands/shellIn.ts"
import { commandsOf } from "../../../../src/engine/discovery/commands.ts"
import { surveyOf } from "../../../support/survey.ts"

const stated = (texts: Readonly<Record<string, string>>) =>
  commandsOf(surveyOf(texts))
    .filter(({ origin }) => origin !== "convention")
    .map(
      ({ purpose, command, folder, path, line }) =>
        `${purpose}: ${folder === "" ? "" : `${folder}$ `}${command} @ ${path}:${line}`
    )

describe("Commands of documents", () => {
  it("shell is read from fences, literal blocks and indented blocks, over continued lines, without prompts", () => {
    const lines = shellIn(
      [
        "# Build",
        "```console",
        "$ cd shop/api",
        "$ make build # all of it",
        "```",
        "```python",
        "import os",
        "```",
        "Run::",
        "",
        "   pytest \\",
        "     -x",
        "",
        "Then `npm test` or `tox`, see `README`."
      ].join("\n")
    )
    assert.deepStrictEqual(
      lines.map(({ text, line, folder }) => [text, line, folder]),
      [
        ["make build", 4, "shop/api"],
        ["pytest -x", 11, ""],
        ["npm test", 14, ""],
        ["tox", 14, ""]
      ]
    )
  })

  it("what the repository cannot run is left out: another project's make, a script that is gone", () => {
    const text = "```\nmake -j8\nnpm run gone\nnpm run lint\n./scripts/gone.sh\ncargo build\n```\n"
    assert.deepStrictEqual(stated({ "README.md": text, "package.json": '{"scripts": {"lint": "eslint ."}}' }), [
      "lint: npm run lint @ package.json:1",
      "lint: npm run lint @ README.md:4"
    ])
  })

  it("a line that starts a program of the repository's own runs it; one that asks it for help does not", () => {
    const text =
      "```\nkettle --help\nkettle 1.2.0 built with rust\nkettle boil tea\nother boil tea\nkettle list | sort\n```\n"
    assert.deepStrictEqual(stated({ "README.md": text, "Cargo.toml": '[package]\nname = "kettle"\n' }), [
      "run: kettle boil tea @ README.md:4"
    ])
  })

  it("what is built in the clone of another repository is a need, no build; another image's container runs nothing", () => {
    const text =
      "```\ngit clone https://host.example/org/sqlite\ncd sqlite\nmake\n```\n\n```\ngit clone https://host.example/org/kettle.git\ncd kettle\ncargo build\n```\n\n```\ndocker run -it ubuntu sh\n```\n"
    const files = { "README.md": text, "Cargo.toml": '[package]\nname = "kettle"\n', Makefile: "" }
    assert.deepStrictEqual(stated(files), ["build: cargo build @ README.md:10"])
  })

  it("in a text without markup little indentation marks a command", () => {
    const files = {
      INSTALL: "Building\n\n  % ./configure\n  % make\n  # make install\n",
      configure: "",
      "configure.ac": ""
    }
    assert.deepStrictEqual(stated(files), ["build: ./configure && make @ INSTALL:3", "use: make install @ INSTALL:5"])
  })

  it("tasks of Rake have the names of the namespaces around them", () => {
    const text =
      "namespace :docker do\n  namespace :test do\n    task :lint do\n    end\n  end\n  task build: [:base] do\n  end\nend\n"
    assert.deepStrictEqual(stated({ Rakefile: text }), [
      "lint: rake docker:test:lint @ Rakefile:3",
      "build: rake docker:build @ Rakefile:6"
    ])
  })

  it("steps keep their order, and the folder that a `cd` before them leads to; prose is no command", () => {
    const text =
      "```\ncmake -B build .\nmake\n```\n\n    prove it does not fail\n\n```\ncd web && npm ci && npm test\nmvn -Dmaven.test.skip=true package\n```\n"
    const files = {
      "README.md": text,
      "CMakeLists.txt": "",
      "pom.xml": "",
      "web/package.json": '{"scripts": {"test": "vitest run"}}',
      "web/package-lock.json": "{}"
    }
    assert.deepStrictEqual(
      stated(files).filter((line) => line.includes("README.md")),
      [
        "build: cmake -B build . && make @ README.md:2",
        "install: web$ npm ci @ README.md:9",
        "test: web$ npm test @ README.md:9",
        "build: mvn -Dmaven.test.skip=true package @ README.md:10"
      ]
    )
  })

  it("containers that tests, a dashboard or a need of the code start are no way to install or run the product", () => {
    const services = (...lines: ReadonlyArray<string>) => `services:\n${lines.map((line) => `  ${line}\n`).join("")}`
    assert.deepStrictEqual(
      stated({
        "tools/board/docker-compose.yml": services("grafana:", "  image: grafana"),
        "docker-compose.yml": services("old:", "  build:", "    context: .", "    dockerfile: test/docker/old")
      }),
      []
    )
    assert.deepStrictEqual(stated({ "compose.yaml": services("db:", "  image: postgres") }), [])
    assert.deepStrictEqual(stated({ "compose.yaml": services("web:", "  build: .") }), [
      "run: docker compose up @ compose.yaml:1"
    ])
  })

  it("installing what is published is not installing what the code needs", () => {
    const text = "```\npip install shop\npip install other\npip install -e .[dev]\n```\n"
    assert.deepStrictEqual(stated({ "README.md": text, "pyproject.toml": '[project]\nname = "shop"\n' }), [
      "use: pip install shop @ README.md:2",
      "install: pip install -e .[dev] @ README.md:4"
    ])
  })

  it("`cd` leads to the folder of the checkout that it means", () => {
    const text = "```\ngit clone https://example.com/shop.git\ncd shop/api\ngo build\n```\n"
    assert.deepStrictEqual(stated({ "CONTRIBUTING.md": text, "api/go.mod": "module a\n" }), [
      "build: api$ go build @ CONTRIBUTING.md:4"
    ])
  })
})

describe("Commands of pipelines", () => {
  const workflow = [
    "on:",
    "  push:",
    "    tags: ['v*']",
    "defaults:",
    "  run:",
    "    working-directory: api",
    "jobs:",
    "  test:",
    "    steps:",
    "      - run: go vet ./...",
    "      - name: Test",
    "        working-directory: ./cli",
    "        run: |",
    "          echo start",
    "          go test \\",
    "            -race ./...",
    "      - run: go test -run TestOne ./...",
    "      - run: docker push ${{ env.IMAGE }}",
    "      - uses: goreleaser/goreleaser-action@v6"
  ].join("\n")
  const path = ".github/workflows/release.yml"

  it("steps have their folder and their line; one test, a program and an expression are no advice", () => {
    assert.deepStrictEqual(stated({ [path]: workflow, "api/go.mod": "module a\n" }), [
      `lint: api$ go vet ./... @ ${path}:10`,
      `test: cli$ go test -race ./... @ ${path}:15`,
      `release: api$ uses: goreleaser/goreleaser-action@v6 @ ${path}:19`
    ])
  })

  it("what starts a release is named", () => {
    assert.deepStrictEqual(triggersOf(workflow), { words: ["pushed tags `v*`"], line: 1 })
    assert.deepStrictEqual(triggersOf("on: [push, workflow_dispatch]"), { words: ["push", "a start by hand"], line: 1 })
  })
})

describe("The guides of commands", () => {
  const guidesOf = (texts: Readonly<Record<string, string>>) => {
    const survey = surveyOf(texts)
    return new Map(
      commandGuides(survey, commandsOf(survey)).map(({ slug, items }) => [slug, items.map(({ text }) => text)])
    )
  }

  it("say what the pipeline runs instead of what people are given to run", () => {
    const guides = guidesOf({
      Makefile: "test:\n\tgo test ./...\n",
      "go.mod": "module a\n",
      ".github/workflows/ci.yml": "on: push\njobs:\n  a:\n    steps:\n      - run: go test -race ./...\n"
    })
    assert.deepStrictEqual(guides.get("test"), [
      "All: `make test`: `go test ./...` (`Makefile:1`)",
      "All: the pipeline runs `go test -race ./...` (`.github/workflows/ci.yml:5`)",
      "The pipeline does not run `make test` but what is listed for it (first: `.github/workflows/ci.yml:5`)."
    ])
  })

  it("quote the steps of a release", () => {
    const guides = guidesOf({
      "CONTRIBUTING.md":
        "# Work\n\nText.\n\n## Making a release\n\n1. Raise the version\n   in two files.\n   - one\n2. Push a tag.\n\n## More\n\n1. No.\n",
      "CHANGELOG.md": ""
    })
    assert.deepStrictEqual(guides.get("release"), [
      "“Raise the version in two files. - one” (`CONTRIBUTING.md:7`)",
      "“Push a tag.” (`CONTRIBUTING.md:10`)",
      "What changed is written down in `CHANGELOG.md`."
    ])
  })
})
