import { assert, describe, it } from "vitest"
import { architectureOf } from "../../../src/engine/discovery/architecture/architecture.ts"
import type { Definition, Observed } from "../../../src/engine/discovery/Observed.ts"
import { ownSources } from "../../../src/engine/discovery/recipes/ownSources.ts"
import { siblingRecipes } from "../../../src/engine/discovery/recipes/siblingRecipes.ts"
import { outputOf, surveyOf } from "../../support/survey.ts"

const type = (name: string, ...bases: ReadonlyArray<string>): Definition => ({
  name,
  kind: "type",
  line: 3,
  end: 9,
  exported: true,
  bases,
  doc: null
})

const names = ["Orders", "Users", "Carts", "Bills", "Items"]

const files = (pathOf: (name: string) => string, observed: (name: string) => Partial<Observed> = () => ({})) =>
  Object.fromEntries(names.map((name) => [pathOf(name), observed(name)]))

const stepsOf = (observed: Readonly<Record<string, Partial<Observed>>>): ReadonlyArray<string> => {
  const survey = surveyOf({}, observed)
  return siblingRecipes(survey, ownSources(survey)).flatMap(({ slug, items }) =>
    items.filter(({ part }) => part === "Steps").map(({ text }) => `${slug}: ${text}`)
  )
}

describe("What is added beside its siblings", () => {
  const derived = files(
    (name) => `src/actions/${name}.ts`,
    (name) => ({ definitions: [type(name, "Action")] })
  )

  it("a type that derives from one of the program's own is written where most are, and listed where most are named", () => {
    assert.deepStrictEqual(
      stepsOf({
        ...derived,
        "src/classes/action.ts": { definitions: [type("Action")] },
        "src/registry.ts": {
          imports: names.map((name, i) => ({ module: `./actions/${name}.js`, names: [name], line: i + 1 }))
        }
      }),
      [
        "add-an-action: Write a type that derives from `Action` (`src/classes/action.ts:3`) in `src/actions` (5 of 5 are there), as `Items` (`src/actions/Items.ts:3`) is.",
        "add-an-action: Make it known in `src/registry.ts:5`, which names 5 of 5."
      ]
    )
  })

  it("no base of a framework, no base that says nothing of what users call, and no three siblings make a guide", () => {
    assert.deepStrictEqual(stepsOf(derived), [])
    assert.deepStrictEqual(stepsOf({ ...derived, "a.ts": { definitions: [type("Acting")] } }), [])
    const few = Object.fromEntries(Object.entries(derived).slice(0, 3))
    assert.deepStrictEqual(stepsOf({ ...few, "a.ts": { definitions: [type("Action")] } }), [])
  })

  it("types that one file keeps to itself are not added to", () => {
    const inOne = { "src/Battle.ts": { definitions: [type("Command"), ...names.map((name) => type(name, "Command"))] } }
    assert.deepStrictEqual(stepsOf(inOne), [])
  })

  it("modules of a folder for commands are commands in any language, and are listed where another module imports them", () => {
    const commands = files((name) => `src/UI/Commands/${name}.hs`)
    const listed = { imports: names.map((name, i) => ({ module: `UI.Commands.${name}`, names: [], line: i + 1 })) }
    assert.deepStrictEqual(stepsOf({ ...commands, "src/UI/All.hs": listed }), [
      "add-a-command: Write a module in `src/UI/Commands` (5 of 5 are there), as `Items` (`src/UI/Commands/Items.hs:1`) is.",
      "add-a-command: Make it known in `src/UI/All.hs:5`, which names 5 of 5."
    ])
    assert.deepStrictEqual(stepsOf(files((name) => `src/UI/Widgets/${name}.hs`)), [])
  })

  it("modules that serve the others of their folder are none of them: those that are named so, or begin with an underscore", () => {
    const commands = files((name) => `kettle/commands/${name.toLowerCase()}.py`)
    const [, ...four] = Object.entries(commands)
    for (const shared of ["_shared.py", "base.py", "utils.py"]) {
      assert.deepStrictEqual(stepsOf({ ...Object.fromEntries(four), [`kettle/commands/${shared}`]: {} }), [], shared)
      const [step] = stepsOf({ ...commands, [`kettle/commands/${shared}`]: {} })
      assert.include(step, "(5 of 5 are there)", shared)
    }
  })

  it("modules of a folder for plugins are added to where another module lists most of them", () => {
    const languages = files((name) => `lib/Languages/${name}.pm`)
    const listed = { imports: names.map((name, i) => ({ module: `Languages::${name}`, names: [], line: i + 1 })) }
    assert.deepStrictEqual(stepsOf({ ...languages, "lib/Languages.pm": listed }), [
      "add-a-language: Write a module in `lib/Languages` (5 of 5 are there), as `Items` (`lib/Languages/Items.pm:1`) is.",
      "add-a-language: Make it known in `lib/Languages.pm:5`, which names 5 of 5."
    ])
    const few = { imports: listed.imports.slice(0, 2) }
    assert.deepStrictEqual(stepsOf({ ...languages, "lib/Languages.pm": few }), [])
    assert.deepStrictEqual(stepsOf({ ...files((name) => `lib/Parts/${name}.pm`), "lib/Parts.pm": listed }), [])
  })

  it("commands come before more that is plugged in", () => {
    const drivers = Object.fromEntries(
      [...names, "Taxes"].map((name) => [`src/drivers/${name}.ts`, { definitions: [type(name, "BookDriver")] }])
    )
    const steps = stepsOf({
      ...derived,
      ...drivers,
      "src/action.ts": { definitions: [type("Action")] },
      "src/driver.ts": { definitions: [type("BookDriver")] }
    })
    assert.deepStrictEqual(
      steps.map((step) => step.split(":")[0]),
      ["add-an-action", "add-a-driver"]
    )
  })

  it("scripts that a web server runs are pages where no routes are declared, and there are enough of them", () => {
    const pages = { ...files((name) => `htdocs/${name}.php`), "htdocs/index.php": {}, "htdocs/config.php": {} }
    const steps = stepsOf(pages)
    assert.lengthOf(steps, 1)
    assert.match(steps[0]!, /^add-a-page: Write a script in `htdocs` \(6 of 6 are there\)/)
    assert.match(architectureOf(surveyOf({}, pages)).routes[0]!.text, /^`htdocs` has 6 pages/)
    assert.deepStrictEqual(stepsOf({ "public/index.php": {}, "public/a.php": {} }), [])
    assert.deepStrictEqual(stepsOf(files((name) => `lib/${name}.php`)), [])
  })
})

