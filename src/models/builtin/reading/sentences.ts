import type { Pacer } from './pacer.ts'
import type { Passage, PassageKind } from './text-document.ts'

export interface Word {
  readonly text: string
  /** As it is compared: without case, and in one way of writing. */
  readonly folded: string
  /** What stands between the word before and this one. */
  readonly gap: string
}

export interface Sentence {
  readonly kind: PassageKind
  /** Which passage it is of. */
  readonly passage: number
  readonly text: string
  readonly words: readonly Word[]
}

/** Text that is looked at in one go. It ends at a blank, so that no word is cut. */
const chunkChars = 16 * 1024

/** Sentences of the passages with their words, by the rules of the language, or by the common ones when it is not known. */
export async function findSentences(
  passages: readonly Passage[],
  { language, pacer }: { language: string | null; pacer: Pacer },
): Promise<Sentence[]> {
  const locale = language ?? 'und'
  const sentences = new Intl.Segmenter(locale, { granularity: 'sentence' })
  const words = new Intl.Segmenter(locale, { granularity: 'word' })
  const fold = folding(locale)
  const found: Sentence[] = []
  for (const [passage, { kind, text }] of passages.entries()) {
    const isProse = kind === 'paragraph' || kind === 'item'
    for (const chunk of chunksOf(text)) {
      for (const sentence of isProse ? joined(sentences.segment(chunk), locale) : [chunk]) {
        const line = sentence.trim()
        found.push({ kind, passage, text: line, words: await wordsOf(words.segment(line), fold, pacer) })
      }
    }
  }
  return found
}

/** Enough for any title or keyword. */
const longestShortText = 2000

/** Takes short texts of a language apart, into words as they are compared. */
export function wordFolder(language: string | null): (text: string) => string[] {
  const locale = language ?? 'und'
  const segmenter = new Intl.Segmenter(locale, { granularity: 'word' })
  const fold = folding(locale)
  return (text) =>
    [...segmenter.segment(text.slice(0, longestShortText))].flatMap(({ segment, isWordLike }) =>
      isWordLike === true ? fold(segment) : [],
    )
}

/** How many words a text has, whatever stands in it. */
export async function countWords(text: string, pacer: Pacer): Promise<number> {
  const segmenter = new Intl.Segmenter('und', { granularity: 'word' })
  let words = 0
  for (const chunk of chunksOf(text)) {
    for (const { isWordLike } of segmenter.segment(chunk)) {
      if (isWordLike === true) words += 1
      if (pacer.isDue()) await pacer.rest()
    }
  }
  return words
}

async function wordsOf(
  segments: Iterable<{ readonly segment: string; readonly isWordLike?: boolean | undefined }>,
  fold: (word: string) => string,
  pacer: Pacer,
): Promise<Word[]> {
  const words: Word[] = []
  let gap = ''
  for (const { segment, isWordLike } of segments) {
    if (isWordLike === true) {
      words.push({ text: segment, folded: fold(segment), gap })
      gap = ''
    } else gap += segment
    if (pacer.isDue()) await pacer.rest()
  }
  return words
}

/** Marks above and below the letters of Arabic and Hebrew, which most writers leave out. */
const readingMarks = /[\u0591-\u05c7\u0640\u064b-\u065f\u0670]/g

function folding(locale: string): (word: string) => string {
  const lower =
    locale === 'tr' || locale === 'az'
      ? (word: string) => word.toLocaleLowerCase(locale)
      : (word: string) => word.toLowerCase()
  // A long text has few different words: they are folded once, and kept once.
  const known = new Map<string, string>()
  return (word) => {
    const before = known.get(word)
    if (before !== undefined) return before
    const folded = lower(word.normalize('NFKC')).replaceAll('’', "'").replaceAll(readingMarks, '')
    known.set(word, folded)
    return folded
  }
}

function* chunksOf(text: string): Generator<string, void, void> {
  for (let start = 0; start < text.length; ) {
    const blank = text.indexOf(' ', start + chunkChars)
    const end = blank < 0 ? text.length : blank + 1
    yield text.slice(start, end)
    start = end
  }
}

/** Some of those that end with a full stop and end no sentence, of several languages at once. */
const abbreviations = new Set(
  (
    'mr mrs ms dr prof rev hon gen sen gov capt lt sgt st vs e.g i.e cf approx fig dept ' +
    'z.b d.h u.a bzw ca hr nr str vgl evtl ggf inkl zzgl mme mlle mm sr sra srta dra ud uds sig dott dhr mevr bijv'
  ).split(' '),
)
/** Here a number with a full stop is an ordinal: "am 3. Mai". */
const dottedOrdinals = new Set('de da no fi et cs sk sl hr sr bs hu is lv tr'.split(' '))
const longestJoined = 1000

/** The common rules end a sentence after every full stop before a capital letter, and after every question in quotes. */
function* joined(
  segments: Iterable<{ readonly segment: string }>,
  locale: string,
): Generator<string, void, void> {
  let sentence = ''
  for (const { segment } of segments) {
    if (sentence !== '' && (sentence.length > longestJoined || !goesOn(sentence, segment, locale))) {
      yield sentence
      sentence = ''
    }
    sentence += segment
  }
  if (sentence.trim() !== '') yield sentence
}

function goesOn(sentence: string, next: string, locale: string): boolean {
  if (/^\p{Ll}/u.test(next)) return true
  const last = /(?<word>[\p{L}\p{N}.]{1,12})\.\s*$/u.exec(sentence.slice(-24))?.groups?.['word']
  if (last === undefined) return false
  if (/^\p{Lu}$/u.test(last)) return last !== 'I'
  if (/^\d{1,2}$/.test(last)) return dottedOrdinals.has(locale) || /^\d/.test(next)
  return abbreviations.has(last.toLowerCase())
}
