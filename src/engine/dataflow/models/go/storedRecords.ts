import type { Model } from "../Model.ts"

/** Structs that GORM stores. */
export const storedRecords: Model = {
  name: "storedRecords",
  mentions: /"(?:gorm\.io\/gorm|github\.com\/jinzhu\/gorm)"|\.(?:First|Find|Take|Last|Create|Save|Updates)\(/,
  records: {
    saves: /gorm\b.*\.(?:Create|Save|Updates|FirstOrCreate|CreateInBatches)$/,
    fills: /gorm\b.*\.(?:First|Find|Take|Last|Scan|FirstOrCreate)$/
  }
}
