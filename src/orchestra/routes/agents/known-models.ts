import { criteria } from '#executions-api'
import type { CatalogueEntry, Models } from '#models'
import type { Agent } from '../../agents/agent.ts'

/** Finds the model each agent would use, and looks every name up once. */
export function createModelFinder({ findModel }: Pick<Models, 'findModel'>) {
  const find = criteria.rememberLookups((name) => findModel(name))
  return async ({ definition }: Agent): Promise<CatalogueEntry | undefined> =>
    definition.prompt === undefined ? undefined : await find(definition.ai_options?.model ?? 'auto')
}
