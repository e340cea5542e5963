import { assert, describe, it } from "vitest"
import { rolesIn, type Tree } from "../support/ownRoles.ts"

const gnu = "This program is free software under the terms of the GNU General Public License."
const apache = "Licensed under the Apache License, Version 2.0."

/** Modules of one folder, all with the same text. */
const modules = (folder: string, count: number, text = "ring = 1\n"): Tree =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${folder}/m${i}.py`, text]))

const till: Tree = {
  "setup.py": 'from setuptools import setup\nsetup(name="till", author="Ada Grocer")\n',
  "README.md": "# Till\n",
  LICENSE: `Copyright (c) 2020 Ada Grocer\n${gnu}\n`,
  "till/__init__.py": '__version__ = "1.4"\n',
  "till/shop/__init__.py": "",
  ...modules("till", 8),
  ...modules("till/shop", 4)
}

const docstring = (...lines: ReadonlyArray<string>): string => `"""${lines.join("\n")}\n"""\n`
const held = (who: string): string => `# Copyright 2014 ${who}\n# ${apache}\nring = 1\n`

describe("a package of Python inside of another one", () => {
  const inside = (init: string, rest: Tree = {}): Tree => ({
    ...till,
    ...modules("till/bells", 12),
    "till/bells/__init__.py": init,
    ...rest
  })
  const roleOf = async (init: string, rest: Tree = {}) => (await rolesIn(inside(init, rest), "till/bells/m3.py"))[0]

  it("is a copy where it names its own project and people, however much of the code it is", async () => {
    const part = docstring("Bells: a library for bells", "Copyright (C) 2010 Bell Maker", "This file is part of Bells.")
    const address = "# Copyright 2010 Bell Maker (https://github.com/maker/bells)\n"
    for (const init of [part, address]) assert.strictEqual(await roleOf(init), "vendored")
    assert.strictEqual(await roleOf(part, modules("till/bells/deep", 60)), "vendored")
  })

  it("is a copy with its own release and other terms, and where it imports itself by a name of its own", async () => {
    assert.strictEqual(await roleOf(`${held("Bell Makers")}__version__ = "4.31.0"\n`), "vendored")
    const imports = '__author__ = "Bell Maker"\nfrom bells.m1 import ring\n'
    assert.strictEqual(await roleOf(imports), "vendored")
  })

  it("is uncertain where a title or a release is all that sets it apart", async () => {
    const titled = docstring("Bells: ringing of bells.", "", "Copyright 2001, Bell Makers, Inc.  All Rights Reserved.")
    const released = '__author__ = "Bell Maker"\n__version__ = "0.4"\n'
    for (const init of [titled, released]) assert.strictEqual(await roleOf(init), "uncertain")
    const own = "# Copyright 2020 Ada Grocer\nring = 1\n"
    const tree = { ...inside(titled), "till/bells/m3.py": own }
    assert.deepStrictEqual(await rolesIn(tree, "till/bells/m3.py", "till/bells/m4.py"), ["source", "uncertain"])
  })

  it("is source where it names the repository's people or no one, or nothing sets it apart", async () => {
    const inits = [
      docstring("Bells: ringing of bells.", "Copyright 2001, Ada Grocer"),
      docstring("Bells: ringing of bells."),
      '__version__ = "0.4"\n',
      docstring("Windows that ring.", "Copyright 2001, Bell Maker"),
      "from till.bells.m1 import ring\n"
    ]
    for (const init of inits) assert.strictEqual(await roleOf(init), "source", init)
  })

  it("is source where the package around it or its variables name the same people", async () => {
    const init = '__author__ = "Bell Maker"\n__version__ = "0.4"\n'
    assert.strictEqual(await roleOf(init, { "till/__init__.py": '__author__ = "Bell Maker"\n' }), "source")
    assert.strictEqual(await roleOf(init, { "till/shop/m1.py": '__author__ = "Bell Maker"\nring = 1\n' }), "source")
    const setup = '__author__ = "Bell Maker"\nsetup(name="till", author=__author__)\n'
    assert.strictEqual(await roleOf(init, { "setup.py": setup }), "source")
  })

  it("is source among packages that several people sign, each with a release, unless it is another project by name", async () => {
    const by = (who: string): string => `__author__ = "${who}"\n__version__ = "0.4"\n__license__ = "MIT"\n`
    const team: Tree = {
      ...till,
      ...Object.fromEntries(
        ["Bell Maker", "Clock Smith", "Rope Walker"].flatMap((who, i) => [
          [`till/p${i}/__init__.py`, by(who)],
          [`till/p${i}/work.py`, by(who)]
        ])
      )
    }
    assert.deepStrictEqual(await rolesIn(team, "till/p0/work.py", "till/p2/work.py"), ["source", "source"])
    const part = docstring("Copyright (C) 2010 Peal Ringer", "This file is part of Bells.")
    const mixed = { ...team, ...modules("till/bells", 3), "till/bells/__init__.py": part }
    assert.deepStrictEqual(await rolesIn(mixed, "till/bells/m1.py", "till/p2/work.py"), ["vendored", "source"])
  })

  it("is source at the root, and in a part of the repository with a manifest of its own", async () => {
    const init = `${held("Bell Makers")}__version__ = "4.31.0"\n`
    const beside = { ...till, "bells/__init__.py": init, ...modules("bells", 3) }
    const part = {
      ...till,
      "parts/bells/setup.py": 'setup(name="till-bells")\n',
      "parts/bells/bells/__init__.py": init
    }
    const tree = { ...beside, ...part, ...modules("parts/bells/bells", 3) }
    assert.deepStrictEqual(await rolesIn(tree, "bells/m1.py", "parts/bells/bells/m1.py"), ["source", "source"])
  })

  it("does not lend its people to the repository, of which it is most", async () => {
    const init = `${held("Bell Makers")}__version__ = "4.31.0"\n`
    const tree = { ...till, ...modules("till/bells", 60, held("Bell Makers")), "till/bells/__init__.py": init }
    const other = { ...tree, "till/shop/peal.py": held("Bell Makers") }
    assert.deepStrictEqual(await rolesIn(other, "till/bells/m1.py", "till/shop/peal.py"), ["vendored", "vendored"])
  })
})

