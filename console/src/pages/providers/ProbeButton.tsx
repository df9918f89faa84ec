import { Button } from '@mantine/core'
import type { Provider } from './provider-queries.ts'
import { describeProvider } from './provider-words.ts'
import { useProbe } from './use-probe.ts'

/** Asks a provider whether it is there. Nothing is generated, and nothing is spent. */
export function ProbeButton({ provider, size }: { provider: Provider; size: 'compact-xs' | 'sm' }) {
  const { probe, isBusy } = useProbe(provider)
  const label = isBusy ? 'Checking…' : 'Check now'
  return (
    <Button
      size={size}
      variant="default"
      aria-label={`${label} ${describeProvider(provider.name)}`}
      aria-disabled={isBusy}
      onClick={(click) => {
        // The row it stands in would open.
        click.stopPropagation()
        probe()
      }}
    >
      {label}
    </Button>
  )
}
