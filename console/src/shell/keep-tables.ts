const isOfTable = /(?:^|\.)(?:sort|filter)$/

/** Keeps the order and the filter of tables in the address while the page at this path stays: opening a row must not sort the list anew. */
export function keepTables(path: string) {
  return {
    middlewares: [
      <Search extends object>({ search, next }: { search: Search; next: (search: Search) => Search }) => {
        const wanted = next(search)
        if (window.location.pathname !== path) return wanted
        const kept = Object.entries(search).filter(([key]) => isOfTable.test(key))
        return { ...Object.fromEntries(kept), ...wanted } as Search
      },
    ],
  }
}
