import { NativeSelect, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { bodyOf, done } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { CompletingInput } from '../../parts/CompletingInput.tsx'
import { ConfirmedAction } from '../../parts/ConfirmedAction.tsx'
import { DetailBox } from '../../parts/DetailBox.tsx'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { Form } from '../../parts/Form.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { findRow } from '../../parts/use-row-focus.ts'
import { useSubmission } from '../../parts/use-submission.ts'
import { notify } from '../../shell/notify.ts'
import { UpdatedBy } from '../model-routes/UpdatedBy.tsx'
import { modelsQuery } from '../playground/models-query.ts'
import styles from './LimitDrawer.module.css'
import {
  allModels,
  describeLimited,
  limitBodyOf,
  limitDraftOf,
  limitKeyOf,
  limitRowKeyOf,
} from './limit-rows.ts'
import { limitsQuery, type ModelLimit, providersQuery } from './provider-queries.ts'
import { describeProvider } from './provider-words.ts'

interface LimitDrawerProps {
  /** Undefined for new limits. */
  readonly limit: ModelLimit | undefined
  readonly onClose: () => void
}

/** The limits of a model, or of all models of a provider together. */
export default function LimitDrawer({ limit, onClose }: LimitDrawerProps) {
  const [covered, setCovered] = useState(false)
  return (
    <SideDrawer
      title={limit === undefined ? 'Set limits' : titleOf(limit)}
      onClose={onClose}
      covered={covered}
      holdsInput
      {...(limit === undefined ? {} : { returnTo: () => findRow(limitRowKeyOf(limitKeyOf(limit))) })}
    >
      {limit === undefined ? null : (
        <DetailBox
          details={[
            { name: 'Provider', value: describeProvider(limit.provider) },
            { name: 'Model', value: describeLimited(limit.model) },
            { name: 'Set', value: <UpdatedBy at={limit.updated_at} account={limit.updated_by} /> },
          ]}
        />
      )}
      <SetLimits limit={limit} onSet={onClose} />
      {limit === undefined ? null : <RemoveLimits limit={limit} onCovered={setCovered} onRemoved={onClose} />}
    </SideDrawer>
  )
}

function titleOf({ provider, model }: Pick<ModelLimit, 'provider' | 'model'>): string {
  return `Limits of ${ownerOf({ provider, model })}`
}

function ownerOf({ provider, model }: Pick<ModelLimit, 'provider' | 'model'>): string {
  return model === allModels ? describeProvider(provider) : model
}

interface SetLimitsProps {
  /** Undefined for new limits. */
  readonly limit: ModelLimit | undefined
  readonly onSet: () => void
}

/** The form of limits. */
function SetLimits({ limit, onSet }: SetLimitsProps) {
  const api = useApi()
  const cache = useQueryClient()
  const { data: providers = [] } = useQuery(providersQuery(api))
  const { data: models = [] } = useQuery(modelsQuery(api))
  const { data: limits = [] } = useQuery(limitsQuery(api))
  const [provider, setProvider] = useState(limit?.provider ?? 'ollama')
  const [model, setModel] = useState(limit?.model ?? '')
  const [draft, setDraft] = useState(() => limitDraftOf(limit))
  const limited = { provider, model: model.trim() === '' ? allModels : model.trim() }
  const isReplaced = limit === undefined && limits.some((it) => limitKeyOf(it) === limitKeyOf(limited))
  const submission = useSubmission({
    // A problem of the whole body has an empty path.
    fields: ['', 'model', 'max_concurrent', 'requests_per_minute', 'tokens_per_minute'],
    send: ({ client }) =>
      bodyOf(
        client.PUT('/api/v1/model-limits/{provider}/{model}', {
          params: { path: limited },
          body: limitBodyOf(draft),
        }),
      ),
    async onDone(saved) {
      await cache.invalidateQueries({ queryKey: ['model-limits'] })
      onSet()
      await notify({ title: `${titleOf(saved)} saved`, message: 'Apply to new calls.' })
    },
  })
  const { problemOf } = submission
  const set = (fields: Partial<typeof draft>) => setDraft({ ...draft, ...fields })
  return (
    <Form submission={submission} submitLabel="Set limits" failureSentence="The limits were not changed.">
      {limit === undefined ? (
        <>
          <NativeSelect
            data-autofocus
            label="Provider"
            data={providers.map(({ name }) => ({ value: name, label: describeProvider(name) }))}
            value={provider}
            onChange={(change) => setProvider(change.currentTarget.value)}
          />
          <CompletingInput
            label="Model (optional)"
            description="Model ID of the provider. Empty: all its models together."
            value={model}
            completions={models
              .filter((it) => it.provider === provider)
              .map(({ id, state }) => ({ value: id, about: state === 'available' ? '' : 'not available' }))}
            onChange={setModel}
            error={problemOf('model')}
          />
          <div role="status">
            {isReplaced ? (
              <p className={styles['note']}>{ownerOf(limited)} has limits, which are replaced.</p>
            ) : null}
          </div>
        </>
      ) : null}
      <p className={styles['note']}>
        An empty field is no limit. A call at a limit goes to its next candidate, waits, or is rejected.
      </p>
      <Count
        label="Concurrent calls"
        description="Of each replica. Further calls wait up to MODEL_LIMIT_WAIT."
        value={draft.maxConcurrent}
        onChange={(maxConcurrent) => set({ maxConcurrent })}
        error={
          problemOf('', () => 'Set at least one limit, or delete the limits.') ?? problemOf('max_concurrent')
        }
      />
      <Count
        label="Requests per minute"
        description="Of all replicas together."
        value={draft.requestsPerMinute}
        onChange={(requestsPerMinute) => set({ requestsPerMinute })}
        error={problemOf('requests_per_minute')}
      />
      <Count
        label="Tokens per minute"
        description="Input and output, of all replicas together."
        value={draft.tokensPerMinute}
        onChange={(tokensPerMinute) => set({ tokensPerMinute })}
        error={problemOf('tokens_per_minute')}
      />
    </Form>
  )
}

interface CountProps {
  readonly label: string
  readonly description: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | undefined
}

function Count({ label, description, value, onChange, error }: CountProps) {
  return (
    <TextInput
      label={label}
      description={description}
      inputMode="numeric"
      autoComplete="off"
      placeholder="No limit"
      value={value}
      onChange={(change) => onChange(change.currentTarget.value)}
      error={error}
    />
  )
}

interface RemoveLimitsProps {
  readonly limit: ModelLimit
  /** Called when a confirmation dialog opens in front of the drawer, and when it closes. */
  readonly onCovered: (covered: boolean) => void
  readonly onRemoved: () => void
}

function RemoveLimits({ limit, onCovered, onRemoved }: RemoveLimitsProps) {
  const { provider, model } = limit
  const cache = useQueryClient()
  return (
    <DrawerSection
      title="Delete"
      about="Waiting calls start at once, unless another limit keeps them out."
      ways={
        <ConfirmedAction
          label="Delete limits…"
          onCovered={onCovered}
          title={`Delete the limits of ${ownerOf(limit)}?`}
          confirmLabel="Delete limits"
          failureSentence="The limits were not deleted."
          send={({ client }) =>
            done(
              client.DELETE('/api/v1/model-limits/{provider}/{model}', {
                params: { path: { provider, model } },
              }),
            )
          }
          onDone={async () => {
            await cache.invalidateQueries({ queryKey: ['model-limits'] })
            onRemoved()
          }}
        >
          <p>
            {model === allModels
              ? `Limits of single models of ${describeProvider(provider)} stay.`
              : `Limits of all models of ${describeProvider(provider)} together stay.`}
          </p>
        </ConfirmedAction>
      }
    />
  )
}
