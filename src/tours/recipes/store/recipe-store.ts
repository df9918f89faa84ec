import type { Database } from '#kernel/database'
import { type Executor, runStatement } from '#kernel/work'
import type { Actor } from '../../actor.ts'
import { uniqueName } from '../../content/machine-name.ts'
import { toursFailure } from '../../errors.ts'
import type { RecipeTour } from '../recipe-tour.ts'

/** A recipe that tours are exported to, with the tours as they were then. */
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
    problems: [{ path: 'recipe', message: 'names no recipe', code: 'not_found' }],
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

/** Recipes, the oldest first. */
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

/** Adds a recipe with one tour. `like` gets a number when it is taken. */
export async function insertRecipe(
  executor: Executor,
  like: string,
  { name, description, tour, by }: NewRecipe,
): Promise<StoredRecipe> {
  // Whoever adds one of the same name at the same time waits here, and then sees this one.
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
      uniqueName(like, (id) => ids.has(id)),
      name,
      description,
      tour.id,
      JSON.stringify(tour),
      by.accountId,
      by.username,
    ],
  )
  if (row === undefined) throw new Error('a recipe that was added is not there')
  return row
}

/** What is undefined stays as it is. */
interface ChangedRecipe extends Pick<NewRecipe, 'tour' | 'by'> {
  readonly name: string | undefined
  readonly description: string | undefined
}

/** Puts a tour into its recipe as it is now. Tours that belong to the recipe no more leave it. Undefined: no such recipe. */
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

/** Tours that are linked to it stay, and are linked to nothing. */
export async function deleteRecipe(
  database: Pick<Database, 'transaction'>,
  id: string,
): Promise<StoredRecipe> {
  return await database.transaction(async (transaction) => {
    // Tours before their recipe, as an export locks them: the other way round, the two would wait for each other.
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
