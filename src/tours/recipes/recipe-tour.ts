import type { Tour } from '../tour.ts'

/** What of a tour travels in a recipe: everything but the books this platform keeps about it. */
export type RecipeTour = Pick<Tour, 'id' | 'label' | 'status' | 'launch' | 'routes' | 'tips'>

/** What a recipe is called besides its tours. */
export interface RecipeName {
  readonly name: string
  readonly machineName: string
  readonly description: string
}

/** A file of a recipe; its path begins below the recipe's folder. */
export interface RecipeFile {
  readonly path: string
  readonly content: Uint8Array
}

export function toRecipeTour({ id, label, status, launch, routes, tips }: Tour): RecipeTour {
  return { id, label, status, launch, routes, tips }
}
