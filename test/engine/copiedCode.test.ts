import { assert, describe, it } from "vitest"
import { rolesIn, type Tree } from "../support/ownRoles.ts"

const bsd = `Redistribution and use in source and binary forms are permitted.
 THIS SOFTWARE IS PROVIDED BY THE AUTHOR(S) \`\`AS IS'' AND ANY EXPRESS OR IMPLIED WARRANTIES ARE DISCLAIMED.
 IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY DIRECT, INDIRECT OR INCIDENTAL DAMAGES.`
const gnu = "This program is free software under the terms of the GNU General Public License."

const by = (who: string, terms: string): string => `/* Copyright (c) 2004 ${who}\n ${terms} */\nint work(void);\n`
const own = by("Ada Grocer", gnu)
const till: Tree = {
  "README.md": "# Till\n",
  COPYING: `Till is Copyright (c) 2020 Ada Grocer\n\n${gnu}\n`,
  ...Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`src/part${i}.c`, own]))
}

describe("a file under its holder's own terms", () => {
  it("is not the repository's because both quote the same licence", async () => {
    const belfry = { ...till, COPYING: `Copyright (c) 2020 Ada Grocer\n${bsd}`, "src/part0.c": by("Ada Grocer", bsd) }
    const copy = `/* belfry.c: see https://github.com/keeper/belfry\n * Copyright (c) 1999 Tower Keeper\n ${bsd} */\nint ring;\n`
    assert.deepStrictEqual(await rolesIn({ ...belfry, "src/belfry.c": copy }, "src/belfry.c"), ["vendored"])
  })

  it("is the repository's where its people hold it or its first line has the name of the project", async () => {
    const titled = `/* till -- counts money\n * Copyright (c) 2019 Tower Keeper\n ${bsd} */\nint ring;\n`
    const tree = { ...till, "src/a.c": by("Ada Grocer", bsd), "src/b.c": titled }
    assert.deepStrictEqual(await rolesIn(tree, "src/a.c", "src/b.c"), ["source", "source"])
  })

  it("is someone else's where the licence of the repository lists it among what was copied", async () => {
    const terms = `Till is Copyright (c) 2020 Ada Grocer\n${gnu}\n${"It comes without any warranty. ".repeat(10)}`
    const list = `${terms}\nThe following third party files have other terms:\nsrc/belfry.c Copyright (c) 1999 Tower Keeper\n${bsd}`
    const tree = { ...till, COPYING: list, "src/belfry.c": by("Tower Keeper", bsd) }
    assert.deepStrictEqual(await rolesIn(tree, "src/belfry.c"), ["vendored"])
  })

  it("is uncertain where its holder is one of many who are thanked, and the repository's under its terms", async () => {
    const names = ["Tower Keeper", ...Array.from("abcdefghijklmnopqr", (x) => `Giv${x}n Fam${x}ly`)]
    const tree = {
      ...till,
      AUTHORS: names.join("\n"),
      "src/a.c": by("Tower Keeper", bsd),
      "src/b.c": by("Tower Keeper", gnu),
      "src/c.c": by("Tower Warden", bsd)
    }
    assert.deepStrictEqual(await rolesIn(tree, "src/a.c", "src/b.c", "src/c.c"), ["uncertain", "source", "vendored"])
  })

  it("is uncertain where its author gave it to everyone, and the repository's where someone contributed it so", async () => {
    const tree = {
      ...till,
      "src/a.c": "/* Bell ropes.\n * Written by Rope Maker in 1993, and placed in the public domain. */\nint a;\n",
      "src/b.c": "/* Bell ropes.\n * Contributed by Rope Maker, public domain. */\nint b;\n"
    }
    assert.deepStrictEqual(await rolesIn(tree, "src/a.c", "src/b.c"), ["uncertain", "source"])
  })
})

