import { imageOf } from "../../languages/formats/dockerfile.ts"
import { entriesOf, itemsOf, scalarOf, textAt, valueAt, type YamlDocument } from "../../languages/formats/yaml.ts"

const MAX_NAMES = 200

const buildCommand = /\b(?:docker|podman|buildah|nerdctl)(?:\s+(?:buildx|image))?\s+(?:build|bud|tag)\b([^\n]{0,500})/g
const tagged = /(?:^|\s)(?:-t|--tag)[\s=]\s{0,4}["']?([a-z][\w./-]{0,200})/g
const actionTags = /^\s{0,40}tags:\s{0,4}["']?([a-z][\w./-]{0,200})/gm

/** Names of images that the commands of a text build: `docker build --tag acme/api .`. */
export const imagesBuiltIn = (text: string): ReadonlyArray<string> => {
  const names = [...text.matchAll(buildCommand)].flatMap(([, rest]) =>
    [...rest!.matchAll(tagged)].map(([, name]) => name!)
  )
  if (text.includes("docker/build-push-action@")) names.push(...[...text.matchAll(actionTags)].map(([, name]) => name!))
  return [...new Set(names.map((name) => imageOf(name)?.name ?? name))].slice(0, MAX_NAMES)
}

/** Names that a build tool's own file says it builds or fills in: Kustomize, Skaffold, Compose. */
export const imagesFilledIn = (document: YamlDocument): ReadonlyArray<string> => {
  const { root } = document
  const kustomized = itemsOf(document, valueAt(document, root, "images")).map((item) => textAt(document, item, "name"))
  const lists = [valueAt(document, root, "build", "artifacts")]
  for (const profile of itemsOf(document, valueAt(document, root, "profiles"))) {
    lists.push(valueAt(document, profile, "build", "artifacts"))
  }
  const artifacts = lists.flatMap((list) => itemsOf(document, list)).map((item) => textAt(document, item, "image"))
  const services = entriesOf(document, valueAt(document, root, "services"))
    .filter(({ value }) => valueAt(document, value, "build") !== null)
    .map(({ value }) => scalarOf(document, valueAt(document, value, "image")))
  return [...kustomized, ...artifacts, ...services]
    .filter((name) => name !== null)
    .map((name) => imageOf(name)?.name ?? name)
    .slice(0, MAX_NAMES)
}
