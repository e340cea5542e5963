import { assert, describe, it } from "vitest"
import { ordered } from "../../../../src/engine/discovery/commands/Command.ts"
import { shellParts } from "../../../../src/engine/discovery/commands/programs/startedFiles.ts"
import { commandsOf, type Purpose } from "../../../../src/engine/discovery/commands.ts"
import { surveyOf } from "../../../support/survey.ts"

type Texts = Readonly<Record<string, string>>

const commandsIn = (texts: Texts, purpose: Purpose): ReadonlyArray<string> =>
  ordered(commandsOf(surveyOf({ "kettle.py": "x = 1\n", ...texts })), purpose).map(({ command }) => command)

const step = (line: string): Texts => ({
  ".github/workflows/ci.yml": `on: pull_request\njobs:\n  a:\n    steps:\n      - run: ${line}\n`
})
const guide = (line: string, heading = "Develop"): Texts => ({
  "CONTRIBUTING.md": `# Kettle\n\n## ${heading}\n\n\`\`\`sh\n${line}\n\`\`\`\n`
})

/** The same line as each kind of evidence states it. */
const everywhere = (name: string, line: string): ReadonlyArray<Texts> => [
  guide(line),
  step(line),
  { Makefile: `${name}:\n\t${line}\n` },
  { justfile: `${name}:\n    ${line}\n` },
  { "Taskfile.yml": `version: '3'\n\ntasks:\n  ${name}:\n    cmds:\n      - ${line}\n` },
  { "tox.ini": `[testenv:${name}]\ncommands =\n    ${line}\n` },
  { "pyproject.toml": `[tool.poe.tasks]\n${name} = "${line}"\n` },
  { "package.json": JSON.stringify({ name: "kettle", scripts: { [name]: line } }) },
  { "composer.json": JSON.stringify({ scripts: { [name]: line } }) }
]

describe("What a command runs, whatever states it", () => {
  it("has to be there: settings, tests, a script, a folder", () => {
    for (const [name, purpose, line, file] of [
      ["lint", "lint", "eslint .", ".eslintrc.json"],
      ["lint", "lint", "pre-commit run --all-files", ".pre-commit-config.yaml"],
      ["test", "test", "pytest", "tests/test_tea.py"],
      ["test", "test", "pytest tests/unit", "tests/unit/test_tea.py"],
      ["test", "test", "./hack/test.sh", "hack/test.sh"],
      ["lint", "lint", "ruff check spec", "spec/a.py"]
    ] as const)
      for (const texts of everywhere(name, line)) {
        const where = `${line} in ${Object.keys(texts)[0]}`
        assert.deepStrictEqual(commandsIn(texts, purpose), [], where)
        assert.isNotEmpty(commandsIn({ ...texts, [file]: "" }, purpose), where)
      }
  })

  it("counts in full, also behind what is shown of it", () => {
    const long = `${Array.from({ length: 12 }, (_, n) => `echo boiling the water of pot ${n}`).join(" && ")} && pytest spec`
    for (const texts of everywhere("test", long).slice(2)) {
      assert.deepStrictEqual(commandsIn(texts, "test"), [], Object.keys(texts)[0])
      assert.lengthOf(commandsIn({ ...texts, "spec/test_a.py": "" }, "test"), 1, Object.keys(texts)[0])
    }
  })

  it("is not held against it where a test of the shell decides, or where it may fail", () => {
    for (const line of [
      "[ -d spec ] && pytest spec; pytest",
      "pytest spec || true",
      "-pytest spec",
      "@if [ -d spec ]; then pytest spec; fi",
      "@for one in spec; do pytest $$one; done"
    ])
      assert.deepStrictEqual(
        commandsIn({ Makefile: `test:\n\t${line}\n\tpytest\n`, "tests/test_a.py": "" }, "test"),
        ["make test"],
        line
      )
    const chosen = "test:\nifdef SPEC\n\tpytest spec\nelse\n\tpytest\nendif\n"
    assert.deepStrictEqual(commandsIn({ Makefile: chosen, "tests/test_a.py": "" }, "test"), ["make test"])
    const script = "test:\n    #!/usr/bin/env bash\n    cd boil\n    pytest spec\n"
    assert.deepStrictEqual(commandsIn({ justfile: script, "boil/tests/test_a.py": "" }, "test"), ["just test"])
  })

  it("is looked for in the folder that a `cd` before it leads to", () => {
    const texts = { Makefile: "test:\n\tcd boil && pytest spec && cd .. && ./hack/boil.sh\n", "hack/boil.sh": "" }
    assert.deepStrictEqual(commandsIn({ ...texts, "spec/test_a.py": "", "boil/a.py": "" }, "test"), [])
    assert.deepStrictEqual(commandsIn({ ...texts, "boil/spec/test_a.py": "" }, "test"), ["make test"])
    // Of a folder that a build makes nothing is known.
    const built = { Makefile: "test:\n\tcd build && ../hack/boil.sh && sh spec/run.sh\n", "hack/boil.sh": "" }
    assert.deepStrictEqual(commandsIn(built, "test"), ["make test"])
    assert.deepStrictEqual(
      shellParts("a", "(cd b && make) && make x; (cd ../c; (cd d && ls)); pwd").map(
        ({ line, folder }) => `${folder}: ${line}`
      ),
      ["a: cd b", "a/b: make", "a: make x", "a: cd ../c", "c: cd d", "c/d: ls", "a: pwd"]
    )
  })

  it("has no file of Node that only exports", () => {
    const observed = { "index.js": { exportsAlone: 1 } }
    for (const texts of everywhere("start", "node index.js").filter(
      (one) => !("tox.ini" in one) && !Object.keys(one)[0]!.startsWith(".")
    )) {
      const runs = (more: Parameters<typeof surveyOf>[1]) =>
        ordered(commandsOf(surveyOf({ "kettle.py": "", "index.js": "", ...texts }, more)), "run")
      assert.isEmpty(runs(observed), Object.keys(texts)[0])
      assert.isNotEmpty(runs({}), Object.keys(texts)[0])
    }
  })
})

