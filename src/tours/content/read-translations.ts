import { bounds, type Tip, type Tour, type Translation } from '../tour.ts'
import { checkLabel } from './check-label.ts'
import type { Problems } from './problems.ts'
import { readBody } from './read-tip.ts'

/** A translation as sent by a client. */
export interface TranslationInput {
  readonly langcode: string
  readonly label?: string | undefined
  readonly tips?: readonly {
    readonly id: string
    readonly label?: string | undefined
    readonly body?: string | undefined
  }[]
}

interface TranslationContext {
  readonly tips: readonly Tip[]
  /** The language of the tour itself. */
  readonly langcode: string
  readonly path: string
  readonly found: Problems
}

/** Validates and sanitises the translations of a tour, ordered by language. Adds problems to `found`. */
export function readTranslations(
  given: readonly TranslationInput[],
  { tips, langcode, path, found }: TranslationContext,
): Translation[] {
  const ids = new Set(tips.map(({ id }) => id))
  const languages = new Set([langcode])
  const read = given.map((translation, index) => {
    const at = `${path}[${index}]`
    if (languages.has(translation.langcode)) {
      const message =
        translation.langcode === langcode
          ? 'is the language of the tour'
          : `repeats "${translation.langcode}"`
      found.unprocessable.push({ path: `${at}.langcode`, message, code: 'duplicate' })
    }
    languages.add(translation.langcode)
    return {
      langcode: translation.langcode,
      label: readLabel(translation.label, `${at}.label`, found),
      tips: (translation.tips ?? []).map((tip, position) => {
        const field = `${at}.tips[${position}]`
        if (!ids.has(tip.id))
          found.unprocessable.push({
            path: `${field}.id`,
            message: 'is not a step of the tour',
            code: 'unknown',
          })
        return {
          id: tip.id,
          label: readLabel(tip.label, `${field}.label`, found),
          body: readBody(tip.body ?? '', `${field}.body`, found),
        }
      }),
    }
  })
  const length = JSON.stringify(read).length
  if (length > bounds.translatedText) {
    const message = `must have at most ${bounds.translatedText} characters together, but have ${length}`
    found.unprocessable.push({ path, message, code: 'too_long' })
  }
  return keepTranslations({
    tips,
    translations: read.toSorted((one, other) => (one.langcode < other.langcode ? -1 : 1)),
  })
}

/** An empty label is not translated. */
function readLabel(label = '', path: string, found: Problems): string {
  if (label.trim() === '') return ''
  const problem = checkLabel(label, path)
  if (problem !== undefined) found.invalid.push(problem)
  return label.trim()
}

/** The translations with a text that still belongs to the tour, their steps in the order of the tour. */
export function keepTranslations({
  translations,
  tips,
}: {
  readonly translations: readonly Translation[]
  readonly tips: readonly Pick<Tip, 'id'>[]
}): Translation[] {
  return translations
    .map((translation) => ({
      ...translation,
      tips: tips
        .flatMap(({ id }) => translation.tips.find((tip) => tip.id === id) ?? [])
        .filter(({ label, body }) => label !== '' || body !== ''),
    }))
    .filter((translation) => translation.label !== '' || translation.tips.length > 0)
}

/** The texts of a tour in one of its translations. */
export function translateTour<Translated extends Pick<Tour, 'label' | 'tips' | 'langcode'>>(
  tour: Translated,
  translation: Translation | undefined,
): Translated {
  if (translation === undefined) return tour
  return {
    ...tour,
    langcode: translation.langcode,
    label: translation.label || tour.label,
    tips: tour.tips.map((tip) => {
      const texts = translation.tips.find(({ id }) => id === tip.id)
      return { ...tip, label: texts?.label || tip.label, body: texts?.body || tip.body }
    }),
  }
}
