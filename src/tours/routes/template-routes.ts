import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import { toursPath } from '../api.ts'
import { toursFailure } from '../errors.ts'
import { findTemplate, listTemplates, Template } from '../templates/templates.ts'
import { successResponse, templateParams } from './schemas.ts'
import { dataHeaders, may } from './shared.ts'

export function addTemplateRoutes(routes: HttpServer): void {
  routes.get(
    `${toursPath}/templates`,
    {
      config: { access: may.read },
      schema: {
        operationId: 'listTourTemplates',
        summary: 'List tour templates',
        description: 'All templates that a tour can be created from.',
        response: {
          200: successResponse({ templates: Type.Array(Template), total: Type.Integer() }, 'All templates.'),
        },
      },
    },
    async (_request, reply) => {
      const templates = [...listTemplates()]
      return reply.headers(dataHeaders).send({ success: true, templates, total: templates.length })
    },
  )

  routes.get(
    `${toursPath}/templates/:template`,
    {
      config: { access: may.read },
      schema: {
        operationId: 'readTourTemplate',
        summary: 'Get a tour template',
        description: 'A template with its routes and steps.',
        params: templateParams,
        response: { 200: successResponse({ template: Template }, 'The template.') },
      },
    },
    async ({ params }, reply) => {
      const template = findTemplate(params.template)
      if (template === undefined) {
        throw toursFailure('template_not_found', {
          message: `There is no template "${params.template}".`,
          problems: [{ path: 'template', message: 'does not exist', code: 'not_found' }],
        })
      }
      return reply.headers(dataHeaders).send({ success: true, template })
    },
  )
}
