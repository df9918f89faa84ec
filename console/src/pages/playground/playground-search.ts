import { readText } from '../../parts/read-search.ts'

/** What of the Playground lives in its address: the model. */
export interface PlaygroundSearch {
  model?: string
}

/** Reads the address; what makes no sense is left out. */
export function readPlaygroundSearch({ model }: Record<string, unknown>): PlaygroundSearch {
  const name = readText(model)?.slice(0, 512)
  return name === undefined ? {} : { model: name }
}
