import type { SourceFile } from "../../core/files/SourceFile.ts"
import { baseName, folderOf } from "../../core/text/paths.ts"
import {
  auditTool,
  type Emit,
  type EmitAt,
  type FileSummary,
  type Match,
  type Project
} from "../../core/tool/AuditTool.ts"
import { isHelmTemplate, withoutActions } from "../../languages/formats/helmTemplate.ts"
import { parseYaml, yamlOf } from "../../languages/formats/yaml.ts"
import { imagesBuiltIn, imagesFilledIn } from "./builtImages.ts"
import { isChartValues, privilegesIn } from "./charts.ts"
import { inspectCompose, isComposePath } from "./compose.ts"
import { dropsRights, inspectDockerfile, type RootStart } from "./dockerfiles.ts"
import { type FloatingImage, floatingImageMatch } from "./images.ts"
import { inspectManifest } from "./kubernetes.ts"
import { type RuleId, rules } from "./rules.ts"

/** Files of tools that build images or give them a version. */
const fillsIn = /(?:^|\/)(?:kustomization|skaffold[\w.-]*)\.ya?ml$/i
const manifest =
  /^kind:\s*["']?(?:Pod|Deployment|StatefulSet|DaemonSet|ReplicaSet|ReplicationController|Job|CronJob|Secret|(?:Cluster)?Role(?:Binding)?)\b/m
/** Other formats that carry the name of this one. */
const notDockerfile = /\.(?:dockerignore|vim|lua|nanorc|tm\w+|j2|tt|erb|tmpl|tpl|template|in|rst)$/i

interface Facts {
  /** Images that the repository builds itself or that a tool gives a version. */
  readonly replaced?: ReadonlyArray<string>
  readonly images?: ReadonlyArray<FloatingImage>
  readonly start?: RootStart
  /** What these values of a chart give every pod that no one set up otherwise. */
  readonly privileges?: ReadonlyArray<Match<RuleId>>
  /** This start script hands over to an ordinary user. */
  readonly dropsRights?: boolean
}

/** What a manifest lacks may come from the values of a chart, and so do its images. */
const aboutAbsence: ReadonlySet<RuleId> = new Set([
  "no_limits",
  "no_security_context",
  "service_account_token",
  "writable_root_filesystem"
])

const inspectTemplate = (text: string, emit: Emit<RuleId>): void => {
  const yaml = parseYaml(withoutActions(text))
  if (!yaml.isValid) return
  for (const document of yaml.documents) {
    inspectManifest(document, (match) => {
      if (!aboutAbsence.has(match.rule)) emit(match)
    })
  }
}

const inspectYaml = (file: SourceFile, emit: Emit<RuleId>): Facts => {
  const isCompose = isComposePath(file.path)
  const isManifest = manifest.test(file.text)
  const built = imagesBuiltIn(file.text)
  if (isChartValues(file.path)) return { replaced: built, privileges: privilegesIn(yamlOf(file).documents) }
  if (!isCompose && !isManifest && !fillsIn.test(file.path)) return { replaced: built }
  if (isManifest && isHelmTemplate(file.text)) {
    inspectTemplate(file.text, emit)
    return { replaced: built }
  }
  // Other templates are YAML only after they are filled in.
  if (/\{\{[-~]?\s*[.$\w]|\{%|<%/.test(file.text)) return { replaced: built }
  const yaml = yamlOf(file)
  if (!yaml.isValid) return { replaced: built }
  const replaced = [...built, ...yaml.documents.flatMap(imagesFilledIn)]
  const images = yaml.documents.flatMap((document) => {
    if (isCompose) return inspectCompose(document, file.path, emit)
    return isManifest ? inspectManifest(document, emit) : []
  })
  return { replaced, images }
}

const inspectScript = ({ text }: SourceFile): Facts => {
  const replaced = imagesBuiltIn(text)
  return dropsRights.test(text) ? { replaced, dropsRights: true } : { replaced }
}

const finish = (facts: ReadonlyArray<FileSummary<Facts>>, project: Project, emit: EmitAt<RuleId>): void => {
  const known = facts.map(({ path, facts: value }) => ({ path, ...value }))
  const replaced = new Set(known.flatMap((fact) => fact.replaced ?? []))
  const stepsDown = new Set(known.filter((fact) => fact.dropsRights === true).map(({ path }) => baseName(path)))
  for (const { path, images = [], start, privileges = [] } of known) {
    if (project.has(`${folderOf(path)}Chart.yaml`)) for (const match of privileges) emit(path, match)
    const seen = new Set<string>()
    for (const image of images) {
      if (replaced.has(image.image) || seen.has(image.image)) continue
      seen.add(image.image)
      emit(path, floatingImageMatch(image))
    }
    if (start !== undefined && !(start.script !== null && stepsDown.has(start.script))) emit(path, start.match)
  }
}

/** Nothing that the cross-file pass needs. */
const isEmpty = ({ replaced = [], images = [], start, privileges = [], dropsRights: stepsDown }: Facts): boolean =>
  privileges.length === 0 && replaced.length === 0 && images.length === 0 && start === undefined && stepsDown !== true

const factsOf = (file: SourceFile, emit: Emit<RuleId>): Facts => {
  if (file.language === "yaml") return inspectYaml(file, emit)
  return file.language === "shell" ? inspectScript(file) : inspectDockerfile(file, emit)
}

const isStartScript = (path: string): boolean => /entrypoint|\.(?:sh|bash)$/i.test(baseName(path))

export default auditTool({
  id: "container_configuration",
  suite: "standard",
  kind: "finding",
  domain: "devops",
  category: "operations",
  priority: "P2",
  version: 4,
  redacts: true,
  rules,
  appliesTo: ({ path, language, role }) =>
    role === "source" &&
    (language === "yaml" ||
      (language === "dockerfile" && !notDockerfile.test(path)) ||
      (language === "shell" && isStartScript(path))),
  inspect: (file, emit) => {
    const facts = factsOf(file, emit)
    return isEmpty(facts) ? undefined : facts
  },
  finish
})
