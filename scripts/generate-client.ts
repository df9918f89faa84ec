import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'

const heading =
  '// Generated from the OpenAPI description by `npm run generate`. Change the routes, not this file.\n/* oxlint-disable */\n\n'

/** The TypeScript text of console/src/api/schema.generated.ts: every path, parameter and body the server describes. */
export async function generateClientTypes(openapi: object): Promise<string> {
  const nodes = await openapiTS(openapi as OpenAPI3, { alphabetize: true })
  return heading + astToString(nodes)
}
