import { assert, describe, it } from "vitest"
import type { Purpose } from "../../../../src/engine/discovery/commands/Command.ts"
import { commandsOf } from "../../../../src/engine/discovery/commands.ts"
import { surveyOf } from "../../../support/survey.ts"

type Texts = Readonly<Record<string, string>>

const commandsFor = (purpose: Purpose, scripts: Texts, others: Texts): ReadonlyArray<string> =>
  commandsOf(surveyOf({ "package.json": JSON.stringify({ name: "kettle", scripts }), ...others }, { "dist/a.js": {} }))
    .filter((command) => command.purpose === purpose)
    .map(({ command }) => command)

const sources = { "src/a.ts": "export const a = 1\n", "tsconfig.json": "{}" }
const tests = { "test/a.test.js": "test()\n" }

describe("Scripts of a package as it is published", () => {
  it("compile nothing where only what was built is there, whatever options they have", () => {
    for (const build of ["tsc -b && vite build", "tsc --build --clean && tsc --build", "tsdown", "unbuild"]) {
      assert.deepStrictEqual(commandsFor("build", { build }, {}), [])
      assert.deepStrictEqual(commandsFor("build", { build }, sources), ["npm run build"])
    }
  })

  it("start nothing by a script that builds, or of which the file is not there", () => {
    const scripts = {
      build: "tsc -b",
      start: "pnpm run build && node dist/a.js",
      docs: "node site",
      compile: "node bin"
    }
    assert.notInclude(commandsFor("run", scripts, {}), "npm start")
    assert.include(commandsFor("run", scripts, sources), "npm start")
    assert.notInclude(commandsFor("build", scripts, sources), "npm run compile")
    assert.include(commandsFor("build", scripts, { ...sources, "bin/index.js": "" }), "npm run compile")
  })

  it("test nothing by others that have no tests, by a measure of lines or side by side", () => {
    const units = { unit: "node --conditions development test.js" }
    for (const test of ["npm run unit", "c8 --100 --reporter lcov npm run unit", "run-s lint:* unit"]) {
      const scripts = { ...units, test, "lint:a": "echo fine" }
      assert.deepStrictEqual(commandsFor("test", scripts, sources), [])
      assert.include(commandsFor("test", scripts, { ...sources, "test.js": "" }), "npm test")
    }
    const measured = { test: "istanbul cover node_modules/mocha/bin/_mocha -- --reporter spec test/" }
    assert.deepStrictEqual(commandsFor("test", measured, sources), [])
    assert.deepStrictEqual(commandsFor("test", measured, { ...sources, ...tests }), ["npm test"])
  })

  it("are what documents ask for, too", () => {
    const readme = { "README.md": "# Kettle\n\n## Tests\n\n```sh\nyarn test:all\n```\n" }
    const scripts = { "test:all": "mocha" }
    assert.deepStrictEqual(commandsFor("test", scripts, { ...sources, ...readme }), [])
    assert.isNotEmpty(commandsFor("test", scripts, { ...sources, ...readme, ...tests }))
  })

  it("state how it is released all the same, since that is done where the tests are", () => {
    const scripts = { test: "mocha", release: "npm test && npm publish" }
    assert.deepStrictEqual(commandsFor("release", scripts, sources), ["npm run release"])
    assert.deepStrictEqual(commandsFor("release", { release: "npm run gone && npm publish" }, sources), [])
  })
})

describe("Scripts that are given a folder, or look for a page", () => {
  it("compile nothing where it is not there", () => {
    const babel = { build: "./node_modules/.bin/babel ./src --out-dir ./dist" }
    assert.deepStrictEqual(commandsFor("build", babel, { "index.js": "" }), [])
    assert.deepStrictEqual(commandsFor("build", babel, { "src/a.js": "" }), ["npm run build"])
    const react = { build: "react-scripts build" }
    assert.deepStrictEqual(commandsFor("build", react, { "src/a.js": "" }), [])
    assert.deepStrictEqual(commandsFor("build", react, { "src/a.js": "", "public/index.html": "" }), ["npm run build"])
  })
})

describe("Scripts that are named for what they do not do", () => {
  it("say something, serve pages or send a report where tests are meant", () => {
    for (const test of [
      "echo All good",
      "echo 'No tests' && exit 0",
      "webpack-dev-server --open",
      "cat coverage/lcov.info | coveralls"
    ])
      assert.deepStrictEqual(commandsFor("test", { test }, { ...sources, ...tests }), [])
    for (const test of ["echo Go && mocha", "mocha", "webpack-dev-server & mocha"])
      assert.deepStrictEqual(commandsFor("test", { test }, { ...sources, ...tests }), ["npm test"])
  })

  it("build and test where a release is meant, or take away what was built", () => {
    assert.deepStrictEqual(commandsFor("release", { release: "yarn build && yarn test" }, { ...sources, ...tests }), [])
    assert.deepStrictEqual(commandsFor("release", { release: "yarn test && yarn tag" }, { ...sources, ...tests }), [])
    assert.deepStrictEqual(commandsFor("release", { release: "mocha && standard-version" }, { ...sources, ...tests }), [
      "npm run release"
    ])
    assert.deepStrictEqual(commandsFor("build", { "build:reset": "rimraf ./lib ./public" }, sources), [])
  })

  it("of documents go on at each change, or only compare the product with another", () => {
    const readme = (line: string) => ({ "README.md": `# Kettle\n\n${line}\n` })
    const scripts = { "check:watch": "vitest --watch" }
    assert.deepStrictEqual(commandsFor("test", scripts, { ...tests, ...readme("Run `npm test -- --watch`.") }), [])
    assert.deepStrictEqual(commandsFor("test", {}, { ...tests, ...readme("It is an alternative to `make test`.") }), [])
    assert.deepStrictEqual(commandsFor("test", {}, { ...tests, ...readme("It has fewer rules than `make test`.") }), [])
  })
})

describe("Targets for the whole system", () => {
  it("come after what else runs tests", () => {
    const makefile = "shop-e2e:\n\t./bin/e2e run\n\ntest:\n\tgo test ./...\n"
    const all = commandsOf(surveyOf({ Makefile: makefile, "go.mod": "module example.org/shop\n" })).filter(
      ({ purpose }) => purpose === "test"
    )
    assert.include(
      all.map(({ command }) => command),
      "make test"
    )
  })
})
