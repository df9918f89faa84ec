import { keepTranslations } from '../../content/read-translations.ts'
import type { Tip, Translation } from '../../tour.ts'
import { toSiteHtml, toSiteLabel } from '../drupal/characters.ts'
import { textIn, type YamlMap } from '../yaml/read-yaml.ts'
import type { TranslationFile } from './recipe-content.ts'

interface TranslationOptions {
  /** The steps of the tour. */
  readonly tips: readonly Tip[]
  /** The translations before the export; their texts are restored where the YAML still has what the export wrote. */
  readonly before: readonly Translation[]
}

/** Joins the translation files of a tour, whose pages may have a file each. */
export function readTranslations(
  files: readonly TranslationFile[],
  { tips, before }: TranslationOptions,
): Translation[] {
  const languages = [...Map.groupBy(files, ({ langcode }) => langcode)].toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  )
  const translations = languages.map(([langcode, parts]) => {
    const original = before.find((one) => one.langcode === langcode)
    const maps = parts.flatMap(({ value }) => (value instanceof Map ? [value as YamlMap] : []))
    const label = maps.map((map) => textIn(map, 'label')).find((text) => text !== '') ?? ''
    return {
      langcode,
      label: restore(label, original?.label, toSiteLabel),
      tips: maps.flatMap(tipsOf).map(([id, tip]) => {
        const texts = original?.tips.find((one) => one.id === id)
        return {
          id,
          label: restore(textIn(tip, 'label'), texts?.label, toSiteLabel),
          body: restore(textIn(tip, 'body'), texts?.body, toSiteHtml),
        }
      }),
    }
  })
  return keepTranslations({ translations, tips })
}

function tipsOf(translation: YamlMap): [string, YamlMap][] {
  const tips = translation.get('tips')
  return tips instanceof Map
    ? [...tips].flatMap(([id, tip]): [string, YamlMap][] => (tip instanceof Map ? [[String(id), tip]] : []))
    : []
}

function restore(text: string, before: string | undefined, toSite: (text: string) => string): string {
  return before !== undefined && toSite(before) === text ? before : text
}
