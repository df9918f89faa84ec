import { Button } from '@mantine/core'
import type { NodeRecord } from './cluster-bodies.ts'
import { useDrain } from './use-drain.ts'

/** Lets a node take no new request, or take them again. */
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
        // The row it stands in would open.
        click.stopPropagation()
        drain()
      }}
    >
      {label}
    </Button>
  )
}
