import { assert, describe, it } from "vitest"
import { releaseSteps } from "../../../../src/engine/discovery/commands/releases.ts"
import { commandsOf } from "../../../../src/engine/discovery/commands.ts"
import { surveyOf } from "../../../support/survey.ts"

const commandsIn = (texts: Readonly<Record<string, string>>, purpose: string) =>
  commandsOf(surveyOf(texts))
    .filter((one) => one.purpose === purpose)
    .map(({ command, path, folder }) => `${folder === "" ? "" : `${folder}$ `}${command} @ ${path}`)

describe("Commands of documents", () => {
  const program = { "Cargo.toml": '[package]\nname = "kettle"\n' }

  it("what asks a program whether its settings are right does not start it", () => {
    const readme = "```\nkettle --configtest\nkettle --check-config\nkettle -h\nkettle --port 80\n```\n"
    assert.deepStrictEqual(commandsIn({ ...program, "README.md": readme }, "run"), ["kettle --port 80 @ README.md"])
  })

  it("what has a place left open is none", () => {
    const text = "    ./configure --with-tls=$(brew --prefix) [...]\n\n    ./configure --with-tls && make\n"
    assert.deepStrictEqual(commandsIn({ INSTALL: text, "Makefile.in": "" }, "build"), [
      "./configure --with-tls && make @ INSTALL"
    ])
  })

  it("what a document on releases builds is for the release", () => {
    const steps = "# Steps\n\n    make dist\n    ./configure && make\n"
    assert.deepStrictEqual(commandsIn({ "doc/HowToRelease.md": steps, "Makefile.in": "" }, "build"), [])
    assert.lengthOf(commandsIn({ "doc/building.md": steps, "Makefile.in": "" }, "build"), 2)
  })

  it("a linter's readme shows how it is used, its guide for contributors how its own code is checked", () => {
    const text = "    phpcs src/a.php\n"
    const own = { "bin/phpcs": "#!/usr/bin/env php\n" }
    const observed = { "bin/phpcs": { isEntryPoint: 1 } }
    const lintIn = (path: string) =>
      commandsOf(surveyOf({ ...own, [path]: text }, observed))
        .filter(({ purpose }) => purpose === "lint")
        .map(({ command }) => command)
    assert.deepStrictEqual(lintIn("README.md"), [])
    assert.deepStrictEqual(lintIn("CONTRIBUTING.md"), ["phpcs src/a.php"])
  })
})

describe("What is usual with a build tool", () => {
  it("Automake's tests are run from the root, wherever they are listed", () => {
    const root = { "Makefile.am": "SUBDIRS = src\n", "src/Makefile.am": "bin_PROGRAMS = kettle\n" }
    assert.deepStrictEqual(commandsIn(root, "test"), [])
    const tested = { ...root, "src/testsuite/Makefile.am": "TESTS = a.sh \\\n\tb.sh\n" }
    assert.deepStrictEqual(commandsIn(tested, "test"), ["make check @ src/testsuite/Makefile.am"])
  })

  it("a build of Maven that leaves its tests out is not asked for them, nor for one of them", () => {
    const pom = (skips: string) =>
      `<project>\n<configuration><skipTests>${skips}</skipTests></configuration>\n</project>\n`
    const test = { sites: [{ kind: "test" as const, shape: "test", line: 1, end: 2, symbol: "boils" }] }
    const purposes = (skips: string) =>
      commandsOf(surveyOf({ "pom.xml": pom(skips) }, { "src/test/java/KettleTest.java": test }))
        .map(({ purpose }) => purpose)
        .filter((purpose) => purpose.startsWith("test"))
    assert.deepStrictEqual(purposes("true"), [])
    assert.deepStrictEqual(purposes("false"), ["test", "test_file", "test_case"])
  })

  it("where a linter of Go is set up, it is the one that is asked", () => {
    const module = { "go.mod": "module example.com/kettle\n" }
    assert.deepStrictEqual(commandsIn(module, "lint"), ["go vet ./... @ go.mod"])
    assert.deepStrictEqual(commandsIn({ ...module, ".golangci.yml": "linters: {}\n" }, "lint"), [
      "golangci-lint run @ .golangci.yml"
    ])
  })
})

