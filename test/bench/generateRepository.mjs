import { execFileSync } from "node:child_process"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { asAuthor } from "./asAuthor.mjs"

/**
 * A repository of about `lines` lines in mixed languages, the same for the same seed: services, handlers, models and
 * tests as they are written, put together from templates. Returns the number of lines written.
 */
export const generateRepository = (root, lines, seed = 1) => {
  const { write, writeFile } = writerInto(root, seed, (between) => between)
  let written = write(
    "package.json",
    `${JSON.stringify({ name: "generated", private: true, dependencies: { express: "4.18.2" } }, null, 2)}\n`
  )
  for (let file = 0; written < lines; file++) written += writeFile("", file)
  commit(root)
  return written
}

const FILES_PER_PACKAGE = 100

/** A repository of so many small files, a hundred to a package. Returns the number of lines written. */
export const generateFiles = (root, files, seed = 1) => {
  const { write, writeFile } = writerInto(root, seed, () => [1, 2])
  let written = 0
  for (let file = 0; file < files; file++) {
    const name = `part-${Math.floor(file / FILES_PER_PACKAGE)}`
    written +=
      file % FILES_PER_PACKAGE === 0
        ? write(`packages/${name}/package.json`, `${JSON.stringify({ name, private: true }, null, 2)}\n`)
        : writeFile(`packages/${name}/`, file)
  }
  commit(root)
  return written
}

/** `sizeOf` turns the range of how many functions, fields or statements a template repeats into the wanted one. */
const writerInto = (root, seed, sizeOf) => {
  const random = mulberry(seed)
  const pick = (list) => list[Math.floor(random() * list.length)]
  const many = (low, high) => low + Math.floor(random() * (high - low + 1))
  const count = (...between) => many(...sizeOf(between))
  const noun = () => pick(nouns)
  const verb = () => pick(verbs)
  const context = { pick, many, count, noun, verb, chance: (p) => random() < p }
  rmSync(root, { recursive: true, force: true })
  const write = (path, text) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    return text.split("\n").length
  }
  const writeFile = (above, file) => {
    const { folder, name, make } = kinds[pickWeighted(random)]
    const area = noun()
    return write(`${above}${folder(area)}/${name(`${verb()}${capital(noun())}${file}`)}`, make(context, area))
  }
  return { write, writeFile }
}

const commit = (root) => {
  execFileSync("git", ["init", "-q", root])
  execFileSync("git", ["-C", root, "add", "-A"])
  execFileSync("git", ["-C", root, ...asAuthor, "commit", "-q", "-m", "Generate"])
}

const mulberry = (seed) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const nouns =
  "order invoice customer shipment product basket payment ledger account session report address stock price coupon".split(
    " "
  )
const verbs = "load save list update archive merge check send parse render compute reserve cancel confirm".split(" ")
const types = ["string", "number", "boolean", "Date", "ReadonlyArray<string>"]
const capital = (word) => word[0].toUpperCase() + word.slice(1)
const snake = (word) => word.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)

const repeat = (count, make) => Array.from({ length: count }, (_, i) => make(i)).join("\n")

const tsStatement = ({ pick, noun, verb, many, chance }) =>
  pick([
    () =>
      `    const ${noun()}${many(1, 99)} = await this.${noun()}s.${verb()}({ id: input.id, limit: ${many(1, 500)} })`,
    () =>
      `    if (input.${noun()} === undefined || input.${noun()}.length > ${many(5, 90)}) {\n      throw new Error(\`${verb()} failed for \${input.id}\`)\n    }`,
    () =>
      `    for (const ${noun()} of input.items ?? []) {\n      total += ${chance(0.5) ? "item.price * item.count" : "1"}\n      this.logger.debug("${verb()}", { total })\n    }`,
    () => `    const rows = input.items.filter((x) => x.${noun()} !== null).map((x) => ({ ...x, ${noun()}: x.id }))`,
    () =>
      `    // The ${noun()} is kept until the ${noun()} has been ${verb()}ed.\n    await this.db.query("SELECT id, ${noun()} FROM ${noun()}s WHERE id = $1 AND ${noun()} = $2", [input.id, total])`,
    () =>
      `    switch (input.kind) {\n      case "${noun()}":\n        return this.${verb()}(input)\n      case "${noun()}":\n        total -= 1\n        break\n      default:\n        total += 2\n    }`,
    () =>
      `    try {\n      await this.${verb()}(input)\n    } catch (error) {\n      this.logger.error("could not ${verb()}", error)\n      throw error\n    }`
  ])()

