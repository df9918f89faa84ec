import { Type } from 'typebox'
import { type HttpServer, offsetOf, pageQuery } from '#kernel/http'
import type { ToursOptions } from '../../route-options.ts'
import { may } from '../../routes/access.ts'
import { dataHeaders } from '../../routes/data-headers.ts'
import { succeeded } from '../../routes/requests.ts'
import {
  deleteRecipe,
  findRecipe,
  listRecipes,
  noSuchRecipe,
  type StoredRecipe,
} from '../store/recipe-store.ts'
import { RecipeBody } from './bodies.ts'

const path = '/tours/recipes'
const recipeParams = Type.Object({
  recipe: Type.String({ maxLength: 255, description: 'The machine name of the recipe.' }),
})

/** The recipes that tours are exported to. */
export function addRecipeEntityRoutes(
  routes: HttpServer,
  { database }: Pick<ToursOptions, 'database'>,
): void {
  routes.get(
    path,
    {
      config: { access: may.read },
      schema: {
        operationId: 'listTourRecipes',
        summary: 'Recipes that tours are exported to, the oldest first',
        querystring: Type.Object(pageQuery),
        response: {
          200: succeeded({ recipes: Type.Array(RecipeBody), total: Type.Integer() }, 'A page of recipes.'),
        },
      },
    },
    async ({ query }, reply) => {
      const { recipes, total } = await listRecipes(database, { limit: query.limit, offset: offsetOf(query) })
      return reply.headers(dataHeaders).send({ success: true, recipes: recipes.map(describeRecipe), total })
    },
  )

  routes.get(
    `${path}/:recipe`,
    {
      config: { access: may.read },
      schema: {
        operationId: 'readTourRecipe',
        summary: 'A recipe that tours are exported to',
        params: recipeParams,
        response: { 200: succeeded({ recipe: RecipeBody }, 'The recipe.') },
      },
    },
    async ({ params }, reply) => {
      const recipe = await findRecipe(database, params.recipe)
      if (recipe === undefined) throw noSuchRecipe(params.recipe)
      return reply.headers(dataHeaders).send({ success: true, recipe: describeRecipe(recipe) })
    },
  )

  routes.delete(
    `${path}/:recipe`,
    {
      config: { access: may.delete },
      schema: {
        operationId: 'deleteTourRecipe',
        summary: 'Delete a recipe',
        description: 'Its tours stay as they are, linked to no recipe.',
        params: recipeParams,
        response: { 200: succeeded({ message: Type.String() }, 'The recipe is gone.') },
      },
    },
    async ({ params }, reply) => {
      const { name } = await deleteRecipe(database, params.recipe)
      return reply
        .header('cache-control', 'no-store')
        .send({ success: true, message: `The recipe “${name}” is deleted.` })
    },
  )
}

function describeRecipe({ tours, created_at, updated_at, ...recipe }: StoredRecipe) {
  return {
    ...recipe,
    tours: Object.values(tours).map(({ id, label, tips }) => ({ id, label, steps: tips.length })),
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}
