import { useMutation } from '@tanstack/react-query'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { notify } from '../../shell/notify.ts'
import type { NodeRecord } from './cluster-bodies.ts'
import { useNodeAnswer } from './use-live-cluster.ts'

/** Drains a node, or lets it take requests again when it is draining. */
export function useDrain({ id, url, status }: NodeRecord): { drain: () => void; isBusy: boolean } {
  const api = useApi()
  const show = useNodeAnswer()
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      show(id, () =>
        bodyOf(
          api.client.PATCH('/api/cluster/nodes/{id}', {
            params: { path: { id } },
            body: { draining: status !== 'draining' },
          }),
        ),
      ),
    onError: (error) => notify({ title: `${url} is as it was`, error }),
  })
  return {
    drain: () => {
      if (!isPending) mutate()
    },
    isBusy: isPending,
  }
}
