/** How an interface of the runtime tells an error: as an answer, and as the last words of one that had begun. */
export interface Voice {
  body(status: number, message: string): string
}

/** Paths under `/api`. */
const native: Voice = {
  body: (_status, message) => JSON.stringify({ error: message }),
}

/** Paths under `/v1`, which clients of other services use. */
const compatible: Voice = {
  body: (status, message) => JSON.stringify({ error: describeCompatibleError(status, message) }),
}

/** The error object of `/v1`. */
export function describeCompatibleError(status: number, message: string) {
  return { message, type: typeOf(status), param: null, code: null }
}

function typeOf(status: number): string {
  if (status === 401) return 'authentication_error'
  if (status === 404) return 'not_found_error'
  return status < 500 ? 'invalid_request_error' : 'api_error'
}

export function voiceOf(path: string): Voice {
  return path.startsWith('/v1/') ? compatible : native
}
