/** The rows of a page to show: an empty page of a list that has rows is about to be left, so they are on their way. */
export function rowsOf<Row>(
  page: { readonly data: readonly Row[]; readonly total: number } | undefined,
): readonly Row[] | undefined {
  if (page === undefined) return undefined
  return page.data.length === 0 && page.total > 0 ? undefined : page.data
}
