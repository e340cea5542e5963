import { assert, describe, it } from "vitest"
import { ordered, type Purpose, purposes } from "../../../../src/engine/discovery/commands/Command.ts"
import { commandsOf } from "../../../../src/engine/discovery/commands.ts"
import type { Observed } from "../../../../src/engine/discovery/Observed.ts"
import { surveyOf } from "../../../support/survey.ts"

type ByPurpose = Partial<Record<Purpose, ReadonlyArray<string>>>

/** By purpose the commands in order, each with where it stands; `?` marks those that nothing states. */
const commandsIn = (
  texts: Readonly<Record<string, string>>,
  observed: Readonly<Record<string, Partial<Observed>>> = {}
): ByPurpose => {
  const commands = commandsOf(surveyOf(texts, observed))
  return Object.fromEntries(
    purposes.flatMap((purpose) => {
      const all = ordered(commands, purpose).map(
        ({ command, folder, path, line, origin }) =>
          `${folder === "" ? "" : `${folder}$ `}${command} ${origin === "convention" ? "?" : "@"} ${path}:${line}`
      )
      return all.length === 0 ? [] : [[purpose, all] as const]
    })
  )
}

const aTest = (symbol: string): Partial<Observed> => ({
  sites: [{ kind: "test", shape: "test", line: 1, end: 2, symbol }]
})