describe("a module of Python with a release of its own", () => {
  const manual = docstring(
    "Module bells rings bells.",
    ...Array.from({ length: 110 }, (_, i) => `It rings bell number ${i} of the tower.`),
    ":Author: Bell Maker, 2008-2014",
    ":License: BSD, see below."
  )
  const released = '__version__ = "1.1.06"\ndef ring(): pass\n'

  it("is uncertain where its people sign nothing else, also at the end of a long manual or by variables", async () => {
    const tree = {
      ...till,
      "till/a.py": `${manual}${released}`,
      "till/b.py": `import os\n__author__ = "Bell Maker"\n__license__ = "BSD"\n${released}`
    }
    assert.deepStrictEqual(await rolesIn(tree, "till/a.py", "till/b.py"), ["uncertain", "uncertain"])
  })

  it("is source without a release or terms, by the repository's people, or where several people sign modules", async () => {
    const signed = (who: string): string => `__author__ = "${who}"\n__license__ = "GPL"\n${released}`
    const tree = {
      ...till,
      "till/a.py": `__author__ = "Bell Maker"\n${released}`,
      "till/b.py": '__author__ = "Bell Maker"\n__license__ = "GPL"\nring = 1\n',
      "till/c.py": signed("Ada Grocer")
    }
    assert.deepStrictEqual(await rolesIn(tree, "till/a.py", "till/b.py", "till/c.py"), ["source", "source", "source"])
    const team = {
      ...till,
      "till/a.py": signed("Bell Maker"),
      "till/b.py": signed("Clock Smith"),
      "till/c.py": signed("Rope Walker")
    }
    assert.deepStrictEqual(await rolesIn(team, "till/a.py", "till/b.py", "till/c.py"), ["source", "source", "source"])
  })

  it("is uncertain where only its variables name another holder and other terms: a template may have filled them in", async () => {
    const variables = 'import os\n__copyright__ = "2014, Bell Maker"\n__license__ = "MIT"\nring = 1\n'
    const header = "# Copyright 2014 Bell Maker\n# MIT License\nring = 1\n"
    const tree = { ...till, "till/a.py": variables, "till/b.py": header }
    assert.deepStrictEqual(await rolesIn(tree, "till/a.py", "till/b.py"), ["uncertain", "vendored"])
  })
})

