import { type Static, Type } from 'typebox'
import type { Problem } from '#kernel/errors'
import { type TextKey, textBound, textKeys, unknownPlaceholder } from '../player/texts.ts'
import {
  cardRadius,
  cardWidth,
  colourMeans,
  colourPattern,
  defaultFont,
  fontMeans,
  fontPattern,
} from '../player/theme.ts'
import { bounds, langcodeMeans, langcodePattern } from '../tour.ts'
import { readOrigin } from './read-origin.ts'

const settingBounds = { mediaOrigins: 20, font: 200 } as const

const closed = { additionalProperties: false }

const Colour = (description: string) =>
  Type.Optional(Type.String({ maxLength: 80, pattern: colourPattern, 'x-means': colourMeans, description }))

const Colours = Type.Object(
  {
    accent: Colour('Outline of the element, primary button, links.'),
    on_accent: Colour('Text on the primary button.'),
    surface: Colour('Background of the card.'),
    text: Colour('Text of the card.'),
    line: Colour('Borders.'),
    shade: Colour('What covers the page.'),
  },
  closed,
)

export const Theme = Type.Object(
  {
    light: Type.Optional(Colours),
    dark: Type.Optional(Colours),
    font: Type.Optional(
      Type.String({
        maxLength: settingBounds.font,
        pattern: fontPattern,
        'x-means': fontMeans,
        description: `Font families of the card. Default: ${defaultFont}.`,
      }),
    ),
    width: Type.Optional(
      Type.Integer({
        minimum: cardWidth.minimum,
        maximum: cardWidth.maximum,
        description: `Width of the card in pixels. Default: ${cardWidth.default}.`,
      }),
    ),
    radius: Type.Optional(
      Type.Integer({
        minimum: cardRadius.minimum,
        maximum: cardRadius.maximum,
        description: `Radius of the corners in pixels. Default: ${cardRadius.default}.`,
      }),
    ),
    arrow: Type.Optional(
      Type.Boolean({ description: 'Whether the card has an arrow to its element. Default: true.' }),
    ),
  },
  { ...closed, description: 'Custom properties of the page (`--tutti-tour-…`) take precedence.' },
)

const Texts = Type.Array(
  Type.Object(
    {
      langcode: Type.String({
        pattern: langcodePattern,
        'x-means': langcodeMeans,
        description: 'Language of the texts.',
      }),
      texts: Type.Unsafe<Readonly<Partial<Record<TextKey, string>>>>({
        type: 'object',
        properties: Object.fromEntries(
          textKeys.map((key) => [key, { type: 'string', minLength: 1, maxLength: textBound }]),
        ),
        additionalProperties: false,
      }),
    },
    closed,
  ),
  { maxItems: bounds.translations },
)

export const PlayerSettings = Type.Object(
  {
    theme: Type.Optional(Theme),
    texts: Type.Optional(Texts),
    media_origins: Type.Optional(
      Type.Array(Type.String({ maxLength: 255 }), {
        maxItems: settingBounds.mediaOrigins,
      }),
    ),
  },
  {
    ...closed,
    description:
      'How the player looks and speaks on the pages of the site. `texts` replace those of the player in a language. Images and videos of steps are shown from the site itself, its environments and `media_origins`, such as `https://cdn.example`.',
  },
)
export type PlayerSettings = Static<typeof PlayerSettings>

/** Validates what the schema cannot express. Adds problems to the lists. */
export function readPlayerSettings(
  given: PlayerSettings,
  found: { readonly invalid: Problem[]; readonly unprocessable: Problem[] },
): PlayerSettings {
  const origins = given.media_origins?.map((written, index) => {
    const origin = readOrigin(written)
    if (origin === undefined)
      found.invalid.push({
        path: `player.media_origins[${index}]`,
        message: 'must be scheme, host and port alone, such as https://cdn.example',
        code: 'origin',
      })
    return origin ?? ''
  })
  const languages = new Set<string>()
  for (const [index, { langcode, texts }] of (given.texts ?? []).entries()) {
    for (const key of textKeys) {
      const placeholder = unknownPlaceholder(key, texts[key] ?? '')
      if (placeholder === undefined) continue
      const path = `player.texts[${index}].texts.${key}`
      found.invalid.push({ path, message: `must not contain ${placeholder}`, code: 'placeholder' })
    }
    if (languages.has(langcode)) {
      const path = `player.texts[${index}].langcode`
      found.unprocessable.push({ path, message: `repeats "${langcode}"`, code: 'duplicate' })
    }
    languages.add(langcode)
  }
  return { ...given, ...(origins !== undefined && { media_origins: [...new Set(origins)] }) }
}
