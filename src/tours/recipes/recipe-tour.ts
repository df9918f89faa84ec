import type { Tour } from '../tour.ts'

/** The fields of a tour that a recipe contains. */
export type RecipeTour = Pick<Tour, 'id' | 'label' | 'status' | 'launch' | 'routes' | 'tips'>

/** The names and the description of a recipe. */
export interface RecipeName {
  readonly name: string
  readonly machineName: string
  readonly description: string
}

/** A file of a recipe; its path is relative to the recipe's folder. */
export interface RecipeFile {
  readonly path: string
  readonly content: Uint8Array
}

export function toRecipeTour({ id, label, status, launch, routes, tips }: Tour): RecipeTour {
  return { id, label, status, launch, routes, tips }
}
