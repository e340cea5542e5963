import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"
import { packagesIn } from "./notices.mjs"

/** What goes beside a release's tarball: its bill of materials (CycloneDX), and a statement of where it comes from (SLSA). */
const root = fileURLToPath(new URL("../", import.meta.url))

const read = (path) => readFileSync(`${root}${path}`, "utf8")
const run = (command, args) =>
  execFileSync(command, args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", 2] })
const sha256 = (content) => createHash("sha256").update(content).digest("hex")

/** Packages that `npm ci --omit=dev` installs, as `name@version`. */
const installed = () =>
  Object.entries(JSON.parse(read("package-lock.json")).packages).flatMap(([path, { name, version, dev }]) =>
    path === "" || dev === true ? [] : [`${name ?? path.split("node_modules/").at(-1)}@${version}`]
  )

/** Packages for development whose code is in the bundles of the command and of the web app. */
const bundled = () => ["dist/bundled/LICENSES.txt", "dist/web/LICENSES.txt"].flatMap((path) => packagesIn(read(path)))

/** The package that the grammars were copied from. */
const grammars = () =>
  Object.entries(JSON.parse(read("grammars/package-lock.json")).packages).flatMap(([path, entry]) => {
    if (path === "") return []
    const name = path.slice("node_modules/".length)
    const ref = `${name}@${entry.version}`
    const content = Buffer.from(entry.integrity.replace("sha512-", ""), "base64").toString("hex")
    return {
      "bom-ref": ref,
      type: "library",
      name,
      version: entry.version,
      scope: "required",
      purl: `pkg:npm/${ref}`,
      hashes: [{ alg: "SHA-512", content }],
      licenses: [{ license: { id: entry.license } }]
    }
  })

/**
 * npm's own document, of what is in the release or is installed with it. npm is asked for everything: with `--omit dev` it
 * leaves out packages that are used in development too, the largest dependencies among them.
 */
const billOfMaterials = () => {
  const all = JSON.parse(run("npm", ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"]))
  const own = all.metadata.component
  const shipped = new Set([...installed(), ...bundled()])
  const added = grammars()
  const components = [...all.components.filter((component) => shipped.has(component["bom-ref"])), ...added]
  const refs = new Set([own["bom-ref"], ...components.map((component) => component["bom-ref"])])
  const dependencies = all.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({
      ref,
      dependsOn: [
        ...dependsOn.filter((target) => refs.has(target)),
        ...(ref === own["bom-ref"] ? added.map((component) => component["bom-ref"]) : [])
      ]
    }))
  const { name } = JSON.parse(read("package.json"))
  return {
    ...all,
    // npm names the folder that it runs in.
    metadata: { ...all.metadata, lifecycles: [{ phase: "build" }], component: { ...own, type: "application", name } },
    components,
    dependencies: [...dependencies, ...added.map((component) => ({ ref: component["bom-ref"], dependsOn: [] }))]
  }
}

/** The commit the release is made of; none where the sources came without their history. */
const source = () => {
  try {
    const gitCommit = run("git", ["rev-parse", "HEAD"]).trim()
    const uncommittedChanges = run("git", ["status", "--porcelain", "--untracked-files=no"]).trim() !== ""
    return { dependencies: [{ name: "source", digest: { gitCommit } }], uncommittedChanges }
  } catch {
    return { dependencies: [], uncommittedChanges: null }
  }
}

/** An in-toto statement. It is not signed: the one who publishes signs it with a key of their own. */
const provenance = (artifacts) => {
  const { dependencies, uncommittedChanges } = source()
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: artifacts.map((path) => ({ name: basename(path), digest: { sha256: sha256(readFileSync(path)) } })),
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: "urn:assay:release:v1",
        externalParameters: { command: "npm run release" },
        internalParameters: {
          node: process.version,
          npm: run("npm", ["--version"]).trim(),
          platform: `${process.platform}-${process.arch}`,
          uncommittedChanges
        },
        resolvedDependencies: [
          ...dependencies,
          { name: "package-lock.json", digest: { sha256: sha256(read("package-lock.json")) } }
        ]
      },
      runDetails: {
        builder: { id: "urn:assay:scripts/release.mjs" },
        metadata: { finishedOn: new Date().toISOString() }
      }
    }
  }
}

/** Writes both beside the tarball; returns their paths. */
export const writeRecords = (tarball) => {
  const stem = tarball.replace(/\.tgz$/, "")
  const [materials, statement] = [`${stem}.cdx.json`, `${stem}.provenance.json`]
  writeFileSync(materials, `${JSON.stringify(billOfMaterials(), null, 2)}\n`)
  writeFileSync(statement, `${JSON.stringify(provenance([tarball, materials]), null, 2)}\n`)
  return [materials, statement]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const path of writeRecords(process.argv[2])) console.log(path)
}
