import type { SeoCheck, SeoSubject } from './seo.ts'
import { headingJumps, headingsFromWords, longParagraphWords, paragraphWords } from './structure.ts'

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
export function contentChecks({ document, sentences, words }: SeoSubject): SeoCheck[] {
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
