import { type DefaultError, type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

/**
 * A query whose failure stands until an answer comes. Asking again clears the error of a query that has no data yet; a
 * page that showed this would blink between its failure and its skeleton for as long as the platform is away.
 */
export function useAnswer<Data, Key extends QueryKey>(
  options: UseQueryOptions<Data, DefaultError, Data, Key>,
) {
  const result = useQuery(options)
  const { data, error } = result
  const [standing, setStanding] = useState<DefaultError | null>(null)
  const failure = error ?? (data === undefined ? standing : null)
  if (failure !== standing) setStanding(failure)
  return { ...result, failure }
}
