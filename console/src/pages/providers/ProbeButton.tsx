import { Button } from '@mantine/core'
import type { Provider } from './provider-queries.ts'
import { describeProvider } from './provider-words.ts'
import { useProbe } from './use-probe.ts'

/** Checks whether a provider is available. The check generates no text and costs nothing. */
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
        // A click that reached the row would open it.
        click.stopPropagation()
        probe()
      }}
    >
      {label}
    </Button>
  )
}
