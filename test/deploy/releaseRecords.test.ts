import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { aFolder } from "../support/gitRepository.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))

interface Component {
  readonly "bom-ref": string
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly hashes: ReadonlyArray<{ readonly alg: string; readonly content: string }>
  readonly licenses: ReadonlyArray<unknown>
}
interface Materials {
  readonly bomFormat: string
  readonly specVersion: string
  readonly metadata: {
    readonly component: { readonly "bom-ref": string; readonly name: string; readonly version: string }
  }
  readonly components: ReadonlyArray<Component>
  readonly dependencies: ReadonlyArray<{ readonly ref: string; readonly dependsOn: ReadonlyArray<string> }>
}
interface Statement {
  readonly subject: ReadonlyArray<{ readonly name: string; readonly digest: { readonly sha256: string } }>
  readonly predicateType: string
  readonly predicate: {
    readonly buildDefinition: {
      readonly resolvedDependencies: ReadonlyArray<{ readonly name: string; readonly digest: Record<string, string> }>
    }
  }
}
interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly version: string; readonly integrity?: string; readonly dev?: boolean }>
  >
}

const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as Lock
const locked = Object.entries(lock.packages).flatMap(([path, { version, integrity, dev }]) =>
  path === "" ? [] : [{ ref: `${path.split("node_modules/").at(-1)}@${version}`, integrity, isForUse: dev !== true }]
)
const digestOf = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex")

describe("the records of a release", () => {
  let materials: Materials
  let statement: Statement
  let tarball: string

  beforeAll(() => {
    tarball = join(aFolder(), "assay-0.0.0.tgz")
    writeFileSync(tarball, "any content")
    const script = join(root, "scripts/releaseRecords.mjs")
    const printed = execFileSync(process.execPath, [script, tarball], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"]
    })
    const [bom = "", provenance = ""] = printed.split("\n")
    materials = JSON.parse(readFileSync(bom, "utf8"))
    statement = JSON.parse(readFileSync(provenance, "utf8"))
  })

  it("list every package that is installed with it, with the digest of the lock file", () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly version: string }
    assert.deepStrictEqual([materials.bomFormat, materials.specVersion], ["CycloneDX", "1.5"])
    assert.deepStrictEqual(
      [materials.metadata.component.name, materials.metadata.component.version],
      ["assay", version]
    )
    const refs = new Set(materials.components.map((component) => component["bom-ref"]))
    assert.deepStrictEqual(
      locked.filter(({ ref, isForUse }) => isForUse && !refs.has(ref)).map(({ ref }) => ref),
      []
    )
    const integrities = new Map(locked.map(({ ref, integrity }) => [ref, integrity] as const))
    for (const { "bom-ref": ref, name, version, purl, hashes, licenses } of materials.components) {
      assert.strictEqual(ref, `${name}@${version}`)
      assert.strictEqual(decodeURIComponent(purl), `pkg:npm/${ref}`)
      assert.isNotEmpty(licenses, ref)
      const known = integrities.get(ref)
      if (known === undefined) continue
      const [{ alg, content } = { alg: "", content: "" }] = hashes
      assert.strictEqual(
        `${alg.toLowerCase().replace("-", "")}-${Buffer.from(content, "hex").toString("base64")}`,
        known
      )
    }
  })

  it("list what is in its bundles and its grammars, and nothing else of development", () => {
    const names = new Set(materials.components.map(({ name }) => name))
    for (const name of ["effect", "react", "@tanstack/react-query", "react-markdown", "tree-sitter-wasm"]) {
      assert.isTrue(names.has(name), name)
    }
    for (const name of ["vitest", "typescript", "@biomejs/biome", "playwright-core", "axe-core", "vite"]) {
      assert.isFalse(names.has(name), name)
    }
  })

  it("say who depends on what, among what they list", () => {
    const refs = [
      materials.metadata.component["bom-ref"],
      ...materials.components.map((component) => component["bom-ref"])
    ]
    assert.strictEqual(new Set(refs).size, refs.length)
    assert.sameMembers(
      materials.dependencies.map(({ ref }) => ref),
      refs
    )
    for (const { dependsOn } of materials.dependencies) assert.includeMembers(refs, [...dependsOn])
  })

  it("state the digests of the tarball, of the bill of materials and of the lock file", () => {
    assert.strictEqual(statement.predicateType, "https://slsa.dev/provenance/v1")
    const bom = tarball.replace(/\.tgz$/, ".cdx.json")
    assert.deepStrictEqual(statement.subject, [
      { name: "assay-0.0.0.tgz", digest: { sha256: digestOf(tarball) } },
      { name: "assay-0.0.0.cdx.json", digest: { sha256: digestOf(bom) } }
    ])
    const { resolvedDependencies } = statement.predicate.buildDefinition
    const lockFile = resolvedDependencies.find(({ name }) => name === "package-lock.json")
    assert.deepStrictEqual(lockFile?.digest, { sha256: digestOf(join(root, "package-lock.json")) })
  })
})
