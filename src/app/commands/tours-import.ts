import { UserMistake } from '#kernel/errors'
import type { PlatformOptions } from './find-platform.ts'
import { oneLine } from './run/printable.ts'
import { connectToTours } from './tours-api.ts'
import { nameOf, openRecipeAt } from './tours-file.ts'

interface ImportOptions extends PlatformOptions {
  readonly id?: string
}

/** `tutti tours import`: makes tours of those in a recipe, as drafts. */
export async function importRecipe(place: string, { id, ...platform }: ImportOptions): Promise<void> {
  const { findings, tours } = await openRecipeAt(place)
  if (tours.length === 0) {
    const [first] = findings
    const why = first === undefined ? '' : ` ${first.file}: ${first.message}`
    throw new UserMistake(`${nameOf(place)} has no tour that can be read.${why}`)
  }
  if (id !== undefined && tours.length > 1) {
    throw new UserMistake(`${nameOf(place)} has ${tours.length} tours, so that --id cannot name them all.`)
  }
  const api = await connectToTours(platform)
  for (const tour of tours) {
    const answer = await api.post('', { creation_method: 'import', tour, ...(id !== undefined && { id }) })
    const { tour: made } = (await answer.json()) as {
      tour: { id: string; label: string; tips: readonly unknown[] }
    }
    const renamed = made.id === (id ?? tour.id) ? '' : ` (${tour.id} is taken)`
    console.log(
      `${made.id} is imported as a draft with ${made.tips.length} steps: ${oneLine(made.label)}${renamed}`,
    )
  }
}
