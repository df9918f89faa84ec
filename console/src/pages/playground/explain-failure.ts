import type { ApiFailure } from '../../api/api-failure.ts'

const letOthers = 'or let others answer in its place (“If it cannot answer”)'

/** What to do about each, by the code the platform gives. */
const ways: Readonly<Record<string, string>> = {
  model_not_found: 'Choose another model.',
  unsupported: 'Choose another model, or leave out what this one cannot do.',
  provider_refused: 'Change what it names and ask again.',
  insufficient_quota:
    'The budget is new at midnight UTC. Until then ask for fewer tokens, or choose a model that costs less.',
  rate_limit_exceeded: 'Your tier allows so many requests in an hour. Ask again later.',
  provider_rate_limited: `Ask again in a moment, ${letOthers}.`,
  provider_unavailable: `Ask again in a moment, choose another model, ${letOthers}.`,
  provider_timeout: `Ask again, choose another model, ${letOthers}.`,
  answer_broke_off: 'Ask again. What came so far is kept until you do.',
  insufficient_scope: 'Ask an administrator for the permission this needs.',
  unreachable: 'Check that the platform is running and that you can reach it from here, then ask again.',
}

/** What a person can do about an answer that failed. */
export function explainFailure({ code, status, problems }: ApiFailure): string {
  const known = Object.hasOwn(ways, code) ? ways[code] : undefined
  if (known !== undefined) return known
  if (problems.length > 0) return 'Change the setting it names and ask again.'
  return status >= 500
    ? 'Ask again. If it keeps failing, the request id finds the cause in the platform’s log.'
    : 'Change what it names and ask again.'
}
