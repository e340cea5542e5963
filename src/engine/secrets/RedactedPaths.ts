import { REDACTED } from "./redact.ts"
import { scanSecrets } from "./scanSecrets.ts"

/** Issuers' keys in names of files. A mere name is no label: `password=x.txt` is a file about passwords. */
export const secretsInPath = (path: string) => scanSecrets(path).filter(({ kind }) => kind === "provider")

/** Redacts the secrets that names of files contain; most trees have none, and cost nothing. */
export class RedactedPaths {
  private readonly values = new Set<string>()
  private readonly paths: ReadonlyArray<string>

  constructor(paths: Iterable<string>) {
    const affected: Array<string> = []
    for (const path of paths) {
      const secrets = secretsInPath(path)
      if (secrets.length > 0) affected.push(path)
      for (const { start, end } of secrets) this.values.add(path.slice(start, end))
    }
    this.paths = affected
  }

  /** Values that no text may contain. */
  get secrets(): ReadonlyArray<string> {
    return [...this.values]
  }

  /** The paths in the tree that are known under these names, as an earlier scan redacted them. */
  resolve(known: ReadonlyArray<string>): ReadonlyArray<string> {
    if (this.paths.length === 0) return known
    const paths = new Map(this.paths.map((path) => [this.redact(path), path]))
    return known.map((path) => paths.get(path) ?? path)
  }

  /** The same value with every text redacted. Keys of issuers contain no character that JSON escapes. */
  redactIn<A>(value: A): A {
    return this.values.size === 0 ? value : (JSON.parse(this.redact(JSON.stringify(value))) as A)
  }

  private redact(text: string): string {
    return [...this.values].sort((a, b) => b.length - a.length).reduce((out, v) => out.replaceAll(v, REDACTED), text)
  }
}