describe("Commands of something else", () => {
  const program = { "Cargo.toml": '[package]\nname = "kettle"\n' }

  it("a listing, a program that lies elsewhere and a path to fill in start nothing", () => {
    const readme =
      "```\nkettle   boils water\n/usr/bin/kettle\nkettle path/to/tea\nkettle --longhelp\nkettle tea\n```\n"
    assert.deepStrictEqual(commandsIn({ ...program, "README.md": readme }, "run"), ["kettle tea @ README.md"])
  })

  it("of settings of Python only what is listed as console scripts is a program", () => {
    const settings =
      "[options.entry_points]\nconsole_scripts =\n\tkettle = kettle.main:run\nkettle.ext =\n\tfile = kettle.file:Ext\n"
    const texts = { "setup.cfg": settings, "README.md": "- `file an issue` and wait\n" }
    assert.deepStrictEqual(commandsIn(texts, "run"), ["kettle @ setup.cfg"])
  })

  it("tasks of a computed namespace are none; what asks whether a release is needed makes none", () => {
    const rakefile =
      'packages.each do |package|\n  namespace(package.tr("-", "_")) do\n    task(:gem) { build }\n  end\nend\ntask gems: []\ntask :needs_release do\nend\ntask :pushgems do\nend\n'
    assert.deepStrictEqual(commandsIn({ Rakefile: rakefile }, "build"), ["rake gems @ Rakefile"])
    assert.deepStrictEqual(commandsIn({ Rakefile: rakefile }, "release"), ["rake pushgems @ Rakefile"])
  })

  it("what is said within CMake's build folder is said from above it", () => {
    const readme = "```\nmkdir build\ncd build\ncmake .. -DX=1\nmake\nmake install\n```\n"
    const texts = { "README.md": readme, "CMakeLists.txt": "project(kettle)\n" }
    assert.deepStrictEqual(commandsIn(texts, "build"), ["cmake -S . -B build -DX=1 && make -C build @ README.md"])
    assert.deepStrictEqual(commandsIn(texts, "use"), ["make -C build install @ README.md"])
  })

  it("a solution of C++ is not built by `dotnet`, nor is what `npm start` starts there without a script", () => {
    assert.deepStrictEqual(commandsIn({ "vs/kettle.sln": "\n", "vs/kettle.vcproj": "" }, "test"), [])
    const readme = { "README.md": "```\nnpm start\n```\n" }
    assert.deepStrictEqual(commandsIn({ ...readme, "package.json": '{"scripts": {}}' }, "run"), [])
    assert.lengthOf(commandsIn({ ...readme, "package.json": '{"scripts": {"start": "node ."}}' }, "run"), 2)
  })

  it("a choice of compiler comes after what is usual; installing another module of Go builds nothing", () => {
    const texts = {
      INSTALL: "     ./configure CC=c99 CFLAGS=-g && make\n",
      configure: "",
      "configure.ac": "AC_INIT([kettle])\n"
    }
    assert.deepStrictEqual(commandsIn(texts, "build"), [
      "./configure CC=c99 CFLAGS=-g && make @ INSTALL",
      "./configure && make @ configure.ac"
    ])
    const readme = "```\ngo install github.com/other/tool\n```\n"
    assert.deepStrictEqual(commandsIn({ "go.mod": "module example.com/kettle\n", "README.md": readme }, "build"), [
      "go build ./... @ go.mod"
    ])
  })

  it("Composer has nothing to install where only PHP and its extensions are needed", () => {
    const manifest = (more: string) => `{"require": {"php": ">=7", "ext-xml": "*"${more}}}`
    assert.deepStrictEqual(commandsIn({ "composer.json": manifest("") }, "install"), [])
    assert.deepStrictEqual(commandsIn({ "composer.json": manifest(', "psr/log": "1"') }, "install"), [
      "composer install @ composer.json"
    ])
  })
})

