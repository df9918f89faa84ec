import { useState } from 'react'
import { FactsBox } from '../../parts/FactsBox.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { findRow } from '../../parts/use-row-focus.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { priceSources } from '../playground/model-words.ts'
import { AccountName } from '../usage/AccountName.tsx'
import { type PriceRow, rowKeyOf } from './price-rows.ts'
import { describeProvider } from './provider-words.ts'
import { RemovePrice } from './RemovePrice.tsx'
import { SetPrice } from './SetPrice.tsx'

interface PriceDrawerProps {
  /** Undefined for a model that is not listed. */
  readonly row: PriceRow | undefined
  readonly onClose: () => void
}

/** What one model costs here. A price that is set wins over the table; calls that were made keep theirs. */
export default function PriceDrawer({ row, onClose }: PriceDrawerProps) {
  const [covered, setCovered] = useState(false)
  return (
    <SideDrawer
      title={row === undefined ? 'Set a price' : row.model}
      onClose={onClose}
      covered={covered}
      holdsInput
      {...(row === undefined ? {} : { returnTo: () => findRow(rowKeyOf(row.key)) })}
    >
      {row === undefined ? null : (
        <FactsBox
          facts={[
            { name: 'Provider', value: describeProvider(row.provider) },
            { name: 'Price', value: priceSources[row.source] },
            ...(row.set === undefined
              ? []
              : [
                  {
                    name: 'Set',
                    value: (
                      <span>
                        <RelativeTime at={row.set.updated_at} />
                        {row.set.updated_by === null ? null : (
                          <>
                            {' '}
                            by <AccountName id={row.set.updated_by} />
                          </>
                        )}
                      </span>
                    ),
                  },
                ]),
          ]}
        />
      )}
      {row?.provider === 'builtin' ? (
        <p>It is part of the platform and costs nothing; there is no price to set.</p>
      ) : (
        <SetPrice row={row} onSet={onClose} />
      )}
      {row?.set === undefined ? null : <RemovePrice row={row} onCovered={setCovered} onRemoved={onClose} />}
    </SideDrawer>
  )
}