describe("What a program is to read", () => {
  const targetOf = (line: string): Texts => ({ Makefile: `lint:\n\t${line}\n` })

  it("has to be there: settings, requirements, sources", () => {
    for (const [line, file] of [
      ["tsc -p tsconfig.check.json", "tsconfig.check.json"],
      ["prettier --config pretty.json .", "pretty.json"],
      ["pylint --rcfile=pylintrc.ini kettle", "pylintrc.ini"],
      ["pip install -r requirements-dev.txt", "requirements-dev.txt"],
      ["docker compose -f tea.yml up", "tea.yml"],
      ["cargo check --manifest-path pot/Cargo.toml", "pot/Cargo.toml"],
      ["go run boil.go", "boil.go"],
      ["streamlit run pages.py", "pages.py"],
      ["flake8 src examples", "examples/a.py"]
    ] as const) {
      const texts = { ...targetOf(line), "src/kettle.py": "" }
      assert.deepStrictEqual(commandsIn(texts, "lint"), [], line)
      assert.deepStrictEqual(commandsIn({ ...texts, [file]: "" }, "lint"), ["make lint"], line)
    }
  })

  it("may be made, lie elsewhere, or be no file", () => {
    for (const line of [
      "tsc -p .",
      "tsc -p dist/tsconfig.json",
      "pip install -r ../requirements.txt",
      "mkdir spec && prettier --config spec/pretty.json .",
      "jest -c '{}'",
      "pylint --rcfile=$(RC) kettle",
      "pytest -k src --cov=examples"
    ])
      assert.deepStrictEqual(commandsIn({ ...targetOf(line), "tests/test_a.py": "" }, "lint"), ["make lint"], line)
  })

  it("settings are needed by tools that do nothing without", () => {
    for (const [line, file] of [
      ["playwright test", "playwright.config.ts"],
      ["ng lint", "angular.json"],
      ["nx run-many -t lint", "nx.json"],
      ["mdbook test", "docs/book.toml"],
      ["sqlc generate", "sqlc.yaml"],
      ["alembic check", "alembic.ini"]
    ] as const) {
      assert.deepStrictEqual(commandsIn(targetOf(line), "lint"), [], line)
      assert.deepStrictEqual(commandsIn({ ...targetOf(line), [file]: "" }, "lint"), ["make lint"], line)
    }
  })

  it("a module of Python is one of the tree where a server or an interpreter starts it", () => {
    const started = (line: string, files: Texts = {}) =>
      commandsIn({ Makefile: `serve:\n\t${line}\n`, ...files }, "run")
    for (const [line, file] of [
      ["uvicorn pot:app --reload", "pot.py"],
      ["gunicorn -w 4 pot:make()", "src/pot/__init__.py"],
      ["flask --app pot run", "pot/__init__.py"],
      ["celery -A pot worker", "pot.py"]
    ] as const) {
      assert.notInclude(started(line), "make serve", line)
      assert.include(started(line, { [file]: "" }), "make serve", line)
    }
    assert.notInclude(started("python -m pot.boil", { "pot/a.py": "" }), "make serve")
    for (const file of ["pot/boil.py", "src/pot/boil/__main__.py"])
      assert.include(started("python3 -m pot.boil", { "pot/a.py": "", [file]: "" }), "make serve", file)
    // Modules of other packages.
    for (const line of [
      "python -m http.server",
      "python -m flask run",
      "gunicorn tea.wsgi:app",
      "uvicorn --app-dir x pot:app"
    ])
      assert.include(started(line), "make serve", line)
  })

  it("Cargo has the program, the example or the file of tests that it is asked for", () => {
    const crate = { "Cargo.toml": '[package]\nname = "kettle"\n\n[[example]]\nname = "steep"\npath = "steep.rs"\n' }
    const runs = (line: string, files: Texts = {}) => commandsIn({ ...crate, ...guide(line), ...files }, "run")
    assert.deepStrictEqual(runs("cargo run --example pour"), [])
    for (const file of ["examples/pour.rs", "crates/lid/examples/pour/main.rs"])
      assert.deepStrictEqual(runs("cargo run --example pour", { [file]: "" }), ["cargo run --example pour"], file)
    assert.deepStrictEqual(runs("cargo run --example steep"), ["cargo run --example steep"])
    assert.deepStrictEqual(runs("cargo run --bin kettle -- --example pour"), [
      "cargo run --bin kettle -- --example pour"
    ])
    assert.deepStrictEqual(runs("cargo run --bin lid"), [])
  })

  it("`test` that only lints is the linter, and one that does more tests", () => {
    const scripts = (test: string): Texts => ({
      "package.json": JSON.stringify({ name: "kettle", scripts: { test } }),
      ".eslintrc": ""
    })
    for (const test of ["eslint .", "standard", "npx eslint . && npx stylelint --config s.json ."]) {
      assert.deepStrictEqual(commandsIn({ ...scripts(test), "s.json": "" }, "test"), [], test)
      assert.deepStrictEqual(commandsIn({ ...scripts(test), "s.json": "" }, "lint"), ["npm test"], test)
    }
    for (const test of ["eslint . && node check.js", "eslint . && tsd"])
      assert.deepStrictEqual(commandsIn({ ...scripts(test), "check.js": "" }, "test"), ["npm test"], test)
  })
})

