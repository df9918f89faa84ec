import { noProblems, throwProblems } from '../content/problems.ts'
import { readRoutes } from '../content/read-routes.ts'
import { type ListedTipInput, readTips } from '../content/read-tips.ts'
import type { Route, Tip } from '../tour.ts'

/** A template that a tour can be created from. */
export interface TourTemplate {
  readonly id: string
  readonly label: string
  readonly description: string
  readonly routes: Route[]
  readonly tips: Tip[]
}

export interface TemplateDefinition extends Omit<TourTemplate, 'routes' | 'tips'> {
  readonly routes: readonly string[]
  readonly steps: readonly ListedTipInput[]
}

/** Validates a template with the rules of tours, so that every template can be saved as a tour. */
export function readTemplate({
  id,
  label,
  description,
  routes: names,
  steps,
}: TemplateDefinition): TourTemplate {
  const found = noProblems()
  const routes = readRoutes(
    names.map((name) => ({ route_name: name })),
    'routes',
    found,
  )
  const tips = readTips(steps, { routes, path: 'tips', found })
  throwProblems(found)
  return { id, label, description, routes, tips }
}
