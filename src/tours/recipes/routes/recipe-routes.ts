import { Type } from 'typebox'
import { type HttpServer, offsetOf, pageQuery } from '#kernel/http'
import type { ToursOptions } from '../../route-options.ts'
import { successResponse } from '../../routes/schemas.ts'
import { dataHeaders, may } from '../../routes/shared.ts'
import { importFormats } from '../archives/read-archive.ts'
import { examineRecipe } from '../read-import.ts'
import {
  deleteRecipe,
  findRecipe,
  listRecipes,
  noSuchRecipe,
  type StoredRecipe,
} from '../store/recipe-store.ts'
import { addDownloadRoute } from './download-route.ts'
import { addExportRoutes } from './export-routes.ts'
import { CheckRequest, FindingSchema, ImportableTour, RecipeResponse } from './schemas.ts'

/** Export, download, check and manage recipes. Imports are part of creating a tour. */
export function addRecipeRoutes(
  routes: HttpServer,
  options: Pick<ToursOptions, 'database' | 'events' | 'publicUrl'>,
): void {
  addExportRoutes(routes, options)
  addDownloadRoute(routes, options)
  addRecipeEntityRoutes(routes, options)
  addCheckRoute(routes)
}

function addCheckRoute(routes: HttpServer): void {
  routes.post(
    '/tours/recipes/check',
    {
      config: { access: may.read },
      schema: {
        operationId: 'checkTourRecipe',
        summary: 'Check a recipe',
        description:
          'Reports what a Drupal site would refuse, or accept and then break on. Nothing is stored.',
        body: CheckRequest,
        response: {
          200: successResponse(
            {
              sound: Type.Boolean({ description: 'Whether the recipe has no errors.' }),
              format: Type.Enum([...importFormats]),
              findings: Type.Array(FindingSchema, { description: 'Errors first.' }),
              losses: Type.Array(FindingSchema, {
                description: 'What an import of the tours drops or uses differently.',
              }),
              tours: Type.Array(ImportableTour, {
                description: 'The tours of the recipe. Each can be imported.',
              }),
            },
            'The findings.',
          ),
        },
      },
    },
    async ({ body }, reply) => {
      const { format, findings, tours, losses } = examineRecipe(body.recipe)
      const sound = findings.every(({ severity }) => severity !== 'error')
      return reply.header('cache-control', 'no-store').send({
        success: true,
        sound,
        format,
        findings: [...findings],
        losses: [...losses],
        tours: [...tours],
      })
    },
  )
}

const path = '/tours/recipes'
const recipeParams = Type.Object({
  recipe: Type.String({ maxLength: 255, description: 'The machine name of the recipe.' }),
})

/** The stored recipes. */
function addRecipeEntityRoutes(routes: HttpServer, { database }: Pick<ToursOptions, 'database'>): void {
  routes.get(
    path,
    {
      config: { access: may.read },
      schema: {
        operationId: 'listTourRecipes',
        summary: 'List recipes',
        description: 'The stored recipes, oldest first.',
        querystring: Type.Object(pageQuery),
        response: {
          200: successResponse(
            { recipes: Type.Array(RecipeResponse), total: Type.Integer() },
            'A page of recipes.',
          ),
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
        summary: 'Get a recipe',
        description: 'A stored recipe with its tours.',
        params: recipeParams,
        response: { 200: successResponse({ recipe: RecipeResponse }, 'The recipe.') },
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
        description: 'Its tours stay and are no longer linked to a recipe.',
        params: recipeParams,
        response: { 200: successResponse({ message: Type.String() }, 'The recipe was deleted.') },
      },
    },
    async ({ params }, reply) => {
      const { name } = await deleteRecipe(database, params.recipe)
      return reply
        .header('cache-control', 'no-store')
        .send({ success: true, message: `The recipe “${name}” was deleted.` })
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
