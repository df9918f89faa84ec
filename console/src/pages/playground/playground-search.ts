import { readText } from '../../parts/read-search.ts'

/** The search parameters of the Playground: the model. */
export interface PlaygroundSearch {
  model?: string
}

/** Reads the address; what makes no sense is left out. */
export function readPlaygroundSearch({ model }: Record<string, unknown>): PlaygroundSearch {
  const name = readText(model)?.slice(0, 512)
  return name === undefined ? {} : { model: name }
}
