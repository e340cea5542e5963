import type { Model } from "../Model.ts"

/** Records of Sequelize, Mongoose, TypeORM's active records, Objection and Prisma. */
export const storedRecords: Model = {
  name: "storedRecords",
  mentions:
    /\b[A-Z]\w*\.(?:find\w*|create|build|bulkCreate|insertMany|upsert|updateOne|updateMany|update|query)\(|\b(?:prisma\w*|db|client|tx)\.\w+\.(?:find(?:Unique|First|Many)\w*|create|createMany|update|updateMany|upsert)\(/,
  records: {
    loads:
      /^(?:\w+\.)*(?!(?:Object|Array|Promise|Reflect|React|Set|Map|JSON|Math)\.)([A-Z]\w*)\.(?:find|findOne|findAll|findByPk|findById|findOneBy|findBy|findOneByOrFail|findOneOrFail|findAndCountAll|findOneAndUpdate|findByIdAndUpdate|findOrCreate|where|query|scope|unscoped)$|(?:^|\.)(?:prisma\w*|db|client|tx)\.([a-z]\w*)\.find(?:Unique|First|Many)(?:OrThrow)?$/,
    chains:
      /^(?:exec|lean|populate|sort|limit|skip|select|where|and|or|findById|findOne|first|throwIfNotFound|orderBy|toJSON|toObject|get|reload|cursor|tap|catch|finally)$/,
    stores:
      /^(?:new )?(?:\w+\.)*(?!(?:Object|Array|Promise|Reflect|React|Set|Map|JSON|Math)\.)([A-Z]\w*)\.(?:create|build|insertMany|bulkCreate|upsert|update|updateOne|updateMany|replaceOne|findOneAndUpdate|findByIdAndUpdate|findOneAndReplace|findOrCreate)$|^new (?:\w+\.)*([A-Z]\w*)$|(?:^|\.)(?:prisma\w*|db|client|tx)\.([a-z]\w*)\.(?:create|createMany|update|updateMany|upsert)$/,
    updates: /^(?:update|set|updateOne|insert|patch|patchAndFetchById|insertAndFetch)$/,
    takesWhole: true
  }
}
