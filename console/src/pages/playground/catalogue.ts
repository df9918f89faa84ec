import type { paths } from '../../api/schema.generated.ts'

type ModelList = paths['/api/v1/models']['get']['responses'][200]['content']['application/json']

export type CatalogueModel = ModelList['data'][number]

/** A route, which is called by its name like a model. */
interface NamedRoute {
  readonly name: string
}

/** The server chooses the best available model. */
export const anyModel = 'auto'

/** The built-in text analysis, which is always available and no language model. */
export const builtinModel = 'builtin:text'

/** The models that generate text, including those without metadata. */
export function findWriters(models: readonly CatalogueModel[]): readonly CatalogueModel[] {
  return models.filter(({ capabilities }) => capabilities.length === 0 || capabilities.includes('completion'))
}

/**
 * The unique name of a model: its id, or `provider/id` when an earlier provider has the same id, or a route has it, which takes
 * precedence.
 */
export function nameOf(
  model: CatalogueModel,
  models: readonly CatalogueModel[],
  routes: readonly NamedRoute[] = [],
): string {
  const first = models.find(({ id }) => id === model.id)
  const isFirst = first === undefined || first.provider === model.provider
  const isRoute = routes.some(({ name }) => name === model.id)
  return isFirst && !isRoute ? model.id : `${model.provider}/${model.id}`
}

/** The model of a name; undefined when the catalogue lacks it. */
export function findNamed(name: string, models: readonly CatalogueModel[]): CatalogueModel | undefined {
  return (
    models.find(({ id }) => id === name) ?? models.find(({ id, provider }) => `${provider}/${id}` === name)
  )
}

/** The default model: one of the cluster, loaded ones first; else the best available. */
export function preselect(models: readonly CatalogueModel[], routes: readonly NamedRoute[] = []): string {
  const able = findWriters(models).filter(({ state }) => state === 'available')
  const own = able.filter(({ provider }) => provider === 'ollama')
  const chosen = own.find(({ loaded }) => loaded) ?? own[0]
  if (chosen !== undefined) return nameOf(chosen, models, routes)
  return able.some(({ provider }) => provider !== 'builtin') ? anyModel : builtinModel
}
