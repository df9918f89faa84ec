import { isStandardLanguage } from '../drupal/languages.ts'
import type { TourFile, TranslationFile } from '../reading/recipe-content.ts'
import { checkLine, strayKeys } from './check-text.ts'
import { checkBody } from './check-tip.ts'
import { createFindingReporter, type Finding } from './findings.ts'

/** Checks the texts of a tour in another language. */
export function checkTranslation(
  file: TranslationFile,
  tours: readonly TourFile[],
  findings: Finding[],
): void {
  const report = createFindingReporter(file, findings)
  const { value } = file
  if (!isStandardLanguage(file.langcode))
    report.warning(
      [],
      'unknown_language',
      `"${file.langcode}" is not a language that every site knows; a site without it ignores the translation. Drupal has pt-br and pt-pt, zh-hans and zh-hant, nb and nn.`,
    )
  if (!(value instanceof Map)) return report.error([], 'type', 'A translation must be a map.')
  for (const key of strayKeys(value, ['label', 'tips']))
    report.warning([key], 'unknown_key', `"${key}" is not a text of a tour.`)
  if (value.has('label')) checkLine(value.get('label'), ['label'], report)
  const tour = tours.find(({ id }) => id === file.id)?.value
  if (tour === undefined)
    report.warning([], 'no_tour', `The files contain no tour ${file.id} that this could translate.`)
  const known: unknown = tour instanceof Map ? tour.get('tips') : undefined
  const tips: unknown = value.get('tips')
  for (const [key, tip] of tips instanceof Map ? (tips as ReadonlyMap<unknown, unknown>) : []) {
    const path = ['tips', String(key)]
    if (known instanceof Map && ![...known.keys()].map(String).includes(String(key)))
      report.warning(path, 'unknown_step', 'The tour has no such step.')
    if (!(tip instanceof Map)) report.error(path, 'type', 'A step must be a map.')
    else {
      if (tip.has('label')) checkLine(tip.get('label'), [...path, 'label'], report)
      if (tip.has('body')) checkBody(tip.get('body'), [...path, 'body'], report)
    }
  }
}
