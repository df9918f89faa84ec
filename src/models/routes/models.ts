import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import { type Catalogue, catalogueModelSchema } from '../catalogue/catalogue.ts'

/** The list of models. All of it: clients of this shape know no pages. */
export function addModelRoutes(routes: HttpServer, { catalogue }: { readonly catalogue: Catalogue }): void {
  routes.get(
    '/api/v1/models',
    {
      config: { access: { signedIn: true, scope: 'models.read' } },
      schema: {
        summary: 'List the models',
        description:
          'Every model the cluster knows, by id. A model stays in the list while its nodes, or the cluster service itself, cannot be asked; its `nodes` are empty then.',
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
