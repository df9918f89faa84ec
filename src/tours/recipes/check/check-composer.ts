import type { ReadFile } from '../reading/recipe-content.ts'
import { createFinder } from './finder.ts'
import type { Finding } from './findings.ts'

const packageName = /^[a-z0-9](?:[_.-]?[a-z0-9]+)*\/[a-z0-9](?:(?:[_.]|-{1,2})?[a-z0-9]+)*$/

/** What Composer is told about the recipe. */
export function checkComposer(file: ReadFile, findings: Finding[]): void {
  const finder = createFinder(file, findings)
  const { value } = file
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return finder.error([], 'type', 'This must be a JSON object.')
  }
  const { name, type, require: required } = value as Readonly<Record<string, unknown>>
  if (typeof name !== 'string' || name.length > 255 || !packageName.test(name)) {
    finder.error(['name'], 'pattern', 'This must be a name such as example/welcome_tour, in lower case.')
  }
  if (type !== 'drupal-recipe') {
    finder.error(
      ['type'],
      'type',
      'This must be drupal-recipe, or Composer puts the recipe where no site looks for it.',
    )
  }
  const needs =
    typeof required === 'object' && required !== null ? (required as Readonly<Record<string, unknown>>) : {}
  if (needs['drupal/tour'] === undefined) {
    finder.error(
      ['require', 'drupal/tour'],
      'required',
      'This must name "drupal/tour": it is not part of Drupal any more.',
    )
  }
  if (needs['drupal/core'] === undefined && needs['drupal/core-recommended'] === undefined) {
    finder.warning(
      ['require', 'drupal/core'],
      'required',
      'This should say "^10.4 || ^11.1": older releases refuse "config.strict".',
    )
  }
}
