import { useMutation, useQueryClient } from '@tanstack/react-query'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { notify } from '../../shell/notify.ts'
import { type Provider, providersQuery } from './provider-queries.ts'
import { describeProvider } from './provider-words.ts'

/** Looks at a provider now, and shows how it is. */
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

/** Puts a provider as it was just told into what is shown. Its models may be others now. */
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