describe("a file of a well-known name", () => {
  const plumb =
    "/* The algorithm is due to Ron Rivest.  This code was\n * written by Colin Plumb in 1993, no copyright is claimed. */\nint md5;\n"

  it("is a copy where it credits whom such files credit, also at the root", async () => {
    const tree = {
      ...till,
      "src/md5.c": plumb,
      "ansi2knr.c": "/* Copyright (C) 1989, 2000 Aladdin Enterprises. */\nint main;\n",
      "lib/tree.h": by("Niels Provos", bsd)
    }
    assert.deepStrictEqual(await rolesIn(tree, "src/md5.c", "ansi2knr.c", "lib/tree.h"), [
      "vendored",
      "vendored",
      "vendored"
    ])
  })

  it("is source where it credits no one, the repository's people, or the repository has its name", async () => {
    const tree = { ...till, "src/md5.c": "/* Computes digests of receipts. */\nint md5;\n", "src/tree.h": own }
    assert.deepStrictEqual(await rolesIn(tree, "src/md5.c", "src/tree.h"), ["source", "source"])
    const itself = { ...till, "README.md": "# md5 in C\n", "src/md5.c": plumb }
    assert.deepStrictEqual(await rolesIn(itself, "src/md5.c"), ["source"])
  })
})

describe("a folder of a well-known library", () => {
  const files = (folder: string, ...names: ReadonlyArray<string>): Tree =>
    Object.fromEntries(names.map((name) => [`${folder}/${name}`, "int work(void);\n"]))
  const zlib = ["adler32.c", "deflate.c", "inffast.c", "inftrees.c", "trees.c", "zlib.h"]

  it("is a copy where it has its name and its files", async () => {
    const tree = { ...till, ...files("src/zlib", ...zlib) }
    assert.deepStrictEqual(await rolesIn(tree, "src/zlib/inffast.c", "src/part1.c"), ["vendored", "source"])
  })

  it("is source where it is most of the repository, has another name, or holds other files", async () => {
    const itself = { "README.md": "# Bells\n", ...files("zlib", ...zlib), ...files("test", "example.c") }
    assert.deepStrictEqual(await rolesIn(itself, "zlib/inffast.c"), ["source"])
    assert.deepStrictEqual(await rolesIn({ ...till, ...files("src", ...zlib) }, "src/part1.c"), ["source"])
    const others = { ...till, ...files("src/zlib", "inftrees.c", "coin.c", "note.c") }
    assert.deepStrictEqual(await rolesIn(others, "src/zlib/coin.c"), ["source"])
  })

  it("is source where the repository is that of the library, by its name or its people", async () => {
    const named = { ...till, "README.md": "# zlib\n", ...files("src/zlib", ...zlib) }
    assert.deepStrictEqual(await rolesIn(named, "src/zlib/inffast.c"), ["source"])
    const headed = { ...till, ...files("src/zlib", ...zlib), "src/zlib/inftrees.c": own }
    assert.deepStrictEqual(await rolesIn(headed, "src/zlib/inffast.c"), ["source"])
  })
})

describe("a folder whose files name one holder", () => {
  const bell = by("Bell Maker", bsd)

  it("is a copy with those of its files that say nothing", async () => {
    const tree = { ...till, "src/bells/a.c": bell, "src/bells/b.c": bell, "src/bells/c.c": "int c;\n" }
    assert.deepStrictEqual(await rolesIn(tree, "src/bells/c.c", "src/part0.c"), ["vendored", "source"])
  })

  it("is one below a folder of additions also under the terms of the repository, unless he wrote more of it", async () => {
    const rope = by("Rope Maker", gnu)
    const tree = { ...till, "libs/ropes/a.c": rope, "libs/ropes/b.c": rope, "libs/ropes/c.c": "int c;\n" }
    assert.deepStrictEqual(await rolesIn(tree, "libs/ropes/c.c"), ["vendored"])
    const more = { ...tree, "core/a.c": rope, "core/b.c": rope }
    assert.deepStrictEqual(await rolesIn(more, "libs/ropes/c.c"), ["source"])
  })

  it("is source where the repository's people are named in it, or too few files say anything", async () => {
    const tree = {
      ...till,
      "src/bells/a.c": bell,
      "src/bells/b.c": bell,
      "src/bells/c.c": own,
      "src/bells/d.c": "int d;\n"
    }
    assert.deepStrictEqual(await rolesIn(tree, "src/bells/d.c"), ["source"])
    const few = { ...till, "src/bells/a.c": bell, "src/bells/d.c": "int d;\n" }
    assert.deepStrictEqual(await rolesIn(few, "src/bells/d.c"), ["source"])
  })
})
