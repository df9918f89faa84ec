import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import { toursFailure } from '../errors.ts'
import { toursPath } from '../interface.ts'
import { findTemplate, Template, templates } from '../templates/templates.ts'
import { may } from './access.ts'
import { dataHeaders } from './data-headers.ts'
import { succeeded, templateParams } from './requests.ts'

/** What a tour can begin with. */
export function addTemplateRoutes(routes: HttpServer): void {
  routes.get(
    `${toursPath}/templates`,
    {
      config: { access: may.read },
      schema: {
        operationId: 'listTourTemplates',
        summary: 'Templates of tours',
        response: {
          200: succeeded({ templates: Type.Array(Template), total: Type.Integer() }, 'Every template.'),
        },
      },
    },
    async (_request, reply) =>
      reply.headers(dataHeaders).send({ success: true, templates: [...templates], total: templates.length }),
  )

  routes.get(
    `${toursPath}/templates/:template`,
    {
      config: { access: may.read },
      schema: {
        operationId: 'readTourTemplate',
        summary: 'A template of tours',
        params: templateParams,
        response: { 200: succeeded({ template: Template }, 'The template.') },
      },
    },
    async ({ params }, reply) => {
      const template = findTemplate(params.template)
      if (template === undefined) {
        throw toursFailure('template_not_found', {
          message: `There is no template "${params.template}".`,
          problems: [{ path: 'template', message: 'names no template', code: 'not_found' }],
        })
      }
      return reply.headers(dataHeaders).send({ success: true, template })
    },
  )
}