describe("Releases", () => {
  const stepsIn = (texts: Readonly<Record<string, string>>) => releaseSteps(surveyOf(texts)).map(({ text }) => text)

  it("jobs of CircleCI that ship and are filtered by tags are named; those for every push are not", () => {
    const config =
      "version: 2.1\nworkflows:\n  all:\n    jobs:\n      - test:\n          filters: { tags: { only: /.*/ } }\n      - publish_release:\n          filters:\n            tags:\n              only: /^v/\n      - publish_main:\n          filters: { branches: { only: main } }\n"
    assert.deepStrictEqual(stepsIn({ ".circleci/config.yml": config }), [
      "The pipeline `.circleci/config.yml` runs `publish_release` for tags `/^v/` (`.circleci/config.yml:7`)."
    ])
  })

  it("a section on releasing to a registry says how it is done, one on releases that were made there does not", () => {
    const readme = (title: string, text: string) => ({ "README.md": `# Kettle\n\n## ${title}\n\n${text}\n` })
    const steps = "1. Raise the version in `setup.py`.\n2. Cut a release; the workflow uploads it."
    assert.lengthOf(stepsIn(readme("Releasing to PyPI", steps)), 2)
    assert.lengthOf(stepsIn(readme("Release to npm", steps)), 2)
    assert.lengthOf(stepsIn(readme("Uploading to CPAN", steps)), 2)
    assert.isEmpty(stepsIn(readme("Releases on PyPI", steps)))
    assert.isEmpty(stepsIn(readme("Uploading", steps)))
    assert.isEmpty(stepsIn(readme("Releasing to the wild", steps)))
    assert.isEmpty(stepsIn(readme("Releasing to npm", "1. Open the lid of the kettle.\n2. Let off the steam.")))
  })

  it("jobs of GitLab that ship tags are named, by `only` or by a rule", () => {
    const config =
      "test:\n  script: [make]\n  only: [tags]\nupload:\n  stage: release\n  only:\n    - tags\ndeploy:\n  rules:\n    - if: $CI_COMMIT_TAG\npages-deploy:\n  only: [main]\n"
    assert.deepStrictEqual(stepsIn({ ".gitlab-ci.yml": config }), [
      "The pipeline `.gitlab-ci.yml` runs `upload` for tags (`.gitlab-ci.yml:4`).",
      "The pipeline `.gitlab-ci.yml` runs `deploy` for tags (`.gitlab-ci.yml:8`)."
    ])
  })

  it("what Semaphore starts for a tag, and steps of Drone and Woodpecker for tags, are named; others are not", () => {
    const semaphore =
      "blocks: []\npromotions:\n  - name: Deploy images\n    auto_promote:\n      when: branch = 'main' OR tag =~ '.*'\n  - name: Publish\n    auto_promote:\n      when: tag =~ '.*'\n  - name: Deploy the page\n    auto_promote:\n      when: branch = 'main'\n"
    assert.deepStrictEqual(stepsIn({ ".semaphore/semaphore.yml": semaphore }), [
      "The pipeline `.semaphore/semaphore.yml` runs `Publish` for `tag =~ '.*'` (`.semaphore/semaphore.yml:6`).",
      "The pipeline `.semaphore/semaphore.yml` runs `Deploy images` for `branch = 'main' OR tag =~ '.*'` (`.semaphore/semaphore.yml:3`)."
    ])
    const drone =
      "kind: pipeline\nsteps:\n  - name: test\n    when: { event: [tag] }\n  - name: publish\n    when:\n      event: tag\n  - name: deploy page\n    when:\n      event: [push]\n"
    assert.deepStrictEqual(stepsIn({ ".drone.yml": drone }), [
      "The pipeline `.drone.yml` runs `publish` for tags (`.drone.yml:5`)."
    ])
    const woodpecker = "steps:\n  release:\n    image: a\n    when:\n      - event: tag\n  ship-docs:\n    image: b\n"
    assert.deepStrictEqual(stepsIn({ ".woodpecker/release.yml": woodpecker }), [
      "The pipeline `.woodpecker/release.yml` runs `release` for tags (`.woodpecker/release.yml:3`)."
    ])
  })

  it("a workflow that nothing but a version starts is one, whatever it runs; one that pushes start as well is not", () => {
    const workflow = (on: string) => `on:\n${on}jobs:\n  all:\n    steps:\n      - run: ./ship-it\n`
    const path = ".github/workflows/all.yml"
    assert.deepStrictEqual(stepsIn({ [path]: workflow("  push:\n    tags: ['v*']\n") }), [
      `The workflow \`${path}\` runs on pushed tags \`v*\` (\`${path}:1\`).`
    ])
    assert.deepStrictEqual(stepsIn({ [path]: workflow("  push:\n    tags: ['v*']\n    branches: [main]\n") }), [])
  })

  it("what a document for developers says under a title, or in one sentence, is quoted; where users get one is not", () => {
    const titled =
      "WORK\n----\n\nUse spaces.\n\nMAKING A RELEASE\n----------------\n\n  1. Set the version.\n  2. Tag the release.\n"
    assert.deepStrictEqual(stepsIn({ DEVELOPERS: titled }), [
      "“Set the version.” (`DEVELOPERS:9`)",
      "“Tag the release.” (`DEVELOPERS:10`)"
    ])
    const parts =
      "Work\n====\n\nRelease checklist\n-----------------\n\nNew version\n~~~~~~~~~~~\n\n* Set the version.\n* Tag the release.\n\nMail\n----\n\n* Write mails.\n"
    assert.deepStrictEqual(stepsIn({ "docs/development/maint.rst": parts }), [
      "“Set the version.” (`docs/development/maint.rst:10`)",
      "“Tag the release.” (`docs/development/maint.rst:11`)"
    ])
    const sentence = "# Branches\n\nWe merge into `main` when creating a release. Releases are tagged.\n"
    assert.deepStrictEqual(stepsIn({ "CONTRIBUTING.md": sentence }), [
      "“We merge into `main` when creating a release. Releases are tagged.” (`CONTRIBUTING.md:3`)"
    ])
    assert.deepStrictEqual(stepsIn({ "CONTRIBUTING.md": "# Help\n\nReleases are available below `dist`.\n" }), [])
    assert.deepStrictEqual(stepsIn({ "INSTALL.md": "Releases are tagged; take the last one.\n" }), [])
  })

  it("a target that packs a version's sources releases it; what is built every night or tried out does not", () => {
    const makefile =
      "dist:\n\tgit archive --prefix=a/ HEAD > a.tar\nnightly-release:\n\tmake dist upload\nrelease-dry:\n\tgoreleaser --snapshot\ntarball:\n\ttar cf all.tar out\n"
    assert.deepStrictEqual(commandsIn({ Makefile: makefile }, "release"), ["make dist @ Makefile"])
    assert.deepStrictEqual(commandsIn({ Makefile: "release:\n\tgoreleaser release\n" }, "release"), [
      "make release @ Makefile"
    ])
  })

  it("settings of standard-version at the root name it; those of a part do not", () => {
    assert.deepStrictEqual(stepsIn({ ".versionrc.js": "" }), [
      "`.versionrc.js`: standard-version raises the version and writes the change log."
    ])
    assert.deepStrictEqual(stepsIn({ "part/.versionrc.js": "" }), [])
  })

  it("what Travis deploys for tags is named", () => {
    const config = "script: make\ndeploy:\n  provider: pypi\n  on:\n    tags: true\n"
    assert.deepStrictEqual(stepsIn({ ".travis.yml": config }), [
      "The pipeline `.travis.yml` runs `deploy: pypi` for tags (`.travis.yml:3`)."
    ])
    assert.deepStrictEqual(stepsIn({ ".travis.yml": "deploy:\n  provider: pages\n  on:\n    branch: main\n" }), [])
  })

  it("a document on how to release is quoted by its lettered steps", () => {
    const text = "How to release\n\na) Update the change log.\n\nb) Tag the version in Git.\n"
    assert.deepStrictEqual(stepsIn({ "doc/HowToRelease.txt": text }), [
      "“Update the change log.” (`doc/HowToRelease.txt:3`)",
      "“Tag the version in Git.” (`doc/HowToRelease.txt:5`)"
    ])
  })
})
