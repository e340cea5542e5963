import { assert, describe, it } from "vitest"
import { SourceFile } from "../../../../src/engine/core/files/SourceFile.ts"
import { localsWithFields } from "../../../../src/engine/discovery/observers/locals.ts"

const heldIn = (path: string, text: string) =>
  localsWithFields(new SourceFile({ path, text })).map(
    ({ name, line, fields }) => `${name} ${line}: ${fields.join(" ")}`
  )

describe("Locals with fields, by language", () => {
  it.each([
    [
      "fields that JavaScript reads and writes, of elements as well",
      "a.js",
      "function load(barges, i) {\n  barges[i].cargo = 3\n  return barges[i].draught ?? barge.flag\n}\n",
      ["barges 2: cargo draught"]
    ],
    [
      "what the program constructs itself",
      "a.js",
      "const image = new Imagery()\nimage.width = 1\nimage.src = image.cargo\n",
      ["image 2: width src cargo"]
    ],
    [
      "an object that JavaScript writes at once, or adds to a list",
      "a.js",
      "const barge = { cargo: 1, draught }\ncrews.push({ pilot: 'Ada', hands: 2 })\n",
      ["barge 1: cargo draught", "crews 2: pilot hands"]
    ],
    [
      "keys and attributes in Python",
      "a.py",
      'def load(barge):\n    barge["cargo"] = barge.get("draught")\n    return barge.flag\n',
      ["barge 2: cargo draught flag"]
    ],
    [
      "keys of a hash in Perl",
      "a.pl",
      "sub load {\n  my ($barge) = @_;\n  $barge->{cargo} = $barge->{'draught'};\n}\n",
      ["barge 3: cargo draught"]
    ],
    [
      "keys and properties in PHP",
      "a.php",
      "<?php\nfunction load($barge) {\n  $barge['cargo'] = $barge->draught;\n}\n",
      ["barge 3: cargo draught"]
    ],
    [
      "fields of a table in Lua",
      "a.lua",
      'function load(barge)\n  barge.cargo = barge["draught"]\n  barge.sink()\nend\n',
      ["barge 2: cargo draught"]
    ]
  ])("%s", (_, path, text, expected) => {
    assert.deepStrictEqual(heldIn(path, text), expected)
  })

  it.each([
    ["methods are no fields", "a.js", "barge.load(1)\nbarge.unload (2)\n"],
    ["one field says little", "a.js", "barge.cargo = 1\nbarge.length = 2\n"],
    ["names of files are no fields", "a.js", "const a = 'barge.json'\nconst b = 'barge.html'\nbarge.cargo = 1\n"],
    ["what an object of another type has is declared there", "a.ts", "barge.cargo = barge.draught\n"],
    [
      "what the browser or the language constructs has the fields that all of its kind have",
      "a.js",
      "const image = new Image()\nimage.width = 1\nimage.src = image.cargo\nconst cargo = new Map()\ncargo.a = cargo.b\n"
    ],
    ["a comment uses nothing", "a.py", "# barge.cargo and barge.draught\n"]
  ])("%s", (_, path, text) => {
    assert.isEmpty(heldIn(path, text))
  })
})
