import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { catalogueModelSchema } from '../catalogue/catalogue-model.ts'

/** The model list. It has no pages, because clients of this format do not support them. */
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
        summary: 'List models',
        description:
          'Returns the models of all providers, ordered by id. A model of several providers is listed once for each. Models of unreachable providers stay in the list with the state `unavailable`.',
        response: {
          200: Type.Object(
            { object: Type.Literal('list'), data: Type.Array(catalogueModelSchema) },
            { description: 'The models.' },
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
