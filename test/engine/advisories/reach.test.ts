import { assert, describe, it } from "vitest"
import { scan } from "../../../src/engine/core/scan/Engine.ts"
import dependency_vulnerabilities from "../../../src/engine/rules/dependency_vulnerabilities/tool.ts"
import { treeOf } from "../../support/audit.ts"

const only = async (tree: Readonly<Record<string, string>>) => {
  const { findings } = await scan(treeOf(tree), { suite: "full", tools: [dependency_vulnerabilities] })
  assert.lengthOf(findings, 1)
  return findings[0]!
}

const lowered = [
  "dependency_vulnerabilities.vulnerable_version_moderate",
  "dependency_vulnerabilities.vulnerable_version_low"
]

/** Of a tree whose package counts with its full severity, and of one in which nothing that is shipped reaches it. */
const compared = async (
  reached: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
  why: string
) => {
  const [severe, unreached] = [await only(reached), await only(other)]
  assert.notInclude(lowered, severe.rule_id, severe.title)
  assert.include(lowered, unreached.rule_id, unreached.title)
  assert.isAtLeast(Number(unreached.priority.slice(1)), 2, unreached.title)
  assert.notInclude(severe.description, "lowered")
  assert.include(unreached.description, `lowered: ${why}`)
}

describe("a vulnerable package that nothing shipped reaches is P2 at most", () => {
  const goMod = (requirement: string) => `module depot.example\n\nrequire ${requirement}\n`
  const go = (path: string, body: string) => `package depot\n\nimport "${path}"\n\nfunc run() { ${body} }\n`

  it("in Go, where no shipped code names the functions of the advisory", async () => {
    const tree = (name: string, body: string) => ({
      "go.mod": goMod("google.golang.org/grpc v1.50.0"),
      [name]: go("google.golang.org/grpc", body),
      "client.go": go("google.golang.org/grpc", 'grpc.Dial("depot.example")')
    })
    const server = "grpc.NewServer().Stop()"
    await compared(
      tree("server.go", server),
      tree("server_test.go", server),
      "no audited file calls the functions that have it"
    )
  })

  it("with the less severe of two advisories where only that is reached", async () => {
    const tree = (body: string) => ({
      "go.mod": goMod("golang.org/x/crypto v0.16.0"),
      "a.go": go("golang.org/x/crypto/ssh", body)
    })
    const [server, client] = [
      await only(tree("ssh.NewServerConn(nil, &ssh.ServerConfig{})")),
      await only(tree('ssh.Dial("tcp", "depot.example:22", nil)'))
    ]
    assert.strictEqual(server.rule_id, "dependency_vulnerabilities.vulnerable_version_critical")
    assert.strictEqual(client.rule_id, "dependency_vulnerabilities.vulnerable_version_moderate")
  })

  it("in yarn's lock file, which says nothing of development, where package.json asks for it there", async () => {
    const tree = (heading: string) => ({
      "yarn.lock": '# yarn lockfile v1\n\nws@^5.1.1:\n  version "5.1.1"\n',
      "package.json": `{"${heading}":{"ws":"^5.1.1"}}`,
      "src/a.js": 'import { Server } from "ws"\nnew Server()\n'
    })
    await compared(tree("dependencies"), tree("devDependencies"), "used for development only")
  })

  it("where only tests import it", async () => {
    const tree = (path: string) => ({
      "yarn.lock": '# yarn lockfile v1\n\nws@^5.1.1:\n  version "5.1.1"\n',
      [path]: 'import { Server } from "ws"\nnew Server()\n',
      "src/b.js": 'import { readFile } from "fs"\nreadFile("a", () => {})\n'
    })
    await compared(tree("src/a.js"), tree("src/a.test.js"), "only tests import it")
  })

  it("in cargo's lock file, where no package of the workspace depends on it", async () => {
    const lock = (own: string, other: string) =>
      `version = 3\n\n[[package]]\nname = "depot"\nversion = "0.1.0"\ndependencies = [\n "${own}",\n]\n` +
      `\n[[package]]\nname = "hyper"\nversion = "0.12.13"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\n` +
      `\n[[package]]\nname = "web"\nversion = "1.0.0"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\n` +
      `dependencies = [\n "${other}",\n]\n`
    const code = { "src/main.rs": "fn main() { web::run(); }\n" }
    await compared(
      { "Cargo.lock": lock("hyper 0.12.13", "web"), ...code },
      { "Cargo.lock": lock("web", "hyper"), ...code },
      "only other dependencies import it"
    )
  })
})
