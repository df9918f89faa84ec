import { englishTexts, isRightToLeft, type TextKey } from '../../src/tours/player/texts.ts'
import type { PlayerOfPage } from './protocol.ts'

export interface Appearance {
  readonly set: (player: PlayerOfPage) => void
  /** A text in the language of the page. */
  readonly say: (key: TextKey, values?: Readonly<Record<string, string | number>>) => string
  /** Sets language, direction and theme on the element of the player. */
  applyTo(host: HTMLElement): void
  readonly hasArrow: () => boolean
  /** The origins whose images and videos are shown. */
  readonly mediaOrigins: () => readonly string[]
}

/** Until the platform has answered: English, with the default theme. */
export function createAppearance(): Appearance {
  let player: PlayerOfPage = { language: 'en', texts: {}, theme: {}, media_origins: [] }
  return {
    set(given) {
      player = given
    },
    say: (key, values = {}) =>
      (player.texts[key] ?? englishTexts[key]).replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        String(values[name] ?? ''),
      ),
    applyTo(host) {
      host.lang = player.language
      host.dir = isRightToLeft(player.language) ? 'rtl' : getComputedStyle(document.documentElement).direction
      const { light, dark, font, width, radius } = player.theme
      const set = (name: string, value: string | undefined) => {
        if (value !== undefined) host.style.setProperty(`--${name.replaceAll('_', '-')}`, value)
      }
      for (const [scheme, colours] of Object.entries({ light, dark }))
        for (const [name, value] of Object.entries(colours ?? {})) set(`${scheme}-${name}`, value)
      set('site-font', font)
      set('site-width', width === undefined ? undefined : `${width}px`)
      set('site-radius', radius === undefined ? undefined : `${radius}px`)
    },
    hasArrow: () => player.theme.arrow !== false,
    mediaOrigins: () => [window.location.origin, ...player.media_origins],
  }
}
