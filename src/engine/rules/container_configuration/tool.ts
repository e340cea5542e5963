import type { SourceFile } from "../../core/files/SourceFile.ts"
import { baseName } from "../../core/text/paths.ts"
import { auditTool, type Emit, type EmitAt, type FileSummary, type Project } from "../../core/tool/AuditTool.ts"
import { itemsOf, textAt, valueAt, type YamlFile, yamlOf } from "../../languages/formats/yaml.ts"
import { inspectCompose, isComposePath } from "./compose.ts"
import { dropsRights, inspectDockerfile, type RootStart } from "./dockerfiles.ts"
import { type FloatingImage, floatingImageMatch, inspectManifest } from "./kubernetes.ts"
import { type RuleId, rules } from "./rules.ts"

const kustomization = /(?:^|\/)kustomization\.ya?ml$/i
const manifest =
  /^kind:\s*["']?(?:Pod|Deployment|StatefulSet|DaemonSet|ReplicaSet|ReplicationController|Job|CronJob|Secret)\b/m
/** Other formats that carry the name of this one. */
const notDockerfile = /\.(?:dockerignore|vim|lua|nanorc|tm\w+|j2|tt|erb|tmpl|tpl|template|in|rst)$/i

const inspectKustomization = ({ documents }: YamlFile): Facts | undefined => {
  const [document] = documents
  if (document === undefined) return undefined
  const names = itemsOf(document, valueAt(document, document.root, "images")).flatMap(
    (item) => textAt(document, item, "name") ?? []
  )
  return names.length === 0 ? undefined : { replaced: [...names] }
}

const inspectYaml = (file: SourceFile, emit: Emit<RuleId>): Facts | undefined => {
  const isCompose = isComposePath(file.path)
  const isKustomization = kustomization.test(file.path)
  if (!isCompose && !isKustomization && !manifest.test(file.text)) return undefined
  // Charts and other templates are YAML only after they are filled in.
  if (/\{\{|\{%|<%/.test(file.text) && /\{\{[-~]?\s*[.$\w]|\{%|<%/.test(file.text)) return undefined
  const yaml = yamlOf(file)
  if (!yaml.isValid) return undefined
  if (isKustomization) return inspectKustomization(yaml)
  const images: Array<FloatingImage> = []
  for (const document of yaml.documents) {
    if (isCompose) inspectCompose(document, file.path, emit)
    else images.push(...inspectManifest(document, emit))
  }
  return images.length === 0 ? undefined : { images: images.map((image) => ({ ...image })) }
}

interface Facts {
  /** Images that Kustomize gives a version. */
  readonly replaced?: ReadonlyArray<string>
  readonly images?: ReadonlyArray<FloatingImage>
  readonly start?: RootStart
  /** This start script hands over to an ordinary user. */
  readonly dropsRights?: boolean
}

const finish = (facts: ReadonlyArray<FileSummary<Facts>>, _project: Project, emit: EmitAt<RuleId>): void => {
  const known = facts.map(({ path, facts: value }) => ({ path, ...value }))
  const replaced = new Set(known.flatMap((fact) => fact.replaced ?? []))
  const stepsDown = new Set(known.filter((fact) => fact.dropsRights === true).map(({ path }) => baseName(path)))
  for (const { path, images = [], start } of known) {
    const seen = new Set<string>()
    for (const image of images) {
      if (replaced.has(image.image) || seen.has(image.image)) continue
      seen.add(image.image)
      emit(path, floatingImageMatch(image))
    }
    if (start !== undefined && !(start.script !== null && stepsDown.has(start.script))) emit(path, start.match)
  }
}

const isStartScript = (path: string): boolean => /entrypoint|\.(?:sh|bash)$/i.test(baseName(path))

export default auditTool({
  id: "container_configuration",
  suite: "standard",
  kind: "finding",
  domain: "devops",
  category: "operations",
  priority: "P2",
  version: 2,
  rules,
  appliesTo: ({ path, language, role }) =>
    role === "source" &&
    (language === "yaml" ||
      (language === "dockerfile" && !notDockerfile.test(path)) ||
      (language === "shell" && isStartScript(path))),
  inspect: (file, emit) => {
    if (file.language === "yaml") return inspectYaml(file, emit)
    if (file.language === "shell") return dropsRights.test(file.text) ? { dropsRights: true } : undefined
    const start = inspectDockerfile(file, emit)
    return start === null ? undefined : { start }
  },
  finish
})