describe("What is started first", () => {
  const first = (texts: Readonly<Record<string, string>>, observed: Readonly<Record<string, Partial<Observed>>>) =>
    architectureOf(surveyOf(texts, observed)).entries[0]?.text

  it("is what the container starts rather than what has a start of its own", () => {
    const observed = { "aaa/check.py": { isEntryPoint: 4 }, "shop/serve.py": {} }
    assert.strictEqual(
      first({ Dockerfile: 'FROM python\nCMD ["python", "/app/shop/serve.py"]\n' }, observed),
      "`shop/serve.py:1`: started by Dockerfile"
    )
    assert.match(first({ Dockerfile: 'CMD ["python", "/app/gone.py"]\n' }, observed) ?? "", /^`aaa\/check\.py:4`/)
  })

  it("is the source rather than what was built of it", () => {
    const manifest = { "package.json": '{ "name": "shop", "bin": "dist/cli.js" }\n' }
    assert.match(first(manifest, { "dist/cli.js": {}, "src/cli.ts": {} }) ?? "", /^`src\/cli\.ts:1`/)
    assert.match(first(manifest, { "dist/cli.js": {} }) ?? "", /^`dist\/cli\.js:1`/)
  })

  it("is no program that a file of C brings along to try it", async () => {
    const shop = { "shop.c": "int main(int argc, char **argv) {\n  return 0;\n}\n" }
    const entriesWith = async (text: string) => {
      const { guides } = await outputOf({ ...shop, "glob.c": text })
      return guides.find(({ slug }) => slug === "architecture")?.content ?? ""
    }
    assert.notInclude(await entriesWith("#ifdef TEST_GLOB\nint main(void) {\n  return 1;\n}\n#endif\n"), "glob.c:2")
    assert.notInclude(await entriesWith("/* To see it:\nint main(void) {\n  return 1;\n}\n*/\n"), "glob.c:2")
    assert.include(await entriesWith("#ifdef _WIN32\nint main(void) {\n  return 1;\n}\n#endif\n"), "glob.c:2")
  })

  it("is no program that is named for trying a part", () => {
    const start = { isEntryPoint: 2 }
    assert.match(first({}, { "src/avl/test.c": start, "src/zz/main.c": start }) ?? "", /^`src\/zz\/main\.c/)
    assert.match(first({}, { "src/testimony.c": start, "src/zz/run.c": start }) ?? "", /^`src\/testimony\.c/)
  })
})
