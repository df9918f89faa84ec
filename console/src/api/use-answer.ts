import { type DefaultError, type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

/** A query whose failure stands until an answer comes. */
export function useAnswer<Data, Key extends QueryKey>(
  options: UseQueryOptions<Data, DefaultError, Data, Key>,
) {
  const result = useQuery(options)
  return { ...result, failure: useStandingFailure(result) }
}

/**
 * The failure of a query until it has an answer. Asking again clears the error of a query that has no data yet; a page
 * that showed this would blink between its failure and its skeleton for as long as the platform is away.
 */
export function useStandingFailure({
  data,
  error,
}: {
  readonly data: unknown
  readonly error: DefaultError | null
}): DefaultError | null {
  const [standing, setStanding] = useState<DefaultError | null>(null)
  const failure = error ?? (data === undefined ? standing : null)
  if (failure !== standing) setStanding(failure)
  return failure
}
