interface Page<Row> {
  readonly data: ReadonlyArray<Row>
  readonly next_cursor: string | null
}

/** Largest page that every list of the API gives. */
export const pageSize = 200

const maxPages = 50

/** All rows of a list that is short by its nature, page by page; never more than 10,000. */
export const everyRow = async <Row>(read: (cursor: string | undefined) => Promise<Page<Row>>): Promise<Array<Row>> => {
  const rows: Array<Row> = []
  let cursor: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const { data, next_cursor } = await read(cursor)
    rows.push(...data)
    if (next_cursor === null) break
    cursor = next_cursor
  }
  return rows
}
