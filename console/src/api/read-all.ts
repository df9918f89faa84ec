const limit = 200

/** Every row of a list that people read as a whole: page after page, until there is none. */
export async function readAll<Row>(
  readPage: (query: { limit: number; page: number }) => Promise<{ data: Row[]; total: number }>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let page = 1; ; page += 1) {
    const { data } = await readPage({ limit, page })
    rows.push(...data)
    if (data.length < limit) return rows
  }
}

/** How many rows a page of a list has. */
export const pageSize = 50
