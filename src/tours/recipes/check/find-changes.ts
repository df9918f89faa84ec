import { planSiteTours, type SiteTour } from '../build/plan-site-tours.ts'
import { tourFileOf, translationFileOf } from '../build/tour-yml.ts'
import { refusedCharacters, toSiteLabel, toSiteText } from '../drupal/characters.ts'
import type { RecipeName, RecipeTour } from '../recipe-tour.ts'
import type { Finding } from './findings.ts'

/** Finds what an export changes so that a Drupal site accepts the tours and shows them as intended. */
export function findChanges(name: RecipeName, tours: readonly RecipeTour[]): Finding[] {
  return [
    ...findNameChanges(name),
    ...planSiteTours(tours).flatMap(({ tour, siteTours }) => [
      ...siteTours.flatMap((siteTour) => [
        ...findTextChanges(tour, siteTour),
        ...findTranslationChanges(tour, siteTour),
      ]),
      ...describeSplit(tour, siteTours),
      ...describeTargeting(tour),
    ]),
    {
      severity: 'note',
      code: 'applied_again',
      file: 'recipe.yml',
      path: '',
      line: null,
      message: `A site that already has the tour keeps it when the recipe is applied again. To update it: drush config:import --partial --source=../recipes/${name.machineName}/config`,
    },
  ]
}

function findNameChanges({ name, description }: RecipeName): Finding[] {
  return [
    ...describeRemoved('recipe.yml', 'name', { before: name, after: toSiteLabel(name) }),
    ...describeRemoved('recipe.yml', 'description', { before: description, after: toSiteText(description) }),
  ]
}

function findTextChanges(tour: RecipeTour, siteTour: SiteTour): Finding[] {
  const file = tourFileOf(siteTour.id)
  return [
    ...describeRemoved(file, 'label', { before: tour.label, after: siteTour.label }),
    ...siteTour.tips.flatMap(({ id, label, body, selector }) => {
      const tip = tour.tips.find((one) => one.id === id)
      if (tip === undefined) return []
      const codes = refusedCharacters(tip.body, 'text')
      return [
        ...describeRemoved(file, `tips.${id}.label`, { before: tip.label, after: label }),
        ...(tip.selector === selector
          ? []
          : [
              finding('warning', 'selector_shortened', {
                file,
                path: `tips.${id}.selector`,
                message: `The element is inside a shadow root or a frame, where a site looks for none. The step points to what contains it: ${selector}`,
              }),
            ]),
        ...(tip.body === body
          ? []
          : [
              finding('note', 'characters_encoded', {
                file,
                path: `tips.${id}.body`,
                message: `The site refuses ${codes.join(', ')} as characters, so the export writes them as HTML entities. Visitors see no difference.`,
              }),
            ]),
      ]
    }),
  ]
}

function findTranslationChanges(tour: RecipeTour, siteTour: SiteTour): Finding[] {
  return siteTour.translations.flatMap(({ langcode, label, tips }) => {
    const file = translationFileOf(siteTour.id, langcode)
    const before = tour.translations.find((one) => one.langcode === langcode)
    return [
      ...describeRemoved(file, 'label', { before: before?.label ?? label, after: label }),
      ...tips.flatMap((tip) =>
        describeRemoved(file, `tips.${tip.id}.label`, {
          before: before?.tips.find(({ id }) => id === tip.id)?.label ?? tip.label,
          after: tip.label,
        }),
      ),
      finding('warning', 'translation_not_installed', {
        file,
        path: '',
        message: `Drupal installs no translations with a recipe. A site that has the language ${langcode} imports this one from its sync directory; the README of the recipe has the steps.`,
      }),
    ]
  })
}

function describeRemoved(
  file: string,
  path: string,
  { before, after }: { readonly before: string; readonly after: string },
): Finding[] {
  if (before === after) return []
  const codes = refusedCharacters(before, 'label').join(', ')
  const message = `The site refuses ${codes} in this text, so the export removes or replaces them: “${after}”.`
  return [finding('warning', 'characters_replaced', { file, path, message })]
}

function describeSplit({ id }: RecipeTour, siteTours: readonly SiteTour[]): Finding[] {
  if (siteTours.length < 2) return []
  const ids = siteTours.map((siteTour) => siteTour.id).join(', ')
  const message = `The steps are on ${siteTours.length} pages, and a site shows all steps of a tour on each of its pages. The recipe has one tour per page: ${ids}.`
  return [finding('note', 'one_tour_per_page', { file: tourFileOf(id), path: 'routes', message })]
}

/** A site shows a tour to everybody who may see tours and opens it: Drupal has no fields for targeting. */
function describeTargeting({ id, targeting }: RecipeTour): Finding[] {
  const { conditions, starts_at, ends_at, frequency, days } = targeting
  const often = frequency === 'always' ? 'at each visit' : `every ${days === 1 ? 'day' : `${days} days`}`
  const lost: [path: string, text: string][] = [
    ...conditions.map(({ attribute, operator, values }, index): [string, string] => [
      `targeting.conditions[${index}]`,
      `the condition that ${attribute} is ${operator === 'is' ? 'one' : 'none'} of ${values.join(', ')}`,
    ]),
    ...(starts_at === null ? [] : [['targeting.starts_at', `the start on ${starts_at}`] as [string, string]]),
    ...(ends_at === null ? [] : [['targeting.ends_at', `the end on ${ends_at}`] as [string, string]]),
    ...(frequency === 'once'
      ? []
      : [['targeting.frequency', `that it is offered ${often}`] as [string, string]]),
  ]
  return lost.map(([path, text]) =>
    finding('warning', 'targeting_lost', {
      file: tourFileOf(id),
      path,
      message: `A site cannot express ${text}: there, every visitor who may see tours can open the tour. An import into Tutti restores it.`,
    }),
  )
}

function finding(
  severity: Finding['severity'],
  code: string,
  rest: Pick<Finding, 'file' | 'path' | 'message'>,
): Finding {
  return { severity, code, line: null, ...rest }
}
