/** The response of a service that made a step fail. */
interface FailedResponse {
  readonly status: number | undefined
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string | undefined
}

interface ReadDetails {
  readonly response: FailedResponse
  /** The details of the error beyond the response. */
  readonly others: Readonly<Record<string, unknown>>
}

/** Finds the response in the details of an error, which depend on its code. */
export function readResponse(details: Readonly<Record<string, unknown>> = {}): ReadDetails {
  const { status, headers, body, ...others } = details
  return {
    response: {
      status: typeof status === 'number' ? status : undefined,
      headers:
        typeof headers === 'object' && headers !== null
          ? Object.entries(headers).map(([name, value]) => [name, String(value)] as const)
          : [],
      body: typeof body === 'string' ? body : undefined,
    },
    others,
  }
}
