import { type Sentence, type Word, wordFolder } from '../reading/sentences.ts'
import type { TextDocument } from '../reading/text-document.ts'
import { charactersOf } from './counts.ts'
import { type Finding, round } from './finding.ts'
import { headingJumps, headingsFromWords, longParagraphWords, paragraphWords } from './structure.ts'

interface SeoCheck {
  readonly id: string
  readonly passed: boolean
  readonly message: string
  /** The weight in the score. */
  readonly weight: number
}

export interface SeoReport {
  /** 100 × weight of the passed checks / weight of all checks, rounded. */
  readonly score: number
  readonly title: string | null
  readonly description: string | null
  readonly keyword: KeywordUse | null
  /** Only the applicable checks: without images there is no check of alternative texts. */
  readonly checks: readonly SeoCheck[]
}

/** The input of all checks. */
interface SeoSubject {
  readonly document: TextDocument
  readonly sentences: readonly Sentence[]
  readonly words: number
}

/** SEO checks of a text. */
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

/** The widths that search results show, in characters; East Asian characters count as two. */
const titleWidth = { min: 30, max: 60 }
const descriptionWidth = { min: 70, max: 160 }

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60]/gu

/** Title, description and main heading. A fragment of a page is not required to have them. */
function pageChecks({ document }: SeoSubject): SeoCheck[] {
  const { title, description } = document
  const checks: SeoCheck[] = []
  if (title !== null || document.isPage) checks.push(present('title', title, 10))
  if (title !== null) checks.push(fits('title', title, titleWidth, 5))
  if (description !== null || document.isPage) checks.push(present('description', description, 5))
  if (description !== null) checks.push(fits('description', description, descriptionWidth, 5))
  const mainHeadings = document.headings.filter(({ level }) => level === 1).length
  // A separate title becomes the main heading of the page around the text.
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
  { min, max }: { readonly min: number; readonly max: number },
  weight: number,
): SeoCheck {
  const width = charactersOf(text) + (text.match(wide)?.length ?? 0)
  const passed = width >= min && width <= max
  const message = `The ${name} is ${width} letters wide; ${min} to ${max} are shown well.`
  return { id: `${name}_length`, passed, message, weight }
}

/** Percent of the words: below it the keyword is weak, above it the text looks unnatural. */
const recommendedDensity = { min: 0.5, max: 3 }
/** In a shorter text a single occurrence would decide. */
const densityFromWords = 100
/** The bound on checked headings. */
const maxHeadings = 500

/** Where a keyword occurs, and how often. Missing parts of the document are not checked. */
function keywordChecks({ document, sentences, words }: SeoSubject, finder: KeywordFinder): SeoCheck[] {
  const { title, description } = document
  const located = (id: string, name: string, passed: boolean, weight: number): SeoCheck => ({
    id: `keyword_in_${id}`,
    passed,
    message: `"${finder.keyword}" ${passed ? 'is' : 'is not'} in ${name}.`,
    weight,
  })
  const checks: SeoCheck[] = []
  if (title !== null) checks.push(located('title', 'the title', finder.isIn(title), 10))
  if (description !== null)
    checks.push(located('description', 'the description', finder.isIn(description), 5))
  const headings = document.headings.slice(0, maxHeadings)
  const main = headings.filter(({ level }) => level === 1)
  if (main.length > 0)
    checks.push(
      located(
        'h1',
        'the main heading',
        main.some(({ text }) => finder.isIn(text)),
        10,
      ),
    )
  const below = headings.filter(({ level }) => level > 1)
  if (below.length > 0) {
    checks.push(
      located(
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
      located(
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
      passed: use.density >= recommendedDensity.min && use.density <= recommendedDensity.max,
      message: `"${finder.keyword}" makes ${use.density} % of the words (${use.occurrences} times); ${recommendedDensity.min} to ${recommendedDensity.max} % read well.`,
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

/** Finds a keyword of one or more words, case-insensitively. */
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

const fewWords = 300
/** Link texts without meaning, in English; an empty text counts in every language. */
const emptyPhrases = new Set([
  'here',
  'click here',
  'click',
  'this',
  'link',
  'this link',
  'more',
  'read more',
  'learn more',
])

/** Length, headings, paragraphs, links and images. */
function contentChecks({ document, sentences, words }: SeoSubject): SeoCheck[] {
  const { headings, links, images } = document
  const checks: SeoCheck[] = [
    check(
      'word_count',
      words >= fewWords,
      `There are ${words} words; texts of ${fewWords} words or more rank better.`,
      10,
    ),
  ]
  if (words >= headingsFromWords) {
    const subheadings = headings.filter(({ level }) => level > 1).length
    checks.push(check('subheadings', subheadings > 0, `Headings below the main one: ${subheadings}.`, 5))
    checks.push(check('links_present', links.length > 0, `Links: ${links.length}.`, 5))
  }
  if (headings.length > 1) {
    const jumps = headingJumps(headings).length
    checks.push(check('heading_order', jumps === 0, `Headings that leave out a level: ${jumps}.`, 5))
  }
  const paragraphs = [...paragraphWords(sentences).values()]
  if (paragraphs.length > 0) {
    const long = paragraphs.filter((paragraph) => paragraph.words > longParagraphWords).length
    checks.push(
      check(
        'short_paragraphs',
        long === 0,
        `Paragraphs of more than ${longParagraphWords} words: ${long}.`,
        5,
      ),
    )
  }
  if (links.length > 0) {
    const bare = links.filter(({ text }) => text === '' || emptyPhrases.has(text.toLowerCase())).length
    checks.push(check('link_texts', bare === 0, `Links whose text does not say where they lead: ${bare}.`, 5))
  }
  if (images.length > 0) {
    const missing = images.filter(({ alt }) => alt === null).length
    checks.push(
      check(
        'image_alts',
        missing === 0,
        `Images without an alternative text: ${missing} of ${images.length}.`,
        10,
      ),
    )
  }
  return checks
}

function check(id: string, passed: boolean, message: string, weight: number): SeoCheck {
  return { id, passed, message, weight }
}
