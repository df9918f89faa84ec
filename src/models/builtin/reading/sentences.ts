import type { Pacer } from './pacer.ts'
import type { Passage, PassageKind } from './text-document.ts'

export interface Word {
  readonly text: string
  /** Normalised for comparison: lower case, one Unicode form. */
  readonly folded: string
  /** The text between the previous word and this one. */
  readonly gap: string
}

export interface Sentence {
  readonly kind: PassageKind
  /** The index of its passage. */
  readonly passage: number
  readonly text: string
  readonly words: readonly Word[]
}

/** The size of a chunk for segmentation. A chunk ends at a space, so that no word is cut. */
const chunkChars = 16 * 1024

/** The sentences and words of the passages, by the rules of the language, or by common rules when it is unknown. */
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
const maxShortTextLength = 2000

/** Returns a function that splits short texts into normalised words. */
export function wordFolder(language: string | null): (text: string) => string[] {
  const locale = language ?? 'und'
  const segmenter = new Intl.Segmenter(locale, { granularity: 'word' })
  const fold = folding(locale)
  return (text) =>
    [...segmenter.segment(text.slice(0, maxShortTextLength))].flatMap(({ segment, isWordLike }) =>
      isWordLike === true ? fold(segment) : [],
    )
}

/** The number of words in a text. */
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

/** Vowel marks of Arabic and Hebrew, which most writers omit. */
const readingMarks = /[\u0591-\u05c7\u0640\u064b-\u065f\u0670]/g

function folding(locale: string): (word: string) => string {
  const lower =
    locale === 'tr' || locale === 'az'
      ? (word: string) => word.toLocaleLowerCase(locale)
      : (word: string) => word.toLowerCase()
  // Cached, because a long text has few different words.
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

/** Abbreviations of several languages, whose full stop does not end a sentence. */
const abbreviations = new Set(
  (
    'mr mrs ms dr prof rev hon gen sen gov capt lt sgt st vs e.g i.e cf approx fig dept ' +
    'z.b d.h u.a bzw ca hr nr str vgl evtl ggf inkl zzgl mme mlle mm sr sra srta dra ud uds sig dott dhr mevr bijv'
  ).split(' '),
)
/** Languages in which a number with a full stop is an ordinal: "am 3. Mai". */
const dottedOrdinals = new Set('de da no fi et cs sk sl hr sr bs hu is lv tr'.split(' '))
const maxJoinedLength = 1000

/** Joins segments, because the common rules also end a sentence after abbreviations and quoted questions. */
function* joined(
  segments: Iterable<{ readonly segment: string }>,
  locale: string,
): Generator<string, void, void> {
  let sentence = ''
  for (const { segment } of segments) {
    if (sentence !== '' && (sentence.length > maxJoinedLength || !goesOn(sentence, segment, locale))) {
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
