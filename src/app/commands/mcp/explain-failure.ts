import { SdkHttpError } from '@modelcontextprotocol/client'

/** Why a message did not get to the platform, or no answer came back, for whoever has set the client up. */
export function explainFailure(error: unknown, url: string): string {
  const status = error instanceof SdkHttpError ? error.status : undefined
  if (status === undefined) {
    return `There is no answer at ${url}. Is the platform running? Say where it is with TUTTI_URL or --url.`
  }
  const told = messageIn(error instanceof SdkHttpError ? error.data.text : undefined)
  if (status === 401) {
    return `The platform does not accept the API key: ${told ?? 'status 401'} Set TUTTI_API_KEY to one that holds.`
  }
  if (status === 404) return `There is no MCP server at ${url}/mcp. Is this the address of a platform?`
  return told ?? `The platform answered with status ${status}.`
}

/** The platform says why as an error of JSON-RPC. */
function messageIn(body: unknown): string | undefined {
  try {
    const { error } = JSON.parse(String(body)) as { error?: { message?: unknown } }
    return typeof error?.message === 'string' ? error.message : undefined
  } catch {
    return undefined
  }
}
