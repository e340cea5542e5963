import { assert, describe, it } from "vitest"
import { SourceFile } from "../../src/engine/core/files/SourceFile.ts"
import { TreeTerms } from "../../src/engine/core/files/TreeTerms.ts"
import { parseModels } from "../../src/engine/core/settings/parseModels.ts"
import { noSettings } from "../../src/engine/core/settings/RepositorySettings.ts"
import { readSettings } from "../../src/engine/core/settings/readSettings.ts"
import { sourceFlows } from "../../src/engine/dataflow/report.ts"
import { COMMAND, LDAP, SQL, XPATH } from "../../src/engine/dataflow/values/Value.ts"
import { prepareGrammars } from "../../src/engine/languages/tree/Grammar.ts"
import { treeOf } from "../support/audit.ts"

const models = `
models:
  - language: python
    sources:
      - path: shopweb.field()
      - path: shopconf.value
        kind: environment
    sinks:
      - { path: shopdb.run, kind: sql, argument: 1, named: text }
      - { path: "*.run_command", kind: command }
      - { path: shopdirectory.search, kind: ldap }
      - { path: shopcatalog.pick, kind: xpath }
    sanitizers:
      - { path: shopdb.quoted, kinds: [sql] }
    propagators:
      - shoptext.*
`

const app = `import shopweb, shopdb, shopconf, shoptext, shopdirectory, shopcatalog, os


def find(host):
    name = shopweb.field("name")
    shopdb.run("main", "select * from t where name = '" + name + "'")  # 6
    shopdb.run("main", "select * from t where name = '" + shopdb.quoted(name) + "'")
    shopdb.run(text="select * from t where name = '" + shoptext.trimmed(name) + "'")  # 8
    host.run_command("ls " + name)  # 9
    os.system("ls " + shopconf.value)  # 10
    shopdb.other("select * from t where name = '" + name + "'")
    shopdirectory.search("(uid=" + name + ")")  # 12
    shopcatalog.pick("//item[@name='" + name + "']")  # 13
`

/** Lines of the file and the kind of source, with the models that this text describes. */
const flowsWith = (text: string) => {
  const { models: known } = parseModels(text)
  const terms = new TreeTerms(["src/app.py"], { ...noSettings, models: known }).of("src/app.py")
  const file = new SourceFile({ path: "src/app.py", text: app, terms })
  return sourceFlows(file, SQL | COMMAND | LDAP | XPATH).map(
    ({ at, source }) => `${source} ${app.slice(0, at[0]).split("\n").length}`
  )
}

describe("models of a repository", () => {
  it("add sources, sinks, sanitizers and propagators of its own", async () => {
    await prepareGrammars(["python"])
    assert.deepStrictEqual(flowsWith(""), [])
    assert.deepStrictEqual(flowsWith(models), [
      "request 6",
      "request 8",
      "request 9",
      "environment 10",
      "request 12",
      "request 13"
    ])
  })

  it("are data: what cannot be used is named with its line, and the rest counts", () => {
    const { models: known, warnings } = parseModels(`models:
  - language: cobol
  - language: go
    sources: [{ path: "(a+)+$" }, { path: shop.Field(), kind: sky }, { path: shop.Field() }]
    sinks: [{ path: shop.Run, kind: sql, argument: 99 }, { path: shop.Run, kind: sql }]
    sanitizers: [{ path: shop.Quote, kinds: [sql, moon] }]
    code: require("x")
`)
    assert.deepStrictEqual(known, [
      {
        language: "go",
        sources: [{ path: "shop.Field()", kind: "request" }],
        sinks: [{ path: "shop.Run", kind: "sql", argument: 0, named: "" }],
        sanitizers: [],
        propagators: []
      }
    ])
    assert.deepStrictEqual(
      warnings.map(({ path, line }) => `${path}:${line}`),
      [2, 7, 4, 4, 5, 6].map((line) => `.assay/models.yaml:${line}`)
    )
  })

  it("beyond 64 KB are not read, and the result says so", async () => {
    const source = treeOf({ ".assay/models.yaml": models + "#".repeat(70_000) })
    const settings = await readSettings(source, await source.list())
    assert.deepStrictEqual(settings.models, [])
    assert.deepStrictEqual(
      settings.warnings.map(({ path, message }) => `${path} ${message}`),
      [".assay/models.yaml It is larger than 64 KB and was not read."]
    )
  })
})
