import { assert, describe, it } from "vitest"
import type { FileRole } from "../../src/engine/core/files/FileRole.ts"
import { ownRoleIn, termsKey } from "../../src/engine/core/files/FileTerms.ts"
import { ownerOf } from "../../src/engine/core/files/Owner.ts"
import { TreeTerms } from "../../src/engine/core/files/TreeTerms.ts"
import type { TreeEntry } from "../../src/engine/core/source/TreeSource.ts"

type Tree = Readonly<Record<string, string>>

const ownedTerms = async (tree: Tree): Promise<TreeTerms> => {
  const listed = Object.entries(tree).map(
    ([path, text]): TreeEntry => ({ path, escaped: false, blob: "", size: text.length, mode: "100644" })
  )
  const source = {
    read: async function* (entries: Iterable<TreeEntry>) {
      for (const entry of entries) yield { entry, bytes: new TextEncoder().encode(tree[entry.path]!) }
    }
  }
  const terms = new TreeTerms(Object.keys(tree))
  return terms.ownedBy(await ownerOf(source, listed, (path) => terms.of(path).role === "source"))
}

const rolesIn = async (tree: Tree): Promise<Record<string, FileRole>> => {
  const terms = await ownedTerms(tree)
  const paths = Object.keys(tree).filter((path) => path.includes("/"))
  return Object.fromEntries(paths.map((path) => [path, ownRoleIn(terms.of(path), path, tree[path]!, 10)]))
}

const shop: Tree = {
  "package.json": `{ "name": "till", "author": "Ada Grocer <ada@till.example>", "license": "MIT",
    "repository": { "url": "git+https://github.com/grocery/till.git" }, "dependencies": { "bells": "1.0.0" } }`,
  LICENSE: "MIT License\n\nCopyright (c) 2020 Ada Grocer\n\nPermission is hereby granted, free of charge, …",
  "README.md": "# Till\n\nRings [bells](https://github.com/maker/bells).\n"
}
const mit = "Licensed under the MIT license."

