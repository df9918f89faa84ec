const limit = 200

/** Reads all rows of a list that is shown as a whole, page by page. */
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

/** The number of rows on a page of a list. */
export const pageSize = 50
