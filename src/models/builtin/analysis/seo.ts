import { type Sentence, type Word, wordFolder } from '../reading/sentences.ts'
import type { TextDocument } from '../reading/text-document.ts'
import { charactersOf } from './counts.ts'
import { type Finding, round } from './finding.ts'
import { contentChecks } from './seo-content-checks.ts'

export interface SeoCheck {
  readonly id: string
  readonly passed: boolean
  readonly message: string
  /** How much it counts in the score. */
  readonly weight: number
}

export interface SeoReport {
  /** 100 × weights of the checks that passed / weights of all that were made, rounded. */
  readonly score: number
  readonly title: string | null
  readonly description: string | null
  readonly keyword: KeywordUse | null
  /** Only what the text allows to judge: without images there is no check of their texts. */
  readonly checks: readonly SeoCheck[]
}

/** What all the checks look at. */
export interface SeoSubject {
  readonly document: TextDocument
  readonly sentences: readonly Sentence[]
  readonly words: number
}

/** What a search engine would want of a text, as far as the text tells. */
export function seo(
  document: TextDocument,
  sentences: readonly Sentence[],
  { language, keyword }: { readonly language: string | null; readonly keyword?: string | undefined },
): Finding<SeoReport> {
  const words = sentences.reduce((sum, sentence) => sum + sentence.words.length, 0)
  if (words === 0) return { reason: 'There are no words.' }
  const finder = keyword === undefined ? undefined : createKeywordFinder(keyword, language)
  const subject: SeoSubject = { document, sentences, words }
  const checks = [
    ...pageChecks(subject),
    ...contentChecks(subject),
    ...(finder === undefined ? [] : keywordChecks(subject, finder)),
  ]
  const total = weightOf(checks)
  const score = Math.round((100 * weightOf(checks.filter(({ passed }) => passed))) / total)
  const { title, description } = document
  return { value: { score, title, description, keyword: finder?.useIn(sentences) ?? null, checks } }
}

function weightOf(checks: readonly SeoCheck[]): number {
  return checks.reduce((sum, { weight }) => sum + weight, 0)
}

/** As wide as search results show them, counted in letters of which those of East Asia take the room of two. */
const titleWidth = { least: 30, most: 60 }
const descriptionWidth = { least: 70, most: 160 }

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60]/gu

/** Title, description and the main heading. What a piece of text leaves to the page around it is not held against it. */
function pageChecks({ document }: SeoSubject): SeoCheck[] {
  const { title, description } = document
  const checks: SeoCheck[] = []
  if (title !== null || document.isPage) checks.push(present('title', title, 10))
  if (title !== null) checks.push(fits('title', title, titleWidth, 5))
  if (description !== null || document.isPage) checks.push(present('description', description, 5))
  if (description !== null) checks.push(fits('description', description, descriptionWidth, 5))
  const mainHeadings = document.headings.filter(({ level }) => level === 1).length
  // Where the title stands apart, the page around the text shows it as its main heading.
  const titleIsHeading = !document.isPage && title !== null && mainHeadings === 0
  if ((document.isPage || document.headings.length > 0) && !titleIsHeading) {
    checks.push({
      id: 'one_h1',
      passed: mainHeadings === 1,
      message:
        mainHeadings === 1
          ? 'There is one main heading.'
          : `There are ${mainHeadings} main headings instead of one.`,
      weight: 10,
    })
  }
  return checks
}

function present(name: 'title' | 'description', text: string | null, weight: number): SeoCheck {
  const passed = text !== null
  return {
    id: `${name}_present`,
    passed,
    message: passed ? `There is a ${name}.` : `There is no ${name}.`,
    weight,
  }
}

function fits(
  name: 'title' | 'description',
  text: string,
  { least, most }: { readonly least: number; readonly most: number },
  weight: number,
): SeoCheck {
  const width = charactersOf(text) + (text.match(wide)?.length ?? 0)
  const passed = width >= least && width <= most
  const message = `The ${name} is ${width} letters wide; ${least} to ${most} are shown well.`
  return { id: `${name}_length`, passed, message, weight }
}

/** Percent of the words: fewer say little, more look forced. */
const recommendedDensity = { least: 0.5, most: 3 }
/** In a shorter text one occurrence more or less decides. */
const densityFromWords = 100
/** No page has more that anybody reads. */
const maxHeadings = 500

/** Where a keyword stands, and how often. Only places that there are count. */
function keywordChecks({ document, sentences, words }: SeoSubject, finder: KeywordFinder): SeoCheck[] {
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
  const headings = document.headings.slice(0, maxHeadings)
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
      passed: use.density >= recommendedDensity.least && use.density <= recommendedDensity.most,
      message: `"${finder.keyword}" makes ${use.density} % of the words (${use.occurrences} times); ${recommendedDensity.least} to ${recommendedDensity.most} % read well.`,
      weight: 10,
    })
  }
  return checks
}

interface KeywordUse {
  readonly keyword: string
  readonly occurrences: number
  /** Percent of the words of the text that belong to it. */
  readonly density: number
}

/** Finds a keyword of one or more words in texts of a language, whatever its case. */
interface KeywordFinder {
  readonly keyword: string
  isIn(text: string): boolean
  useIn(sentences: readonly Sentence[]): KeywordUse
  isInWords(words: readonly Word[]): boolean
}

/** Undefined for a keyword without a word. */
function createKeywordFinder(keyword: string, language: string | null): KeywordFinder | undefined {
  const wordsOf = wordFolder(language)
  const keys = wordsOf(keyword)
  if (keys.length === 0) return undefined

  function occurrencesIn(words: readonly string[]): number {
    let found = 0
    for (let start = 0; start + keys.length <= words.length; start++) {
      if (!keys.every((key, index) => words[start + index] === key)) continue
      found += 1
      start += keys.length - 1
    }
    return found
  }

  return {
    keyword: keyword.trim(),
    isIn: (text) => occurrencesIn(wordsOf(text)) > 0,
    isInWords: (words) => occurrencesIn(words.map(({ folded }) => folded)) > 0,
    useIn(sentences) {
      const words = sentences.reduce((sum, sentence) => sum + sentence.words.length, 0)
      const occurrences = sentences.reduce(
        (sum, sentence) => sum + occurrencesIn(sentence.words.map(({ folded }) => folded)),
        0,
      )
      const density = words === 0 ? 0 : round((100 * occurrences * keys.length) / words, 2)
      return { keyword: keyword.trim(), occurrences, density }
    },
  }
}
