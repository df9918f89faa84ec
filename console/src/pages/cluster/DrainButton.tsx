import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { notify } from '../../shell/notify.ts'
import type { NodeRecord } from './cluster-query.ts'
import { useNodeAnswer } from './use-live-cluster.ts'

/** A button that drains a node, or resumes it. */
export function DrainButton({ node, size }: { node: NodeRecord; size: 'compact-xs' | 'sm' }) {
  const { drain, isBusy } = useDrain(node)
  const label = node.status === 'draining' ? 'Resume' : 'Drain'
  return (
    <Button
      size={size}
      variant="default"
      aria-label={`${label} ${node.url}`}
      aria-disabled={isBusy}
      onClick={(click) => {
        // A click that reached the row would open it.
        click.stopPropagation()
        drain()
      }}
    >
      {label}
    </Button>
  )
}

/** Drains a node, or resumes a draining one. */
function useDrain({ id, url, status }: NodeRecord): { drain: () => void; isBusy: boolean } {
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
    onError: (error) => notify({ title: `${url} was not changed`, error }),
  })
  return {
    drain: () => {
      if (!isPending) mutate()
    },
    isBusy: isPending,
  }
}
