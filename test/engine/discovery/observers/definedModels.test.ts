import { assert, describe, it } from "vitest"
import { SourceFile } from "../../../../src/engine/core/files/SourceFile.ts"
import { definedModels } from "../../../../src/engine/discovery/observers/definedModels.ts"
import { outputOf } from "../../../support/survey.ts"

const modelsIn = (text: string) =>
  definedModels(new SourceFile({ path: "models/a.js", text })).map(
    ({ entity: { name, line, fields, relations } }) =>
      `${name} ${line}: ${fields.join(" ")}${relations.length === 0 ? "" : ` -> ${relations.join(" ")}`}`
  )

const wagon = `const mongoose = require("mongoose")
const wagonSchema = new mongoose.Schema({
  load: { type: Number, min: 0 }, // in tons
  status: { type: String, enum: ["loose", "tight"] },
  track: { type: mongoose.ObjectId, ref: "Track" }
}, { timestamps: true })

module.exports = mongoose.model("Wagon", wagonSchema)
`

describe("models that a call declares", () => {
  it.each<[string, string, ReadonlyArray<string>]>([
    ["Mongoose, of a schema that is written apart", wagon, ["Wagon 8: load status track -> Track"]],
    [
      "Mongoose, of a schema at its place",
      'import mongoose from "mongoose"\nexport default mongoose.model("Wagon", new mongoose.Schema({ load: Number, axles: [Number] }))\n',
      ["Wagon 2: load axles"]
    ],
    [
      "Sequelize",
      'module.exports = (sequelize, types) => {\n  const Wagon = sequelize.define("Wagon", {\n    load: types.INTEGER,\n    axles: { type: types.INTEGER }\n  })\n  Wagon.belongsTo(Track)\n  return Wagon\n}\n',
      ["Wagon 2: load axles -> Track"]
    ],
    [
      "a class of Sequelize",
      'const { Model } = require("sequelize")\nclass Wagon extends Model {}\nWagon.init({ load: 1, axles: 2 }, { sequelize })\n',
      ["Wagon 3: load axles"]
    ]
  ])("%s", (_, text, expected) => {
    assert.deepStrictEqual(modelsIn(text), expected)
  })

  it("are none where the file names neither library", () => {
    assert.isEmpty(
      modelsIn('define("Wagon", { load: 1 })\nview.model("Wagon", wagonSchema)\nWagon.init({ load: 1 })\n')
    )
  })

  it("are the nouns of a service, with the states of their fields", async () => {
    const { domain_md } = await outputOf({
      "models/wagon.js": wagon,
      "models/track.js": wagon
        .replaceAll("agon", "rack")
        .replaceAll("Wr", "Tr")
        .replaceAll("wr", "tr")
        .replace("status", "kind"),
      "routes/wagon.js": 'const Wagon = require("../models/wagon")\nmodule.exports = () => Wagon.find()\n'
    })
    assert.include(domain_md, "**Wagon** (Mongoose model `models/wagon.js:8`)")
    assert.include(
      domain_md,
      "Has `load`, `status`, `track`. Refers to `Track`. Values of `Wagon.status`: `loose`, `tight`"
    )
  })
})
