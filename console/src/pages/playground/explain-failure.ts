import type { ApiFailure } from '../../api/api-failure.ts'

const letOthers = 'or set a fallback'

/** The advice for each error code. */
const ways: Readonly<Record<string, string>> = {
  model_not_found: 'Choose another model.',
  unsupported: 'Choose another model, or remove the options this one does not support.',
  provider_refused: 'Fix the named field and retry.',
  insufficient_quota:
    'The budget resets at midnight UTC. Until then request fewer tokens or choose a cheaper model.',
  rate_limit_exceeded: 'The hourly request limit of your tier is reached. Retry later.',
  provider_rate_limited: `Retry in a moment, ${letOthers}.`,
  provider_unavailable: `Retry in a moment, choose another model, ${letOthers}.`,
  provider_timeout: `Retry, choose another model, ${letOthers}.`,
  answer_broke_off: 'Retry. The partial answer is kept until then.',
  insufficient_scope: 'Ask an administrator for the required permission.',
  unreachable: 'Check that the server is running and reachable, then retry.',
}

/** The advice for a failed answer. */
export function explainFailure({ code, status, problems }: ApiFailure): string {
  const known = Object.hasOwn(ways, code) ? ways[code] : undefined
  if (known !== undefined) return known
  if (problems.length > 0) return 'Fix the named setting and retry.'
  return status >= 500
    ? 'Retry. If it keeps failing, search the server log for the request ID.'
    : 'Fix the named field and retry.'
}
