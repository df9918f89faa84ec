import { NativeSelect, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { bodyOf, done } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { ConfirmedAction } from '../../parts/ConfirmedAction.tsx'
import { DetailBox } from '../../parts/DetailBox.tsx'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { Form } from '../../parts/Form.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { findRow } from '../../parts/use-row-focus.ts'
import { useSubmission } from '../../parts/use-submission.ts'
import { notify } from '../../shell/notify.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { priceSources } from '../playground/model-words.ts'
import { AccountName } from '../usage/AccountName.tsx'
import styles from './PriceDrawer.module.css'
import { type PriceRow, rowKeyOf } from './price-rows.ts'
import { providersQuery } from './provider-queries.ts'
import { describeProvider } from './provider-words.ts'

interface PriceDrawerProps {
  /** Undefined for a model that is not listed. */
  readonly row: PriceRow | undefined
  readonly onClose: () => void
}

/** The price of a model. A custom price overrides the table; past calls keep theirs. */
export default function PriceDrawer({ row, onClose }: PriceDrawerProps) {
  const [covered, setCovered] = useState(false)
  return (
    <SideDrawer
      title={row === undefined ? 'Set price' : row.model}
      onClose={onClose}
      covered={covered}
      holdsInput
      {...(row === undefined ? {} : { returnTo: () => findRow(rowKeyOf(row.key)) })}
    >
      {row === undefined ? null : (
        <DetailBox
          details={[
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
        <p>Built-in models are free; there is no price to set.</p>
      ) : (
        <SetPrice row={row} onSet={onClose} />
      )}
      {row?.set === undefined ? null : <RemovePrice row={row} onCovered={setCovered} onRemoved={onClose} />}
    </SideDrawer>
  )
}

interface RemovePriceProps {
  readonly row: PriceRow
  /** Called when a confirmation dialog opens in front of the drawer, and when it closes. */
  readonly onCovered: (covered: boolean) => void
  readonly onRemoved: () => void
}

/** Deletes a custom price. */
function RemovePrice({ row: { provider, model }, onCovered, onRemoved }: RemovePriceProps) {
  const refresh = useRefreshPrices()
  return (
    <DrawerSection
      title="Custom price"
      about="Overrides the price table. Without it, models missing from the table have an unknown price."
      ways={
        <ConfirmedAction
          label="Remove price…"
          onCovered={onCovered}
          title={`Remove the price of ${model}?`}
          confirmLabel="Remove price"
          failureSentence="The price was not removed."
          send={({ client }) =>
            done(
              client.DELETE('/api/v1/prices/{provider}/{model}', {
                params: { path: { provider, model } },
              }),
            )
          }
          onDone={async () => {
            await refresh()
            onRemoved()
          }}
        >
          <p>New calls use the price table, if it lists the model. Past calls keep their price.</p>
        </ConfirmedAction>
      }
    />
  )
}

interface SetPriceProps {
  /** Undefined for a model that is not listed. */
  readonly row: PriceRow | undefined
  readonly onSet: () => void
}

/** The form of a model's price. */
function SetPrice({ row, onSet }: SetPriceProps) {
  const refresh = useRefreshPrices()
  const { data: providers = [] } = useQuery(providersQuery(useApi()))
  const [provider, setProvider] = useState(row?.provider ?? 'ollama')
  const [model, setModel] = useState(row?.model ?? '')
  // The form of a free model starts empty: a price of 0 left in a field would be taken for a choice.
  const known = row?.source === 'free' ? undefined : row
  const [input, setInput] = useState(textOf(known?.input))
  const [cachedInput, setCachedInput] = useState(textOf(known?.cachedInput))
  const [output, setOutput] = useState(textOf(known?.output))
  const submission = useSubmission({
    fields: ['model', 'input', 'cached_input', 'output'],
    send: ({ client }) =>
      bodyOf(
        client.PUT('/api/v1/prices/{provider}/{model}', {
          params: { path: { provider, model: model.trim() } },
          body: {
            input: input.trim(),
            output: output.trim(),
            ...(cachedInput.trim() === '' ? {} : { cached_input: cachedInput.trim() }),
          },
        }),
      ),
    async onDone(price) {
      await refresh()
      onSet()
      await notify({
        title: `${price.model}: price saved`,
        message: 'Applies to new calls.',
      })
    },
  })
  const { problemOf } = submission
  return (
    <Form submission={submission} submitLabel="Set price" failureSentence="The price was not changed.">
      {row === undefined ? (
        <>
          <NativeSelect
            label="Provider"
            data={providers
              .filter(({ kind }) => kind !== 'builtin')
              .map(({ name }) => ({ value: name, label: describeProvider(name) }))}
            value={provider}
            onChange={(change) => setProvider(change.currentTarget.value)}
          />
          <TextInput
            data-autofocus
            label="Model"
            description="Model ID of the provider. The model does not have to be available yet."
            placeholder="gemma3:4b"
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            value={model}
            onChange={(change) => setModel(change.currentTarget.value)}
            error={problemOf('model')}
          />
        </>
      ) : null}
      <p className={styles['unit']}>Dollars per million tokens.</p>
      <Amount label="Input" value={input} onChange={setInput} error={problemOf('input')} />
      <Amount
        label="Cached input (optional)"
        description="Input tokens from the provider’s cache. Defaults to the input price."
        value={cachedInput}
        onChange={setCachedInput}
        error={cachedInput.trim() === '' ? undefined : problemOf('cached_input')}
      />
      <Amount label="Output" value={output} onChange={setOutput} error={problemOf('output')} />
    </Form>
  )
}

interface AmountProps {
  readonly label: string
  readonly description?: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | undefined
}

function Amount({ label, description, value, onChange, error }: AmountProps) {
  return (
    <TextInput
      label={label}
      description={description}
      inputMode="decimal"
      autoComplete="off"
      placeholder="0.15"
      leftSection="$"
      value={value}
      onChange={(change) => onChange(change.currentTarget.value)}
      error={error}
    />
  )
}

function textOf(amount: number | null | undefined): string {
  return amount === null || amount === undefined ? '' : String(amount)
}

/** Refetches the prices, and the models that include them. */
function useRefreshPrices(): () => Promise<void> {
  const cache = useQueryClient()
  return async () => {
    await Promise.all([['prices'], ['models']].map((queryKey) => cache.invalidateQueries({ queryKey })))
  }
}
