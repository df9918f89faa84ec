import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { noTargeting } from '../targeting/targeting.ts'
import { renumberTips } from '../tour.ts'
import { anyTour, runsOf, trickyTours } from './arbitrary-tour.ts'
import { buildRecipe } from './build/build-recipe.ts'
import { tuttiFile } from './build/tutti-json.ts'
import { checkRecipe } from './check/check-recipe.ts'
import { toSiteHtml, toSiteLabel } from './drupal/characters.ts'
import { toSiteSelector } from './drupal/selectors.ts'
import { packRecipe, recipeFormats } from './pack-recipe.ts'
import { readImport } from './read-import.ts'
import { readContent } from './reading/recipe-content.ts'
import type { RecipeFile, RecipeTour } from './recipe-tour.ts'

const name = { name: 'A recipe', machineName: 'a_recipe', description: 'It shows people around.' }

/** The tour without the fields that the YAML cannot contain. */
function asYamlHolds({ tips, ...rest }: RecipeTour, wanted: RecipeTour): RecipeTour {
  return {
    ...rest,
    label: toSiteLabel(rest.label),
    launch: 'auto',
    targeting: noTargeting,
    routes: wanted.routes,
    tips: tips.map((tip) => ({
      ...tip,
      label: toSiteLabel(tip.label),
      body: toSiteHtml(tip.body),
      selector: toSiteSelector(tip.selector),
      route: null,
      candidates: [],
      target_text: null,
      advance: 'next',
    })),
    translations: rest.translations.map((translation) => ({
      ...translation,
      label: toSiteLabel(translation.label),
      tips: translation.tips.map((tip) => ({
        ...tip,
        label: toSiteLabel(tip.label),
        body: toSiteHtml(tip.body),
      })),
    })),
  }
}

/** The tour with every step on all of its pages, which is one tour on a site as well. */
const onAllPages = (tour: RecipeTour): RecipeTour => ({
  ...tour,
  tips: tour.tips.map((tip) => ({ ...tip, route: null })),
})

/** The first examples of every run; the others are generated. */
const examples: [RecipeTour][] = trickyTours.map((tour) => [tour])

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const without = (files: readonly RecipeFile[], path: string) => files.filter((file) => file.path !== path)
const importZip = (files: readonly RecipeFile[]) =>
  readImport(base64(packRecipe(name, files, 'zip'))).tour as RecipeTour

describe('a tour that is exported and imported', () => {
  test.each(recipeFormats)('is the same tour after a round trip as %s', (format) => {
    fc.assert(
      fc.property(anyTour, (given) => {
        const bytes = packRecipe(name, buildRecipe(name, [given]), format)
        expect(readImport(base64(bytes)).tour).toEqual(given)
      }),
      { numRuns: runsOf(50), examples },
    )
  })

  test('is the same from a recipe as plain JSON', () => {
    fc.assert(
      fc.property(anyTour, (given) => {
        const bytes = packRecipe(name, buildRecipe(name, [given]), 'json')
        expect(readImport(JSON.parse(Buffer.from(bytes).toString())).tour).toEqual(given)
      }),
      { numRuns: runsOf(20), examples },
    )
  })

  test('keeps all fields of its YAML without tutti.tour.json', () => {
    fc.assert(
      fc.property(anyTour, (given) => {
        const read = importZip(without(buildRecipe(name, [onAllPages(given)]), tuttiFile))
        expect(read).toEqual(asYamlHolds(given, read))
        const names = read.routes.map(({ route_name }) => route_name)
        expect(new Set(names).size).toBe(names.length)
      }),
      { numRuns: runsOf(50), examples },
    )
  })

  test('is a recipe without errors', () => {
    fc.assert(
      fc.property(anyTour, (given) => {
        const findings = checkRecipe(readContent(buildRecipe(name, [given])))
        expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
      }),
      { numRuns: runsOf(50), examples },
    )
  })

  test('is packed to the same bytes each time, and to others after any change', () => {
    fc.assert(
      fc.property(anyTour, (given) => {
        for (const format of recipeFormats) {
          const bytes = packRecipe(name, buildRecipe(name, [given]), format)
          expect(packRecipe(name, buildRecipe(name, [structuredClone(given)]), format)).toEqual(bytes)
          expect(
            packRecipe(name, buildRecipe(name, [{ ...given, label: `${given.label}!` }]), format),
          ).not.toEqual(bytes)
        }
      }),
      { numRuns: runsOf(16), examples },
    )
  })
})

describe('a YAML that was edited after the export', () => {
  const given: RecipeTour = {
    id: 'welcome',
    label: 'Welcome',
    status: true,
    launch: 'invite',
    langcode: 'de',
    translations: [],
    targeting: { ...noTargeting, frequency: 'always' },
    routes: [{ route_name: '/admin/content' }, { route_name: '/users/*' }],
    tips: renumberTips([
      {
        id: 'one',
        label: 'One',
        body: '<p>1</p>',
        selector: '#one',
        location: 'top',
        position: null,
        weight: 0,
        route: '/users/*',
        candidates: ['.one'],
        target_text: 'One',
        advance: 'next',
      },
      {
        id: 'two',
        label: 'Two',
        body: '<p>2</p>',
        selector: '#two',
        location: 'left',
        position: null,
        weight: 0,
        route: '/admin/content',
        candidates: ['.two'],
        target_text: 'Two',
        advance: 'next',
      },
    ]),
  }
  const edited = (edit: (yaml: string) => string) =>
    importZip(
      buildRecipe(name, [given]).map((file) =>
        file.path.startsWith('config/')
          ? { ...file, content: Buffer.from(edit(Buffer.from(file.content).toString())) }
          : file,
      ),
    )

  test('takes precedence, and fields of tutti.tour.json that still fit are kept', () => {
    expect(edited((yaml) => yaml.replace("'Two'", "'Second'").replace("'#one'", "'#first'"))).toEqual({
      ...given,
      tips: [
        { ...given.tips[0], selector: '#first', candidates: [], target_text: null },
        { ...given.tips[1], label: 'Second' },
      ],
    })
  })

  test('moves the steps of a page whose route was changed', () => {
    const { routes, tips } = edited((yaml) => yaml.replace('system.admin_content', 'system.admin'))
    expect(routes).toEqual([{ route_name: 'system.admin' }, { route_name: '/users/*' }])
    expect(tips.map(({ route }) => route)).toEqual(['/users/*', 'system.admin'])
  })
})
