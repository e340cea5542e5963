import { REDACTED } from "./redact.ts"
import { scanSecrets } from "./scanSecrets.ts"

/** Issuers' keys in names of files. A mere name is no label: `password=x.txt` is a file about passwords. */
export const secretsInName = (path: string) => scanSecrets(path).filter(({ kind }) => kind === "provider")

/** Hides what names of files give away; most trees give nothing away and cost nothing. */
export class SecretNames {
  private readonly values = new Set<string>()
  private readonly paths: ReadonlyArray<string>

  constructor(paths: Iterable<string>) {
    const telling: Array<string> = []
    for (const path of paths) {
      const secrets = secretsInName(path)
      if (secrets.length > 0) telling.push(path)
      for (const { start, end } of secrets) this.values.add(path.slice(start, end))
    }
    this.paths = telling
  }

  /** What must be in no text. */
  get secrets(): ReadonlyArray<string> {
    return [...this.values]
  }

  /** The files that are known under these names, as they were hidden before. */
  originals(known: ReadonlyArray<string>): ReadonlyArray<string> {
    if (this.paths.length === 0) return known
    const names = new Map(this.paths.map((path) => [this.hide(path), path]))
    return known.map((path) => names.get(path) ?? path)
  }

  /** The same value with nothing of it in any text. Keys of issuers hold no character that JSON escapes. */
  in<A>(value: A): A {
    return this.values.size === 0 ? value : (JSON.parse(this.hide(JSON.stringify(value))) as A)
  }

  private hide(text: string): string {
    return [...this.values].sort((a, b) => b.length - a.length).reduce((out, v) => out.replaceAll(v, REDACTED), text)
  }
}
