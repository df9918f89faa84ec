import type { Database } from '#kernel/database'
import { type Executor, runStatement } from '#kernel/work'
import type { Actor } from '../../actor.ts'
import { uniqueName } from '../../content/machine-name.ts'
import { toursFailure } from '../../errors.ts'
import type { RecipeTour } from '../recipe-tour.ts'

/** A stored recipe, with its tours as of their last export. */
export interface StoredRecipe {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly tours: Readonly<Record<string, RecipeTour>>
  readonly revision: number
  readonly created_at: Date
  readonly updated_at: Date
  readonly updated_by_name: string | null
}

const columns = 'id, name, description, tours, revision, created_at, updated_at, updated_by_name'

export function noSuchRecipe(id: string) {
  return toursFailure('recipe_not_found', {
    message: `There is no recipe "${id}".`,
    problems: [{ path: 'recipe', message: 'does not exist', code: 'not_found' }],
  })
}

export async function findRecipe(executor: Executor, id: string): Promise<StoredRecipe | undefined> {
  const [row] = await runStatement<StoredRecipe>(
    executor,
    `select ${columns} from tour_recipes where id = $1`,
    [id],
  )
  return row
}

/** Lists recipes, oldest first. */
export async function listRecipes(
  database: Pick<Database, 'query'>,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ recipes: StoredRecipe[]; total: number }> {
  const [recipes, counted] = await Promise.all([
    database.query<StoredRecipe>(
      `select ${columns} from tour_recipes order by created_at, id limit $1 offset $2`,
      [limit, offset],
    ),
    database.query<{ total: number }>('select count(*) as total from tour_recipes', []),
  ])
  return { recipes, total: counted[0]?.total ?? 0 }
}

export interface NewRecipe {
  readonly name: string
  readonly description: string
  readonly tour: RecipeTour
  readonly by: Actor
}

/** Inserts a recipe with one tour. A `preferredId` that exists gets a number. */
export async function insertRecipe(
  executor: Executor,
  preferredId: string,
  { name, description, tour, by }: NewRecipe,
): Promise<StoredRecipe> {
  // Serialises concurrent insertions, so that two recipes with the same name get different ids.
  await runStatement(executor, `select pg_advisory_xact_lock(hashtext('tour_recipes'), 1)`, [])
  const taken = await runStatement<{ id: string }>(executor, 'select id from tour_recipes', [])
  const ids = new Set(taken.map(({ id }) => id))
  const [row] = await runStatement<StoredRecipe>(
    executor,
    `
      insert into tour_recipes (id, name, description, tours, created_by, updated_by_name)
      values ($1, $2, $3, jsonb_build_object($4::text, $5::jsonb), $6, $7)
      returning ${columns}
    `,
    [
      uniqueName(preferredId, (id) => ids.has(id)),
      name,
      description,
      tour.id,
      JSON.stringify(tour),
      by.accountId,
      by.username,
    ],
  )
  if (row === undefined) throw new Error('the inserted recipe was not returned')
  return row
}

/** Undefined fields stay unchanged. */
interface ChangedRecipe extends Pick<NewRecipe, 'tour' | 'by'> {
  readonly name: string | undefined
  readonly description: string | undefined
}

/** Writes the current tour into its recipe and removes tours that are no longer linked to it. Undefined: no such recipe. */
export async function updateRecipe(
  executor: Executor,
  id: string,
  { name, description, tour, by }: ChangedRecipe,
): Promise<StoredRecipe | undefined> {
  const [row] = await runStatement<StoredRecipe>(
    executor,
    `
      update tour_recipes
      set name = coalesce($2, name), description = coalesce($3, description), revision = revision + 1,
        updated_at = now(), updated_by_name = $6,
        tours = (
          select coalesce(jsonb_object_agg(key, value), '{}')
          from jsonb_each(tour_recipes.tours)
          where key in (select tours.id from tours where tours.recipe_id = $1)
        ) || jsonb_build_object($4::text, $5::jsonb)
      where id = $1
      returning ${columns}
    `,
    [id, name ?? null, description ?? null, tour.id, JSON.stringify(tour), by.username],
  )
  return row
}

/** Deletes a recipe; its tours stay, without a linked recipe. Throws `recipe_not_found`. */
export async function deleteRecipe(
  database: Pick<Database, 'transaction'>,
  id: string,
): Promise<StoredRecipe> {
  return await database.transaction(async (transaction) => {
    // Locks tours before their recipe, in the same order as an export: another order could deadlock.
    await runStatement(transaction, 'select from tours where recipe_id = $1 order by id for no key update', [
      id,
    ])
    const [row] = await runStatement<StoredRecipe>(
      transaction,
      `delete from tour_recipes where id = $1 returning ${columns}`,
      [id],
    )
    if (row === undefined) throw noSuchRecipe(id)
    return row
  })
}
