import type { KeywordFinder } from './keyword.ts'
import type { SeoCheck, SeoSubject } from './seo.ts'

/** Percent of the words: fewer say little, more look forced. */
const density = { least: 0.5, most: 3 }
/** In a shorter text one occurrence more or less decides. */
const densityFromWords = 100
/** No page has more that anybody reads. */
const mostHeadings = 500

/** Where a keyword stands, and how often. Only places that there are count. */
export function keywordChecks({ document, sentences, words }: SeoSubject, finder: KeywordFinder): SeoCheck[] {
  const { title, description } = document
  const place = (id: string, name: string, passed: boolean, weight: number): SeoCheck => ({
    id: `keyword_in_${id}`,
    passed,
    message: `"${finder.keyword}" ${passed ? 'stands' : 'does not stand'} in ${name}.`,
    weight,
  })
  const checks: SeoCheck[] = []
  if (title !== null) checks.push(place('title', 'the title', finder.isIn(title), 10))
  if (description !== null) checks.push(place('description', 'the description', finder.isIn(description), 5))
  const headings = document.headings.slice(0, mostHeadings)
  const main = headings.filter(({ level }) => level === 1)
  if (main.length > 0)
    checks.push(
      place(
        'h1',
        'the main heading',
        main.some(({ text }) => finder.isIn(text)),
        10,
      ),
    )
  const below = headings.filter(({ level }) => level > 1)
  if (below.length > 0) {
    checks.push(
      place(
        'headings',
        'a heading below',
        below.some(({ text }) => finder.isIn(text)),
        5,
      ),
    )
  }
  const firstPassage = sentences.find(({ kind }) => kind === 'paragraph')?.passage
  if (firstPassage !== undefined) {
    const opening = sentences.filter(({ passage }) => passage === firstPassage)
    checks.push(
      place(
        'opening',
        'the first paragraph',
        opening.some((each) => finder.isInWords(each.words)),
        10,
      ),
    )
  }
  if (words >= densityFromWords) {
    const use = finder.useIn(sentences)
    checks.push({
      id: 'keyword_density',
      passed: use.density >= density.least && use.density <= density.most,
      message: `"${finder.keyword}" makes ${use.density} % of the words (${use.occurrences} times); ${density.least} to ${density.most} % read well.`,
      weight: 10,
    })
  }
  return checks
}
