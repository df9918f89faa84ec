import { useState } from 'react'
import { done } from '../../api/api.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { DangerButton } from '../../parts/DangerButton.tsx'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import type { PriceRow } from './price-rows.ts'
import { providerOf } from './priced-provider.ts'
import { useRefreshPrices } from './use-refresh-prices.ts'

interface RemovePriceProps {
  readonly row: PriceRow
  /** Told when a question stands in front of the drawer, and when it goes. */
  readonly onCovered: (covered: boolean) => void
  readonly onRemoved: () => void
}

/** Takes back a price that was set here. */
export function RemovePrice({ row: { provider, model }, onCovered, onRemoved }: RemovePriceProps) {
  const refresh = useRefreshPrices()
  const [asking, setAsking] = useState(false)
  const ask = (wanted: boolean) => {
    setAsking(wanted)
    onCovered(wanted)
  }
  return (
    <DrawerSection
      title="Price set here"
      about="Without it, the price of the table holds; where that has none, nobody knows what calls cost."
      ways={
        <DangerButton kind="ask" onClick={() => ask(true)}>
          Remove price…
        </DangerButton>
      }
    >
      {asking ? (
        <ConfirmDialog
          title={`Remove the price of ${model}?`}
          confirmLabel="Remove price"
          failureSentence="The price was not removed."
          send={({ client }) =>
            done(
              client.DELETE('/api/v1/prices/{provider}/{model}', {
                params: { path: { provider: providerOf(provider), model } },
              }),
            )
          }
          onDone={async () => {
            await refresh()
            onRemoved()
          }}
          onClose={() => ask(false)}
        >
          <p>
            Calls that begin from now on cost what the table says, if it knows the model. Calls that were made
            keep the price they were made at.
          </p>
        </ConfirmDialog>
      ) : null}
    </DrawerSection>
  )
}
