import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { catalogueModelSchema } from '../catalogue/catalogue-model.ts'

/** The list of models. All of it: clients of this shape know no pages. */
export function addModelRoutes(
  routes: HttpServer,
  { catalogue }: { readonly catalogue: Pick<Catalogue, 'list'> },
): void {
  routes.get(
    '/api/v1/models',
    {
      config: { access: { signedIn: true, scope: 'models.read' } },
      schema: {
        operationId: 'listModels',
        summary: 'List the models',
        description:
          'Every model of every provider, by id; one that several have is there for each of them. A model stays in the list while its nodes, or its provider, cannot be asked; its `state` says so.',
        response: {
          200: Type.Object(
            { object: Type.Literal('list'), data: Type.Array(catalogueModelSchema) },
            { description: 'The models as they are now.' },
          ),
        },
      },
    },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      return { object: 'list' as const, data: await catalogue.list() }
    },
  )
}