const typescript = (c, area) => `import { ${capital(c.noun())}Repository } from "../${c.noun()}/${c.noun()}Repository"
import type { Logger } from "../support/logger"

export interface ${capital(area)}Input {
  readonly id: string
${repeat(c.count(3, 8), (i) => `  readonly ${c.noun()}${i}?: ${c.pick(types)}`)}
}

/** Keeps ${area}s and reports what became of them. */
export class ${capital(area)}Service {
  constructor(private readonly db: Database, private readonly logger: Logger) {}

${repeat(
  c.count(4, 14),
  (i) => `  async ${c.verb()}${capital(c.noun())}${i}(input: ${capital(area)}Input): Promise<number> {
    let total = 0
${repeat(c.count(2, 7), () => tsStatement(c))}
    return total
  }
`
)}}
`

const javascript = (c, area) => `const express = require("express")
const { ${c.verb()} } = require("../lib/${c.noun()}")
const router = express.Router()

${repeat(
  c.count(5, 16),
  (
    i
  ) => `router.${c.pick(["get", "post", "put", "delete"])}("/${area}s/:id/${c.noun()}${i}", async (req, res, next) => {
  try {
    const ${area} = await ${c.verb()}(Number(req.params.id))
    if (!${area}) return res.status(404).json({ error: "no such ${area}" })
    const lines = ${area}.lines.map((line) => \`\${line.name}: \${line.count}\`)
    ${c.chance(0.3) ? `lines.forEach(function (line) {\n      if (line.length > ${c.many(10, 90)} && !line.startsWith("#")) lines.push(line.trim())\n    })` : `lines.sort()`}
    res.json({ ${area}, lines, page: req.query.page || ${c.many(1, 9)} })
  } catch (error) {
    next(error)
  }
})
`
)}
module.exports = router
`

const pyStatement = ({ pick, noun, verb, many }) =>
  pick([
    () => `        ${noun()} = self.${noun()}s.${verb()}(item_id=item.id, limit=${many(1, 500)})`,
    () =>
      `        if item.${noun()} is None or len(item.${noun()}) > ${many(5, 90)}:\n            raise ValueError(f"cannot ${verb()} {item.id}")`,
    () =>
      `        for row in self.rows:\n            total += row.price * row.count\n            logger.debug("${verb()} %s", row.id)`,
    () => `        names = [row.${noun()} for row in self.rows if row.${noun()} != "${noun()}"]`,
    () =>
      `        with open(self.path / "${noun()}.csv", encoding="utf-8") as handle:\n            total += sum(1 for _ in handle)`,
    () => `        cursor.execute("SELECT id FROM ${noun()} WHERE id = %s", (item.id,))`,
    () =>
      `        try:\n            self.${verb()}(item)\n        except KeyError as error:\n            logger.warning("no ${noun()}: %s", error)\n            raise`
  ])()

const python = (c, area) => `"""${capital(area)}s and what is done with them."""
import logging
from dataclasses import dataclass
from pathlib import Path

logger = logging.getLogger(__name__)


@dataclass
class ${capital(area)}:
    id: int
${repeat(c.count(3, 8), (i) => `    ${c.noun()}_${i}: str = ""`)}


class ${capital(area)}Store:
    def __init__(self, path: Path):
        self.path = path
        self.rows = []

${repeat(
  c.count(4, 14),
  (i) => `    def ${c.verb()}_${c.noun()}_${i}(self, item: ${capital(area)}, limit: int = ${c.many(1, 99)}) -> int:
        total = 0
${repeat(c.count(2, 6), () => pyStatement(c))}
        return total
`
)}
`

const goStatement = ({ pick, noun, verb, many }) =>
  pick([
    () =>
      `\t${noun()}, err := s.store.${capital(verb())}(ctx, id, ${many(1, 500)})\n\tif err != nil {\n\t\treturn 0, fmt.Errorf("${verb()} ${noun()}: %w", err)\n\t}\n\ttotal += ${noun()}.Count`,
    () =>
      `\tfor _, row := range s.rows {\n\t\tif row.Price > ${many(1, 900)} && row.Name != "${noun()}" {\n\t\t\ttotal += row.Count\n\t\t}\n\t}`,
    () =>
      `\tswitch kind {\n\tcase "${noun()}":\n\t\ttotal++\n\tcase "${noun()}":\n\t\treturn total, nil\n\tdefault:\n\t\ttotal--\n\t}`,
    () => `\ts.log.Printf("${verb()} %s %d", id, total)`
  ])()

const go = (c, area) => `package ${area}

import (
\t"context"
\t"fmt"
\t"log"
)

// Service keeps ${area}s.
type Service struct {
\tstore Store
\tlog   *log.Logger
\trows  []Row
}

${repeat(
  c.count(4, 14),
  (
    i
  ) => `func (s *Service) ${capital(c.verb())}${capital(c.noun())}${i}(ctx context.Context, id, kind string) (int, error) {
\ttotal := 0
${repeat(c.count(2, 6), () => goStatement(c))}
\treturn total, nil
}
`
)}`

const javaStatement = ({ pick, noun, verb, many }) =>
  pick([
    () => `    ${capital(noun())} ${noun()}${many(1, 99)} = repository.${verb()}(id, ${many(1, 500)});`,
    () =>
      `    if (kind == null || kind.length() > ${many(5, 90)}) {\n      throw new IllegalArgumentException("cannot ${verb()} " + id);\n    }`,
    () =>
      `    for (Row row : rows) {\n      total += row.getPrice() * row.getCount();\n      log.debug("${verb()} {}", row.getId());\n    }`,
    () => `    total += rows.stream().filter(row -> row.${verb()}() != null).mapToInt(Row::getCount).sum();`,
    () => `    jdbc.query("SELECT id FROM ${noun()} WHERE id = ?", ps -> ps.setLong(1, id), mapper);`
  ])()

const java = (c, area) => `package shop.${area};

import java.util.List;
import org.springframework.stereotype.Service;

@Service
public class ${capital(area)}Service {
  private final Repository repository;
  private final List<Row> rows;

  public ${capital(area)}Service(Repository repository, List<Row> rows) {
    this.repository = repository;
    this.rows = rows;
  }

${repeat(
  c.count(4, 14),
  (i) => `  public int ${c.verb()}${capital(c.noun())}${i}(long id, String kind) {
    int total = 0;
${repeat(c.count(2, 6), () => javaStatement(c))}
    return total;
  }
`
)}}
`

const yaml = (c) => `name: ${c.verb()}
on: [push]
permissions:
  contents: read
jobs:
${repeat(
  c.count(2, 5),
  (i) => `  ${c.verb()}${i}:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683
      - name: ${c.verb()} the ${c.noun()}
        run: |
          npm ci
          npm run ${c.verb()} -- --${c.noun()}=${c.many(1, 99)}`
)}
`

const dockerfile = (c) => `FROM node:20.${c.many(1, 19)}-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci && npm run ${c.verb()}
${repeat(c.count(2, 8), () => `COPY ${c.noun()} /app/${c.noun()}`)}
USER node
CMD ["node", "${c.noun()}.js"]
`

const testFile = (c, area) => `import { describe, expect, it } from "vitest"
import { ${capital(area)}Service } from "../src/${area}Service"

describe("${area}", () => {
${repeat(
  c.count(4, 12),
  (i) => `  it("can ${c.verb()} ${c.noun()} ${i}", async () => {
    const service = new ${capital(area)}Service(database, logger)
    const total = await service.${c.verb()}({ id: "${c.many(1, 999)}", items: [{ price: ${c.many(1, 99)}, count: 2 }] })
    expect(total).toBe(${c.many(1, 99)})
  })
`
)}})
`

const kinds = [
  { weight: 30, folder: (a) => `web/src/${a}`, name: (n) => `${n}.ts`, make: typescript },
  { weight: 15, folder: (a) => `web/routes/${a}`, name: (n) => `${n}.js`, make: javascript },
  { weight: 20, folder: (a) => `batch/${a}`, name: (n) => `${snake(n)}.py`, make: python },
  { weight: 14, folder: (a) => `gateway/${a}`, name: (n) => `${snake(n)}.go`, make: go },
  { weight: 14, folder: (a) => `core/src/main/java/shop/${a}`, name: (n) => `${capital(n)}.java`, make: java },
  { weight: 5, folder: (a) => `web/test/${a}`, name: (n) => `${n}.test.ts`, make: testFile },
  { weight: 1, folder: (a) => `.github/workflows/${a}`, name: (n) => `${n}.yml`, make: yaml },
  { weight: 1, folder: (a) => `images/${a}`, name: (n) => `${n}.Dockerfile`, make: dockerfile }
]
const totalWeight = kinds.reduce((sum, kind) => sum + kind.weight, 0)
const pickWeighted = (random) => {
  let at = random() * totalWeight
  return kinds.findIndex((kind) => {
    at -= kind.weight
    return at < 0
  })
}
