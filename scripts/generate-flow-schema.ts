import type { OpenApiDocument } from '#kernel/http'

/** The JSON schema of the body of `POST /flows`: the flow and its metadata, with every field, limit and description. */
export function generateFlowSchema({ paths }: OpenApiDocument): string {
  const operation = paths['/ai-workflows/api/flows']?.['post'] as CreateFlow | undefined
  const schema = operation?.requestBody.content['application/json'].schema
  if (schema === undefined) throw new Error('POST /ai-workflows/api/flows has no body schema')
  const { flow_definition: flow, metadata } = schema.properties
  return `${JSON.stringify({ flow, metadata }, null, 2)}\n`
}

interface CreateFlow {
  readonly requestBody: {
    readonly content: {
      readonly 'application/json': {
        readonly schema: {
          readonly properties: { readonly flow_definition: object; readonly metadata: object }
        }
      }
    }
  }
}