describe("What is asked for by a name", () => {
  it("has to be named in a file that the program reads", () => {
    for (const [line, file, text, purpose] of [
      ["just lint", "justfile", "lint:\n    ruff check .\n", "lint"],
      ["task lint", "Taskfile.yml", "version: '3'\ntasks:\n  lint:\n    cmds:\n      - ruff check .\n", "lint"],
      ["tox -e lint", "tox.ini", "[testenv:lint]\ncommands = ruff check .\n", "lint"],
      [
        "nox -s lint",
        "noxfile.py",
        '@nox.session\ndef lint(session):\n    session.run("ruff", "check", ".")\n',
        "lint"
      ],
      ["composer lint", "composer.json", '{"scripts": {"lint": "ruff check ."}}', "lint"],
      ["deno task lint", "deno.json", '{"tasks": {"lint": "ruff check ."}}', "lint"],
      ["poe lint", "pyproject.toml", '[tool.poe.tasks]\nlint = "ruff check ."\n', "lint"],
      ["ant javadoc", "build.xml", '<project><target name="javadoc"/></project>', "docs"],
      ["rake docs", "Rakefile", "task :docs do\n  sh 'yard'\nend\n", "docs"]
    ] as const)
      for (const stated of [guide(line), step(line)]) {
        const where = `${line} in ${Object.keys(stated)[0]}`
        const other = text.replaceAll(/lint|docs|javadoc/g, "boil")
        assert.include(commandsIn({ ...stated, [file]: text }, purpose), line, where)
        assert.notInclude(commandsIn({ ...stated, [file]: other }, purpose), line, where)
      }
  })

  it("may be made of parts, known to the program, or added by what a file loads", () => {
    const kept = (line: string, file: string, text: string, purpose: Purpose = "test") =>
      assert.include(commandsIn({ ...step(line), [file]: text, "tests/test_a.py": "" }, purpose), line, line)
    kept("tox -e py311-tea", "tox.ini", "[tox]\nenvlist = py{310,311}-{tea,milk}\n")
    kept("tox -e py39", "tox.ini", "[tox]\nenvlist = py310\n")
    kept("nox -s tests-3.11", "noxfile.py", "@nox.session\ndef tests(session):\n    pass\n")
    kept("just test", "justfile", "import 'more.just'\n\nboil:\n    true\n")
    kept(
      "task test",
      "Taskfile.yml",
      "version: '3'\nincludes:\n  more: ./more\ntasks:\n  boil:\n    cmds:\n      - a\n"
    )
    kept("rake test", "Rakefile", "require 'kettle/tasks'\n")
    kept("composer install", "composer.json", "{}", "install")
  })

  it("is none where it must be given something", () => {
    const justfile = "lint path:\n    ruff check {{path}}\n\ncheck: (lint '.')\n\nstyle:\n    just lint\n"
    for (const stated of [guide("just lint"), step("just lint")])
      assert.notInclude(commandsIn({ ...stated, justfile }, "lint"), "just lint")
    assert.include(commandsIn({ ...guide("just lint kettle.py"), justfile }, "lint"), "just lint kettle.py")
    assert.include(
      commandsIn({ ...guide("just lint"), justfile: justfile.replace("path:", "path='.':") }, "lint"),
      "just lint"
    )
    assert.notInclude(commandsIn({ justfile }, "lint"), "just style")
    const Makefile = 'ship:\n\t@test -n "$(VERSION)" || exit 1\n\tgit tag $(VERSION)\n'
    assert.deepStrictEqual(commandsIn({ ...guide("make ship", "Release"), Makefile }, "release"), [
      "make ship VERSION=<version>"
    ])
  })

  it("lacks what the one lacks that it asks for", () => {
    const Makefile = "check: lint test\n\nlint:\n\teslint .\n\ntest:\n\tpytest\n"
    const texts = {
      ...guide("make check"),
      Makefile,
      "tests/test_a.py": "",
      "tox.ini": "[testenv:style]\ncommands = make check\n"
    }
    assert.deepStrictEqual(commandsIn(texts, "check"), [])
    assert.deepStrictEqual(commandsIn(texts, "test"), ["make test", "tox -e style"].slice(0, 1))
    assert.include(commandsIn({ ...texts, ".eslintrc": "" }, "check"), "make check")
  })

  it("is no better where it need not be there", () => {
    const texts = {
      "package.json": JSON.stringify({ name: "kettle", scripts: { build: "rollup -c" } }),
      "lid.js": "",
      "pot.js": "",
      ...step("npm run build --if-present")
    }
    assert.deepStrictEqual(commandsIn(texts, "build"), [])
    assert.deepStrictEqual(commandsIn({ ...texts, "rollup.config.mjs": "" }, "build"), ["npm run build"])
  })

  it("is found at bounded cost where hundreds of targets ask for each other", () => {
    const names = Array.from({ length: 1_000 }, (_, n) => `test-${n}`)
    const rules = names.map((name, n) => `${name}:\n\tjust a${n} && tox -e b${n} && make test-${(n + 1) % 1_000}\n`)
    const start = performance.now()
    commandsIn(
      { Makefile: rules.join("\n"), justfile: "boil:\n    true\n", "tox.ini": "[testenv]\ncommands = a\n" },
      "test"
    )
    assert.isBelow(performance.now() - start, 20_000)
  })
})
