import { type TextKey, textKeys, unknownPlaceholder } from '../../../../../src/tours/player/texts.ts'
import {
  type ColourName,
  cardRadius,
  cardWidth,
  colourMeans,
  colourPattern,
  defaultColours,
  fontMeans,
  fontPattern,
  type Scheme,
} from '../../../../../src/tours/player/theme.ts'
import { describeProblem } from '../../../parts/describe-problem.ts'
import type { Site } from './site-calls.ts'

type PlayerSettings = Site['player']
type Theme = NonNullable<PlayerSettings['theme']>

export const colourNames = Object.keys(defaultColours.light) as ColourName[]
export const schemes = Object.keys(defaultColours) as Scheme[]

/** A theme as it is edited: an empty text is the default. */
export interface ThemeFields extends Readonly<Record<Scheme, Readonly<Record<ColourName, string>>>> {
  readonly width: string
  readonly radius: string
  readonly font: string
  readonly arrow: boolean
}

/** Texts of the player by language, as they are edited. */
export type TextFields = Readonly<Record<string, Readonly<Partial<Record<TextKey, string>>>>>

export function themeToFields({ width, radius, font = '', arrow = true, ...colours }: Theme): ThemeFields {
  const fieldsOf = (scheme: Scheme) =>
    Object.fromEntries(colourNames.map((name) => [name, colours[scheme]?.[name] ?? '']))
  return {
    width: String(width ?? ''),
    radius: String(radius ?? ''),
    font,
    arrow,
    light: fieldsOf('light') as ThemeFields['light'],
    dark: fieldsOf('dark') as ThemeFields['dark'],
  }
}

/** The theme to store. What is not valid stays in it, so that the platform names the field. */
export function fieldsToTheme({ width, radius, font, arrow, ...colours }: ThemeFields): Theme {
  const theme: Theme = {}
  if (width.trim() !== '') theme.width = Number(width)
  if (radius.trim() !== '') theme.radius = Number(radius)
  if (font.trim() !== '') theme.font = font.trim()
  if (!arrow) theme.arrow = false
  for (const scheme of schemes) {
    const given = Object.entries(colours[scheme])
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([, value]) => value !== '')
    if (given.length > 0) theme[scheme] = Object.fromEntries(given)
  }
  return theme
}

export function textsToFields(texts: NonNullable<PlayerSettings['texts']>): TextFields {
  return Object.fromEntries(texts.map(({ langcode, texts: given }) => [langcode, given]))
}

/** The texts to store: languages without own texts are left out. */
export function fieldsToTexts(fields: TextFields): NonNullable<PlayerSettings['texts']> {
  return Object.entries(fields)
    .map(([langcode, given]) => ({
      langcode,
      texts: Object.fromEntries(
        textKeys.map((key) => [key, given[key]?.trim() ?? ''] as const).filter(([, text]) => text !== ''),
      ),
    }))
    .filter(({ texts }) => Object.keys(texts).length > 0)
}

const sentence = (message: string) => describeProblem({ message })
const patterns = { colour: new RegExp(colourPattern, 'u'), font: new RegExp(fontPattern, 'u') }

/** The problem of a colour, as the platform would name it; undefined for a valid or an empty one. */
export function colourProblem(text: string): string | undefined {
  return text.trim() === '' || patterns.colour.test(text.trim()) ? undefined : sentence(colourMeans)
}

export function fontProblem(text: string): string | undefined {
  return text.trim() === '' || patterns.font.test(text.trim()) ? undefined : sentence(fontMeans)
}

export function pixelsProblem(
  text: string,
  bounds: typeof cardWidth | typeof cardRadius,
): string | undefined {
  const { minimum, maximum } = bounds
  const value = Number(text)
  if (text.trim() === '' || (Number.isInteger(value) && value >= minimum && value <= maximum))
    return undefined
  return `Must be a whole number from ${minimum} to ${maximum}.`
}

export function textProblem(key: TextKey, text: string): string | undefined {
  const placeholder = unknownPlaceholder(key, text)
  return placeholder === undefined ? undefined : `Must not contain ${placeholder}.`
}
