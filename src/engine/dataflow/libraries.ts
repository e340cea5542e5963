import { directoryOf } from "../core/text/paths.ts"
import type { Project } from "../core/tool/AuditTool.ts"

const parsed = (text: string): Readonly<Record<string, unknown>> | null => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

/** A package that others install: it names what they import, and nothing says that it is run by itself. */
export const isPublishedPackage = (text: string, hasIndex = false): boolean => {
  const manifest = parsed(text)
  if (manifest === null || !("name" in manifest) || manifest.private === true) return false
  if ("main" in manifest || "exports" in manifest || "module" in manifest) return true
  // Without an entrance of its own a package is imported by its index file, unless it is a program without one.
  return "version" in manifest && (hasIndex || !("bin" in manifest))
}

/** What a package.json that describes a package or a program has, one that only sets how its folder is loaded has not. */
const describing = ["name", "private", "version", "bin", "scripts", "workspaces", "dependencies", "devDependencies"]

const headings: Readonly<Record<string, RegExp>> = {
  "setup.cfg": /^\[metadata\]/m,
  "pyproject.toml": /^\[(?:project|tool\.poetry|tool\.flit)/m
}

/**
 * Whether a manifest describes nothing and leaves that to one above it: `{ "type": "module" }` beside modules, or
 * settings of a linter.
 */
export const isMarker = (name: string, text: string): boolean => {
  if (name !== "package.json") return headings[name]?.test(text) === false
  const manifest = parsed(text)
  return manifest !== null && !describing.some((key) => key in manifest)
}

const entranceInFolder = /"(?:main|module)"\s*:\s*"(?:\.\/)?([^"/]+)\/[^"]*"/g

/** Whether a script lies where the entrance of its package does: it is imported, whatever the folder is called. */
const isBesideEntrance = (path: string, project: Project): boolean => {
  for (let folder = directoryOf(path); folder !== ""; folder = directoryOf(folder)) {
    const above = directoryOf(folder)
    const manifest = project.manifest(above === "" ? "package.json" : `${above}/package.json`)
    if (manifest === null || isMarker("package.json", manifest)) continue
    const name = folder.slice(above === "" ? 0 : above.length + 1)
    return [...manifest.matchAll(entranceInFolder)].some(([, entrance]) => entrance === name)
  }
  return false
}

const composerType = (text: string): boolean => /"name"\s*:/.test(text) && !/"type"\s*:\s*"project"/.test(text)

/** By the name of a manifest, whether its text describes something that others install. */
const libraryManifests: Readonly<Record<string, (text: string, hasIndex: boolean) => boolean>> = {
  "package.json": isPublishedPackage,
  "setup.py": () => true,
  "setup.cfg": () => true,
  "pyproject.toml": () => true,
  "go.mod": () => true,
  "composer.json": composerType,
  "pom.xml": (text) => !/spring-boot-maven-plugin|<packaging>\s*(?:war|pom|ear)\s*</.test(text),
  "build.gradle": (text) => /java-library|maven-publish/.test(text),
  "build.gradle.kts": (text) => /java-library|maven-publish/.test(text)
}

const manifestsOf: Readonly<Record<string, ReadonlyArray<string>>> = {
  javascript: ["package.json"],
  typescript: ["package.json"],
  tsx: ["package.json"],
  python: ["pyproject.toml", "setup.py", "setup.cfg"],
  go: ["go.mod"],
  php: ["composer.json"],
  java: ["pom.xml", "build.gradle", "build.gradle.kts"]
}

/** What is run instead of imported. */
const program =
  /(?:^|\/)(?:cmd|bin|scripts?|tools?|internal|tasks|ci|build|hack|benchmarks?|migrations?)\/|(?:^|\/)(?:manage|setup|conftest|noxfile|fabfile|tasks|__main__)\.py$|(?:^|\/)(?:[Gg]ulp|[Gg]runt)file\.[cm]?[jt]s$|\.config\.[cm]?[jt]s$/
const isCodeOfNode = /^(?:javascript|typescript|tsx)$/
/** Marks of an application beside a manifest. */
const applicationMarks = ["manage.py", "artisan", "wp-config.php", "config/application.rb"]

/** Which files of a project are part of a library: code that its authors do not call, strangers do. */
export const libraryFiles = (project: Project): ((path: string) => boolean) => {
  const byFolder = new Map<string, boolean>()
  const languages = new Map(project.files.map(({ path, language }) => [path, language as string]))
  const gems = new Set(
    [...project.files.map(({ path }) => path), ...project.unread]
      .filter((path) => path.endsWith(".gemspec"))
      .map(directoryOf)
  )
  const isLibrary = (folder: string, language: string): boolean => {
    const key = `${language} ${folder}`
    const known = byFolder.get(key)
    if (known !== undefined) return known
    const found = ownMark(folder, language) ?? (folder === "" ? false : isLibrary(directoryOf(folder), language))
    byFolder.set(key, found)
    return found
  }
  const ownMark = (folder: string, language: string): boolean | null => {
    const at = (name: string): string => (folder === "" ? name : `${folder}/${name}`)
    if (applicationMarks.some((name) => project.has(at(name)))) return false
    if (language === "ruby") return gems.has(folder) ? true : null
    const texts = (manifestsOf[language] ?? []).flatMap((name) => {
      const text = project.manifest(at(name))
      return text === null || isMarker(name, text) ? [] : [{ name, text }]
    })
    const hasIndex = project.has(at("index.js"))
    return texts.length === 0 ? null : texts.some(({ name, text }) => libraryManifests[name]!(text, hasIndex))
  }
  return (path) => {
    const language = languages.get(path)
    if (language === undefined || !isLibrary(directoryOf(path), language)) return false
    return !program.test(path) || (isCodeOfNode.test(language) && isBesideEntrance(path, project))
  }
}
