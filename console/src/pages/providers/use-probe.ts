import { useMutation, useQueryClient } from '@tanstack/react-query'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { notify } from '../../shell/notify.ts'
import { type Provider, providersQuery } from './provider-queries.ts'
import { describeProvider } from './provider-words.ts'

/** Checks a provider now, and shows its health. */
export function useProbe({ name }: Provider): { probe: () => void; isBusy: boolean } {
  const api = useApi()
  const show = useShowProvider()
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      bodyOf(api.client.POST('/api/v1/providers/{name}/probe', { params: { path: { name } } })),
    onSuccess: show,
    onError: (error) => notify({ title: `${describeProvider(name)} was not checked`, error }),
  })
  return {
    probe: () => {
      if (!isPending) mutate()
    },
    isBusy: isPending,
  }
}

/** Refetches the providers, and the models, which may have changed. */
export function useRefreshProviders(): () => Promise<void> {
  const cache = useQueryClient()
  return async () => {
    await Promise.all([['providers'], ['models']].map((queryKey) => cache.invalidateQueries({ queryKey })))
  }
}

/** Updates a provider in the cache, and refetches the models, which may have changed. */
export function useShowProvider(): (provider: Provider) => void {
  const api = useApi()
  const cache = useQueryClient()
  return (provider) => {
    cache.setQueryData(providersQuery(api).queryKey, (known) =>
      known?.map((it) => (it.name === provider.name ? provider : it)),
    )
    void cache.invalidateQueries({ queryKey: ['models'] })
  }
}
