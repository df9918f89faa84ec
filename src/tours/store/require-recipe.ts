import { type Executor, runStatement } from '#kernel/work'
import { wrongHere } from '../errors.ts'

/** Throws unless a tour may be linked to the recipe. */
export async function requireRecipe(executor: Executor, recipeId: string | null): Promise<void> {
  if (recipeId === null) return
  const rows = await runStatement(executor, 'select from tour_recipes where id = $1 for key share', [
    recipeId,
  ])
  if (rows.length > 0) return
  throw wrongHere({ path: 'recipe_id', message: `names no recipe: "${recipeId}"`, code: 'unknown' })
}
