import type { Model } from "../Model.ts"

/** Records of Django, SQLAlchemy (Flask-SQLAlchemy, SQLModel) and document mappers made like them. */
export const storedRecords: Model = {
  name: "storedRecords",
  mentions:
    /\.objects\.a?(?:create|get_or_create|update_or_create)\(|\breturn\b[^\n]{0,80}?(?:\.objects\.\w+\(|\.query\.\w+\(|\bsession\.(?:get|query|scalars?|execute)\(|\bget_(?:object|list)_or_404\()|\bsession\.(?:add|add_all|merge)\(/,
  records: {
    loads:
      /^(?:\w+\.)*([A-Z]\w*)\.objects\.a?(?:get|get_or_create|filter|exclude|all|first|last|latest|earliest|order_by|select_related|prefetch_related|only|defer|in_bulk|iterator|using|distinct)$|^(?:\w+\.)*([A-Z]\w*)\.query\.(?:get|get_or_404|first|first_or_404|one|one_or_none|one_or_404|all|filter|filter_by|order_by|options|join|paginate)$/,
    loadsOf:
      /^a?(?:get_object_or_404|get_list_or_404|get|get_one|query|select|insert|update|execute|scalars?|scalar_one|scalar_one_or_none|exec)$/,
    chains:
      /^a?(?:get|get_or_404|filter|filter_by|exclude|all|first|first_or_404|last|latest|earliest|one|one_or_none|one_or_404|order_by|select_related|prefetch_related|only|defer|options|join|outerjoin|where|limit|offset|group_by|distinct|iterator|using|with_for_update|scalars?|scalar_one|scalar_one_or_none|unique|paginate|partitions|fetchall|fetchone)$/,
    stores: /^(?:\w+\.)*([A-Z]\w*)(?:\.objects\.a?(?:create|get_or_create|update_or_create))?$/,
    updates: /^a?(?:update|values)$/
  }
}
