import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { parse, parseAllDocuments } from "yaml"
import type { ScanResult } from "../../src/engine/core/scan/ScanResult.ts"
import { settings } from "../../src/layers/Config.ts"
import { assay } from "../support/assayCommand.ts"
import { aRepository } from "../support/gitRepository.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const read = (path: string) => readFileSync(join(root, path), "utf8")

const files = readdirSync(join(root, "deploy"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
  .sort()

const isTemplate = (path: string) => path.includes("/templates/")
const chart = "deploy/helm/assay"
const templates = files.filter(isTemplate)

const documentsOf = (path: string, text: string) =>
  parseAllDocuments(text).map((document) => {
    assert.deepStrictEqual(document.errors, [], path)
    return document.toJS() as Readonly<Record<string, unknown>> | null
  })

describe("files for deployment", () => {
  it("are YAML and JSON that parse", () => {
    const parsed = files.filter((path) => /\.(?:ya?ml|json)$/.test(path) && !isTemplate(path))
    assert.isAbove(parsed.length, 5)
    for (const path of parsed) {
      if (path.endsWith(".json")) assert.isObject(JSON.parse(read(path)), path)
      else for (const document of documentsOf(path, read(path))) assert.isObject(document, path)
    }
  })

  it("name only settings that exist", () => {
    const variables = new Set<string>(Object.values(settings).map(({ variable }) => variable))
    for (const path of files) {
      for (const [name] of read(path).matchAll(/\b(?:ASSAY_[A-Z_]*[A-Z]|DATABASE_URL)\b/g)) {
        assert.isTrue(variables.has(name), `${path}: ${name} is no setting`)
      }
    }
  })

  it("use the ports that the service listens on by default", () => {
    const portOf = (setting: { readonly fallback: string }) => setting.fallback.replaceAll("`", "")
    const [api, docs, admin] = [portOf(settings.port), portOf(settings.docsPort), portOf(settings.adminPort)]
    assert.include(read("deploy/Dockerfile"), `EXPOSE ${api} ${docs}\n`)
    assert.include(read("deploy/Dockerfile"), `ASSAY_ADMIN_PORT || ${admin}`)
    assert.include(read("deploy/compose.yaml"), `"127.0.0.1:${api}:${api}"`)
    assert.include(read("deploy/proxy/nginx.conf"), `server 127.0.0.1:${api};`)
    assert.include(read("deploy/proxy/Caddyfile"), `127.0.0.1:${api}`)
    assert.include(read("deploy/monitoring/prometheus.yaml"), `127.0.0.1:${admin}`)
    const deployment = read(`${chart}/templates/api.yaml`)
    for (const [name, port] of [
      ["http", api],
      ["docs", docs],
      ["admin", admin]
    ]) {
      assert.match(deployment, new RegExp(`name: ${name}\\n\\s+containerPort: ${port}\\n`))
    }
  })

  it("are of this version", () => {
    const { version } = JSON.parse(read("package.json")) as { readonly version: string }
    const { version: chartVersion, appVersion } = parse(read(`${chart}/Chart.yaml`)) as Readonly<Record<string, string>>
    assert.deepStrictEqual([chartVersion, appVersion], [version, version])
    assert.include(read("deploy/compose.yaml"), `image: assay:${version}\n`)
  })

  it("pass streams on without buffering: those of agents and of a job's events, and no others", () => {
    const nginx = new RegExp(/location ~ (\^\/\(mcp\S+) \{/.exec(read("deploy/proxy/nginx.conf"))?.[1] ?? "^$")
    const [, list = ""] = /path (\/mcp .*)/.exec(read("deploy/proxy/Caddyfile")) ?? []
    const caddy = list.split(" ").map((path) => new RegExp(`^${path.replaceAll("*", "[^?]*")}$`))
    const isStream = (path: string) => [nginx.test(path), caddy.some((pattern) => pattern.test(path))]
    for (const path of ["/mcp", "/mcp/", "/api/jobs/0190d2a5-7a6c-7cc5-9d2a-8a4a5c6b7d8e/events"]) {
      assert.deepStrictEqual(isStream(path), [true, true], path)
    }
    for (const path of ["/", "/api/jobs", "/api/jobs/x", "/mcpx", "/api/observations/events"]) {
      assert.deepStrictEqual(isStream(path), [false, false], path)
    }
  })

  it("never proxy the admin port", () => {
    for (const path of ["deploy/proxy/nginx.conf", "deploy/proxy/Caddyfile"]) {
      const configuration = read(path).replace(/#.*/g, "")
      assert.notMatch(configuration, /4002|metrics|readyz|healthz/, path)
    }
  })

  it("send the build of the image what a release is made of", () => {
    const context = read(".dockerignore").split("\n")
    const { files: packed } = JSON.parse(read("package.json")) as { readonly files: ReadonlyArray<string> }
    // Made by the build.
    const made = new Set(["dist", "npm-shrinkwrap.json"])
    const sources = packed.filter((name) => !name.startsWith("!") && !made.has(name)).map((name) => name.split("/")[0])
    const build = [
      "src",
      "scripts",
      ".npmrc",
      "package.json",
      "package-lock.json",
      "tsconfig.json",
      "tsconfig.build.json"
    ]
    for (const name of [...sources, ...build]) assert.include(context, `!${name}`)
    for (const name of context.filter((line) => line.startsWith("!"))) {
      assert.isTrue(existsSync(join(root, name.slice(1))), `.dockerignore: ${name} does not exist`)
    }
    assert.isBelow(context.indexOf("*"), context.indexOf("!src"))
  })

  it("confine every systemd unit in the same way", () => {
    const confinement = (path: string) =>
      read(path)
        .split("\n")
        .filter(
          (line) =>
            /^(?:Protect|Private|Restrict|No|Capability|Lock|SystemCall|UMask)/.test(line) && !/^RestartSec/.test(line)
        )
    const units = files.filter((path) => path.endsWith(".service"))
    assert.strictEqual(units.length, 3)
    const [first = ""] = units
    assert.isAbove(confinement(first).length, 15)
    for (const unit of units) {
      assert.deepStrictEqual(confinement(unit), confinement(first), unit)
      const [, role = "all"] = /ExecStart=.* serve(?: --role (\w+))?$/m.exec(read(unit)) ?? []
      assert.strictEqual(`deploy/systemd/assay${role === "all" ? "" : `-${role}`}.service`, unit)
    }
  })

  it.effect(
    "pass our own audit without a finding",
    () =>
      Effect.gen(function* () {
        const contents = Object.fromEntries(
          [...files, ".dockerignore", "package.json", "package-lock.json"].map((path) => [path, read(path)])
        )
        const { path } = aRepository(contents)
        const { stdout, stderr } = yield* assay(["audit", path, "--full", "--json"])
        const { findings, tool_failures } = JSON.parse(stdout) as ScanResult
        const ofDeployment = findings
          .map(({ title, rule_id, locations: [at] }) => `${at?.file_path}:${at?.line_start} ${rule_id} ${title}`)
          .filter((text) => !text.startsWith("package"))
        assert.deepStrictEqual([ofDeployment, tool_failures], [[], []], stderr)
      }),
    600_000
  )
})

const valueAt = (values: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((at, key) => (at as Readonly<Record<string, unknown>> | undefined)?.[key], values)

const everything = [
  "--set=publicUrl=https://assay.example.org,trustedProxies={10.1.0.0/16},settings.ASSAY_LOG_LEVEL=warn",
  "--set=ingress.enabled=true,ingress.host=assay.example.org,ingress.className=nginx,service.docs=true",
  "--set=api.autoscaling.enabled=true,worker.autoscaling.enabled=true,podMonitor.enabled=true",
  "--set=networkPolicy.database.cidr=10.2.0.5/32"
]
const hasHelm = spawnSync("helm", ["version"]).status === 0

describe("the Helm chart", () => {
  it("uses values that values.yaml has, and all of them", () => {
    const values = parse(read(`${chart}/values.yaml`)) as Readonly<Record<string, unknown>>
    const text = templates.map(read).join("\n")
    const used = [...text.matchAll(/\.Values\.([A-Za-z]+(?:\.[A-Za-z]+)*)/g)].map(([, path = ""]) => path)
    for (const path of used) assert.notStrictEqual(valueAt(values, path), undefined, path)
    for (const name of Object.keys(values)) {
      assert.isTrue(
        used.some((path) => path.split(".")[0] === name),
        `no template uses ${name}`
      )
    }
  })

  it("holds no secret, and refers to one of the operator's", () => {
    for (const path of templates) assert.notMatch(read(path), /^kind: Secret$/m, path)
    for (const role of ["api", "worker"]) {
      assert.match(read(`${chart}/templates/${role}.yaml`), /secretRef:\s+name: \{\{ \.Values\.existingSecret \}\}/)
    }
  })

  it.skipIf(!hasHelm)("renders to manifests whose pods are confined, probed and bounded", () => {
    for (const options of [[], everything]) {
      const { status, stdout, stderr } = spawnSync("helm", ["template", "assay", join(root, chart), ...options], {
        encoding: "utf8"
      })
      assert.strictEqual(status, 0, stderr)
      const manifests = documentsOf(chart, stdout).filter((manifest) => manifest !== null)
      const kinds = manifests.map(({ kind }) => String(kind))
      assert.includeMembers(kinds, ["Deployment", "Service", "NetworkPolicy", "PodDisruptionBudget", "ServiceAccount"])
      if (options === everything) assert.includeMembers(kinds, ["HorizontalPodAutoscaler", "Ingress", "PodMonitor"])
      for (const manifest of manifests.filter(({ kind }) => kind === "Deployment")) {
        const pod = valueAt(manifest, "spec.template.spec")
        assert.strictEqual(valueAt(pod, "securityContext.runAsNonRoot"), true)
        assert.strictEqual(valueAt(pod, "enableServiceLinks"), false)
        const [container] = valueAt(pod, "containers") as ReadonlyArray<unknown>
        assert.strictEqual(valueAt(container, "securityContext.readOnlyRootFilesystem"), true)
        assert.strictEqual(valueAt(container, "securityContext.allowPrivilegeEscalation"), false)
        for (const probe of ["startupProbe", "livenessProbe", "readinessProbe"]) {
          assert.strictEqual(valueAt(container, `${probe}.httpGet.port`), "admin")
        }
        assert.isString(valueAt(container, "resources.limits.memory"))
      }
    }
  })
})