describe("a folder whose files one holder heads", () => {
  const rope = (who: string): string => `// Copyright (c) 2014 ${who}. All rights reserved.\n// ${gnu}\nring()\n`
  const scripts = (folder: string, count: number, text: string): Tree =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${folder}/s${i}.js`, text]))
  const plain: Tree = { ...till, ...scripts("web", 20, "ring()\n") }

  it("is uncertain where no one else heads files, also under the terms of the repository", async () => {
    const tree = { ...plain, ...scripts("web/ropes", 3, rope("Rope Makers")), "web/ropes/last.js": "ring()\n" }
    assert.deepStrictEqual(await rolesIn(tree, "web/ropes/last.js", "web/s1.js"), ["uncertain", "source"])
  })

  it("is source around the folder that he heads, which is uncertain", async () => {
    const tree = { ...plain, ...scripts("web/ropes/ropes", 6, rope("Rope Makers")), "web/ropes/use.js": "ring()\n" }
    assert.deepStrictEqual(await rolesIn(tree, "web/ropes/use.js", "web/ropes/ropes/s1.js"), ["source", "uncertain"])
  })

  it("is uncertain in several folders that he heads as wholes, and source where they are mixed", async () => {
    const whole = { ...plain, ...scripts("web/a", 4, rope("Rope Makers")), ...scripts("web/b", 4, rope("Rope Makers")) }
    assert.deepStrictEqual(await rolesIn(whole, "web/a/s1.js", "web/b/s1.js"), ["uncertain", "uncertain"])
    const mixed = {
      ...whole,
      "web/a/p.js": "ring()\n",
      "web/a/q.js": "ring()\n",
      "web/b/p.js": "a()\n",
      "web/b/q.js": "b()\n"
    }
    assert.deepStrictEqual(await rolesIn(mixed, "web/a/p.js", "web/a/s1.js"), ["source", "source"])
  })

  it("is source where a university's people head theirs, or the repository's are named in it, or without terms", async () => {
    const team = ["Bell Maker", "Clock Smith", "Rope Walker", "Peal Ringer"].map((who, i) =>
      scripts(`web/t${i}`, 4, rope(who))
    )
    const shared: Tree = Object.assign({}, plain, ...team)
    assert.deepStrictEqual(await rolesIn(shared, "web/t0/s1.js", "web/t3/s1.js"), ["source", "source"])
    const owned = { ...plain, ...scripts("web/a", 4, rope("Rope Makers")), "web/a/s1.js": rope("Ada Grocer") }
    assert.deepStrictEqual(await rolesIn(owned, "web/a/s2.js"), ["source"])
    const bare = { ...plain, ...scripts("web/a", 4, "// Copyright (c) 2014 Rope Makers\nring()\n") }
    assert.deepStrictEqual(await rolesIn(bare, "web/a/s2.js"), ["source"])
  })

  it("is a copy below a folder of additions, although it is most of the code", async () => {
    const tree = { ...till, ...scripts("libs/ropes", 20, rope("Rope Makers")), "libs/ropes/last.js": "ring()\n" }
    assert.deepStrictEqual(await rolesIn(tree, "libs/ropes/last.js", "till/m1.py"), ["vendored", "source"])
  })
})

describe("a folder with the readme and the terms of another repository", () => {
  const terms = "Apache License\nVersion 2.0, January 2004\nhttp://www.apache.org/licenses/\n"
  const inside = (rest: Tree): Tree => ({ ...till, ...modules("data/BellsKit/lib", 3), ...rest })
  const roleOf = async (rest: Tree) => (await rolesIn(inside(rest), "data/BellsKit/lib/m1.py"))[0]

  it("is a copy where the title is that of the folder and the repository is under other terms", async () => {
    const readme = "# BellsKit\n\nRings bells.\n"
    assert.strictEqual(await roleOf({ "data/BellsKit/LICENSE": terms, "data/BellsKit/README.md": readme }), "vendored")
  })

  it("is source with another title, under the same terms, with a manifest, or where it leads to the repository", async () => {
    const readme = "# BellsKit\n\nRings bells.\n"
    const cases: ReadonlyArray<Tree> = [
      { "data/BellsKit/LICENSE": terms, "data/BellsKit/README.md": "# Ringing\n" },
      { "data/BellsKit/LICENSE": gnu, "data/BellsKit/README.md": readme },
      { "data/BellsKit/README.md": readme },
      { "data/BellsKit/LICENSE": terms, "data/BellsKit/README.md": readme, "data/BellsKit/setup.py": "setup()\n" },
      {
        "data/BellsKit/LICENSE": terms,
        "data/BellsKit/README.md": `${readme}See https://github.com/grocer/till.\n`
      }
    ]
    for (const tree of cases) assert.strictEqual(await roleOf(tree), "source", JSON.stringify(tree))
  })
})
