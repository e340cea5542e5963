import { assert, describe, it } from "vitest"
import { SourceFile } from "../../../../src/engine/core/files/SourceFile.ts"
import { loopsIn } from "../../../../src/engine/discovery/observers/loops.ts"
import { textOutline } from "../../../../src/engine/discovery/observers/textOutline.ts"

const each = (path: string, text: string) =>
  loopsIn(new SourceFile({ path, text })).map(([name, line]) => `${name} ${line}`)

describe("What a program has several of", () => {
  it.each([
    [
      "JavaScript",
      "a.js",
      "for (const barge of fleet.barges) load(barge)\ncrews.forEach((crew) => pay(crew))\n",
      ["barge 1", "crew 2"]
    ],
    ["a collection that is empty at first", "a.js", "const pilots = {}\n", ["pilot 1"]],
    ["Python", "a.py", "for n, barge in enumerate(self.barges):\n    pass\npilots = []\n", ["barge 1", "pilot 3"]],
    ["Perl", "a.pl", "foreach my $barge (@{$self->{barges}}) {\n}\nmy @crews;\n", ["barge 1", "crew 3"]],
    ["PHP", "a.php", "<?php\nforeach ($this->barges as $key => $barge) {\n}\n", ["barge 2"]],
    ["Tcl", "a.tcl", "foreach barge $barges {\n}\n", ["barge 1"]],
    ["a script of the shell", "a.sh", 'for barge in "${barges[@]}"; do\n  :\ndone\n', ["barge 1"]],
    ["Lua", "a.lua", "for _, barge in ipairs(self.barges) do\nend\n", ["barge 1"]],
    ["Go", "a.go", "package a\n\nfunc f() {\n\tfor _, barge := range fleet.Barges {\n\t}\n}\n", ["barge 4"]],
    [
      "C++",
      "a.cpp",
      "void f() {\n  for (const auto& barge : barges_) {\n  }\n  for (auto& crew : crews) {\n  }\n}\n",
      ["crew 4"]
    ]
  ])("is read from loops and empty collections: %s", (_, path, text, expected) => {
    assert.deepStrictEqual(each(path, text), expected)
  })

  it("is not what a collection is not called for, nor a name that only ends like a plural", () => {
    assert.deepStrictEqual(each("a.py", "for line in text:\n    pass\nstatus = []\nargs = []\n"), [])
    assert.deepStrictEqual(each("a.js", "for (const key in barges) {}\n"), [])
  })

  it("is read at linear cost", () => {
    const text = `${"barges.".repeat(20_000)}\n${"for (const barge of ".repeat(5_000)}`
    const started = performance.now()
    each("a.js", text)
    assert.isBelow(performance.now() - started, 2_000)
  })
})

describe("Tcl behind a first line of the shell", () => {
  const functions = (text: string) => textOutline(new SourceFile({ path: "bin/barges", text })).map(({ name }) => name)

  it("is Tcl where the shell starts its interpreter in what Tcl takes for a comment", () => {
    const text = '#!/bin/sh\n# starts again \\\nexec wish "$0" "$@"\n\nproc addBarge {name} {\n}\n'
    assert.deepStrictEqual(functions(text), ["addBarge"])
    assert.deepStrictEqual(functions("#!/usr/bin/env tclsh\nproc addBarge {name} {\n}\n"), ["addBarge"])
  })

  it("is a script of the shell where that starts another program, or runs the interpreter as one of its commands", () => {
    const body = "\nadd_barge() {\n  :\n}\n"
    assert.deepStrictEqual(functions(`#!/bin/sh\n# starts it\nexec wish barges.tcl${body}`), ["add_barge"])
    assert.deepStrictEqual(functions(`#!/bin/sh\nset -e\n# \\\nexec tclsh barges.tcl${body}`), ["add_barge"])
  })
})
