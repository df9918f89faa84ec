import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'

const heading =
  '// Generated from the OpenAPI description by `npm run generate`. Change the routes, not this file.\n/* oxlint-disable */\n\n'

/** The content of console/src/api/schema.generated.ts: every path, parameter and body of the OpenAPI description. */
export async function generateClientTypes(openapi: object): Promise<string> {
  const nodes = await openapiTS(withoutPages(openapi) as OpenAPI3, { alphabetize: true })
  return heading + astToString(nodes)
}

/** The console requests JSON, so it never gets the page of the same path. */
function withoutPages(openapi: object): object {
  return JSON.parse(JSON.stringify(openapi), (_name, part: unknown) => {
    const hasBoth =
      typeof part === 'object' && part !== null && 'application/json' in part && 'text/html' in part
    return hasBoth ? { 'application/json': part['application/json'] } : part
  }) as object
}
