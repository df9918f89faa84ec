import { defaultColours, type Scheme } from '../../../../../src/tours/player/theme.ts'
import { schemes, type ThemeFields } from './player-fields.ts'

type Rgba = readonly [red: number, green: number, blue: number, alpha: number]

/** The least contrast of text for WCAG 2.2, level AA. */
export const leastContrast = 4.5

/** Texts of the card with what is behind them. */
const pairs = [
  { what: 'text on the card', front: 'text', back: ['surface'] },
  { what: 'links on the card', front: 'accent', back: ['surface'] },
  { what: 'text on the primary button', front: 'on_accent', back: ['surface', 'accent'] },
] as const

/** The contrast of two opaque colours by the formula of WCAG, from 1 to 21. */
export function contrastRatio(one: Rgba, other: Rgba): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function linear(value: number): number {
  const part = value / 255
  return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}

function luminance([red, green, blue]: Rgba): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/** The pixel that these colours give, painted over each other; the browser reads every notation. Undefined for an invalid one. */
export function paint(colours: readonly string[]): Rgba | undefined {
  if (!colours.every((colour) => CSS.supports('color', colour))) return undefined
  const canvas = document.createElement('canvas')
  canvas.width = 1
  canvas.height = 1
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (context === null) return undefined
  for (const colour of colours) {
    context.fillStyle = colour
    context.fillRect(0, 0, 1, 1)
  }
  const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data
  return [red, green, blue, alpha]
}

/** The colour that the player uses: the one of the field, else the default. */
export function colourOf(fields: ThemeFields, scheme: Scheme, name: keyof ThemeFields[Scheme]): string {
  return fields[scheme][name].trim() || defaultColours[scheme][name]
}

/** Sentences about texts of the card that are hard to read. Colours that are not valid are left out. */
export function findLowContrast(fields: ThemeFields): readonly string[] {
  return schemes.flatMap((scheme) =>
    pairs.flatMap(({ what, front, back }) => {
      const behind = [scheme === 'light' ? '#fff' : '#000', ...back.map((it) => colourOf(fields, scheme, it))]
      const [one, other] = [paint(behind), paint([...behind, colourOf(fields, scheme, front)])]
      if (one === undefined || other === undefined) return []
      const ratio = contrastRatio(one, other)
      // Rounded down: 4.49 must not read as enough.
      const shown = (Math.floor(ratio * 10) / 10).toFixed(1)
      const place = scheme === 'light' ? 'Light' : 'Dark'
      return ratio >= leastContrast ? [] : [`${place}: the contrast of ${what} is ${shown}:1.`]
    }),
  )
}
