import type { Model } from "../Model.ts"

/** Records of Active Record, and of Mongoid and Sequel, which read alike. */
export const storedRecords: Model = {
  name: "storedRecords",
  mentions:
    /\b[A-Z]\w*\.(?:find|find_by!?|where|all|first|last|create!?|find_or_create_by!?|insert|upsert)\b|\.new\(\w*params\b/,
  records: {
    loads:
      /^(?:::)?(?:\w+::)*([A-Z]\w*)\.(?:find|find_by!?|find_by_\w+|find_or_create_by!?|find_or_initialize_by|where|all|first|last|first!|last!|take|order|includes|joins|find_each|limit|unscoped|active)$/,
    chains:
      /^(?:find|find_by!?|where|not|rewhere|all|first|last|first!|last!|take|order|reorder|includes|preload|eager_load|joins|limit|offset|group|distinct|to_a|reload|unscoped|readonly|lock|decorate)$/,
    accessors: /^([a-z]\w*)$/,
    stores:
      /^(?:::)?(?:\w+::)*([A-Z]\w*)\.(?:new|create!?|insert!?|upsert|find_or_create_by!?|find_or_initialize_by|build|insert_all|upsert_all)$/,
    updates:
      /^(?:update!?|update_all|update_attributes!?|update_columns?|update_attribute|assign_attributes|create!?|build)$/,
    takesWhole: true
  }
}
