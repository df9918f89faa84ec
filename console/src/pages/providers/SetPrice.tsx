import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { Form } from '../../parts/Form.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import { notify } from '../../shell/notify.ts'
import type { PriceRow } from './price-rows.ts'
import { pricedProviders, providerOf } from './priced-provider.ts'
import { describeProvider } from './provider-words.ts'
import styles from './SetPrice.module.css'
import { useRefreshPrices } from './use-refresh-prices.ts'

const providers = pricedProviders.map((name) => ({ value: name, label: describeProvider(name) }))

interface SetPriceProps {
  /** Undefined for a model that is not listed. */
  readonly row: PriceRow | undefined
  readonly onSet: () => void
}

/** Asks for what a model costs. */
export function SetPrice({ row, onSet }: SetPriceProps) {
  const refresh = useRefreshPrices()
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
          params: { path: { provider: providerOf(provider), model: model.trim() } },
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
        title: `${price.model} has a price`,
        message: 'It holds for every call that begins from now on.',
      })
    },
  })
  const { problemOf } = submission
  return (
    <Form submission={submission} submitLabel="Set price" failureSentence="The price is as it was.">
      {row === undefined ? (
        <>
          <NativeSelect
            label="Provider"
            data={providers}
            value={provider}
            onChange={(change) => setProvider(change.currentTarget.value)}
          />
          <TextInput
            data-autofocus
            label="Model"
            description="Its id, as the provider names it. It need not be there yet."
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
      <p className={styles['unit']}>All in dollars for a million tokens.</p>
      <Amount label="Input" value={input} onChange={setInput} error={problemOf('input')} />
      <Amount
        label="Cached input (optional)"
        description="Input the provider had remembered. Without it, the price of any other input."
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
