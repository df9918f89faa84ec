import { type DefaultError, type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

/** A query whose failure stays visible until data arrives. */
export function useApiQuery<Data, Key extends QueryKey>(
  options: UseQueryOptions<Data, DefaultError, Data, Key>,
) {
  const result = useQuery(options)
  return { ...result, failure: useLastFailure(result) }
}

/**
 * The failure of a query until it has data. A refetch clears the error of a query without data; a page that showed that error
 * directly would blink between its failure and its skeleton while the server is unreachable.
 */
export function useLastFailure({
  data,
  error,
}: {
  readonly data: unknown
  readonly error: DefaultError | null
}): DefaultError | null {
  const [last, setLast] = useState<DefaultError | null>(null)
  const failure = error ?? (data === undefined ? last : null)
  if (failure !== last) setLast(failure)
  return failure
}
