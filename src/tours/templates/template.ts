import { noFindings, refuseFindings } from '../content/findings.ts'
import { readRoutes } from '../content/read-routes.ts'
import { type GivenListedTip, readTips } from '../content/read-tips.ts'
import type { Route, Tip } from '../tour.ts'

/** What a tour can begin with. */
export interface TourTemplate {
  readonly id: string
  readonly label: string
  readonly description: string
  readonly routes: Route[]
  readonly tips: Tip[]
}

interface Written extends Omit<TourTemplate, 'routes' | 'tips'> {
  readonly routes: readonly string[]
  readonly steps: readonly GivenListedTip[]
}

/** Reads a template as any tour is read, so that nothing in it could not be saved. */
export function defineTemplate({ id, label, description, routes: names, steps }: Written): TourTemplate {
  const found = noFindings()
  const routes = readRoutes(
    names.map((name) => ({ route_name: name })),
    'routes',
    found,
  )
  const tips = readTips(steps, { routes, path: 'tips', found })
  refuseFindings(found)
  return { id, label, description, routes, tips }
}
