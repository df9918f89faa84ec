/** The colours of the player when neither the site nor the page sets them. */
export const defaultColours = {
  light: {
    accent: '#2457c5',
    on_accent: '#fff',
    surface: '#fff',
    text: '#1c2126',
    line: '#d5d9de',
    shade: 'rgb(15 20 25 / 0.5)',
  },
  dark: {
    accent: '#8fb4ff',
    on_accent: '#10182a',
    surface: '#22272d',
    text: '#eceff2',
    line: '#434a53',
    shade: 'rgb(0 0 0 / 0.62)',
  },
} as const

export type Scheme = keyof typeof defaultColours
export type ColourName = keyof (typeof defaultColours)['light']

/** Limits and defaults of the card, in pixels. */
export const cardWidth = { minimum: 200, maximum: 800, default: 360 } as const
export const cardRadius = { minimum: 0, maximum: 40, default: 10 } as const
export const defaultFont = 'system-ui, sans-serif'

const number = '[+-]?(?:[0-9]{1,6}(?:\\.[0-9]{1,6})?|\\.[0-9]{1,6})(?:%|deg|rad|grad|turn)?'

/** A CSS colour: `#` with its digits, or a function with three values and an opacity. */
export const colourPattern = `^(?:#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})|(?:rgba?|hsla?)\\( ?${number}(?: ?, ?${number}){2,3} ?\\)|(?:rgba?|hsla?|oklch|oklab|lab|lch)\\( ?${number}(?: ${number}){2}(?: ?/ ?${number})? ?\\))$`
export const colourMeans = 'must be a colour, such as #2457c5 or rgb(36 87 197 / 50%)'

export const fontPattern = '^[A-Za-z0-9 ,\'"_-]+$'
export const fontMeans = 'must be a list of font families, such as Inter, sans-serif'
