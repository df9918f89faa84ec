import { type Executor, runStatement } from '#kernel/work'
import { unprocessable } from '../errors.ts'

/** Throws 422 when the recipe does not exist. Locks it until the commit. */
export async function requireRecipe(executor: Executor, recipeId: string | null): Promise<void> {
  if (recipeId === null) return
  const rows = await runStatement(executor, 'select from tour_recipes where id = $1 for key share', [
    recipeId,
  ])
  if (rows.length > 0) return
  throw unprocessable({
    path: 'recipe_id',
    message: `must be the id of a recipe; "${recipeId}" does not exist`,
    code: 'unknown',
  })
}
