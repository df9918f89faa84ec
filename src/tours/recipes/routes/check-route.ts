import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import { may } from '../../routes/access.ts'
import { succeeded } from '../../routes/requests.ts'
import { recipeFormats } from '../pack-recipe.ts'
import { examineRecipe } from '../read-import.ts'
import { CheckBody, FindingBody, ReadTour } from './bodies.ts'

/** Looking at a recipe before anything is done with it. */
export function addCheckRoute(routes: HttpServer): void {
  routes.post(
    '/tours/recipes/check',
    {
      config: { access: may.read },
      schema: {
        operationId: 'checkTourRecipe',
        summary: 'Check a recipe',
        description:
          'Nothing is stored. Says what a site would refuse, and what it would take and then break on.',
        body: CheckBody,
        response: {
          200: succeeded(
            {
              sound: Type.Boolean({ description: 'Whether it has no error.' }),
              format: Type.Enum([...recipeFormats]),
              findings: Type.Array(FindingBody, { description: 'Errors first.' }),
              tours: Type.Array(ReadTour, { description: 'The tours in it. Each can be imported.' }),
            },
            'What was found.',
          ),
        },
      },
    },
    async ({ body }, reply) => {
      const { format, findings, tours } = examineRecipe(body.recipe)
      const sound = findings.every(({ severity }) => severity !== 'error')
      return reply
        .header('cache-control', 'no-store')
        .send({ success: true, sound, format, findings: [...findings], tours: [...tours] })
    },
  )
}
