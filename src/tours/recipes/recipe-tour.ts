import { completeTip } from '../store/read-tours.ts'
import { noTargeting } from '../targeting/targeting.ts'
import { defaultLangcode, type Tour } from '../tour.ts'

/** The fields of a tour that a recipe contains. */
export type RecipeTour = Pick<
  Tour,
  'id' | 'label' | 'status' | 'launch' | 'langcode' | 'translations' | 'routes' | 'tips' | 'targeting'
>

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

export function toRecipeTour(tour: Tour): RecipeTour {
  const { id, label, status, launch, langcode, translations, routes, tips, targeting } = tour
  return { id, label, status, launch, langcode, translations, routes, tips, targeting }
}

/** Adds the fields that a tour stored by an earlier release does not have. */
export function completeRecipeTour(tour: RecipeTour): RecipeTour {
  return {
    ...tour,
    langcode: tour.langcode ?? defaultLangcode,
    translations: tour.translations ?? [],
    targeting: tour.targeting ?? noTargeting,
    tips: tour.tips.map(completeTip),
  }
}
