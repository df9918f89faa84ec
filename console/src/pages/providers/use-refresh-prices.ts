import { useQueryClient } from '@tanstack/react-query'

/** Reads prices again, and the models that carry them. */
export function useRefreshPrices(): () => Promise<void> {
  const cache = useQueryClient()
  return async () => {
    await Promise.all([['prices'], ['models']].map((queryKey) => cache.invalidateQueries({ queryKey })))
  }
}