describe("a file that says of itself that it is of another project", () => {
  const copies: Tree = {
    "src/bells.js": `/*!\n * Bells v2.3.1\n * Copyright 2014 Bell Maker\n * ${mit}\n */\nring()\n`,
    "src/clock.py": `# https://github.com/smith/clock\n# Copyright (c) 2014 Clock Smith\n# ${mit}\nimport time\n`,
    "src/tower.c": "/* This file is part of Belfry.\n   Copyright 1999 Tower Keeper */\nint ring(void);\n",
    "src/Rope.java":
      "/*\n * Copyright 2011 Ropes Inc.\n * Licensed under the Apache License, Version 2.0\n */\nclass Rope {}\n",
    "bin/readlink.sh": '#!/bin/sh\n# Downloaded from https://bells.example/readlink.sh\nreadlink -f "$1"\n',
    "src/image.h": "/* picture_load - v2.28 - pictures */\nint load(void);\n"
  }

  it("is vendored, whatever it and its folder are called", async () => {
    const roles = await rolesIn({ ...shop, ...copies })
    assert.deepStrictEqual(roles, Object.fromEntries(Object.keys(copies).map((path) => [path, "vendored"])))
  })

  it("is source where it names the people or the project of the manifest, the licence or the readme", async () => {
    const own: Tree = {
      "src/till.js": `/*!\n * Drawer v2.3.1\n * Copyright 2014 Ada Grocer\n * ${mit}\n */\nopen()\n`,
      "src/drawer.py": `# https://github.com/grocery/drawer\n# Copyright (c) 2014 Someone Else\n# ${mit}\nimport time\n`,
      "src/change.c": "/* This file is part of Till.\n   Copyright 1999 Someone Else */\nint change(void);\n"
    }
    const roles = await rolesIn({ ...shop, ...own })
    assert.deepStrictEqual(roles, Object.fromEntries(Object.keys(own).map((path) => [path, "source"])))
  })

  it("is source where several files are headed so: a company's name need not stand in a manifest", async () => {
    const company = "/*\n * Copyright 2011 Ropes Inc.\n * Licensed under the Apache License, Version 2.0\n */\nclass "
    const roles = await rolesIn({ ...shop, "src/A.java": `${company}A {}\n`, "src/B.java": `${company}B {}\n` })
    assert.deepStrictEqual(roles, { "src/A.java": "source", "src/B.java": "source" })
  })

  it("is source where it is a contributor's under the terms of the repository, or was adapted", async () => {
    const kept: Tree = {
      "src/coins.js": `// Copyright 2021 Bob Contributor\n// ${mit}\nexport const coins = []\n`,
      "src/peal.js": `/*!\n * Based on Bells v2.3.1\n * Copyright 2014 Bell Maker\n * ${mit}\n */\nring()\n`,
      "src/plain.js": "// Rings the bells, version 2.3.1 of the protocol.\nring()\n",
      "src/fetch.sh": '#!/bin/sh\n# The list can be downloaded from https://bells.example\ncurl "$1"\n'
    }
    const roles = await rolesIn({ ...shop, ...kept })
    assert.deepStrictEqual(roles, Object.fromEntries(Object.keys(kept).map((path) => [path, "source"])))
  })

  it("is source where nothing says whom the repository belongs to", async () => {
    const bells = copies["src/bells.js"]!
    assert.deepStrictEqual(await rolesIn({ "src/bells.js": bells, "src/a.js": "a()\n" }), {
      "src/bells.js": "source",
      "src/a.js": "source"
    })
  })

  it("is vendored for a page and for a script that is handed out, where nothing in their comments is the repository's", async () => {
    const bells = (comment: string) =>
      `/*!\n * ${comment}\n * Copyright 2014 Bell Maker\n * MIT Licensed\n */\nring()\n`
    const page = (terms: string) =>
      `<!DOCTYPE html>\n<!--\nCopyright 2012 Viewer Makers\n${terms}\n-->\n<html><body></body></html>\n`
    const cases: ReadonlyArray<readonly [path: string, text: string, role: FileRole]> = [
      ["src/peal.js", bells("Bells - peal"), "vendored"],
      ["src/header.js", bells("Till, a drawer for browsers"), "source"],
      ["src/chime.js", bells("Bells - peal").replace("/*!", "/*"), "source"],
      ["pages/viewer.html", page("Licensed under the Apache License, Version 2.0"), "vendored"],
      ["pages/drawer.html", page(mit), "source"]
    ]
    for (const [path, text, role] of cases)
      assert.deepStrictEqual(await rolesIn({ ...shop, [path]: text }), { [path]: role })
  })

  describe("among the classes of another project", () => {
    const classes = (folder: string, count: number): Tree =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`${folder}/C${i}.java`, `class C${i} {}\n`]))
    const header = (terms: string) => `/* Copyright (C) 2001 Rope Foundation.\n ${terms} */\nclass Rope {}\n`
    const gnu = "Redistribute it under the terms of the GNU Lesser General Public License."

    it("is vendored in a package of its own with whose it is and on what terms, whether the tree says whose it is or not", async () => {
      const tree = {
        ...classes("org/till", 8),
        "gnu/rope/Rope.java": header(gnu),
        "org/till/Rope.java": header(gnu).replace("Rope Foundation", "Knot Makers")
      }
      for (const owned of [{}, { "README.md": "# Till\n", LICENSE: "GNU Lesser General Public License\n" }]) {
        const roles = await rolesIn({ ...tree, ...owned })
        assert.deepStrictEqual([roles["gnu/rope/Rope.java"], roles["org/till/Rope.java"]], ["vendored", "source"])
      }
    })

    it("is source without terms, or where several packages share the project", async () => {
      const without = await rolesIn({ ...classes("org/till", 8), "gnu/rope/Rope.java": header("All of it.") })
      assert.strictEqual(without["gnu/rope/Rope.java"], "source")
      const shared = await rolesIn({
        ...classes("org/till", 4),
        ...classes("gnu/rope", 4),
        "gnu/rope/Rope.java": header(gnu)
      })
      assert.strictEqual(shared["gnu/rope/Rope.java"], "source")
    })
  })

  it("is looked at again when the repository is said to be someone else's", async () => {
    const keyIn = async (tree: Tree) => termsKey((await ownedTerms(tree)).of("src/a.js"))
    const before = { ...shop, "src/a.js": "a()\n" }
    assert.strictEqual(await keyIn(before), await keyIn({ ...before, "src/a.js": "b()\n" }))
    const after = { ...before, "package.json": shop["package.json"]!.replace("Ada Grocer", "Bell Maker") }
    assert.notStrictEqual(await keyIn(before), await keyIn(after))
  })
})
