/** Replaces the text between `<!-- name -->` and `<!-- /name -->`. Throws when the page has no such markers. */
export function writeBetweenMarkers(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name} -->\n`, `\n<!-- /${name} -->`]
  const from = page.indexOf(begin)
  const to = page.indexOf(end)
  if (from < 0 || to < from) throw new Error(`the page has no markers for ${name}`)
  return page.slice(0, from + begin.length) + text + page.slice(to)
}
