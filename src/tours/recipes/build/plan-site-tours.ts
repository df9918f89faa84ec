import { machineName, uniqueName } from '../../content/machine-name.ts'
import { keepTranslations } from '../../content/read-translations.ts'
import { bounds, type Tip, type Translation } from '../../tour.ts'
import { toSiteHtml, toSiteLabel } from '../drupal/characters.ts'
import { toRouteName } from '../drupal/routes.ts'
import { toSiteSelector } from '../drupal/selectors.ts'
import type { RecipeTour } from '../recipe-tour.ts'

/** A tour as a Drupal site gets it. Labels and bodies contain only characters that the site accepts. */
export interface SiteTour {
  readonly id: string
  readonly label: string
  readonly status: boolean
  readonly langcode: string
  readonly routes: readonly SiteRoute[]
  readonly tips: readonly Tip[]
  /** With the texts of these steps only. */
  readonly translations: readonly Translation[]
}

interface SiteRoute {
  readonly route_name: string
  readonly route_params?: Readonly<Record<string, string>>
}

/** A tour, and the tours of the site that it becomes. */
export interface PlannedTour {
  readonly tour: RecipeTour
  readonly siteTours: readonly SiteTour[]
}

/**
 * Plans the tours of the site. Drupal shows every step of a tour on each of its routes:
 *
 * | the tour                                       | becomes                                                              |
 * |------------------------------------------------|----------------------------------------------------------------------|
 * | has one route, or no step with a route         | one tour                                                             |
 * | has steps of single routes, and several routes | one tour per route with its steps; the first keeps the id            |
 *
 * A route on which no step is shown gets no tour.
 */
export function planSiteTours(tours: readonly RecipeTour[]): PlannedTour[] {
  const taken = new Set(tours.map(({ id }) => id))
  return tours.map((tour) => ({ tour, siteTours: splitByRoute(tour, taken) }))
}

function splitByRoute(tour: RecipeTour, taken: Set<string>): SiteTour[] {
  const names = [...new Set(tour.routes.map(({ route_name }) => toRouteName(route_name)))]
  const parts = names
    .map((name) => ({ name, tips: tour.tips.filter(({ route }) => isShownOn(route, name)) }))
    .filter(({ tips }) => tips.length > 0)
  if (names.length < 2 || parts.length === 0 || tour.tips.every(({ route }) => route === null)) {
    return [toSiteTour(tour, tour.id, routesOf(tour), tour.tips)]
  }
  return parts.map(({ name, tips }, index) => {
    const id = index === 0 ? tour.id : idOfPart(tour.id, name, taken)
    taken.add(id)
    return toSiteTour(tour, id, routesOf(tour, name), tips)
  })
}

function isShownOn(route: string | null, name: string): boolean {
  return route === null || toRouteName(route) === name
}

/** The id of a part names its page, so that it stays the same when other pages are added or removed. */
function idOfPart(id: string, routeName: string, taken: ReadonlySet<string>): string {
  const name = `${id}_${machineName(routeName, 'page')}`.slice(0, bounds.id)
  return uniqueName(name, (candidate) => taken.has(candidate))
}

/** The routes of a tour by their names on the site, without duplicates: two paths can have the same name. */
function routesOf({ routes }: RecipeTour, only?: string): SiteRoute[] {
  const found = new Map<string, SiteRoute>()
  for (const { route_name: written, route_params = [{}] } of routes) {
    const route_name = toRouteName(written)
    if (only !== undefined && route_name !== only) continue
    for (const params of route_params) {
      const route = Object.keys(params).length === 0 ? { route_name } : { route_name, route_params: params }
      found.set(JSON.stringify(route), route)
    }
  }
  return [...found.values()]
}

function toSiteTour(
  { label, status, langcode, translations }: RecipeTour,
  id: string,
  routes: SiteTour['routes'],
  tips: readonly Tip[],
): SiteTour {
  return {
    id,
    label: toSiteLabel(label),
    status,
    langcode,
    routes,
    tips: tips.map((tip) => ({ ...toSiteTexts(tip), selector: toSiteSelector(tip.selector) })),
    translations: keepTranslations({ translations, tips }).map((translation) => ({
      ...translation,
      label: toSiteLabel(translation.label),
      tips: translation.tips.map((tip) => toSiteTexts(tip)),
    })),
  }
}

function toSiteTexts<Texts extends Pick<Tip, 'label' | 'body'>>(texts: Texts): Texts {
  return { ...texts, label: toSiteLabel(texts.label), body: toSiteHtml(texts.body) }
}