describe("Commands are what the repository states, with the line that states them", () => {
  it("npm: scripts by what they are for, and one test with the runner of the test script", () => {
    const scripts = {
      build: "tsc -p .",
      start: "node dist/main.js",
      test: "vitest run",
      "test:watch": "vitest",
      fuzz: "FUZZ=1 vitest run test/fuzz",
      lint: "eslint .",
      "lint:fix": "eslint --fix .",
      format: "biome check --write .",
      "format:check": "prettier --check .",
      typecheck: "tsc --noEmit",
      "db:migrate": "prisma migrate deploy",
      codegen: "graphql-codegen",
      release: "changeset publish",
      verify: "npm run --silent lint && npm test",
      prepare: "husky"
    }
    const manifest = JSON.stringify({ name: "shop", scripts }, null, 1)
    const line = (name: string) => manifest.split("\n").findIndex((one) => one.includes(`"${name}":`)) + 1
    const at = (name: string) => `@ package.json:${line(name)}`
    assert.deepStrictEqual(
      commandsIn(
        { "package.json": manifest, "package-lock.json": "{}", "tsconfig.json": "{}" },
        { "test/a.test.ts": aTest("x") }
      ),
      {
        install: ["npm ci ? package-lock.json:1"],
        build: [`npm run build ${at("build")}`],
        run: [`npm start ${at("start")}`],
        test: [`npm test ${at("test")}`],
        test_file: [`npx vitest run test/a.test.ts ? package.json:${line("test")}`],
        test_case: [`npx vitest run test/a.test.ts -t "<name of the test>" ? package.json:${line("test")}`],
        check: [`npm run verify ${at("verify")}`],
        lint: [`npm run lint ${at("lint")}`, `npm run format:check ${at("format:check")}`],
        format: [`npm run format ${at("format")}`, `npm run lint:fix ${at("lint:fix")}`],
        types: [`npm run typecheck ${at("typecheck")}`],
        generate: [`npm run codegen ${at("codegen")}`],
        migrate: [`npm run db:migrate ${at("db:migrate")}`],
        release: [`npm run release ${at("release")}`]
      }
    )
  })

  it("a workspace has its scripts per unit, run with the package manager that the root states", () => {
    assert.deepStrictEqual(
      commandsIn({
        "package.json": '{ "private": true, "packageManager": "pnpm@9.1.0" }',
        "pnpm-lock.yaml": "",
        "packages/web/package.json":
          '{ "name": "web",\n "scripts": { "dev": "vite dev", "test": "echo no test specified" } }'
      }),
      {
        install: ["pnpm install ? pnpm-lock.yaml:1"],
        run: ["packages/web$ pnpm run dev @ packages/web/package.json:2"]
      }
    )
  })

  it("Make: targets by name, and those with a general name by what they run", () => {
    const makefile = [
      ".PHONY: test lint",
      "VERSION := 1",
      "deps:",
      "\tpip install -r requirements-dev.txt",
      "test: build",
      "\t@pytest tests",
      "check: lint test",
      "verify:",
      "\tmypy src",
      "lint:",
      "\truff check .",
      "clean:",
      "\trm -rf build",
      "test.o: test.c",
      "\tcc -c test.c"
    ].join("\n")
    assert.deepStrictEqual(commandsIn({ Makefile: makefile }), {
      install: ["make deps @ Makefile:3"],
      test: ["make test @ Makefile:5"],
      check: ["make check @ Makefile:7"],
      lint: ["make lint @ Makefile:10"],
      types: ["make verify @ Makefile:8"]
    })
  })

  it("just and Task: recipes", () => {
    assert.deepStrictEqual(
      commandsIn({
        justfile: "default: test\n\ntest *args:\n    cargo test {{args}}\n\nfmt:\n    cargo fmt\n",
        "Taskfile.yml": "version: 3\ntasks:\n  build:\n    cmds:\n      - go build ./...\n  lint: golangci-lint run\n"
      }),
      {
        build: ["task build @ Taskfile.yml:3"],
        test: ["just test @ justfile:3"],
        test_case: ["just test <name of the test> @ justfile:3"],
        lint: ["task lint @ Taskfile.yml:6"],
        format: ["just fmt @ justfile:6"]
      }
    )
  })

  it("tox and nox: environments and sessions; what follows `--` names a test", () => {
    const tox = [
      "[tox]",
      "envlist = py{39,312},lint",
      "[testenv]",
      "commands = pytest {posargs}",
      "[testenv:lint]",
      "commands =",
      "    ruff check kettle",
      "[testenv:types]",
      "commands = mypy kettle",
      "[testenv:docs]",
      "commands = sphinx-build docs out"
    ].join("\n")
    const nox =
      'import nox\n\n@nox.session(python=["3.12"])\ndef tests(session):\n    session.run("pytest", "-q")\n\n@nox.session\ndef fmt(session):\n    session.run("black", ".")\n'
    assert.deepStrictEqual(
      commandsIn({ "tox.ini": tox, "noxfile.py": nox }, { "tests/test_a.py": aTest("TestA.test_b") }),
      {
        test: ["nox -s tests @ noxfile.py:3", "tox @ tox.ini:3"].sort((a, b) => a.indexOf("@") - b.indexOf("@")),
        test_file: ["tox -e py39 -- <path of the test file> @ tox.ini:3", "pytest tests/test_a.py ? noxfile.py:5"],
        test_case: ["pytest tests/test_a.py::TestA::test_b ? noxfile.py:5"],
        lint: ["tox -e lint @ tox.ini:5"],
        format: ["nox -s fmt @ noxfile.py:7"],
        types: ["tox -e types @ tox.ini:8"],
        docs: ["tox -e docs @ tox.ini:10"]
      }
    )
  })

  it("pyproject: tasks of Hatch, PDM and Poe, programs, and the environment that its lock file names", () => {
    const project = [
      "[project]",
      'name = "shop"',
      "[project.scripts]",
      'shop = "shop.cli:main"',
      "[tool.hatch.envs.default.scripts]",
      'test = "pytest {args}"',
      "[tool.hatch.envs.lint.scripts]",
      'all = ["ruff check .", "mypy src"]',
      "[tool.pdm.scripts]",
      'format = { cmd = "ruff format ." }',
      "[tool.poe.tasks]",
      'release = "twine upload dist/*"'
    ].join("\n")
    assert.deepStrictEqual(
      commandsIn({ "pyproject.toml": project, "uv.lock": "" }, { "tests/test_a.py": aTest("test_b") }),
      {
        install: ["uv sync ? uv.lock:1"],
        run: ["shop @ pyproject.toml:4"],
        test: ["hatch run test @ pyproject.toml:6"],
        test_file: ["uv run pytest tests/test_a.py ? pyproject.toml:6"],
        test_case: ["uv run pytest tests/test_a.py::test_b ? pyproject.toml:6"],
        lint: ["hatch run lint:all @ pyproject.toml:8"],
        format: ["pdm run format @ pyproject.toml:10"],
        release: ["poe release @ pyproject.toml:12"]
      }
    )
  })

  it("Gradle and Maven: the wrapper, modules, and tasks of plugins that are applied", () => {
    const gradle = 'plugins {\n  id "com.diffplug.spotless" version "6"\n  id "application"\n}\n'
    assert.deepStrictEqual(
      commandsIn(
        { "build.gradle": gradle, gradlew: "" },
        { "core/src/test/java/a/CartTest.java": aTest("CartTest.adds") }
      ),
      {
        build: ["./gradlew build ? build.gradle:1"],
        run: ["./gradlew run ? build.gradle:3"],
        test: ["./gradlew test ? build.gradle:1"],
        test_file: ["./gradlew :core:test --tests '*CartTest' ? build.gradle:1"],
        test_case: ["./gradlew :core:test --tests '*CartTest.adds' ? build.gradle:1"],
        check: ["./gradlew check ? build.gradle:1"],
        lint: ["./gradlew spotlessCheck ? build.gradle:2"],
        format: ["./gradlew spotlessApply ? build.gradle:2"]
      }
    )
    const pom = "<project>\n<plugin>\n<artifactId>spring-boot-maven-plugin</artifactId>\n</plugin>\n</project>"
    assert.deepStrictEqual(
      commandsIn(
        { "pom.xml": pom, mvnw: "", "web/pom.xml": pom },
        {
          "web/src/test/java/a/CartTest.java": aTest("CartTest.adds"),
          "web/src/main/java/a/Shop.java": { calls: [["SpringApplication.run", 1, 9]] }
        }
      ),
      {
        install: ["./mvnw install -DskipTests ? pom.xml:1"],
        build: ["./mvnw package ? pom.xml:1"],
        run: ["./mvnw spring-boot:run ? pom.xml:3"],
        test: ["./mvnw test ? pom.xml:1"],
        test_file: ["./mvnw -pl web test -Dtest=CartTest ? pom.xml:1"],
        test_case: ["./mvnw -pl web test -Dtest=CartTest#adds ? pom.xml:1"]
      }
    )
  })

  it("Cargo: aliases, and a program where there is one", () => {
    assert.deepStrictEqual(
      commandsIn(
        { "Cargo.toml": '[package]\nname = "shop"\n', ".cargo/config.toml": '[alias]\nlint = "clippy --all"\n' },
        { "src/main.rs": { isEntryPoint: 3 }, "tests/cart.rs": aTest("adds") }
      ),
      {
        build: ["cargo build ? Cargo.toml:1"],
        run: ["cargo run ? src/main.rs:3"],
        test: ["cargo test ? Cargo.toml:1"],
        test_file: ["cargo test --test cart ? Cargo.toml:1"],
        test_case: ["cargo test adds ? Cargo.toml:1"],
        lint: ["cargo lint @ .cargo/config.toml:2"]
      }
    )
  })

  it("Go: packages, programs, generators; Make before what is usual", () => {
    assert.deepStrictEqual(
      commandsIn(
        { "go.mod": "module example.com/shop\n", Makefile: "test:\n\tgo test -race ./...\n" },
        {
          "cmd/shop/main.go": { isEntryPoint: 5, generates: 2 },
          "cart/cart_test.go": aTest("TestAdd")
        }
      ),
      {
        install: ["go mod download ? go.mod:1"],
        build: ["go build ./... ? go.mod:1"],
        run: ["go run ./cmd/shop ? cmd/shop/main.go:5"],
        test: ["make test @ Makefile:1"],
        test_file: ["go test ./cart ? go.mod:1"],
        test_case: ["go test ./cart -run '^TestAdd$' ? go.mod:1"],
        lint: ["go vet ./... ? go.mod:1"],
        generate: ["go generate ./... @ cmd/shop/main.go:2"]
      }
    )
  })

  it("Ruby: Rake tasks, RSpec and the release task of Bundler", () => {
    assert.deepStrictEqual(
      commandsIn(
        {
          Gemfile: "gem 'rspec'\n",
          Rakefile: 'require "bundler/gem_tasks"\nRSpec::Core::RakeTask.new\ntask default: :spec\n'
        },
        { "spec/cart_spec.rb": aTest("adds") }
      ),
      {
        install: ["bundle install ? Gemfile:1"],
        build: ["bundle exec rake build @ Rakefile:1"],
        test: ["bundle exec rake spec @ Rakefile:2"],
        test_file: ["bundle exec rspec spec/cart_spec.rb ? Gemfile:1"],
        test_case: ['bundle exec rspec spec/cart_spec.rb -e "<name of the test>" ? Gemfile:1'],
        release: ["bundle exec rake release @ Rakefile:1"]
      }
    )
  })

  it("Composer: scripts before PHPUnit by its settings", () => {
    assert.deepStrictEqual(
      commandsIn(
        {
          "composer.json":
            '{"scripts": {\n"test": "phpunit",\n"cs-fix": "php-cs-fixer fix"},\n"require-dev": {"phpunit/phpunit": "9"}}',
          "phpunit.xml.dist": "<phpunit/>"
        },
        { "tests/CartTest.php": aTest("CartTest.testAdd") }
      ),
      {
        install: ["composer install ? composer.json:1"],
        test: ["composer test @ composer.json:2"],
        test_file: ["vendor/bin/phpunit tests/CartTest.php ? composer.json:4"],
        test_case: ["vendor/bin/phpunit --filter <name of the test> tests/CartTest.php ? composer.json:4"],
        format: ["composer cs-fix @ composer.json:3"]
      }
    )
  })

  it(".NET, CMake, Meson, Autotools and Mix: what their files make possible", () => {
    assert.deepStrictEqual(commandsIn({ "Shop.sln": "", "Shop.csproj": '<Project Sdk="Microsoft.NET.Sdk">' }), {
      install: ["dotnet restore ? Shop.sln:1"],
      build: ["dotnet build ? Shop.sln:1"],
      test: ["dotnet test ? Shop.sln:1"]
    })
    assert.deepStrictEqual(
      commandsIn({
        "Shop.sln": "",
        "Shop.csproj": '<Project ToolsVersion="4.0" DefaultTargets="Build">\n</Project>\n'
      }),
      {}
    )
    assert.deepStrictEqual(
      commandsIn({ "CMakeLists.txt": "project(shop)\n", "lib/CMakeLists.txt": "add_library(a)\n" }),
      {
        build: ["cmake -B build && cmake --build build ? CMakeLists.txt:1"]
      }
    )
    assert.deepStrictEqual(commandsIn({ "meson.build": "project('shop')\ntest('cart', cart)\n" }), {
      build: ["meson setup build && meson compile -C build ? meson.build:1"],
      test: ["meson test -C build ? meson.build:1"],
      test_case: ["meson test -C build '<name of the test>' ? meson.build:1"]
    })
    assert.deepStrictEqual(
      commandsIn({
        "configure.ac": "AC_INIT\nAM_INIT_AUTOMAKE\n",
        "Makefile.am": "bin_PROGRAMS = shop\nTESTS = a.sh\n"
      }),
      {
        build: ["autoreconf -fi && ./configure && make ? configure.ac:1"],
        run: ["shop ? Makefile.am:1"],
        test: ["make check ? Makefile.am:2"],
        test_file: ["make check TESTS='<path of the test>' ? Makefile.am:2"],
        use: ["make install ? Makefile.am:1"]
      }
    )
    assert.deepStrictEqual(commandsIn({ "configure.ac": "AC_INIT\nAM_INIT_AUTOMAKE\n", "Makefile.am": "\n" }), {
      build: ["autoreconf -fi && ./configure && make ? configure.ac:1"]
    })
    assert.deepStrictEqual(commandsIn({ "mix.exs": 'use Mix.Project\n{:credo, "~> 1.7"}\n' }), {
      install: ["mix deps.get ? mix.exs:1"],
      build: ["mix compile ? mix.exs:1"],
      test: ["mix test ? mix.exs:1"],
      lint: ["mix credo ? mix.exs:2"],
      format: ["mix format ? mix.exs:1"]
    })
  })
})
