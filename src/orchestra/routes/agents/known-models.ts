import type { CatalogueEntry, Models } from '#models'
import type { Agent } from '../../agents/agent.ts'

/** Finds the model each agent would ask, and looks every name up once. */
export function createModelFinder({ findModel }: Pick<Models, 'findModel'>) {
  const found = new Map<string, Promise<CatalogueEntry | undefined>>()
  return ({ definition }: Agent): Promise<CatalogueEntry | undefined> => {
    if (definition.prompt === undefined) return Promise.resolve(undefined)
    const name = definition.ai_options?.model ?? 'auto'
    const known = found.get(name) ?? findModel(name)
    found.set(name, known)
    return known
  }
}
