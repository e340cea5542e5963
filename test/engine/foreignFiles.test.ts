import { assert, describe, it } from "vitest"
import type { FileRole } from "../../src/engine/core/files/FileRole.ts"
import { ownRoleIn, termsKey } from "../../src/engine/core/files/FileTerms.ts"
import type { Owner } from "../../src/engine/core/files/ownership/Owner.ts"
import { SourceFile } from "../../src/engine/core/files/SourceFile.ts"
import { ownedTerms, type Tree } from "../support/ownRoles.ts"

/** "uncertain" is source that others may have written first. */
const rolesIn = async (tree: Tree): Promise<Record<string, FileRole | "uncertain">> => {
  const terms = await ownedTerms(tree)
  const paths = Object.keys(tree).filter((path) => path.includes("/"))
  const own = (path: string) => ownRoleIn(terms.of(path), path, tree[path]!, 10)
  return Object.fromEntries(paths.map((path) => [path, own(path).isUncertain ? "uncertain" : own(path).role]))
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

  it("is vendored for parts of a language's own library, unless the repository is the language's", async () => {
    const parts: Tree = {
      "src/ring.go":
        "// Copyright 2009 The Go Authors. All rights reserved.\n// Use is governed by a BSD-style license.\npackage ring\n",
      "src/ring.py": "# Copyright (c) 2001-2006 Python Software Foundation; All Rights Reserved\nimport time\n",
      "src/ring.rs": "// Copyright 2014 The Rust Project Developers. See the COPYRIGHT file.\nfn ring() {}\n",
      "src/ring.hpp":
        "// Copyright 2005 Bell Maker.\n// Distributed under the Boost Software License, Version 1.0.\nint ring();\n"
    }
    const paths = Object.keys(parts)
    const roles = await rolesIn({ ...shop, ...parts })
    assert.deepStrictEqual(roles, Object.fromEntries(paths.map((path) => [path, "vendored"])))
    const ofGo = {
      "README.md": "# Bells\n",
      LICENSE: "Copyright 2009 The Go Authors.\nRedistribution and use in source and binary forms, …"
    }
    assert.strictEqual((await rolesIn({ ...ofGo, "src/ring.go": parts["src/ring.go"]! }))["src/ring.go"], "source")
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

  it("is source where it is a contributor's under the terms of the repository", async () => {
    const kept: Tree = {
      "src/coins.js": `// Copyright 2021 Bob Contributor\n// ${mit}\nexport const coins = []\n`,
      "src/plain.js": "// Rings the bells, version 2.3.1 of the protocol.\nring()\n",
      "src/fetch.sh": '#!/bin/sh\n# The list can be downloaded from https://bells.example\ncurl "$1"\n'
    }
    const roles = await rolesIn({ ...shop, ...kept })
    assert.deepStrictEqual(roles, Object.fromEntries(Object.keys(kept).map((path) => [path, "source"])))
  })

  it("is uncertain where it says of itself that it was made from someone else's, and source where that is the repository's or no one's", async () => {
    const openings: ReadonlyArray<readonly [opening: string, role: FileRole | "uncertain"]> = [
      [`/*!\n * Based on Bells v2.3.1\n * Copyright 2014 Bell Maker\n * ${mit}\n */\n`, "uncertain"],
      ["// Adapted from https://github.com/maker/chime/blob/main/chime.js\n", "uncertain"],
      ["// BASED-ON: https://github.com/maker/chime/blob/main/chime.js\n", "uncertain"],
      ["/**\n * Modified version of https://bells.dev/peal.js\n */\n", "uncertain"],
      ["// Original from http://snippets.dev/snippet43.html\n", "source"],
      ["// Taken from https://answers.dev/questions/901115/how-to-ring\n", "source"],
      ["// Based on the Drawer plugin.\n", "source"],
      ["// This file is based on Chimes by Bell Maker.\n", "uncertain"],
      ["/* Derived from the Belfry project. */\n", "uncertain"],
      ["// Based on Till, and on https://github.com/grocery/drawer\n", "source"],
      ["// Copied from the clipboard into the drawer.\n", "source"],
      ["// Converts what is based on the list of coins.\n", "source"],
      ["const from = 'x'\n// Adapted from https://github.com/maker/chime\n", "source"]
    ]
    for (const [opening, role] of openings)
      assert.deepStrictEqual(await rolesIn({ ...shop, "src/peal.js": `${opening}ring()\n` }), { "src/peal.js": role })
  })

  it("is uncertain where most files name the repository's people and one names others", async () => {
    const headed = (name: string) => `// Copyright 2021 ${name}\n// ${mit}\nexport const coins = []\n`
    const own = (count: number): Tree =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`src/own${i}.js`, headed("Ada Grocer")]))
    const roles = async (tree: Tree) =>
      (await rolesIn({ ...shop, ...tree, "src/coins.js": headed("Bob Smith") }))["src/coins.js"]
    assert.deepStrictEqual(await roles(own(9)), "uncertain")
    const plain = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`src/plain${i}.js`, "ring()\n"]))
    assert.deepStrictEqual(await roles({ ...own(9), ...plain }), "source")
    const people = ["Cyd Baker", "Dan Miller", "Eve Tailor"].map((name) => [`src/${name}.js`, headed(name)])
    assert.deepStrictEqual(await roles({ ...own(9), ...Object.fromEntries(people) }), "source")
    assert.deepStrictEqual(await roles({ ...own(9), AUTHORS: "Ada Grocer\nBob Smith\n" }), "source")
  })

  describe("in a folder with terms or a manifest of its own", () => {
    const own = { "src/a.js": "a()\n", "src/b.js": "b()\n", "src/bells/ring.ts": "ring()\n" }
    const roleOf = async (tree: Tree) => (await rolesIn({ ...shop, ...own, ...tree }))["src/bells/ring.ts"]

    it("is vendored where these name people whom the repository does not", async () => {
      const licence = "MIT License\n\nCopyright (c) 2014 Bell Maker\n\nPermission is hereby granted, …"
      assert.strictEqual(await roleOf({ "src/bells/LICENSE": licence }), "vendored")
      const manifest = `{ "name": "bells", "version": "2.3.1", "author": "Bell Maker", "license": "MIT" }`
      assert.strictEqual(await roleOf({ "src/bells/package.json": manifest }), "vendored")
    })

    it("is source where these name the repository's, or no one, or a part of it, or are about most of the code", async () => {
      const ours = "MIT License\n\nCopyright (c) 2020 Ada Grocer\n"
      const gnu = "GNU GENERAL PUBLIC LICENSE\nCopyright (C) 2007 Free Software Foundation, Inc. <https://fsf.org/>\n"
      const theirs = "Copyright (c) 2014 Bell Maker\n"
      const cases: ReadonlyArray<Tree> = [
        { "src/bells/LICENSE": ours },
        { "src/bells/COPYING": gnu },
        { "src/bells/package.json": `{ "name": "@till/bells", "version": "1.0.0", "author": "Bell Maker" }` },
        { "src/bells/package.json": `{ "name": "bells", "private": true, "author": "Bell Maker" }` },
        { "src/bells/package.json": `{ "name": "bells", "version": "1.0.0" }` },
        { "src/licenses/LICENSE": theirs, "src/bells/LICENSE": ours },
        { "src/LICENSE": theirs }
      ]
      for (const tree of cases) assert.strictEqual(await roleOf(tree), "source", JSON.stringify(tree))
    })
  })

  it("is uncertain where packaging lists other holders with other terms for it, unless its header names the repository's people", async () => {
    const copyright = [
      "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: till",
      "Files: *\nCopyright: 2020 Ada Grocer\nLicense: MIT",
      "Files: src/bells/*.js src/ring.js\nCopyright: 2014 Bell Maker\n 2015 Clock Smith\nLicense: BSD-3-clause",
      "Files: src/coins.js\nCopyright: 2021 Bob Contributor\nLicense: MIT",
      "Files: src/drawer.js\nCopyright: 2021 Ada Grocer, Cyd Baker\nLicense: BSD-3-clause"
    ].join("\n\n")
    const names = ["a", "b", "c", "d", "e", "f", "coins", "drawer"]
    const files: Tree = {
      ...Object.fromEntries(names.map((name) => [`src/${name}.js`, "ring()\n"])),
      "src/ring.js": "ring()\n",
      "src/bells/deep/peal.js": "// Copyright 2014 Bell Maker\nring()\n",
      "src/bells/chime.js": "// Copyright 2020 Ada Grocer, with a table of Bell Maker\nring()\n"
    }
    const roles = await rolesIn({ ...shop, ...files, "debian/copyright": copyright })
    const others = Object.fromEntries(Object.entries(roles).filter(([, role]) => role !== "source"))
    assert.deepStrictEqual(others, { "src/ring.js": "uncertain", "src/bells/deep/peal.js": "uncertain" })
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

    it("is vendored outside of packages, too, under other terms than the files of the project", async () => {
      const headed = (terms: string) => `/* Copyright (C) 2001 Till Makers.\n ${terms} */\nclass C {}\n`
      const own = Object.keys(classes("org/till", 8)).map((path) => [path, headed(gnu)])
      const other = header("Published under the terms of the Apache Software License.")
      const tree = { ...Object.fromEntries(own), "installer/Rope.java": other, "installer/Knot.java": headed(gnu) }
      const roles = await rolesIn(tree)
      assert.deepStrictEqual([roles["installer/Rope.java"], roles["installer/Knot.java"]], ["vendored", "source"])
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

  it("is without doubt where the configuration says what it is for", () => {
    const owner: Owner = {
      words: new Set(["till"]),
      people: new Set(),
      licences: new Set(),
      isNamed: true,
      home: null,
      isHeaded: false,
      isSigned: false,
      foreign: new Set(),
      uncertain: new Set(),
      listed: new Set(),
      digest: ""
    }
    const text = "// Adapted from https://github.com/maker/chime/blob/main/chime.js\nring()\n"
    const doubtIn = (role: FileRole | null) => {
      const configured = { role, language: null, isExcluded: false, enabled: [], components: {}, models: [] }
      return new SourceFile({ path: "src/peal.js", text, terms: { role: "source", owner, configured } }).isUncertain
    }
    assert.deepStrictEqual([doubtIn(null), doubtIn("source")], [true, false])
  })

  it("is looked at again when the repository is said to be someone else's", async () => {
    const keyIn = async (tree: Tree) => termsKey((await ownedTerms(tree)).of("src/a.js"))
    const before = { ...shop, "src/a.js": "a()\n" }
    assert.strictEqual(await keyIn(before), await keyIn({ ...before, "src/a.js": "b()\n" }))
    const after = { ...before, "package.json": shop["package.json"]!.replace("Ada Grocer", "Bell Maker") }
    assert.notStrictEqual(await keyIn(before), await keyIn(after))
  })
})
